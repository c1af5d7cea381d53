/* Convolutions: by eye; each backend against the written order, element by element; the identity that ties the forward
 * pass and both gradients together. */
#include "conv_trial.h"
#include "expect.h"

/* -- an operation on one trial: by a backend, and by the reference -- */

typedef struct operation {
    const char *name;
    const shape *shapes;
    int n_shapes;
    size_t (*size)(const shape *s);
    void (*run)(const subject *on, int threads, const shape *s, const numbers *x, sb_real *got);
    void (*want)(const shape *s, const numbers *x, sb_real *wanted, double *size);
    int (*terms)(const shape *s);                      /* of the longest sum */
    double (*scale)(const shape *s, const numbers *x); /* largest factor times largest factor */
} operation;

static void judge(const char *where, const subject *s, fill kind, size_t n, const sb_real *got, const sb_real *wanted,
                  const double *size, double scale, int terms)
{
    if (s->slack == 0 || (s->slack == 1 && kind == FILL_POWERS)) {
        expect_equal(where, n, got, wanted);
        return;
    }
    double *bound = malloc(n * sizeof *bound);
    assert_non_null(bound);
    for (size_t i = 0; i < n; i++)
        bound[i] =
            s->slack * terms * ((double)SB_REAL_EPSILON * (s->slack > 1 ? scale : size[i]) + (double)FLT_TRUE_MIN);
    expect_within(where, n, got, wanted, bound);
    free(bound);
}

static void check_trial(const operation *op, const subject *on, const shape *s, const numbers *x)
{
    size_t n = op->size(s);
    sb_real *got = host_take(n), *twin = host_take(n), *wanted = host_take(n);
    double *size = calloc(n, sizeof *size);
    assert_non_null(size);
    char where[240], text[80];
    shape_text(s, text);
    snprintf(where, sizeof where, "%s, %s %s %s, %s, fill %s, seed %llu", op->name, on->backend, on->isa,
             on->arithmetic, text, fill_names[x->kind], (unsigned long long)x->seed);
    op->want(s, x, wanted, size);
    op->run(on, 1, s, x, got);
    judge(where, on, x->kind, n, got, wanted, size, op->scale(s, x), op->terms(s));
    op->run(on, 3, s, x, twin);
    judge(where, on, x->kind, n, twin, wanted, size, op->scale(s, x), op->terms(s));
    if (strcmp(on->backend, "native") == 0) {
        subject plain = *on;
        plain.isa = "plain";
        expect_same_bits(where, n, twin, got);
        op->run(&plain, 2, s, x, twin);
        expect_same_bits(where, n, got, twin);
    }
    free(got), free(twin), free(wanted), free(size);
}

static double largest(const numbers *x, uint32_t stream, size_t n)
{
    sb_real *block = numbers_take(x, stream, n);
    double size = 0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs((double)block[i]));
    free(block);
    return size;
}

static void check(const operation *op, const subject *on)
{
    device d = device_open(on, 1); /* skips here, before anything is taken */
    device_close(&d);
    for (int i = 0; i < op->n_shapes; i++)
        for (fill kind = 0; kind < FILLS; kind++) check_trial(op, on, &op->shapes[i], &(numbers){kind, 100 + i});
}

/* ---- forward ---- */

/* Odd sizes, one pixel, channels around every vector width; three terms with an upsampled one as in a cell. */
static const shape forward_shapes[] = {
    {6, 10, 1, 3, 1, {{6}}},
    {1, 1, 1, 1, 1, {{1}}},
    {2, 4, 1, 5, 1, {{3}}},
    {5, 7, 1, 16, 2, {{3}, {16}}},
    {6, 10, 4, 3, 3, {{6}, {16, true}, {3}}},
    {2, 4, 4, 16, 3, {{32}, {50, true}, {16}}},
    {2, 4, 4, 48, 3, {{96}, {50, true}, {48}}},
    {12, 4, 1, 50, 1, {{48}}},
};

