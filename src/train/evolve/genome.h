/* Genomes, and the weights that they stand for. A genome is a list of places in a table of normal numbers: the first is
 * where the start weights are cut from the table, each further one a mutation.
 *
 *     w_0[j] = fma(scale_j, T[o_0 + j], start_j)        T[i] = normal(123, stream 17 2^20, i), rounded to float once
 *     w_i[j] = fma(sigma, T[o_i + j], w_{i-1}[j])
 *
 * All parameters of a network in the order of its list take P places. scale is 1/sqrt(fan_in) for weights, a tenth of
 * that for those of the last layer, 0 for all else, which starts at its value in the list: biases and shifts at 0, the
 * scales of batch norm at 1. One rounding an element and no sum: the weights have the same bits on every device, and
 * rebuilt from their genome they are the live ones. Such et al., arXiv 1712.06567; docs/specification.md, section 11.
 *
 *     sb_decoder decoder;
 *     SB_TRY(sb_decoder_open(&decoder, ops, &net->params, 1 << 26, 0.002));
 *     sb_decoder_rebuild(&decoder, &genome, net->weight);
 *     sb_decoder_close(&decoder);
 */
#ifndef SB_TRAIN_GENOME_H
#define SB_TRAIN_GENOME_H

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

/* How many places there are to cut the weights of a network from. */
uint32_t sb_decoder_places(const sb_decoder *decoder);

/* By a team: weights [params->total] of a genome of one place, and of a genome with one place more. ops may be
 * another backend's that sees the same memory; to may be from. */
void sb_decoder_start(const sb_decoder *decoder, sb_ops *ops, uint32_t place, sb_real *to);
void sb_decoder_mutate(const sb_decoder *decoder, sb_ops *ops, uint32_t place, const sb_real *from, sb_real *to);

/* All of a genome's weights; starts and ends the team of threads itself. A genome has one place at least. */
void sb_decoder_rebuild(const sb_decoder *decoder, const sb_genome *genome, sb_real *to);

#endif
