#include "paper/results/turns.h"

#include "paper/results/recipe.h"

#include <stdlib.h>
#include <string.h>

static bool is_whole(const sb_family *f)
{
    return f->n > 0 && f->kin[0].generation == 0;
}

static const unsigned of_arm = ~(1u << SB_FACTOR_SEED);

static bool is_of_arm(const sb_result *a, const sb_result *b)
{
    return strcmp(a->study, b->study) == 0 && sb_recipe_compare(a, b) == 0 && !(sb_recipe_differ(a, b) & of_arm);
}

/* The first family of the recipe stands for the reference arm. */
static const sb_family *reference_of(const sb_families *families, const sb_family *f)
{
    for (const sb_family *k = families->family; k < f; k++)
        if (is_whole(k) && sb_recipe_compare(k->cell, f->cell) == 0) return k;
    return f;
}

static const sb_family *partner_of(const sb_families *families, const sb_family *f)
{
    const sb_family *reference = reference_of(families, f);
    if (is_of_arm(reference->cell, f->cell)) return NULL; /* it is of that arm itself */
    for (size_t i = 0; i < families->n; i++) {
        const sb_family *k = &families->family[i];
        if (is_whole(k) && is_of_arm(reference->cell, k->cell) && k->cell->seed == f->cell->seed) return k;
    }
    return NULL;
}

/* Of one that has more parents, or more generations, the rest is not compared. */
static sb_turn compare(const sb_family *a, const sb_family *b)
{
    sb_turn turn = {a->cell, b->cell, -1};
    for (size_t i = 0; i < a->n && i < b->n && turn.generation < 0; i++)
        if (a->kin[i].individual != b->kin[i].individual) turn.generation = a->kin[i].generation;
    return turn;
}

static sb_turn_arm *arm_of(sb_turns *turns, const sb_result *cell, size_t n_most)
{
    for (size_t i = 0; i < turns->n; i++)
        if (is_of_arm(turns->arm[i].cell, cell)) return &turns->arm[i];
    sb_turn_arm *arm = &turns->arm[turns->n];
    arm->turn = calloc(n_most, sizeof *arm->turn);
    if (!arm->turn) return NULL;
    arm->cell = cell;
    turns->n++;
    return arm;
}

sb_status sb_turns_find(sb_turns *turns, const sb_families *families)
{
    const size_t n = families->n;
    *turns = (sb_turns){.arm = calloc(n ? n : 1, sizeof *turns->arm)};
    bool has_room = turns->arm;
    for (size_t i = 0; i < n && has_room; i++) {
        const sb_family *f = &families->family[i], *partner = is_whole(f) ? partner_of(families, f) : NULL;
        if (!partner) continue;
        sb_turn_arm *arm = arm_of(turns, f->cell, n);
        has_room = arm != NULL;
        if (!has_room) break;
        if (arm->n == 0) arm->reference = partner->cell;
        arm->turn[arm->n++] = compare(partner, f);
        arm->n_turned += arm->turn[arm->n - 1].generation >= 0;
        const long generations = f->kin[f->n - 1].generation + 1;
        if (generations > arm->generations) arm->generations = generations;
    }
    if (has_room) return SB_OK;
    sb_turns_free(turns);
    return sb_fail(SB_E_MEMORY, "not enough memory for %zu runs without gradients", n);
}

void sb_turns_free(sb_turns *turns)
{
    for (size_t i = 0; i < turns->n; i++) free(turns->arm[i].turn);
    free(turns->arm);
    *turns = (sb_turns){0};
}
