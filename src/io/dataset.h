/* A data set file: what samebits-data writes and training reads; HDF5 after a seal of kind `data` (io/seal.h).
 * docs/run-file.md, "The data set file", lists its data sets and attributes. One text needs no file: the path
 * SB_MADE_TEXT (core/rows/made_text.h) means it, and everything below makes it in memory. */
#pragma once

#include "core/hash.h"
#include "core/status.h"
#include "io/characters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_dataset sb_dataset;

typedef enum sb_dataset_kind { SB_DATASET_VIDEO, SB_DATASET_IMAGES, SB_DATASET_TEXT } sb_dataset_kind;

typedef struct sb_dataset_facts {
    sb_dataset_kind kind;
    size_t n;        /* frames, training images or training tokens */
    size_t n_test;   /* test images or held-out tokens; 0 for video */
    size_t h, w, c;  /* of one frame or image; 1 for text */
    bool has_labels; /* a byte for each training image */
    bool has_test_labels;
    int n_classes; /* whose names the file has; 0: none; of text, its characters */
    size_t n_sequences;
    const int64_t *sequence;     /* the data set's; NULL for images and text */
    sb_characters characters;    /* of text; else no table */
    char name[64], licence[256]; /* as the file says; empty where it does not */
} sb_dataset_facts;

/* The tokens that are held out of a text of n, if nobody says how many: a tenth, rounded up. */
static inline size_t sb_dataset_held_out(size_t n)
{
    return (n + 9) / 10;
}

/* Open and check the form: SB_E_USAGE if the file is missing, SB_E_INTEGRITY if it is no data set. */
sb_status sb_dataset_open(sb_dataset **dataset, const char *path);

/* The same of one without a seal, as the first release wrote it; nothing is believed of it by that. */
sb_status sb_dataset_open_unsealed(sb_dataset **dataset, const char *path);
void sb_dataset_close(sb_dataset *dataset);  /* NULL is fine */
void sb_dataset_leave(sb_dataset **dataset); /* the same, for SB_OWNED */
const sb_dataset_facts *sb_dataset_about(const sb_dataset *dataset);

/* Frames, training images or training tokens first .. first+n-1 into bytes [n][h][w][c]. SB_E_INTEGRITY also for a token
 * that the table of characters does not have. */
sb_status sb_dataset_read(sb_dataset *dataset, size_t first, size_t n, uint8_t *bytes);
sb_status sb_dataset_read_test(sb_dataset *dataset, size_t first, size_t n, uint8_t *bytes);

/* The labels of these images. SB_E_INTEGRITY if the file has none, or one that is no class of its n_classes. */
sb_status sb_dataset_read_labels(sb_dataset *dataset, size_t first, size_t n, uint8_t *labels);
sb_status sb_dataset_read_test_labels(sb_dataset *dataset, size_t first, size_t n, uint8_t *labels);

/* The hash of the content alone, whatever the file's storage and attributes: the bytes of /frames, then /sequence as
 * little-endian int64; or the bytes of /images, /labels, /test_images, /test_labels, if present; or the bytes of /tokens
 * and /test_tokens, then as little-endian int64 the number of test tokens, 1 if characters are bytes, else 0, and
 * /characters. Reads every chunk, so damage anywhere is SB_E_INTEGRITY. */
sb_status sb_dataset_digest(sb_dataset *dataset, sb_hash *digest);

/* The same of the file at a path, as run files and locks hold it: hex digits. */
sb_status sb_dataset_digest_file(const char *path, char digest[SB_HASH_TEXT]);
