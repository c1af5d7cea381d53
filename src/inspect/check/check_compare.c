/* What a golden check compares, and how it judges. */
#include "inspect/check/check_parts.h"

#include "core/size.h"
#include "io/h5/h5_attribute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sb_check_compare(sb_check *c, int kind, size_t n, const char *where)
{
    double scale = 0, deviation = 0;
    for (size_t i = 0; i < n; i++) {
        scale = fmax(scale, fabs(c->known[i]));
        double difference = fabs(c->got[i] - c->known[i]);
        deviation = difference > deviation || isnan(difference) ? difference : deviation;
    }
    deviation = scale > 0 ? deviation / scale : deviation;
    sb_check_worst *w = &c->worst[kind];
    if (!(deviation <= w->deviation)) {
        w->deviation = isnan(deviation) ? INFINITY : deviation;
        snprintf(w->where, sizeof w->where, "%s", where);
    }
}

sb_status sb_check_block(sb_check *c, int kind, const char *group, const sb_real *block)
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
        sb_check_compare(c, kind, param->n, name);
    }
    return SB_OK;
}

sb_status sb_check_numbers(sb_check *c, int kind, const char *name, size_t first, size_t n, const double *numbers)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(c->file, name, &shape));
    SB_FREED double *known = sb_size_allocate(shape.n, sizeof *known);
    if (!known) return sb_fail(SB_E_MEMORY, "not enough memory");
    SB_TRY(first <= shape.n && n <= shape.n - first
               ? sb_h5_read(c->file, name, SB_F64, shape.n, known)
               : sb_fail(SB_E_INTEGRITY, "%s: /%s is too short", sb_h5_path(c->file), name));
    memcpy(c->known, known + first, n * sizeof *known);
    memcpy(c->got, numbers, n * sizeof *numbers);
    char where[160];
    snprintf(where, sizeof where, "%s[%zu]", name, first);
    sb_check_compare(c, kind, n, where);
    return SB_OK;
}

sb_status sb_check_state(sb_check *c, int kind, const char *name, const sb_state *state)
{
    sb_ops *ops = c->setup.learner.net->ops;
    if (!sb_h5_exists(c->file, name)) return SB_OK;
    const size_t n = sb_tensor_size(&state->tensor);
    SB_TRY(sb_h5_read(c->file, name, SB_F64, n, c->known));
    sb_real *planes = ops->allocate(ops, n * sizeof *planes);
    if (!planes) return SB_E_MEMORY;
    ops->map_store(ops, &state->tensor, planes);
    sb_status status = sb_ops_read(ops, c->host, planes, n * sizeof *planes);
    ops->release(ops, planes);
    SB_TRY(status);
    for (size_t k = 0; k < n; k++) c->got[k] = c->host[k];
    sb_check_compare(c, kind, n, name);
    return SB_OK;
}

/* One step of the optimizer on the file's own gradient, from the weights and states that its earlier gradients gave. */
static sb_status check_step(sb_check *c, const char *prefix, long update)
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
        double norm[3];
        sb_real rate;
        block.norm = norm, block.rate = &rate;
        sb_optimizer_update_host(optimizer, &rates.of[param->kind], &block);
        for (size_t i = 0; i < param->n; i++) c->got[i] = block.weight[i];
        snprintf(name, sizeof name, "%s/param/%s", prefix, param->name);
        SB_TRY(sb_h5_read(c->file, name, SB_F64, param->n, c->known));
        sb_check_compare(c, SB_CHECK_STEP, param->n, name);
    }
    return SB_OK;
}

/* Weights that are not trained are the file's too. */
static sb_status start_frozen(sb_check *c)
{
    sb_net *net = c->setup.learner.net;
    for (int i = 0; i < net->n_states; i++) {
        const sb_state *state = &net->state[i];
        const size_t n = sb_tensor_size(&state->tensor);
        char name[96];
        if (state->kind != SB_STATE_FROZEN) continue;
        snprintf(name, sizeof name, "init/%s", state->name);
        SB_TRY(sb_h5_read(c->file, name, SB_H5_REAL, n, c->weight));
        net->ops->to_device(net->ops, state->tensor.x, c->weight, n * sizeof(sb_real));
    }
    return net->ops->error(net->ops);
}

sb_status sb_check_start(sb_check *c)
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
    SB_TRY(start_frozen(c));
    sb_learner_restart(&c->setup.learner);
    memcpy(c->weight, c->host, n_bytes);
    for (int k = 0; k < c->setup.learner.optimizer.row->n_states; k++) memset(c->state[k], 0, n_bytes);
    return SB_OK;
}

static sb_status take_room(sb_check *c)
{
    size_t largest = 4096;
    const sb_net *net = c->setup.learner.net;
    for (int p = 0; p < net->params.n; p++)
        if (net->params.list[p].n > largest) largest = net->params.list[p].n;
    for (int i = 0; i < net->n_states; i++)
        if (sb_tensor_size(&net->state[i].tensor) > largest) largest = sb_tensor_size(&net->state[i].tensor);
    size_t total = net->params.total > largest ? net->params.total : largest;
    free(c->known), free(c->got), free(c->host);
    c->known = sb_size_allocate(largest, sizeof *c->known);
    c->got = sb_size_allocate(largest, sizeof *c->got);
    c->host = sb_size_allocate(total, (2 + SB_STATES_MAX_OF_ELEMENT) * sizeof *c->host);
    if (c->host) c->weight = c->host + total;
    for (size_t k = 0; c->host && k < SB_STATES_MAX_OF_ELEMENT; k++) c->state[k] = c->weight + (k + 1) * total;
    return c->known && c->got && c->host ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory");
}

