/* LeNet against its golden file: several optimizers, each from the same start. */
#include "inspect/check/check_parts.h"

#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <string.h>

static sb_status check_ratios(sb_check *c, const char *prefix)
{
    const sb_params *params = &c->setup.learner.net->params;
    const sb_optimizer *optimizer = &c->setup.learner.optimizer;
    for (int p = 0; p < params->n && optimizer->norm; p++) {
        char name[160];
        double ratio;
        snprintf(name, sizeof name, "%s/trust/%s", prefix, params->list[p].name);
        SB_TRY(sb_ops_read(c->setup.learner.net->ops, &ratio, optimizer->norm + 3 * p + 2, sizeof ratio));
        SB_TRY(sb_check_numbers(c, SB_CHECK_RATIO, name, 0, 1, &ratio));
    }
    return SB_OK;
}

static void fill_digits(sb_check_pictures *p, size_t first)
{
    const size_t n = (size_t)p->batch * p->size;
    const uint8_t *bytes = p->bytes + first * p->size;
    for (size_t i = 0; i < n; i++)
        p->values[i] = ((sb_real)bytes[i] / (sb_real)255 - (sb_real)0.1307) / (sb_real)0.3081;
    memcpy(p->batch_labels, p->labels + first, (size_t)p->batch);
}

static sb_status lenet_updates(sb_check *c, sb_check_pictures *p, const char *arm)
{
    double lr[SB_CHECK_UPDATES_MOST];
    size_t n = 0;
    char name[160];
    snprintf(name, sizeof name, "%s/lr", arm);
    SB_TRY(sb_check_read_rates(c, name, &n, lr));
    if (n * (size_t)p->batch > p->n)
        return sb_fail(SB_E_INTEGRITY, "%s: has pictures for less than %zu updates", sb_h5_path(c->file), n);
    SB_TRY(sb_check_start(c));
    for (size_t k = 0; k < n; k++) {
        sb_step_result result;
        char prefix[64];
        snprintf(prefix, sizeof prefix, "%s/update%zu", arm, k + 1);
        c->setup.learner.settings.lr = lr[k];
        fill_digits(p, k * (size_t)p->batch);
        SB_TRY(sb_check_update_on_batch(c, p, prefix, (long)k + 1, &result));
        SB_TRY(check_ratios(c, prefix));
        snprintf(name, sizeof name, "%s/loss_mean", prefix);
        SB_TRY(sb_check_numbers(c, SB_CHECK_LOSS, name, 0, 1, &result.loss_mean));
    }
    return SB_OK;
}

/* The optimizer of an arm is called as the arm; what it has is among the group's attributes. */
static sb_status read_arm(sb_check *c, const char *arm, sb_settings *options)
{
    static const struct {
        const char *attribute;
        sb_setting_id id;
    } known[] = {{"mu", SB_SETTING_MOMENTUM}, {"wd", SB_SETTING_WEIGHT_DECAY}, {"eta", SB_SETTING_ETA},
                 {"eps", SB_SETTING_EPS},     {"b1", SB_SETTING_BETA1},        {"b2", SB_SETTING_BETA2}};
    if (sb_optimizer_find(arm) == SB_N_OPTIMIZERS)
        return sb_fail(SB_E_INTEGRITY, "%s: an arm '%s', which is no optimizer", sb_h5_path(c->file), arm);
    options->optimizer = arm;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (sb_h5_has(c->file, arm, known[i].attribute))
            SB_TRY(sb_check_option(c, arm, known[i].attribute, known[i].id, options));
    return SB_OK;
}

static sb_status check_arm(sb_check *c, sb_check_pictures *p, const char *arm, const sb_settings *common, FILE *out)
{
    sb_settings options = *common;
    const sb_data_shape shape = {(int)p->c, (int)p->h, (int)p->w, SB_CHECK_CLASSES};
    SB_TRY(read_arm(c, arm, &options));
    sb_setup_close(&c->setup);
    SB_TRY(sb_setup_open_net(&c->setup, &options, &shape));
    SB_TRY(sb_check_settle_classes(c));
    sb_check_forget(c);
    SB_TRY(lenet_updates(c, p, arm));
    sb_check_report(c, arm, out);
    return sb_check_judge(c, arm);
}

static sb_status read_lenet(sb_check *c, sb_settings *options)
{
    char channels[64], hidden[64], widths[160];
    options->model = "lenet";
    SB_TRY(sb_h5_attribute_text(c->file, "", "channels", channels, sizeof channels));
    SB_TRY(sb_h5_attribute_text(c->file, "", "hidden", hidden, sizeof hidden));
    snprintf(widths, sizeof widths, "%s,%s", channels, hidden);
    if (!sb_setting_set(options, SB_SETTING_WIDTHS, widths))
        return sb_fail(SB_E_INTEGRITY, "%s: no lenet has layers of %s", sb_h5_path(c->file), widths);
    return sb_check_option(c, "", "batch", SB_SETTING_BATCH, options);
}

sb_status sb_check_lenet(sb_check *c, sb_settings *options, FILE *out)
{
    SB_OWNED(sb_check_free_pictures) sb_check_pictures p = {0};
    char arms[128], *rest = NULL;
    SB_TRY(read_lenet(c, options));
    SB_TRY(sb_h5_get_text(c->file, "", "arms", arms, sizeof arms));
    SB_TRY(sb_check_take_pictures(c, &p, "images", options->batch));
    SB_TRY(sb_check_read_labels(c, &p));
    for (char *arm = strtok_r(arms, ",", &rest); arm; arm = strtok_r(NULL, ",", &rest))
        SB_TRY(check_arm(c, &p, arm, options, out));
    return SB_OK;
}
