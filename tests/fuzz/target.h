/* Fuzz targets: each gives a reader of this package whatever bytes come. A family of them is one program, because the
 * programs' libraries do not all go together; its file holds the table of its targets, and all else goes by that table.
 *
 *     make fuzz TIME=60                  every target a minute, guided by coverage (preset fuzz: clang's libFuzzer)
 *     make fuzz TIME=600 TARGET=run      one of them
 *     ctest -R fuzz_                     every other preset: made seeds and tests/fuzz/corpus/TARGET, once through
 *
 * An input that was found to do harm is kept in the corpus, under a name that says what it did.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct sb_fuzz_target {
    const char *name;                            /* of its folder in the corpus */
    void (*one)(const uint8_t *bytes, size_t n); /* returns, whatever comes */
    void (*seeds)(void); /* NULL, or calls sb_fuzz_seed for each input that a program has to make */
} sb_fuzz_target;

extern const sb_fuzz_target sb_fuzz_targets[]; /* the last one has no name */

/* An input to begin with; the main program that is linked decides what becomes of it. */
void sb_fuzz_seed(const char *name, const void *bytes, size_t n);
void sb_fuzz_seed_file(const char *name, const char *path);

/* A path in a folder of this process's own, which goes when it ends; of sixteen such texts the oldest is written over.
 */
const char *sb_fuzz_path(const char *name);

/* Write a file there and return its path. */
const char *sb_fuzz_put(const char *name, const void *bytes, size_t n);

/* Several files in one input: the bytes up to the next line "--- 8< ---", and what is behind it. */
size_t sb_fuzz_part(const uint8_t **bytes, size_t *n, const uint8_t **part);

/* Write the next part there. */
const char *sb_fuzz_put_part(const char *name, const uint8_t **bytes, size_t *n);

/* The first byte, which chooses between ways to read the others; 0 if there is none. */
uint8_t sb_fuzz_choice(const uint8_t **bytes, size_t *n);

/* The bytes as a text, from malloc. */
char *sb_fuzz_text(const uint8_t *bytes, size_t n);

/* Where output goes that nobody reads. */
FILE *sb_fuzz_nowhere(void);
