#include "inspect/bench/bench_case.h"

#include "net/sequential/sequential_models.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sb_series_add(sb_series *series, double value)
{
    assert(series->n < SB_ROUNDS_MAX);
    series->value[series->n++] = value;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

sb_spread sb_series_spread(const sb_series *series)
{
    const int n = series->n;
    if (n == 0) return (sb_spread){0};
    double sorted[SB_ROUNDS_MAX];
    memcpy(sorted, series->value, sizeof *sorted * (size_t)n);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    return (sb_spread){(sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[0], sorted[n - 1]};
}

bool sb_bench_case_learns(const sb_bench_case *c)
{
    return strcmp(c->study, "inference") != 0 && !(c->network && strcmp(c->study, c->network->evaluation) == 0);
}

bool sb_bench_case_is_video(const sb_bench_case *c)
{
    return strcmp(c->setup.model, "prednet") == 0;
}

long sb_bench_case_tokens(const sb_bench_case *c)
{
    return sb_model_data_of(&c->setup) == SB_LEARNS_FROM_TEXT ? c->setup.batch * c->setup.context : 0;
}

bool sb_bench_case_evolves(const sb_bench_case *c)
{
    return c->network && strcmp(c->study, c->network->evolution) == 0;
}

static sb_status count_flop(const sb_bench_case *c, sb_flop *flop)
{
    if (c->network) return sb_bench_network_flop(c->network, &c->setup, flop);
    if (!sb_bench_case_is_video(c)) {
        sb_layer_list list;
        SB_TRY(sb_autoencoder_list(&list, &c->setup, &(sb_data_shape){1, c->size.h, c->size.w, 0}));
        return sb_flop_layers(&list, (int)c->setup.batch, flop);
    }
    sb_prednet_shape shape = {c->setup.channels.n, {0}, c->size.w, c->size.h, (int)c->setup.window};
    for (int n = 0; n < shape.n_layers && n < SB_LAYERS_MAX; n++) shape.channels[n] = c->setup.channels.item[n];
    *flop = sb_flop_prednet(&shape);
    return SB_OK;
}

sb_status sb_bench_case_make(sb_bench_case *c, const char *study, const sb_settings *setup, sb_size size)
{
    *c = (sb_bench_case){.study = study,
                         .network = sb_bench_network_find(setup->model),
                         .setup = sb_settings_resolved(setup),
                         .size = size};
    const sb_backend_options options = {
        .threads = (int)setup->threads, .isa = setup->isa, .arithmetic = setup->arithmetic};
    sb_ops *ops;
    SB_TRY(sb_backend_open(&ops, setup->backend, &options));
    snprintf(c->variant, sizeof c->variant, "%s", sb_backend_variant(ops));
    sb_backend_close(ops);
    sb_flop flop;
    SB_TRY(count_flop(c, &flop));
    c->flop = sb_bench_case_learns(c) ? sb_flop_total(flop) : flop.forward;
    c->samples = (int)(sb_bench_case_is_video(c) ? setup->window : setup->batch);
    if (!sb_bench_case_evolves(c)) return SB_OK;
    c->flop = flop.forward * (double)setup->population;
    c->samples *= (int)setup->population;
    return SB_OK;
}

bool sb_bench_case_is_native(const sb_bench_case *c)
{
    return strcmp(c->setup.backend, "native") == 0;
}

const char *sb_bench_case_arithmetic(const sb_bench_case *c)
{
    const bool has_choice = c->network ? c->network->has_arithmetic : sb_bench_case_is_video(c);
    return sb_backend_find(c->setup.backend)->in_written_order && has_choice ? c->setup.arithmetic : "";
}

void sb_bench_case_backend(const sb_bench_case *c, char text[64])
{
    const char *arithmetic = sb_bench_case_arithmetic(c);
    snprintf(text, 64, "%s%s%s", c->setup.backend, *arithmetic ? "/" : "", arithmetic);
}
