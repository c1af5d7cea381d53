/* Newer forms of the kernels of native-cuda (sb_gpu_forms) against those in use, bit for bit, on maps of many sizes: the
 * operations of one cell with all that joins a launch, on kernels walked by the CPU in both orders of threads, and on a
 * device where there is one. */
#include "ops/cuda.h"

#include "conv_trial.h"

/* A cell: y has gates * c maps and is a sum over inputs of in[] channels, of which the second is upsampled; 0: no such
 * input. The maps of the last but one have tiles for several rounds of a block, those of the last for several blocks. */
typedef struct cell {
    int n, h, w, in[SB_TERMS_MAX], gates, c;
} cell;

static const cell cells[] = {
    {1, 1, 1, {2, 0, 1}, 1, 1},     {2, 2, 3, {4, 0, 3}, 1, 2},   {3, 3, 2, {2, 0, 4}, 4, 1},
    {1, 4, 4, {6, 2, 3}, 4, 3},     {2, 6, 10, {6, 5, 3}, 4, 3},  {1, 8, 32, {2, 3, 1}, 1, 3},
    {1, 9, 33, {2, 0, 2}, 1, 7},    {2, 10, 34, {6, 4, 3}, 4, 3}, {1, 16, 64, {6, 7, 3}, 1, 6},
    {1, 2, 66, {4, 1, 2}, 1, 13},   {3, 5, 7, {6, 0, 3}, 4, 5},   {2, 12, 20, {2, 9, 1}, 1, 48},
    {1, 14, 36, {10, 3, 5}, 1, 49}, {5, 4, 6, {2, 1, 1}, 4, 4},   {1, 33, 4, {8, 0, 4}, 1, 16},
    {4, 10, 8, {4, 2, 2}, 1, 4},    {1, 40, 80, {2, 1, 1}, 1, 2}, {2, 64, 72, {2, 1, 1}, 1, 2},
};

/* ---- launches ---- */

/* Recorded; a launch that another one includes was recorded, too. */
static int n_launched[SB_KERNELS_N];
static void (*launch)(sb_gpu *gpu, int kernel, sb_grid grid, const void *args, size_t n_bytes);

static void count(sb_gpu *gpu, int kernel, sb_grid grid, const void *args, size_t n_bytes)
{
    n_launched[kernel]++;
    launch(gpu, kernel, grid, args, n_bytes);
}

static device open_forms(const subject *on, const char *walk, sb_gpu_forms forms)
{
    setenv("SAMEBITS_WALK", walk, 1);
    device d = device_open(on, 1);
    sb_gpu *gpu = sb_gpu_of(d.ops);
    launch = gpu->kernel, gpu->kernel = count, gpu->forms = forms;
    return d;
}

/* ---- a cell on a device ---- */

/* Results, one after the other, in host memory. */
typedef struct results {
    unsigned char *bytes;
    size_t n;
    int n_parts;
    struct {
        const char *name;
        size_t end;
    } part[64];
} results;

static void keep(device *d, results *r, const char *name, const void *x, size_t n_bytes)
{
    assert_true(r->n_parts < (int)(sizeof r->part / sizeof *r->part));
    r->bytes = realloc(r->bytes, r->n + n_bytes);
    assert_non_null(r->bytes);
    d->ops->to_host(d->ops, r->bytes + r->n, x, n_bytes);
    r->n += n_bytes;
    r->part[r->n_parts].name = name, r->part[r->n_parts++].end = r->n;
}

static void keep_maps(device *d, results *r, const char *name, const sb_tensor *x)
{
    keep(d, r, name, x->x, sb_tensor_size(x) * sizeof *x->x);
}

/* The convolutions of a cell, and what they read and make. */
typedef struct made {
    const cell *of;
    const numbers *x;
    int n_terms;
    unit unit[SB_TERMS_MAX];
    sb_conv conv[SB_TERMS_MAX];
    sb_term input[SB_TERMS_MAX];
    void *gradient; /* of y */
} made;

