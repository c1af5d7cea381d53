#include "paper/claims/claim_outcome.h"
#include "paper/claims/selector.h"

#include "core/text/plural.h"

#include <stdio.h>
#include <string.h>

/* The length of a cell's name up to what names its start: "s/natural/native/any/copy" of ".../copy/s001"; `parts` are
 * taken away at the end. */
static size_t condition_length(const char *name, int parts)
{
    size_t n = strlen(name);
    for (; parts && n; n--)
        if (name[n - 1] == '/') parts--;
    return n;
}

/* cell: NAME/HASH */
static bool is_of_condition(const char *cell, const sb_result *run)
{
    const size_t n = condition_length(cell, 2);
    return n && n == condition_length(run->name, 1) && strncmp(cell, run->name, n) == 0;
}

static bool is_of_study(const char *cell, const sb_selector *selector)
{
    char study[96];
    snprintf(study, sizeof study, "%.*s", (int)strcspn(cell, "/"), cell);
    return sb_selector_allows(selector, SB_SETTING_STUDY, study);
}

/* Of a claim without a part, whatever its studies lack. */
static bool touches(const sb_claim_result *r, const char *cell)
{
    if (r->n_parts == 0) return is_of_study(cell, &r->claim->of) || is_of_study(cell, &r->claim->over);
    for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++)
        if (is_of_condition(cell, part->of->cell[0]) || is_of_condition(cell, part->over->cell[0])) return true;
    return false;
}

typedef struct list {
    const sb_missing *item;
    size_t n;
} list;

static bool is_alike(const sb_missing *a, const sb_missing *b)
{
    return strcmp(a->state, b->state) == 0 && strcmp(a->why, b->why) == 0;
}

/* How many cells of this state and reason it touches; 0 where one before has the same. */
static size_t count(const sb_claim_result *r, list all, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < all.n; k++) {
        if (!is_alike(&all.item[i], &all.item[k]) || !touches(r, all.item[k].cell)) continue;
        if (k < i) return 0;
        n++;
    }
    return touches(r, all.item[i].cell) ? n : 0;
}

void sb_claim_name_absent(sb_claim_result *r, const sb_condition *condition)
{
    const list lists[] = {{condition->left_out, condition->n_left_out}, {condition->missing, condition->n_missing}};
    size_t used = 0;
    for (int l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].n && used < sizeof r->absent; i++) {
            const sb_missing *cell = &lists[l].item[i];
            const size_t n = strcmp(cell->state, "hardware missing") == 0 ? 0 : count(r, lists[l], i);
            if (n)
                used += (size_t)snprintf(r->absent + used, sizeof r->absent - used, "%s%zu cell%s %s%s%s",
                                         used ? "; " : "", n, sb_plural(n), cell->state, *cell->why ? ": " : "",
                                         cell->why);
            r->n_absent += n;
        }
}
