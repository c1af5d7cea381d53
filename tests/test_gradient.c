/* Gradients of whole networks in float64 against central differences: every parameter, several elements of each and a
 * random direction through it, over both targets and over two windows, so that the one link between windows is seen.
 *
 * What is differentiated is written here anew: the network runs frame by frame, forward only, and the loss is formed in
 * this file. Second window: the state left by the first one stands still, but P_n, n > 0, is made again from R_n by the
 * changed ConvP_n (spec/networks.md, section 2).
 *
 * A point near a kink (relu, clip, pool, |error|) has no derivative to compare with: there the differences of several
 * steps disagree. Such points are left out, counted, and may be few only.
 */
#include "support.h"

#include "autoencoder.h"
#include "backend/backend.h"
#include "core/random.h"
#include "net/prednet/prednet.h"
#include "small_prednet.h"

#include <math.h>
#include <string.h>

#ifndef SB_REAL_IS_DOUBLE
#error "differences need the float64 build"
#endif

/* Points of a parameter beside the random direction, how many may lie at a kink, and which parameters are looked at:
 * every STEP-th. The sanitizers look at the same code with fewer points: its numbers are the other build's matter. */
#ifdef SB_SANITIZED
enum { ELEMENTS = 1, KINKS = 1, STEP = 7 };
#else
enum { ELEMENTS = 3, KINKS = 1, STEP = 1 };
#endif
enum { LAYERS = 4, W = 16, H = 8, WINDOW = 4, FRAME = W * H * 3 };
static const double tolerance = 1e-6, most_skipped = 0.05;

/* A network, and what is minimised. */
typedef struct problem {
    sb_net *net;
    double (*loss)(struct problem *p); /* for the weights that net holds now */
    const uint8_t *bytes;
    int first, n; /* window: bytes of frames first .. first + n */
    bool reset;
    sb_target target;
    double *state[SB_STATES_MAX]; /* before the window */
    const double *weight;         /* where differences are taken */
    int n_points, n_skipped;
    double worst;
} problem;

/* ---- PredNet ---- */

static sb_tensor *state_tensor(sb_net *net, char kind, int layer)
{
    for (int i = 0; i < net->n_states; i++)
        if (net->state[i].name[0] == kind && net->state[i].name[1] == '0' + layer) return &net->state[i].tensor;
    fail_msg("no state %c%d", kind, layer);
    return NULL;
}

static double *planes_of(sb_net *net, const sb_tensor *tensor)
{
    double *planes = malloc(sb_tensor_size(tensor) * sizeof *planes);
    assert_non_null(planes);
    net->ops->map_store(net->ops, tensor, planes);
    return planes;
}

static void keep_state(problem *p)
{
    for (int i = 0; i < p->net->n_states; i++) p->state[i] = planes_of(p->net, &p->net->state[i].tensor);
}

static void drop_state(problem *p)
{
    for (int i = 0; i < p->net->n_states; i++) free(p->state[i]);
}

static const double *weight_named(const sb_net *net, const char *format, int layer)
{
    char name[48];
    snprintf(name, sizeof name, format, layer);
    for (int i = 0; i < net->params.n; i++)
        if (strcmp(net->params.list[i].name, name) == 0) return net->weight + net->params.list[i].offset;
    fail_msg("no parameter %s", name);
    return NULL;
}

/* P_n = relu(ConvP_n(R_n)) of the step before the window, by the weights as they are now. */
static void predict_again(problem *p, int n, const double *r)
{
    sb_net *net = p->net;
    sb_tensor *tensor = state_tensor(net, 'P', n);
    const double *w = weight_named(net, "conv_p%d/w", n), *b = weight_named(net, "conv_p%d/b", n);
    double *out = planes_of(net, tensor);
    int c = tensor->c, h = tensor->h, width = tensor->w;
    for (int o = 0; o < c; o++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < width; x++) {
                double sum = b[o];
                for (int i = 0; i < c; i++)
                    for (int tap = 0; tap < 9; tap++) {
                        int from_y = y + tap / 3 - 1, from_x = x + tap % 3 - 1;
                        if (from_y < 0 || from_y >= h || from_x < 0 || from_x >= width) continue;
                        sum += w[(o * c + i) * 9 + tap] * r[(i * h + from_y) * width + from_x];
                    }
                out[(o * h + y) * width + x] = sum > 0 ? sum : 0;
            }
    net->ops->map_load(net->ops, out, tensor);
    free(out);
}

