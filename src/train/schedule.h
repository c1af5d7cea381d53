/* Learning rate schedules: the rate of an update as a pure function of its time in epochs. cos, pow and exp of libm
 * differ between machines in the last bit, and one bit of the rate changes the run. So powers here are products, or
 * computed by core/power.h.
 *
 *     SB_TRY(sb_schedule_check(settings));
 *     double lr = sb_schedule_rate(settings, update, updates_an_epoch);
 */
#pragma once

#include "core/rows/setting.h"

typedef struct sb_schedule {
    const char *name;
    double (*rate)(const sb_settings *settings, double t); /* t: in epochs */
} sb_schedule;

/* NULL: no schedule has that name. */
const sb_schedule *sb_schedule_find(const char *name);

/* SB_E_USAGE: the settings name an unknown schedule, or lack or contradict a setting that it needs. */
sb_status sb_schedule_check(const sb_settings *settings);

/* The rate of update number `update` = 1, 2, ... by checked settings: the rate at the update's end, or with
 * schedule_at=begin at its beginning. */
double sb_schedule_rate(const sb_settings *settings, long update, long epoch_updates);

/* Linear interpolation between ascending knots; constant outside them. */
double sb_schedule_piecewise(int n, const double *knot, const double *value, double t);
