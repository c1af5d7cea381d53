#include "backend/gpu_parts.h"

#include "backend/dependences.h"
#include "core/machine/clock.h"
#include "core/size.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPH_LEAST = 32 }; /* shorter lists are not worth a graph: tests, outputs, single copies */

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

bool sb_gpu_one_by_one(void)
{
    return is_set("SAMEBITS_CUDA_SYNC");
}

bool sb_gpu_dependent_wanted(bool *asked)
{
    const char *value = getenv("SAMEBITS_CUDA_DEPENDENT_LAUNCH");
    *asked = is_set("SAMEBITS_CUDA_DEPENDENT_LAUNCH");
    return *asked || !value || !*value;
}

bool sb_gpu_branches_wanted(void)
{
    return is_set("SAMEBITS_CUDA_BRANCHES");
}

bool sb_gpu_priorities_wanted(void)
{
    const char *value = getenv("SAMEBITS_CUDA_BRANCHES");
    return value && strcmp(value, "priorities") == 0;
}

/* ---- errors ---- */

void sb_gpu_fail(sb_gpu_backend *b, sb_status status, const char *words)
{
    const sb_gpu_label *l = &b->gpu.label;
    if (b->gpu.status != SB_OK) return;
    b->gpu.status = status;
    char shape[96] = "", samples[32] = "";
    if (l->n > 1) snprintf(samples, sizeof samples, ", %d samples", l->n);
    if (l->c) snprintf(shape, sizeof shape, " on %dx%d channels of %dx%d%s", l->gates, l->c, l->h, l->w, samples);
    snprintf(b->words, sizeof b->words, "%s: %s%s: %s", b->gpu.context.variant, l->operation, shape, words);
}

static void failed(sb_gpu *gpu, const char *words)
{
    sb_gpu_fail((sb_gpu_backend *)gpu, SB_E_IO, words);
}

/* ---- putting down ---- */

static void put(sb_gpu_backend *b, sb_gpu_work *work, const void *args, size_t n_args, const void *more, size_t n_more)
{
    if (b->gpu.status != SB_OK) return;
    if (!sb_command_list_add(&b->list, work, &b->gpu.label, args, n_args, more, n_more))
        sb_gpu_fail(b, SB_E_MEMORY, "not enough memory for the list of work");
}

static void put_call(sb_gpu *gpu, sb_gpu_work *work, const void *args, size_t n_bytes)
{
    put((sb_gpu_backend *)gpu, work, args, n_bytes, NULL, 0);
}

typedef struct launch {
    long kernel; /* not an int: lists are compared byte by byte, and nothing here is padding */
    sb_grid grid;
} launch;

static void issue_kernel(sb_gpu *gpu, const void *args)
{
    const launch *l = args;
    const sb_machine *machine = ((sb_gpu_backend *)gpu)->machine;
    machine->launch(gpu, (int)l->kernel, l->grid, l + 1);
}

int sb_gpu_kernel_of(const sb_list_entry *entry, sb_grid *grid)
{
    const launch *l = entry->args;
    if (entry->work != issue_kernel) return -1;
    *grid = l->grid;
    return (int)l->kernel;
}

void sb_gpu_ranges(const sb_list_entry *entry, sb_ranges *ranges)
{
    const launch *l = entry->args;
    if (entry->work == issue_kernel)
        sb_kernel_ranges((int)l->kernel, l + 1, ranges);
    else if (!sb_gpu_transfer_ranges(entry, ranges))
        *ranges = (sb_ranges){.is_unknown = true};
}

