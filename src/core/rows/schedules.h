/* The learning rate schedules, declared once: what the trainer can follow, and what a matrix file may name.
 *
 *     ROW(id, name, settings)
 *
 * id        the function of train/schedule.c that is it
 * settings  the keys of the settings that not all schedules have, this one among them (core/rows/setting.h), with \0
 *           between them
 */
#pragma once

/* clang-format off */
#define SB_SCHEDULES(ROW)                                                                                              \
    ROW(constant, "constant", "")                                                                                      \
    ROW(step, "step", "lr_period\0lr_factor\0schedule_at")                                                             \
    ROW(exponential, "exponential", "lr_period\0lr_factor\0schedule_at")                                               \
    ROW(cosine, "cosine", "lr_end\0lr_epochs\0schedule_at")                                                            \
    ROW(restarts, "restarts", "lr_end\0lr_period\0lr_growth\0schedule_at")                                             \
    ROW(onecycle, "onecycle", "lr_start\0lr_end\0lr_epochs\0lr_warmup\0schedule_at")                                   \
    ROW(poly, "poly", "lr_start\0lr_end\0lr_epochs\0lr_warmup\0lr_power\0schedule_at")                                 \
    ROW(piecewise, "piecewise", "lr_knots\0lr_shares\0schedule_at")                                                     \
    ROW(warmup_cosine, "warmup-cosine", "lr_start\0lr_end\0lr_epochs\0lr_warmup\0schedule_at")
/* clang-format on */

/* "constant|step|...": the words of the option and of the matrix key. */
#define SB_SCHEDULE_WORD(id, name, settings) "|" name
#define SB_SCHEDULE_WORDS (&(SB_SCHEDULES(SB_SCHEDULE_WORD))[1])
