#include "matrix/run/plan.h"

#include "matrix/store/store.h"

#include "core/machine/clock.h"
#include "core/text/plural.h"

#include <stdlib.h>
#include <string.h>

/* -- groups -- */

/* study/data/backend/hardware: the name up to its fourth slash; of a command all but the seed. */
static int prefix_of(const sb_cell *cell)
{
    const char *name = cell->name, *end = name;
    if (cell->study->command) return (int)(strrchr(name, '/') - name);
    for (int slashes = 0; *end; end++)
        if (*end == '/' && ++slashes == 4) break;
    return (int)(end - name);
}

static bool is_of(const sb_forecast_group *g, const sb_cell *cell, int prefix)
{
    return g->prefix == prefix && strncmp(g->cell->name, cell->name, (size_t)prefix) == 0;
}

/* Cells of a group mostly stand together, so the last one found is tried first. */
static sb_forecast_group *find_group(sb_forecast *f, const sb_cell *cell, sb_forecast_group *last)
{
    int prefix = prefix_of(cell);
    if (last && is_of(last, cell, prefix)) return last;
    for (size_t i = 0; i < f->n_groups; i++)
        if (is_of(&f->group[i], cell, prefix)) return &f->group[i];
    sb_forecast_group *g = &f->group[f->n_groups++];
    *g = (sb_forecast_group){.cell = cell, .prefix = prefix};
    return g;
}

static void count_cell(sb_forecast_group *g, sb_cell_state state)
{
    g->n++;
    g->complete += sb_cell_state_is_done(state);
    g->absent += state == SB_STATE_HARDWARE_MISSING;
    g->lacking += state == SB_STATE_DATA_MISSING;
}

static void count_planned(sb_forecast_group *g, double seconds, const sb_prediction *prediction)
{
    g->to_run++;
    g->prediction = *prediction;
    if (seconds < 0)
        g->unknown++;
    else
        g->seconds += seconds;
}

/* As the runner does: the first free slot takes the next cell. */
static double wall_time(const sb_plan *plan, int jobs, double *busy)
{
    double end = 0;
    for (size_t i = 0; i < plan->n; i++) {
        int first = 0;
        for (int k = 1; k < jobs; k++)
            if (busy[k] < busy[first]) first = k;
        busy[first] += plan->seconds[i] > 0 ? plan->seconds[i] : 0;
        end = busy[first] > end ? busy[first] : end;
    }
    return end;
}

sb_status sb_forecast_make(sb_forecast *forecast, sb_plan *plan, const sb_selection *selection, int jobs)
{
    sb_forecast_group *g = NULL;
    *forecast = (sb_forecast){0};
    double *busy = calloc((size_t)jobs, sizeof *busy);
    forecast->group = calloc(selection->n + 1, sizeof *forecast->group);
    if (!busy || !forecast->group) {
        free(busy);
        sb_forecast_free(forecast);
        return sb_fail(SB_E_MEMORY, "not enough memory to plan");
    }
    for (size_t i = 0; i < selection->n; i++) {
        g = find_group(forecast, selection->item[i], g);
        count_cell(g, plan->state[i]);
        count_cell(&forecast->all, plan->state[i]);
    }
    for (size_t i = 0; i < plan->n; i++) {
        const sb_prediction prediction = sb_timings_predict(plan->timings, plan->item[i]);
        g = find_group(forecast, plan->item[i], g);
        count_planned(g, plan->seconds[i], &prediction);
        count_planned(&forecast->all, plan->seconds[i], &prediction);
        forecast->unknown_n_bytes += prediction.n_bytes < 0;
        forecast->n_bytes += prediction.n_bytes > 0 ? prediction.n_bytes : 0;
    }
    forecast->wall_seconds = wall_time(plan, jobs, busy);
    free(busy);
    return SB_OK;
}

void sb_forecast_free(sb_forecast *forecast)
{
    free(forecast->group);
    *forecast = (sb_forecast){0};
}

/* -- printing -- */

