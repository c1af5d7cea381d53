/* The binary version of CIFAR-10: records of one label byte and 3072 bytes, the planes red, green and blue of an image
 * of 32x32, row by row. 50,000 for training in the order of data_batch_1 to 5, and 10,000 for testing. Described at
 * https://www.cs.toronto.edu/~kriz/cifar.html.
 *
 *     SB_TRY(sb_cifar_read(&cifar, "folder", "test_batch.bin", 10000));
 *     ... cifar.pixels[0], cifar.labels[0] for training, [1] for testing ...
 *     sb_cifar_free(&cifar);
 */
#pragma once

#include "core/file.h"

#include <stdint.h>

enum {
    SB_CIFAR_SIDE = 32,
    SB_CIFAR_CHANNELS = 3,
    SB_CIFAR_IMAGE = SB_CIFAR_SIDE * SB_CIFAR_SIDE * SB_CIFAR_CHANNELS,
    SB_CIFAR_RECORD = 1 + SB_CIFAR_IMAGE,
    SB_CIFAR_CLASSES = 10,
    SB_CIFAR_PARTS = 6,            /* files: five for training, one for testing */
    SB_CIFAR_PART_RECORDS = 10000, /* in each */
    SB_CIFAR_TRAINING = 50000,
};

/* "airplane\nautomobile\n...": what batches.meta.txt says. */
extern const char sb_cifar_classes[];

/* "0\n1\n2\n...": of images in the same form, whose classes are others. */
extern const char sb_cifar_class_numbers[];

typedef struct sb_cifar {
    size_t n[2];         /* images for training, for testing */
    uint8_t *pixels[2];  /* [n][32][32][3] */
    uint8_t *labels[2];  /* [n], each below SB_CIFAR_CLASSES */
    size_t n_test_there; /* test images in the file, of which the first n[1] were taken */
    bool is_official;    /* from the archive, which has the SHA-256 that was wanted */
    /* where they came from: the archive, or each file */
    int n_sources;
    char source[SB_CIFAR_PARTS][SB_PATH_MAX];
} sb_cifar;

/* Read the files of a folder: the official archive if that is in it, which must have that SHA-256 (NULL: any), else the
 * files themselves, in the folder or in its cifar-10-batches-bin. Of the file for testing the first n_test images.
 * SB_E_USAGE: neither is there. SB_E_INTEGRITY: another archive, a file that is too short or too long, a label that is
 * none. Frees what it has read on failure. */
sb_status sb_cifar_read(sb_cifar *cifar, const char *folder, const char *test_file, size_t n_test, const char *sha256);
void sb_cifar_free(sb_cifar *cifar); /* one of zeros, too */
