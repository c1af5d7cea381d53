/* Each kernel of an update by itself. The contents of its memory change from run to run, which changes no time. Repeats
 * of one launch find their operands in the device's cache where these fit. In an update other kernels run in between. So
 * an update whose kernels run one after the other takes at least the sum. */
#include "inspect/bench/bench_parts.h"

#include "core/size.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- distinct launches ---- */

static bool has_same_ranges(const sb_ranges *a, const sb_ranges *b)
{
    if (a->n != b->n || a->is_unknown != b->is_unknown || a->flop != b->flop) return false;
    for (int i = 0; i < a->n; i++)
        if (a->range[i].n_bytes != b->range[i].n_bytes || a->range[i].is_read != b->range[i].is_read ||
            a->range[i].is_written != b->range[i].is_written)
            return false;
    return true;
}

static bool is_same(const sb_path_launch *a, const sb_path_launch *b)
{
    return a->kernel == b->kernel && a->grid.x == b->grid.x && a->grid.y == b->grid.y && a->grid.z == b->grid.z &&
           has_same_ranges(&a->ranges, &b->ranges);
}

static sb_bench_kernel *find(sb_bench_kernels *kernels, const sb_path_launch *launch)
{
    for (int k = 0; k < kernels->n; k++)
        if (is_same(&kernels->kernel[k].launch, launch)) return &kernels->kernel[k];
    return NULL;
}

sb_status sb_bench_kernels_of(sb_bench_kernels *kernels, const sb_command_list *list)
{
    SB_FREED sb_path_launch *launch = sb_path_launches(list);
    size_t room = 0, at = 0;
    sb_list_entry entry;
    kernels->n = 0;
    for (int i = 0; launch && sb_command_list_next(list, &at, &entry); i++) {
        sb_bench_kernel *same = find(kernels, &launch[i]);
        if (same) {
            same->launches++;
            continue;
        }
        if (!sb_size_reserve(&kernels->kernel, &room, (size_t)kernels->n + 1, sizeof *kernels->kernel)) break;
        kernels->kernel[kernels->n++] = (sb_bench_kernel){.launch = launch[i], .entry = entry, .launches = 1};
    }
    if (launch && at == list->used) return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for the kernels of an update");
}

/* ---- measuring ---- */

typedef struct plan {
    sb_bench_kernels *all; /* the one that is measured, and those before it */
    int i, rounds;
} plan;

/* With tiles: do lists before it, of the same network, backend and arithmetic, have the launch? */
static bool is_known(const plan *p, const sb_path_launch *launch)
{
    const sb_settings *setup = &p->all[p->i].path.setup;
    const int n = p->all[p->i].tiles ? p->i : 0;
    for (sb_bench_kernels *of = p->all; of < p->all + n; of++)
        if (strcmp(of->path.setup.model, setup->model) == 0 && of->path.setup.batch == setup->batch &&
            strcmp(of->path.setup.backend, setup->backend) == 0 &&
            strcmp(of->path.setup.arithmetic, setup->arithmetic) == 0 && find(of, launch))
            return true;
    return false;
}

static sb_status measure_one(sb_ops *ops, sb_bench_kernel *k, int rounds)
{
    double seconds[SB_ROUNDS_MAX];
    SB_TRY(sb_gpu_time_entry(ops, &k->entry, SB_KERNEL_REPEATS, rounds, seconds));
    for (int r = 0; r < rounds; r++) {
        if (!(seconds[r] >= 0)) return sb_fail(SB_E_MISSING, "samebits bench: the GPU's clock cannot be read");
        sb_series_add(&k->us, 1e6 * seconds[r]);
    }
    k->launch.us = sb_series_spread(&k->us).median;
    return SB_OK;
}

static sb_status measure_all(void *context, sb_ops *ops)
{
    const plan *p = context;
    sb_bench_kernels *kernels = &p->all[p->i];
    SB_TRY(sb_bench_kernels_of(kernels, sb_gpu_last_list(ops)));
    const int n = kernels->n;
    kernels->n = 0;
    for (int k = 0; k < n; k++)
        if (!is_known(p, &kernels->kernel[k].launch)) kernels->kernel[kernels->n++] = kernels->kernel[k];
    for (int k = 0; k < kernels->n; k++) SB_TRY(measure_one(ops, &kernels->kernel[k], p->rounds));
    return SB_OK;
}