sb_status sb_check_update(sb_check *c, const char *prefix, long update)
{
    SB_TRY(check_step(c, prefix, update));
    const sb_net *net = c->setup.learner.net;
    const sb_optimizer *optimizer = &c->setup.learner.optimizer;
    char group[128];
    snprintf(group, sizeof group, "%s/grad", prefix);
    SB_TRY(sb_check_block(c, SB_CHECK_GRADIENT, group, net->grad));
    snprintf(group, sizeof group, "%s/param", prefix);
    SB_TRY(sb_check_block(c, SB_CHECK_WEIGHT, group, net->weight));
    for (int k = 0; k < optimizer->row->n_states; k++) {
        snprintf(group, sizeof group, "%s/%s_%s", prefix, optimizer->row->name, optimizer->row->state[k]);
        SB_TRY(sb_check_block(c, SB_CHECK_STATE + k, group, optimizer->state[k]));
        snprintf(group, sizeof group, "%s/state_%s", prefix, optimizer->row->state[k]);
        SB_TRY(sb_check_block(c, SB_CHECK_STATE + k, group, optimizer->state[k]));
    }
    return SB_OK;
}

sb_status sb_check_updates(sb_check *c, size_t n, sb_window window, size_t n_elements)
{
    SB_TRY(sb_check_start(c));
    for (size_t k = 0; k < n; k++) {
        sb_step_result result;
        char prefix[32];
        SB_TRY(sb_learner_update(&c->setup.learner, &window, (long)k + 1, SB_GRADIENT_KEPT, &result));
        SB_TRY(sb_check_numbers(c, SB_CHECK_LOSS, "losses", k, 1, &result.loss_mean));
        snprintf(prefix, sizeof prefix, "update%zu", k + 1);
        SB_TRY(sb_check_update(c, prefix, (long)k + 1));
        if (window.values) window.values += n_elements;
        if (window.tokens) window.tokens += n_elements;
    }
    return SB_OK;
}

void sb_check_report(const sb_check *c, const char *arm, FILE *out)
{
    for (int k = 0; k < SB_N_CHECKS; k++)
        if (*c->worst[k].where)
            fprintf(out, "%-7s %-11s largest deviation %.2e  at %s\n", arm, c->worst[k].kind, c->worst[k].deviation,
                    c->worst[k].where);
}

sb_status sb_check_judge(const sb_check *c, const char *arm)
{
    for (int k = 0; k < SB_N_CHECKS; k++) {
        const double allowed = k == SB_CHECK_WEIGHT ? SB_CHECK_FREE_RUN * c->tolerance : c->tolerance;
        if (!(c->worst[k].deviation <= allowed))
            return sb_fail(SB_E_DIFFERS, "%s: arm %s: %s deviates by %.2e at %s, more than %.1e", sb_h5_path(c->file),
                           arm, c->worst[k].kind, c->worst[k].deviation, c->worst[k].where, allowed);
    }
    return SB_OK;
}

sb_status sb_check_settle(sb_check *c, double tolerance)
{
    const sb_optimizer_row *optimizer = c->setup.learner.optimizer.row;
    if (optimizer->kind == SB_QUASI_NEWTON)
        return sb_fail(SB_E_INTEGRITY, "%s: made with %s, whose steps cannot be held tensor by tensor",
                       sb_h5_path(c->file), optimizer->name);
    SB_TRY(sb_check_parameters(c->file, c->setup.learner.net));
    if (c->tolerance <= 0) c->tolerance = tolerance;
    return take_room(c);
}

sb_status sb_check_option(sb_check *c, const char *group, const char *attribute, sb_setting_id id, sb_settings *options)
{
    char text[128];
    SB_TRY(sb_h5_attribute_text(c->file, group, attribute, text, sizeof text));
    if (sb_setting_set(options, id, text)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: %s cannot be %s", sb_h5_path(c->file), attribute, text);
}

void sb_check_forget(sb_check *c)
{
    static const char *const kinds[SB_N_CHECKS] = {
        [SB_CHECK_LOSS] = "loss",       [SB_CHECK_LOGITS] = "logits",   [SB_CHECK_GRADIENT] = "gradient",
        [SB_CHECK_RATIO] = "ratio",     [SB_CHECK_WEIGHT] = "weight",   [SB_CHECK_ACTIVATION] = "activation",
        [SB_CHECK_RUNNING] = "running", [SB_CHECK_AVERAGE] = "average", [SB_CHECK_EVALUATION] = "evaluation"};
    const sb_optimizer_row *row = c->setup.learner.optimizer.row;
    for (int k = 0; k < SB_N_CHECKS; k++) {
        sb_check_worst *w = &c->worst[k];
        *w = (sb_check_worst){.deviation = -1};
        if (kinds[k])
            snprintf(w->kind, sizeof w->kind, "%s", kinds[k]);
        else if (k == SB_CHECK_STEP)
            snprintf(w->kind, sizeof w->kind, "%s's step", row->title);
        else if (k - SB_CHECK_STATE < row->n_states)
            snprintf(w->kind, sizeof w->kind, "%s's %s", row->title, row->state[k - SB_CHECK_STATE]);
    }
}
