#include "inspect/check.h"

#include "core/size.h"
#include "inspect/check_parts.h"
#include "io/h5_attribute.h"
#include "io/h5_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest deviation seen in one kind of tensor, and where. */
typedef struct worst {
    char kind[32];
    double deviation;
    char where[160];
} worst;

/* STEP: the weights that the optimiser makes of the file's own gradients. The weights of a free run may deviate more
 * than its gradients: Adam divides by the root of the gradient's square, so where a gradient is a millionth of the
 * largest, the rounding of one sum is seen in the fifth digit of the weight. (Exact arithmetic deviates from the
 * library's float by 1.5e-5 in the autoencoder's file.) STEP and GRADIENT together pin down every part of the update;
 * WEIGHT, of the free run, is held to FREE_RUN times the tolerance. STATE: of the optimiser. */
enum { LOSS, GRADIENT, STEP, WEIGHT, STATE, ACTIVATION = STATE + SB_STATES_MAX_OF_OPTIMIZER, KINDS };
enum { FREE_RUN = 10 };

typedef struct check {
    sb_h5 *file;
    sb_setup setup;
    double tolerance; /* 0 until the network is known, unless it was given */
    worst worst[KINDS];
    double *known, *got; /* room for the largest tensor */
    sb_real *host;       /* room for all parameters, and for the state of STEP: */
    sb_real *weight, *state[SB_STATES_MAX_OF_OPTIMIZER];
} check;

static void compare(check *c, int kind, size_t n, const char *where)
{
    double scale = 0, deviation = 0;
    for (size_t i = 0; i < n; i++) {
        scale = fmax(scale, fabs(c->known[i]));
        double difference = fabs(c->got[i] - c->known[i]);
        deviation = difference > deviation || isnan(difference) ? difference : deviation;
    }
    deviation = scale > 0 ? deviation / scale : deviation;
    worst *w = &c->worst[kind];
    if (!(deviation <= w->deviation)) {
        w->deviation = isnan(deviation) ? INFINITY : deviation;
        snprintf(w->where, sizeof w->where, "%s", where);
    }
}

/* One block of parameters against the group of the file, if the file has it. */
static sb_status compare_block(check *c, int kind, const char *group, const sb_real *block)
{
    sb_net *net = c->setup.learner.net;
    if (!sb_h5_exists(c->file, group)) return SB_OK;
    SB_TRY(sb_ops_read(net->ops, c->host, block, net->params.total * sizeof(sb_real)));
    for (int p = 0; p < net->params.n; p++) {
        const sb_param *param = &net->params.list[p];
        char name[160];
        snprintf(name, sizeof name, "%s/%s", group, param->name);
        SB_TRY(sb_h5_read(c->file, name, SB_F64, param->n, c->known));
        for (size_t i = 0; i < param->n; i++) c->got[i] = c->host[param->offset + i];
        compare(c, kind, param->n, name);
    }
    return SB_OK;
}

static sb_status compare_losses(check *c, const char *name, size_t first, size_t n, const double *loss)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(c->file, name, &shape));
    double *known = sb_size_allocate(shape.n, sizeof *known);
    if (!known) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_status status = first <= shape.n && n <= shape.n - first
                           ? sb_h5_read(c->file, name, SB_F64, shape.n, known)
                           : sb_fail(SB_E_INTEGRITY, "%s: /%s is too short", sb_h5_path(c->file), name);
    if (status == SB_OK) {
        memcpy(c->known, known + first, n * sizeof *known);
        memcpy(c->got, loss, n * sizeof *loss);
        char where[160];
        snprintf(where, sizeof where, "%s[%zu]", name, first);
        compare(c, LOSS, n, where);
    }
    free(known);
    return status;
}

