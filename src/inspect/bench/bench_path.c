#include "inspect/bench/bench_parts.h"

#include "backend/dependences.h"
#include "core/size.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 12 }; /* kernels of the path */

typedef struct model {
    const sb_bench_path *path;
    int n, n_frames;        /* n_frames: 0 of a network that classifies */
    sb_path_launch *launch; /* [n] */
    sb_dependences order;
    double *end_us;      /* [n], of the way that was modeled last */
    int *from;           /* [n]: the entry that it waited for; -1: none */
    int last_of_forward; /* -1: unknown */
} model;

/* ---- the list ---- */

/* Launches and edges of a list. */
static sb_status read_list(void *context, sb_ops *ops)
{
    model *m = context;
    const sb_command_list *list = sb_gpu_last_list(ops);
    m->n = list->n, m->last_of_forward = -1;
    m->launch = sb_path_launches(list);
    m->end_us = sb_size_allocate((size_t)m->n, sizeof *m->end_us);
    m->from = sb_size_allocate((size_t)m->n, sizeof *m->from);
    if (!m->launch || !m->end_us || !m->from || !sb_dependences_of(&m->order, list))
        return sb_fail(SB_E_MEMORY, "not enough memory for the dependences of %d kernels", m->n);
    for (int i = 0; i < m->n; i++)
        if (strcmp(m->launch[i].operation, "loss_forward") == 0) m->last_of_forward = i;
    return SB_OK;
}

/* The list of a GPU whose operations overlap or do not. m->path is set, all else is zero; to be closed after a failure,
 * too. */
static sb_status open_model(model *m, bool overlaps)
{
    const sb_settings *setup = &m->path->setup;
    const sb_backend_options options = {.threads = 1, .arithmetic = setup->arithmetic};
    sb_ops *ops;
    m->n_frames = m->path->network ? 0 : (int)setup->window;
    SB_TRY(sb_gpu_plan_open(&ops, &options, SB_PATH_PROCESSORS, overlaps));
    const sb_status status = sb_path_record(m->path, ops, read_list, m);
    sb_backend_close(ops);
    return status;
}

static void close_model(model *m)
{
    sb_dependences_free(&m->order);
    free(m->launch), free(m->end_us), free(m->from);
}

/* ---- the three ways to run it ---- */

static void wait_for(model *m, int i, int j, double *begin)
{
    if (m->end_us[j] <= *begin) return;
    *begin = m->end_us[j];
    m->from[i] = j;
}

static void one_after_the_other(model *m)
{
    for (int i = 0; i < m->n; i++) {
        m->from[i] = i - 1;
        m->end_us[i] = (i ? m->end_us[i - 1] : 0) + m->launch[i].us;
    }
}

static void by_dependences(model *m)
{
    const sb_dependences *order = &m->order;
    for (int i = 0; i < m->n; i++) {
        double begin = 0;
        m->from[i] = -1;
        for (int k = order->first[i]; k < order->first[i + 1]; k++) wait_for(m, i, order->before[k], &begin);
        m->end_us[i] = begin + m->launch[i].us;
    }
}

static bool covers(const sb_range *a, const sb_range *b)
{
    const char *at_a = a->at, *at_b = b->at;
    return at_a <= at_b && at_a + a->n_bytes >= at_b + b->n_bytes;
}

/* Wait for the entries that wrote a range last. */
static void wait_for_range(model *m, int i, const sb_range *range, double *begin)
{
    for (int j = i - 1; j >= 0; j--)
        for (int r = 0; r < m->launch[j].ranges.n; r++) {
            const sb_range *of = &m->launch[j].ranges.range[r];
            if (!of->is_written || !sb_ranges_overlap(of, range)) continue;
            wait_for(m, i, j, begin);
            if (covers(of, range)) return;
        }
}

/* As if each result had memory of its own: only what is read is waited for. */
static void by_data(model *m)
{
    for (int i = 0; i < m->n; i++) {
        double begin = 0;
        m->from[i] = -1;
        for (int r = 0; r < m->launch[i].ranges.n; r++)
            if (m->launch[i].ranges.range[r].is_read) wait_for_range(m, i, &m->launch[i].ranges.range[r], &begin);
        m->end_us[i] = begin + m->launch[i].us;
    }
}

