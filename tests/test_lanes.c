/* PredNet that learns from several sequences at once: each lane is the network that learns from that sequence alone, to
 * the bit where sums have a written order, and the gradient is the mean of the lanes' own, to rounding. */
#include "expect.h"
#include "small_prednet.h"
#include "subjects.h"

#include <math.h>

enum { W = 8, H = 8, TERMS = 3, LANES = 3, WINDOWS = 2, FRAMES = WINDOWS * TERMS + 1 };

static const size_t frame_size = (size_t)W * H * 3;

/* One network, and the frames of its lanes, [n_lanes][FRAMES]. */
typedef struct video {
    device d;
    sb_net *net;
    int n_lanes, n_batch; /* n_batch: 0 but where these are a part of it */
    uint8_t *frames;
} video;

static video open_video(const subject *on, int n_lanes)
{
    const sb_prednet_shape shape = {
        .n_layers = 3, .channels = {3, 5, 4}, .w = W, .h = H, .window = TERMS, .n_lanes = n_lanes};
    video v = {.d = device_open(on, 2), .n_lanes = n_lanes, .frames = malloc(n_lanes * FRAMES * frame_size)};
    assert_non_null(v.frames);
    if (sb_prednet_open(&v.net, v.d.ops, &shape) != SB_OK || sb_net_start(v.net, 5, 0) != SB_OK)
        fail_msg("%s", sb_message());
    return v;
}

static void close_video(video *v)
{
    sb_net_close(v->net);
    device_close(&v->d);
    free(v->frames);
}

static void set_lane(video *v, int lane, uint64_t seed)
{
    uint8_t *frames = waves(FRAMES, W, H, seed);
    memcpy(v->frames + lane * FRAMES * frame_size, frames, FRAMES * frame_size);
    free(frames);
}

/* Learns from window k of every lane. starts: [n_lanes], or NULL for all where k is 0. */
static void learn(video *v, int k, const bool *starts, sb_target target, double loss[TERMS])
{
    const size_t window_size = (TERMS + 1) * frame_size;
    uint8_t *bytes = malloc(v->n_lanes * window_size);
    assert_non_null(bytes);
    for (int lane = 0; lane < v->n_lanes; lane++)
        memcpy(bytes + lane * window_size, v->frames + (lane * FRAMES + k * TERMS) * frame_size, window_size);
    const sb_window window = {.bytes = bytes,
                              .n = TERMS,
                              .n_lanes = v->n_lanes,
                              .n_batch = v->n_batch,
                              .reset = k == 0,
                              .lane_reset = starts};
    sb_ops *ops = v->d.ops;
    IN_TEAM
    v->net->learn(v->net, &window, target);
    ops->to_host(ops, loss, v->net->loss, TERMS * sizeof *loss);
    if (ops->error(ops) != SB_OK) fail_msg("%s", sb_message());
    free(bytes);
}

static sb_real *gradient_of(const video *v)
{
    const size_t n = v->net->params.total;
    sb_real *gradient = host_take(n);
    v->d.ops->to_host(v->d.ops, gradient, v->net->grad, n * sizeof *gradient);
    return gradient;
}

/* Per parameter, to some roundings of its largest element. */
static void expect_close(const char *where, const sb_params *params, const sb_real *got, const double *wanted)
{
    for (int p = 0; p < params->n; p++) {
        const sb_param *param = &params->list[p];
        double largest = 0;
        for (size_t i = 0; i < param->n; i++) largest = fmax(largest, fabs(wanted[param->offset + i]));
        for (size_t i = param->offset; i < param->offset + param->n; i++)
            if (!(fabs(got[i] - wanted[i]) <= 200 * SB_REAL_EPSILON * largest))
                fail_msg("%s: gradient of %s[%zu] is %a, wanted %a", where, param->name, i - param->offset,
                         (double)got[i], wanted[i]);
    }
}

/* The state of a lane is the state of the network that has that sequence alone. */
static void expect_state(const subject *on, const video *all, int lane, const video *alone)
{
    for (int i = 0; i < alone->net->n_states; i++) {
        const sb_tensor got = sb_tensor_at(&all->net->state[i].tensor, lane), wanted = alone->net->state[i].tensor;
        const size_t n = sb_tensor_size(&wanted);
        sb_real *a = host_take(n), *b = host_take(n);
        all->d.ops->to_host(all->d.ops, a, got.x, n * sizeof *a);
        alone->d.ops->to_host(alone->d.ops, b, wanted.x, n * sizeof *b);
        for (size_t k = 0; k < n; k++) {
            const bool exact = sb_backend_find(on->backend)->in_written_order;
            if (!(exact ? a[k] == b[k] : fabs((double)a[k] - (double)b[k]) <= 1000 * SB_REAL_EPSILON))
                fail_msg("%s of lane %d: element %zu is %a, alone %a", alone->net->state[i].name, lane, k, (double)a[k],
                         (double)b[k]);
        }
        free(a), free(b);
    }
}

