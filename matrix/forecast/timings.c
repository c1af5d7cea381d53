#include "matrix/forecast/timings.h"

#include "core/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs of one arm on one kind of machine. */
typedef struct group {
    char *work; /* the settings that decide how much an update computes */
    char *arm;  /* and those that decide on what it runs */
    bool here;  /* this machine's CPU */
    const sb_cell *cell;
    double seconds_per_unit, n_bytes; /* means */
    size_t n;
} group;

struct sb_timings {
    char cpu[128];
    group *group;
    size_t n, capacity;
    bool sorted;
};

sb_status sb_timings_open(sb_timings **timings, const char *cpu)
{
    *timings = calloc(1, sizeof **timings);
    if (!*timings) return sb_fail(SB_E_MEMORY, "not enough memory to plan");
    snprintf((*timings)->cpu, sizeof(*timings)->cpu, "%s", cpu);
    return SB_OK;
}

void sb_timings_close(sb_timings *timings)
{
    if (!timings) return;
    for (size_t i = 0; i < timings->n; i++) {
        free(timings->group[i].work);
        free(timings->group[i].arm);
    }
    free(timings->group);
    free(timings);
}

/* A run is this many updates or epochs. */
static double units_of(const sb_cell *cell)
{
    const char *updates = cell->value[SB_SETTING_UPDATES];
    if (cell->study->command) return 1; /* what a command does is one unit */
    return strtod(updates ? updates : cell->value[SB_SETTING_EPOCHS], NULL);
}

typedef bool chosen(sb_setting_id setting);

/* A setting that a matrix file leaves out has its default, so that it is the same as one that spells it out. */
static char *join_settings(const sb_cell *cell, chosen *is_chosen)
{
    char text[SB_N_SETTINGS * 81 + 8], *end = text; /* 80 characters of each value, and a bar */
    const sb_setting_names names = sb_setting_names_from(cell->value);
    for (sb_setting_id setting = 0; setting < SB_N_SETTINGS; setting++) {
        const char *value = cell->value[setting] ? cell->value[setting] : sb_setting_absent(setting, &names);
        if (is_chosen(setting)) end += snprintf(end, sizeof text - (size_t)(end - text), "%.80s|", value);
    }
    snprintf(end, sizeof text - (size_t)(end - text), "%s", cell->value[SB_SETTING_UPDATES] ? "updates" : "epochs");
    return strdup(text);
}

/* What decides how much there is to compute. */
static bool is_work(sb_setting_id setting)
{
    const bool is_recipe = sb_settings_table[setting].role == SB_ROLE_RECIPE;
    return setting == SB_SETTING_MODEL || setting == SB_SETTING_DATA ||
           (is_recipe && sb_settings_table[setting].of == SB_OF_NETWORK);
}

/* Of a command the name without the seed: study, machine and the values of its axes. */
static char *name_of_runs(const sb_cell *cell)
{
    char *name = strdup(cell->name);
    if (name) *strrchr(name, '/') = 0;
    return name;
}

static char *work_of(const sb_cell *cell)
{
    return cell->study->command ? name_of_runs(cell) : join_settings(cell, is_work);
}

/* What computes it. */
static bool is_arm(sb_setting_id setting)
{
    return setting == SB_SETTING_STUDY || sb_settings_table[setting].role == SB_ROLE_SETTING;
}

static char *arm_of(const sb_cell *cell)
{
    return cell->study->command ? name_of_runs(cell) : join_settings(cell, is_arm);
}

sb_status sb_timings_add(sb_timings *timings, const sb_cell *cell, const sb_stamp *stamp)
{
    if (!sb_size_reserve(&timings->group, &timings->capacity, timings->n + 1, sizeof *timings->group))
        return sb_fail(SB_E_MEMORY, "not enough memory to plan");
    bool updates = cell->value[SB_SETTING_UPDATES] && stamp->updates > 0;
    group one = {.work = work_of(cell), .arm = arm_of(cell), .cell = cell, .n = 1};
    one.here = strcmp(stamp->cpu, timings->cpu) == 0;
    one.seconds_per_unit = stamp->seconds / (updates ? (double)stamp->updates : units_of(cell));
    one.n_bytes = (double)stamp->file.n_bytes;
    if (!one.work || !one.arm) {
        free(one.work);
        free(one.arm);
        return sb_fail(SB_E_MEMORY, "not enough memory to plan");
    }
    timings->group[timings->n++] = one;
    timings->sorted = false;
    return SB_OK;
}

static int compare(const void *a, const void *b)
{
    const group *x = a, *y = b;
    int order = strcmp(x->work, y->work);
    if (!order) order = strcmp(x->arm, y->arm);
    return order ? order : (int)y->here - (int)x->here;
}

/* Runs of one group become their mean. */
static void sort_groups(sb_timings *timings)
{
    size_t kept = 0;
    if (timings->n) qsort(timings->group, timings->n, sizeof *timings->group, compare);
    for (size_t i = 0; i < timings->n; i++) {
        group *next = &timings->group[i], *last = kept ? &timings->group[kept - 1] : NULL;
        if (!last || compare(last, next) != 0) {
            timings->group[kept++] = *next;
            continue;
        }
        double old = (double)last->n, more = (double)next->n;
        last->seconds_per_unit = (last->seconds_per_unit * old + next->seconds_per_unit * more) / (old + more);
        last->n_bytes = (last->n_bytes * old + next->n_bytes * more) / (old + more);
        last->n += next->n;
        free(next->work);
        free(next->arm);
    }
    timings->n = kept;
    timings->sorted = true;
}

static size_t first_of(const sb_timings *timings, const char *work)
{
    size_t low = 0, high = timings->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(timings->group[middle].work, work) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How much a group has in common with the cell: the arm first, then this machine, then backend, hardware, threads. */
static int likeness(const group *g, const sb_cell *cell, const char *arm)
{
    static const sb_setting_id by_weight[] = {SB_SETTING_BACKEND, SB_SETTING_THREADS, SB_SETTING_ARITHMETIC};
    if (strcmp(g->arm, arm) == 0) return 1000 + g->here;
    int likeness = 100 * g->here;
    for (int i = 0, weight = 8; i < 3; i++, weight /= 2) {
        const char *x = g->cell->value[by_weight[i]], *y = cell->value[by_weight[i]];
        likeness += x && y && strcmp(x, y) == 0 ? weight : 0;
    }
    return likeness;
}

sb_prediction sb_timings_predict(sb_timings *timings, const sb_cell *cell)
{
    sb_prediction p = {.basis = SB_BASIS_NONE, .seconds = -1, .n_bytes = -1};
    char *work = work_of(cell), *arm = arm_of(cell);
    const group *best = NULL;
    int most = -1;
    if (!timings->sorted) sort_groups(timings);
    size_t i = work && arm ? first_of(timings, work) : timings->n;
    for (; i < timings->n && strcmp(timings->group[i].work, work) == 0; i++) {
        int like = likeness(&timings->group[i], cell, arm);
        if (like <= most) continue;
        best = &timings->group[i];
        most = like;
    }
    free(work);
    free(arm);
    if (!best) return p;
    p.basis = most == 1001 ? SB_BASIS_SAME : most == 1000 ? SB_BASIS_ELSEWHERE : SB_BASIS_NEAR;
    p.seconds = best->seconds_per_unit * units_of(cell);
    p.n_bytes = best->n_bytes;
    p.n_runs = best->n;
    p.from = best->cell;
    return p;
}