static unit forward_unit(const shape *s, int p)
{
    return (unit){s->part[p].c, s->groups, s->c, s->h, s->w, s->part[p].upsampled};
}

enum { WEIGHT = 0, INPUT = 10, GRADIENT = 20, BIAS = 30, BEFORE = 31 }; /* streams, plus the part's number */

static void run_forward(const subject *on, int threads, const shape *s, const numbers *x, sb_real *got)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    sb_conv conv[SB_TERMS_MAX];
    sb_term term[SB_TERMS_MAX];
    for (int p = 0; p < s->n_parts; p++) {
        unit u = forward_unit(s, p);
        sb_real *weight = numbers_take(x, WEIGHT + p, unit_weights(&u));
        sb_real *input = numbers_take(x, INPUT + p, unit_input(&u));
        conv[p] = unit_open(&d, &u, weight);
        term[p] = (sb_term){&conv[p], unit_input_operand(&d, &u, &conv[p], input)};
        IN_TEAM
        ops->conv_begin(ops, &conv[p]);
        free(weight), free(input);
    }
    sb_real *bias = numbers_take(x, BIAS, (size_t)s->groups * s->c), *before = numbers_take(x, BEFORE, shape_size(s));
    sb_map y = device_map(&d, s->groups, s->c, s->h, s->w, before); /* to be overwritten */
    const sb_real *device_bias = device_take(&d, (size_t)s->groups * s->c * sizeof *bias, bias);
    IN_TEAM
    ops->conv_forward(ops, s->n_parts, term, device_bias, &y);
    device_planes(&d, &y, got);
    free(bias), free(before);
    device_close(&d);
}

static void want_forward(const shape *s, const numbers *x, sb_real *wanted, double *size)
{
    size_t n = (size_t)s->h * s->w;
    sb_real *bias = numbers_take(x, BIAS, (size_t)s->groups * s->c);
    for (size_t i = 0; i < shape_size(s); i++) wanted[i] = bias[i / n], size[i] = fabs((double)bias[i / n]);
    for (int p = 0; p < s->n_parts; p++) {
        unit u = forward_unit(s, p);
        sb_real *weight = numbers_take(x, WEIGHT + p, unit_weights(&u));
        sb_real *input = numbers_take(x, INPUT + p, unit_input(&u));
        reference_conv conv = unit_reference(&u, weight);
        for (size_t i = 0; i < shape_size(s); i++)
            reference_forward(&conv, input, (int)(i / n), (int)(i % n) / s->w, (int)(i % n) % s->w, &wanted[i],
                              &size[i]);
        free(weight), free(input);
    }
    free(bias);
}

static int forward_terms(const shape *s)
{
    int n = 1;
    for (int p = 0; p < s->n_parts; p++) n += 9 * s->part[p].c;
    return n;
}

static double forward_scale(const shape *s, const numbers *x)
{
    double scale = 0;
    for (int p = 0; p < s->n_parts; p++) {
        unit u = forward_unit(s, p);
        scale = fmax(scale, largest(x, WEIGHT + p, unit_weights(&u)) * largest(x, INPUT + p, unit_input(&u)));
    }
    return scale + largest(x, BIAS, (size_t)s->groups * s->c);
}

static void forward(void **state)
{
    const operation op = {"forward",     forward_shapes, sizeof forward_shapes / sizeof *forward_shapes,
                          shape_size,    run_forward,    want_forward,
                          forward_terms, forward_scale};
    check(&op, *state);
}

/* ---- data gradient ---- */

static const shape gradient_shapes[] = {
    {6, 10, 1, 3, 1, {{3, false, 1}}},
    {2, 4, 1, 5, 2, {{5, false, 1}, {5, false, 4}}},
    {3, 5, 1, 16, 3, {{16, false, 1}, {16, false, 4}, {3, true, 4}}},
    {1, 2, 1, 50, 1, {{48, true, 4}}},
    {2, 3, 1, 48, 3, {{16, true, 4}, {48, false, 1}, {50, true, 1}}},
    {2, 4, 1, 96, 2, {{48, false, 4}, {50, false, 1}}},
};

