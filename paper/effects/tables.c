#include "paper/effects/tables.h"

#include "core/text/csv.h"
#include "paper/files/output.h"

static const sb_raw setting_columns = {
    "study,data,backend,arithmetic,hardware,evidence,threads,blas_kernel,batch,updates"};

static void write_setting(sb_writer *csv, const sb_result *cell)
{
    sb_write(csv, "%s,%s,%s,%s,%s,%s,%ld,%s,%ld,%ld", cell->study, cell->data, cell->backend, cell->arithmetic,
             cell->hardware, sb_evidence_name[cell->evidence], cell->threads, cell->blas_kernel, cell->batch,
             cell->updates);
}

static void write_columns(sb_writer *csv, sb_raw between, const char *const suffix[])
{
    sb_write_raw(csv, setting_columns);
    sb_write_raw(csv, between);
    for (int m = 0; m < SB_N_METRICS; m++)
        for (int i = 0; suffix[i]; i++) sb_write(csv, ",%s_%s", sb_metric_column[m], suffix[i]);
    sb_write(csv, "\n");
}

static void write_arms(sb_writer *csv, const sb_arms *arms)
{
    for (size_t k = 0; k < arms->n; k++) {
        const sb_arm *arm = arms->arm[k];
        write_setting(csv, arm->setting->cell);
        sb_write(csv, ",%s,%zu", sb_target_name[arm->target], arm->n);
        for (int m = 0; m < SB_N_METRICS; m++) {
            const sb_summary *s = &arm->summary[m];
            const double numbers[] = {s->mean, s->sd, s->se, s->low, s->high, s->min, s->max};
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sb_csv_real(csv, numbers[i], 6);
        }
        sb_write(csv, "\n");
    }
}

static void write_setting_pairs(sb_writer *csv, const sb_configuration *setting)
{
    if (setting->n_pairs == 0) return;
    write_setting(csv, setting->cell);
    sb_write(csv, ",%zu", setting->n_pairs);
    for (int m = 0; m < SB_N_METRICS; m++) {
        const sb_ratio *effect = &setting->effect[m];
        const double numbers[] = {effect->ratio, effect->low, effect->high, effect->p};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sb_csv_real(csv, numbers[i], 6);
    }
    sb_write(csv, "\n");
}

static void write_pairs(sb_writer *csv, const sb_arms *arms)
{
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++)
        for (size_t i = 0; i < group->n_settings; i++) write_setting_pairs(csv, &group->setting[i]);
}

static const char *const arm_suffix[] = {"mean", "sd", "se", "low", "high", "min", "max", NULL};
static const char *const pair_suffix[] = {"ratio", "low", "high", "p", NULL};

static const struct {
    const char *file;
    sb_raw between;
    const char *const *suffix;
    void (*write)(sb_writer *csv, const sb_arms *arms);
} tables[] = {
    {"arms.csv", {",target,n"}, arm_suffix, write_arms},
    {"pairs.csv", {",n"}, pair_suffix, write_pairs},
};

sb_status sb_tables_write(const sb_arms *arms, const char *folder)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        sb_output output;
        SB_TRY(sb_output_begin(&output, folder, tables[i].file, &sb_csv));
        write_columns(output.out, tables[i].between, tables[i].suffix);
        tables[i].write(output.out, arms);
        SB_TRY(sb_output_end(&output, SB_OK));
    }
    return SB_OK;
}
