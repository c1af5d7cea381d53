/* ResNet-9 against its golden file: pictures as they were drawn, what a training of three updates computes of them, and
 * what was learned. */
#include "inspect/check/check_parts.h"

#include "core/size.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 4, SIDE = 32, COLOURS = 3 };

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

static sb_status read_draws(sb_check *c, const sb_check_pictures *p, const char *prefix, draws *d)
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

/* Crop and flip, then the cutout, which is zero after the normalization. */
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

static sb_status check_input(sb_check *c, const sb_check_pictures *p, const char *prefix)
{
    const size_t n = (size_t)p->batch * p->size;
    char name[160];
    snprintf(name, sizeof name, "%s/input", prefix);
    if (!sb_h5_exists(c->file, name)) return SB_OK;
    double *known, largest = 0;
    SB_TRY(sb_h5_read_new(c->file, name, SB_F64, n, &known));
    for (size_t i = 0; i < n; i++) {
        const double off = known[i] - (double)p->values[i];
        largest = off > largest ? off : -off > largest ? -off : largest;
    }
    free(known);
    if (largest <= c->tolerance) return SB_OK;
    return sb_fail(SB_E_DIFFERS, "%s: the input of %s deviates by %.2e", sb_h5_path(c->file), prefix, largest);
}

static sb_status check_running(sb_check *c, const char *prefix)
{
    const sb_net *net = c->setup.learner.net;
    for (int i = 0; i < net->n_states; i++) {
        char name[160];
        snprintf(name, sizeof name, "%s/running/%s", prefix, net->state[i].name);
        if (net->state[i].kind == SB_STATE_RUNNING) SB_TRY(sb_check_state(c, SB_CHECK_RUNNING, name, &net->state[i]));
    }
    return SB_OK;
}

static sb_status resnet9_update(sb_check *c, sb_check_pictures *p, draws *d, size_t k)
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
    SB_TRY(sb_check_update_on_batch(c, p, prefix, (long)k + 1, &result));
    const double sum = result.loss_mean * (double)p->batch;
    SB_TRY(sb_check_numbers(c, SB_CHECK_LOSS, "loss_sum", k, 1, &sum));
    return check_running(c, prefix);
}