static unit gradient_unit(const shape *s, int p)
{
    int grow = s->part[p].upsampled ? 2 : 1;
    return (unit){s->c, s->part[p].groups, s->part[p].c, s->h * grow, s->w * grow, s->part[p].upsampled};
}

static void run_data_gradient(const subject *on, int threads, const shape *s, const numbers *x, sb_real *got)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    sb_conv conv[SB_TERMS_MAX];
    sb_term term[SB_TERMS_MAX];
    for (int p = 0; p < s->n_parts; p++) {
        unit u = gradient_unit(s, p);
        sb_real *weight = numbers_take(x, WEIGHT + p, unit_weights(&u));
        sb_real *dy = numbers_take(x, GRADIENT + p, unit_output(&u));
        conv[p] = unit_open(&d, &u, weight);
        term[p] = (sb_term){&conv[p], unit_gradient_operand(&d, &u, &conv[p], dy)};
        IN_TEAM
        ops->conv_turn(ops, &conv[p]);
        free(weight), free(dy);
    }
    sb_real *before = numbers_take(x, BEFORE, shape_size(s));
    sb_map dx = device_map(&d, 1, s->c, s->h, s->w, before); /* to be overwritten */
    IN_TEAM
    ops->conv_data_gradient(ops, s->n_parts, term, &dx);
    device_planes(&d, &dx, got);
    free(before);
    device_close(&d);
}

static void want_part(const shape *s, const numbers *x, int p, sb_real *wanted, double *size)
{
    unit u = gradient_unit(s, p);
    sb_real *weight = numbers_take(x, WEIGHT + p, unit_weights(&u));
    sb_real *dy = numbers_take(x, GRADIENT + p, unit_output(&u));
    reference_conv conv = unit_reference(&u, weight);
    size_t n = (size_t)s->h * s->w;
    for (size_t i = 0; i < shape_size(s); i++) {
        int channel = (int)(i / n), row = (int)(i % n) / s->w, column = (int)(i % n) % s->w;
        if (u.upsampled)
            wanted[i] += reference_block_gradient(&conv, dy, channel, row, column, &size[i]);
        else
            reference_data_gradient(&conv, dy, channel, row, column, &wanted[i], &size[i]);
    }
    free(weight), free(dy);
}

static void want_data_gradient(const shape *s, const numbers *x, sb_real *wanted, double *size)
{
    for (int upsampled = 0; upsampled < 2; upsampled++)
        for (int p = 0; p < s->n_parts; p++)
            if (s->part[p].upsampled == upsampled) want_part(s, x, p, wanted, size);
}

static int data_gradient_terms(const shape *s)
{
    int n = 0;
    for (int p = 0; p < s->n_parts; p++) n += 9 * s->part[p].c * s->part[p].groups * (s->part[p].upsampled ? 4 : 1);
    return n;
}

static double data_gradient_scale(const shape *s, const numbers *x)
{
    double scale = 0;
    for (int p = 0; p < s->n_parts; p++) {
        unit u = gradient_unit(s, p);
        scale = fmax(scale, largest(x, WEIGHT + p, unit_weights(&u)) * largest(x, GRADIENT + p, unit_output(&u)));
    }
    return scale;
}

static void data_gradient(void **state)
{
    const operation op = {"data gradient",     gradient_shapes,    sizeof gradient_shapes / sizeof *gradient_shapes,
                          shape_size,          run_data_gradient,  want_data_gradient,
                          data_gradient_terms, data_gradient_scale};
    check(&op, *state);
}

/* ---- weight gradient: three frames at once, then one more, and the bias beside it ---- */