static void restore(problem *p)
{
    sb_net *net = p->net;
    for (int i = 0; i < net->n_states; i++) net->ops->map_load(net->ops, p->state[i], &net->state[i].tensor);
    for (int i = 0; !p->reset && i < net->n_states; i++)
        if (net->state[i].name[0] == 'h' && net->state[i].name[1] != '0')
            predict_again(p, net->state[i].name[1] - '0', p->state[i]);
}

/* Sum over the window's steps of mean((P_0 - y)^2), y each step's own frame or the window's last. */
static double prednet_loss(problem *p)
{
    restore(p);
    sb_net *net = p->net;
    double sum = 0;
    for (int t = 0; t < p->n; t++) {
        const sb_window one = {.bytes = p->bytes + (p->first + t) * FRAME, .n = 1, .reset = p->reset && t == 0};
        net->infer(net, &one);
        const uint8_t *y = p->bytes + (p->first + (p->target == SB_TARGET_SHARED ? p->n : t + 1)) * FRAME;
        double *out = planes_of(net, state_tensor(net, 'P', 0)), squares = 0;
        for (int i = 0; i < W * H; i++)
            for (int c = 0; c < 3; c++) {
                double d = out[c * W * H + i] - (double)((float)y[3 * i + c] / 255.0f);
                squares += d * d;
            }
        free(out);
        sum += squares / FRAME;
    }
    return sum;
}

/* ---- differences ---- */

/* (loss(w + h d) - loss(w - h d)) / 2h, d the direction over one parameter. */
static double difference(problem *p, const sb_param *param, const double *direction, double h)
{
    double value[2];
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < param->n; i++)
            p->net->weight[param->offset + i] = p->weight[param->offset + i] + (side ? -h : h) * direction[i];
        value[side] = p->loss(p);
    }
    memcpy(p->net->weight + param->offset, p->weight + param->offset, param->n * sizeof(double));
    return (value[0] - value[1]) / (2 * h);
}

/* The derivative along a direction from differences of three steps, h, h/2 and h/4, extrapolated to step 0 from the
 * first two and from the last two (Richardson). *spread: how far these two disagree. */
static double derivative(problem *p, const sb_param *param, const double *direction, double h, double *spread)
{
    double d1 = difference(p, param, direction, h), d2 = difference(p, param, direction, h / 2);
    double d4 = difference(p, param, direction, h / 4);
    double from_coarse = (4 * d2 - d1) / 3, from_fine = (4 * d4 - d2) / 3;
    *spread = fabs(from_fine - from_coarse);
    return from_fine;
}

/* One direction; scale is what errors are a share of. Large steps round less, small ones see fewer kinks: the first
 * that agrees with itself and with the gradient counts, which the first of all mostly does. Returns its error, or 0 and
 * counts a kink where none agrees with itself. */
static double error_along(problem *p, const sb_param *param, const double *grad, const double *direction, double scale)
{
    static const double steps[] = {1e-3, 5e-5, 1e-2, 2e-6};
    double wanted = 0, consistent = NAN;
    for (size_t i = 0; i < param->n; i++) wanted += grad[param->offset + i] * direction[i];
    p->n_points++;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        double spread, got = derivative(p, param, direction, steps[k], &spread);
        if (spread > tolerance / 4 * scale) continue;
        if (fabs(got - wanted) <= tolerance * scale) return fabs(got - wanted) / scale;
        consistent = got;
    }
    if (!isnan(consistent)) fail_msg("%s: gradient %a, differences %a", param->name, wanted, consistent);
    p->n_skipped++;
    return 0;
}

