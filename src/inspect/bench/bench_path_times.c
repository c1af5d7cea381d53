/* The time of a launch is the one that was measured for the same kernel on the same grid with the same work. Without such
 * a row it is a constant, and the time at the peaks of the device times a slowdown. The slowdown is the one that was
 * measured for the same kernel on the same grid with any work. Without such a row it is the mean of the same kernel, else
 * of all kernels with products, or without. Without a table it is 1. */
#include "inspect/bench/bench_parts.h"

#include "core/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of an H200: fused multiply-adds at 1980 MHz on 132 processors, and the rate of a copy; the shortest kernels in
 * results/checks/h200/kernels.csv take start_us. */
static const double peak_flop = 66.9e12, peak_bytes = 4.3e12, start_us = 1.8;

enum { TABLE_ROWS = 2048, KERNEL_NAME = 64, COPY = -1, UNKNOWN = -2 };

typedef struct row {
    int kernel;
    sb_grid grid;
    int launches;         /* that were measured: the first of this kernel and grid */
    double us, peak_us;   /* means of them */
    double flop, n_bytes; /* of each launch; negative: unknown */
} row;

typedef struct table {
    int n;
    row row[TABLE_ROWS];
} table;

#define NAME(name) #name,
static const char *const names[] = {SB_KERNELS(NAME, NAME)};

const char *sb_path_kernel(int kernel)
{
    return kernel == COPY ? "copy" : names[kernel];
}

#define THREADS_EACH(name)  SB_EACH_THREADS,
#define THREADS_TILED(name) name##_threads,
static const int threads[] = {SB_KERNELS(THREADS_EACH, THREADS_TILED)};

int sb_path_threads(int kernel)
{
    return kernel == COPY ? 0 : threads[kernel];
}

/* UNKNOWN: this program has no such kernel. Older tables have "points" in the place of "domain". */
static int find_kernel(const char *name)
{
    char now[KERNEL_NAME + 8];
    const char *points = strstr(name, "points_");
    if (strcmp(name, sb_path_kernel(COPY)) == 0) return COPY;
    snprintf(now, sizeof now, "%.*s%s%s", points ? (int)(points - name) : 0, name, points ? "domain_" : "",
             points ? points + strlen("points_") : name);
    for (int kernel = 0; kernel < SB_KERNELS_N; kernel++)
        if (strcmp(names[kernel], now) == 0) return kernel;
    return UNKNOWN;
}

/* ---- the table ---- */

static bool read_row(const char *line, table *to)
{
    char name[KERNEL_NAME];
    row r = {.flop = -1, .n_bytes = -1};
    const int n = sscanf(line, "%63[^,],%ldx%ldx%ld,%*d,%*d,%d,%lf,%lf,%lf", name, &r.grid.x, &r.grid.y, &r.grid.z,
                         &r.launches, &r.us, &r.flop, &r.n_bytes);
    if ((n != 6 && n != 8) || r.launches < 1 || !(r.us > 0 && r.us < 1e9) || to->n == TABLE_ROWS) return false;
    r.kernel = find_kernel(name);
    if (r.kernel != UNKNOWN) to->row[to->n++] = r;
    return true;
}

