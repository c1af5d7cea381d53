/* Learning rate schedules: values by hand, and at 0, 0.25, ..., 25 epochs against the golden file; what a learner asks
 * for. */
#include "support.h"

#include "io/h5.h"
#include "io/h5_attribute.h"
#include "train/schedule.h"

#include <math.h>
#include <stdio.h>

enum { TIMES = 101 };

static double rate(const sb_settings *settings, const char *name, double t)
{
    const sb_schedule *schedule = sb_schedule_find(name);
    if (!schedule) fail_msg("no schedule %s", name);
    return schedule->rate(settings, t);
}

static void expect(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-14)) fail_msg("%.17g, wanted %.17g", got, wanted);
}

static void by_hand(void **unused)
{
    (void)unused;
    sb_settings s;
    sb_settings_default(&s);
    s.lr = 0.8, s.lr_end = 0.2, s.lr_epochs = 4, s.lr_period = 2, s.lr_factor = 0.25, s.lr_growth = 2;
    assert_true(rate(&s, "constant", 0.001) == 0.8 && rate(&s, "constant", 1e9) == 0.8);
    expect(rate(&s, "step", 1.999), 0.8), expect(rate(&s, "step", 2), 0.2), expect(rate(&s, "step", 4), 0.05);
    expect(rate(&s, "exponential", 1), 0.4), expect(rate(&s, "exponential", 3), 0.1);
    expect(rate(&s, "cosine", 2), 0.5), expect(rate(&s, "cosine", 4), 0.2), expect(rate(&s, "cosine", 9), 0.2);
    expect(rate(&s, "cosine", 4.0 / 3), 0.65);
    /* cycles of 2, 4, 8 epochs: from 0, 2 and 6 */
    expect(rate(&s, "restarts", 1), 0.5), expect(rate(&s, "restarts", 2), 0.8), expect(rate(&s, "restarts", 4), 0.5);
    expect(rate(&s, "restarts", 6), 0.8), expect(rate(&s, "restarts", 10), 0.5);
    s.lr_start = 0.1, s.lr_warmup = 1, s.lr_power = 2;
    expect(rate(&s, "onecycle", 0), 0.1), expect(rate(&s, "onecycle", 0.5), 0.45), expect(rate(&s, "onecycle", 1), 0.8);
    expect(rate(&s, "onecycle", 2.5), 0.5), expect(rate(&s, "onecycle", 4), 0.2), expect(rate(&s, "onecycle", 7), 0.2);
    expect(rate(&s, "poly", 0.5), 0.45), expect(rate(&s, "poly", 1), 0.8), expect(rate(&s, "poly", 2.5), 0.35);
    expect(rate(&s, "poly", 4), 0.2), expect(rate(&s, "poly", 5), 0.2);
    s.lr_warmup = 0;
    expect(rate(&s, "onecycle", 1), 0.65), expect(rate(&s, "poly", 2), 0.35);
}

static void knots(void **unused)
{
    (void)unused;
    const double knot[] = {0, 5, 24}, value[] = {0, 0.4, 0.02};
    expect(sb_schedule_piecewise(3, knot, value, -1), 0), expect(sb_schedule_piecewise(3, knot, value, 2.5), 0.2);
    expect(sb_schedule_piecewise(3, knot, value, 5), 0.4), expect(sb_schedule_piecewise(3, knot, value, 14.5), 0.21);
    expect(sb_schedule_piecewise(3, knot, value, 24), 0.02), expect(sb_schedule_piecewise(3, knot, value, 99), 0.02);
}

static double attribute(sb_h5 *file, const char *group, const char *name, double absent)
{
    double value = absent;
    int64_t whole;
    if (!sb_h5_has(file, group, name)) return absent;
    if (sb_h5_get_real(file, group, name, &value) == SB_OK) return value;
    if (sb_h5_get_int(file, group, name, &whole) != SB_OK) fail_msg("%s", sb_message());
    return (double)whole;
}

static sb_settings settings_of(sb_h5 *file, const char *group)
{
    sb_settings s;
    sb_settings_default(&s);
    s.lr = attribute(file, group, "peak", NAN), s.lr_epochs = attribute(file, group, "epochs", NAN);
    s.lr_end = attribute(file, group, "end", s.lr * attribute(file, group, "end_share", NAN));
    s.lr_start = attribute(file, group, "start", s.lr / attribute(file, group, "start_div", NAN));
    s.lr_warmup = attribute(file, group, "warmup", s.lr_epochs * attribute(file, group, "rise", NAN));
    s.lr_period = attribute(file, group, "period", NAN), s.lr_factor = attribute(file, group, "factor", NAN);
    s.lr_growth = attribute(file, group, "growth", NAN), s.lr_power = (long)attribute(file, group, "power", 0);
    return s;
}

static void every_schedule_meets_the_golden_file(void **unused)
{
    (void)unused;
#define NAME(id, name, settings) name,
    static const char *const names[] = {SB_SCHEDULES(NAME)};
    sb_h5 *file;
    double t[TIMES], wanted[TIMES];
    if (sb_h5_open(&file, SB_GOLDEN "/learning/optimizers_f8.h5", SB_SEAL_FOREIGN) != SB_OK)
        fail_msg("%s", sb_message());
    assert_int_equal(sb_h5_read(file, "schedules/t", SB_F64, TIMES, t), SB_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, "schedules/%s", names[i]);
        if (sb_h5_read(file, path, SB_F64, TIMES, wanted) != SB_OK) fail_msg("%s", sb_message());
        const sb_settings settings = settings_of(file, path);
        for (int k = 0; k < TIMES; k++) {
            const double got = rate(&settings, names[i], t[k]);
            if (!(fabs(got - wanted[k]) <= 1e-14 * settings.lr))
                fail_msg("%s at %g: %a, the golden file has %a", names[i], t[k], got, wanted[k]);
        }
    }
    sb_h5_close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(knots),
                                       cmocka_unit_test(every_schedule_meets_the_golden_file)};
    return cmocka_run_group_tests_name("schedules", tests, NULL, NULL);
}
