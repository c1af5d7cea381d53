#include "net/prednet/prednet_parts.h"

typedef struct backward {
    prednet *p;
    sb_ops *ops;
    int n; /* frames of the window */
} backward;

static int slot(const backward *b, const layer *l, int t)
{
    return slot_of(l, b->n, t);
}

static int r_slot(const backward *b, const layer *l, int t)
{
    return r_slot_of(l, b->n, t);
}

/* The gradient of P_n(t) exists where something reads it: the loss reads P_0 always, the next frame of the window reads
 * the others. */
static bool has_dp(const backward *b, int n, int t)
{
    return n == 0 || t < b->n;
}

static void begin(backward *b)
{
    prednet *p = b->p;
    sb_ops *ops = b->ops;
    ops->zero(ops, p->net.grad, p->net.params.total * sizeof(sb_real));
    for (int n = 0; n < p->shape.n_layers; n++) {
        layer *l = &p->layer[n];
        ops->zero(ops, l->dcell.x, sb_tensor_size(&l->dcell) * sizeof(sb_real));
        ops->zero(ops, l->dpeephole.x, sb_tensor_size(&l->dpeephole) * sizeof(sb_real));
        if (n > 0) ops->conv_turn(ops, &l->conv_a);
        ops->conv_turn(ops, &l->conv_p);
        ops->conv_turn(ops, &l->conv_e);
        if (l->has_above) ops->conv_turn(ops, &l->conv_up);
        ops->conv_turn(ops, &l->conv_h);
    }
}

/* The inputs of step t's convolutions: again, but for the last steps, whose inputs the forward pass left. */
static void prepare_inputs(backward *b, int t)
{
    prednet *p = b->p;
    for (int n = 0; n < p->shape.n_layers; n++) {
        layer *l = &p->layer[n];
        if (t > b->n - l->ring) continue;
        b->ops->conv_input(b->ops, &l->conv_e.shape, &l->e[t], l->e_input[slot(b, l, t)]);
        b->ops->conv_input(b->ops, &l->conv_h.shape, &l->r[t - 1], l->r_input[r_slot(b, l, t - 1)]);
        if (l->has_above)
            b->ops->conv_input(b->ops, &l->conv_up.shape, &p->layer[n + 1].r[t], l->up_input[slot(b, l, t)]);
    }
}

/* The gradient of P_n(t) through the nonlinearity, as the gradient of ConvP_n's output. */
static void prediction_backward(backward *b, int n, int t, void *operand)
{
    layer *l = &b->p->layer[n];
    sb_tensor *dp = &l->dp[t % SB_STEPS];
    b->ops->output_backward(b->ops, &l->p[t], n == 0, dp);
    b->ops->conv_gradient(b->ops, &l->conv_p.shape, dp, operand);
    b->ops->bias_gradient(b->ops, dp, l->bias_p_grad);
}

/* From the bottom: P and the cell of every layer. dR_n sums over ConvP_n, the next frame's cell and the layer below. */
static void undo_top_down(backward *b, int t)
{
    prednet *p = b->p;
    for (int n = 0; n < p->shape.n_layers; n++) {
        layer *l = &p->layer[n], *below = n > 0 ? l - 1 : NULL;
        sb_tensor *dr = &l->dr[t % SB_STEPS];
        sb_term term[SB_TERMS_MAX];
        int n_terms = 0;
        if (has_dp(b, n, t)) {
            prediction_backward(b, n, t, l->p_gradient[slot(b, l, t)]);
            term[n_terms++] = (sb_term){&l->conv_p, l->p_gradient[slot(b, l, t)]};
        }
        if (t < b->n) term[n_terms++] = (sb_term){&l->conv_h, l->gates_gradient[slot(b, l, t + 1)]};
        if (n > 0) term[n_terms++] = (sb_term){&below->conv_up, below->gates_gradient[slot(b, below, t)]};
        b->ops->conv_data_gradient(b->ops, n_terms, term, dr);
        b->ops->lstm_backward(b->ops, &l->gates[t], &l->peephole, &l->cell[t - 1], &l->cell[t], dr, &l->dcell,
                              &l->dpeephole);
        b->ops->conv_gradient(b->ops, &l->conv_e.shape, &l->gates[t], l->gates_gradient[slot(b, l, t)]);
        b->ops->bias_gradient(b->ops, &l->gates[t], l->bias_gates_grad);
    }
}

/* From the top: E of every layer, which leaves dP of the step before. E_0 of the window's first step leads only to the
 * frame and to a P_0 that belongs to the window before, whose gradients are not needed. */
static void undo_bottom_up(backward *b, int t)
{
    prednet *p = b->p;
    for (int n = p->shape.n_layers - 1; n >= 0; n--) {
        layer *l = &p->layer[n];
        if (n == 0 && t == 1) return;
        sb_tensor *de = &l->de[t % SB_STEPS], *da = n > 0 ? &l->da[t % SB_STEPS] : NULL;
        sb_term term[SB_TERMS_MAX];
        int n_terms = 0;
        term[n_terms++] = (sb_term){&l->conv_e, l->gates_gradient[slot(b, l, t)]};
        if (l->has_above) {
            layer *above = &p->layer[n + 1];
            term[n_terms++] = (sb_term){&above->conv_a, above->a_gradient[slot(b, l, t)]};
        }
        b->ops->conv_data_gradient(b->ops, n_terms, term, de);
        b->ops->error_backward(b->ops, &l->e[t], de, da, &l->dp[(t - 1) % SB_STEPS]);
        if (n == 0) return;
        sb_tensor *before_pool = &l->before_pool[t % SB_STEPS];
        b->ops->pool_backward(b->ops, da, l->pool_choice[t], before_pool);
        b->ops->conv_gradient(b->ops, &l->conv_a.shape, before_pool, l->a_gradient[slot(b, l - 1, t)]);
        b->ops->bias_gradient(b->ops, before_pool, l->bias_a_grad);
    }
}