enum { FRAMES = 4 };

static uint32_t frame_stream(uint32_t what, int p, int frame)
{
    return 100 * (uint32_t)(frame + 1) + what + (uint32_t)p;
}

static size_t weight_gradient_size(const shape *s)
{
    unit u = forward_unit(s, 0);
    return unit_weights(&u) + (size_t)s->groups * s->c;
}

static void run_weight_gradient(const subject *on, int threads, const shape *s, const numbers *x, sb_real *got)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    unit u = forward_unit(s, 0);
    size_t n_bias = (size_t)s->groups * s->c;
    sb_real *weight = numbers_take(x, WEIGHT, unit_weights(&u)), *bias = numbers_take(x, BIAS, n_bias);
    sb_conv conv = unit_open(&d, &u, weight);
    sb_real *db = device_take(&d, n_bias * sizeof *db, bias);
    const void *inputs[FRAMES], *gradients[FRAMES];
    for (int f = 0; f < FRAMES; f++) {
        sb_real *input = numbers_take(x, frame_stream(INPUT, 0, f), unit_input(&u));
        sb_real *dy = numbers_take(x, frame_stream(GRADIENT, 0, f), unit_output(&u));
        inputs[f] = unit_input_operand(&d, &u, &conv, input);
        gradients[f] = unit_gradient_operand(&d, &u, &conv, dy);
        sb_map map = device_map(&d, u.groups, u.c, u.h, u.w, dy);
        IN_TEAM
        ops->bias_gradient(ops, &map, db);
        free(input), free(dy);
    }
    IN_TEAM
    {
        ops->conv_turn(ops, &conv);
        ops->conv_weight_gradient(ops, &conv, FRAMES - 1, inputs, gradients);
        ops->conv_weight_gradient(ops, &conv, 1, inputs + FRAMES - 1, gradients + FRAMES - 1);
        ops->conv_end(ops, &conv);
    }
    ops->to_host(ops, got, conv.weight_grad, unit_weights(&u) * sizeof *got);
    ops->to_host(ops, got + unit_weights(&u), db, n_bias * sizeof *got);
    free(weight), free(bias);
    device_close(&d);
}

/* db[o] += one frame: additions along a row, the rows added one after the other */
static void want_bias(const unit *u, const sb_real *dy, sb_real *db, double *size)
{
    for (int o = 0; o < u->groups * u->c; o++)
        for (int y = 0; y < u->h; y++) {
            sb_real row = 0;
            for (int x = 0; x < u->w; x++) {
                sb_real d = dy[((size_t)o * u->h + y) * u->w + x];
                row += d;
                size[o] += fabs((double)d);
            }
            db[o] += row;
        }
}

static void want_weight_gradient(const shape *s, const numbers *x, sb_real *wanted, double *size)
{
    unit u = forward_unit(s, 0);
    size_t n = unit_weights(&u), n_bias = (size_t)s->groups * s->c;
    reference_conv conv = unit_reference(&u, NULL);
    fill_block(wanted + n, n_bias, x->kind, x->seed, BIAS);
    for (size_t i = 0; i < n_bias; i++) size[n + i] = fabs((double)wanted[n + i]);
    for (int f = 0; f < FRAMES; f++) {
        sb_real *input = numbers_take(x, frame_stream(INPUT, 0, f), unit_input(&u));
        sb_real *dy = numbers_take(x, frame_stream(GRADIENT, 0, f), unit_output(&u));
        for (size_t i = 0; i < n; i++)
            reference_weight_gradient(&conv, input, dy, (int)(i / 9) / u.in, (int)(i / 9) % u.in, (int)(i % 9),
                                      &wanted[i], &size[i]);
        want_bias(&u, dy, wanted + n, size + n);
        free(input), free(dy);
    }
}

static int weight_gradient_terms(const shape *s)
{
    return FRAMES * s->h * s->w + 1;
}

