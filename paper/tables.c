#include "paper/tables.h"

#include "paper/output.h"

#include <stdio.h>

static const char setting_columns[] =
    "study,data,backend,arithmetic,hardware,evidence,threads,blas_kernel,batch,updates";

static void write_setting(FILE *out, const sb_cell *cell)
{
    const char *texts[] = {cell->study, cell->data, cell->backend, cell->arithmetic, cell->hardware};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sb_table_write_text(out, texts[i]);
        fputc(',', out);
    }
    fprintf(out, "%s,%ld,", cell->emulated ? "emulated" : "measured", cell->threads);
    sb_table_write_text(out, cell->blas_kernel);
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
                for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sb_table_write_real(out, numbers[i]);
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
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sb_table_write_real(out, numbers[i]);
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
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        sb_output output;
        SB_TRY(sb_output_begin(&output, folder, tables[i].file));
        write_columns(output.out, tables[i].between, tables[i].suffix);
        for (size_t k = 0; k < arms->n_groups; k++) tables[i].write(output.out, &arms->group[k]);
        SB_TRY(sb_output_end(&output, SB_OK));
    }
    return SB_OK;
}
