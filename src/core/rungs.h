/* The rungs of ResNet-9's ladder, declared once: published tricks, each rung with those of the rungs before it. A row
 * lists the settings whose default it changes (core/setting.h); what no row up to a run's rung lists is as resnet9's
 * row in core/models.h says.
 *
 *     ROW(name, settings)
 *
 * settings  as in core/models.h: "key=value" with \0 between them
 *
 * Source: D. Page, How to train your ResNet (2018, 2019), and the notebook bag_of_tricks.ipynb beside it. */
#ifndef SB_CORE_RUNGS_H
#define SB_CORE_RUNGS_H

/* clang-format off */
#define SB_RUNGS(ROW)                                                                                                  \
    ROW("0", "")                                                                                                       \
    ROW("1", "augment_form=group")                                                                                     \
    ROW("2", "pool_at=before")                                                                                         \
    ROW("3", "smoothing=0.2")                                                                                          \
    ROW("4", "activation=celu\0alpha=0.075")                                                                           \
    ROW("5", "groups=16")                                                                                              \
    ROW("6", "norm_scale=frozen\0alpha=0.3\0logit_scale=0.0625\0lr_by_kind=1,1,64,1\0decay_by_kind=1,1,0.015625,1")    \
    ROW("7", "whiten=on\0cutout=5")                                                                                    \
    ROW("8", "ema_momentum=0.99")                                                                                      \
    ROW("9", "test_flip=on\0cutout=0")
/* clang-format on */

/* "0|1|...": the words of the option and of the matrix key. */
#define SB_RUNG_WORD(name, settings) "|" name
#define SB_RUNG_WORDS (&(SB_RUNGS(SB_RUNG_WORD))[1])

#endif