static sb_status read_table(const char *path, table *to)
{
    char *content, *save;
    int number = 0;
    SB_TRY(sb_file_read(path, &content, NULL));
    for (char *line = strtok_r(content, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        number++;
        if (*line == '#' || strncmp(line, "kernel,", 7) == 0 || read_row(line, to)) continue;
        free(content);
        return sb_fail(SB_E_INTEGRITY,
                       "%.512s: line %d is no time of a kernel: kernel,XxYxZ,threads,registers,launches,us", path,
                       number);
    }
    free(content);
    return SB_OK;
}

/* ---- times ---- */

sb_path_work sb_path_work_of(const sb_path_launch *l)
{
    sb_path_work work = {.flop = l->ranges.flop};
    for (int i = 0; i < l->ranges.n; i++) {
        const sb_range *r = &l->ranges.range[i];
        work.n_bytes += (double)r->n_bytes * (r->is_read + r->is_written);
    }
    work.flop_us = 1e6 * work.flop / peak_flop;
    work.byte_us = 1e6 * work.n_bytes / peak_bytes;
    return work;
}

static double peak_us(const sb_path_launch *l)
{
    const sb_path_work work = sb_path_work_of(l);
    return fmax(work.flop_us, work.byte_us);
}

static bool is_same(const row *r, const sb_path_launch *l)
{
    return r->kernel == l->kernel && r->grid.x == l->grid.x && r->grid.y == l->grid.y && r->grid.z == l->grid.z;
}

/* The same work, too. */
static bool is_equal(const row *r, const sb_path_launch *l)
{
    const sb_path_work work = sb_path_work_of(l);
    return is_same(r, l) && r->flop == work.flop && r->n_bytes == work.n_bytes;
}

/* Set the time at peak of the launches that a row was measured on; 0 if there are none. */
static void set_peaks(table *t, int n, const sb_path_launch *launch)
{
    for (row *r = t->row; r < t->row + t->n; r++) {
        int met = 0;
        r->peak_us = r->n_bytes >= 0 ? 1e6 * fmax(r->flop / peak_flop, r->n_bytes / peak_bytes) : 0;
        for (int i = 0; r->n_bytes < 0 && i < n && met < r->launches; i++)
            if (is_same(r, &launch[i])) r->peak_us += peak_us(&launch[i]), met++;
        if (met) r->peak_us /= met;
    }
}

static bool has_products(int kernel)
{
    return kernel >= 0 && strncmp(names[kernel], "sb_product_", 11) == 0;
}

typedef bool is_alike(const row *r, const sb_path_launch *l);

static bool is_of_kernel(const row *r, const sb_path_launch *l)
{
    return r->kernel == l->kernel;
}

static bool is_of_kind(const row *r, const sb_path_launch *l)
{
    return has_products(r->kernel) == has_products(l->kernel);
}

/* The slowdown of the rows that are alike, all their launches together; negative: there are none. */
static double slowdown(const table *t, const sb_path_launch *l, is_alike *alike)
{
    double us = 0, peak = 0;
    for (const row *r = t->row; r < t->row + t->n; r++) {
        if (r->peak_us <= 0 || !alike(r, l)) continue;
        us += r->launches * fmax(0, r->us - start_us);
        peak += r->launches * r->peak_us;
    }
    return peak > 0 ? us / peak : -1;
}

/* The mean of the rows of the same work; negative: there are none. It may be less than start_us, because launches in a
 * graph overlap. */
static double measured_us(const table *t, const sb_path_launch *l)
{
    double us = 0;
    long launches = 0;
    for (const row *r = t->row; r < t->row + t->n; r++)
        if (is_equal(r, l)) us += r->launches * r->us, launches += r->launches;
    return launches ? us / (double)launches : -1;
}

static double slowdown_of(const table *t, const sb_path_launch *l, sb_path_sources *sources)
{
    double times = slowdown(t, l, is_same);
    if (times >= 0) return sources->measured++, times;
    if ((times = slowdown(t, l, is_of_kernel)) >= 0) return sources->same_kernel++, times;
    if ((times = slowdown(t, l, is_of_kind)) >= 0) return sources->other_kernels++, times;
    return sources->peaks++, 1;
}

static double us_of(const table *t, const sb_path_launch *l, sb_path_sources *sources)
{
    const double us = measured_us(t, l);
    if (us >= 0) return sources->measured++, us;
    return start_us + slowdown_of(t, l, sources) * peak_us(l);
}

sb_status sb_path_set_times(const char *times, int n_measured, const sb_path_launch *measured, int n,
                            sb_path_launch *launch, sb_path_sources *sources)
{
    SB_FREED table *t = calloc(1, sizeof *t);
    if (!t) return sb_fail(SB_E_MEMORY, "not enough memory for times of kernels");
    *sources = (sb_path_sources){0};
    const sb_status status = times ? read_table(times, t) : SB_OK;
    if (status == SB_OK) set_peaks(t, n_measured, measured);
    for (int i = 0; status == SB_OK && i < n; i++) launch[i].us = us_of(t, &launch[i], sources);
    return status;
}
