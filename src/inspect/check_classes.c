/* LeNet and ResNet-9 against their golden files: pictures, labels, what a training of three updates computes of them,
 * and what was learned. */
#include "inspect/check_parts.h"

#include "core/size.h"
#include "io/h5_attribute.h"
#include "io/h5_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_CLASSES = 10, PADDING = 4, SIDE = 32, COLOURS = 3 };

/* The pictures of a file [n][c][h][w], and room for a batch of them as the network gets them, twice. */
typedef struct pictures {
    size_t n, c, h, w, size; /* size: numbers of one */
    long batch;
    uint8_t *bytes, *labels; /* labels NULL: none */
    uint8_t *batch_labels;
    sb_real *values, *mirrored;
} pictures;

static void free_pictures(pictures *p)
{
    free(p->bytes);
    free(p->labels);
    free(p->batch_labels);
    free(p->values);
    free(p->mirrored);
}

static sb_status take_pictures(sb_check *c, pictures *p, const char *images, long batch)
{
    const sb_h5_row layout[] = {{images, SB_H5_BYTES, "n c h w", .may_lack = false}};
    sb_h5_dims dims;
    SB_TRY(sb_h5_check_layout(c->file, layout, 1, &dims));
    *p = (pictures){.n = dims.of['n' - 'a'], .c = dims.of['c' - 'a'], .h = dims.of['h' - 'a'], .w = dims.of['w' - 'a']};
    size_t total, values;
    if (!sb_size_multiply(p->c * p->h, p->w, &p->size) || !sb_size_multiply(p->n, p->size, &total) ||
        !sb_size_multiply((size_t)batch, p->size, &values) || total > SB_CHECK_INPUTS_MOST ||
        values > SB_CHECK_INPUTS_MOST || p->size == 0)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s are not pictures", sb_h5_path(c->file), images);
    p->batch = batch;
    p->bytes = sb_size_allocate(total, 1);
    p->values = sb_size_allocate(values, sizeof *p->values), p->mirrored = sb_size_allocate(values, sizeof *p->mirrored);
    p->batch_labels = sb_size_allocate((size_t)batch, 1);
    if (!p->bytes || !p->values || !p->mirrored || !p->batch_labels) return sb_fail(SB_E_MEMORY, "not enough memory");
    return sb_h5_read(c->file, images, SB_U8, total, p->bytes);
}

static sb_status read_labels(sb_check *c, pictures *p)
{
    p->labels = sb_size_allocate(p->n, 1);
    if (!p->labels) return sb_fail(SB_E_MEMORY, "not enough memory");
    SB_TRY(sb_h5_read(c->file, "labels", SB_U8, p->n, p->labels));
    for (size_t i = 0; i < p->n; i++)
        if (p->labels[i] >= N_CLASSES)
            return sb_fail(SB_E_INTEGRITY, "%s: label %d of picture %zu is none of %d classes", sb_h5_path(c->file),
                           p->labels[i], i, N_CLASSES);
    return SB_OK;
}

/* ---- one update ---- */

/* The logits of the last pass, n samples, against a data set of the file from row `first` on. */
static sb_status check_logits(sb_check *c, int kind, const char *name, size_t first, size_t n)
{
    const sb_net *net = c->setup.learner.net;
    const size_t numbers = n * N_CLASSES;
    double *got = sb_size_allocate(numbers, sizeof *got);
    sb_real *host = sb_size_allocate(numbers, sizeof *host);
    sb_status status = got && host ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory");
    if (status == SB_OK) status = sb_ops_read(net->ops, host, net->classes.logits.x, numbers * sizeof *host);
    for (size_t i = 0; status == SB_OK && i < numbers; i++) got[i] = host[i];
    if (status == SB_OK) status = sb_check_numbers(c, kind, name, first * N_CLASSES, numbers, got);
    free(got);
    free(host);
    return status;
}

