/* The mean squared error between the outputs and the input, over all numbers of the batch. */
#include "net/losses/loss.h"

#include <stdlib.h>

static sb_status check(const sb_layer_list *list, sb_map_size out)
{
    const sb_map_size in = list->input;
    if (list->n_rows && out.c == in.c && out.h == in.h && out.w == in.w) return SB_OK;
    return sb_layer_refuse(list, list->n_rows - 1,
                           "it is the last and gives %d channels of %dx%d, not those of the input, %d of %dx%d", out.c,
                           out.w, out.h, in.c, in.w, in.h);
}

static size_t batch_numbers(const sb_window *window, const sb_tensor *y)
{
    return (size_t)sb_window_batch(window) * sb_tensor_sample(y);
}

static void forward(sequential *s, const sb_window *window, const sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    const sb_tensor x = sb_sequential_map(s, s->input, s->list.input, window->n);
    ops->loss_forward(ops, y, &x, batch_numbers(window, y), s->net.loss);
}

static void backward(sequential *s, const sb_window *window, const sb_tensor *y, sb_tensor *dy)
{
    sb_ops *ops = s->net.ops;
    const sb_tensor x = sb_sequential_map(s, s->input, s->list.input, window->n);
    ops->loss_backward(ops, y, &x, batch_numbers(window, y), false, dy);
}

static sb_status outputs(sb_net *net, int first, int n, uint8_t *bytes)
{
    const sb_tensor y = sb_sequential_outputs(sequential_of(net), n);
    const size_t of_one = sb_tensor_sample(&y), size = (size_t)n * of_one;
    SB_FREED sb_real *host = malloc(size * sizeof *host);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for the outputs");
    sb_status status = sb_ops_read(net->ops, host, y.x + (size_t)first * of_one, size * sizeof *host);
    for (size_t i = 0; status == SB_OK && i < size; i++) bytes[i] = (uint8_t)(sb_clip(host[i]) * 255 + (sb_real)0.5);
    return status;
}

SB_LOSS_KIND(squared_error, .target = SB_LOSS_OF_INPUT, .outputs_name = "outputs", .n_terms = 1, .check = check,
             .lay_out = NULL, .forward = forward, .backward = backward, .measure = sb_net_measure_terms,
             .outputs = outputs);