/* ---- the result ---- */

/* The entry of the first n that ends last; -1 of none. */
static int last_to_end(const model *m, int n)
{
    int last = -1;
    for (int i = 0; i < n; i++)
        if (last < 0 || m->end_us[i] > m->end_us[last]) last = i;
    return last;
}

static void print_way(const model *m, const char *name, int n_edges)
{
    char edges[16] = "";
    if (n_edges >= 0) snprintf(edges, sizeof edges, "%d", n_edges);
    printf("  %-34s %8d %8s %12.2f", name, m->n, edges, 1e-3 * m->end_us[last_to_end(m, m->n)]);
    if (m->n_frames && m->last_of_forward >= 0)
        printf(" %16.0f", m->end_us[last_to_end(m, m->last_of_forward + 1)] / m->n_frames);
    putchar('\n');
}

/* Kernels of the path, those with the most time first. */
static void print_kernels(const model *m)
{
    double us[SB_KERNELS_N + 1] = {0}, all = m->end_us[last_to_end(m, m->n)];
    int launches[SB_KERNELS_N + 1] = {0};
    for (int i = last_to_end(m, m->n); i >= 0; i = m->from[i]) {
        us[m->launch[i].kernel + 1] += m->launch[i].us;
        launches[m->launch[i].kernel + 1]++;
    }
    printf("  %-34s %8s %8s %12s %16s\n", "kernels of the longest path", "launches", "", "ms/window", "share");
    for (int shown = 0; shown < SHOWN; shown++) {
        int most = 0;
        for (int k = 1; k <= SB_KERNELS_N; k++)
            if (us[k] > us[most]) most = k;
        if (us[most] <= 0) break;
        printf("    %-32s %8d %8s %12.2f %15.1f%%\n", sb_path_kernel(most - 1), launches[most], "", 1e-3 * us[most],
               100 * us[most] / all);
        us[most] = 0;
    }
}

static void print_head(const model *m, const char *times, const sb_path_sources *s)
{
    const sb_settings *setup = &m->path->setup;
    printf("\npath: %s, native-cuda/%s", setup->model, setup->arithmetic);
    if (m->n_frames)
        printf(", %d frames of %dx%d", m->n_frames, m->path->size.w, m->path->size.h);
    else
        printf(", batch %ld", setup->batch);
    printf("; a GPU of %d processors\n", SB_PATH_PROCESSORS);
    if (times)
        printf("times: %d launches measured (%s), %d by the same kernel on other grids, %d by other kernels, %d by "
               "peaks\n",
               s->measured, times, s->same_kernel, s->other_kernels, s->peaks);
    else
        printf("times: none measured (--times); all by the peaks of an H200\n");
    printf("  %-34s %8s %8s %12s%s\n", "", "launches", "edges", "ms/window", m->n_frames ? " forward us/frame" : "");
}

static sb_status print_models(model *stream, model *graph, const char *times)
{
    sb_path_sources sources;
    SB_TRY(sb_path_set_times(times, stream->n, stream->launch, graph->n, graph->launch, &sources));
    SB_TRY(sb_path_set_times(times, stream->n, stream->launch, stream->n, stream->launch, &sources));
    print_head(stream, times, &sources);
    one_after_the_other(stream);
    print_way(stream, "one stream", stream->n - 1);
    by_data(graph);
    print_way(graph, "graph, if no memory were used twice", -1);
    by_dependences(graph);
    print_way(graph, "graph", graph->order.first[graph->n]);
    print_kernels(graph);
    return SB_OK;
}

sb_status sb_bench_path_print(const sb_bench_path *path, const char *times)
{
    model stream = {.path = path}, graph = {.path = path};
    sb_status status = open_model(&stream, false);
    if (status == SB_OK) status = open_model(&graph, true);
    if (status == SB_OK) status = print_models(&stream, &graph, times);
    close_model(&stream), close_model(&graph);
    return status;
}