static sb_status update_on_batch(sb_check *c, const pictures *p, const char *prefix, long update, sb_step_result *result)
{
    const sb_window window = {.values = p->values, .labels = p->batch_labels, .n = (int)p->batch};
    char name[160];
    SB_TRY(sb_learner_update(&c->setup.learner, &window, update, SB_GRADIENT_KEPT, result));
    snprintf(name, sizeof name, "%s/logits", prefix);
    SB_TRY(check_logits(c, SB_CHECK_LOGITS, name, 0, (size_t)p->batch));
    return sb_check_update(c, prefix, update);
}

/* The learning rates of the updates, at most so many. */
enum { UPDATES_MOST = 64 };

static sb_status read_rates(sb_check *c, const char *name, size_t *n, double lr[UPDATES_MOST])
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(c->file, name, &shape));
    if (shape.n < 1 || shape.n > UPDATES_MOST)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s has %zu updates, not 1 to %d", sb_h5_path(c->file), name, shape.n,
                       UPDATES_MOST);
    *n = shape.n;
    return sb_h5_read(c->file, name, SB_F64, shape.n, lr);
}

static sb_status settle(sb_check *c)
{
    bool is_double;
    SB_TRY(sb_check_is_double(c->file, &is_double));
    return sb_check_settle(c, sb_check_tolerance_classes(is_double));
}

/* ---- LeNet: several optimisers, each from the same start ---- */

static sb_status check_ratios(sb_check *c, const char *prefix)
{
    const sb_params *params = &c->setup.learner.net->params;
    const sb_optimizer *optimizer = &c->setup.learner.optimizer;
    for (int p = 0; p < params->n && optimizer->norm; p++) {
        char name[160];
        double ratio;
        snprintf(name, sizeof name, "%s/trust/%s", prefix, params->list[p].name);
        SB_TRY(sb_ops_read(c->setup.learner.net->ops, &ratio, optimizer->norm + 3 * p + 2, sizeof ratio));
        SB_TRY(sb_check_numbers(c, SB_CHECK_RATIO, name, 0, 1, &ratio));
    }
    return SB_OK;
}

static void fill_digits(pictures *p, size_t first)
{
    const size_t n = (size_t)p->batch * p->size;
    const uint8_t *bytes = p->bytes + first * p->size;
    for (size_t i = 0; i < n; i++)
        p->values[i] = ((sb_real)bytes[i] / (sb_real)255 - (sb_real)0.1307) / (sb_real)0.3081;
    memcpy(p->batch_labels, p->labels + first, (size_t)p->batch);
}

static sb_status lenet_updates(sb_check *c, pictures *p, const char *arm)
{
    double lr[UPDATES_MOST];
    size_t n = 0;
    char name[160];
    snprintf(name, sizeof name, "%s/lr", arm);
    SB_TRY(read_rates(c, name, &n, lr));
    if (n * (size_t)p->batch > p->n)
        return sb_fail(SB_E_INTEGRITY, "%s: has pictures for less than %zu updates", sb_h5_path(c->file), n);
    SB_TRY(sb_check_start(c));
    for (size_t k = 0; k < n; k++) {
        sb_step_result result;
        char prefix[64];
        snprintf(prefix, sizeof prefix, "%s/update%zu", arm, k + 1);
        c->setup.learner.settings.lr = lr[k];
        fill_digits(p, k * (size_t)p->batch);
        SB_TRY(update_on_batch(c, p, prefix, (long)k + 1, &result));
        SB_TRY(check_ratios(c, prefix));
        snprintf(name, sizeof name, "%s/loss_mean", prefix);
        SB_TRY(sb_check_numbers(c, SB_CHECK_LOSS, name, 0, 1, &result.loss_mean));
    }
    return SB_OK;
}