/* The state left by step `step` against /copy/activation. */
static sb_status compare_states(check *c, const char *arm, size_t step)
{
    sb_net *net = c->setup.learner.net;
    for (int i = 0; i < net->n_states; i++) {
        const sb_state *state = &net->state[i];
        char name[160];
        snprintf(name, sizeof name, "%s/activation/step%zu/%s", arm, step, state->name);
        if (!sb_h5_exists(c->file, name)) continue;
        size_t n = sb_tensor_size(&state->tensor);
        SB_TRY(sb_h5_read(c->file, name, SB_F64, n, c->known));
        sb_real *planes = net->ops->allocate(net->ops, n * sizeof *planes);
        if (!planes) return SB_E_MEMORY;
        net->ops->map_store(net->ops, &state->tensor, planes);
        sb_status status = sb_ops_read(net->ops, c->host, planes, n * sizeof *planes);
        net->ops->release(net->ops, planes);
        SB_TRY(status);
        for (size_t k = 0; k < n; k++) c->got[k] = c->host[k];
        compare(c, ACTIVATION, n, name);
    }
    return SB_OK;
}

/* One step of the optimiser on the file's own gradient, from the weights and states that its earlier gradients gave. */
static sb_status check_step(check *c, const char *prefix, long update)
{
    const sb_params *params = &c->setup.learner.net->params;
    const sb_optimizer *optimizer = &c->setup.learner.optimizer;
    const sb_rates rates = sb_optimizer_rates(optimizer, sb_learner_rate(&c->setup.learner, update), update);
    for (int p = 0; p < params->n; p++) {
        const sb_param *param = &params->list[p];
        char name[160];
        snprintf(name, sizeof name, "%s/grad/%s", prefix, param->name);
        SB_TRY(sb_h5_read(c->file, name, SB_H5_REAL, param->n, c->host));
        sb_block block = {.n = param->n, .weight = c->weight + param->offset, .grad = c->host};
        for (int k = 0; k < optimizer->row->n_states; k++) block.state[k] = c->state[k] + param->offset;
        sb_optimizer_update_host(optimizer, &rates.of[param->kind], &block);
        for (size_t i = 0; i < param->n; i++) c->got[i] = block.weight[i];
        snprintf(name, sizeof name, "%s/param/%s", prefix, param->name);
        SB_TRY(sb_h5_read(c->file, name, SB_F64, param->n, c->known));
        compare(c, STEP, param->n, name);
    }
    return SB_OK;
}

static sb_status load_start(check *c)
{
    sb_net *net = c->setup.learner.net;
    size_t n_bytes = net->params.total * sizeof(sb_real);
    SB_TRY(sb_learner_start(&c->setup.learner, 0, 0));
    for (int p = 0; p < net->params.n; p++) {
        const sb_param *param = &net->params.list[p];
        char name[96];
        snprintf(name, sizeof name, "init/%s", param->name);
        SB_TRY(sb_h5_read(c->file, name, SB_H5_REAL, param->n, c->host + param->offset));
    }
    net->ops->to_device(net->ops, net->weight, c->host, n_bytes);
    memcpy(c->weight, c->host, n_bytes);
    for (int k = 0; k < c->setup.learner.optimizer.row->n_states; k++) memset(c->state[k], 0, n_bytes);
    return SB_OK;
}

static sb_status take_room(check *c)
{
    size_t largest = 4096;
    const sb_net *net = c->setup.learner.net;
    for (int p = 0; p < net->params.n; p++)
        if (net->params.list[p].n > largest) largest = net->params.list[p].n;
    for (int i = 0; i < net->n_states; i++)
        if (sb_tensor_size(&net->state[i].tensor) > largest) largest = sb_tensor_size(&net->state[i].tensor);
    size_t total = net->params.total > largest ? net->params.total : largest;
    c->known = sb_size_allocate(largest, sizeof *c->known);
    c->got = sb_size_allocate(largest, sizeof *c->got);
    c->host = sb_size_allocate(total, (2 + SB_STATES_MAX_OF_OPTIMIZER) * sizeof *c->host);
    if (c->host) c->weight = c->host + total;
    for (size_t k = 0; c->host && k < SB_STATES_MAX_OF_OPTIMIZER; k++) c->state[k] = c->weight + (k + 1) * total;
    return c->known && c->got && c->host ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory");
}