static double weight_gradient_scale(const shape *s, const numbers *x)
{
    unit u = forward_unit(s, 0);
    double scale = largest(x, BIAS, (size_t)s->groups * s->c);
    for (int f = 0; f < FRAMES; f++)
        scale = fmax(scale, largest(x, frame_stream(INPUT, 0, f), unit_input(&u)) *
                                largest(x, frame_stream(GRADIENT, 0, f), unit_output(&u)));
    return scale;
}

static void weight_gradient(void **state)
{
    static const shape shapes[] = {
        {6, 10, 1, 3, 1, {{6}}},        {1, 1, 1, 1, 1, {{1}}},  {2, 4, 4, 5, 1, {{3}}},   {5, 7, 1, 16, 1, {{50}}},
        {6, 10, 4, 3, 1, {{16, true}}}, {4, 6, 4, 48, 1, {{9}}}, {12, 4, 1, 50, 1, {{5}}},
    };
    const operation op = {"weight gradient",
                          shapes,
                          sizeof shapes / sizeof *shapes,
                          weight_gradient_size,
                          run_weight_gradient,
                          want_weight_gradient,
                          weight_gradient_terms,
                          weight_gradient_scale};
    check(&op, *state);
}

/* ---- <conv(x), dy> = <x, gradient of x> = <w, gradient of w> ---- */

static double inner(size_t n, const sb_real *a, const sb_real *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)a[i] * (double)b[i];
    return sum;
}

/* The three inner products, and the sum of the sizes of all that is summed in them. */
static void three_products(const subject *on, const unit *u, const numbers *x, double product[3], double *size)
{
    device d = device_open(on, 2);
    sb_ops *ops = d.ops;
    sb_real *w = numbers_take(x, WEIGHT, unit_weights(u)), *in = numbers_take(x, INPUT, unit_input(u));
    sb_real *dy = numbers_take(x, GRADIENT, unit_output(u)), *y = host_take(unit_output(u));
    sb_real *dx = host_take(unit_input(u)), *dw = host_take(unit_weights(u));
    sb_conv conv = unit_open(&d, u, w);
    const void *input = unit_input_operand(&d, u, &conv, in), *gradient = unit_gradient_operand(&d, u, &conv, dy);
    int shrink = u->upsampled ? 1 : 0;
    sb_map y_map = device_map(&d, u->groups, u->c, u->h, u->w, NULL);
    sb_map dx_map = device_map(&d, 1, u->in, u->h >> shrink, u->w >> shrink, NULL);
    const sb_term forward_term = {&conv, input}, backward_term = {&conv, gradient};
    IN_TEAM
    {
        ops->conv_begin(ops, &conv);
        ops->conv_forward(ops, 1, &forward_term, NULL, &y_map);
        ops->conv_turn(ops, &conv);
        ops->conv_data_gradient(ops, 1, &backward_term, &dx_map);
        ops->conv_weight_gradient(ops, &conv, 1, &input, &gradient);
        ops->conv_end(ops, &conv);
    }
    device_planes(&d, &y_map, y);
    device_planes(&d, &dx_map, dx);
    ops->to_host(ops, dw, conv.weight_grad, unit_weights(u) * sizeof *dw);
    product[0] = inner(unit_output(u), y, dy);
    product[1] = inner(unit_input(u), in, dx);
    product[2] = inner(unit_weights(u), w, dw);
    reference_conv reference = unit_reference(u, w);
    *size = 0;
    for (size_t i = 0; i < unit_output(u); i++) {
        double one = 0;
        sb_real ignored = 0;
        int n = u->h * u->w, pixel = (int)i % n;
        reference_forward(&reference, in, (int)i / n, pixel / u->w, pixel % u->w, &ignored, &one);
        *size += one * fabs((double)dy[i]);
    }
    free(w), free(in), free(dy), free(y), free(dx), free(dw);
    device_close(&d);
}