static sb_tensor take_maps(device *d, const made *m, uint32_t stream, int gates, int c, int h, int w)
{
    sb_real *planes = numbers_take(m->x, stream, (size_t)m->of->n * gates * c * h * w);
    sb_tensor maps = device_tensor(d, m->of->n, gates, c, h, w, planes);
    free(planes);
    return maps;
}

static void open_terms(device *d, made *m)
{
    const cell *s = m->of;
    for (int i = 0; i < SB_TERMS_MAX; i++) {
        if (s->in[i] == 0) continue;
        const int t = m->n_terms++;
        m->unit[t] = (unit){s->in[i], s->gates, s->c, s->h, s->w, i == 1, 0};
        sb_real *weight = numbers_take(m->x, WEIGHT + (uint32_t)i, unit_weights(&m->unit[t]));
        m->conv[t] = unit_open_batch(d, &m->unit[t], s->n, weight);
        m->input[t] = (sb_term){&m->conv[t], device_take(d, conv_sizes(d->ops, &m->conv[t].shape).input, NULL)};
        free(weight);
    }
}

/* Operands; that of the first term are errors, computed on the way. */
static void read_inputs(device *d, made *m, results *r)
{
    const cell *s = m->of;
    for (int t = 0; t < m->n_terms; t++) {
        const int shrink = m->unit[t].upsampled;
        sb_tensor x = take_maps(d, m, INPUT + (uint32_t)t, 1, m->unit[t].in, s->h >> shrink, s->w >> shrink);
        if (t == 0) {
            const sb_tensor a = take_maps(d, m, 50, 1, x.c / 2, s->h, s->w),
                            p = take_maps(d, m, 51, 1, x.c / 2, s->h, s->w);
            d->ops->error_forward(d->ops, &a, &p, &x);
        }
        d->ops->conv_input(d->ops, &m->conv[t].shape, &x, (void *)m->input[t].operand);
        keep_maps(d, r, "x", &x);
        keep(d, r, "operand of x", m->input[t].operand, conv_sizes(d->ops, &m->conv[t].shape).input);
    }
}

static void go_forward(device *d, made *m, results *r)
{
    const cell *s = m->of;
    sb_tensor y = take_maps(d, m, 52, s->gates, s->c, s->h, s->w);
    const sb_tensor bias = take_maps(d, m, BIAS, s->gates, s->c, 1, 1);
    for (int t = 0; t < m->n_terms; t++) d->ops->conv_begin(d->ops, &m->conv[t]);
    d->ops->conv_forward(d->ops, m->n_terms, m->input, bias.x, &y);
    keep_maps(d, r, "y", &y);
    d->ops->conv_forward(d->ops, 1, m->input, NULL, &y);
    d->ops->output_forward(d->ops, &y, true);
    keep_maps(d, r, "clipped y", &y);
    if (s->h % 2 || s->w % 2) return;
    sb_tensor a = device_tensor(d, s->n, s->gates, s->c, s->h / 2, s->w / 2, NULL);
    uint8_t *choice = device_take(d, sb_tensor_size(&a), NULL);
    d->ops->conv_forward(d->ops, 1, m->input, bias.x, &y);
    d->ops->pool_forward(d->ops, &y, &a, choice);
    keep_maps(d, r, "y that is pooled", &y), keep_maps(d, r, "pooled y", &a);
    keep(d, r, "choice", choice, sb_tensor_size(&a));
    sb_tensor dy = take_maps(d, m, 53, s->gates, s->c, s->h, s->w);
    d->ops->pool_backward(d->ops, &a, choice, &dy);
    d->ops->conv_gradient(d->ops, &m->conv[0].shape, &dy, m->gradient);
    keep_maps(d, r, "gradient of pooled maps", &dy);
    keep(d, r, "operand of it", m->gradient, conv_sizes(d->ops, &m->conv[0].shape).gradient);
}