static sb_status resnet9_updates(sb_check *c, sb_check_pictures *p, draws *d)
{
    double lr[SB_CHECK_UPDATES_MOST];
    size_t n = 0;
    SB_TRY(sb_check_read_rates(c, "lr", &n, lr));
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

static void fill_evaluation(sb_check_pictures *p, size_t first, size_t n)
{
    for (size_t i = 0; i < n * p->size; i++) {
        const size_t x = i % SIDE, row = i - x;
        const int colour = (int)(i % p->size / (SIDE * SIDE));
        p->values[i] = normalised(p->bytes[first * p->size + i], colour);
        p->mirrored[row + SIDE - 1 - x] = p->values[i];
    }
}

static sb_status check_predictions(sb_check *c, const sb_check_pictures *p, size_t first, size_t n)
{
    const sb_net *net = c->setup.learner.net;
    SB_FREED uint8_t *known = sb_size_allocate(p->n + n, 1);
    if (!known) return sb_fail(SB_E_MEMORY, "not enough memory");
    uint8_t *got = known + p->n;
    SB_TRY(sb_h5_read(c->file, "eval/prediction", SB_U8, p->n, known));
    SB_TRY(sb_ops_read(net->ops, got, net->classes.predicted, n));
    for (size_t i = 0; i < n; i++)
        if (got[i] != known[first + i])
            return sb_fail(SB_E_DIFFERS, "%s: picture %zu of /eval is taken for class %d, not %d", sb_h5_path(c->file),
                           first + i, got[i], known[first + i]);
    return SB_OK;
}

/* Logits of the pictures, of their mirror images and of both together, by the averages where there are any. */
static sb_status evaluate(sb_check *c, sb_check_pictures *p, bool flips)
{
    for (size_t first = 0; first < p->n; first += (size_t)p->batch) {
        const size_t n = p->n - first < (size_t)p->batch ? p->n - first : (size_t)p->batch;
        fill_evaluation(p, first, n);
        memset(p->batch_labels, 0, n);
        const sb_window plain = {.values = p->values, .labels = p->batch_labels, .n = (int)n};
        sb_window flipped = plain, both = plain;
        flipped.values = p->mirrored, both.mirrored = p->mirrored;
        SB_TRY(sb_learner_infer(&c->setup.learner, &flipped));
        SB_TRY(sb_check_logits(c, SB_CHECK_EVALUATION, "eval/logits_flipped", first, n));
        SB_TRY(sb_learner_infer(&c->setup.learner, &both));
        SB_TRY(sb_check_logits(c, SB_CHECK_EVALUATION, "eval/logits_tta", first, n));
        if (flips) SB_TRY(check_predictions(c, p, first, n));
        SB_TRY(sb_learner_infer(&c->setup.learner, &plain));
        SB_TRY(sb_check_logits(c, SB_CHECK_EVALUATION, "eval/logits", first, n));
        if (!flips) SB_TRY(check_predictions(c, p, first, n));
    }
    return SB_OK;
}

static sb_status check_learned(sb_check *c, const sb_settings *options)
{
    sb_check_pictures p = {0};
    int64_t flips;
    SB_TRY(sb_check_block(c, SB_CHECK_STATE, "final/velocity", c->setup.learner.optimizer.state[0]));
    SB_TRY(check_running(c, "final"));
    SB_TRY(check_averages(c));
    SB_TRY(sb_h5_get_int(c->file, "", "tta", &flips));
    sb_status status = sb_check_take_pictures(c, &p, "eval/images", options->batch);
    if (status == SB_OK && p.size != COLOURS * SIDE * SIDE)
        status = sb_fail(SB_E_INTEGRITY, "%s: /eval/images are not of 32x32", sb_h5_path(c->file));
    sb_average_exchange(&c->setup.learner.average);
    if (status == SB_OK) status = evaluate(c, &p, flips != 0);
    sb_average_exchange(&c->setup.learner.average);
    sb_check_free_pictures(&p);
    return status;
}

/* ---- the file ---- */

static sb_status read_resnet9(sb_check *c, sb_settings *options, draws *d)
{
    options->model = "resnet9", options->optimizer = "nesterov";
    /* The files' seeds are chosen so that the rounding of plain sums changes no pool's choice. The rounding of
     * Winograd's transforms is several times larger and changes one choice in layer2. So float uses plain sums here. */
    if (SB_H5_REAL == SB_F32) options->winograd_channels = 0;
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

static sb_status check_training(sb_check *c, sb_check_pictures *p, draws *d, sb_settings *options)
{
    const sb_data_shape shape = {COLOURS, SIDE, SIDE, SB_CHECK_CLASSES};
    if (p->c != COLOURS || p->h != SIDE || p->w != SIDE)
        return sb_fail(SB_E_INTEGRITY, "%s: /images are not of 32x32 in three colors", sb_h5_path(c->file));
    SB_TRY(sb_check_read_labels(c, p));
    SB_TRY(sb_setup_open_net(&c->setup, options, &shape));
    SB_TRY(sb_check_settle_classes(c));
    sb_check_forget(c);
    SB_TRY(resnet9_updates(c, p, d));
    return check_learned(c, options);
}

sb_status sb_check_resnet9(sb_check *c, sb_settings *options, FILE *out)
{
    sb_check_pictures p = {0};
    draws d = {0};
    char arm[32];
    sb_status status = read_resnet9(c, options, &d);
    snprintf(arm, sizeof arm, "rung %s", options->rung ? options->rung : "");
    if (status == SB_OK) status = sb_check_take_pictures(c, &p, "images", options->batch);
    if (status == SB_OK) status = check_training(c, &p, &d, options);
    sb_check_free_pictures(&p);
    free(d.index);
    if (status == SB_OK) sb_check_report(c, arm, out);
    return status == SB_OK ? sb_check_judge(c, arm) : status;
}
