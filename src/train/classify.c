#include "train/classify.h"

#include "core/size.h"

#include <stdlib.h>
#include <string.h>

/* One batch of images. */
typedef struct portion {
    size_t first, n;
    sb_window window;
    sb_real *values; /* a copy, for the loader has room for one part at a time */
    double *entropy; /* of each image */
    size_t n_values;
} portion;

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

static sb_status count(sb_setup *setup, const portion *p, sb_classification *found)
{
    const sb_net *net = setup->learner.net;
    uint8_t *predicted = found->predicted + p->first;
    SB_TRY(sb_ops_read(net->ops, predicted, net->classes.predicted, p->n));
    for (size_t i = 0; i < p->n; i++) {
        found->of_class[p->window.labels[i]]++;
        found->right_of_class[p->window.labels[i]] += predicted[i] == p->window.labels[i];
    }
    return SB_OK;
}

/* Of the images alone, not of their mirror images. */
static sb_status add_entropies(sb_setup *setup, const portion *p, sb_classification *found)
{
    const sb_net *net = setup->learner.net;
    SB_TRY(sb_ops_read(net->ops, p->entropy, net->classes.entropy, p->n * sizeof *p->entropy));
    for (size_t i = 0; i < p->n; i++) found->entropy_of_class[p->window.labels[i]] += p->entropy[i];
    return SB_OK;
}

static sb_status classify_portion(sb_setup *setup, sb_part part, bool flips, portion *p, sb_classification *found)
{
    double total[SB_N_TOTALS];
    SB_TRY(load(setup, part, flips, p));
    sb_window alone = p->window;
    alone.mirrored = NULL;
    SB_TRY(totals_of(setup, &alone, total));
    found->loss += total[SB_TOTAL_LOSS], found->cross_entropy += total[SB_TOTAL_ENTROPY];
    found->correct += (size_t)total[SB_TOTAL_CORRECT];
    SB_TRY(add_entropies(setup, p, found));
    if (flips) {
        SB_TRY(totals_of(setup, &p->window, total));
        found->correct_flipped += (size_t)total[SB_TOTAL_CORRECT];
    }
    return count(setup, p, found);
}

static sb_status classify_all(sb_setup *setup, sb_part part, bool flips, sb_classification *found)
{
    const size_t batch = (size_t)sb_shards_samples(setup->options), n = found->n;
    portion p = {.n_values = sb_image_elements(sb_loader_about_images(setup->loader).shape)};
    size_t values;
    if (!sb_size_multiply(batch, p.n_values, &values)) values = SB_SIZE_MAX;
    p.values = sb_size_allocate(values, sizeof *p.values);
    p.entropy = sb_size_allocate(batch, sizeof *p.entropy);
    sb_status status = p.values && p.entropy ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a batch");
    for (; status == SB_OK && p.first < n; p.first += p.n) {
        p.n = n - p.first < batch ? n - p.first : batch;
        status = classify_portion(setup, part, flips, &p, found);
    }
    free(p.values);
    free(p.entropy);
    return status;
}

sb_status sb_classify(sb_setup *setup, sb_part part, sb_classification *found)
{
    const sb_settings settings = sb_settings_resolved(setup->options);
    const bool flips = settings.test_flip && strcmp(settings.test_flip, "on") == 0;
    *found = (sb_classification){.n = sb_loader_about_images(setup->loader).n[part], .flips = flips};
    if (found->n == 0) return SB_OK;
    found->predicted = sb_size_allocate(found->n, 1);
    if (!found->predicted) return sb_fail(SB_E_MEMORY, "not enough memory for the classes of %zu images", found->n);
    sb_average_exchange(&setup->learner.average);
    sb_status status = classify_all(setup, part, flips, found);
    sb_average_exchange(&setup->learner.average);
    found->loss /= (double)found->n, found->cross_entropy /= (double)found->n;
    for (int k = 0; k <= SB_CLASSES_MAX; k++)
        if (found->of_class[k]) found->entropy_of_class[k] /= (double)found->of_class[k];
    return status;
}
