#include "net/prednet/prednet_parts.h"

/* The operand of x, and that for the gates, where it is another one. */
static void read_map(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand, void *of_gates)
{
    ops->conv_input(ops, shape, x, operand);
    if (of_gates && of_gates != operand) ops->conv_input(ops, shape, x, of_gates);
}

/* R of step t. */
static void read_output(prednet *p, const layer *l, int n_steps, int t)
{
    const int slot = r_slot_of(l, n_steps, t);
    read_map(p->net.ops, &l->conv_h.shape, &l->r[t], l->r_input[slot], l->gates_h[slot]);
}

/* Weights in the backend's form, peepholes in its layout, and the operands of what the last window left. */
static void begin_window(prednet *p, int n_steps)
{
    sb_ops *ops = p->net.ops;
    for (int n = 0; n < p->shape.n_layers; n++) {
        layer *l = &p->layer[n];
        if (n > 0) ops->conv_begin(ops, &l->conv_a);
        ops->conv_begin(ops, &l->conv_p);
        ops->conv_begin(ops, &l->conv_e);
        if (l->has_above) ops->conv_begin(ops, &l->conv_up);
        ops->conv_begin(ops, &l->conv_h);
        ops->map_load(ops, l->peephole_weight, &l->peephole);
        read_output(p, l, n_steps, 0);
    }
}

/* E of every layer from the frame and the predictions made one step earlier. */
static void bottom_up(prednet *p, int n_steps, int t)
{
    sb_ops *ops = p->net.ops;
    for (int n = 0; n < p->shape.n_layers; n++) {
        layer *l = &p->layer[n], *below = n > 0 ? l - 1 : NULL;
        const sb_tensor *a = &p->frame[t - 1];
        const int slot = slot_of(l, n_steps, t);
        if (n > 0) {
            const sb_term from_below = {&l->conv_a, below->e_input[slot_of(below, n_steps, t)]};
            sb_tensor *before_pool = &l->before_pool[t % SB_STEPS], *pooled = &l->a[t % SB_STEPS];
            ops->conv_forward(ops, 1, &from_below, l->bias_a, before_pool);
            ops->pool_forward(ops, before_pool, pooled, l->pool_choice[t]);
            a = pooled;
        }
        ops->error_forward(ops, a, &l->p[t - 1], &l->e[t]);
        read_map(ops, &l->conv_e.shape, &l->e[t], l->e_input[slot], l->gates_e[slot]);
    }
}

/* P_n of step t from the operand of its R_n. */
static void predict(prednet *p, int n_steps, int n, int t)
{
    layer *l = &p->layer[n];
    const sb_term from_r = {&l->conv_p, l->r_input[r_slot_of(l, n_steps, t)]};
    p->net.ops->conv_forward(p->net.ops, 1, &from_r, l->bias_p, &l->p[t]);
    p->net.ops->output_forward(p->net.ops, &l->p[t], n == 0);
}

/* R and P of every layer, from the top; each R is an input of its own ConvP, of the next step's cell, and of the layer
 * below. */
static void top_down(prednet *p, int n_steps, int t)
{
    sb_ops *ops = p->net.ops;
    for (int n = p->shape.n_layers - 1; n >= 0; n--) {
        layer *l = &p->layer[n], *below = n > 0 ? l - 1 : NULL;
        const int slot = slot_of(l, n_steps, t), r_old = r_slot_of(l, n_steps, t - 1);
        sb_term term[SB_TERMS_MAX];
        int n_terms = 0;
        term[n_terms++] = (sb_term){&l->conv_e, l->gates_e[slot]};
        if (l->has_above) term[n_terms++] = (sb_term){&l->conv_up, l->up_input[slot]};
        term[n_terms++] = (sb_term){&l->conv_h, l->gates_h[r_old]};
        ops->conv_forward(ops, n_terms, term, l->bias_gates, &l->gates[t]);
        ops->lstm_forward(ops, &l->gates[t], &l->peephole, &l->cell[t - 1], &l->cell[t], &l->r[t]);

        read_output(p, l, n_steps, t);
        if (n > 0) ops->conv_input(ops, &below->conv_up.shape, &l->r[t], below->up_input[slot_of(below, n_steps, t)]);
        predict(p, n_steps, n, t);
    }
}

void sb_prednet_forward(prednet *p, const sb_window *window)
{
    sb_ops *ops = p->net.ops;
    const int n = window->n;
    begin_window(p, n);
    for (int k = 1; window->predict_again && p->has_past && k < p->shape.n_layers; k++) predict(p, n, k, 0);
    for (int t = 1; t <= n; t++) {
        const sb_tensor *y = &p->frame[window->judged_by == SB_TARGET_SHARED ? n : t];
        bottom_up(p, n, t);
        top_down(p, n, t);
        ops->loss_forward(ops, &p->layer[0].p[t], y, p->n_mean, &p->net.loss[t - 1]);
    }
}