static sb_status measure_here(const plan *p)
{
    const sb_settings *setup = &p->all[p->i].path.setup;
    const sb_backend *backend = sb_backend_find(setup->backend);
    const sb_backend_options options = {.threads = 1, .arithmetic = setup->arithmetic};
    char why[256];
    sb_ops *ops;
    if (!backend->available(why, sizeof why))
        return sb_fail(SB_E_MISSING,
                       "samebits bench: kernels are measured on a GPU, and %s cannot run here: %s; --only path models "
                       "one",
                       backend->name, why);
    SB_TRY(sb_backend_open(&ops, backend->name, &options));
    const sb_status status = sb_path_record(&p->all[p->i].path, ops, measure_all, (void *)(uintptr_t)p);
    sb_backend_close(ops);
    return status;
}

sb_status sb_bench_kernels_measure(sb_bench_kernels *kernels, int i, int rounds)
{
    static const char variable[] = "SAMEBITS_CUDA_TILES";
    const char *set = getenv(variable);
    SB_FREED char *kept = set ? strdup(set) : NULL;
    if (kernels[i].tiles) setenv(variable, kernels[i].tiles, 1);
    const sb_status status = measure_here(&(plan){kernels, i, rounds});
    if (kernels[i].tiles && kept) setenv(variable, kept, 1);
    if (kernels[i].tiles && !kept) unsetenv(variable);
    return status;
}

/* ---- printing ---- */

static double all_us(const sb_bench_kernel *k)
{
    return k->launches * k->launch.us;
}

static int most_time_first(const void *a, const void *b)
{
    const double x = all_us(*(sb_bench_kernel *const *)a), y = all_us(*(sb_bench_kernel *const *)b);
    return (x < y) - (x > y);
}

static void print_kernel(const sb_bench_kernel *k, double total_us)
{
    const sb_path_work work = sb_path_work_of(&k->launch);
    char grid[48], of_peak[16] = "";
    snprintf(grid, sizeof grid, "%ldx%ldx%ld", k->launch.grid.x, k->launch.grid.y, k->launch.grid.z);
    if (work.flop > 0) snprintf(of_peak, sizeof of_peak, "%.0f%%", 100 * work.flop_us / k->launch.us);
    printf("  %-34s %12s %9.2f %9.3f %8d %9.2f %9.3f %6.1f%% %6s %9.0f%%\n", sb_path_kernel(k->launch.kernel), grid,
           1e-6 * work.flop, 1e-6 * work.n_bytes, k->launches, k->launch.us, 1e-3 * all_us(k),
           100 * all_us(k) / total_us, of_peak, 100 * work.byte_us / k->launch.us);
}

void sb_bench_kernels_print(const sb_bench_kernels *kernels)
{
    const sb_settings *setup = &kernels->path.setup;
    SB_FREED const sb_bench_kernel **sorted = sb_size_allocate((size_t)kernels->n, sizeof *sorted);
    double total_us = 0;
    int launches = 0;
    for (int k = 0; k < kernels->n; k++) {
        total_us += all_us(&kernels->kernel[k]), launches += kernels->kernel[k].launches;
        if (sorted) sorted[k] = &kernels->kernel[k];
    }
    if (sorted) qsort(sorted, (size_t)kernels->n, sizeof *sorted, most_time_first);
    printf(
        "\nkernels: %s, %s/%s%s%s, %d launches, %d different, one after the other %.2f ms; each %d times in a graph\n",
        setup->model, setup->backend, setup->arithmetic, kernels->tiles ? ", not measured above with tiles " : "",
        kernels->tiles ? kernels->tiles : "", launches, kernels->n, 1e-3 * total_us, SB_KERNEL_REPEATS);
    printf("  %-34s %12s %9s %9s %8s %9s %9s %7s %6s %10s\n", "", "grid", "MFLOP", "MB", "launches", "us", "ms/window",
           "share", "of FMA", "of memory");
    for (int k = 0; k < kernels->n; k++) print_kernel(sorted ? sorted[k] : &kernels->kernel[k], total_us);
}
