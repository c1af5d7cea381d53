#include "core/machine/clock.h"
#include "core/random.h"
#include "core/size.h"
#include "inspect/bench/bench_case.h"

#include <stdlib.h>

/* Batches to warm up: as many as that, or fewer where they take long. */
enum { WARM_UP_FRAMES = 2, WARM_UP_BATCHES = 10, WARM_UP_WINDOWS = 3, N_BATCHES = 50 };
static const double warm_up_seconds = 0.2;

/* The pipeline of a case with data, and updates that it is open for: as many as anybody times. */
static const sb_input_plan pipeline = {.mode = SB_INPUT_PREFETCH, .workers = 2, .depth = 50};
enum { PIPELINE_UPDATES = 1 << 30 };

/* ---- windows ---- */

static sb_status learn(sb_bench_trial *trial, const sb_batch *batch)
{
    sb_step_result result;
    return sb_trainer_update(&trial->trainer, batch, ++trial->update, SB_GRADIENT_DROPPED, &result);
}

static sb_status run_window(sb_bench_trial *trial, int n)
{
    const sb_bench_case *c = trial->c;
    const size_t batch_bytes = (size_t)c->setup.batch * c->size.w * c->size.h;
    sb_batch batch = {.n_shards = 1};
    sb_window *window = &batch.shard[0];
    if (trial->pipeline) {
        SB_TRY(sb_input_take(trial->pipeline, &batch));
        return learn(trial, &batch);
    }
    *window = (sb_window){.bytes = trial->input, .n = n, .reset = true};
    if (c->network && !trial->values)
        *window = (sb_window){.tokens = trial->input, .n = (int)c->setup.batch};
    else if (c->network)
        *window = (sb_window){.values = trial->values, .labels = trial->input, .n = (int)c->setup.batch};
    else if (!sb_bench_case_is_video(c))
        window->bytes += batch_bytes * (size_t)(trial->update % N_BATCHES);
    if (sb_bench_case_learns(c)) return learn(trial, &batch);
    trial->update++;
    return sb_learner_infer(&trial->setup.learner, window);
}

sb_status sb_bench_trial_window(sb_bench_trial *trial)
{
    return run_window(trial, trial->c->samples);
}

/* A short window wakes the threads, and touches weights and code; the memory of a long one was touched when it was
 * zeroed. A device is shown whole ones, until its list of work is a graph (backend/gpu.h). */
static sb_status warm_up(sb_bench_trial *trial)
{
    const bool video = sb_bench_case_is_video(trial->c), device = !trial->setup.ops->host_memory;
    const bool is_short = video && !device && trial->c->samples > WARM_UP_FRAMES;
    const int n_windows = !video ? WARM_UP_BATCHES : device ? WARM_UP_WINDOWS : 1;
    const double began = sb_clock_seconds();
    for (int i = 0; i < n_windows; i++) {
        if (i >= (device ? WARM_UP_WINDOWS : 1) && sb_clock_seconds() - began > warm_up_seconds) break;
        SB_TRY(run_window(trial, is_short ? WARM_UP_FRAMES : trial->c->samples));
    }
    return SB_OK;
}

/* ---- input ---- */

static sb_status no_memory(void)
{
    return sb_fail(SB_E_MEMORY, "not enough memory for the input of a benchmark");
}

/* Tokens in any order. */
static sb_status fill_tokens(sb_bench_trial *trial)
{
    const sb_classes *classes = &trial->setup.learner.net->classes;
    const size_t n = (size_t)trial->c->setup.batch * (classes->n_inputs + 1);
    trial->input = sb_size_allocate(n, sizeof *trial->input);
    if (!trial->input) return no_memory();
    for (size_t i = 0; i < n; i++)
        trial->input[i] = (uint8_t)sb_random_integer(sb_random_words(1, 0, i).word[0], (uint32_t)classes->n);
    return SB_OK;
}

