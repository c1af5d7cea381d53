#include "train/optimizer.h"

#include <stdio.h>

/* ---- the rules, made of their rows ---- */

typedef struct rule {
    void (*rates)(const sb_settings *settings, double lr, long update, bool is_vector, sb_tensor_rates *rates);
    void (*norms)(sb_ops *ops, const sb_block *block, const sb_tensor_rates *rates); /* NULL: not layer-wise */
    void (*update)(sb_ops *ops, const sb_block *block, const sb_tensor_rates *rates);
    void (*products)(sb_ops *ops, const sb_block *block, const sb_tensor_rates *rates);     /* NULL: not quasi-Newton */
    sb_real (*direction_host)(const sb_block *block, const sb_tensor_rates *rates, long i); /* NULL: the same */
    void (*products_host)(const sb_block *block, const sb_tensor_rates *rates);             /* NULL: the same */
    void (*update_host)(const sb_block *block, const sb_tensor_rates *rates);
    void (*update_one)(sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy, const sb_block *weight,
                       const sb_block *bias, const sb_tensor_rates *rates); /* NULL: the rule has none */
} rule;

#define RULE(A, id, name, title, states, kind, ...)                                                                    \
    RULE_##kind(id) static void id##_update(sb_ops *ops, const sb_block *block, const sb_tensor_rates *rates)          \
    {                                                                                                                  \
        ops->id(ops, block, &rates->id);                                                                               \
    }                                                                                                                  \
    static void id##_update_host(const sb_block *block, const sb_tensor_rates *rates)                                  \
    {                                                                                                                  \
        for (size_t i = 0; i < block->n; i++)                                                                          \
            sb_##id##_at(block, &rates->id, (long)i, SB_GRADIENT_##kind(block, i));                                    \
    }

#define RULE_ELEMENTWISE(id)                                                                                           \
    static void id##_rates(const sb_settings *settings, double lr, long update, bool is_vector, sb_tensor_rates *r)    \
    {                                                                                                                  \
        (void)is_vector;                                                                                               \
        r->id = sb_##id##_rates_of(settings, lr, update);                                                              \
    }

#define RULE_LAYERWISE(id)                                                                                             \
    static void id##_rates(const sb_settings *settings, double lr, long update, bool is_vector, sb_tensor_rates *r)    \
    {                                                                                                                  \
        r->id = sb_##id##_rates_of(settings, update, is_vector);                                                       \
        r->trust = sb_##id##_trust_of(settings, lr, is_vector);                                                        \
    }                                                                                                                  \
    static void id##_norms(sb_ops *ops, const sb_block *block, const sb_tensor_rates *rates)                           \
    {                                                                                                                  \
        ops->id##_norms(ops, block, &rates->id);                                                                       \
    }                                                                                                                  \
    static sb_real id##_direction_host(const sb_block *block, const sb_tensor_rates *rates, long i)                    \
    {                                                                                                                  \
        return sb_##id##_direction_at(block, &rates->id, i, block->grad[i]);                                           \
    }

#define RULE_QUASI_NEWTON(id)                                                                                          \
    RULE_ELEMENTWISE(id)                                                                                               \
    static void id##_products(sb_ops *ops, const sb_block *block, const sb_tensor_rates *rates)                        \
    {                                                                                                                  \
        ops->id##_pair(ops, block, &rates->id);                                                                        \
        ops->id##_products(ops, block);                                                                                \
        ops->id##_coefficients(ops, block, &rates->id);                                                                \
    }                                                                                                                  \
    static void id##_products_host(const sb_block *block, const sb_tensor_rates *rates)                                \
    {                                                                                                                  \
        for (size_t i = 0; i < block->n; i++) sb_##id##_pair_at(block, &rates->id, (long)i);                           \
        for (int k = 0; k < SB_PRODUCTS_##id; k++) {                                                                   \
            const sb_##id##_factors of = sb_##id##_factors_of(k);                                                      \
            block->product[k] = product_host(block->n, block->state[of.a], block->state[of.b]);                        \
        }                                                                                                              \
        sb_##id##_coefficients_of(block->product, &rates->id, block->coefficient);                                     \
    }

