#include "paper/recipe.h"

#include <stdio.h>
#include <string.h>

static int compare_numbers(long a, long b)
{
    return (a > b) - (a < b);
}

int sb_recipe_compare(const sb_cell *a, const sb_cell *b)
{
    const int order[] = {
        strcmp(a->model, b->model),
        strcmp(a->data, b->data),
        strcmp(a->data_digest, b->data_digest),
        strcmp(a->channels, b->channels),
        strcmp(a->hidden, b->hidden),
        strcmp(a->window, b->window),
        strcmp(a->lr, b->lr),
        compare_numbers(a->batch, b->batch),
        compare_numbers(a->updates, b->updates),
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i]) return order[i];
    return 0;
}

/* The machine that computed; "" for whatever was there. */
static const char *machine_of(const sb_cell *cell)
{
    return cell->emulated || strcmp(cell->hardware, "any") == 0 ? "" : cell->hardware;
}

unsigned sb_recipe_differ(const sb_cell *a, const sb_cell *b)
{
    const bool differ[SB_N_FACTORS] = {
        [SB_FACTOR_BACKEND] = strcmp(a->backend, b->backend) != 0,
        [SB_FACTOR_ARITHMETIC] = strcmp(a->arithmetic, b->arithmetic) != 0,
        [SB_FACTOR_MACHINE] = strcmp(machine_of(a), machine_of(b)) != 0,
        [SB_FACTOR_KERNEL] = strcmp(a->blas_kernel, b->blas_kernel) != 0,
        [SB_FACTOR_THREADS] = a->threads != b->threads,
        [SB_FACTOR_TARGET] = a->target != b->target,
        [SB_FACTOR_SEED] = a->seed != b->seed,
        [SB_FACTOR_ULP] = a->ulp != b->ulp,
    };
    unsigned mask = 0;
    for (unsigned i = 0; i < SB_N_FACTORS; i++) mask |= (unsigned)differ[i] << i;
    return mask;
}

unsigned sb_recipe_differ_apart(const sb_cell *a, const sb_cell *b)
{
    const unsigned own = 1U << SB_FACTOR_ARITHMETIC | 1U << SB_FACTOR_KERNEL | 1U << SB_FACTOR_THREADS;
    unsigned mask = sb_recipe_differ(a, b);
    return mask & 1U << SB_FACTOR_BACKEND ? mask & ~own : mask;
}

void sb_recipe_text(const sb_cell *cell, char *text, size_t size)
{
    const char *layers = *cell->channels ? cell->channels : cell->hidden;
    snprintf(text, size, "%s %s on %s, %ld updates%s", cell->model, layers, cell->data, cell->updates,
             cell->batch > 1 ? " of batches" : "");
}

bool sb_recipe_has_published_size(const sb_cell *cell)
{
    return strcmp(cell->model, "prednet") == 0 && strcmp(cell->channels, "3 48 96 192") == 0;
}

int sb_recipe_rank(const sb_cell *cell)
{
    if (sb_recipe_has_published_size(cell)) return 0;
    return strcmp(cell->model, "prednet") == 0 ? 1 : 2;
}

bool sb_recipe_on_gpu(const sb_cell *cell)
{
    static const char *const backends[] = {"native-cuda", "cublas", "cudnn"};
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        if (strcmp(cell->backend, backends[i]) == 0) return true;
    return false;
}
