/* Layers held against a golden file on every backend of the CPU, in float64: each tensor to 1e-11 of its largest element,
 * and each gradient against central differences of what the layer itself computes. */
#pragma once

#include "layer_trial.h"

#include "io/h5/h5.h"
#include "io/h5/h5_attribute.h"

#ifndef SB_REAL_IS_DOUBLE
#error "the golden file needs the float64 build"
#endif

static const double tolerance = 1e-11;

/* ---- the golden file ---- */

static sb_h5 *golden;

static const char *golden_path;

static int open_golden(void **state)
{
    (void)state;
    return sb_h5_open(&golden, golden_path, SB_SEAL_FOREIGN) == SB_OK ? 0 : -1;
}

static int close_golden(void **state)
{
    (void)state;
    sb_h5_close(golden);
    return 0;
}

/* A tensor of the file, its shape and the caller's numbers. */
typedef struct stored {
    int dim[4];
    size_t n;
    double *x;
} stored;

static void name_of(char name[80], const char *group, const char *tensor)
{
    snprintf(name, 80, "%s/%s", group, tensor);
}

static inline stored get(const char *group, const char *tensor)
{
    char name[80];
    sb_h5_shape extent;
    stored s = {.dim = {1, 1, 1, 1}, .n = 1};
    name_of(name, group, tensor);
    if (sb_h5_shape_of(golden, name, &extent) != SB_OK) fail_msg("%s", sb_message());
    for (int i = 0; i < extent.rank; i++) s.dim[i] = (int)extent.dim[i], s.n *= extent.dim[i];
    s.x = host_take(s.n);
    if (sb_h5_read(golden, name, SB_F64, s.n, s.x) != SB_OK) fail_msg("%s", sb_message());
    return s;
}

static inline void hold(const subject *on, const char *group, const char *tensor, size_t n, const double *got)
{
    stored wanted = get(group, tensor);
    double largest = 0, worst = 0;
    assert_int_equal(n, wanted.n);
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(wanted.x[i]));
        const double off = fabs(got[i] - wanted.x[i]);
        if (!(off <= worst)) worst = off;
    }
    if (!(worst <= tolerance * largest))
        fail_msg("%s/%s on %s: %g apart, largest element %g", group, tensor, on->backend, worst, largest);
    free(wanted.x);
}

/* What a layer makes of the file's inputs, and its gradients, held against the file's. */
static inline void hold_layer(const subject *on, layer *l, const char *name)
{
    const bool is_norm = l->kind == LAYER_NORM || l->kind == LAYER_GROUP_NORM;
    result got = layer_run(on, 2, l);
    hold(on, name, "y", got.n_y, got.y);
    hold(on, name, "dx", l->n_x, got.dx);
    if (l->w) hold(on, name, is_norm ? "dscale" : "dw", l->n_w, got.dw);
    if (l->b) hold(on, name, is_norm ? "dshift" : "db", l->n_b, got.db);
    if (l->kind == LAYER_NORM) {
        hold(on, name, "running_mean_after", (size_t)l->groups * l->c, got.running_mean);
        hold(on, name, "running_var_after", (size_t)l->groups * l->c, got.running_var);
        hold(on, name, "y_eval", got.n_y, got.evaluated);
    }
    result_drop(&got);
    layer_drop(l);
}

/* x and dy of the file; a vector is one sample of one map. */
static inline layer from_file(const char *name, layer_kind kind)
{
    stored x = get(name, "x"), dy = get(name, "dy");
    layer l = {.kind = kind,
               .n = x.dim[0],
               .c = x.dim[1],
               .h = x.dim[2],
               .w_ = x.dim[3],
               .x = x.x,
               .n_x = x.n,
               .dy = dy.x,
               .groups = 1};
    l.out = dy.dim[1];
    return l;
}

/* ---- central differences ---- */

/* What is differentiated, as a function of numbers that `trial` has. */
typedef double loss_function(const void *trial);

/* Differentiate by x[n], numbers that the loss reads. Steps of 1e-5 of the largest element; the error below 1e-6 of the
 * gradient's. */
