#include "core/command/nearest.h"
#include "inspect/bench/bench_parts.h"
#include "ops/conv/winograd/domain_tiles.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

static const char *const usual_kernels[] = {"native/winograd", "native/direct", "openblas"};
static const int batches[] = {1, 100};

/* Of the networks that classify a quick look takes so small a part of a batch, but not less than a few images. */
enum { QUICK_PART = 64, QUICK_LEAST = 8 };

enum {
    N_USUAL = sizeof usual_kernels / sizeof *usual_kernels,
    N_BATCHES = sizeof batches / sizeof *batches,
    COMBINATIONS_MAX = 64
};

static const sb_size digit = {28, 28};

/* Backends, arithmetics and instruction sets; their number of threads is set later. */
typedef struct combinations {
    int n;
    sb_settings setup[COMBINATIONS_MAX];
} combinations;

static bool names(const sb_bench_options *options, const char *part)
{
    for (int i = 0; i < options->only.n; i++)
        if (strcmp(options->only.item[i], part) == 0) return true;
    return false;
}

/* Those that are measured where nothing is named. */
static bool wants(const sb_bench_options *options, const char *part)
{
    return options->only.n == 0 || names(options, part);
}

/* "path" and "resnet9-path" end in path. */
static bool ends_in(const char *part, const char *what)
{
    const char *dash = strrchr(part, '-');
    return strcmp(dash ? dash + 1 : part, what) == 0;
}

static sb_status check_parts(const sb_bench_options *options)
{
    static const char parts[] =
        "prednet|inference|autoencoder|input|operations|memory|path|kernels" SB_BENCH_NETWORKS(SB_BENCH_NETWORK_PARTS);
    for (int i = 0; i < options->only.n; i++) {
        const char *part = options->only.item[i];
        if (options->json && (ends_in(part, "path") || ends_in(part, "kernels")))
            return sb_fail(SB_E_USAGE, "samebits bench: --only %.128s has no JSON", part);
        char guess[SB_NEAREST_GUESS];
        if (!sb_option_is_choice(parts, part))
            return sb_fail(SB_E_USAGE, "samebits bench: --only wants one of %s, not '%.128s'%s", parts, part,
                           sb_nearest_guess(parts, part, guess));
    }
    return SB_OK;
}

/* BACKEND or BACKEND/ARITHMETIC; backends without a written order compute in an arithmetic of their own. */
static sb_status parse_kernel(const char *text, sb_settings *setup)
{
    const size_t length = strcspn(text, "/");
    const char *arithmetic = text[length] ? text + length + 1 : "direct";
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const sb_backend *backend = sb_backend_find(name);
    if (!backend) return sb_backend_unknown(name);
    const bool known = sb_arithmetic_find(arithmetic) != NULL;
    if (text[length] && !(backend->in_written_order && known))
        return sb_fail(SB_E_USAGE, "samebits bench: backend %s has no arithmetic '%s'", name, arithmetic);
    setup->backend = backend->name;
    setup->arithmetic = arithmetic;
    return SB_OK;
}

/* Instruction sets make a difference to native alone. */
static sb_status combine(combinations *all, const sb_bench_options *options)
{
    const sb_texts *kernels = &options->kernels, *isas = &options->isas;
    sb_settings setup;
    sb_settings_default(&setup);
    setup.window = options->window, setup.channels = options->channels, setup.widths = options->widths;
    setup.blocks = options->blocks, setup.heads = options->heads;
    setup.width = options->width, setup.context = options->context;
    for (int k = 0; k < (kernels->n ? kernels->n : N_USUAL); k++) {
        SB_TRY(parse_kernel(kernels->n ? kernels->item[k] : usual_kernels[k], &setup));
        const int n_isas = isas->n && strcmp(setup.backend, "native") == 0 ? isas->n : 1;
        for (int i = 0; i < n_isas; i++) {
            setup.isa = isas->n ? isas->item[i] : "auto";
            if (all->n == COMBINATIONS_MAX)
                return sb_fail(SB_E_USAGE, "samebits bench: more than %d backends at once", COMBINATIONS_MAX);
            all->setup[all->n++] = setup;
        }
    }
    return SB_OK;
}

