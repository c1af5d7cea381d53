#include "inspect/bench_parts.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

static const char *const parts[] = {"prednet", "inference", "autoencoder"};
static const char *const usual_kernels[] = {"native/winograd", "native/direct", "openblas"};
static const int batches[] = {1, 100};

enum {
    N_PARTS = sizeof parts / sizeof *parts,
    N_USUAL = sizeof usual_kernels / sizeof *usual_kernels,
    N_BATCHES = sizeof batches / sizeof *batches
};

static bool wants(const sb_bench_options *options, const char *part)
{
    bool wanted = options->only.n == 0;
    for (int i = 0; i < options->only.n; i++) wanted = wanted || strcmp(options->only.item[i], part) == 0;
    return wanted;
}

static sb_status check_parts(const sb_bench_options *options)
{
    for (int i = 0; i < options->only.n; i++) {
        bool known = false;
        for (int k = 0; k < N_PARTS; k++) known = known || strcmp(options->only.item[i], parts[k]) == 0;
        if (!known)
            return sb_fail(SB_E_USAGE, "samebits bench: --only wants prednet, inference or autoencoder, not '%s'",
                           options->only.item[i]);
    }
    return SB_OK;
}

/* BACKEND or BACKEND/ARITHMETIC; backends other than native compute in an arithmetic of their own. */
static sb_status parse_kernel(const char *text, sb_setup_options *setup)
{
    const size_t length = strcspn(text, "/");
    const char *arithmetic = text[length] ? text + length + 1 : "direct";
    setup->backend = NULL;
    for (const sb_backend *b = sb_backends; b->name; b++)
        if (strlen(b->name) == length && memcmp(b->name, text, length) == 0) setup->backend = b->name;
    if (!setup->backend)
        return sb_fail(SB_E_USAGE, "samebits bench: no backend '%.*s'; 'samebits info' lists them", (int)length, text);
    if (strcmp(arithmetic, "direct") != 0 && (strcmp(arithmetic, "winograd") != 0 || !sb_bench_is_native(setup)))
        return sb_fail(SB_E_USAGE, "samebits bench: backend %s has no arithmetic '%s'", setup->backend, arithmetic);
    setup->arithmetic = arithmetic;
    return SB_OK;
}

static sb_status add_case(sb_bench_state *state, const char *study, const sb_setup_options *setup, sb_size size)
{
    if (state->n_cases == SB_CASES_MAX)
        return sb_fail(SB_E_USAGE, "samebits bench: more than %d cases; choose with --only", SB_CASES_MAX);
    return sb_bench_case_make(&state->cases[state->n_cases++], study, setup, size);
}

/* The studies of one backend at one instruction set and number of threads. */
static sb_status add_studies(sb_bench_state *state, sb_setup_options setup)
{
    const sb_bench_options *options = state->options;
    setup.model = "prednet";
    if (wants(options, "prednet")) SB_TRY(add_case(state, "prednet", &setup, options->size));
    if (wants(options, "inference")) SB_TRY(add_case(state, "inference", &setup, options->size));
    setup.model = "autoencoder";
    for (int i = 0; i < N_BATCHES && wants(options, "autoencoder"); i++) {
        setup.batch = batches[i];
        SB_TRY(add_case(state, "autoencoder", &setup, (sb_size){28, 28}));
    }
    return SB_OK;
}

static sb_status add_kernels(sb_bench_state *state, sb_setup_options setup)
{
    const sb_texts *kernels = &state->options->kernels, *isas = &state->options->isas;
    for (int k = 0; k < (kernels->n ? kernels->n : N_USUAL); k++) {
        SB_TRY(parse_kernel(kernels->n ? kernels->item[k] : usual_kernels[k], &setup));
        const int n_isas = sb_bench_is_native(&setup) && isas->n ? isas->n : 1;
        for (int i = 0; i < n_isas; i++) {
            setup.isa = isas->n ? isas->item[i] : "auto";
            SB_TRY(add_studies(state, setup));
        }
    }
    return SB_OK;
}

static void add_ceiling(sb_bench_state *state, const sb_bench_case *c)
{
    if (sb_bench_ceiling_of(state, c)) return;
    sb_bench_ceiling *ceiling = &state->ceiling[state->n_ceilings++];
    ceiling->threads = (int)c->setup.threads;
    snprintf(ceiling->isa, sizeof ceiling->isa, "%s", sb_bench_is_native(&c->setup) ? c->variant : state->best_isa);
}

sb_status sb_bench_choose(sb_bench_state *state)
{
    const sb_bench_options *options = state->options;
    SB_TRY(check_parts(options));
    sb_ops *ops;
    SB_TRY(sb_backend_open(&ops, "native", &(sb_backend_options){.threads = 1}));
    snprintf(state->best_isa, sizeof state->best_isa, "%s", sb_backend_variant(ops));
    sb_backend_close(ops);
    sb_list threads = options->threads;
    if (threads.n == 0) threads = (sb_list){omp_get_num_procs() > 1 ? 2 : 1, {1, omp_get_num_procs()}};
    for (int t = 0; t < threads.n; t++)
        SB_TRY(add_kernels(state, (sb_setup_options){.target = "copy",
                                                     .threads = threads.item[t],
                                                     .seed = 1,
                                                     .window = options->window,
                                                     .batch = 1,
                                                     .hidden = 64,
                                                     .channels = options->channels,
                                                     .alpha = 0.001}));
    for (int i = 0; i < state->n_cases; i++) add_ceiling(state, &state->cases[i]);
    return SB_OK;
}
