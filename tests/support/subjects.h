/* The backends that every test of an operation runs on.
 *
 *     static void pool(void **state) { device d = device_open(*state, 3); ... device_close(&d); }
 *     int main(void)
 *     {
 *         const struct CMUnitTest tests[] = {cmocka_unit_test(pool)};
 *         return run_on_subjects("point", tests, 1);
 *     }
 *
 * What this machine cannot run is reported as skipped.
 */
#pragma once

#include "support.h"

#include "backend/backend.h"
#include "core/rows/isas.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* slack: how far the result of a convolution or matrix product may lie from the written order of order.h.
 *   0   not at all: the same bits
 *   1   any order of the sum: terms * SB_REAL_EPSILON * (sum of the sizes of its products), and the same bits where
 *       products and sums are exact
 *   >1  another arithmetic: as many times (terms + 50) * SB_REAL_EPSILON * largest factor * largest factor, as
 *       ops/conv/winograd/winograd.h has it */
typedef struct subject {
    const char *backend, *isa, *arithmetic;
    double slack;
} subject;

static const subject subjects[] = {
#define NATIVE(isa) {"native", #isa, "direct", 0}, {"native", #isa, "winograd", 3},
    SB_ISAS(NATIVE)
#undef NATIVE
        {"openblas", "auto", "direct", 1},
    {"cuda-on-cpu", "auto", "direct", 0},
    {"cuda-on-cpu", "auto", "winograd", 3},
    {"native-cuda", "auto", "direct", 0},
    {"native-cuda", "auto", "winograd", 3},
    {"cublas", "auto", "direct", 1},
    {"cudnn", "auto", "direct", 3},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects, TESTS_MAX = 16 };

#ifdef SB_REAL_IS_DOUBLE
#define SB_REAL_EPSILON DBL_EPSILON
#else
#define SB_REAL_EPSILON FLT_EPSILON
#endif

/* An open backend and the memory a test took from it. */
typedef struct device {
    const subject *subject;
    sb_ops *ops;
    void *memory[256];
    int n;
} device;

/* Skips the test where the subject cannot run. */
static inline device device_open(const subject *s, int threads)
{
    device d = {.subject = s};
    const sb_backend_options options = {
        .threads = threads, .isa = s->isa, .arithmetic = s->arithmetic, .winograd_channels = 1};
    sb_status status = sb_backend_open(&d.ops, s->backend, &options);
    if (status == SB_E_MISSING) {
        print_message("%s\n", sb_message());
        skip();
    }
    if (status != SB_OK) fail_msg("%s %s: %s", s->backend, s->isa, sb_message());
    return d;
}

/* Release what was taken after the first n. */
static inline void device_release_after(device *d, int n)
{
    while (d->n > n) d->ops->release(d->ops, d->memory[--d->n]);
}

static inline void device_close(device *d)
{
    if (d->ops->error(d->ops) != SB_OK) fail_msg("%s", sb_message());
    device_release_after(d, 0);
    sb_backend_close(d->ops);
}

/* Skips the test where the subject cannot run: for tests that take host memory before they open a device. */
static inline void subject_or_skip(const subject *s)
{
    device d = device_open(s, 1);
    device_close(&d);
}

/* Memory until device_close, with a copy of host in it; host NULL: zeros. */
static inline void *device_take(device *d, size_t n_bytes, const void *host)
{
    assert_true(d->n < (int)(sizeof d->memory / sizeof *d->memory));
    void *memory = d->memory[d->n++] = d->ops->allocate(d->ops, n_bytes);
    if (!memory) fail_msg("%s", sb_message());
    if (host) d->ops->to_device(d->ops, memory, host, n_bytes);
    return memory;
}

/* A tensor with host planes [n][gates * c][h][w] in it; NULL: zeros. */
static inline sb_tensor device_tensor(device *d, int n, int gates, int c, int h, int w, const sb_real *planes)
{
    sb_tensor tensor = {n, gates, c, h, w, NULL};
    size_t n_bytes = sb_tensor_size(&tensor) * sizeof *planes;
    tensor.x = device_take(d, n_bytes, NULL);
    if (planes) d->ops->map_load(d->ops, device_take(d, n_bytes, planes), &tensor);
    return tensor;
}

/* The planes of a tensor, into host memory. */
static inline void device_planes(device *d, const sb_tensor *tensor, sb_real *planes)
{
    size_t n_bytes = sb_tensor_size(tensor) * sizeof *planes;
    sb_real *on_device = device_take(d, n_bytes, NULL);
    d->ops->map_store(d->ops, tensor, on_device);
    d->ops->to_host(d->ops, planes, on_device, n_bytes);
}

/* An operation by a team of threads: IN_TEAM(ops) ops->zero(ops, ...); the variable must be called ops. */
#define IN_TEAM _Pragma("omp parallel num_threads(sb_backend_threads(ops))")

/* Host memory of a test, zeroed. */
static inline sb_real *host_take(size_t n)
{
    sb_real *x = calloc(n ? n : 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* Every test on every subject, named "TEST, BACKEND ISA ARITHMETIC". */
static inline int run_on_subjects(const char *group, const struct CMUnitTest *tests, int n)
{
    static struct CMUnitTest all[SUBJECTS * TESTS_MAX];
    static char name[SUBJECTS * TESTS_MAX][120];
    int n_all = 0;
    assert_true(n <= TESTS_MAX);
    for (int s = 0; s < SUBJECTS; s++)
        for (int t = 0; t < n; t++, n_all++) {
            snprintf(name[n_all], sizeof name[n_all], "%s, %s %s %s", tests[t].name, subjects[s].backend,
                     subjects[s].isa, subjects[s].arithmetic);
            all[n_all] = tests[t];
            all[n_all].name = name[n_all];
            all[n_all].initial_state = (void *)&subjects[s];
        }
    return _cmocka_run_group_tests(group, all, (size_t)n_all, NULL, NULL);
}
