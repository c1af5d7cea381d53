#include "inspect/bench_case.h"

#include "core/clock.h"
#include "inspect/bench_flop.h"
#include "inspect/bench_input.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP_FRAMES = 2, WARM_UP_BATCHES = 10, WARM_UP_WINDOWS = 3, N_BATCHES = 50 };

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
    return strcmp(c->study, "inference") != 0;
}

static bool is_prednet(const sb_bench_case *c)
{
    return strcmp(c->setup.model, "prednet") == 0;
}

static sb_flop count_flop(const sb_bench_case *c)
{
    if (!is_prednet(c)) return sb_flop_autoencoder(c->size.w * c->size.h, (int)c->setup.hidden, (int)c->setup.batch);
    sb_prednet_shape shape = {c->setup.channels.n, {0}, c->size.w, c->size.h, (int)c->setup.window};
    for (int n = 0; n < shape.n_layers && n < SB_LAYERS_MAX; n++) shape.channels[n] = c->setup.channels.item[n];
    return sb_flop_prednet(&shape);
}

sb_status sb_bench_case_make(sb_bench_case *c, const char *study, const sb_settings *setup, sb_size size)
{
    *c = (sb_bench_case){.study = study, .setup = sb_settings_resolved(setup), .size = size};
    const sb_backend_options options = {
        .threads = (int)setup->threads, .isa = setup->isa, .arithmetic = setup->arithmetic};
    sb_ops *ops;
    SB_TRY(sb_backend_open(&ops, setup->backend, &options));
    snprintf(c->variant, sizeof c->variant, "%s", sb_backend_variant(ops));
    sb_backend_close(ops);
    sb_flop flop = count_flop(c);
    c->flop = sb_bench_case_learns(c) ? sb_flop_total(flop) : flop.forward;
    c->samples = (int)(is_prednet(c) ? setup->window : setup->batch);
    return SB_OK;
}

static sb_status run_window(sb_bench_trial *trial, int n)
{
    const sb_bench_case *c = trial->c;
    const size_t batch_bytes = (size_t)c->setup.batch * c->size.w * c->size.h;
    sb_window window = {.bytes = trial->input, .n = n, .reset = true};
    if (!is_prednet(c)) window.bytes += batch_bytes * (size_t)(trial->update % N_BATCHES);
    trial->update++;
    if (!sb_bench_case_learns(c)) return sb_learner_infer(&trial->setup.learner, &window);
    sb_step_result result;
    return sb_learner_update(&trial->setup.learner, &window, trial->update, SB_GRADIENT_DROPPED, &result);
}

sb_status sb_bench_trial_window(sb_bench_trial *trial)
{
    return run_window(trial, trial->c->samples);
}

/* A short window wakes the threads, and touches weights and code; the memory of a long one was touched when it was
 * zeroed. A device is shown whole ones, until its list of work is a graph (backend/gpu.h). */
static sb_status warm_up(sb_bench_trial *trial)
{
    const bool video = is_prednet(trial->c), device = !trial->setup.ops->host_memory;
    const bool is_short = video && !device && trial->c->samples > WARM_UP_FRAMES;
    const int n_windows = !video ? WARM_UP_BATCHES : device ? WARM_UP_WINDOWS : 1;
    for (int i = 0; i < n_windows; i++) SB_TRY(run_window(trial, is_short ? WARM_UP_FRAMES : trial->c->samples));
    return SB_OK;
}

sb_status sb_bench_trial_open(sb_bench_trial *trial, const sb_bench_case *c)
{
    *trial = (sb_bench_trial){.c = c};
    const sb_data_shape shape = {is_prednet(c) ? 3 : 1, c->size.h, c->size.w, 0};
    SB_TRY(sb_setup_open_net(&trial->setup, &c->setup, &shape));
    trial->input = is_prednet(c) ? sb_bench_frames(c->samples + 1, c->size.w, c->size.h)
                                 : sb_bench_digits(N_BATCHES * c->samples, c->size.w, c->size.h);
    sb_status status = trial->input ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for the input of a benchmark");
    if (status == SB_OK) status = sb_learner_start(&trial->setup.learner, (uint64_t)c->setup.seed, 0);
    if (status == SB_OK) status = warm_up(trial);
    if (status != SB_OK) sb_bench_trial_close(trial);
    return status;
}

void sb_bench_trial_close(sb_bench_trial *trial)
{
    sb_setup_close(&trial->setup);
    free(trial->input);
    trial->input = NULL;
}

sb_status sb_bench_case_time(sb_bench_case *c, double at_least)
{
    sb_bench_trial trial;
    SB_TRY(sb_bench_trial_open(&trial, c));
    int n = 0;
    sb_status status;
    double device_start = sb_backend_device_seconds(trial.setup.ops);
    double passed, start = sb_clock_seconds(), cpu_start = sb_clock_cpu_seconds();
    do {
        status = sb_bench_trial_window(&trial);
        n++;
        passed = sb_clock_seconds() - start;
    } while (status == SB_OK && passed < at_least);
    double cpu_passed = sb_clock_cpu_seconds() - cpu_start;
    double device_passed = sb_backend_device_seconds(trial.setup.ops) - device_start;
    sb_bench_trial_close(&trial);
    if (status != SB_OK) return status;
    sb_series_add(&c->seconds, passed / n);
    if (device_passed > 0) sb_series_add(&c->device_seconds, device_passed / n);
    sb_series_add(&c->cpu_share, cpu_passed / (passed * (double)c->setup.threads));
    return SB_OK;
}

bool sb_bench_case_is_native(const sb_bench_case *c)
{
    return strcmp(c->setup.backend, "native") == 0;
}

const char *sb_bench_case_arithmetic(const sb_bench_case *c)
{
    return sb_backend_find(c->setup.backend)->in_written_order && is_prednet(c) ? c->setup.arithmetic : "";
}

void sb_bench_case_backend(const sb_bench_case *c, char text[64])
{
    const char *arithmetic = sb_bench_case_arithmetic(c);
    snprintf(text, 64, "%s%s%s", c->setup.backend, *arithmetic ? "/" : "", arithmetic);
}