/* The optimiser of an arm is called as the arm; what it has is among the group's attributes. */
static sb_status read_arm(sb_check *c, const char *arm, sb_settings *options)
{
    static const struct {
        const char *attribute;
        sb_setting_id id;
    } known[] = {{"mu", SB_SETTING_MOMENTUM}, {"wd", SB_SETTING_WEIGHT_DECAY}, {"eta", SB_SETTING_ETA},
                 {"eps", SB_SETTING_EPS},     {"b1", SB_SETTING_BETA1},        {"b2", SB_SETTING_BETA2}};
    if (sb_optimizer_find(arm) == SB_N_OPTIMIZERS)
        return sb_fail(SB_E_INTEGRITY, "%s: an arm '%s', which is no optimizer", sb_h5_path(c->file), arm);
    options->optimizer = arm;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (sb_h5_has(c->file, arm, known[i].attribute))
            SB_TRY(sb_check_option(c, arm, known[i].attribute, known[i].id, options));
    return SB_OK;
}

static sb_status check_arm(sb_check *c, pictures *p, const char *arm, const sb_settings *common, FILE *out)
{
    sb_settings options = *common;
    const sb_data_shape shape = {(int)p->c, (int)p->h, (int)p->w, N_CLASSES};
    SB_TRY(read_arm(c, arm, &options));
    sb_setup_close(&c->setup);
    SB_TRY(sb_setup_open_net(&c->setup, &options, &shape));
    SB_TRY(settle(c));
    sb_check_forget(c);
    SB_TRY(lenet_updates(c, p, arm));
    sb_check_report(c, arm, out);
    return sb_check_judge(c, arm);
}

static sb_status read_lenet(sb_check *c, sb_settings *options)
{
    char channels[64], hidden[64], widths[160];
    options->model = "lenet";
    SB_TRY(sb_h5_attribute_text(c->file, "", "channels", channels, sizeof channels));
    SB_TRY(sb_h5_attribute_text(c->file, "", "hidden", hidden, sizeof hidden));
    snprintf(widths, sizeof widths, "%s,%s", channels, hidden);
    if (!sb_setting_set(options, SB_SETTING_WIDTHS, widths))
        return sb_fail(SB_E_INTEGRITY, "%s: no lenet has layers of %s", sb_h5_path(c->file), widths);
    return sb_check_option(c, "", "batch", SB_SETTING_BATCH, options);
}

sb_status sb_check_lenet(sb_check *c, sb_settings *options, FILE *out)
{
    pictures p = {0};
    char arms[128], *rest = NULL;
    SB_TRY(read_lenet(c, options));
    SB_TRY(sb_h5_get_text(c->file, "", "arms", arms, sizeof arms));
    sb_status status = take_pictures(c, &p, "images", options->batch);
    if (status == SB_OK) status = read_labels(c, &p);
    for (char *arm = strtok_r(arms, ",", &rest); status == SB_OK && arm; arm = strtok_r(NULL, ",", &rest))
        status = check_arm(c, &p, arm, options, out);
    free_pictures(&p);
    return status;
}

/* ---- ResNet-9 ---- */

/* What the file says was drawn for each picture of a batch. */
typedef struct draws {
    int64_t *index, *crop, *flip, *cutout; /* [batch], [batch][x, y], [batch], [batch][x, y] */
    int64_t size;                          /* of the cutout; 0: none */
} draws;

static sb_status read_draw(sb_check *c, const char *prefix, const char *what, size_t n, int64_t most, int64_t *draw)
{
    char name[160];
    snprintf(name, sizeof name, "%s/%s", prefix, what);
    SB_TRY(sb_h5_read(c->file, name, SB_I64, n, draw));
    for (size_t i = 0; i < n; i++)
        if (draw[i] < 0 || draw[i] > most)
            return sb_fail(SB_E_INTEGRITY, "%s: /%s has %lld, and at most %lld makes sense", sb_h5_path(c->file), name,
                           (long long)draw[i], (long long)most);
    return SB_OK;
}