/* In the order of ops/order.h. */
static double product_host(size_t n, const sb_real *a, const sb_real *b)
{
    double total = 0;
    for (size_t first = 0; first < n; first += SB_ORDER_BLOCK) {
        double lane[SB_ORDER_LANES] = {0};
        for (size_t i = first; i < n && i < first + SB_ORDER_BLOCK; i++)
            lane[i % SB_ORDER_LANES] = fma((double)a[i], (double)b[i], lane[i % SB_ORDER_LANES]);
        total += sb_join_lanes(lane);
    }
    return total;
}

SB_OPTIMIZERS(RULE, SB_NO_STATE, )

/* What may be in the column `one`. */
static void one_dense_learn_one(sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy,
                                const sb_block *weight, const sb_block *bias, const sb_tensor_rates *rates)
{
    ops->dense_learn_one(ops, layer, x, dy, weight, bias, &rates->adam);
}
#define one_NO_ONE             NULL

#define STEPS_ELEMENTWISE(id)  NULL, id##_update, NULL, NULL, NULL
#define STEPS_LAYERWISE(id)    id##_norms, id##_update, NULL, id##_direction_host, NULL
#define STEPS_QUASI_NEWTON(id) NULL, id##_update, id##_products, NULL, id##_products_host
#define ROW(A, id, name, title, states, kind, one, settings)                                                           \
    {id##_rates, STEPS_##kind(id), id##_update_host, one_##one},
/* The last one is SB_NO_OPTIMIZER's, which has no update. */
static const rule rules[SB_N_OPTIMIZERS + 1] = {SB_OPTIMIZERS(ROW, SB_NO_STATE, )};

/* ---- an optimizer ---- */

static sb_ops *ops_of(const sb_optimizer *optimizer)
{
    return optimizer->net->ops; /* asked for each time: a trace or a profile may stand before the backend */
}

static bool is_layerwise(const sb_optimizer *optimizer)
{
    return optimizer->row->kind == SB_LAYERWISE;
}

static bool is_quasi_newton(const sb_optimizer *optimizer)
{
    return optimizer->row->kind == SB_QUASI_NEWTON;
}

/* Are the gradients divided by their norm? */
static bool has_divisor(const sb_optimizer *optimizer)
{
    const sb_setting_names names = sb_setting_names_of(&optimizer->settings);
    return optimizer->settings.max_norm > 0 && sb_setting_applies(SB_SETTING_MAX_NORM, &names);
}

static sb_status take_states(sb_optimizer *optimizer)
{
    sb_ops *ops = ops_of(optimizer);
    const size_t n_states = (size_t)optimizer->row->n_states, total = optimizer->net->params.total;
    if (!n_states) return SB_OK;
    optimizer->memory = ops->allocate(ops, n_states * total * sizeof(sb_real));
    for (size_t k = 0; optimizer->memory && k < n_states; k++) optimizer->state[k] = optimizer->memory + k * total;
    return optimizer->memory ? SB_OK : SB_E_MEMORY;
}

static sb_status take_norms(sb_optimizer *optimizer)
{
    sb_ops *ops = ops_of(optimizer);
    const sb_params *params = &optimizer->net->params;
    const size_t n = (size_t)params->n;
    size_t partials = 0;
    if (!is_layerwise(optimizer) && !has_divisor(optimizer)) return SB_OK;
    for (size_t p = 0; p < n; p++)
        if (sb_block_partials(params->list[p].n) > partials) partials = sb_block_partials(params->list[p].n);
    optimizer->norm = ops->allocate(ops, (4 * n + partials) * sizeof(double) + (n + 1) * sizeof(sb_real));
    if (!optimizer->norm) return SB_E_MEMORY;
    optimizer->grad_norm2 = optimizer->norm + 3 * n;
    optimizer->partial = optimizer->grad_norm2 + n;
    optimizer->rate = (sb_real *)(void *)(optimizer->partial + partials);
    if (has_divisor(optimizer)) optimizer->divisor = optimizer->rate + n;
    return SB_OK;
}

/* Of the one quasi-Newton rule that there is. */
static sb_status take_products(sb_optimizer *optimizer)
{
    sb_ops *ops = ops_of(optimizer);
    const size_t parts = sb_block_parts(optimizer->net->params.total);
    const size_t n = SB_PRODUCTS_lbfgs + SB_COEFFICIENTS_lbfgs + parts * SB_PRODUCTS_lbfgs;
    if (!is_quasi_newton(optimizer)) return SB_OK;
    optimizer->product = ops->allocate(ops, n * sizeof *optimizer->product);
    return optimizer->product ? SB_OK : SB_E_MEMORY;
}

static sb_status check_by_kind(const sb_reals *factors, const char *option)
{
    if (factors->n == 0 || factors->n == SB_N_PARAM_KINDS) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s wants four numbers, of weights, scales, shifts and biases", option);
}

static bool are_one(const sb_reals *factors)
{
    for (int i = 0; i < factors->n; i++)
        if (factors->item[i] != 1) return false;
    return true;
}

/* Do all kinds of tensors have one rate and one decay? */
static bool are_all_alike(const sb_settings *settings)
{
    return are_one(&settings->lr_by_kind) && are_one(&settings->decay_by_kind);
}

sb_status sb_optimizer_open(sb_optimizer *optimizer, sb_net *net, const sb_settings *settings)
{
    *optimizer = (sb_optimizer){0};
    const sb_setting_names names = sb_setting_names_of(settings);
    const bool has_one = sb_setting_applies(SB_SETTING_OPTIMIZER, &names);
    const sb_optimizer_id id = has_one ? sb_optimizer_find(settings->optimizer) : SB_NO_OPTIMIZER;
    if (has_one && id == SB_N_OPTIMIZERS)
        return sb_fail(SB_E_USAGE, "no optimizer '%.64s'; this program knows %s", settings->optimizer,
                       SB_OPTIMIZER_WORDS);
    if (settings->phi.n != 0 && (settings->phi.n != 2 || settings->phi.item[0] > settings->phi.item[1]))
        return sb_fail(SB_E_USAGE, "--phi wants two numbers, LEAST,MOST, the smaller one first");
    SB_TRY(check_by_kind(&settings->lr_by_kind, "--lr-by-kind"));
    SB_TRY(check_by_kind(&settings->decay_by_kind, "--decay-by-kind"));
    if (sb_optimizers[id].kind == SB_QUASI_NEWTON && !are_all_alike(settings))
        return sb_fail(SB_E_USAGE,
                       "--optimizer %s takes one step of all weights, so --lr-by-kind and --decay-by-kind "
                       "do not go with it",
                       sb_optimizers[id].name);
    sb_optimizer opened = {.id = id, .row = &sb_optimizers[id], .settings = sb_settings_resolved(settings), .net = net};
    const long n_steps = opened.settings.sync_every;
    if (net->classes.is_summed)
        opened.n_summed = (double)(n_steps ? sb_settings_samples(&opened.settings) : settings->batch);
    sb_status status = take_states(&opened);
    if (status == SB_OK) status = take_norms(&opened);
    if (status == SB_OK) status = take_products(&opened);
    if (status != SB_OK)
        sb_optimizer_close(&opened);
    else
        *optimizer = opened;
    return status;
}

void sb_optimizer_close(sb_optimizer *optimizer)
{
    if (optimizer->memory) ops_of(optimizer)->release(ops_of(optimizer), optimizer->memory);
    if (optimizer->norm) ops_of(optimizer)->release(ops_of(optimizer), optimizer->norm);
    if (optimizer->product) ops_of(optimizer)->release(ops_of(optimizer), optimizer->product);
    *optimizer = (sb_optimizer){0};
}

void sb_optimizer_start(sb_optimizer *optimizer)
{
    sb_ops *ops = ops_of(optimizer);
    for (int k = 0; k < optimizer->row->n_states; k++)
        ops->zero(ops, optimizer->state[k], optimizer->net->params.total * sizeof(sb_real));
}

static double of_kind(const sb_reals *factors, sb_param_kind kind)
{
    return factors->n ? factors->item[kind] : 1;
}

/* If gradients are sums over the batch, the learning rate is divided by the number of samples and the weight decay
 * multiplied by it. A quasi-Newton rule keeps its learning rate: the scale of the gradient does not change its
 * direction. */
sb_rates sb_optimizer_rates(const sb_optimizer *optimizer, double lr, long update)
{
    sb_rates rates = {0};
    const double n = optimizer->n_summed > 0 ? optimizer->n_summed : 1;
    for (sb_param_kind kind = 0; kind < SB_N_PARAM_KINDS; kind++) {
        sb_settings settings = optimizer->settings;
        settings.weight_decay = settings.weight_decay * n * of_kind(&settings.decay_by_kind, kind);
        const double rate = (is_quasi_newton(optimizer) ? lr : lr / n) * of_kind(&settings.lr_by_kind, kind);
        rules[optimizer->id].rates(&settings, rate, update, kind != SB_PARAM_WEIGHT, &rates.of[kind]);
    }
    return rates;
}

sb_block sb_optimizer_block(const sb_optimizer *optimizer, size_t offset, size_t n)
{
    const sb_net *net = optimizer->net;
    sb_block block = {.n = n, .weight = net->weight + offset, .grad = net->grad + offset};
    for (int k = 0; k < optimizer->row->n_states; k++) block.state[k] = optimizer->state[k] + offset;
    return block;
}

static void divide_gradients(const sb_optimizer *optimizer)
{
    sb_ops *ops = ops_of(optimizer);
    const sb_net *net = optimizer->net;
    for (int p = 0; p < net->params.n; p++) {
        const sb_param *param = &net->params.list[p];
        ops->norm2(ops, param->n, net->grad + param->offset, optimizer->grad_norm2 + p);
    }
    ops->gradient_divisor(ops, net->params.n, optimizer->grad_norm2, optimizer->settings.max_norm, optimizer->divisor);
}

static void update_tensor(const sb_optimizer *optimizer, int p, const sb_rates *rates)
{
    sb_ops *ops = ops_of(optimizer);
    const sb_param *param = &optimizer->net->params.list[p];
    const sb_tensor_rates *of_kind = &rates->of[param->kind];
    sb_block block = sb_optimizer_block(optimizer, param->offset, param->n);
    block.divisor = optimizer->divisor, block.partial = optimizer->partial;
    block.norm = optimizer->norm + 3 * p, block.rate = optimizer->rate + p;
    rules[optimizer->id].norms(ops, &block, of_kind);
    ops->trust(ops, &block, &of_kind->trust);
    rules[optimizer->id].update(ops, &block, of_kind);
}

/* How many parameters from number p on an elementwise rule takes as one block: it knows no tensors, and so it is all of
 * them, unless kinds have rates of their own. */
static int stretch_of(const sb_optimizer *optimizer, int p)
{
    const sb_params *params = &optimizer->net->params;
    int end = p + 1;
    if (are_all_alike(&optimizer->settings)) return params->n - p;
    while (end < params->n && params->list[end].kind == params->list[p].kind) end++;
    return end - p;
}

static void update_elements(const sb_optimizer *optimizer, const sb_rates *rates)
{
    const sb_params *params = &optimizer->net->params;
    for (int p = 0, n; p < params->n; p += n) {
        n = stretch_of(optimizer, p);
        const sb_param *first = &params->list[p], *last = &params->list[p + n - 1];
        sb_block block = sb_optimizer_block(optimizer, first->offset, last->offset + last->n - first->offset);
        block.divisor = optimizer->divisor;
        rules[optimizer->id].update(ops_of(optimizer), &block, &rates->of[first->kind]);
    }
}

static void update_all(const sb_optimizer *optimizer, const sb_rates *rates)
{
    sb_block block = sb_optimizer_block(optimizer, 0, optimizer->net->params.total);
    block.product = optimizer->product;
    block.coefficient = optimizer->product + SB_PRODUCTS_lbfgs;
    block.partial = block.coefficient + SB_COEFFICIENTS_lbfgs;
    rules[optimizer->id].products(ops_of(optimizer), &block, &rates->of[SB_PARAM_WEIGHT]);
    rules[optimizer->id].update(ops_of(optimizer), &block, &rates->of[SB_PARAM_WEIGHT]);
}

void sb_optimizer_update(const sb_optimizer *optimizer, const sb_rates *rates)
{
    const sb_params *params = &optimizer->net->params;
    if (optimizer->divisor) divide_gradients(optimizer);
    if (is_layerwise(optimizer))
        for (int p = 0; p < params->n; p++) update_tensor(optimizer, p, rates);
    else if (is_quasi_newton(optimizer))
        update_all(optimizer, rates);
    else
        update_elements(optimizer, rates);
}

bool sb_optimizer_has_norms(const sb_optimizer *optimizer)
{
    return is_layerwise(optimizer);
}

/* The device has the squares of the first two. */
sb_status sb_optimizer_read_norms(const sb_optimizer *optimizer, sb_tensor_norms *norms)
{
    const size_t n = (size_t)optimizer->net->params.n;
    _Static_assert(sizeof *norms == 3 * sizeof *optimizer->norm, "three numbers a tensor, as on the device");
    SB_TRY(sb_ops_read(ops_of(optimizer), norms, optimizer->norm, n * sizeof *norms));
    for (size_t p = 0; p < n; p++) {
        norms[p].weight = sqrt(norms[p].weight);
        norms[p].direction = sqrt(norms[p].direction);
    }
    return SB_OK;
}

bool sb_optimizer_has_one(const sb_optimizer *optimizer)
{
    return rules[optimizer->id].update_one != NULL;
}

static sb_block block_at(const sb_optimizer *optimizer, const sb_real *weight, size_t n)
{
    sb_block block = sb_optimizer_block(optimizer, (size_t)(weight - optimizer->net->weight), n);
    block.grad = NULL;
    return block;
}

void sb_optimizer_update_one(const sb_optimizer *optimizer, const sb_rates *rates, const sb_dense *layer,
                             const sb_real *x, const sb_real *dy)
{
    const sb_block weight = block_at(optimizer, layer->weight, sb_dense_weights(layer));
    const sb_block bias = block_at(optimizer, layer->bias, (size_t)layer->out);
    rules[optimizer->id].update_one(ops_of(optimizer), layer, x, dy, &weight, &bias, &rates->of[SB_PARAM_WEIGHT]);
}

/* The first step of a layer-wise rule, and the two norms in the order of ops/order.h. */
static void norms_host(const rule *steps, const sb_block *block, const sb_tensor_rates *rates)
{
    block->norm[0] = block->norm[1] = 0;
    for (size_t first = 0; first < block->n; first += SB_ORDER_BLOCK) {
        double w[SB_ORDER_LANES] = {0}, u[SB_ORDER_LANES] = {0};
        for (size_t i = first; i < block->n && i < first + SB_ORDER_BLOCK; i++) {
            const double weight = block->weight[i], direction = steps->direction_host(block, rates, (long)i);
            w[i % SB_ORDER_LANES] = fma(weight, weight, w[i % SB_ORDER_LANES]);
            u[i % SB_ORDER_LANES] = fma(direction, direction, u[i % SB_ORDER_LANES]);
        }
        block->norm[0] += sb_join_lanes(w), block->norm[1] += sb_join_lanes(u);
    }
}

void sb_optimizer_update_host(const sb_optimizer *optimizer, const sb_tensor_rates *rates, const sb_block *block)
{
    const rule *steps = &rules[optimizer->id];
    if (steps->norms) {
        norms_host(steps, block, rates);
        *block->rate = sb_trust_rate(block->norm, rates->trust);
    }
    if (steps->products_host) steps->products_host(block, rates);
    steps->update_host(block, rates);
}

bool sb_optimizer_name(const sb_optimizer *optimizer, const void *memory, size_t n, char *text, size_t size)
{
    bool found = false;
    for (int k = 0; !found && k < optimizer->row->n_states; k++) {
        char what[64];
        snprintf(what, sizeof what, "%s's %s of ", optimizer->row->title, optimizer->row->state[k]);
        found = sb_net_name_block(optimizer->net, optimizer->state[k], what, memory, n, text, size);
    }
    return found;
}
