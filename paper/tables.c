#define _POSIX_C_SOURCE 200809L
#include "paper/tables.h"

#include "paper/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_text(FILE *out, const char *text)
{
    bool quoted = strpbrk(text, ",\"") != NULL;
    if (quoted) fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"') fputc('"', out);
        fputc(*c, out);
    }
    if (quoted) fputc('"', out);
}

static void write_number(FILE *out, double number)
{
    if (isnan(number))
        fputc(',', out);
    else
        fprintf(out, ",%.6g", number);
}

static const char setting_columns[] =
    "study,data,backend,arithmetic,hardware,evidence,threads,blas_kernel,batch,updates";

static void write_setting(FILE *out, const sb_cell *cell)
{
    const char *texts[] = {cell->study, cell->data, cell->backend, cell->arithmetic, cell->hardware};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text(out, texts[i]);
        fputc(',', out);
    }
    fprintf(out, "%s,%ld,", cell->emulated ? "emulated" : "measured", cell->threads);
    write_text(out, cell->blas_kernel);
    fprintf(out, ",%ld,%ld", cell->batch, cell->updates);
}

static void write_columns(FILE *out, const char *between, const char *const suffix[])
{
    fprintf(out, "%s%s", setting_columns, between);
    for (int m = 0; m < SB_N_METRICS; m++)
        for (int i = 0; suffix[i]; i++) fprintf(out, ",%s_%s", sb_metric_column[m], suffix[i]);
    fputc('\n', out);
}

static void write_arms(FILE *out, const sb_group *group)
{
    for (const sb_setting *setting = group->setting; setting < group->setting + group->n_settings; setting++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &setting->arm[t];
            if (arm->n == 0) continue;
            write_setting(out, setting->cell);
            fprintf(out, ",%s,%zu", sb_target_name[t], arm->n);
            for (int m = 0; m < SB_N_METRICS; m++) {
                const sb_summary *s = &arm->summary[m];
                const double numbers[] = {s->mean, s->sd, s->se, s->low, s->high, s->min, s->max};
                for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) write_number(out, numbers[i]);
            }
            fputc('\n', out);
        }
}

static void write_pairs(FILE *out, const sb_group *group)
{
    for (const sb_setting *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        if (setting->n_pairs == 0) continue;
        write_setting(out, setting->cell);
        fprintf(out, ",%zu", setting->n_pairs);
        for (int m = 0; m < SB_N_METRICS; m++) {
            const sb_ratio *effect = &setting->effect[m];
            const double numbers[] = {effect->ratio, effect->low, effect->high, effect->p};
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) write_number(out, numbers[i]);
        }
        fputc('\n', out);
    }
}

static const char *const arm_suffix[] = {"mean", "sd", "se", "low", "high", "min", "max", NULL};
static const char *const pair_suffix[] = {"ratio", "low", "high", "p", NULL};

static const struct {
    const char *file, *between;
    const char *const *suffix;
    void (*write)(FILE *out, const sb_group *group);
} tables[] = {
    {"arms.csv", ",target,n", arm_suffix, write_arms},
    {"pairs.csv", ",n", pair_suffix, write_pairs},
};

sb_status sb_tables_write(const sb_arms *arms, const char *folder)
{
    SB_TRY(sb_folder_make(folder));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char path[SB_PATH_MAX], *text = NULL;
        size_t n_bytes;
        SB_TRY(sb_path_join(path, folder, "%s", tables[i].file));
        FILE *out = open_memstream(&text, &n_bytes);
        if (!out) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
        write_columns(out, tables[i].between, tables[i].suffix);
        for (size_t k = 0; k < arms->n_groups; k++) tables[i].write(out, &arms->group[k]);
        bool whole = !ferror(out);
        whole = fclose(out) == 0 && whole;
        sb_status status =
            whole ? sb_file_write(path, text, n_bytes) : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
        free(text);
        SB_TRY(status);
    }
    return SB_OK;
}
