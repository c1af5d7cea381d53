/* native-cuda against native, bit for bit: windows of a small PredNet and updates of an autoencoder, on the kernels
 * walked by the CPU (everywhere) and on a device (where there is one); the list of work that becomes one graph a
 * window; errors that stick. */
#include "small_prednet.h"

#include "autoencoder.h"
#include "backend/gpu.h"
#include "backend/profile.h"
#include "learner.h"

#include <string.h>

typedef struct pair {
    const char *backend, *arithmetic, *walk;
    sb_target target;
    int frames_per_product; /* 0: as the backend likes it */
} pair;

static sb_ops *open_backend(const char *name, const char *arithmetic)
{
    sb_ops *ops;
    const sb_backend_options options = {.threads = 2, .arithmetic = arithmetic};
    sb_status status = sb_backend_open(&ops, name, &options);
    if (status == SB_E_MISSING) {
        print_message("%s\n", sb_message());
        skip();
    }
    if (status != SB_OK) fail_msg("%s: %s", name, sb_message());
    return ops;
}

static void expect_same_block(const char *what, long update, const sb_learner *on_a, const sb_real *x,
                              const sb_learner *on_b, const sb_real *y)
{
    const sb_net *a = on_a->net;
    void *free_x, *free_y;
    const sb_real *left, *right;
    assert_int_equal(sb_learner_host_block(on_a, x, &left, &free_x), SB_OK);
    assert_int_equal(sb_learner_host_block(on_b, y, &right, &free_y), SB_OK);
    for (int p = 0; p < a->params.n; p++) {
        const sb_param *param = &a->params.list[p];
        for (size_t i = param->offset; i < param->offset + param->n; i++)
            if (memcmp(&left[i], &right[i], sizeof *left) != 0)
                fail_msg("update %ld, %s of %s[%zu]: native has %a, the GPU %a", update, what, param->name,
                         i - param->offset, (double)left[i], (double)right[i]);
    }
    free(free_x), free(free_y);
}

static void expect_same_learner(long update, const sb_learner *a, const sb_learner *b)
{
    expect_same_block("gradient", update, a, a->net->grad, b, b->net->grad);
    for (int k = 0; k < a->optimizer.row->n_states; k++)
        expect_same_block(a->optimizer.row->state[k], update, a, a->optimizer.state[k], b, b->optimizer.state[k]);
    expect_same_block("weight", update, a, a->net->weight, b, b->net->weight);
}

/* ---- PredNet ---- */

enum { W = 12, H = 8, WINDOW = 5, UPDATES = 4 };

static sb_learner open_prednet(sb_ops *ops)
{
    sb_net *net = NULL;
    const sb_prednet_shape shape = {.n_layers = 3, .channels = {3, 16, 18}, .w = W, .h = H, .window = WINDOW};
    const sb_status opened = sb_prednet_open(&net, ops, &shape);
    return test_learner(opened, net, 3);
}

/* As in training: the first window of a sequence is one term shorter, and starts from zero. */
static void learn(sb_learner *learner, uint8_t *frames, long update, sb_target target, sb_step_result *result)
{
    bool first = update == 1;
    const sb_window window = {
        .bytes = frames + (size_t)(update - 1) * WINDOW * W * H * 3, .n = first ? WINDOW - 1 : WINDOW, .reset = first};
    learner->target = target;
    if (sb_learner_update(learner, &window, update, SB_GRADIENT_KEPT, result) != SB_OK)
        fail_msg("update %ld: %s", update, sb_message());
}

