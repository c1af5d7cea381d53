#include "train/classify.h"

#include "core/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One batch of images, or of windows of a text. */
typedef struct portion {
    size_t number, first, n;
    sb_window window;
    sb_real *values; /* a copy, for the loader has room for one part at a time */
    size_t n_values;
} portion;

/* Sums over a batch, of the images alone, and of them with their mirror images. */
typedef struct totals {
    double plain[SB_N_TOTALS], flipped[SB_N_TOTALS];
} totals;

/* What is found of each batch and of each image, before it is counted. */
typedef struct findings {
    size_t n, batch, n_batches; /* samples; of them in a batch; batches */
    totals *total;           /* [n_batches] */
    size_t n_targets;        /* of an image 1, of a window its tokens but the first */
    double *entropy;         /* [n_batches][batch][n_targets], of an image alone */
    uint8_t *label;          /* [n_batches][batch][n_targets] */
} findings;

static sb_status load(sb_setup *setup, sb_part part, bool flips, portion *p)
{
    sb_window mirrored;
    SB_TRY(sb_loader_part(setup->loader, part, p->first, p->n, false, &p->window));
    if (p->window.tokens) return SB_OK;
    memcpy(p->values, p->window.values, p->n * p->n_values * sizeof *p->values);
    p->window.values = p->values;
    if (!flips) return SB_OK;
    SB_TRY(sb_loader_part(setup->loader, part, p->first, p->n, true, &mirrored));
    p->window.mirrored = mirrored.values, p->window.labels = mirrored.labels;
    return SB_OK;
}

static sb_status totals_of(sb_setup *setup, const sb_window *window, double total[SB_N_TOTALS])
{
    SB_TRY(sb_learner_infer(&setup->learner, window));
    return sb_learner_losses(&setup->learner, total);
}

static void copy_labels(const sb_window *window, size_t n_targets, uint8_t *label)
{
    if (!window->tokens) memcpy(label, window->labels, (size_t)window->n);
    for (size_t i = 0; window->tokens && i < (size_t)window->n; i++)
        memcpy(label + i * n_targets, window->tokens + i * (n_targets + 1) + 1, n_targets);
}

/* Entropies leave mirror images out; predicted classes use them if there are any. */
static sb_status classify_portion(sb_setup *setup, sb_part part, portion *p, const sb_classification *found,
                                  findings *f)
{
    const sb_net *net = setup->learner.net;
    totals *total = &f->total[p->number];
    const size_t first = p->first * f->n_targets, n = p->n * f->n_targets;
    SB_TRY(load(setup, part, found->flips, p));
    sb_window alone = p->window;
    alone.mirrored = NULL;
    SB_TRY(totals_of(setup, &alone, total->plain));
    SB_TRY(sb_ops_read(net->ops, f->entropy + first, net->classes.entropy, n * sizeof *f->entropy));
    copy_labels(&p->window, f->n_targets, f->label + first);
    if (found->flips) SB_TRY(totals_of(setup, &p->window, total->flipped));
    return sb_ops_read(net->ops, found->predicted + first, net->classes.predicted, n);
}

/* Of several ranks each has a slice of the batches. */
static sb_status classify_slice(sb_setup *setup, sb_part part, const sb_classification *found, findings *f)
{
    const sb_slice own = sb_ranks_slice(setup->ranks, f->n_batches, sb_ranks_rank(setup->ranks));
    const bool is_text = sb_dataset_about(setup->dataset)->kind == SB_DATASET_TEXT;
    portion p = {.n_values = is_text ? 0 : sb_image_elements(sb_loader_about_images(setup->loader).shape)};
    size_t values;
    if (!sb_size_multiply(f->batch, p.n_values, &values)) values = SB_SIZE_MAX;
    p.values = sb_size_allocate(values, sizeof *p.values);
    sb_status status = p.values ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a batch");
    for (p.number = own.first; status == SB_OK && p.number < own.first + own.n; p.number++) {
        p.first = p.number * f->batch;
        p.n = f->n - p.first < f->batch ? f->n - p.first : f->batch;
        status = classify_portion(setup, part, &p, found, f);
    }
    free(p.values);
    return status;
}

static sb_status gather(sb_ranks *ranks, sb_classification *found, findings *f)
{
    const size_t targets = f->batch * f->n_targets;
    SB_TRY(sb_ranks_gather(ranks, f->total, f->n_batches, sizeof *f->total));
    SB_TRY(sb_ranks_gather(ranks, f->entropy, f->n_batches, targets * sizeof *f->entropy));
    SB_TRY(sb_ranks_gather(ranks, f->label, f->n_batches, targets));
    return sb_ranks_gather(ranks, found->predicted, f->n_batches, targets);
}

/* Count the results of all batches and targets in the order of the data set, whichever rank or thread computed them. */
static void count(sb_classification *found, const findings *f)
{
    for (size_t k = 0; k < f->n_batches; k++) {
        const totals *total = &f->total[k];
        found->loss += total->plain[SB_TOTAL_LOSS], found->cross_entropy += total->plain[SB_TOTAL_ENTROPY];
        found->correct += (size_t)total->plain[SB_TOTAL_CORRECT];
        found->correct_flipped += (size_t)total->flipped[SB_TOTAL_CORRECT];
    }
    for (size_t i = 0; i < found->n; i++) {
        const uint8_t label = f->label[i];
        found->of_class[label]++;
        found->right_of_class[label] += found->predicted[i] == label && !isnan(f->entropy[i]); /* of 256 classes, 255 */
        found->entropy_of_class[label] += f->entropy[i];
    }
    found->loss /= (double)f->n, found->cross_entropy /= (double)f->n;
    for (int k = 0; k <= SB_CLASSES_MAX; k++)
        if (found->of_class[k]) found->entropy_of_class[k] /= (double)found->of_class[k];
}

static sb_status classify_all(sb_setup *setup, sb_part part, sb_classification *found, findings *f)
{
    const size_t targets = f->batch * f->n_targets;
    f->total = sb_size_allocate(f->n_batches, sizeof *f->total);
    f->entropy = sb_size_allocate(f->n_batches, targets * sizeof *f->entropy);
    f->label = sb_size_allocate(f->n_batches, targets);
    found->predicted = sb_size_allocate(f->n_batches, targets);
    if (!f->total || !f->entropy || !f->label || !found->predicted)
        return sb_fail(SB_E_MEMORY, "not enough memory for the classes of %zu samples", f->n);
    sb_average_exchange(&setup->learner.average);
    sb_status status = classify_slice(setup, part, found, f);
    sb_average_exchange(&setup->learner.average);
    if (status == SB_OK) status = gather(setup->ranks, found, f);
    if (status == SB_OK) count(found, f);
    return status;
}

sb_status sb_classify(sb_setup *setup, sb_part part, sb_classification *found)
{
    const sb_settings settings = sb_settings_resolved(setup->options);
    const bool flips = sb_setting_says(settings.test_flip, "on");
    findings f = {.n = sb_loader_part_samples(setup->loader, part),
                  .batch = (size_t)sb_settings_samples(setup->options),
                  .n_targets = (size_t)setup->learner.net->classes.n_targets};
    *found = (sb_classification){.n = f.n * f.n_targets, .flips = flips};
    if (f.n == 0) return SB_OK;
    f.n_batches = (f.n + f.batch - 1) / f.batch;
    const sb_status status = classify_all(setup, part, found, &f);
    free(f.total);
    free(f.entropy);
    free(f.label);
    return status;
}