static void basis_text(const sb_forecast_group *g, char text[256])
{
    const sb_prediction *p = &g->prediction;
    const char *runs = p->n_runs == 1 ? "run" : "runs";
    switch (p->basis) {
    case SB_BASIS_NONE:
        snprintf(text, 256, "nothing near it has run");
        return;
    case SB_BASIS_SAME:
        snprintf(text, 256, "%zu %s of it", p->n_runs, runs);
        return;
    case SB_BASIS_ELSEWHERE:
        snprintf(text, 256, "%zu %s of it, on another CPU", p->n_runs, runs);
        return;
    case SB_BASIS_NEAR:
        snprintf(text, 256, "as fast as %.*s", prefix_of(p->from), p->from->name);
        return;
    }
}

static void print_times(const sb_forecast_group *g, FILE *out)
{
    char each[32] = "unknown", all[32] = "unknown", basis[256];
    if (g->prediction.seconds >= 0) sb_duration_text(g->prediction.seconds, each);
    if (g->unknown < g->to_run) sb_duration_text(g->seconds, all);
    basis_text(g, basis);
    fprintf(out, "  %-13s %-13s %s\n", each, all, basis);
}

static void print_group(const sb_forecast_group *g, int width, FILE *out)
{
    fprintf(out, "%-*.*s  %-8s %6zu %9zu %7zu", width, g->prefix, g->cell->name, sb_evidence_name[g->cell->evidence],
            g->n, g->complete, g->to_run);
    if (g->to_run)
        print_times(g, out);
    else if (g->lacking)
        fprintf(out, "  the data set %s is not here\n", g->cell->data->name);
    else
        fprintf(out, "%s%s\n", g->absent ? "  " : "", g->absent ? g->cell->why : "");
}

static void print_wall(const sb_forecast *f, int jobs, FILE *out)
{
    char text[32];
    size_t known = f->all.to_run - f->all.unknown;
    if (!f->all.to_run) return;
    sb_duration_text(f->wall_seconds, text);
    if (known)
        fprintf(out, "time: %s with -j %d for %zu cell%s, if each runs as fast as those before it\n", text, jobs, known,
                sb_plural(known));
    if (f->all.unknown)
        fprintf(out, "time: unknown for %zu cell%s; one finished run of each network and data set would tell\n",
                f->all.unknown, sb_plural(f->all.unknown));
}

static void print_disk(const sb_forecast *f, const char *results, FILE *out)
{
    char needed[32], there[32];
    double room = sb_disk_free(results);
    size_t known = f->all.to_run - f->unknown_n_bytes;
    sb_disk_text(f->n_bytes, needed);
    sb_disk_text(room, there);
    if (!f->all.to_run || room < 0) return;
    if (known)
        fprintf(out, "disk: %s for %zu cell%s%s; %s free in %s\n", needed, known, sb_plural(known),
                f->unknown_n_bytes ? ", unknown for the others" : "", there, results);
    else
        fprintf(out, "disk: unknown; %s free in %s\n", there, results);
    if (f->n_bytes > room) fprintf(out, "disk: that is too little\n");
}

void sb_forecast_print(const sb_forecast *forecast, int jobs, const char *results, FILE *out)
{
    const sb_forecast_group *all = &forecast->all;
    int width = (int)strlen("cells");
    for (size_t i = 0; i < forecast->n_groups; i++)
        width = forecast->group[i].prefix > width ? forecast->group[i].prefix : width;
    fprintf(out, "%-*s  %-8s %6s %9s %7s  %-13s %-13s %s\n", width, "cells", "evidence", "all", "complete", "to run",
            "each", "together", "that rests on");
    for (size_t i = 0; i < forecast->n_groups; i++) print_group(&forecast->group[i], width, out);
    fprintf(out, "%-*s  %-8s %6zu %9zu %7zu\n", width, "all", "", all->n, all->complete, all->to_run);
    print_wall(forecast, jobs, out);
    print_disk(forecast, results, out);
}