/* Four gates, and the LSTM cell that reads them. */
static void go_through_cell(device *d, made *m, results *r)
{
    const cell *s = m->of;
    if (s->gates != 4) return;
    sb_tensor gates = take_maps(d, m, 55, 4, s->c, s->h, s->w), c = take_maps(d, m, 56, 1, s->c, s->h, s->w);
    sb_tensor h = take_maps(d, m, 57, 1, s->c, s->h, s->w);
    const sb_tensor c_old = take_maps(d, m, 58, 1, s->c, s->h, s->w),
                    peephole = take_maps(d, m, 59, 3, s->c, s->h, s->w);
    const sb_tensor bias = take_maps(d, m, BIAS, s->gates, s->c, 1, 1);
    d->ops->conv_forward(d->ops, m->n_terms, m->input, s->n > 1 ? bias.x : NULL, &gates);
    d->ops->lstm_forward(d->ops, &gates, &peephole, &c_old, &c, &h);
    keep_maps(d, r, "gates", &gates), keep_maps(d, r, "cell", &c), keep_maps(d, r, "output of the cell", &h);
}

static void go_backward(device *d, made *m, results *r)
{
    const cell *s = m->of;
    sb_tensor dy = take_maps(d, m, GRADIENT, s->gates, s->c, s->h, s->w);
    const sb_tensor p = take_maps(d, m, 54, s->gates, s->c, s->h, s->w),
                    db = take_maps(d, m, BEFORE, s->gates, s->c, 1, 1);
    d->ops->conv_gradient(d->ops, &m->conv[0].shape, &dy, m->gradient);
    d->ops->bias_gradient(d->ops, &dy, db.x);
    d->ops->output_backward(d->ops, &p, true, &dy);
    d->ops->conv_gradient(d->ops, &m->conv[0].shape, &dy, m->gradient);
    keep_maps(d, r, "gradient of bias", &db), keep_maps(d, r, "gradient of y", &dy);
    keep(d, r, "operand of the gradient", m->gradient, conv_sizes(d->ops, &m->conv[0].shape).gradient);
    for (int t = 0; t < m->n_terms; t++) d->ops->conv_turn(d->ops, &m->conv[t]);
    for (int t = 0; t < m->n_terms; t++) {
        const int shrink = m->unit[t].upsampled;
        const sb_term twice[2] = {{&m->conv[t], m->gradient}, {&m->conv[t], m->gradient}};
        sb_tensor dx = take_maps(d, m, 60 + (uint32_t)t, 1, m->unit[t].in, s->h >> shrink, s->w >> shrink);
        d->ops->conv_data_gradient(d->ops, 2, twice, &dx);
        keep_maps(d, r, shrink ? "gradient of upsampled x" : "gradient of x", &dx);
    }
}

static results results_of(const subject *on, const char *walk, sb_gpu_forms forms, const cell *of, const numbers *x)
{
    results r = {0};
    made m = {.of = of, .x = x};
    device d = open_forms(on, walk, forms);
    open_terms(&d, &m);
    m.gradient = device_take(&d, conv_sizes(d.ops, &m.conv[0].shape).gradient, NULL);
    read_inputs(&d, &m, &r);
    go_forward(&d, &m, &r);
    go_through_cell(&d, &m, &r);
    go_backward(&d, &m, &r);
    device_close(&d);
    return r;
}

/* ---- tests ---- */

static const subject on_cpu[] = {{"cuda-on-cpu", "auto", "direct", 0}, {"cuda-on-cpu", "auto", "winograd", 3}};
static const subject on_device[] = {{"native-cuda", "auto", "direct", 0}, {"native-cuda", "auto", "winograd", 3}};

