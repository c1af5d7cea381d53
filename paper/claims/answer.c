#include "paper/claims/answer.h"

#include "paper/effects/against_baselines.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- what there is -- */

static const sb_finding *told(const sb_answer *a)
{
    return a->hardware[SB_ASKS_GPU].n ? a->hardware[SB_ASKS_GPU].part : a->hardware[SB_ASKS_CPU].part;
}

static const sb_finding *find_beside(const sb_answer *a, const sb_claim_result *buffers)
{
    for (const sb_finding *f = buffers->part; told(a) && f < buffers->part + buffers->n_parts; f++)
        if (f != a->buffer && f->of->setting == told(a)->over->setting) return f;
    return NULL;
}

static bool is_above(const sb_arm *arm, double loss)
{
    for (size_t i = 0; i < arm->n; i++)
        if (!(arm->cell[i]->loss[SB_METRIC_LAST] > loss)) return false;
    return true;
}

static bool has_learned_little(const sb_finding *c, const sb_results *results)
{
    const double repeated = sb_group_baseline(c->of->group, &results->baselines, SB_BASELINE_REPEAT, SB_METRIC_LAST);
    return !isnan(repeated) && is_above(c->of, repeated) && is_above(c->over, repeated);
}

/* The first, which is of the most important study; of its study measured runs speak before emulated and imitated ones. */
static const sb_finding *find_buffer(const sb_claim_result *buffers)
{
    const sb_finding *best = buffers->part, *end = buffers->part + buffers->n_parts;
    for (const sb_finding *f = best; f < end && f->of->group == best->of->group; f++)
        if (f->of->cell[0]->evidence < best->of->cell[0]->evidence) best = f;
    return best < end ? best : NULL;
}

sb_answer sb_answer_of(const sb_claims *hardware, const sb_results *results, const sb_claims *claims)
{
    const sb_claim_result *buffers = &hardware->result[SB_ASKS_BUFFER];
    sb_answer a = {
        .buffer = find_buffer(buffers), .n_claims = claims->n, .see = claims->file ? claims->file->see : NULL};
    for (int kind = SB_ASKS_GPU; kind < SB_N_ASKED; kind++) {
        const sb_claim_result *r = &hardware->result[kind];
        a.hardware[kind].part = r->n_parts ? r->part : NULL;
        while (a.hardware[kind].n < r->n_parts && r->part[a.hardware[kind].n].of->group == r->part->of->group)
            a.hardware[kind].n++;
    }
    a.beside = find_beside(&a, buffers);
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
    const sb_finding *a = *(const sb_finding *const *)left, *b = *(const sb_finding *const *)right;
    double x = fabs(log(a->verdict.ratio)), y = fabs(log(b->verdict.ratio));
    return x != y ? (x < y) - (x > y) : (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right)
{
    const sb_finding *a = *(const sb_finding *const *)left, *b = *(const sb_finding *const *)right;
    return (a > b) - (a < b);
}

size_t sb_answer_rows(const sb_answer *a, const sb_finding *row[SB_ANSWER_ROWS], size_t *n_left_out)
{
    enum { MOST = 256 };
    const sb_finding *hardware[MOST];
    size_t n = 0, n_hardware = 0;
    if (a->buffer) row[n++] = a->buffer;
    if (a->beside) row[n++] = a->beside;
    for (int kind = SB_ASKS_GPU; kind < SB_N_ASKED; kind++)
        for (size_t i = 0; i < a->hardware[kind].n && n_hardware < MOST; i++)
            hardware[n_hardware++] = &a->hardware[kind].part[i];
    qsort(hardware, n_hardware, sizeof *hardware, compare_distances);
    size_t shown = n_hardware < SB_ANSWER_ROWS - n ? n_hardware : SB_ANSWER_ROWS - n;
    qsort(hardware, shown, sizeof *hardware, compare_places);
    memcpy(row + n, hardware, shown * sizeof *row);
    *n_left_out = n_hardware - shown;
    return n + shown;
}