static sb_status compare_update(check *c, const char *prefix, long update)
{
    SB_TRY(check_step(c, prefix, update));
    const sb_net *net = c->setup.learner.net;
    const sb_optimizer *optimizer = &c->setup.learner.optimizer;
    char group[128];
    snprintf(group, sizeof group, "%s/grad", prefix);
    SB_TRY(compare_block(c, GRADIENT, group, net->grad));
    snprintf(group, sizeof group, "%s/param", prefix);
    SB_TRY(compare_block(c, WEIGHT, group, net->weight));
    for (int k = 0; k < optimizer->row->n_states; k++) {
        snprintf(group, sizeof group, "%s/%s_%s", prefix, optimizer->row->name, optimizer->row->state[k]);
        SB_TRY(compare_block(c, STATE + k, group, optimizer->state[k]));
    }
    return SB_OK;
}

/* ---- PredNet ---- */

enum { SIDE_MOST = 1 << 14, INPUTS_MOST = 1 << 28 }; /* as in a data set (io/dataset.c) */

typedef struct prednet_form {
    int64_t frames, w, h, bprop;
    size_t frame_bytes;
    uint8_t *bytes;
} prednet_form;

/* Steps one at a time through the windows, forward only, against the activations of every step. */
static sb_status check_activations(check *c, const char *arm, const prednet_form *form)
{
    char group[64];
    snprintf(group, sizeof group, "%s/activation", arm);
    if (!sb_h5_exists(c->file, group)) return SB_OK;
    SB_TRY(load_start(c));
    for (int64_t step = 1; step < form->bprop; step++) {
        sb_window window = {.bytes = form->bytes + (step - 1) * (int64_t)form->frame_bytes, .n = 1, .reset = step == 1};
        SB_TRY(sb_learner_infer(&c->setup.learner, &window));
        SB_TRY(compare_states(c, arm, (size_t)step));
    }
    return SB_OK;
}

static sb_status check_arm(check *c, const char *arm, sb_target target, const prednet_form *form)
{
    SB_TRY(load_start(c));
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
        SB_TRY(compare_losses(c, losses, step, (size_t)window.n, loss));
        step += (size_t)window.n;
        snprintf(prefix, sizeof prefix, "%s/window%d", arm, (int)k + 1);
        SB_TRY(compare_update(c, prefix, (long)k + 1));
    }
    return SB_OK;
}

/* An attribute as the option that it could be. */
static sb_status read_option(check *c, const char *attribute, sb_setting_id id, sb_settings *options)
{
    char text[128];
    SB_TRY(sb_h5_attribute_text(c->file, "", attribute, text, sizeof text));
    if (sb_setting_set(options, id, text)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: %s cannot be %s", sb_h5_path(c->file), attribute, text);
}

/* The shape of the frames, which the attributes repeat. */
static sb_status read_shape(check *c, prednet_form *form)
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
    if (form->frames != n || form->w != w || form->h != h || w < 1 || h < 1 || w > SIDE_MOST || h > SIDE_MOST)
        return sb_fail(SB_E_INTEGRITY, "%s: its attributes frames, width and height are not the shape of /frames",
                       sb_h5_path(c->file));
    form->frame_bytes = (size_t)(w * h * 3);
    return SB_OK;
}

static sb_status read_form(check *c, prednet_form *form, sb_settings *options)
{
    SB_TRY(read_shape(c, form));
    SB_TRY(read_option(c, "channels", SB_SETTING_CHANNELS, options));
    SB_TRY(read_option(c, "bprop", SB_SETTING_WINDOW, options));
    form->bprop = options->window;
    if (form->bprop < 2 || form->bprop > form->frames)
        return sb_fail(SB_E_INTEGRITY, "%s: windows of %lld in %lld frames", sb_h5_path(c->file),
                       (long long)form->bprop, (long long)form->frames);
    size_t n_bytes;
    if (!sb_size_multiply((size_t)form->frames, form->frame_bytes, &n_bytes)) n_bytes = SB_SIZE_MAX;
    form->bytes = sb_size_allocate(n_bytes, 1);
    if (!form->bytes) return sb_fail(SB_E_MEMORY, "not enough memory");
    return sb_h5_read(c->file, "frames", SB_U8, n_bytes, form->bytes);
}