static sb_status add_case(sb_bench_state *state, const char *study, const sb_settings *setup, sb_size size)
{
    if (state->n_cases == SB_CASES_MAX)
        return sb_fail(SB_E_USAGE, "samebits bench: more than %d cases; choose with --only", SB_CASES_MAX);
    return sb_bench_case_make(&state->cases[state->n_cases++], study, setup, size);
}

/* On every number of threads, one right after the other. */
static sb_status add_study(sb_bench_state *state, const char *study, sb_settings setup, sb_size size)
{
    for (int t = 0; t < state->threads.n; t++) {
        setup.threads = state->threads.item[t];
        SB_TRY(add_case(state, study, &setup, size));
    }
    return SB_OK;
}

/* Do combinations before i differ from it in the arithmetic alone? */
static bool has_only_another_arithmetic(const combinations *all, int i)
{
    const sb_settings *setup = &all->setup[i];
    for (int k = 0; k < i; k++)
        if (strcmp(all->setup[k].backend, setup->backend) == 0 && strcmp(all->setup[k].isa, setup->isa) == 0)
            return true;
    return false;
}

/* The autoencoder has no convolutions: one arithmetic of native is enough. */
static sb_status add_autoencoder(sb_bench_state *state, const combinations *all, int i)
{
    sb_settings setup = all->setup[i];
    if (has_only_another_arithmetic(all, i)) return SB_OK;
    setup.model = "autoencoder";
    for (int b = 0; b < N_BATCHES; b++) {
        setup.batch = batches[b];
        SB_TRY(add_study(state, "autoencoder", setup, digit));
    }
    return SB_OK;
}

static long batch_of(const sb_bench_options *options, const sb_bench_network *network, int b)
{
    if (options->batches.n) return options->batches.item[b];
    const long all = network->batch[b], least = all < QUICK_LEAST ? all : QUICK_LEAST, part = all / QUICK_PART;
    return !options->quick ? all : part < least ? least : part;
}

/* A generation of the published number of parents, from a table that no cache holds. */
static sb_status add_evolution(sb_bench_state *state, sb_settings setup, const char *study, sb_size size)
{
    setup.search = "deep-ga";
    setup.population = state->options->quick ? 5 : 200;
    setup.truncation = state->options->quick ? 2 : 20;
    setup.noise_table = state->options->quick ? 1 << 22 : 1 << 25;
    return add_study(state, study, setup, size);
}

/* Of an arithmetic that a GPU has. */
static bool is_of_gpu(const sb_settings *setup)
{
    return sb_backend_find(setup->backend)->in_written_order &&
           !(sb_arithmetic_rules(setup->arithmetic) & ~SB_RULE_WINOGRAD);
}

/* Nothing of it is opened by its name: a GPU is modeled without one. */
static sb_status add_path(sb_bench_state *state, const sb_settings *setup, const sb_bench_network *network,
                          sb_size size)
{
    if (!is_of_gpu(setup)) return SB_OK;
    if (state->n_paths == SB_CASES_MAX)
        return sb_fail(SB_E_USAGE, "samebits bench: more than %d cases; choose with --only", SB_CASES_MAX);
    state->paths[state->n_paths++] = (sb_bench_path){sb_settings_resolved(setup), network, size};
    return SB_OK;
}

/* tiles: NULL: those of the environment. native stands for the same arithmetic on a GPU, as in a path. */
static sb_status add_kernels_with(sb_bench_state *state, sb_bench_path path, const char *tiles)
{
    if (state->n_kernels == SB_CASES_MAX)
        return sb_fail(SB_E_USAGE, "samebits bench: more than %d cases; choose with --only", SB_CASES_MAX);
    sb_bench_kernels *kernels = &state->kernels[state->n_kernels++];
    kernels->path = path, kernels->tiles = tiles;
    if (strcmp(path.setup.backend, "native") == 0) kernels->path.setup.backend = "native-cuda";
    return SB_OK;
}

