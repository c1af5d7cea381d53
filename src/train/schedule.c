#include "train/schedule.h"

#include "core/power.h"

#include <math.h>
#include <string.h>

static double constant(const sb_settings *s, double t)
{
    (void)t;
    return s->lr;
}

/* lr factor^floor(t / period) */
static double step(const sb_settings *s, double t)
{
    return s->lr * sb_power(s->lr_factor, (long)floor(t / s->lr_period));
}

/* lr factor^(t / period) */
static double exponential(const sb_settings *s, double t)
{
    return s->lr * sb_power_real(s->lr_factor, t / s->lr_period);
}

/* From lr at x = 0 down to lr_end at x = 1. */
static double half_wave(const sb_settings *s, double x)
{
    return s->lr_end + (s->lr - s->lr_end) / 2 * (1 + sb_cos_pi(x));
}

static double cosine(const sb_settings *s, double t)
{
    return half_wave(s, fmin(t / s->lr_epochs, 1));
}

/* From lr_start up to lr over lr_warmup epochs, linear; then down to lr_end at lr_epochs by a half wave. */
static double warmup_cosine(const sb_settings *s, double t)
{
    if (t < s->lr_warmup) return s->lr_start + (s->lr - s->lr_start) * t / s->lr_warmup;
    return half_wave(s, fmin((t - s->lr_warmup) / (s->lr_epochs - s->lr_warmup), 1));
}

/* Half waves of period, period growth, period growth^2, ... epochs (arXiv 1608.03983); a restart belongs to the new
 * one. */
static double restarts(const sb_settings *s, double t)
{
    double start = 0, length = s->lr_period;
    for (; t >= start + length; length *= s->lr_growth) start += length;
    return half_wave(s, (t - start) / length);
}

double sb_schedule_piecewise(int n, const double *knot, const double *value, double t)
{
    int i = 0;
    while (i + 1 < n && t >= knot[i + 1]) i++;
    if (t <= knot[0]) return value[0];
    if (i + 1 == n) return value[n - 1];
    return value[i] + (value[i + 1] - value[i]) / (knot[i + 1] - knot[i]) * (t - knot[i]);
}

/* From lr_start up to lr over lr_warmup epochs, and down to lr_end at lr_epochs, both linear. */
static double onecycle(const sb_settings *s, double t)
{
    const double knot[] = {0, s->lr_warmup, s->lr_epochs}, value[] = {s->lr_start, s->lr, s->lr_end};
    return sb_schedule_piecewise(3, knot, value, t);
}

/* From lr_start up to lr over lr_warmup epochs, linear; then down to lr_end by a power of the time that is left. */
static double poly(const sb_settings *s, double t)
{
    if (t < s->lr_warmup) return s->lr_start + (s->lr - s->lr_start) * t / s->lr_warmup;
    const double passed = fmin((t - s->lr_warmup) / (s->lr_epochs - s->lr_warmup), 1);
    return s->lr_end + (s->lr - s->lr_end) * sb_power(1 - passed, s->lr_power);
}

/* Linear between lr_knots, where it is lr lr_shares. */
static double piecewise(const sb_settings *s, double t)
{
    double value[SB_OPTION_LIST_MAX];
    for (int i = 0; i < s->lr_shares.n; i++) value[i] = s->lr * s->lr_shares.item[i];
    return sb_schedule_piecewise(s->lr_knots.n, s->lr_knots.item, value, t);
}

#define ROW(id, name, settings) {name, id},
static const sb_schedule schedules[] = {SB_SCHEDULES(ROW)};

const sb_schedule *sb_schedule_find(const char *name)
{
    for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++)
        if (strcmp(schedules[i].name, name) == 0) return &schedules[i];
    return NULL;
}

static bool ascends(const sb_reals *knots)
{
    for (int i = 1; i < knots->n; i++)
        if (!(knots->item[i] > knots->item[i - 1])) return false;
    return knots->n > 0;
}

sb_status sb_schedule_check(const sb_settings *settings)
{
    const sb_setting_names names = sb_setting_names_of(settings);
    if (!sb_schedule_find(settings->schedule))
        return sb_fail(SB_E_USAGE, "no schedule '%.64s'; this program knows %s", settings->schedule, SB_SCHEDULE_WORDS);
    if (sb_setting_applies(SB_SETTING_LR_WARMUP, &names) && settings->lr_warmup >= settings->lr_epochs)
        return sb_fail(SB_E_USAGE, "--lr-warmup %g does not end before --lr-epochs %g", settings->lr_warmup,
                       settings->lr_epochs);
    if (!sb_setting_applies(SB_SETTING_LR_KNOTS, &names)) return SB_OK;
    if (settings->lr_knots.n != settings->lr_shares.n || !ascends(&settings->lr_knots))
        return sb_fail(SB_E_USAGE,
                       "--schedule %s wants --lr-knots that ascend and as many --lr-shares, as in "
                       "--lr-knots 0,5,24 --lr-shares 0,1,0; a recipe may need more --epochs",
                       settings->schedule);
    return SB_OK;
}

double sb_schedule_rate(const sb_settings *settings, long update, long epoch_updates)
{
    const bool at_begin = settings->schedule_at && strcmp(settings->schedule_at, "begin") == 0;
    const double t = (double)(update - at_begin) / (double)epoch_updates;
    return sb_schedule_find(settings->schedule)->rate(settings, t);
}