static void report(const check *c, const char *arm, FILE *out)
{
    for (int k = 0; k < KINDS; k++)
        if (*c->worst[k].where)
            fprintf(out, "%-7s %-11s largest deviation %.2e  at %s\n", arm, c->worst[k].kind, c->worst[k].deviation,
                    c->worst[k].where);
}

static sb_status judge(const check *c, const char *arm)
{
    for (int k = 0; k < KINDS; k++) {
        const double allowed = k == WEIGHT ? FREE_RUN * c->tolerance : c->tolerance;
        if (!(c->worst[k].deviation <= allowed))
            return sb_fail(SB_E_DIFFERS, "%s: arm %s: %s deviates by %.2e at %s, more than %.1e", sb_h5_path(c->file),
                           arm, c->worst[k].kind, c->worst[k].deviation, c->worst[k].where, allowed);
    }
    return SB_OK;
}

/* The file is of this network, and how far it may be from it. */
static sb_status settle(check *c, double terms)
{
    char dtype[16] = "f4";
    SB_TRY(sb_check_parameters(c->file, c->setup.learner.net));
    if (sb_h5_has(c->file, "", "dtype")) SB_TRY(sb_h5_get_text(c->file, "", "dtype", dtype, sizeof dtype));
    if (c->tolerance <= 0) c->tolerance = sb_check_tolerance(c->setup.options, strcmp(dtype, "f8") == 0, terms);
    return take_room(c);
}

static void forget(check *c)
{
    static const char *const kinds[KINDS] = {
        [LOSS] = "loss", [GRADIENT] = "gradient", [WEIGHT] = "weight", [ACTIVATION] = "activation"};
    const sb_optimizer_row *row = c->setup.learner.optimizer.row;
    for (int k = 0; k < KINDS; k++) {
        worst *w = &c->worst[k];
        *w = (worst){.deviation = -1};
        if (kinds[k])
            snprintf(w->kind, sizeof w->kind, "%s", kinds[k]);
        else if (k == STEP)
            snprintf(w->kind, sizeof w->kind, "%s's step", row->title);
        else if (k - STATE < row->n_states)
            snprintf(w->kind, sizeof w->kind, "%s's %s", row->title, row->state[k - STATE]);
    }
}

static sb_status check_prednet(check *c, sb_settings *options, FILE *out)
{
    prednet_form form = {0};
    options->model = "prednet";
    sb_status status = read_form(c, &form, options);
    if (status == SB_OK) status = sb_setup_open_net(&c->setup, options, (int)form.w, (int)form.h);
    if (status == SB_OK)
        status = settle(c, sb_check_terms_prednet(&options->channels, (int)form.w, (int)form.h, options->window));
    for (int target = 0; status == SB_OK && target < 2; target++) {
        const char *arm = target ? "shared" : "copy";
        if (!sb_h5_exists(c->file, arm)) continue;
        forget(c);
        status = check_arm(c, arm, target ? SB_TARGET_SHARED : SB_TARGET_COPY, &form);
        if (status == SB_OK) status = check_activations(c, arm, &form);
        if (status == SB_OK) report(c, arm, out);
        if (status == SB_OK) status = judge(c, arm);
    }
    free(form.bytes);
    return status;
}

/* ---- autoencoder ---- */

static const sb_h5_row autoencoder_layout[] = {
    {"inputs", SB_H5_REALS, "u b i"},
    {"init/encoder/b", SB_H5_REALS, "h"},
    {"init/encoder/w", SB_H5_REALS, "h i"},
    {"losses", SB_H5_REALS, "u"},
};
enum { N_LAYOUT = sizeof autoencoder_layout / sizeof *autoencoder_layout };

/* values [updates][batch * inputs] */
static sb_status check_batches(check *c, size_t updates, size_t size, const sb_real *values)
{
    SB_TRY(load_start(c));
    for (size_t k = 0; k < updates; k++) {
        sb_window window = {.values = values + k * size, .n = (int)c->setup.options->batch};
        sb_step_result result;
        char prefix[32];
        SB_TRY(sb_learner_update(&c->setup.learner, &window, (long)k + 1, SB_GRADIENT_KEPT, &result));
        SB_TRY(compare_losses(c, "losses", k, 1, &result.loss_last));
        snprintf(prefix, sizeof prefix, "update%zu", k + 1);
        SB_TRY(compare_update(c, prefix, (long)k + 1));
    }
    return SB_OK;
}