/* Add ConvP's weight gradient for `waiting` frames from t on, the latest first; for a whole window also the step before
 * it. */
static void add_predictions(backward *b, int n, int t, int waiting)
{
    layer *l = &b->p->layer[n];
    const void *r[SB_WINDOW_MAX + 1], *dp[SB_WINDOW_MAX + 1];
    int n_p = 0;
    for (int frame = t + waiting - 1; frame >= t; frame--)
        if (has_dp(b, n, frame)) r[n_p] = l->r_input[r_slot(b, l, frame)], dp[n_p++] = l->p_gradient[slot(b, l, frame)];
    if (l->is_whole && n > 0 && b->p->has_past)
        r[n_p] = l->r_input[r_slot(b, l, 0)], dp[n_p++] = l->p_gradient[past_slot_of(l)];
    if (n_p || l->is_whole) b->ops->conv_weight_gradient(b->ops, &l->conv_p, n_p, r, dp);
}

/* `waiting` frames from t on, the latest first, into the gradients of the convolutions of layer n's cell. */
static void add_gates(backward *b, int n, int t, int waiting)
{
    layer *l = &b->p->layer[n];
    sb_ops *ops = b->ops;
    const void *e[SB_WINDOW_MAX], *up[SB_WINDOW_MAX], *before[SB_WINDOW_MAX], *gates[SB_WINDOW_MAX];
    for (int i = 0; i < waiting; i++) {
        const int frame = t + waiting - 1 - i, at = slot(b, l, frame);
        e[i] = l->gates_e[at], up[i] = l->up_input[at], before[i] = l->gates_h[r_slot(b, l, frame - 1)];
        gates[i] = l->gates_gradient[at];
    }
    ops->conv_weight_gradient(ops, &l->conv_e, waiting, e, gates);
    if (l->has_above) ops->conv_weight_gradient(ops, &l->conv_up, waiting, up, gates);
    ops->conv_weight_gradient(ops, &l->conv_h, waiting, before, gates);
}

/* The same for ConvA of layer n, whose input is a map of the layer below. */
static void add_inputs(backward *b, int n, int t, int waiting)
{
    layer *l = &b->p->layer[n], *below = l - 1;
    const void *e[SB_WINDOW_MAX], *a[SB_WINDOW_MAX];
    for (int i = 0; i < waiting; i++) {
        const int at = slot(b, below, t + waiting - 1 - i);
        e[i] = below->e_input[at], a[i] = l->a_gradient[at];
    }
    b->ops->conv_weight_gradient(b->ops, &l->conv_a, waiting, e, a);
}

/* How many frames from t on wait in the rings of a layer, where these are full or no more will come; or 0. */
static int ready(const backward *b, const layer *l, int t)
{
    const int waiting = (b->n - t) % l->ring + 1;
    return waiting == l->ring || t == 1 ? waiting : 0;
}

/* Operands of several frames wait in the rings of a layer until these are full, for one product. */
static void flush_products(backward *b, int t)
{
    for (int n = 0; n < b->p->shape.n_layers; n++) {
        const layer *l = &b->p->layer[n];
        const int of_layer = ready(b, l, t), of_below = n > 0 ? ready(b, l - 1, t) : 0;
        if (of_layer) add_gates(b, n, t, of_layer);
        if (of_below) add_inputs(b, n, t, of_below);
        if (of_layer) add_predictions(b, n, t, of_layer);
    }
#pragma omp barrier
}

/* Truncation between windows is incomplete: P_n, n > 0, of the step before the window was in no loss of its own window,
 * so its gradient still flows into ConvP_n, and no further. Layers that process a whole window at once need the
 * gradient of that P_n before their products; the others add a separate product for it afterwards. */
static void past_predictions(backward *b, bool of_whole)
{
    if (!b->p->has_past) return;
    for (int n = 1; n < b->p->shape.n_layers; n++) {
        layer *l = &b->p->layer[n];
        void *operand = l->p_gradient[past_slot_of(l)];
        if (l->is_whole != of_whole) continue;
        prediction_backward(b, n, 0, operand);
        if (of_whole) continue;
        const void *r = l->r_input[r_slot(b, l, 0)], *dp = operand;
        b->ops->conv_weight_gradient(b->ops, &l->conv_p, 1, &r, &dp);
    }
}

static void end(backward *b)
{
    for (int n = 0; n < b->p->shape.n_layers; n++) {
        layer *l = &b->p->layer[n];
        if (n > 0) b->ops->conv_end(b->ops, &l->conv_a);
        b->ops->conv_end(b->ops, &l->conv_p);
        b->ops->conv_end(b->ops, &l->conv_e);
        if (l->has_above) b->ops->conv_end(b->ops, &l->conv_up);
        b->ops->conv_end(b->ops, &l->conv_h);
        b->ops->map_store(b->ops, &l->dpeephole, l->peephole_grad);
    }
}

void sb_prednet_backward(prednet *p, int n, sb_target target)
{
    backward b = {p, p->net.ops, n};
    begin(&b);
    for (int t = n; t >= 1; t--) {
        const sb_tensor *y = &p->frame[target == SB_TARGET_SHARED ? n : t];
        prepare_inputs(&b, t);
        b.ops->loss_backward(b.ops, &p->layer[0].p[t], y, p->n_mean, t < n, &p->layer[0].dp[t % SB_STEPS]);
        undo_top_down(&b, t);
        undo_bottom_up(&b, t);
        if (t == 1) past_predictions(&b, true);
        flush_products(&b, t);
    }
    past_predictions(&b, false);
    end(&b);
}