static inline void differ(const subject *on, const char *what, loss_function *loss, const void *trial, double *x,
                          size_t n, const double *gradient)
{
    double largest = 0, steepest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i])), steepest = fmax(steepest, fabs(gradient[i]));
    const double step = 1e-5 * largest;
    for (size_t i = 0; i < n; i += 1 + n / 24) { /* two dozen of them */
        const double at = x[i];
        x[i] = at + step;
        const double above = loss(trial);
        x[i] = at - step;
        const double below = loss(trial);
        x[i] = at;
        const double wanted = (above - below) / (2 * step);
        if (!(fabs(gradient[i] - wanted) <= 1e-6 * steepest))
            fail_msg("%s on %s: element %zu is %g, differences give %g", what, on->backend, i, gradient[i], wanted);
    }
}

typedef struct layer_on {
    device *d;
    const layer *l;
} layer_on;

/* Sum of y dy; of the loss of classes its own sum. */
static inline double loss_of_layer(const void *trial)
{
    const layer_on *on = trial;
    const layer *l = on->l;
    result got = layer_run_on(on->d, l);
    double sum = 0;
    for (size_t i = 0; i < got.n_y; i++) sum += l->kind == LAYER_LOSS ? got.y[i] * l->factor : got.y[i] * l->dy[i];
    result_drop(&got);
    return sum;
}

static inline void differ_layer(device *d, const layer *l, const char *tensor, double *x, size_t n,
                                const double *gradient)
{
    char what[80];
    snprintf(what, sizeof what, "%s of layer kind %d", tensor, l->kind);
    differ(d->subject, what, loss_of_layer, &(layer_on){d, l}, x, n, gradient);
}

static inline double *drawn(size_t n, uint32_t stream)
{
    double *x = host_take(n);
    fill_block(x, n, FILL_RANDOM, 500, stream);
    return x;
}

static inline void hold_gradients(const subject *on, layer l)
{
    l.n_x = (size_t)l.n * l.c * l.h * l.w_;
    l.x = drawn(l.n_x, 0);
    if (l.n_w) l.w = drawn(l.n_w, 1);
    if (l.n_b) l.b = drawn(l.n_b, 2);
    l.dy = drawn((size_t)l.n * (l.out ? l.out : l.c) * l.h * l.w_ * 4, 3);
    if (l.kind == LAYER_NORM)
        l.running_mean = drawn((size_t)l.groups * l.c, 4), l.running_var = drawn((size_t)l.groups * l.c, 5);
    device d = device_open(on, 1);
    result got = layer_run_on(&d, &l);
    differ_layer(&d, &l, "dx", l.x, l.n_x, got.dx);
    if (got.dw) differ_layer(&d, &l, "dw", l.w, l.n_w, got.dw);
    if (got.db) differ_layer(&d, &l, "db", l.b, l.n_b, got.db);
    device_close(&d);
    result_drop(&got), layer_drop(&l);
}

/* Every test on every backend, with a file of tests/golden/learning open. */
static inline int run_on_golden(const char *group, const struct CMUnitTest *tests, int n, const char *file)
{
    static const subject on[] = {{"native", "plain", "direct", 0},
                                 {"native", "plain", "winograd", 0},
                                 {"openblas", "auto", "direct", 0},
                                 {"cuda-on-cpu", "auto", "direct", 0},
                                 {"cuda-on-cpu", "auto", "winograd", 0}};
    enum { ON = sizeof on / sizeof *on };
    static struct CMUnitTest all[TESTS_MAX * ON];
    static char name[TESTS_MAX * ON][80], path[512];
    assert_true(n <= TESTS_MAX);
    for (int i = 0; i < n * ON; i++) {
        all[i] = tests[i % n];
        snprintf(name[i], sizeof name[i], "%s, %s %s", tests[i % n].name, on[i / n].backend, on[i / n].arithmetic);
        all[i].name = name[i];
        all[i].initial_state = (void *)&on[i / n];
    }
    snprintf(path, sizeof path, SB_GOLDEN "/learning/%s", file);
    golden_path = path;
    return _cmocka_run_group_tests(group, all, (size_t)n * ON, open_golden, close_golden);
}
