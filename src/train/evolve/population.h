/* A population of genomes and its generations: Deep GA, or random search. Only the parents of the next generation and
 * the elite keep genome and weights; the weights of any other individual exist while its loss is computed.
 *
 *     SB_TRY(sb_population_open(&p, ops, &net->params, &plan));
 *     for (;;) {
 *         SB_TRY(sb_population_judge(&p, nets, n_nets, &window));       losses, and their order
 *         SB_TRY(sb_population_advance(&p, 0));                         the best one becomes the elite
 *     }
 *     sb_population_close(&p);
 *
 * Generation 0: N genomes of one place. Generation g > 0 of Deep GA: individual 0 is the elite, unchanged; individual i
 * has a parent, one of the `truncation` best of generation g - 1, and one more mutation. Of random search: again N
 * genomes of one place. Individual i of generation g is drawn from words(seed, stream 16 2^20 + g, i): word 0 the
 * parent's rank, word 1 the place. docs/specification.md, section 11.
 */
#pragma once

#include "core/hash.h"
#include "net/net.h"
#include "rank/ranks.h"
#include "train/evolve/genome.h"

enum { SB_GENERATIONS_MOST = 1 << 20 }; /* distance between the streams of random numbers */

typedef struct sb_population_plan {
    long n, truncation; /* individuals; parents, 0: random search */
    double sigma;
    size_t n_noise;
    uint64_t seed;
    sb_ranks *ranks; /* ranks that divide the individuals of a generation among them; NULL: one process */
} sb_population_plan;

typedef struct sb_individual {
    double loss;    /* mean cross-entropy; NaN sorts after every number */
    double correct; /* correctly classified images */
    int64_t number; /* in its generation */
    int64_t parent; /* in the generation before; -1: none, as of a first genome and of the elite */
    int64_t place;  /* the last place of its genome; -1: the individual is the elite */
} sb_individual;

typedef struct sb_found { /* result of an individual, from the rank that evaluated it */
    double loss, correct;
} sb_found;

/* A genome and its weights. */
typedef struct sb_lineage {
    sb_genome genome;
    int64_t number;  /* in the generation that it was chosen in */
    sb_real *weight; /* device: [params->total] */
} sb_lineage;

typedef struct sb_population {
    sb_population_plan plan;
    sb_ops *ops;
    sb_decoder decoder;
    long generation;       /* the one to be judged next, from 0 */
    sb_individual *ranked; /* [n] of the generation judged last, the best first */
    sb_lineage *parent;    /* [truncation] by rank, of the generation judged last; none before generation 0 */
    sb_lineage *next;      /* [truncation], memory for the next parents */
    sb_lineage elite;      /* its genome is empty before generation 0 */
    double elite_loss, elite_correct; /* when it became the elite */
    sb_real *memory;                  /* of all weights */
    sb_found *found;                  /* [n], results that ranks exchange */
} sb_population;

/* ops and params stay the caller's and must outlive it. SB_E_USAGE: fewer individuals than parents, or the table is
 * smaller than the network. On failure nothing stays open. */
sb_status sb_population_open(sb_population *population, sb_ops *ops, const sb_params *params,
                             const sb_population_plan *plan);
void sb_population_close(sb_population *population); /* one of zeros, too */

/* Draw the generation, find the loss of each individual on the images of the window, and set `ranked`. nets: networks
 * with the same parameters, one for each thread, whose weights are overwritten and whose backends see the memory of the
 * population's backend. A single net may have a backend of several threads. All ranks call this with the same window;
 * each judges its slice of the individuals and sends losses and counts to all. If one rank fails, all ranks return a
 * failure. SB_E_INTERRUPTED: a signal arrived, on all ranks; the generation was not judged. */
sb_status sb_population_judge(sb_population *population, sb_net *const *nets, int n_nets, const sb_window *window);

/* Write the weights of the individual with that rank in the generation judged last. */
void sb_population_weights(const sb_population *population, long rank, sb_real *to);

/* Make the best individuals the parents of the next generation, and the individual of that rank the elite; -1: the
 * elite stays. */
sb_status sb_population_advance(sb_population *population, long elite_rank);

/* The loss of the last individual that was chosen as a parent, and of the first that was not; NaN where there is
 * none. */
double sb_population_chosen(const sb_population *population);
double sb_population_refused(const sb_population *population);

/* Hash of everything that the next generation depends on: the genomes of the parents in their order, and the
 * elite's. */
sb_status sb_population_hash(const sb_population *population, sb_hash *hash);

/* Rebuild the weights from genomes and numbers that were read from a file. */
void sb_population_rebuild(sb_population *population);

/* By all ranks: copy generation, genomes and numbers from rank 0 to the other ranks, which rebuild the weights. */
sb_status sb_population_share(sb_population *population);
