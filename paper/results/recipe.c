#include "paper/results/recipe.h"

#include "core/rows/backends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(long a, long b)
{
    return (a > b) - (a < b);
}

static const char *text_of(const sb_result *cell, sb_setting_id id)
{
    return cell->setting[id] ? cell->setting[id] : "";
}

bool sb_recipe_same_arm(const sb_result *a, const sb_result *b)
{
    return strcmp(a->study, b->study) == 0 && sb_recipe_compare(a, b) == 0 &&
           (sb_recipe_differ(a, b) & ~(1u << SB_FACTOR_SEED)) == 0;
}

const sb_result *sb_recipe_first_of_arm(const sb_results *results, const sb_result *cell)
{
    const sb_result *first = cell;
    for (size_t i = 0; i < results->n_cells; i++)
        if (results->cell[i].line < first->line && sb_recipe_same_arm(&results->cell[i], cell))
            first = &results->cell[i];
    return first;
}

const char *sb_recipe_draw(const sb_result *cell)
{
    const char *draw = text_of(cell, SB_SETTING_DRAW);
    return *draw ? draw : "0";
}

static int compare_setting(const sb_result *a, const sb_result *b, sb_setting_id id)
{
    const sb_setting_kind kind = sb_settings_table[id].kind;
    const char *x = text_of(a, id), *y = text_of(b, id);
    const bool are_numbers = (kind == SB_VALUE_INT || kind == SB_VALUE_INTS) && *x && *y;
    const int order = are_numbers ? compare_numbers(strtol(x, NULL, 10), strtol(y, NULL, 10)) : strcmp(x, y);
    return order || kind != SB_VALUE_INTS ? order : strcmp(x, y); /* the first numbers are equal */
}

int sb_recipe_compare_role(const sb_result *a, const sb_result *b, sb_setting_role role)
{
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        const int order = sb_settings_table[id].role == role ? compare_setting(a, b, id) : 0;
        if (order) return order;
    }
    return 0;
}

int sb_recipe_compare(const sb_result *a, const sb_result *b)
{
    int order = sb_recipe_compare_role(a, b, SB_ROLE_RECIPE);
    if (!order) order = strcmp(a->data_digest, b->data_digest);
    return order ? order : compare_numbers(a->updates, b->updates);
}

bool sb_recipe_same_across(const sb_result *a, const sb_result *b, const bool across[SB_N_SETTINGS])
{
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++)
        if (sb_settings_table[id].role == SB_ROLE_RECIPE && !across[id] && compare_setting(a, b, id)) return false;
    return strcmp(a->data_digest, b->data_digest) == 0 && (across[SB_SETTING_UPDATES] || a->updates == b->updates);
}

bool sb_recipe_differ_only(const sb_result *a, const sb_result *b, sb_setting_id id)
{
    for (sb_setting_id other = 0; other < SB_N_SETTINGS; other++) {
        const sb_setting_role role = sb_settings_table[other].role;
        if (other == id || (role != SB_ROLE_RECIPE && role != SB_ROLE_SETTING)) continue;
        if (strcmp(text_of(a, other), text_of(b, other)) != 0) return false;
    }
    return (id == SB_SETTING_DATA || strcmp(a->data_digest, b->data_digest) == 0) && a->updates == b->updates;
}

/* A setting of what computes that has no factor of its own. */
static bool differs_otherwise(const sb_result *a, const sb_result *b)
{
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        if (sb_settings_table[id].role != SB_ROLE_SETTING || sb_settings_table[id].bits != SB_BITS_NEVER) continue;
        if (id == SB_SETTING_HARDWARE || id == SB_SETTING_BLAS_KERNEL) continue;
        if (strcmp(text_of(a, id), text_of(b, id)) != 0) return true;
    }
    return false;
}

/* The machine that computed; "" for whatever was there. */
static const char *machine_of(const sb_result *cell)
{
    return cell->evidence != SB_EVIDENCE_MEASURED || strcmp(cell->hardware, "any") == 0 ? "" : cell->hardware;
}

unsigned sb_recipe_differ(const sb_result *a, const sb_result *b)
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
        [SB_FACTOR_OTHER] = differs_otherwise(a, b),
    };
    unsigned mask = 0;
    for (unsigned i = 0; i < SB_N_FACTORS; i++) mask |= (unsigned)differ[i] << i;
    return mask;
}

unsigned sb_recipe_differ_apart(const sb_result *a, const sb_result *b)
{
    const unsigned own = 1U << SB_FACTOR_ARITHMETIC | 1U << SB_FACTOR_KERNEL | 1U << SB_FACTOR_THREADS;
    unsigned mask = sb_recipe_differ(a, b);
    return mask & 1U << SB_FACTOR_BACKEND ? mask & ~own : mask;
}

bool sb_recipe_classifies(const sb_result *cell)
{
    const sb_setting_names names = sb_setting_names_from(cell->setting);
    return sb_setting_applies(SB_SETTING_SMOOTHING, &names);
}

const char *sb_recipe_classified(const sb_result *cell)
{
    const sb_setting_names names = sb_setting_names_from(cell->setting);
    return sb_setting_applies(SB_SETTING_CONTEXT, &names) ? "held-out tokens predicted" : "test images classified";
}

const char *sb_recipe_units(const sb_result *cell)
{
    if (*cell->channels) return cell->channels;
    return sb_recipe_classifies(cell) ? text_of(cell, SB_SETTING_WIDTHS) : cell->hidden_text;
}

const char *sb_recipe_loss_words(const sb_result *cell)
{
    return sb_recipe_classifies(cell) ? "cross-entropy" : "mean squared error";
}

const char *sb_recipe_metric_words(const sb_result *cell, sb_metric metric)
{
    const bool one_loss = metric < SB_N_METRICS && strcmp(cell->model, "prednet") != 0;
    return one_loss ? "final loss" : sb_metric_title[metric];
}

void sb_recipe_text(const sb_result *cell, char *text, size_t size)
{
    const char *units = sb_recipe_units(cell);
    snprintf(text, size, "%s%s%s on %s, %ld updates%s", cell->model, *units ? " " : "", units, cell->data,
             cell->updates, cell->batch > 1 ? " of batches" : "");
}

bool sb_recipe_has_published_size(const sb_result *cell)
{
    return strcmp(cell->model, "prednet") == 0 && strcmp(cell->channels, "3 48 96 192") == 0;
}

bool sb_recipe_has_published_window(const sb_result *cell)
{
    return strcmp(cell->model, "prednet") == 0 && strcmp(cell->window_text, "20") == 0;
}

int sb_recipe_rank(const sb_result *cell)
{
    if (sb_recipe_has_published_size(cell)) return 0;
    return strcmp(cell->model, "prednet") == 0 ? 1 : 2;
}

bool sb_recipe_on_gpu(const sb_result *cell)
{
    return sb_backend_is_gpu(cell->backend);
}