/* Elements spread over the parameter, then a direction of signs through all of it. */
static void check_param(problem *p, int number, const double *grad)
{
    const sb_param *param = &p->net->params.list[number];
    double *direction = calloc(param->n, sizeof *direction), largest = 0, length = 0, worst = 0;
    int skipped_before = p->n_skipped;
    assert_non_null(direction);
    for (size_t i = 0; i < param->n; i++) {
        largest = fmax(largest, fabs(grad[param->offset + i]));
        length += grad[param->offset + i] * grad[param->offset + i];
    }
    if (largest == 0) fail_msg("%s: no gradient at all, the check would show nothing", param->name);
    for (size_t k = 0; k < ELEMENTS; k++) {
        size_t at = sb_random_words(9, (uint32_t)number, k).word[0] % param->n;
        direction[at] = 1;
        worst = fmax(worst, error_along(p, param, grad, direction, largest));
        direction[at] = 0;
    }
    for (size_t i = 0; i < param->n; i++) direction[i] = sb_random_words(8, (uint32_t)number, i).word[0] & 1 ? 1 : -1;
    worst = fmax(worst, error_along(p, param, grad, direction, sqrt(length)));
    int skipped = p->n_skipped - skipped_before;
    print_message("  %-26s largest error %.1e%s\n", param->name, worst, skipped ? ", some points at kinks" : "");
    if (skipped > KINKS) fail_msg("%s: %d points at kinks, too few are left", param->name, skipped);
    p->worst = fmax(p->worst, worst);
    free(direction);
}

static void check_all(problem *p, const char *what, const sb_window *window)
{
    sb_net *net = p->net;
    size_t n_bytes = net->params.total * sizeof(double);
    double *grad = malloc(n_bytes), *weight = malloc(n_bytes);
    assert_true(grad && weight);
    memcpy(weight, net->weight, n_bytes);
    p->weight = weight;
    print_message("%s\n", what);
    net->learn(net, window, p->target);
    memcpy(grad, net->grad, n_bytes);
    for (int i = 0; i < net->params.n; i += STEP) check_param(p, i, grad);
    print_message("  %d parameters, largest error %.1e, %d of %d points at kinks\n", net->params.n, p->worst,
                  p->n_skipped, p->n_points);
    assert_true(p->n_skipped <= most_skipped * p->n_points);
    free(grad), free(weight);
}

/* Start weights, with biases away from zero and from the flat ends of the clip. */
static void start(sb_net *net, uint64_t seed)
{
    assert_int_equal(sb_net_start(net, seed, 0), SB_OK);
    for (int k = 0; k < net->params.n; k++) {
        const sb_param *param = &net->params.list[k];
        for (size_t i = 0; param->sd == 0 && i < param->n; i++)
            net->weight[param->offset + i] = 0.1 + 0.1 * sb_random_uniform(seed, 1000 + (uint32_t)k, i);
    }
}

typedef struct computer {
    const char *backend, *arithmetic;
} computer;

static sb_ops *open_computer(const computer *on)
{
    sb_ops *ops;
    const sb_backend_options options = {.threads = 1, .arithmetic = on->arithmetic, .winograd_channels = 1};
    assert_int_equal(sb_backend_open(&ops, on->backend, &options), SB_OK);
    return ops;
}

/* A window of n frames behind `seen` frames of the sequence; seen 0: it starts there. Nothing is learned from them. */
static void check_prednet(const computer *on, sb_target target, int seen, int n)
{
    sb_ops *ops = open_computer(on);
    sb_net *net;
    const sb_prednet_shape shape = {LAYERS, {3, 2, 3, 4}, W, H, n};
    assert_int_equal(sb_prednet_open(&net, ops, &shape), SB_OK);
    start(net, 3);
    uint8_t *bytes = waves(2 * WINDOW + 1, W, H, 5);
    problem p = {.net = net, .loss = prednet_loss, .bytes = bytes, .n = n, .target = target};
    for (; p.first < seen; p.first++) {
        const sb_window before = {.bytes = bytes + p.first * FRAME, .n = 1, .reset = p.first == 0};
        net->infer(net, &before);
    }
    p.reset = seen == 0;
    keep_state(&p);
    const sb_window learned = {.bytes = bytes + p.first * FRAME, .n = p.n, .reset = p.reset};
    char what[80];
    snprintf(what, sizeof what, "prednet, %s %s, %d frames behind %d, target %s", on->backend, on->arithmetic, n, seen,
             target == SB_TARGET_SHARED ? "shared" : "copy");
    check_all(&p, what, &learned);
    drop_state(&p);
    free(bytes);
    sb_net_close(net);
    sb_backend_close(ops);
}

