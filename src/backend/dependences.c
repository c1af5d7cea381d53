#include "backend/dependences.h"

#include "backend/gpu.h"
#include "core/size.h"

#include <stdlib.h>

enum { WORD_BITS = 64 };

/* What is known while edges are found. */
typedef struct search {
    sb_ranges *ranges;    /* [n] */
    uint64_t *ancestors;  /* [n][n_words]: bit j of entry i: a path leads from j to i */
    size_t n_words, room; /* room: of the edges */
} search;

/* Must the later of two entries wait for the earlier one? */
static bool conflict(const sb_ranges *a, const sb_ranges *b)
{
    if (a->is_unknown || b->is_unknown) return true;
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++)
            if ((a->range[i].is_written || b->range[j].is_written) && sb_ranges_overlap(&a->range[i], &b->range[j]))
                return true;
    return false;
}

static bool is_ancestor(const uint64_t *of, int j)
{
    return of[j / WORD_BITS] >> j % WORD_BITS & 1;
}

static bool add_edge(sb_dependences *order, search *s, int j, int i)
{
    uint64_t *of_i = s->ancestors + (size_t)i * s->n_words, *of_j = s->ancestors + (size_t)j * s->n_words;
    const size_t n = (size_t)order->first[i + 1];
    if (!sb_size_reserve(&order->before, &s->room, n + 1, sizeof *order->before)) return false;
    order->before[n] = j;
    order->first[i + 1]++;
    for (size_t w = 0; w <= (size_t)j / WORD_BITS; w++) of_i[w] |= of_j[w];
    of_i[j / WORD_BITS] |= (uint64_t)1 << j % WORD_BITS;
    return true;
}

/* From the latest entry on: an edge is left out exactly if a path leads through a later entry. */
static bool find_edges(sb_dependences *order, search *s)
{
    for (int i = 0; i < order->n; i++) {
        const uint64_t *of_i = s->ancestors + (size_t)i * s->n_words;
        order->first[i + 1] = order->first[i];
        for (int j = i - 1; j >= 0; j--)
            if (!is_ancestor(of_i, j) && conflict(&s->ranges[j], &s->ranges[i]) && !add_edge(order, s, j, i))
                return false;
    }
    return true;
}

bool sb_dependences_of(sb_dependences *order, const sb_command_list *list)
{
    const size_t n = (size_t)list->n, n_words = (n + WORD_BITS - 1) / WORD_BITS;
    search s = {.ranges = sb_size_allocate(n, sizeof *s.ranges), .n_words = n_words};
    s.ancestors = sb_size_allocate(n, n_words * sizeof *s.ancestors);
    *order = (sb_dependences){.n = list->n, .first = sb_size_allocate(n + 1, sizeof *order->first)};
    bool found = s.ranges && s.ancestors && order->first;
    size_t at = 0;
    sb_list_entry entry;
    for (int i = 0; found && sb_command_list_next(list, &at, &entry); i++) sb_gpu_ranges(&entry, &s.ranges[i]);
    found = found && find_edges(order, &s);
    free(s.ancestors);
    free(s.ranges);
    if (!found) sb_dependences_free(order);
    return found;
}

int sb_dependences_slack(const sb_dependences *order, int *slack)
{
    int *after = sb_size_allocate((size_t)order->n, sizeof *after); /* entries of the longest path after i */
    int longest = 0;
    if (!after) return -1;
    for (int i = 0; i < order->n; i++) { /* until i, with i */
        slack[i] = 1;
        for (int k = order->first[i]; k < order->first[i + 1]; k++)
            if (slack[order->before[k]] >= slack[i]) slack[i] = slack[order->before[k]] + 1;
        if (slack[i] > longest) longest = slack[i];
    }
    for (int i = order->n - 1; i >= 0; i--) {
        for (int k = order->first[i]; k < order->first[i + 1]; k++)
            if (after[order->before[k]] <= after[i]) after[order->before[k]] = after[i] + 1;
        slack[i] = longest - slack[i] - after[i];
    }
    free(after);
    return longest;
}

void sb_dependences_free(sb_dependences *order)
{
    free(order->first);
    free(order->before);
    *order = (sb_dependences){0};
}
