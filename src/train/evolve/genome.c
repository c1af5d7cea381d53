#include "train/evolve/genome.h"

#include "backend/backend.h"
#include "core/random.h"
#include "core/size.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOISE_SEED = 123, PORTION = 1 << 16 };

/* ---- genomes ---- */

static sb_status reserve(sb_genome *genome, size_t n)
{
    if (sb_size_reserve(&genome->place, &genome->capacity, n, sizeof *genome->place)) return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for a genome of %zu places", n);
}

sb_status sb_genome_add(sb_genome *genome, uint32_t place)
{
    SB_TRY(reserve(genome, genome->n + 1));
    genome->place[genome->n++] = place;
    return SB_OK;
}

sb_status sb_genome_copy(sb_genome *to, const sb_genome *from)
{
    SB_TRY(reserve(to, from->n));
    if (from->n) memcpy(to->place, from->place, from->n * sizeof *to->place);
    to->n = from->n;
    return SB_OK;
}

void sb_genome_free(sb_genome *genome)
{
    free(genome->place);
    *genome = (sb_genome){0};
}

/* ---- the table ---- */

static void fill(sb_real *noise, size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++)
        noise[i] = (sb_real)(float)sb_random_normal(NOISE_SEED, SB_STREAM_MUTATIONS, first + i);
}

static size_t portion(const sb_decoder *decoder, size_t first)
{
    return decoder->n_noise - first < PORTION ? decoder->n_noise - first : PORTION;
}

/* A device gets it in portions, so that the host needs no memory for a second table. */
static sb_status fill_table(sb_decoder *decoder)
{
    sb_ops *ops = decoder->ops;
    const size_t n = decoder->n_noise;
    if (ops->host_memory) {
#pragma omp parallel for num_threads(sb_backend_threads(ops)) schedule(static)
        for (size_t first = 0; first < n; first += PORTION)
            fill(decoder->noise + first, first, portion(decoder, first));
        return SB_OK;
    }
    SB_FREED sb_real *host = sb_size_allocate(PORTION, sizeof *host);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for a part of the table of mutations");
    for (size_t first = 0; first < n; first += PORTION) {
        fill(host, first, portion(decoder, first));
        ops->to_device(ops, decoder->noise + first, host, portion(decoder, first) * sizeof *host);
        SB_TRY(ops->error(ops)); /* after it the host's memory is free again */
    }
    return SB_OK;
}

/* ---- initial weights ---- */

static double fan_in(const sb_param *param)
{
    return (double)param->n / (double)param->dim[0];
}

static int last_weight(const sb_params *params)
{
    int last = params->n - 1;
    while (last >= 0 && params->list[last].kind != SB_PARAM_WEIGHT) last--;
    return last;
}

static sb_status set_start(sb_decoder *decoder)
{
    const sb_params *params = decoder->params;
    SB_FREED sb_real *host = sb_size_allocate(params->total, sizeof *host);
    if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for the weights of a network");
    for (int p = 0; p < params->n; p++) {
        const sb_param *param = &params->list[p];
        const bool is_weight = param->kind == SB_PARAM_WEIGHT;
        if (is_weight) decoder->scale[p] = 1 / sqrt(fan_in(param)) / (p == last_weight(params) ? 10 : 1);
        for (size_t k = 0; k < param->n && !is_weight; k++) host[param->offset + k] = (sb_real)param->value;
    }
    decoder->ops->to_device(decoder->ops, decoder->start, host, params->total * sizeof *host);
    return decoder->ops->error(decoder->ops);
}

/* ---- opening ---- */

static sb_status open_memory(sb_decoder *decoder)
{
    sb_ops *ops = decoder->ops;
    const size_t total = decoder->params->total;
    size_t noise_bytes;
    if (decoder->n_noise < total)
        return sb_fail(SB_E_USAGE,
                       "--noise-table %zu: the network has %zu weights, and mutations of all of them are cut "
                       "from the table; choose at least this number, better a hundred times more",
                       decoder->n_noise, total);
    if (!sb_size_multiply(decoder->n_noise, sizeof *decoder->noise, &noise_bytes)) noise_bytes = SB_SIZE_MAX;
    decoder->noise = ops->allocate(ops, noise_bytes);
    if (decoder->noise) decoder->start = ops->allocate(ops, total * sizeof *decoder->start);
    if (!decoder->noise || !decoder->start)
        return sb_fail(SB_E_MEMORY, "not enough memory for a table of %zu mutations: choose a smaller --noise-table",
                       decoder->n_noise);
    SB_TRY(set_start(decoder));
    return fill_table(decoder);
}

sb_status sb_decoder_open(sb_decoder *decoder, sb_ops *ops, const sb_params *params, size_t n_noise, double sigma)
{
    *decoder = (sb_decoder){.ops = ops, .params = params, .n_noise = n_noise, .sigma = sigma};
    const sb_status status = open_memory(decoder);
    if (status != SB_OK) sb_decoder_close(decoder);
    return status;
}

void sb_decoder_close(sb_decoder *decoder)
{
    if (decoder->noise) decoder->ops->release(decoder->ops, decoder->noise);
    if (decoder->start) decoder->ops->release(decoder->ops, decoder->start);
    *decoder = (sb_decoder){0};
}

uint32_t sb_decoder_places(const sb_decoder *decoder)
{
    return (uint32_t)(decoder->n_noise - decoder->params->total + 1);
}

/* ---- weights ---- */

void sb_decoder_start(const sb_decoder *decoder, sb_ops *ops, uint32_t place, sb_real *to)
{
    for (int p = 0; p < decoder->params->n; p++) {
        const sb_param *param = &decoder->params->list[p];
        const size_t at = param->offset;
        ops->mutate(ops, param->n, decoder->scale[p], decoder->noise + place + at, decoder->start + at, to + at);
    }
}

void sb_decoder_mutate(const sb_decoder *decoder, sb_ops *ops, uint32_t place, const sb_real *from, sb_real *to)
{
    ops->mutate(ops, decoder->params->total, decoder->sigma, decoder->noise + place, from, to);
}

void sb_decoder_rebuild(const sb_decoder *decoder, const sb_genome *genome, sb_real *to)
{
    assert(genome->n > 0);
#pragma omp parallel num_threads(sb_backend_threads(decoder->ops))
    {
        sb_decoder_start(decoder, decoder->ops, genome->place[0], to);
        for (size_t i = 1; i < genome->n; i++) sb_decoder_mutate(decoder, decoder->ops, genome->place[i], to, to);
    }
}