static void prednet_first_window(void **state)
{
    check_prednet(*state, SB_TARGET_COPY, 0, WINDOW - 1);
}

static void prednet_second_window_with_its_link(void **state)
{
    check_prednet(*state, SB_TARGET_COPY, WINDOW - 1, WINDOW);
}

static void prednet_shared_target(void **state)
{
    check_prednet(*state, SB_TARGET_SHARED, WINDOW - 1, WINDOW);
}

/* An update a frame: the cut leaves nothing of the past but the one link. */
static void prednet_window_of_one_frame(void **state)
{
    check_prednet(*state, SB_TARGET_COPY, WINDOW, 1);
}

/* The network itself gives the loss that is differentiated above, at weights that are not those of the carried state. */
static void prednet_loss_as_a_function_of_the_weights(void **state)
{
    for (sb_target target = 0; target < SB_N_TARGETS; target++)
        for (int seen = 0; seen < WINDOW; seen += WINDOW - 1) {
            sb_ops *ops = open_computer(*state);
            sb_net *net;
            const sb_prednet_shape shape = {LAYERS, {3, 2, 3, 4}, W, H, WINDOW};
            assert_int_equal(sb_prednet_open(&net, ops, &shape), SB_OK);
            start(net, 3);
            uint8_t *bytes = waves(2 * WINDOW + 1, W, H, 5);
            problem p = {.net = net, .bytes = bytes, .n = WINDOW, .target = target, .reset = seen == 0};
            for (; p.first < seen; p.first++) {
                const sb_window before = {.bytes = bytes + p.first * FRAME, .n = 1, .reset = p.first == 0};
                net->infer(net, &before);
            }
            keep_state(&p);
            for (size_t i = 0; i < net->params.total; i++) net->weight[i] *= i % 2 ? 1.01 : 0.98;
            const double wanted = prednet_loss(&p);
            for (int i = 0; i < net->n_states; i++) net->ops->map_load(net->ops, p.state[i], &net->state[i].tensor);
            const sb_window window = {.bytes = bytes + p.first * FRAME,
                                      .n = p.n,
                                      .reset = p.reset,
                                      .judged_by = target,
                                      .predict_again = true};
            double got = 0;
            net->infer(net, &window);
            for (int i = 0; i < p.n; i++) got += net->loss[i];
            if (!(fabs(got - wanted) <= 1e-12 * wanted))
                fail_msg("%d frames seen, target %d: %a, by hand %a", seen, (int)target, got, wanted);
            drop_state(&p);
            free(bytes);
            sb_net_close(net);
            sb_backend_close(ops);
        }
}

/* ---- autoencoder ---- */

enum { INPUTS = 30, BATCH = 3 };

/* The one that is looked at. */
static const autoencoder_shape *looked_at;

static double activated(sb_activation kind, double x)
{
    if (kind == SB_ACTIVATION_relu) return fmax(x, 0);
    if (kind == SB_ACTIVATION_tanh) return tanh(x);
    return kind == SB_ACTIVATION_sigmoid ? 1 / (1 + exp(-x)) : x;
}

/* y[out] = activation(b + w x[in]), the layer of that name. */
static void dense_by_hand(problem *p, const char *layer, sb_activation kind, int in, int out, const double *x,
                          double *y)
{
    char name[2][32];
    snprintf(name[0], sizeof name[0], "%s/w", layer), snprintf(name[1], sizeof name[1], "%s/b", layer);
    const double *w = weight_named(p->net, name[0], 0), *b = weight_named(p->net, name[1], 0);
    for (int o = 0; o < out; o++) {
        double sum = b[o];
        for (int i = 0; i < in; i++) sum += w[o * in + i] * x[i];
        y[o] = activated(kind, sum);
    }
}