#define N_IS_FIRST(name)                                                                                               \
    static_assert(offsetof(name##_args, n) == 0 && sizeof(((name##_args *)0)->n) == sizeof(long), "n comes first");
#define HAS_NO_N(name)
SB_KERNELS(N_IS_FIRST, HAS_NO_N)

#define IS_EACH(name)  true,
#define IS_TILED(name) false,
static const bool is_elementwise[] = {SB_KERNELS(IS_EACH, IS_TILED)};

static bool fits(sb_grid grid)
{
    return grid.x <= SB_GRID_X_MAX && grid.y <= SB_GRID_YZ_MAX && grid.z <= SB_GRID_YZ_MAX;
}

static void put_kernel(sb_gpu *gpu, int kernel, sb_grid grid, const void *args, size_t n_bytes)
{
    sb_gpu_backend *b = (sb_gpu_backend *)gpu;
    char words[160] = "";
    if (is_elementwise[kernel]) {
        const long n = *(const long *)args;
        if (n == 0) return;
        if (n < 0 || n > SB_EACH_MAX)
            snprintf(words, sizeof words, "%ld numbers; a kernel counts to %d: smaller frames, or --backend native", n,
                     SB_EACH_MAX);
        grid = (sb_grid){sb_blocks(n, SB_EACH_THREADS), 1, 1};
    }
    assert(*words || (grid.x > 0 && grid.y > 0 && grid.z > 0));
    if (!*words && !fits(grid))
        snprintf(words, sizeof words,
                 "%ld x %ld x %ld blocks; a device takes %d x %d x %d: smaller frames, or "
                 "--backend native",
                 grid.x, grid.y, grid.z, SB_GRID_X_MAX, SB_GRID_YZ_MAX, SB_GRID_YZ_MAX);
    launch l = {kernel, grid};
    if (*words)
        sb_gpu_fail(b, SB_E_USAGE, words);
    else
        put(b, issue_kernel, &l, sizeof l, args, n_bytes);
}

static void *last(sb_gpu *gpu, int kernel)
{
    launch *l = sb_command_list_last(&((sb_gpu_backend *)gpu)->list, issue_kernel);
    return l && l->kernel == kernel ? l + 1 : NULL;
}

static void take_back(sb_gpu *gpu)
{
    sb_command_list_take_back(&((sb_gpu_backend *)gpu)->list);
}

/* ---- graphs ---- */

/* This list among those that were run before; NULL: it is new. */
static sb_graph *find_list(sb_gpu_backend *b)
{
    for (int i = 0; i < SB_GRAPHS; i++)
        if (sb_command_list_same(&b->graph[i].list, &b->list)) return &b->graph[i];
    return NULL;
}

/* Replaces the oldest remembered list. */
static void remember_list(sb_gpu_backend *b)
{
    sb_graph *kept = &b->graph[b->n_lists++ % SB_GRAPHS];
    if (kept->graph) b->machine->forget(&b->gpu, kept);
    kept->graph = NULL, kept->tried = false, kept->list.used = 0;
    sb_command_list_copy(&kept->list, &b->list); /* short of memory: it will be new again */
}

/* An entry is urgent if its slack is less than this part of the longest path. In a window of PredNet that is what the next
 * frame waits for, and not the products of weights, the gradients of biases, and the losses. */
enum { URGENT_PART = 32 };

/* Which entries are urgent; the caller frees it. NULL: none, because priorities are off or memory is short. */
static bool *find_urgent(const sb_dependences *order)
{
    SB_FREED int *slack = sb_gpu_priorities_wanted() ? sb_size_allocate((size_t)order->n, sizeof *slack) : NULL;
    bool *is_urgent = slack ? sb_size_allocate((size_t)order->n, sizeof *is_urgent) : NULL;
    const int longest = is_urgent ? sb_dependences_slack(order, slack) : -1;
    for (int i = 0; i < order->n && longest >= 0; i++)
        is_urgent[i] = slack[i] < (longest + URGENT_PART - 1) / URGENT_PART;
    return is_urgent;
}

/* False: the entries are still to be recorded, one after the other. */
static bool record_branches(sb_gpu_backend *b, const sb_command_list *list)
{
    sb_dependences order;
    sb_list_entry entry;
    size_t at = 0;
    if (!b->machine->entry_begin || !sb_gpu_branches_wanted() || !sb_dependences_of(&order, list)) return false;
    SB_FREED bool *is_urgent = find_urgent(&order);
    for (int i = 0; b->gpu.status == SB_OK && sb_command_list_next(list, &at, &entry); i++) {
        b->machine->entry_begin(&b->gpu, order.first[i + 1] - order.first[i], order.before + order.first[i]);
        if (b->gpu.status == SB_OK) sb_list_entry_run(&entry, &b->gpu);
        if (b->gpu.status == SB_OK) b->machine->entry_end(&b->gpu, is_urgent && is_urgent[i]);
    }
    sb_dependences_free(&order);
    return true;
}

/* Nothing is done while it is recorded: what fails then, as where a library allocates, is done one by one, and if it is
 * wrong in itself it fails there. An error of work that went before is told by the next call that asks for it. */
static void make_graph(sb_gpu_backend *b, sb_graph *kept)
{
    kept->tried = true;
    b->machine->record(&b->gpu);
    if (b->gpu.status == SB_OK && !record_branches(b, &kept->list)) sb_command_list_run(&kept->list, &b->gpu, NULL);
    if (b->gpu.status == SB_OK) sb_gpu_name(b, "a graph of the window");
    kept->graph = b->machine->record_end(&b->gpu);
    if (b->gpu.status == SB_OK) {
        b->n_graphs_made += kept->graph != NULL;
        return;
    }
    if (kept->graph) b->machine->forget(&b->gpu, kept);
    fprintf(stderr, "samebits: %s; slower without a graph of the window\n", b->words);
    b->gpu.status = SB_OK;
}

/* The graph of this list from its second time on, NULL: do it one by one. The first time shows the libraries what they
 * will be asked for: loading code, choosing an algorithm and taking memory must not happen while a graph is recorded.
 */
static const sb_graph *graph_of(sb_gpu_backend *b)
{
    sb_gpu_name(b, "a graph of the window");
    sb_graph *kept = find_list(b);
    if (!kept) remember_list(b);
    if (kept && !kept->tried) make_graph(b, kept);
    return kept && kept->graph ? kept : NULL;
}

/* ---- doing ---- */

static void do_list_one_by_one(sb_gpu_backend *b)
{
    if (b->gpu.status == SB_OK && b->stage_used) b->machine->wait(&b->gpu);
    sb_command_list_run(&b->list, &b->gpu, b->machine->wait);
}

static void do_list(sb_gpu_backend *b)
{
    const sb_graph *graph = b->gpu.status == SB_OK && b->list.n >= GRAPH_LEAST ? graph_of(b) : NULL;
    if (!graph) {
        sb_command_list_run(&b->list, &b->gpu, NULL);
    } else if (b->gpu.status == SB_OK) {
        sb_gpu_name(b, "the graph of a window (SAMEBITS_CUDA_SYNC=1 names the operation)");
        b->machine->repeat(&b->gpu, graph);
    }
}

static void upload(sb_gpu_backend *b)
{
    const double began = sb_clock_seconds();
    b->machine->upload(&b->gpu, b->stage, b->stage_host, b->stage_used);
    b->gpu.context.copy_seconds += sb_clock_seconds() - began;
}

void sb_gpu_flush(sb_gpu_backend *b)
{
    const sb_gpu_label put_down = b->gpu.label;
    if (b->gpu.status == SB_OK && b->list.n > 0) {
        /* all lists between two waits have one time */
        bool has_begin = b->is_marked ? b->is_timed : b->machine->mark(&b->gpu, false);
        sb_gpu_name(b, "upload of staged bytes");
        if (b->stage_used) upload(b);
        if (sb_gpu_one_by_one())
            do_list_one_by_one(b);
        else
            do_list(b);
        b->is_timed = b->machine->mark(&b->gpu, true) && has_begin;
        b->is_marked = true;
    }
    b->list.used = 0, b->list.n = 0;
    b->gpu.label = put_down;
}

void sb_gpu_waited(sb_gpu_backend *b)
{
    if (b->is_marked && b->gpu.status == SB_OK) {
        double seconds = b->is_timed ? b->machine->marked_seconds(&b->gpu) : -1;
        b->gpu.context.device_seconds += seconds >= 0 ? seconds : NAN;
    }
    b->is_marked = false;
    b->stage_used = 0;
}

void sb_gpu_finish(sb_gpu_backend *b)
{
    sb_gpu_flush(b);
    const sb_gpu_label put_down = b->gpu.label;
    sb_gpu_name(b, "waiting for the device");
    b->machine->wait(&b->gpu);
    sb_gpu_waited(b);
    b->gpu.label = put_down;
}

void sb_gpu_issue(const sb_ops *ops)
{
    sb_gpu_flush(sb_gpu_backend_of(ops));
}

bool sb_gpu_is_idle(const sb_ops *ops)
{
    sb_gpu_backend *b = sb_gpu_backend_of(ops);
    sb_gpu_name(b, "waiting for the device");
    return b->machine->is_idle(&b->gpu);
}

/* ---- timing ---- */

/* The run before the clock starts keeps the device busy until the host has put down the run that is timed. Else the time
 * of the launch on the host would count. */
static double time_graph(sb_gpu_backend *b, const sb_graph *graph)
{
    b->machine->repeat(&b->gpu, graph);
    const bool has_begin = b->machine->mark(&b->gpu, false);
    b->machine->repeat(&b->gpu, graph);
    const bool is_timed = b->machine->mark(&b->gpu, true) && has_begin;
    b->machine->wait(&b->gpu);
    return is_timed && b->gpu.status == SB_OK ? b->machine->marked_seconds(&b->gpu) : -1;
}

sb_status sb_gpu_time_entry(sb_ops *ops, const sb_list_entry *entry, int n_times, int rounds, double *seconds)
{
    sb_gpu_backend *b = sb_gpu_backend_of(ops);
    sb_graph own = {.tried = true};
    sb_gpu_finish(b);
    b->machine->record(&b->gpu);
    for (int i = 0; b->gpu.status == SB_OK && i < n_times; i++) sb_list_entry_run(entry, &b->gpu);
    own.graph = b->machine->record_end(&b->gpu);
    for (int r = 0; b->gpu.status == SB_OK && r < rounds; r++) seconds[r] = time_graph(b, &own) / n_times;
    if (own.graph) b->machine->forget(&b->gpu, &own);
    return ops->error(ops);
}

/* ---- opening ---- */

static sb_status error(sb_ops *ops)
{
    sb_gpu_backend *b = sb_gpu_backend_of(ops);
    sb_gpu_finish(b);
    sb_status status = b->gpu.status;
    b->gpu.status = SB_OK;
    return status == SB_OK ? SB_OK : sb_fail(status, "%s", b->words);
}

static void close_backend(sb_context *context)
{
    sb_gpu_backend *b = (sb_gpu_backend *)context;
    sb_gpu_finish(b);
    for (int i = 0; i < SB_GRAPHS; i++) {
        if (b->graph[i].graph) b->machine->forget(&b->gpu, &b->graph[i]);
        sb_command_list_free(&b->graph[i].list);
    }
    sb_command_list_free(&b->list);
    sb_gpu_close_memory(b);
    b->machine->close(&b->gpu);
    free(b);
}

int sb_gpu_graphs_made(const sb_ops *ops)
{
    return sb_gpu_backend_of(ops)->n_graphs_made;
}

const sb_command_list *sb_gpu_last_list(const sb_ops *ops)
{
    const sb_gpu_backend *b = sb_gpu_backend_of(ops);
    return b->n_lists ? &b->graph[(b->n_lists - 1) % SB_GRAPHS].list : NULL;
}

#define ZERO_OR_ONE "must be 0 or 1"

/* Variables that are empty, 0 or 1, or what is_switch_value says; and what another value is told. */
static const struct {
    const char *name, *refusal;
} switches[] = {
    {"SAMEBITS_CUDA_BRANCHES", "must be 0, 1 or priorities"},
    {"SAMEBITS_CUDA_TILES", "no tile has this name; 1 chooses one for each product"},
    {"SAMEBITS_CUDA_SYNC", ZERO_OR_ONE},
    {"SAMEBITS_CUDA_DEPENDENT_LAUNCH", ZERO_OR_ONE},
    {"SAMEBITS_CUDA_PIXELS", ZERO_OR_ONE},
    {"SAMEBITS_CUDA_TRANSFORMS", ZERO_OR_ONE},
    {"SAMEBITS_CUDA_CHUNKS", ZERO_OR_ONE},
    {"SAMEBITS_CUDA_NORMS", ZERO_OR_ONE},
    {"SAMEBITS_CUDNN_FRAMES", ZERO_OR_ONE},
    {"SAMEBITS_CUDNN_INPUTS", ZERO_OR_ONE},
};

/* NULL: the variable does not name one. */
static const char *tile_wanted(void)
{
    const char *value = getenv("SAMEBITS_CUDA_TILES");
    return value ? sb_domain_tiles_find(value) : NULL;
}

static bool is_switch_value(const char *name, const char *value)
{
    if (strcmp(value, "1") == 0 || !is_set(name)) return true;
    if (strcmp(name, "SAMEBITS_CUDA_BRANCHES") == 0) return sb_gpu_priorities_wanted();
    return strcmp(name, "SAMEBITS_CUDA_TILES") == 0 && tile_wanted();
}

/* A misspelled value must not pass for 1. */
static void check_switches(sb_gpu_backend *b)
{
    char words[160];
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        const char *value = getenv(switches[i].name);
        if (!value || is_switch_value(switches[i].name, value)) continue;
        snprintf(words, sizeof words, "%s=%.32s: %s", switches[i].name, value, switches[i].refusal);
        snprintf(b->gpu.context.variant, sizeof b->gpu.context.variant, "native-cuda");
        sb_gpu_name(b, "opening");
        sb_gpu_fail(b, SB_E_USAGE, words);
        return;
    }
}

/* As native does: narrower layers gain nothing from Winograd's transforms, and the bits must agree. */
enum { WINOGRAD_CHANNELS = 16 };

void sb_gpu_open(sb_gpu_backend *backend, const sb_machine *machine, const sb_backend_options *options)
{
    const bool winograd = sb_arithmetic_rules(options->arithmetic) & SB_RULE_WINOGRAD;
    backend->machine = machine;
    sb_gpu *gpu = &backend->gpu;
    gpu->kernel = put_kernel, gpu->call = put_call, gpu->failed = failed;
    gpu->last = last, gpu->take_back = take_back;
    gpu->forms = (sb_gpu_forms){.tiles = is_set("SAMEBITS_CUDA_TILES"),
                                .tile = tile_wanted(),
                                .pixels = is_set("SAMEBITS_CUDA_PIXELS"),
                                .transforms = is_set("SAMEBITS_CUDA_TRANSFORMS"),
                                .chunks = !options->is_traced && is_set("SAMEBITS_CUDA_CHUNKS"),
                                .norms = is_set("SAMEBITS_CUDA_NORMS"),
                                .frames = is_set("SAMEBITS_CUDNN_FRAMES") || is_set("SAMEBITS_CUDNN_INPUTS"),
                                .inputs = is_set("SAMEBITS_CUDNN_INPUTS")};
    gpu->context.threads = 1;
    gpu->context.close = close_backend;
    gpu->context.ops = (sb_ops){
        .name = "native-cuda",
        .context = &gpu->context,
        .host_memory = false,
        .overlaps = sb_gpu_branches_wanted(),
        .error = error,
        .winograd_channels = !winograd                    ? INT_MAX
                             : options->winograd_channels ? options->winograd_channels
                                                          : WINOGRAD_CHANNELS,
    };
    sb_gpu_open_memory(gpu);
    sb_ops_cuda(&gpu->context.ops);
    check_switches(backend);
}
