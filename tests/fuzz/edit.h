/* A good HDF5 file with some things in it put in another way: what a byte string says, byte after byte. Mutated bytes
 * are other edits, so that a fuzzer gets past the library's own checks and reaches ours. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Edit the file at path. names [n_names]: the paths that edits choose from; an attribute is "GROUP@NAME". */
void sb_edit_file(const char *path, const char *const *names, size_t n_names, const uint8_t *bytes, size_t n);
