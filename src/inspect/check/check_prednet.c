/* PredNet against its golden files: both targets, and the activations of every step. */
#include "inspect/check/check_parts.h"

#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_layout.h"

#include <stdlib.h>

typedef struct prednet_form {
    int64_t frames, w, h, bprop;
    size_t frame_bytes;
    uint8_t *bytes;
} prednet_form;

/* The state left by step `step` against /copy/activation. */
static sb_status check_states(sb_check *c, const char *arm, size_t step)
{
    sb_net *net = c->setup.learner.net;
    for (int i = 0; i < net->n_states; i++) {
        char name[160];
        snprintf(name, sizeof name, "%s/activation/step%zu/%s", arm, step, net->state[i].name);
        SB_TRY(sb_check_state(c, SB_CHECK_ACTIVATION, name, &net->state[i]));
    }
    return SB_OK;
}

/* Steps one at a time through the windows, forward only, against the activations of every step. */
static sb_status check_activations(sb_check *c, const char *arm, const prednet_form *form)
{
    char group[64];
    snprintf(group, sizeof group, "%s/activation", arm);
    if (!sb_h5_exists(c->file, group)) return SB_OK;
    SB_TRY(sb_check_start(c));
    for (int64_t step = 1; step < form->bprop; step++) {
        sb_window window = {.bytes = form->bytes + (step - 1) * (int64_t)form->frame_bytes, .n = 1, .reset = step == 1};
        SB_TRY(sb_learner_infer(&c->setup.learner, &window));
        SB_TRY(check_states(c, arm, (size_t)step));
    }
    return SB_OK;
}

static sb_status check_arm(sb_check *c, const char *arm, sb_target target, const prednet_form *form)
{
    SB_TRY(sb_check_start(c));
    c->setup.learner.target = target;
    size_t step = 0;
    for (int64_t k = 0; (k + 1) * form->bprop <= form->frames; k++) {
        int64_t first = k * form->bprop - (k > 0);
        sb_window window = {.bytes = form->bytes + first * (int64_t)form->frame_bytes,
                            .n = (int)(form->bprop - (k == 0)),
                            .reset = k == 0};
        sb_step_result result;
        double loss[SB_LOSS_MAX];
        char prefix[64], losses[64];
        SB_TRY(sb_learner_update(&c->setup.learner, &window, (long)k + 1, SB_GRADIENT_KEPT, &result));
        SB_TRY(sb_learner_losses(&c->setup.learner, loss));
        snprintf(losses, sizeof losses, "%s/step_loss", arm);
        SB_TRY(sb_check_numbers(c, SB_CHECK_LOSS, losses, step, (size_t)window.n, loss));
        step += (size_t)window.n;
        snprintf(prefix, sizeof prefix, "%s/window%d", arm, (int)k + 1);
        SB_TRY(sb_check_update(c, prefix, (long)k + 1));
    }
    return SB_OK;
}

/* The shape of the frames, which the attributes repeat. */
static sb_status read_shape(sb_check *c, prednet_form *form)
{
    static const sb_h5_row layout[] = {{"frames", SB_H5_BYTES, "n h w 3"}};
    sb_h5_dims dims;
    int64_t n, w, h;
    SB_TRY(sb_h5_check_layout(c->file, layout, 1, &dims));
    SB_TRY(sb_h5_get_int(c->file, "", "frames", &n));
    SB_TRY(sb_h5_get_int(c->file, "", "width", &w));
    SB_TRY(sb_h5_get_int(c->file, "", "height", &h));
    *form = (prednet_form){
        .frames = (int64_t)dims.of['n' - 'a'], .w = (int64_t)dims.of['w' - 'a'], .h = (int64_t)dims.of['h' - 'a']};
    if (form->frames != n || form->w != w || form->h != h || w < 1 || h < 1 || w > SB_CHECK_SIDE_MOST ||
        h > SB_CHECK_SIDE_MOST)
        return sb_fail(SB_E_INTEGRITY, "%s: its attributes frames, width and height are not the shape of /frames",
                       sb_h5_path(c->file));
    form->frame_bytes = (size_t)(w * h * 3);
    return SB_OK;
}

static sb_status read_form(sb_check *c, prednet_form *form, sb_settings *options)
{
    SB_TRY(read_shape(c, form));
    SB_TRY(sb_check_option(c, "", "channels", SB_SETTING_CHANNELS, options));
    SB_TRY(sb_check_option(c, "", "bprop", SB_SETTING_WINDOW, options));
    form->bprop = options->window;
    if (form->bprop < 2 || form->bprop > form->frames)
        return sb_fail(SB_E_INTEGRITY, "%s: windows of %lld in %lld frames", sb_h5_path(c->file),
                       (long long)form->bprop, (long long)form->frames);
    size_t n_bytes;
    if (!sb_size_multiply((size_t)form->frames, form->frame_bytes, &n_bytes)) n_bytes = SB_SIZE_MAX;
    return sb_h5_read_new(c->file, "frames", SB_U8, n_bytes, &form->bytes);
}

sb_status sb_check_prednet(sb_check *c, sb_settings *options, FILE *out)
{
    prednet_form form = {0};
    options->model = "prednet";
    sb_status status = read_form(c, &form, options);
    if (status == SB_OK) status = sb_setup_open_net(&c->setup, options, &(sb_data_shape){3, (int)form.h, (int)form.w, 0});
    bool is_double = false;
    const double terms = sb_check_terms_prednet(&options->channels, (int)form.w, (int)form.h, options->window);
    if (status == SB_OK) status = sb_check_is_double(c->file, &is_double);
    if (status == SB_OK) status = sb_check_settle(c, sb_check_tolerance(options, is_double, terms));
    for (int target = 0; status == SB_OK && target < 2; target++) {
        const char *arm = target ? "shared" : "copy";
        if (!sb_h5_exists(c->file, arm)) continue;
        sb_check_forget(c);
        status = check_arm(c, arm, target ? SB_TARGET_SHARED : SB_TARGET_COPY, &form);
        if (status == SB_OK) status = check_activations(c, arm, &form);
        if (status == SB_OK) sb_check_report(c, arm, out);
        if (status == SB_OK) status = sb_check_judge(c, arm);
    }
    free(form.bytes);
    return status;
}