static sb_status read_draws(sb_check *c, const pictures *p, const char *prefix, draws *d)
{
    const size_t n = (size_t)p->batch;
    SB_TRY(read_draw(c, prefix, "index", n, (int64_t)p->n - 1, d->index));
    SB_TRY(read_draw(c, prefix, "crop", 2 * n, 2 * PADDING, d->crop));
    SB_TRY(read_draw(c, prefix, "flip", n, 1, d->flip));
    return d->size ? read_draw(c, prefix, "cutout", 2 * n, SIDE - d->size, d->cutout) : SB_OK;
}

static sb_real normalised(uint8_t byte, int colour)
{
    static const double mean[COLOURS] = {125.31, 122.95, 113.87}, sd[COLOURS] = {62.99, 62.09, 66.70};
    return ((sb_real)byte - (sb_real)mean[colour]) / (sb_real)sd[colour];
}

/* Where row or column x of a picture padded by reflection comes from. */
static int reflected(int x)
{
    return x < 0 ? -x : x >= SIDE ? 2 * (SIDE - 1) - x : x;
}

static bool is_inside(int64_t x, int64_t first, int64_t size)
{
    return x >= first && x < first + size;
}

/* Crop and flip, then the cutout, which is zero behind the normalisation. */
static void draw_picture(const uint8_t *bytes, const draws *d, size_t i, sb_real *to)
{
    const int64_t *crop = d->crop + 2 * i, *cutout = d->cutout + 2 * i;
    for (int colour = 0; colour < COLOURS; colour++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++, to++) {
                const int row = reflected(y + (int)crop[1] - PADDING);
                const int column = reflected((d->flip[i] ? SIDE - 1 - x : x) + (int)crop[0] - PADDING);
                const bool is_cut = d->size && is_inside(x, cutout[0], d->size) && is_inside(y, cutout[1], d->size);
                *to = is_cut ? 0 : normalised(bytes[(colour * SIDE + row) * SIDE + column], colour);
            }
}

static sb_status check_input(sb_check *c, const pictures *p, const char *prefix)
{
    const size_t n = (size_t)p->batch * p->size;
    char name[160];
    snprintf(name, sizeof name, "%s/input", prefix);
    if (!sb_h5_exists(c->file, name)) return SB_OK;
    double *known = sb_size_allocate(n, sizeof *known), largest = 0;
    if (!known) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_status status = sb_h5_read(c->file, name, SB_F64, n, known);
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        const double off = known[i] - (double)p->values[i];
        largest = off > largest ? off : -off > largest ? -off : largest;
    }
    free(known);
    if (status == SB_OK && largest > c->tolerance)
        return sb_fail(SB_E_DIFFERS, "%s: the input of %s deviates by %.2e", sb_h5_path(c->file), prefix, largest);
    return status;
}

static sb_status check_running(sb_check *c, const char *prefix)
{
    const sb_net *net = c->setup.learner.net;
    for (int i = 0; i < net->n_states; i++) {
        char name[160];
        snprintf(name, sizeof name, "%s/running/%s", prefix, net->state[i].name);
        if (net->state[i].kind == SB_STATE_RUNNING)
            SB_TRY(sb_check_state(c, SB_CHECK_RUNNING, name, &net->state[i]));
    }
    return SB_OK;
}

static sb_status resnet9_update(sb_check *c, pictures *p, draws *d, size_t k)
{
    char prefix[64];
    sb_step_result result;
    snprintf(prefix, sizeof prefix, "update%zu", k + 1);
    SB_TRY(read_draws(c, p, prefix, d));
    for (size_t i = 0; i < (size_t)p->batch; i++) {
        const size_t from = (size_t)d->index[i];
        draw_picture(p->bytes + from * p->size, d, i, p->values + i * p->size);
        p->batch_labels[i] = p->labels[from];
    }
    SB_TRY(check_input(c, p, prefix));
    SB_TRY(update_on_batch(c, p, prefix, (long)k + 1, &result));
    const double sum = result.loss_mean * (double)p->batch;
    SB_TRY(sb_check_numbers(c, SB_CHECK_LOSS, "loss_sum", k, 1, &sum));
    return check_running(c, prefix);
}

