/* Learning rate schedules: values by hand, and at 0, 0.25, ..., 25 epochs against the golden file; what a learner asks
 * for. */
#include "support.h"

#include "io/h5/h5.h"
#include "io/h5/h5_attribute.h"
#include "train/schedule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    s.lr_warmup = 1, s.lr_start = 0.2;
    expect(rate(&s, "warmup-cosine", 0.5), 0.5), expect(rate(&s, "warmup-cosine", 1), 0.8);
    expect(rate(&s, "warmup-cosine", 2), 0.65), expect(rate(&s, "warmup-cosine", 2.5), 0.5);
    expect(rate(&s, "warmup-cosine", 4), 0.2), expect(rate(&s, "warmup-cosine", 9), 0.2);
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
    s.lr_knots = (sb_reals){3, {1, 3, 7}}, s.lr_shares = (sb_reals){3, {0.5, 1, 0.25}};
    expect(rate(&s, "piecewise", 0), 0.4), expect(rate(&s, "piecewise", 1), 0.4), expect(rate(&s, "piecewise", 2), 0.6);
    expect(rate(&s, "piecewise", 3), 0.8), expect(rate(&s, "piecewise", 5), 0.5), expect(rate(&s, "piecewise", 9), 0.2);
}

/* Updates count from 1; of four in an epoch the second goes from a quarter to a half of it. */
static void an_update_has_the_rate_of_its_end(void **unused)
{
    (void)unused;
    sb_settings s;
    sb_settings_default(&s);
    s.schedule = "piecewise", s.lr = 0.8, s.lr_knots = (sb_reals){2, {0, 1}}, s.lr_shares = (sb_reals){2, {0, 1}};
    assert_int_equal(sb_schedule_check(&s), SB_OK);
    expect(sb_schedule_rate(&s, 2, 4), 0.4), expect(sb_schedule_rate(&s, 4, 4), 0.8);
    s.schedule_at = "begin";
    expect(sb_schedule_rate(&s, 1, 4), 0), expect(sb_schedule_rate(&s, 2, 4), 0.2);
}

static void what_describes_no_schedule_is_refused(void **unused)
{
    (void)unused;
    static const sb_reals none = {0}, one = {1, {2}}, two = {2, {0, 1}}, flat = {2, {1, 1}}, down = {2, {1, 0}};
    const struct {
        sb_reals knots, shares;
        sb_status wanted;
    } cases[] = {{none, none, SB_E_USAGE}, {two, one, SB_E_USAGE},  {one, two, SB_E_USAGE}, {flat, two, SB_E_USAGE},
                 {down, two, SB_E_USAGE},  {none, one, SB_E_USAGE}, {one, one, SB_OK},      {two, flat, SB_OK}};
    sb_settings s;
    sb_settings_default(&s);
    s.schedule = "piecewise";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        s.lr_knots = cases[i].knots, s.lr_shares = cases[i].shares;
        assert_int_equal(sb_schedule_check(&s), cases[i].wanted);
    }
    s.schedule = "poly", s.lr_warmup = 3, s.lr_epochs = 3;
    assert_int_equal(sb_schedule_check(&s), SB_E_USAGE);
    s.schedule = "cosinus";
    assert_int_equal(sb_schedule_check(&s), SB_E_USAGE);
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

static void check_schedule(sb_h5 *file, const char *group, const char *name, const sb_settings *settings)
{
    char path[64];
    double t[TIMES], wanted[TIMES];
    snprintf(path, sizeof path, "schedules/%s", group);
    if (sb_h5_read(file, "schedules/t", SB_F64, TIMES, t) != SB_OK) fail_msg("%s", sb_message());
    if (sb_h5_read(file, path, SB_F64, TIMES, wanted) != SB_OK) fail_msg("%s", sb_message());
    for (int k = 0; k < TIMES; k++) {
        const double got = rate(settings, name, t[k]);
        if (!(fabs(got - wanted[k]) <= 1e-14 * settings->lr))
            fail_msg("%s at %g: %a, the golden file has %a", group, t[k], got, wanted[k]);
    }
}

/* What the file calls rung0 ... rung9 are the piecewise ones; their attributes are these. */
/* ---- recipes ---- */

/* What a network trains with where nothing else is said; optimizer NULL: the recipe's. */
static sb_settings recipe_of(const char *model, const char *rung, const char *optimizer, long epochs)
{
    sb_settings settings;
    sb_settings_default(&settings);
    settings.model = model, settings.rung = rung, settings.of_epochs = epochs;
    if (optimizer) settings.optimizer = optimizer;
    return sb_settings_resolved(&settings);
}