/* Formed here: the activated decoder of the activated encoder of x, mean square over batch and inputs. */
static double autoencoder_loss(problem *p)
{
    static const char *const one[] = {"encoder", "decoder"};
    static const char *const three[] = {"encoder1", "encoder2", "encoder3", "decoder1", "decoder2", "decoder3"};
    const autoencoder_shape *shape = looked_at;
    const int *h = shape->hidden.item, n = 2 * shape->hidden.n;
    const int units[] = {INPUTS, h[0], h[1], h[2], h[1], h[0], INPUTS}, units_of_one[] = {INPUTS, h[0], INPUTS};
    double sum = 0;
    for (int b = 0; b < BATCH; b++) {
        double x[INPUTS], from[INPUTS], to[INPUTS];
        for (int i = 0; i < INPUTS; i++) from[i] = x[i] = (float)p->bytes[b * INPUTS + i] / 255.0f;
        for (int l = 0; l < n; l++) {
            const int *size = (n == 2 ? units_of_one : units) + l;
            dense_by_hand(p, (n == 2 ? one : three)[l], l + 1 < n ? shape->of_hidden : shape->of_outputs, size[0],
                          size[1], from, to);
            memcpy(from, to, sizeof from);
        }
        for (int i = 0; i < INPUTS; i++) sum += (to[i] - x[i]) * (to[i] - x[i]);
    }
    return sum / (BATCH * INPUTS);
}

static void check_autoencoder(const computer *on, sb_list hidden, sb_activation of_hidden, sb_activation of_outputs)
{
    sb_ops *ops = open_computer(on);
    sb_net *net;
    const autoencoder_shape shape = {INPUTS, hidden, BATCH, of_hidden, of_outputs};
    assert_int_equal(autoencoder_open(&net, ops, &shape), SB_OK);
    looked_at = &shape;
    start(net, 4);
    uint8_t *bytes = waves(1, 10, 3, 6);
    problem p = {.net = net, .loss = autoencoder_loss, .bytes = bytes};
    check_all(&p, hidden.n == 1 ? "autoencoder" : "autoencoder, three layers and three",
              &(sb_window){.bytes = bytes, .n = BATCH});
    free(bytes);
    sb_net_close(net);
    sb_backend_close(ops);
}

static void autoencoder(void **state)
{
    const sb_list one = {1, {9}}, three = {3, {12, 8, 5}};
    check_autoencoder(*state, one, SB_ACTIVATION_relu, SB_ACTIVATION_relu);
    check_autoencoder(*state, one, SB_ACTIVATION_sigmoid, SB_ACTIVATION_linear);
    check_autoencoder(*state, one, SB_ACTIVATION_tanh, SB_ACTIVATION_sigmoid);
    check_autoencoder(*state, three, SB_ACTIVATION_relu, SB_ACTIVATION_relu);
    check_autoencoder(*state, three, SB_ACTIVATION_tanh, SB_ACTIVATION_sigmoid);
}

int main(void)
{
    static computer direct = {"native", "direct"}, winograd = {"native", "winograd"}, blas = {"openblas", "direct"};
    const struct CMUnitTest tests[] = {
        {"prednet_loss_as_a_function, direct", prednet_loss_as_a_function_of_the_weights, NULL, NULL, &direct},
        {"prednet_loss_as_a_function, winograd", prednet_loss_as_a_function_of_the_weights, NULL, NULL, &winograd},
        {"prednet_first_window", prednet_first_window, NULL, NULL, &direct},
        {"prednet_second_window_with_its_link, direct", prednet_second_window_with_its_link, NULL, NULL, &direct},
        {"prednet_second_window_with_its_link, winograd", prednet_second_window_with_its_link, NULL, NULL, &winograd},
        {"prednet_second_window_with_its_link, openblas", prednet_second_window_with_its_link, NULL, NULL, &blas},
        {"prednet_shared_target", prednet_shared_target, NULL, NULL, &direct},
        {"prednet_window_of_one_frame, direct", prednet_window_of_one_frame, NULL, NULL, &direct},
        {"prednet_window_of_one_frame, winograd", prednet_window_of_one_frame, NULL, NULL, &winograd},
        {"autoencoder, native", autoencoder, NULL, NULL, &direct},
        {"autoencoder, openblas", autoencoder, NULL, NULL, &blas},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
