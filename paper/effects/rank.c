#include "paper/effects/measures.h"

#include "paper/results/recipe.h"

#include <stdlib.h>
#include <string.h>

/* Channels or hidden units in all: a measure of the network's size that the csv files hold. */
static long units_of(const sb_result *cell)
{
    long sum = 0;
    for (const char *text = *cell->channels ? cell->channels : cell->hidden_text; *text;) {
        char *end;
        sum += strtol(text, &end, 10);
        text = end == text ? text + 1 : end;
    }
    return sum;
}

static int larger_first(long a, long b)
{
    return (a < b) - (a > b);
}

int sb_rank_compare(const sb_group *g, const sb_group *h)
{
    const sb_result *a = g->setting->cell, *b = h->setting->cell;
    const int order[] = {
        sb_recipe_rank(a) - sb_recipe_rank(b),
        larger_first(g->n_pairs > 0, h->n_pairs > 0),
        larger_first(units_of(a), units_of(b)),
        larger_first(a->updates, b->updates),
        (int)a->evidence - (int)b->evidence,
        larger_first(sb_recipe_has_published_window(a), sb_recipe_has_published_window(b)),
        larger_first((long)g->n_pairs, (long)h->n_pairs),
        strcmp(g->slug, h->slug),
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i]) return order[i];
    return 0;
}

static int compare_groups(const void *left, const void *right)
{
    return sb_rank_compare(*(const sb_group *const *)left, *(const sb_group *const *)right);
}

sb_status sb_ranking_of(sb_ranking *ranking, const sb_arms *arms)
{
    *ranking = (sb_ranking){.group = malloc((arms->n_groups + 1) * sizeof *ranking->group)};
    if (!ranking->group) return sb_fail(SB_E_MEMORY, "not enough memory for %zu studies", arms->n_groups);
    for (size_t i = 0; i < arms->n_groups; i++) ranking->group[ranking->n++] = &arms->group[i];
    qsort(ranking->group, ranking->n, sizeof *ranking->group, compare_groups);
    return SB_OK;
}

void sb_ranking_free(sb_ranking *ranking)
{
    free(ranking->group);
    *ranking = (sb_ranking){0};
}