static void a_recipe_is_the_published_one(void **unused)
{
    (void)unused;
    static const struct {
        const char *model, *rung, *epochs, *optimizer;
        long batch;
        double lr, last_knot, last_share;
        const char *updates;
    } row[] = {{"resnet9", "0", "24", "nesterov", 512, 0.4, 24, 0, "0"},
               {"resnet9", "1", "24", "nesterov", 512, 0.4, 24, 0, "0"},
               {"resnet9", "2", "25", "nesterov", 512, 0.4, 25, 0, "0"},
               {"resnet9", "3", "23", "nesterov", 512, 0.4, 23, 0, "0"},
               {"resnet9", "4", "20", "nesterov", 512, 0.4, 20, 0, "0"},
               {"resnet9", "5", "18", "nesterov", 512, 0.6, 18, 0, "0"},
               {"resnet9", "6", "17", "nesterov", 512, 0.6, 17, 0, "0"},
               {"resnet9", "7", "14", "nesterov", 512, 1, 14, 0, "0"},
               {"resnet9", "8", "13", "nesterov", 512, 1, 11, 0.1, "0"},
               {"resnet9", "9", "10", "nesterov", 512, 1, 8, 0.1, "0"},
               {"lenet", "9", "10", "momentum-buffer", 32, 0.04, 10, 0.004, "0"},
               {"mlp", "9", "1", "adam", 256, 0.001, 0, 0, "50000"},
               {"autoencoder", "9", "1", "adam", 1, 0.001, 0, 0, "0"},
               {"prednet", "9", "1", "adam", 1, 0.001, 0, 0, "0"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const sb_settings s = recipe_of(row[i].model, row[i].rung, NULL, 0);
        const sb_setting_names names = sb_setting_names_of(&s);
        const int n = s.lr_knots.n;
        assert_string_equal(s.optimizer, row[i].optimizer);
        assert_string_equal(sb_setting_default(SB_SETTING_EPOCHS, &names), row[i].epochs);
        assert_string_equal(sb_setting_default(SB_SETTING_UPDATES, &names), row[i].updates);
        assert_true(s.lr == row[i].lr && s.batch == row[i].batch && sb_schedule_check(&s) == SB_OK);
        assert_string_equal(s.schedule, row[i].last_knot > 0 ? "piecewise" : "constant");
        if (row[i].last_knot > 0)
            assert_true(s.lr_knots.item[n - 1] == row[i].last_knot && s.lr_shares.item[n - 1] == row[i].last_share);
    }
}

/* Its rate and schedule are for its optimizer, and its times for the epochs of the run. */
static void a_recipe_follows_optimizer_and_epochs(void **unused)
{
    (void)unused;
    const sb_settings adam = recipe_of("resnet9", "9", "adam", 0), adamw = recipe_of("resnet9", "9", "adamw", 0);
    assert_string_equal(adam.schedule, "constant");
    assert_true(adam.lr == 0.001 && adam.lr_knots.n == 0 && adam.batch == 512 && adam.smoothing == 0.2);
    assert_true(adamw.weight_decay == 0.01 && recipe_of("resnet9", "9", NULL, 0).weight_decay == 5e-4);
    const sb_settings longer = recipe_of("resnet9", "9", NULL, 15), lenet = recipe_of("lenet", "9", NULL, 4);
    assert_true(longer.lr_knots.item[1] == 3 && longer.lr_knots.item[2] == 13 && lenet.lr_knots.item[1] == 2);
    const sb_settings too_short = recipe_of("resnet9", "9", NULL, 2), none = recipe_of("resnet9", "9", NULL, 1);
    assert_int_equal(sb_schedule_check(&too_short), SB_E_USAGE);
    assert_int_equal(sb_schedule_check(&none), SB_E_USAGE);
}

static void every_schedule_meets_the_golden_file(void **unused)
{
    (void)unused;
#define NAME(id, name, settings) name,
    static const char *const names[] = {SB_SCHEDULES(NAME)};
    static const char *const rungs[] = {"0", "5", "8", "9"};
    sb_h5 *file, *texts;
    if (sb_h5_open(&file, SB_GOLDEN "/learning/optimizers_f8.h5", SB_SEAL_FOREIGN) != SB_OK ||
        sb_h5_open(&texts, SB_GOLDEN "/learning/text_f8.h5", SB_SEAL_FOREIGN) != SB_OK)
        fail_msg("%s", sb_message());
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, "schedules/%s", names[i]);
        if (strcmp(names[i], "piecewise") == 0) continue;
        sb_h5 *of = strcmp(names[i], "warmup-cosine") == 0 ? texts : file;
        const sb_settings settings = settings_of(of, path);
        check_schedule(of, names[i], names[i], &settings);
    }
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
        char group[16];
        const sb_settings settings = recipe_of("resnet9", rungs[i], NULL, 0);
        snprintf(group, sizeof group, "rung%s", rungs[i]);
        check_schedule(file, group, "piecewise", &settings);
    }
    sb_h5_close(file), sb_h5_close(texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand),
                                       cmocka_unit_test(knots),
                                       cmocka_unit_test(an_update_has_the_rate_of_its_end),
                                       cmocka_unit_test(what_describes_no_schedule_is_refused),
                                       cmocka_unit_test(a_recipe_is_the_published_one),
                                       cmocka_unit_test(a_recipe_follows_optimizer_and_epochs),
                                       cmocka_unit_test(every_schedule_meets_the_golden_file)};
    return cmocka_run_group_tests_name("schedules", tests, NULL, NULL);
}
