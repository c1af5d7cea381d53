/* Two kinds of digest: a fast one for tensors and run logs (XXH3, 128 bits, from xxHash; hash.c), and SHA-256 (from
 * libcrypto; digest.c) for files and for the names of cells. */
#ifndef SB_CORE_HASH_H
#define SB_CORE_HASH_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 16 bytes in the canonical (big-endian) order of XXH128, so that the hex text is the same on every machine. */
typedef struct sb_hash {
    uint8_t byte[16];
} sb_hash;

enum { SB_SHA256_SIZE = 32 };
enum { SB_HASH_TEXT = 33, SB_SHA256_TEXT = 65 }; /* sizes of the hex texts with their final NUL */

/* Of n elements of that number of bytes each, least significant byte first whatever this machine's order: 1 for bytes
 * and texts, sizeof of a number for numbers. The same hash on every machine. */
sb_hash sb_hash_of(const void *data, size_t n, size_t bytes_each);

/* A hash over several pieces: begin, add ..., end. end frees the state. begin returns NULL when memory is short. */
typedef struct sb_hasher sb_hasher;
sb_hasher *sb_hasher_begin(void);
void sb_hasher_add(sb_hasher *hasher, const void *data, size_t n, size_t bytes_each); /* as sb_hash_of */
sb_hash sb_hasher_end(sb_hasher *hasher);

int sb_hash_equal(sb_hash a, sb_hash b);
void sb_hash_text(sb_hash hash, char text[SB_HASH_TEXT]);
bool sb_hash_parse(const char *text, sb_hash *hash); /* such a text and nothing after it; false: another one */

/* SHA-256 as lower-case hex. The streaming form is for files hashed while they are written. */
typedef struct sb_sha256 sb_sha256;
sb_sha256 *sb_sha256_begin(void);
void sb_sha256_add(sb_sha256 *state, const void *data, size_t n_bytes);
void sb_sha256_end(sb_sha256 *state, char text[SB_SHA256_TEXT]); /* frees the state */
void sb_sha256_bytes(const void *data, size_t n_bytes, char text[SB_SHA256_TEXT]);
void sb_sha256_digest(const void *data, size_t n_bytes, uint8_t digest[SB_SHA256_SIZE]);
sb_status sb_sha256_file(const char *path, char text[SB_SHA256_TEXT]); /* SB_E_IO if unreadable */

/* CRC-32 (zlib's) for the records of a journal. */
uint32_t sb_crc32(const void *data, size_t n_bytes);

#endif