static void forward_and_gradients_are_adjoint(void **state)
{
    static const unit units[] = {{6, 4, 3, 6, 10, false},
                                 {16, 4, 3, 6, 10, true},
                                 {48, 1, 50, 5, 7, false},
                                 {3, 1, 5, 2, 4, false},
                                 {50, 4, 16, 4, 6, true}};
    const subject *on = *state;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const unit *u = &units[i];
        double product[3], size;
        three_products(on, u, &(numbers){FILL_RANDOM, 500 + i}, product, &size);
        int terms = 9 * (u->in + u->groups * u->c) + u->h * u->w;
        double bound = fmax(on->slack, 1) * SB_REAL_EPSILON * terms * size;
        for (int k = 1; k < 3; k++)
            if (!(fabs(product[k] - product[0]) <= bound))
                fail_msg("%s %s %s, unit %zu, seed %zu: <conv(x), dy> is %a, <%s> %a", on->backend, on->isa,
                         on->arithmetic, i, 500 + i, product[0], k == 1 ? "x, dx" : "w, dw", product[k]);
    }
}

/* ---- by eye ---- */

/* Exactly, but for the roundings of another arithmetic on numbers up to 108. */
static void expect_by_eye(const subject *on, const char *what, size_t n, const sb_real *got, const sb_real *wanted)
{
    double bound[9];
    for (size_t i = 0; i < n; i++) bound[i] = on->slack > 1 ? on->slack * 9 * 108 * (double)SB_REAL_EPSILON : 0;
    expect_within(what, n, got, wanted, bound);
}

/* A kernel of ones sums each pixel's neighbours; a single one in it shifts the map; upsampling doubles each pixel. */
static void by_eye(void **state)
{
    device d = device_open(*state, 2);
    sb_ops *ops = d.ops;
    static const sb_real weight[3][9] = {
        {1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 0, 0, 0, 0}};
    static const sb_real x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, bias[2] = {0, 100};
    static const sb_real sums[9] = {12, 21, 16, 27, 45, 33, 24, 39, 28};
    static const sb_real shifted[9] = {100, 101, 102, 100, 104, 105, 100, 107, 108};
    const unit same = {1, 1, 2, 3, 3, false}, up = {1, 1, 1, 2, 4, true};
    static const sb_real small[2] = {3, 8}, doubled[8] = {3, 3, 8, 8, 3, 3, 8, 8};
    sb_real got[18];

    sb_conv conv = unit_open(&d, &same, weight[0]);
    sb_term term = {&conv, unit_input_operand(&d, &same, &conv, x)};
    sb_map y = device_map(&d, 1, 2, 3, 3, NULL);
    const sb_real *on_device = device_take(&d, sizeof bias, bias);
    IN_TEAM
    {
        ops->conv_begin(ops, &conv);
        ops->conv_forward(ops, 1, &term, on_device, &y);
    }
    device_planes(&d, &y, got);
    expect_by_eye(*state, "sums of neighbours", 9, got, sums);
    expect_by_eye(*state, "shifted to the right, 100 added", 9, got + 9, shifted);

    conv = unit_open(&d, &up, weight[2]);
    term = (sb_term){&conv, unit_input_operand(&d, &up, &conv, small)};
    y = device_map(&d, 1, 1, 2, 4, NULL);
    IN_TEAM
    {
        ops->conv_begin(ops, &conv);
        ops->conv_forward(ops, 1, &term, NULL, &y);
    }
    device_planes(&d, &y, got);
    expect_by_eye(*state, "upsampled", 8, got, doubled);
    device_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_eye),
        cmocka_unit_test(forward),
        cmocka_unit_test(data_gradient),
        cmocka_unit_test(weight_gradient),
        cmocka_unit_test(forward_and_gradients_are_adjoint),
    };
    return run_on_subjects("conv", tests, sizeof tests / sizeof *tests);
}