/* Numbers about 0, as normalized images have, and a class for each image. */
static sb_status fill_batch(sb_bench_trial *trial)
{
    const sb_data_shape *shape = &trial->c->network->data;
    const size_t n = (size_t)trial->c->setup.batch, image = (size_t)shape->c * shape->h * shape->w;
    trial->values = sb_size_allocate(n, image * sizeof *trial->values);
    trial->input = sb_size_allocate(n, sizeof *trial->input);
    if (!trial->values || !trial->input) return no_memory();
    for (size_t i = 0; i < n * image; i++)
        trial->values[i] = (sb_real)sb_random_words(1, 0, i).word[0] * (sb_real)0x1p-30 - 2;
    for (size_t i = 0; i < n; i++) trial->input[i] = (uint8_t)(i % (size_t)shape->n_classes);
    return SB_OK;
}

static sb_status open_network(sb_bench_trial *trial)
{
    const sb_bench_case *c = trial->c;
    if (c->setup.data) {
        SB_TRY(sb_setup_open(&trial->setup, &c->setup));
        return sb_input_open(&trial->pipeline, trial->setup.loader, &pipeline, 1, PIPELINE_UPDATES);
    }
    SB_TRY(sb_setup_open_net(&trial->setup, &c->setup, &c->network->data));
    return sb_model_data_of(&c->setup) == SB_LEARNS_FROM_TEXT ? fill_tokens(trial) : fill_batch(trial);
}

static sb_status open_frames(sb_bench_trial *trial)
{
    const sb_bench_case *c = trial->c;
    const bool video = sb_bench_case_is_video(c);
    const sb_data_shape shape = {video ? 3 : 1, c->size.h, c->size.w, 0};
    SB_TRY(sb_setup_open_net(&trial->setup, &c->setup, &shape));
    trial->input = video ? sb_bench_frames(c->samples + 1, c->size.w, c->size.h)
                         : sb_bench_digits(N_BATCHES * c->samples, c->size.w, c->size.h);
    return trial->input ? SB_OK : no_memory();
}

sb_status sb_bench_trial_open(sb_bench_trial *trial, const sb_bench_case *c)
{
    *trial = (sb_bench_trial){.c = c};
    sb_status status = c->network ? open_network(trial) : open_frames(trial);
    if (status == SB_OK) status = sb_learner_start(&trial->setup.learner, (uint64_t)c->setup.seed, 0);
    if (status == SB_OK) status = sb_trainer_begin(&trial->trainer, &trial->setup, &trial->lists);
    if (status == SB_OK) status = warm_up(trial);
    if (status != SB_OK) sb_bench_trial_close(trial);
    return status;
}

void sb_bench_trial_close(sb_bench_trial *trial)
{
    sb_input_close(trial->pipeline);
    sb_trainer_end(&trial->trainer);
    sb_run_lists_free(&trial->lists);
    sb_setup_close(&trial->setup);
    free(trial->input);
    free(trial->values);
    *trial = (sb_bench_trial){.c = trial->c};
}

/* ---- times ---- */

/* Since they were asked for last. */
static double seconds_waited(sb_bench_trial *trial)
{
    return trial->pipeline ? sb_input_take_times(trial->pipeline).wait_s : 0;
}

sb_status sb_bench_case_time(sb_bench_case *c, double at_least)
{
    sb_bench_trial trial;
    SB_TRY(sb_bench_trial_open(&trial, c));
    int n = 0;
    sb_status status;
    seconds_waited(&trial);
    double device_start = sb_backend_device_seconds(trial.setup.ops);
    double passed, start = sb_clock_seconds(), cpu_start = sb_clock_cpu_seconds();
    do {
        status = sb_bench_trial_window(&trial);
        n++;
        passed = sb_clock_seconds() - start;
    } while (status == SB_OK && passed < at_least);
    double cpu_passed = sb_clock_cpu_seconds() - cpu_start;
    double device_passed = sb_backend_device_seconds(trial.setup.ops) - device_start;
    double waited = seconds_waited(&trial);
    const sb_backend_met met = sb_backend_subnormal(trial.setup.ops);
    const bool has_input = trial.pipeline;
    sb_bench_trial_close(&trial);
    if (status != SB_OK) return status;
    sb_series_add(&c->seconds, passed / n);
    if (device_passed > 0) sb_series_add(&c->device_seconds, device_passed / n);
    if (met.operations) sb_series_add(&c->subnormal, (double)met.met / (double)met.operations);
    if (has_input) sb_series_add(&c->waits, waited / n), sb_series_add(&c->waits_share, waited / passed);
    sb_series_add(&c->cpu_share, cpu_passed / (passed * (double)c->setup.threads));
    return SB_OK;
}