static void windows_have_the_bits_of_native(void **state)
{
    const pair *p = *state;
    setenv("SAMEBITS_WALK", p->walk, 1);
    sb_ops *gpu = open_backend(p->backend, p->arithmetic), *cpu = open_backend("native", p->arithmetic);
    if (p->frames_per_product) gpu->frames_per_product = p->frames_per_product;
    uint8_t *frames = waves(UPDATES * WINDOW + 1, W, H, 5); /* behind what may skip */
    sb_learner a = open_prednet(cpu), b = open_prednet(gpu);
    for (long update = 1; update <= UPDATES; update++) {
        sb_step_result wanted, got;
        learn(&a, frames, update, p->target, &wanted);
        learn(&b, frames, update, p->target, &got);
        expect_same_learner(update, &a, &b);
        assert_memory_equal(&wanted, &got, sizeof got); /* losses and norm */
    }
    assert_int_equal(sb_gpu_graphs_made(gpu), 1); /* of the second window; the first is another list than the rest */
    sb_learner_close(&a), sb_learner_close(&b);
    sb_backend_close(cpu), sb_backend_close(gpu);
    free(frames);
}

/* ---- autoencoder ---- */

static void expect_same_images(const pair *p, const sb_list *hidden)
{
    enum { INPUTS = 60, BATCH = 7 };
    setenv("SAMEBITS_WALK", p->walk, 1);
    sb_ops *gpu = open_backend(p->backend, p->arithmetic), *cpu = open_backend("native", p->arithmetic);
    uint8_t *bytes = waves(1, INPUTS, BATCH, 6);
    for (int batch = 1; batch <= BATCH; batch += BATCH - 1) {
        const autoencoder_shape shape = {INPUTS, *hidden, batch, SB_ACTIVATION_relu, SB_ACTIVATION_relu};
        sb_net *net[2];
        sb_learner learner[2];
        sb_step_result result[2];
        for (int i = 0; i < 2; i++) {
            const sb_status opened = autoencoder_open(&net[i], i ? gpu : cpu, &shape);
            learner[i] = test_learner(opened, net[i], 4);
        }
        for (long update = 1; update <= 8; update++) {
            sb_gradient gradient = update % 2 ? SB_GRADIENT_DROPPED : SB_GRADIENT_KEPT;
            const sb_window window = {.bytes = bytes + update, .n = batch};
            for (int i = 0; i < 2; i++)
                assert_int_equal(sb_learner_update(&learner[i], &window, update, gradient, &result[i]), SB_OK);
            expect_same_block("weight", update, &learner[0], net[0]->weight, &learner[1], net[1]->weight);
            assert_memory_equal(&result[0].loss_last, &result[1].loss_last, sizeof result[0].loss_last);
        }
        sb_learner_close(&learner[0]), sb_learner_close(&learner[1]);
    }
    sb_backend_close(cpu), sb_backend_close(gpu);
    free(bytes);
}

static void images_have_the_bits_of_native(void **state)
{
    const pair *p = *state;
    const sb_list one = {1, {19}}, three = {3, {21, 9, 4}};
    expect_same_images(p, p->frames_per_product ? &three : &one);
}

/* ---- the list ---- */

static void work_waits_until_somebody_looks(void **state)
{
    (void)state;
    sb_ops *ops = open_backend("cuda-on-cpu", "direct");
    float *x = ops->allocate(ops, 16 * sizeof *x), got[16];
    assert_non_null(x);
    const float before[4] = {1, 2, 3, 4};
    ops->to_device(ops, x, before, sizeof before);
    ops->copy(ops, x + 4, x, sizeof before);
    assert_true(x[0] == 0 && x[4] == 0);
    ops->to_host(ops, got, x, sizeof got);
    assert_true(got[3] == 4 && got[7] == 4);
    ops->release(ops, x);
    sb_backend_close(ops);
}

/* Else the time of an operation would be that of putting it down. */
static void a_profile_waits_for_each_operation(void **state)
{
    (void)state;
    sb_ops *ops = open_backend("cuda-on-cpu", "direct");
    sb_profile *profile;
    assert_int_equal(sb_profile_open(&profile, ops), SB_OK);
    sb_ops *timed = sb_profile_ops(profile);
    float *x = ops->allocate(ops, 8 * sizeof *x);
    assert_non_null(x);
    const float before[4] = {1, 2, 3, 4};
    timed->to_device(timed, x, before, sizeof before);
    assert_true(x[0] == 1);
    timed->copy(timed, x + 4, x, sizeof before);
    assert_true(x[4] == 1 && x[7] == 4);
    ops->release(ops, x);
    sb_profile_close(profile);
    sb_backend_close(ops);
}

