#include "train/classify.h"

#include "core/size.h"

#include <stdlib.h>
#include <string.h>

/* One batch of images. */
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
    size_t batch, n_batches; /* images of a batch; batches */
    totals *total;           /* [n_batches] */
    double *entropy;         /* [n_batches][batch], of an image alone */
    uint8_t *label;          /* [n_batches][batch] */
} findings;

static sb_status load(sb_setup *setup, sb_part part, bool flips, portion *p)
{
    sb_window mirrored;
    SB_TRY(sb_loader_part(setup->loader, part, p->first, p->n, false, &p->window));
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

/* Entropies leave mirror images out; predicted classes use them if there are any. */
static sb_status classify_portion(sb_setup *setup, sb_part part, portion *p, const sb_classification *found,
                                  findings *f)
{
    const sb_net *net = setup->learner.net;
    totals *total = &f->total[p->number];
    SB_TRY(load(setup, part, found->flips, p));
    sb_window alone = p->window;
    alone.mirrored = NULL;
    SB_TRY(totals_of(setup, &alone, total->plain));
    SB_TRY(sb_ops_read(net->ops, f->entropy + p->first, net->classes.entropy, p->n * sizeof *f->entropy));
    memcpy(f->label + p->first, p->window.labels, p->n);
    if (found->flips) SB_TRY(totals_of(setup, &p->window, total->flipped));
    return sb_ops_read(net->ops, found->predicted + p->first, net->classes.predicted, p->n);
}

/* Of several ranks each has a slice of the batches. */
static sb_status classify_slice(sb_setup *setup, sb_part part, const sb_classification *found, findings *f)
{
    const sb_slice own = sb_ranks_slice(setup->ranks, f->n_batches, sb_ranks_rank(setup->ranks));
    portion p = {.n_values = sb_image_elements(sb_loader_about_images(setup->loader).shape)};
    size_t values;
    if (!sb_size_multiply(f->batch, p.n_values, &values)) values = SB_SIZE_MAX;
    p.values = sb_size_allocate(values, sizeof *p.values);
    sb_status status = p.values ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a batch");
    for (p.number = own.first; status == SB_OK && p.number < own.first + own.n; p.number++) {
        p.first = p.number * f->batch;
        p.n = found->n - p.first < f->batch ? found->n - p.first : f->batch;
        status = classify_portion(setup, part, &p, found, f);
    }
    free(p.values);
    return status;
}

static sb_status gather(sb_ranks *ranks, sb_classification *found, findings *f)
{
    SB_TRY(sb_ranks_gather(ranks, f->total, f->n_batches, sizeof *f->total));
    SB_TRY(sb_ranks_gather(ranks, f->entropy, f->n_batches, f->batch * sizeof *f->entropy));
    SB_TRY(sb_ranks_gather(ranks, f->label, f->n_batches, f->batch));
    return sb_ranks_gather(ranks, found->predicted, f->n_batches, f->batch);
}

/* Count the results of all batches and images in the order of the data set, whichever rank or thread computed them. */
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
        found->right_of_class[label] += found->predicted[i] == label;
        found->entropy_of_class[label] += f->entropy[i];
    }
    found->loss /= (double)found->n, found->cross_entropy /= (double)found->n;
    for (int k = 0; k <= SB_CLASSES_MAX; k++)
        if (found->of_class[k]) found->entropy_of_class[k] /= (double)found->of_class[k];
}

static sb_status classify_all(sb_setup *setup, sb_part part, sb_classification *found, findings *f)
{
    f->total = sb_size_allocate(f->n_batches, sizeof *f->total);
    f->entropy = sb_size_allocate(f->n_batches, f->batch * sizeof *f->entropy);
    f->label = sb_size_allocate(f->n_batches, f->batch);
    found->predicted = sb_size_allocate(f->n_batches, f->batch);
    if (!f->total || !f->entropy || !f->label || !found->predicted)
        return sb_fail(SB_E_MEMORY, "not enough memory for the classes of %zu images", found->n);
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
    *found = (sb_classification){.n = sb_loader_about_images(setup->loader).n[part], .flips = flips};
    findings f = {.batch = (size_t)sb_settings_samples(setup->options)};
    if (found->n == 0) return SB_OK;
    f.n_batches = (found->n + f.batch - 1) / f.batch;
    const sb_status status = classify_all(setup, part, found, &f);
    free(f.total);
    free(f.entropy);
    free(f.label);
    return status;
}
