/* The verbs that convert files of others, each next to its option table in convert_NAME.c. */
#pragma once

#include "core/command/options.h"
#include "core/status.h"
#include "datasets/catalog/catalog.h"

#include <stddef.h>
#include <stdint.h>

extern const sb_command sb_verb_convert_mnist, sb_verb_convert_cifar10, sb_verb_convert_video, sb_verb_convert_fpsi,
    sb_verb_convert_public, sb_verb_convert_text;

/* Compare each video's frames in a data set with the hash that its row of the catalog states. SB_OK as well where nothing
 * can be compared: another converter, name or size. SB_E_INTEGRITY: the first video that differs, and the libraries. */
sb_status sb_known_frames_check(const char *path, const sb_catalog_entry *catalog);

/* Which classes the labels of a half of a data set name, for the sentences of the converters. */

enum { SB_LABELS_MOST = 256 };

typedef struct sb_labels {
    size_t n_images[SB_LABELS_MOST]; /* of each class */
    int n_classes;                   /* that have an image */
    int n_numbers;                   /* one more than the largest label; the classes are 0 .. n_numbers-1 */
} sb_labels;

sb_labels sb_labels_count(const uint8_t *label, size_t n);

/* A line on stderr for the classes below n_numbers that have no image: "letters.h5: no test image of class 0, 7". `what`:
 * "training" or "test". Nothing is said where each class has one. */
void sb_labels_say_empty(const sb_labels *labels, int n_numbers, const char *path, const char *what);

/* The IDX format of MNIST, plain or in gzip: a big-endian magic number 0x0000TTRR (TT = 08: bytes, RR: rank), RR
 * big-endian sizes, then the bytes. Described at http://yann.lecun.com/exdb/mnist/. The only file that includes zlib.
 */

enum { SB_IDX_RANK_MAX = 3 };

typedef struct sb_idx {
    int rank;
    size_t dim[SB_IDX_RANK_MAX]; /* outermost first */
    size_t n;                    /* their product */
    uint8_t *bytes;              /* [n], from malloc */
} sb_idx;

/* Read a whole file of that rank. Missing: SB_E_USAGE; another magic number or rank, damaged gzip, more or fewer bytes
 * than the header says: SB_E_INTEGRITY. On success the caller owns idx and calls sb_idx_free. */
sb_status sb_idx_read(sb_idx *idx, const char *path, int rank);
void sb_idx_free(sb_idx *idx);

/* "1.2.13" */
const char *sb_idx_zlib_version(void);
