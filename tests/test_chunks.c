/* Samples are convolved in chunks. Where the sums depend on their number, that is of the map alone, as in a trace. */
#include "layer_rows.h"

#include "core/random.h"
#include "net/sequential/sequential_parts.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 36, SIDE = 23, CLASSES = 3, KERNEL = 5 };

/* Samples. What is left of them is no multiple of the terms that OpenBLAS adds at a time. */
enum { CHUNK = SB_CHUNK_PIXELS / ((SIDE - KERNEL + 1) * (SIDE - KERNEL + 1)) };

typedef struct subject {
    const char *backend, *arithmetic;
} subject;

/* The gradients of a convolution without padding and a dense layer; the caller frees them. */
static sb_real *gradients(const subject *of, bool is_traced, size_t *n)
{
    static sb_real values[BATCH * SIDE * SIDE];
    static uint8_t labels[BATCH];
    const sb_map_size map = {1, SIDE, SIDE};
    const sb_layer_list list = LIST(map, CLASSES, conv("conv", 4, KERNEL, 0), dense("dense", CLASSES, true));
    const sb_backend_options options = {.threads = 1, .arithmetic = of->arithmetic, .is_traced = is_traced};
    sb_ops *ops;
    sb_net *net;
    if (sb_backend_open(&ops, of->backend, &options) != SB_OK) fail_msg("%s", sb_message());
    if (sb_sequential_open(&net, ops, &list, &(sb_sequential_form){BATCH, 1}) != SB_OK) fail_msg("%s", sb_message());
    assert_int_equal(sb_net_start(net, 11, 0), SB_OK);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) values[i] = (sb_real)sb_random_normal(3, 1000, i);
    for (size_t i = 0; i < BATCH; i++) labels[i] = (uint8_t)(i % CLASSES);
    sb_backend_begin(ops, 1);
    net->learn(net, &(sb_window){.values = values, .labels = labels, .n = BATCH}, SB_TARGET_COPY);
    *n = net->params.total;
    sb_real *copy = malloc(*n * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, net->grad, *n * sizeof *copy);
    sb_net_close(net);
    sb_backend_close(ops);
    return copy;
}

static void trace_changes_no_bit(void **state)
{
    char why[256];
    if (!sb_backend_find(((const subject *)*state)->backend)->available(why, sizeof why)) skip();
    static_assert((int)CHUNK > (int)SB_SAMPLES_LEAST && (int)CHUNK < (int)BATCH, "there are two chunks");
    size_t n;
    sb_real *plain = gradients(*state, false, &n), *traced = gradients(*state, true, &n);
    assert_memory_equal(plain, traced, n * sizeof *plain);
    free(plain), free(traced);
}

int main(void)
{
    static subject openblas = {"openblas", "direct"}, direct = {"native", "direct"};
    static subject atomics = {"native", "imitate-atomics"}, gpu = {"native", "imitate-gpu"};
    const struct CMUnitTest tests[] = {
        {"trace_changes_no_bit, openblas", trace_changes_no_bit, NULL, NULL, &openblas},
        {"trace_changes_no_bit, native", trace_changes_no_bit, NULL, NULL, &direct},
        {"trace_changes_no_bit, imitate-atomics", trace_changes_no_bit, NULL, NULL, &atomics},
        {"trace_changes_no_bit, imitate-gpu", trace_changes_no_bit, NULL, NULL, &gpu},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