/* Lanes of sequences of their own, and in the last window one of them begins anew. */
static void lanes_are_their_sequences(void **state)
{
    const subject *on = *state;
    video all = open_video(on, LANES), alone[LANES];
    const size_t n = all.net->params.total;
    double *wanted = malloc(n * sizeof *wanted);
    assert_non_null(wanted);
    for (int lane = 0; lane < LANES; lane++) {
        alone[lane] = open_video(on, 1);
        set_lane(&all, lane, 20 + (uint64_t)lane), set_lane(&alone[lane], 0, 20 + (uint64_t)lane);
    }
    for (int k = 0; k < WINDOWS; k++) {
        bool starts[LANES] = {k == 0, k == 0 || k == WINDOWS - 1, k == 0};
        double loss[TERMS], mean[TERMS] = {0};
        for (size_t i = 0; i < n; i++) wanted[i] = 0;
        for (int lane = 0; lane < LANES; lane++) {
            double own[TERMS];
            learn(&alone[lane], k, &starts[lane], SB_TARGET_COPY, own);
            sb_real *gradient = gradient_of(&alone[lane]);
            for (size_t i = 0; i < n; i++) wanted[i] += (double)gradient[i] / LANES;
            for (int t = 0; t < TERMS; t++) mean[t] += own[t] / LANES;
            free(gradient);
        }
        learn(&all, k, starts, SB_TARGET_COPY, loss);
        for (int t = 0; t < TERMS; t++)
            if (!(fabs(loss[t] - mean[t]) <= 100 * SB_REAL_EPSILON * mean[t]))
                fail_msg("window %d, term %d: loss %a, the mean of the lanes' is %a", k, t, loss[t], mean[t]);
        sb_real *gradient = gradient_of(&all);
        expect_close("lanes of their own", &all.net->params, gradient, wanted);
        free(gradient);
        for (int lane = 0; lane < LANES; lane++) expect_state(on, &all, lane, &alone[lane]);
    }
    for (int lane = 0; lane < LANES; lane++) close_video(&alone[lane]);
    close_video(&all);
    free(wanted);
}

/* One and the same sequence in every lane has one lane's gradient, of both targets. */
static void the_same_sequence_has_one_lanes_gradient(void **state)
{
    for (sb_target target = SB_TARGET_COPY; target <= SB_TARGET_SHARED; target++) {
        video all = open_video(*state, LANES), one = open_video(*state, 1);
        const size_t n = one.net->params.total;
        double loss[TERMS], own[TERMS], *wanted = malloc(n * sizeof *wanted);
        assert_non_null(wanted);
        for (int lane = 0; lane < LANES; lane++) set_lane(&all, lane, 9);
        set_lane(&one, 0, 9);
        for (int k = 0; k < 2; k++) learn(&all, k, NULL, target, loss), learn(&one, k, NULL, target, own);
        sb_real *gradient = gradient_of(&all), *of_one = gradient_of(&one);
        for (size_t i = 0; i < n; i++) wanted[i] = of_one[i];
        expect_close("the same sequence", &one.net->params, gradient, wanted);
        free(gradient), free(of_one), free(wanted);
        close_video(&all), close_video(&one);
    }
}

/* What a lane predicts, as bytes, behind what the lane before it predicts. */
static void outputs_come_lane_by_lane(void **state)
{
    enum { FIRST = 1, N = 2 };
    video all = open_video(*state, LANES), one = open_video(*state, 1);
    uint8_t got[LANES][N][W * H * 3], wanted[N][W * H * 3];
    double loss[TERMS];
    for (int lane = 0; lane < LANES; lane++) set_lane(&all, lane, 30 + (uint64_t)lane);
    learn(&all, 0, NULL, SB_TARGET_COPY, loss);
    assert_int_equal(all.net->outputs(all.net, FIRST, N, &got[0][0][0]), SB_OK);
    for (int lane = 0; lane < LANES; lane++) {
        set_lane(&one, 0, 30 + (uint64_t)lane);
        learn(&one, 0, NULL, SB_TARGET_COPY, loss);
        assert_int_equal(one.net->outputs(one.net, FIRST, N, &wanted[0][0]), SB_OK);
        const uint8_t *a = &got[lane][0][0], *b = &wanted[0][0];
        for (int i = 0; i < N * W * H * 3; i++)
            if (abs(a[i] - b[i]) > 1) fail_msg("lane %d, byte %d is %d, alone %d", lane, i, a[i], b[i]);
    }
    close_video(&all), close_video(&one);
}

/* Of a batch of twice as many lanes these are half: half the loss and half the gradient, exactly. */
static void a_part_of_a_batch_has_its_share(void **state)
{
    video whole = open_video(*state, LANES), part = open_video(*state, LANES);
    double loss[TERMS], share[TERMS];
    part.n_batch = 2 * LANES;
    for (int lane = 0; lane < LANES; lane++) set_lane(&whole, lane, 9), set_lane(&part, lane, 9);
    learn(&whole, 0, NULL, SB_TARGET_COPY, loss), learn(&part, 0, NULL, SB_TARGET_COPY, share);
    for (int t = 0; t < TERMS; t++) assert_true(loss[t] > 0 && share[t] == loss[t] / 2);
    sb_real *gradient = gradient_of(&whole), *half = gradient_of(&part);
    for (size_t i = 0; i < whole.net->params.total; i++) half[i] *= 2;
    expect_equal("twice the share", whole.net->params.total, half, gradient);
    free(gradient), free(half);
    close_video(&whole), close_video(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_their_sequences), cmocka_unit_test(the_same_sequence_has_one_lanes_gradient),
        cmocka_unit_test(outputs_come_lane_by_lane), cmocka_unit_test(a_part_of_a_batch_has_its_share)};
    return run_on_subjects("lanes", tests, sizeof tests / sizeof *tests);
}
