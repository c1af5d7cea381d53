/* The list of the rungs of ResNet-9's ladder: published tricks, each rung with the tricks of all earlier rungs. A row
 * lists the settings whose default it changes (core/rows/setting.h); what no row up to a run's rung lists is as
 * resnet9's row in core/rows/models.h says.
 *
 *     ROW(name, settings, recipe)
 *
 * settings, recipe  as in core/rows/models.h: "key=value" with \0 between them
 *
 * Source: D. Page, How to train your ResNet (2018, 2019), and the notebook bag_of_tricks.ipynb next to it. */
#pragma once

/* clang-format off */
#define SB_RUNGS(ROW)                                                                                                  \
    ROW("0", "", "")                                                                                                   \
    ROW("1", "augment_form=group", "")                                                                                 \
    ROW("2", "pool_at=before\0epochs=25", "")                                                                          \
    ROW("3", "smoothing=0.2\0epochs=23", "lr_knots=0,E/5,E")                                                           \
    ROW("4", "activation=celu\0alpha=0.075\0epochs=20", "")                                                            \
    ROW("5", "groups=16\0epochs=18", "lr=0.6")                                                                         \
    ROW("6", "norm_scale=frozen\0alpha=0.3\0logit_scale=0.0625\0lr_by_kind=1,1,64,1\0decay_by_kind=1,1,0.015625,1\0"   \
        "epochs=17", "")                                                                                               \
    ROW("7", "whiten=on\0cutout=5\0epochs=14", "lr=1")                                                                 \
    ROW("8", "ema_momentum=0.99\0epochs=13", "lr_knots=0,E/5,E-2\0lr_shares=0,1,0.1")                                  \
    ROW("9", "test_flip=on\0cutout=0\0epochs=10", "")
/* clang-format on */

/* "0|1|...": the words of the option and of the matrix key. */
#define SB_RUNG_WORD(name, settings, recipe) "|" name
#define SB_RUNG_WORDS                        (&(SB_RUNGS(SB_RUNG_WORD))[1])
