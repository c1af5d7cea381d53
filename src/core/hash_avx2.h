/* XXH3 by the AVX2 instructions of x86-64: the same hash as sb_hash_of, in half the time. hash.c alone calls it. */
#pragma once

#include "core/hash.h"

/* sb_hash_of(data, n_bytes, 1), where the CPU has AVX2. */
sb_hash sb_hash_of_avx2(const void *data, size_t n_bytes);
