#include "matrix/slurm/job_array.h"

#include "matrix/process/process.h"

#include "core/hash.h"
#include "core/text/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- what a cell asks for -- */

/* The template with every NAME replaced. */
static sb_status fill_card(char gres[SB_ARRAY_GRES], const char *card, const char *name)
{
    size_t n = 0;
    while (*card && n < SB_ARRAY_GRES) {
        if (strncmp(card, "NAME", 4) == 0) {
            n += (size_t)snprintf(gres + n, SB_ARRAY_GRES - n, "%s", name);
            card += 4;
        } else {
            gres[n++] = *card++;
        }
    }
    if (n >= SB_ARRAY_GRES) return sb_fail(SB_E_USAGE, "--gres: too long for hardware '%s'", name);
    gres[n] = 0;
    return SB_OK;
}

static sb_status find_gres(char gres[SB_ARRAY_GRES], const sb_cells *cells, const sb_cell *cell, const char *card)
{
    *gres = 0;
    if (!cell->value[SB_SETTING_HARDWARE]) return SB_OK;
    const sb_hardware *row = sb_hardware_find(&cells->hardware, cell->value[SB_SETTING_HARDWARE]);
    if (cell->study->command && !row->gpu) return SB_OK;
    if (!cell->study->command && !sb_hardware_sm(&cells->hardware, cell->value)) return SB_OK; /* on a CPU */
    if (row->gres) return fill_card(gres, row->gres, row->name);
    return row->gpu ? fill_card(gres, card, row->name) : fill_card(gres, "gpu:1", row->name);
}

static long find_cpus(const sb_cell *cell)
{
    const char *threads = cell->value[SB_SETTING_THREADS];
    return threads ? strtol(threads, NULL, 10) : 1;
}

/* -- groups -- */

/* The array that still takes such a cell, or a new one; NULL: no memory. Newest first: the full ones are older. */
static sb_array *find_array(sb_arrays *arrays, size_t tasks_most, long cpus, long ranks, const char *gres)
{
    for (size_t i = arrays->n; i-- > 0;) {
        sb_array *a = &arrays->item[i];
        if (a->cpus == cpus && a->ranks == ranks && strcmp(a->gres, gres) == 0 && a->n < tasks_most) return a;
    }
    sb_array *grown = realloc(arrays->item, (arrays->n + 1) * sizeof *grown);
    if (!grown) return NULL;
    arrays->item = grown;
    sb_array *a = &arrays->item[arrays->n];
    *a = (sb_array){.cpus = cpus, .ranks = ranks, .item = malloc(tasks_most * sizeof *a->item)};
    if (!a->item) return NULL;
    snprintf(a->gres, sizeof a->gres, "%s", gres);
    arrays->n++;
    return a;
}

static sb_status make_list(sb_array *array)
{
    sb_writer *list = sb_writer_open(&sb_lines);
    for (size_t i = 0; i < array->n; i++) sb_write(list, "%zu %s %s\n", i, array->item[i]->hash, array->item[i]->name);
    return sb_writer_close(list, "cells.txt", &array->list, NULL);
}

/* matrix/demo.yaml, four threads, gpu:titan-rtx:1 -> demo-cpu4-gpu-titan-rtx-1-HASH. */
static void name_array(sb_array *array, const char *matrix)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    char hash[SB_SHA256_TEXT];
    const char *slash = strrchr(matrix, '/'), *base = slash ? slash + 1 : matrix;
    size_t length = strcspn(base, ".");
    sb_sha256_bytes(array->list, strlen(array->list), hash);
    char ranks[32] = "";
    if (array->ranks > 1) snprintf(ranks, sizeof ranks, "-ranks%ld", array->ranks);
    snprintf(array->name, sizeof array->name, "%.*s-cpu%ld%s%s%s-%.*s", length < 100 ? (int)length : 100, base,
             array->cpus, ranks, *array->gres ? "-" : "", array->gres, SB_CELL_HASH_SHOWN, hash);
    for (char *c = array->name + strspn(array->name, plain); *c; c += strspn(c, plain)) *c = '-';
}

static sb_status add_cell(sb_arrays *arrays, const sb_cells *cells, const sb_cell *cell, double seconds,
                          const char *card, size_t tasks_most)
{
    char gres[SB_ARRAY_GRES];
    SB_TRY(find_gres(gres, cells, cell, card));
    sb_array *array = find_array(arrays, tasks_most, find_cpus(cell), sb_launcher_ranks(cell->value), gres);
    if (!array) return sb_fail(SB_E_MEMORY, "not enough memory for job arrays");
    array->item[array->n++] = cell;
    if (seconds < 0 || (array->seconds >= 0 && seconds > array->seconds)) array->seconds = seconds;
    return SB_OK;
}

sb_status sb_arrays_make(sb_arrays *arrays, const sb_cells *cells, const sb_plan *plan, const char *card,
                         size_t tasks_most)
{
    *arrays = (sb_arrays){0};
    sb_status status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < plan->n; i++)
        status = add_cell(arrays, cells, plan->item[i], plan->seconds[i], card, tasks_most);
    for (size_t i = 0; status == SB_OK && i < arrays->n; i++) {
        status = make_list(&arrays->item[i]);
        if (status == SB_OK) name_array(&arrays->item[i], cells->path);
    }
    if (status != SB_OK) sb_arrays_free(arrays);
    return status;
}

sb_status sb_array_file(char path[SB_PATH_MAX], const char *results, const sb_array *array, const char *file)
{
    int n = snprintf(path, SB_PATH_MAX, "%s/slurm/%s/%s", results, array->name, file);
    if (n > 0 && n < SB_PATH_MAX) return SB_OK;
    return sb_file_too_long(results);
}

void sb_arrays_free(sb_arrays *arrays)
{
    for (size_t i = 0; i < arrays->n; i++) {
        free(arrays->item[i].item);
        free(arrays->item[i].list);
    }
    free(arrays->item);
    *arrays = (sb_arrays){0};
}