/* A forward and a weight product may have tiles of one name, which is measured once. */
static sb_status add_all_tiles(sb_bench_state *state, sb_bench_path path)
{
    for (sb_domain_tile_kind kind = SB_DOMAIN_FORWARD; kind <= SB_DOMAIN_WEIGHT; kind++)
        for (int i = 0; i < sb_domain_tiles_count(kind); i++) {
            const char *name = sb_domain_tiles_name(kind, i);
            bool is_added = false;
            for (int k = 0; kind == SB_DOMAIN_WEIGHT && k < sb_domain_tiles_count(SB_DOMAIN_FORWARD); k++)
                is_added |= strcmp(name, sb_domain_tiles_name(SB_DOMAIN_FORWARD, k)) == 0;
            if (!is_added) SB_TRY(add_kernels_with(state, path, name));
        }
    return SB_OK;
}

/* With the tiles of the environment, then with those that are named. */
static sb_status add_kernels(sb_bench_state *state, const sb_settings *setup, const sb_bench_network *network,
                             sb_size size)
{
    const sb_texts *tiles = &state->options->tiles;
    if (!is_of_gpu(setup)) return SB_OK;
    const sb_bench_path path = {sb_settings_resolved(setup), network, size};
    SB_TRY(add_kernels_with(state, path, NULL));
    for (int i = 0; i < tiles->n; i++)
        if (strcmp(tiles->item[i], "all") == 0)
            SB_TRY(add_all_tiles(state, path));
        else
            SB_TRY(add_kernels_with(state, path, tiles->item[i]));
    return SB_OK;
}

/* With data it learns from that, and waits for it. */
static sb_status add_network(sb_bench_state *state, const combinations *all, int i, const sb_bench_network *network)
{
    const sb_bench_options *options = state->options;
    const sb_size size = {network->data.w, network->data.h};
    const int n_batches = options->batches.n ? options->batches.n : network->n_batches;
    const bool is_text = sb_model_find(network->model)->data == SB_LEARNS_FROM_TEXT;
    sb_settings setup = all->setup[i];
    if (!network->has_arithmetic && has_only_another_arithmetic(all, i)) return SB_OK;
    sb_bench_network_settings(network, &setup);
    for (int b = 0; b < n_batches; b++) {
        setup.batch = batch_of(options, network, b);
        setup.data = options->data;
        if (names(options, network->model)) SB_TRY(add_study(state, network->model, setup, size));
        setup.data = NULL;
        if (names(options, network->evaluation)) SB_TRY(add_study(state, network->evaluation, setup, size));
        if (!is_text && names(options, network->evolution))
            SB_TRY(add_evolution(state, setup, network->evolution, size));
        if (names(options, network->path)) SB_TRY(add_path(state, &setup, network, size));
        if (names(options, network->kernels)) SB_TRY(add_kernels(state, &setup, network, size));
        if (!names(options, network->memory)) continue;
        setup.threads = state->threads.item[0];
        if (state->n_memory == SB_CASES_MAX)
            return sb_fail(SB_E_USAGE, "samebits bench: more than %d cases; choose with --only", SB_CASES_MAX);
        SB_TRY(sb_bench_case_make(&state->memory[state->n_memory++], network->memory, &setup, size));
    }
    return SB_OK;
}

