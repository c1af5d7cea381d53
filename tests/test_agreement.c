/* Networks in float64: every backend and arithmetic computes the same losses, gradients and states to the rounding of
 * their sums, for windows shorter and longer than the frames that one weight-gradient product takes at once. */
#include "support.h"

#include "learner.h"
#include "net/prednet/prednet.h"
#include "small_prednet.h"

#include <math.h>
#include <string.h>

enum { W = 24, H = 16, LAYERS = 3, WINDOW = 9, FRAME = W * H * 3, UPDATES = 2 };
static const double tolerance = 1e-12; /* of a tensor's largest element */

typedef struct computer {
    const char *backend, *arithmetic;
    int threads;
} computer;

/* What two updates leave behind. */
typedef struct outcome {
    double loss[UPDATES * WINDOW];
    double *grad, *state; /* of the second update; all states one after the other */
    size_t n_grad, n_state;
} outcome;

static size_t states_size(const sb_net *net)
{
    size_t n = 0;
    for (int i = 0; i < net->n_states; i++) n += sb_tensor_size(&net->state[i].tensor);
    return n;
}

static outcome train(const computer *on, int window, const uint8_t *bytes)
{
    outcome out = {{0}};
    sb_ops *ops;
    sb_net *net;
    const sb_backend_options options = {.threads = on->threads, .arithmetic = on->arithmetic, .winograd_channels = 1};
    const sb_prednet_shape shape = {LAYERS, {3, 5, 8}, W, H, window};
    assert_int_equal(sb_backend_open(&ops, on->backend, &options), SB_OK);
    const sb_status opened = sb_prednet_open(&net, ops, &shape);
    sb_learner learner = test_learner(opened, net, 7);
    for (int update = 1; update <= UPDATES; update++) {
        const sb_window w = {.bytes = bytes + (update - 1) * window * FRAME, .n = window, .reset = update == 1};
        sb_step_result result;
        assert_int_equal(sb_learner_update(&learner, &w, update, SB_GRADIENT_KEPT, &result), SB_OK);
        assert_int_equal(sb_learner_losses(&learner, out.loss + (update - 1) * window), SB_OK);
    }
    out.n_grad = net->params.total, out.n_state = states_size(net);
    out.grad = malloc(out.n_grad * sizeof(double)), out.state = malloc(out.n_state * sizeof(double));
    assert_true(out.grad && out.state);
    ops->to_host(ops, out.grad, net->grad, out.n_grad * sizeof(double));
    double *at = out.state;
    for (int i = 0; i < net->n_states; at += sb_tensor_size(&net->state[i].tensor), i++)
        ops->map_store(ops, &net->state[i].tensor, at);
    sb_learner_close(&learner);
    sb_backend_close(ops);
    return out;
}

static void expect_close(const char *where, const char *what, size_t n, const double *got, const double *wanted)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(wanted[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(got[i] - wanted[i]) <= tolerance * largest))
            fail_msg("%s: %s[%zu] is %a, plain direct gives %a", where, what, i, got[i], wanted[i]);
}

static void every_backend_agrees(void **state)
{
    (void)state;
    static const computer reference = {"native", "direct", 1};
    static const computer others[] = {{"native", "winograd", 1}, {"native", "winograd", 3}, {"openblas", "direct", 1}};
    static const int windows[] = {1, 3, 4, 5, 8, 9};
    uint8_t *bytes = waves(UPDATES * WINDOW + 1, W, H, 5);
    for (size_t k = 0; k < sizeof windows / sizeof *windows; k++) {
        outcome wanted = train(&reference, windows[k], bytes);
        for (size_t c = 0; c < sizeof others / sizeof *others; c++) {
            outcome got = train(&others[c], windows[k], bytes);
            char where[80];
            snprintf(where, sizeof where, "%s %s, %d threads, windows of %d", others[c].backend, others[c].arithmetic,
                     others[c].threads, windows[k]);
            expect_close(where, "loss", UPDATES * WINDOW, got.loss, wanted.loss);
            expect_close(where, "gradient", wanted.n_grad, got.grad, wanted.grad);
            expect_close(where, "state", wanted.n_state, got.state, wanted.state);
            free(got.grad), free(got.state);
        }
        free(wanted.grad), free(wanted.state);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_backend_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
