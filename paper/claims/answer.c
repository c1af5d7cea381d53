#include "paper/claims/answer.h"

#include "paper/effects/against_baselines.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- what there is -- */

static const sb_contrast *told(const sb_answer *a)
{
    return a->hardware[SB_CONTRAST_GPU].n ? a->hardware[SB_CONTRAST_GPU].contrast
                                          : a->hardware[SB_CONTRAST_CPU].contrast;
}

static const sb_contrast *find_beside(const sb_answer *a, const sb_contrasts *contrasts)
{
    for (const sb_contrast *c = contrasts->contrast; told(a) && c < contrasts->contrast + contrasts->n; c++)
        if (c->kind == SB_CONTRAST_BUFFER && c != a->buffer && c->of_setting == told(a)->over_setting) return c;
    return NULL;
}

static bool is_above(const sb_arm *arm, double loss)
{
    for (size_t i = 0; i < arm->n; i++)
        if (!(arm->cell[i]->loss[SB_METRIC_LAST] > loss)) return false;
    return true;
}

static bool has_learned_little(const sb_contrast *c, const sb_results *results)
{
    const double repeated = sb_group_baseline(c->group, &results->baselines, SB_BASELINE_REPEAT, SB_METRIC_LAST);
    return !isnan(repeated) && is_above(c->of, repeated) && is_above(c->over, repeated);
}

sb_answer sb_answer_of(const sb_contrasts *contrasts, const sb_results *results, const sb_claims *claims)
{
    sb_answer a = {.n_claims = claims->n, .see = claims->file ? claims->file->see : NULL};
    for (const sb_contrast *c = contrasts->contrast; c < contrasts->contrast + contrasts->n; c++) {
        if (c->kind == SB_CONTRAST_BUFFER) {
            /* Measured runs speak before emulated and imitated ones of the same study. */
            bool better =
                a.buffer && c->group == a.buffer->group && c->of->cell[0]->evidence < a.buffer->of->cell[0]->evidence;
            if (!a.buffer || better) a.buffer = c;
            continue;
        }
        if (a.hardware[c->kind].n == 0) a.hardware[c->kind].contrast = c;
        a.hardware[c->kind].n += c->group == a.hardware[c->kind].contrast->group;
    }
    a.beside = find_beside(&a, contrasts);
    for (size_t i = 0; i < results->n_cells; i++) {
        a.gpu_ran = a.gpu_ran || sb_recipe_on_gpu(&results->cell[i]);
        a.published_size_ran = a.published_size_ran || sb_recipe_has_published_size(&results->cell[i]);
    }
    a.learned_little = a.buffer && has_learned_little(a.buffer, results);
    for (size_t i = 0; i < claims->n; i++) a.n_waiting += claims->result[i].outcome == SB_OUTCOME_HARDWARE_MISSING;
    return a;
}

static int compare_distances(const void *left, const void *right)
{
    const sb_contrast *a = *(const sb_contrast *const *)left, *b = *(const sb_contrast *const *)right;
    double x = fabs(log(a->verdict.ratio)), y = fabs(log(b->verdict.ratio));
    return x != y ? (x < y) - (x > y) : (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right)
{
    const sb_contrast *a = *(const sb_contrast *const *)left, *b = *(const sb_contrast *const *)right;
    return (a > b) - (a < b);
}

size_t sb_answer_rows(const sb_answer *a, const sb_contrast *row[SB_ANSWER_ROWS], size_t *n_left_out)
{
    enum { MOST = 256 };
    const sb_contrast *hardware[MOST];
    size_t n = 0, n_hardware = 0;
    if (a->buffer) row[n++] = a->buffer;
    if (a->beside) row[n++] = a->beside;
    for (sb_contrast_kind kind = SB_CONTRAST_GPU; kind < SB_N_CONTRASTS; kind++)
        for (size_t i = 0; i < a->hardware[kind].n && n_hardware < MOST; i++)
            hardware[n_hardware++] = &a->hardware[kind].contrast[i];
    qsort(hardware, n_hardware, sizeof *hardware, compare_distances);
    size_t shown = n_hardware < SB_ANSWER_ROWS - n ? n_hardware : SB_ANSWER_ROWS - n;
    qsort(hardware, shown, sizeof *hardware, compare_places);
    memcpy(row + n, hardware, shown * sizeof *row);
    *n_left_out = n_hardware - shown;
    return n + shown;
}