static sb_status check_autoencoder(check *c, sb_settings *options, FILE *out)
{
    sb_h5_dims dims;
    char batch[32], hidden[32];
    if (!sb_h5_exists(c->file, "init/encoder/b"))
        return sb_fail(SB_E_INTEGRITY, "%s: is of another network: it has no parameter encoder/b", sb_h5_path(c->file));
    SB_TRY(sb_h5_check_layout(c->file, autoencoder_layout, N_LAYOUT, &dims));
    const size_t updates = dims.of['u' - 'a'], inputs = dims.of['i' - 'a'], size = dims.of['b' - 'a'] * inputs;
    snprintf(batch, sizeof batch, "%zu", dims.of['b' - 'a']);
    snprintf(hidden, sizeof hidden, "%zu", dims.of['h' - 'a']);
    options->model = "autoencoder";
    if (!sb_setting_set(options, SB_SETTING_BATCH, batch) || !sb_setting_set(options, SB_SETTING_HIDDEN, hidden) ||
        inputs < 1 || inputs > INPUTS_MOST)
        return sb_fail(SB_E_INTEGRITY, "%s: no autoencoder has %zu inputs, %s hidden units and batches of %s",
                       sb_h5_path(c->file), inputs, hidden, batch);
    const sb_autoencoder_shape shape = {(int)inputs, (int)options->hidden, (int)options->batch};
    SB_TRY(sb_setup_open_net(&c->setup, options, shape.inputs, 1));
    SB_TRY(settle(c, fmax(fmax(shape.inputs, shape.hidden), shape.batch)));
    sb_real *values = sb_size_allocate(updates * size, sizeof *values);
    if (!values) return sb_fail(SB_E_MEMORY, "not enough memory");
    forget(c);
    sb_status status = sb_h5_read(c->file, "inputs", SB_H5_REAL, updates * size, values);
    if (status == SB_OK) status = sb_check_activations(c->file, &shape, values);
    if (status == SB_OK) status = check_batches(c, updates, size, values);
    free(values);
    if (status == SB_OK) report(c, "copy", out);
    return status == SB_OK ? judge(c, "copy") : status;
}

/* ---- the file ---- */

sb_status sb_check_golden(const char *path, sb_settings options, double tolerance, FILE *out)
{
    check c = {.tolerance = tolerance};
    sb_settings_default_group(&options, SB_GROUP_LEARN);
    options.optimizer = "adam", options.schedule = "constant",
    options.lr = 1e-3; /* what the golden files were made with */
    options.target = "copy", options.wide_channels = 1;
    char format[32] = "", model[32] = "";
    SB_TRY(sb_h5_open(&c.file, path, SB_SEAL_FOREIGN));
    sb_status status = SB_OK;
    if (!sb_h5_has(c.file, "", "format") || sb_h5_get_text(c.file, "", "format", format, sizeof format) != SB_OK ||
        strcmp(format, "samebits-golden") != 0)
        status = sb_fail(SB_E_INTEGRITY, "%s: not a golden file of samebits", path);
    if (status == SB_OK) status = sb_h5_get_text(c.file, "", "model", model, sizeof model);
    if (status == SB_OK && strcmp(model, "prednet") == 0)
        status = check_prednet(&c, &options, out);
    else if (status == SB_OK && strcmp(model, "autoencoder") == 0)
        status = check_autoencoder(&c, &options, out);
    else if (status == SB_OK)
        status = sb_fail(SB_E_INTEGRITY, "%s: is of another network, '%s'; here there are prednet and autoencoder",
                         path, model);
    if (status == SB_OK)
        fprintf(out, "%s: holds on %s (%s, %s), tolerance %.1e\n", path, options.backend,
                sb_backend_variant(c.setup.ops), SB_REAL_NAME, c.tolerance);
    sb_setup_close(&c.setup);
    sb_h5_close(c.file);
    free(c.known);
    free(c.got);
    free(c.host);
    return status;
}
