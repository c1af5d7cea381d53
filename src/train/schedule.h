/* Learning rate schedules: the rate of an update as a pure function of its time in epochs. cos, pow and exp of libm
 * differ between machines in the last bit, and one bit of the rate is another run: the powers here are products or own
 * arithmetic (core/power.h).
 *
 *     SB_TRY(sb_schedule_check(settings));
 *     double lr = sb_schedule_rate(settings, update, updates_an_epoch);
 */
#ifndef SB_TRAIN_SCHEDULE_H
#define SB_TRAIN_SCHEDULE_H

#include "core/rows/setting.h"

typedef struct sb_schedule {
    const char *name;
    double (*rate)(const sb_settings *settings, double t); /* t: in epochs */
} sb_schedule;

/* NULL if there is none of that name. */
const sb_schedule *sb_schedule_find(const char *name);

/* SB_E_USAGE: the settings name a schedule that there is not, or one that they do not describe. */
sb_status sb_schedule_check(const sb_settings *settings);

/* The rate of update number `update` = 1, 2, ... by settings that hold: that of its end, or with schedule_at begin of
 * its beginning. */
double sb_schedule_rate(const sb_settings *settings, long update, long epoch_updates);

/* Linear between knots that ascend, clamped outside. */
double sb_schedule_piecewise(int n, const double *knot, const double *value, double t);

#endif