/* Is the network of the options' shape opened at all? */
static bool wants_video(const sb_bench_options *options)
{
    static const char *const parts[] = {"prednet", "inference", "operations", "memory"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (wants(options, parts[i])) return true;
    return false;
}

/* A shape that cannot be is found before anything is measured: opened for one frame, which needs little. */
static sb_status check_shape(const sb_bench_options *options, sb_settings setup)
{
    sb_setup opened;
    setup.threads = setup.window = 1;
    if (!wants_video(options)) return SB_OK;
    SB_TRY(sb_setup_open_net(&opened, &setup, &(sb_data_shape){3, options->size.h, options->size.w, 0}));
    sb_setup_close(&opened);
    return SB_OK;
}

/* Memory and operations are looked at on the first number of threads. */
static sb_status add_cases(sb_bench_state *state, combinations *all)
{
    const sb_bench_options *options = state->options;
    for (int i = 0; i < all->n; i++) {
        all->setup[i].threads = state->threads.item[0];
        if (wants(options, "prednet")) SB_TRY(add_study(state, "prednet", all->setup[i], options->size));
        if (wants(options, "inference")) SB_TRY(add_study(state, "inference", all->setup[i], options->size));
        if (wants(options, "autoencoder")) SB_TRY(add_autoencoder(state, all, i));
        for (int k = 0; k < SB_N_BENCH_NETWORKS; k++) SB_TRY(add_network(state, all, i, &sb_bench_networks[k]));
        if (names(options, "path")) SB_TRY(add_path(state, &all->setup[i], NULL, options->size));
        if (names(options, "kernels")) SB_TRY(add_kernels(state, &all->setup[i], NULL, options->size));
        if (wants(options, "memory"))
            SB_TRY(sb_bench_case_make(&state->memory[state->n_memory++], "memory", &all->setup[i], options->size));
    }
    for (int k = 0; k < SB_BENCH_BATCHES && wants(options, "input"); k++)
        SB_TRY(sb_bench_batches_make(&state->batches[state->n_batches++], k));
    if (!wants(options, "operations")) return SB_OK;
    if (state->n_cases == 0) return sb_bench_case_make(&state->profiled, "prednet", &all->setup[0], options->size);
    state->profiled = state->cases[0];
    return SB_OK;
}

/* The part `kernels` has a table of its own. */
static sb_status check_kernels(const sb_bench_state *state)
{
    const sb_bench_options *options = state->options;
    bool is_named = false, is_alone = true;
    for (int i = 0; i < options->only.n; i++) {
        const bool is_kernels = ends_in(options->only.item[i], "kernels");
        is_named |= is_kernels, is_alone &= is_kernels || ends_in(options->only.item[i], "path");
    }
    if (is_named && state->n_kernels == 0)
        return sb_fail(SB_E_USAGE, "samebits bench: --only kernels wants --backend native-cuda/winograd or "
                                   "native-cuda/direct");
    if (!is_named && options->tiles.n) return sb_fail(SB_E_USAGE, "samebits bench: --tiles is for --only kernels");
    if (is_named && !is_alone && options->output)
        return sb_fail(SB_E_USAGE, "samebits bench: -o FILE has one table: of --only kernels, or of other parts");
    return SB_OK;
}

static sb_status variant_of(const char *backend, char variant[32])
{
    sb_ops *ops;
    SB_TRY(sb_backend_open(&ops, backend, &(sb_backend_options){.threads = 1}));
    snprintf(variant, 32, "%s", sb_backend_variant(ops));
    sb_backend_close(ops);
    return SB_OK;
}

sb_status sb_bench_choose(sb_bench_state *state)
{
    combinations all = {0};
    SB_TRY(check_parts(state->options));
    SB_TRY(variant_of("native", state->best_isa));
    SB_TRY(variant_of("openblas", state->blas_kernel));
    const int n_cpus = omp_get_num_procs();
    state->threads = state->options->threads;
    if (state->threads.n == 0) state->threads = (sb_list){n_cpus > 1 ? 2 : 1, {1, n_cpus}};
    SB_TRY(combine(&all, state->options));
    SB_TRY(check_shape(state->options, all.setup[0]));
    SB_TRY(add_cases(state, &all));
    return check_kernels(state);
}
