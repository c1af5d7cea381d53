/* An operation on convolutions, by a backend and by the reference, on many shapes and fills. */
#pragma once

#include "conv_trial.h"
#include "expect.h"

enum { SHAPES_MAX = 24 };

/* What the reference gives for one trial, the same for every backend, and what native's plain kernels give. */
typedef struct answer {
    sb_real *wanted; /* NULL: not formed yet */
    double *size, scale;
    sb_real *plain[2]; /* direct and winograd; NULL: not formed yet */
} answer;

typedef struct operation {
    const char *name;
    const shape *shapes;
    int n_shapes;
    answer (*answers)[FILLS]; /* [SHAPES_MAX], zeros at first; kept until the program ends */
    size_t (*size)(const shape *s);
    void (*run)(const subject *on, int threads, const shape *s, const numbers *x, sb_real *got);
    void (*want)(const shape *s, const numbers *x, sb_real *wanted, double *size);
    int (*terms)(const shape *s);                      /* of the longest sum */
    double (*scale)(const shape *s, const numbers *x); /* largest factor times largest factor */
} operation;

static inline void judge(const char *where, const subject *s, fill kind, size_t n, const sb_real *got,
                         const sb_real *wanted, const double *size, double scale, int terms)
{
    if (s->slack == 0 || (s->slack == 1 && kind == FILL_POWERS)) {
        expect_equal(where, n, got, wanted);
        return;
    }
    double *bound = malloc(n * sizeof *bound);
    assert_non_null(bound);
    const double factor = s->slack > 1 ? s->slack * (terms + 50) : terms;
    for (size_t i = 0; i < n; i++)
        bound[i] = factor * ((double)SB_REAL_EPSILON * (s->slack > 1 ? scale : size[i]) + (double)FLT_TRUE_MIN);
    expect_within(where, n, got, wanted, bound);
    free(bound);
}

/* Formed for the first backend; the others are held against the same numbers. */
static inline answer *answer_of(const operation *op, int i, const numbers *x)
{
    answer *a = &op->answers[i][x->kind];
    if (!a->wanted) {
        const shape *s = &op->shapes[i];
        a->wanted = host_take(op->size(s));
        a->size = calloc(op->size(s), sizeof *a->size);
        assert_non_null(a->size);
        op->want(s, x, a->wanted, a->size);
        a->scale = op->scale(s, x);
    }
    return a;
}

static inline const sb_real *plain_of(const operation *op, const subject *on, answer *a, const shape *s, const numbers *x)
{
    sb_real **plain = &a->plain[strcmp(on->arithmetic, "winograd") == 0];
    subject twin = *on;
    twin.isa = "plain";
    if (!*plain) {
        *plain = host_take(op->size(s));
        op->run(&twin, 2, s, x, *plain);
    }
    return *plain;
}

static inline void check_trial(const operation *op, const subject *on, int i, const numbers *x)
{
    const shape *s = &op->shapes[i];
    answer *a = answer_of(op, i, x);
    size_t n = op->size(s);
    sb_real *got = host_take(n), *twin = host_take(n);
    char where[240], text[80];
    shape_text(s, text);
    snprintf(where, sizeof where, "%s, %s %s %s, %s, fill %s, seed %llu", op->name, on->backend, on->isa,
             on->arithmetic, text, fill_names[x->kind], (unsigned long long)x->seed);
    op->run(on, 1, s, x, got);
    judge(where, on, x->kind, n, got, a->wanted, a->size, a->scale, op->terms(s));
    op->run(on, 3, s, x, twin);
    judge(where, on, x->kind, n, twin, a->wanted, a->size, a->scale, op->terms(s));
    if (strcmp(on->backend, "native") == 0) {
        expect_same_bits(where, n, twin, got);
        expect_same_bits(where, n, got, plain_of(op, on, a, s, x));
    }
    free(got), free(twin);
}

static inline double largest(const numbers *x, uint32_t stream, size_t n)
{
    sb_real *block = numbers_take(x, stream, n);
    double size = 0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs((double)block[i]));
    free(block);
    return size;
}

static inline void check(const operation *op, const subject *on)
{
    device d = device_open(on, 1); /* skips here, before anything is taken */
    device_close(&d);
    assert_true(op->n_shapes <= SHAPES_MAX);
    for (int i = 0; i < op->n_shapes; i++)
        for (fill kind = 0; kind < fills_tried; kind++) check_trial(op, on, i, &(numbers){kind, 100 + i});
}