static sb_status resnet9_updates(sb_check *c, pictures *p, draws *d)
{
    double lr[UPDATES_MOST];
    size_t n = 0;
    SB_TRY(read_rates(c, "lr", &n, lr));
    SB_TRY(sb_check_start(c));
    for (size_t k = 0; k < n; k++) {
        c->setup.learner.settings.lr = lr[k] * (double)p->batch; /* the file's is of the gradient's sum */
        SB_TRY(resnet9_update(c, p, d, k));
    }
    return SB_OK;
}

/* ---- what was learned ---- */

static sb_status check_averages(sb_check *c)
{
    static const char before[] = "average/";
    const sb_net *net = c->setup.learner.net;
    for (int i = 0; i < net->n_states; i++) {
        const sb_state *state = &net->state[i];
        const char *of = state->name + sizeof before - 1;
        char name[160];
        if (state->kind != SB_STATE_AVERAGE) continue;
        snprintf(name, sizeof name, "final/ema/%s", of);
        if (!sb_h5_exists(c->file, name)) snprintf(name, sizeof name, "final/ema_running/%s", of);
        SB_TRY(sb_check_state(c, SB_CHECK_AVERAGE, name, state));
    }
    return SB_OK;
}

static void fill_evaluation(pictures *p, size_t first, size_t n)
{
    for (size_t i = 0; i < n * p->size; i++) {
        const size_t x = i % SIDE, row = i - x;
        const int colour = (int)(i % p->size / (SIDE * SIDE));
        p->values[i] = normalised(p->bytes[first * p->size + i], colour);
        p->mirrored[row + SIDE - 1 - x] = p->values[i];
    }
}

static sb_status check_predictions(sb_check *c, const pictures *p, size_t first, size_t n)
{
    const sb_net *net = c->setup.learner.net;
    uint8_t *known = sb_size_allocate(p->n + n, 1);
    if (!known) return sb_fail(SB_E_MEMORY, "not enough memory");
    uint8_t *got = known + p->n;
    sb_status status = sb_h5_read(c->file, "eval/prediction", SB_U8, p->n, known);
    if (status == SB_OK) status = sb_ops_read(net->ops, got, net->classes.predicted, n);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        if (got[i] != known[first + i])
            status = sb_fail(SB_E_DIFFERS, "%s: picture %zu of /eval is taken for class %d, not %d",
                             sb_h5_path(c->file), first + i, got[i], known[first + i]);
    free(known);
    return status;
}

/* Logits of the pictures, of their mirror images and of both together, by the averages where there are any. */
static sb_status evaluate(sb_check *c, pictures *p, bool flips)
{
    for (size_t first = 0; first < p->n; first += (size_t)p->batch) {
        const size_t n = p->n - first < (size_t)p->batch ? p->n - first : (size_t)p->batch;
        fill_evaluation(p, first, n);
        memset(p->batch_labels, 0, n);
        const sb_window plain = {.values = p->values, .labels = p->batch_labels, .n = (int)n};
        sb_window flipped = plain, both = plain;
        flipped.values = p->mirrored, both.mirrored = p->mirrored;
        SB_TRY(sb_learner_infer(&c->setup.learner, &flipped));
        SB_TRY(check_logits(c, SB_CHECK_EVALUATION, "eval/logits_flipped", first, n));
        SB_TRY(sb_learner_infer(&c->setup.learner, &both));
        SB_TRY(check_logits(c, SB_CHECK_EVALUATION, "eval/logits_tta", first, n));
        if (flips) SB_TRY(check_predictions(c, p, first, n));
        SB_TRY(sb_learner_infer(&c->setup.learner, &plain));
        SB_TRY(check_logits(c, SB_CHECK_EVALUATION, "eval/logits", first, n));
        if (!flips) SB_TRY(check_predictions(c, p, first, n));
    }
    return SB_OK;
}