/* Time of what has no row is not told as that of another operation. */
static void a_full_profile_says_others(void **state)
{
    (void)state;
    enum { SHAPES = SB_PROFILE_ROWS_MAX + 10 };
    sb_ops *ops = open_backend("native", "direct");
    sb_profile *profile;
    assert_int_equal(sb_profile_open(&profile, ops), SB_OK);
    sb_ops *timed = sb_profile_ops(profile);
    float *x = ops->allocate(ops, SHAPES * sizeof *x);
    for (int repeat = 0; repeat < 2; repeat++)
        for (int w = 1; w <= SHAPES; w++) timed->output_forward(timed, &(sb_tensor){1, 1, 1, 1, w, x}, true);
    int n;
    const sb_profile_row *row = sb_profile_rows(profile, &n);
    assert_int_equal(n, SB_PROFILE_ROWS_MAX);
    for (int i = 0; i < n - 1; i++) assert_true(row[i].calls == 2 && row[i].w == i + 1);
    assert_string_equal(row[n - 1].operation, "others");
    assert_true(row[n - 1].calls == 2 * (SHAPES - (n - 1)) && row[n - 1].w == 0);
    ops->release(ops, x);
    sb_profile_close(profile);
    sb_backend_close(ops);
}

static void first_error_stays_until_asked(void **state)
{
    (void)state;
    sb_ops *ops = open_backend("cuda-on-cpu", "direct");
    float *x = ops->allocate(ops, sizeof *x), got = 7;
    assert_non_null(x);
    sb_gpu *gpu = sb_gpu_begin(ops, "conv_forward", &(sb_tensor){1, 4, 48, 60, 80, NULL});
    gpu->failed(gpu, "an illegal memory access was encountered");
    gpu->label.operation = "adam";
    gpu->failed(gpu, "another");
    ops->to_host(ops, &got, x, sizeof got);
    assert_true(got == 0); /* nothing is made up */
    assert_int_equal(ops->error(ops), SB_E_IO);
    assert_string_equal(sb_message(), "walked by the CPU: conv_forward on 4x48 channels of 60x80: an illegal memory "
                                      "access was encountered");
    assert_int_equal(ops->error(ops), SB_OK);
    ops->release(ops, x);
    sb_backend_close(ops);
}

int main(void)
{
    static pair pairs[] = {
        {"cuda-on-cpu", "direct", "up"},
        {"cuda-on-cpu", "winograd", "up"},
        {"cuda-on-cpu", "direct", "down", SB_TARGET_SHARED, 4}, /* products of four frames, and of one */
        {"cuda-on-cpu", "winograd", "down", SB_TARGET_SHARED, 4},
        {"native-cuda", "direct", "up"},
        {"native-cuda", "winograd", "up"}};
    enum { PAIRS = sizeof pairs / sizeof *pairs };
    static char name[2 * PAIRS][80];
    enum { OTHERS = 4 };
    struct CMUnitTest tests[2 * PAIRS + OTHERS] = {
        cmocka_unit_test(work_waits_until_somebody_looks), cmocka_unit_test(a_profile_waits_for_each_operation),
        cmocka_unit_test(a_full_profile_says_others), cmocka_unit_test(first_error_stays_until_asked)};
    for (int i = 0; i < 2 * PAIRS; i++) {
        pair *p = &pairs[i / 2];
        snprintf(name[i], sizeof name[i], "%s, %s %s %s", i % 2 ? "images" : "windows", p->backend, p->arithmetic,
                 p->walk);
        tests[i + OTHERS] = (struct CMUnitTest){
            name[i], i % 2 ? images_have_the_bits_of_native : windows_have_the_bits_of_native, NULL, NULL, p};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
