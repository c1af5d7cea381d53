/* How images become what a network learns from: the words of the settings, declared once. The numbers of
 * SB_NORMALS are data/normal.c's, and what the forms draw is data/augment.h.
 *
 *     ROW(ID, name)
 */
#pragma once

/* clang-format off */
#define SB_NORMALS(ROW)                                                                                                \
    ROW(NONE, "none")                                                                                                  \
    ROW(CIFAR10, "cifar10")                                                                                            \
    ROW(MNIST, "mnist")                                                                                                \
    ROW(MEAN, "mean")

#define SB_AUGMENT_FORMS(ROW)                                                                                          \
    ROW(SAMPLE, "sample")                                                                                              \
    ROW(GROUP, "group")
/* clang-format on */

#define SB_NORMAL_ID(ID, name) SB_NORMAL_##ID,
typedef enum sb_normal_kind { SB_NORMALS(SB_NORMAL_ID) SB_N_NORMALS } sb_normal_kind;

#define SB_AUGMENT_ID(ID, name) SB_AUGMENT_##ID,
typedef enum sb_augment_form { SB_AUGMENT_FORMS(SB_AUGMENT_ID) SB_N_AUGMENT_FORMS } sb_augment_form;

/* "none|cifar10|...": the words of an option or of a key. */
#define SB_IMAGE_WORD(ID, name) "|" name
#define SB_NORMAL_WORDS         (&(SB_NORMALS(SB_IMAGE_WORD))[1])
#define SB_AUGMENT_WORDS        (&(SB_AUGMENT_FORMS(SB_IMAGE_WORD))[1])
