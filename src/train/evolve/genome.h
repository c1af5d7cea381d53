/* Genomes, and the weights that they encode. A genome is a list of places in a table of normal random numbers. The
 * initial weights are copied from the first place; each further place is a mutation.
 *
 *     w_0[j] = fma(scale_j, T[o_0 + j], start_j)        T[i] = normal(123, stream 17 2^20, i), rounded to float once
 *     w_i[j] = fma(sigma, T[o_i + j], w_{i-1}[j])
 *
 * j counts all parameters of a network in the order of its list. scale is 1/sqrt(fan_in) for weights, a tenth of that
 * for the weights of the last layer, and 0 for all other parameters, which start at their value in the list: biases and
 * shifts at 0, the scales of batch norm at 1. Each element takes one rounding and no sum, so the weights have the same
 * bits on every device. Weights rebuilt from their genome have the same bits, too. Such et al., arXiv 1712.06567;
 * docs/specification.md, section 11.
 *
 *     sb_decoder decoder;
 *     SB_TRY(sb_decoder_open(&decoder, ops, &net->params, 1 << 26, 0.002));
 *     sb_decoder_rebuild(&decoder, &genome, net->weight);
 *     sb_decoder_close(&decoder);
 */
#pragma once

#include "net/params.h"
#include "ops/ops.h"

typedef struct sb_genome { /* {0} is empty */
    size_t n, capacity;
    uint32_t *place; /* [n], in the table */
} sb_genome;

/* SB_E_MEMORY leaves the genome as it was. */
sb_status sb_genome_add(sb_genome *genome, uint32_t place);
sb_status sb_genome_copy(sb_genome *to, const sb_genome *from);
void sb_genome_free(sb_genome *genome); /* {0} again */

typedef struct sb_decoder {
    sb_ops *ops;
    const sb_params *params;
    size_t n_noise;
    double sigma;
    sb_real *noise, *start; /* device: [n_noise], [params->total] */
    double scale[SB_PARAMS_MAX];
} sb_decoder;

/* The table is filled by as many threads as the backend has, with the same bits for any number of them. ops and params
 * stay the caller's and must outlive it. SB_E_USAGE: the table is smaller than the network. On failure nothing stays
 * open. */
sb_status sb_decoder_open(sb_decoder *decoder, sb_ops *ops, const sb_params *params, size_t n_noise, double sigma);
void sb_decoder_close(sb_decoder *decoder); /* one of zeros, too */

/* Number of places in the table from which all weights of the network can be read. */
uint32_t sb_decoder_places(const sb_decoder *decoder);

/* By a team: start writes the weights [params->total] of a genome of one place; mutate writes the weights of a genome
 * with one more place than the genome of `from`. ops may be another backend that sees the same memory; `to` may be
 * `from`. */
void sb_decoder_start(const sb_decoder *decoder, sb_ops *ops, uint32_t place, sb_real *to);
void sb_decoder_mutate(const sb_decoder *decoder, sb_ops *ops, uint32_t place, const sb_real *from, sb_real *to);

/* Write all weights of a genome, which has at least one place. Starts and ends the team of threads itself. */
void sb_decoder_rebuild(const sb_decoder *decoder, const sb_genome *genome, sb_real *to);
