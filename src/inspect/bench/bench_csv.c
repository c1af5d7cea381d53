#define _POSIX_C_SOURCE 200809L
#include "core/file.h"
#include "core/text/csv.h"
#include "inspect/bench/bench_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sb_status write_facts(sb_writer *csv)
{
    sb_facts *facts;
    SB_TRY(sb_bench_facts(&facts));
    for (int i = 0; i < facts->n; i++) sb_write(csv, "# %s: %s\n", facts->fact[i].name, facts->fact[i].value);
    free(facts);
    return SB_OK;
}

static void write_measure(void *context, const sb_bench_measure *m)
{
    sb_writer *csv = context;
    const sb_bench_case *c = m->c;
    char channels[SB_BENCH_CHANNELS];
    sb_bench_channels(c, channels);
    sb_write(csv, "%s,%s,%s,%s,%ld,%d,%d,%s,%d,", m->study, c->setup.backend, sb_bench_case_arithmetic(c), c->variant,
             c->setup.threads, c->size.w, c->size.h, channels, c->samples);
    sb_write(csv, "%s,%s,%s,%s,%d,%.6g,%.6g,%.6g\n", m->operation, m->shape, m->name, m->unit, m->n, m->spread.median,
             m->spread.min, m->spread.max);
}

sb_status sb_bench_write_csv(const sb_bench_state *state, const char *path)
{
    char *text;
    size_t n_text;
    sb_writer *csv = sb_writer_open(&sb_csv);
    sb_status status = write_facts(csv);
    sb_write_raw(csv, SB_RAW("study,backend,arithmetic,variant,threads,width,height,channels,samples,operation,shape,"
                             "measure,unit,n,median,min,max\n"));
    sb_bench_each_measure(state, write_measure, csv);
    const sb_status closed = sb_writer_close(csv, path, &text, &n_text);
    if (status == SB_OK) status = closed;
    if (status == SB_OK) status = sb_file_write(path, text, n_text);
    free(text);
    return status;
}
