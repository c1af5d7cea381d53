/* Learning rate schedules: the rate of an update as a pure function of its time in epochs. cos, pow and exp of libm
 * differ between machines in the last bit, and one bit of the rate is another run: the powers here are products or own
 * arithmetic (core/power.h).
 *
 *     const sb_schedule *schedule = sb_schedule_find(settings->schedule);
 *     double lr = schedule->rate(settings, (double)update / updates_an_epoch);
 */
#ifndef SB_TRAIN_SCHEDULE_H
#define SB_TRAIN_SCHEDULE_H

#include "core/setting.h"

typedef struct sb_schedule {
    const char *name;
    double (*rate)(const sb_settings *settings, double t); /* t: epochs behind the update, update / updates an epoch */
} sb_schedule;

/* NULL if there is none of that name. */
const sb_schedule *sb_schedule_find(const char *name);

/* Linear between knots that ascend, clamped outside. */
double sb_schedule_piecewise(int n, const double *knot, const double *value, double t);

#endif
