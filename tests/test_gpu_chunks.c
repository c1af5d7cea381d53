/* Convolutions of a batch in chunks by the bytes of their operands, and weight products of several chunks: the same bits,
 * with fewer launches; with little memory again a product for each chunk. */
#include "walked_machine.h"

enum { UPDATES = 3 };

/* 3x3 by Winograd and by the direct chains, 5x5, 1x1 and a stride; a batch of no whole number of chunks. */
static const walked_network convolutions = {
    "convolutions",
    "layers",
    "winograd",
    "conv-3-3_conv-8-3_norm_conv-8-3_conv-5-3_relu_conv-6-5_conv-7-1_conv-5-3-stride-2-bias_dense-classes",
    "adam",
    {3, 12, 12, 3},
    5,
    {0}};

typedef struct counts {
    int weight_products, all;
    bool opens;         /* the network is being opened */
    size_t most, limit; /* bytes of its memory; limit 0: none */
    int n_refused;
} counts;

static counts counted;

static void count(walked *w, int kernel, sb_grid grid, const void *args)
{
    (void)w;
    counted.all++;
    counted.weight_products += kernel == SB_KERNEL_sb_product_weights_domain;
    assert_true(sb_kernels_walk(kernel, grid, args, SB_WALK_UP));
}

static void *allocate(sb_gpu *gpu, size_t n_bytes)
{
    if (counted.opens && n_bytes > counted.most) counted.most = n_bytes;
    if (!counted.opens || !counted.limit || n_bytes <= counted.limit) return walked_allocate(gpu, n_bytes);
    counted.n_refused++;
    sb_fail(SB_E_MEMORY, "not enough memory");
    return NULL;
}

/* The parameters after some updates; the caller frees them. limit: as in counts. */
static sb_real *learned(size_t operand_bytes, size_t kept_bytes, size_t limit, size_t *n)
{
    walked *w = walked_open(convolutions.arithmetic);
    sb_ops *ops = walked_ops(w);
    sb_machine machine = *w->backend.machine;
    machine.allocate = allocate, w->backend.machine = &machine;
    w->launch = count, counted = (counts){.opens = true, .limit = limit};
    ops->samples_least = 2, ops->operand_bytes = operand_bytes, ops->kept_bytes = kept_bytes;
    const sb_settings settings = walked_settings(&convolutions);
    sb_net *net;
    sb_learner learner;
    const sb_status status = sb_model_find("layers")->open(&net, ops, &settings, &convolutions.data);
    counted.opens = false;
    if (status != SB_OK || sb_learner_open(&learner, net, &settings, NULL) != SB_OK ||
        sb_learner_start(&learner, 5, 0) != SB_OK)
        fail_msg("%s", sb_message());
    for (long update = 1; update <= UPDATES; update++) {
        const walked_data data = walked_data_of(&convolutions, update, 0);
        const sb_window window = walked_window(&convolutions, &data, update);
        sb_step_result result;
        if (sb_learner_update(&learner, &window, update, SB_GRADIENT_DROPPED, &result) != SB_OK)
            fail_msg("%s", sb_message());
        free(data.bytes), free(data.labels), free(data.values);
    }
    *n = net->params.total;
    sb_real *copy = malloc(*n * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, net->weight, *n * sizeof *copy);
    sb_learner_close(&learner);
    walked_close(w);
    return copy;
}

static void any_chunks_have_the_same_bits(void **state)
{
    (void)state;
    enum { KEPT = 1 << 30, SOME = 100000 }; /* SOME: two chunks of the largest convolution */
    static const struct {
        size_t operand_bytes, kept_bytes;
        int chunks, products; /* of both convolutions by Winograd, in an update */
    } cuts[] = {{KEPT, 0, 2, 2}, {1, 0, 6, 6}, {1, KEPT, 6, 4}, {1, SOME, 6, 4}};
    size_t n;
    sb_real *whole = learned(0, 0, 0, &n);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        sb_real *cut = learned(cuts[i].operand_bytes, cuts[i].kept_bytes, 0, &n);
        assert_memory_equal(whole, cut, n * sizeof *whole);
        assert_int_equal(counted.weight_products, UPDATES * cuts[i].products);
        free(cut);
    }
    free(whole);
}

static void little_memory_keeps_one_chunk(void **state)
{
    (void)state;
    size_t n;
    sb_real *plain = learned(1, 0, 0, &n);
    const counts of_plain = counted;
    sb_real *refused = learned(1, (size_t)1 << 30, of_plain.most, &n);
    assert_memory_equal(plain, refused, n * sizeof *plain);
    assert_true(counted.n_refused == 1 && counted.most > of_plain.most);
    assert_int_equal(counted.all, of_plain.all);
    free(plain), free(refused);
}

static void the_variable_asks_for_chunks(void **state)
{
    (void)state;
    for (int set = 0; set < 2; set++)
        for (int traced = 0; traced < 2; traced++) {
            sb_ops *ops;
            setenv("SAMEBITS_CUDA_CHUNKS", set ? "1" : "0", 1);
            const sb_backend_options options = {.threads = 1, .is_traced = traced};
            assert_int_equal(sb_backend_open(&ops, "cuda-on-cpu", &options), SB_OK);
            assert_true((ops->operand_bytes > 0) == (set && !traced) && (ops->kept_bytes > 0) == (set && !traced));
            sb_backend_close(ops);
        }
    unsetenv("SAMEBITS_CUDA_CHUNKS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_chunks_have_the_same_bits),
                                       cmocka_unit_test(little_memory_keeps_one_chunk),
                                       cmocka_unit_test(the_variable_asks_for_chunks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