static void compare(const results *wanted, const results *got, const cell *of, const char *walk, fill kind)
{
    assert_true(wanted->n == got->n && wanted->n_parts == got->n_parts);
    size_t first = 0;
    for (int i = 0; i < wanted->n_parts; first = wanted->part[i++].end)
        if (memcmp(wanted->bytes + first, got->bytes + first, wanted->part[i].end - first) != 0)
            fail_msg("%s differs: %d samples of %dx%d, %d to %d x %d channels, walked %s, %s numbers",
                     wanted->part[i].name, of->n, of->h, of->w, of->in[0], of->gates, of->c, walk, fill_names[kind]);
}

static void all_cells(const subject *on, sb_gpu_forms forms)
{
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        for (fill kind = FILL_RANDOM; kind <= FILL_EXTREME && kind < fills_tried; kind++) {
            const numbers x = {kind, 900 + i};
            results wanted = results_of(on, "up", (sb_gpu_forms){0}, &cells[i], &x);
            for (int down = 0; down < 2; down++) {
                const char *walk = down ? "down" : "up";
                results got = results_of(on, walk, forms, &cells[i], &x);
                compare(&wanted, &got, &cells[i], walk, kind);
                free(got.bytes);
            }
            free(wanted.bytes);
        }
}

static void few_outputs(void **state)
{
    const sb_gpu_forms forms = {.pixels = true};
    memset(n_launched, 0, sizeof n_launched);
    all_cells((const subject *)*state, forms);
    assert_true(n_launched[SB_KERNEL_sb_product_pixels] > 0);
    assert_int_equal(n_launched[SB_KERNEL_sb_border_rows], 2 * n_launched[SB_KERNEL_sb_border]);
}

static void transforms(void **state)
{
    const sb_gpu_forms forms = {.transforms = true};
    memset(n_launched, 0, sizeof n_launched);
    all_cells((const subject *)*state + 1, forms);
    assert_int_equal(n_launched[SB_KERNEL_sb_tiles_input], 2 * n_launched[SB_KERNEL_sb_domain_input]);
    assert_int_equal(n_launched[SB_KERNEL_sb_tiles_output], 2 * n_launched[SB_KERNEL_sb_domain_output]);
    assert_int_equal(n_launched[SB_KERNEL_sb_tiles_cell], 2 * n_launched[SB_KERNEL_sb_lstm_forward]);
    assert_int_equal(n_launched[SB_KERNEL_sb_tiles_gradient], 2 * n_launched[SB_KERNEL_sb_domain_gradient]);
    assert_int_equal(n_launched[SB_KERNEL_sb_tiles_adjoint], 2 * n_launched[SB_KERNEL_sb_domain_adjoint]);
}

/* Quotients that decide where a number goes. */
static void quotients_are_exact(void **state)
{
    (void)state;
    for (int by = 1; by < 70000; by = by < 2000 ? by + 1 : by * 5 / 4 + 1) {
        const sb_divisor d = sb_divisor_of(by);
        for (int k = 0; k < 40; k++) {
            const int64_t multiple = (int64_t)by << k;
            for (int64_t x = multiple - 2; x <= multiple + 2; x++)
                if (x >= 0 && x <= INT32_MAX) assert_int_equal(sb_quotient((int)x, d), x / by);
        }
        assert_int_equal(sb_quotient(INT32_MAX, d), INT32_MAX / by);
        assert_int_equal(sb_quotient(INT32_MAX / by * by - 1, d), INT32_MAX / by - 1);
    }
    const sb_divisor most = sb_divisor_of(INT32_MAX);
    assert_true(sb_quotient(INT32_MAX, most) == 1 && sb_quotient(INT32_MAX - 1, most) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(few_outputs, (void *)on_cpu), cmocka_unit_test_prestate(transforms, (void *)on_cpu),
        cmocka_unit_test_prestate(few_outputs, (void *)on_device),
        cmocka_unit_test_prestate(transforms, (void *)on_device), cmocka_unit_test(quotients_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