static sb_status check_learned(sb_check *c, const sb_settings *options)
{
    pictures p = {0};
    int64_t flips;
    SB_TRY(sb_check_block(c, SB_CHECK_STATE, "final/velocity", c->setup.learner.optimizer.state[0]));
    SB_TRY(check_running(c, "final"));
    SB_TRY(check_averages(c));
    SB_TRY(sb_h5_get_int(c->file, "", "tta", &flips));
    sb_status status = take_pictures(c, &p, "eval/images", options->batch);
    if (status == SB_OK && p.size != COLOURS * SIDE * SIDE)
        status = sb_fail(SB_E_INTEGRITY, "%s: /eval/images are not of 32x32", sb_h5_path(c->file));
    sb_average_exchange(&c->setup.learner.average);
    if (status == SB_OK) status = evaluate(c, &p, flips != 0);
    sb_average_exchange(&c->setup.learner.average);
    free_pictures(&p);
    return status;
}

/* ---- the file ---- */

static sb_status read_resnet9(sb_check *c, sb_settings *options, draws *d)
{
    options->model = "resnet9", options->optimizer = "nesterov";
    /* The files' seeds are such that no pool is nearly undecided by the rounding of plain sums; that of Winograd's
     * transforms, several times as large, decides one of layer2 otherwise. So float takes them where training does. */
    if (SB_H5_REAL == SB_F32) options->wide_channels = 0;
    SB_TRY(sb_check_option(c, "", "rung", SB_SETTING_RUNG, options));
    SB_TRY(sb_check_option(c, "", "widths", SB_SETTING_WIDTHS, options));
    SB_TRY(sb_check_option(c, "", "batch", SB_SETTING_BATCH, options));
    SB_TRY(sb_check_option(c, "", "momentum", SB_SETTING_MOMENTUM, options));
    SB_TRY(sb_check_option(c, "", "weight_decay_per_sample", SB_SETTING_WEIGHT_DECAY, options));
    SB_TRY(sb_check_option(c, "", "ema_every", SB_SETTING_EMA_EVERY, options));
    SB_TRY(sb_h5_get_int(c->file, "", "cutout", &d->size));
    if (d->size < 0 || d->size > SIDE)
        return sb_fail(SB_E_INTEGRITY, "%s: a cutout of %lld", sb_h5_path(c->file), (long long)d->size);
    const size_t n = (size_t)options->batch;
    d->index = sb_size_allocate(n, 6 * sizeof *d->index);
    if (!d->index) return sb_fail(SB_E_MEMORY, "not enough memory");
    d->crop = d->index + n, d->flip = d->crop + 2 * n, d->cutout = d->flip + n;
    return SB_OK;
}

static sb_status check_training(sb_check *c, pictures *p, draws *d, sb_settings *options)
{
    const sb_data_shape shape = {COLOURS, SIDE, SIDE, N_CLASSES};
    if (p->c != COLOURS || p->h != SIDE || p->w != SIDE)
        return sb_fail(SB_E_INTEGRITY, "%s: /images are not of 32x32 in three colours", sb_h5_path(c->file));
    SB_TRY(read_labels(c, p));
    SB_TRY(sb_setup_open_net(&c->setup, options, &shape));
    SB_TRY(settle(c));
    sb_check_forget(c);
    SB_TRY(resnet9_updates(c, p, d));
    return check_learned(c, options);
}

sb_status sb_check_resnet9(sb_check *c, sb_settings *options, FILE *out)
{
    pictures p = {0};
    draws d = {0};
    char arm[32];
    sb_status status = read_resnet9(c, options, &d);
    snprintf(arm, sizeof arm, "rung %s", options->rung ? options->rung : "");
    if (status == SB_OK) status = take_pictures(c, &p, "images", options->batch);
    if (status == SB_OK) status = check_training(c, &p, &d, options);
    free_pictures(&p);
    free(d.index);
    if (status == SB_OK) sb_check_report(c, arm, out);
    return status == SB_OK ? sb_check_judge(c, arm) : status;
}
