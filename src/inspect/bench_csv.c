#define _POSIX_C_SOURCE 200809L
#include "core/file.h"
#include "inspect/bench_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sb_status write_facts(FILE *csv)
{
    sb_facts *facts;
    SB_TRY(sb_bench_facts(&facts));
    for (int i = 0; i < facts->n; i++) fprintf(csv, "# %s: %s\n", facts->fact[i].name, facts->fact[i].value);
    free(facts);
    return SB_OK;
}

static const char header[] =
    "study,backend,arithmetic,variant,threads,width,height,channels,samples,operation,shape,measure,unit,n,median,min,"
    "max\n";

static void write_measure(void *context, const sb_bench_measure *m)
{
    FILE *csv = context;
    const sb_bench_case *c = m->c;
    char channels[SB_BENCH_CHANNELS];
    sb_bench_channels(c, channels);
    fprintf(csv, "%s,%s,%s,%s,%ld,%d,%d,%s,%d,", m->study, c->setup.backend, sb_bench_case_arithmetic(c), c->variant,
            c->setup.threads, c->size.w, c->size.h, channels, c->samples);
    fprintf(csv, "%s,%s,%s,%s,%d,%.6g,%.6g,%.6g\n", m->operation, m->shape, m->name, m->unit, m->n, m->spread.median,
            m->spread.min, m->spread.max);
}

sb_status sb_bench_write_csv(const sb_bench_state *state, const char *path)
{
    char *text;
    size_t n_text;
    FILE *csv = open_memstream(&text, &n_text);
    if (!csv) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the table", path);
    sb_status status = write_facts(csv);
    fputs(header, csv);
    sb_bench_each_measure(state, write_measure, csv);
    if (fclose(csv) != 0 && status == SB_OK) status = sb_fail(SB_E_MEMORY, "%s: not enough memory for the table", path);
    if (status == SB_OK) status = sb_file_write(path, text, n_text);
    free(text);
    return status;
}
