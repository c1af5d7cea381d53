/* A training that searches without gradients, generation by generation: a population (train/evolve/population.h), the
 * networks that judge it, and what a run file keeps of it. An update of the run is a generation; behind it the
 * learner's network is the elite.
 *
 *     SB_TRY(sb_evolution_open(&evolution, setup, &lists));          NULL: the settings learn by gradients
 *     SB_TRY(sb_loader_batch(loader, sb_evolution_batch(evolution, update), 0, 1, &batch));
 *     SB_TRY(sb_evolution_update(evolution, &batch, &result));
 *     sb_evolution_close(evolution);
 */
#ifndef SB_TRAIN_EVOLVE_H
#define SB_TRAIN_EVOLVE_H

#include "data/shards.h"
#include "io/h5/h5.h"
#include "io/run/run_table.h"
#include "train/setup.h"

typedef struct sb_evolution sb_evolution;

/* Do these settings search without gradients? */
bool sb_evolution_is_wanted(const sb_settings *settings);

/* Setup and lists stay the caller's and must outlive it; each generation adds its row to the lists. On a CPU's native
 * backend each thread has a network of its own, and judges individuals alone; elsewhere all judge one after the other.
 * Ranks share the individuals, and each has the whole batch. SB_E_USAGE: the network does not classify, there are more
 * parents than individuals, fewer numbers in the table than weights, what is fresh needs images held out, or ranks have
 * a device. On failure nothing stays open, and *evolution is NULL. */
sb_status sb_evolution_open(sb_evolution **evolution, sb_setup *setup, sb_run_lists *lists);
void sb_evolution_close(sb_evolution *evolution); /* NULL is fine */

/* The batch of the training order, 1, 2, ..., on which update number `update` judges. */
long sb_evolution_batch(const sb_evolution *evolution, long update);
bool sb_evolution_has_one_batch(const sb_evolution *evolution);

/* Images that the individuals of one generation see, all together. */
int64_t sb_evolution_images(const sb_evolution *evolution);

/* One generation. The losses are that of its best individual; of random search with one batch that of the best so
 * far. A failure, SB_E_INTERRUPTED among them, leaves the elite as it was. */
sb_status sb_evolution_update(sb_evolution *evolution, const sb_batch *batch, sb_step_result *result);

/* Of the chain's link, in place of the gradient: the genomes that the next generation comes from. */
sb_status sb_evolution_link(const sb_evolution *evolution, sb_link *link);

/* What /evolution of a run file has beside the rows, which were read before, or are written by themselves. Reading
 * also rebuilds the weights from their genomes; SB_E_INTEGRITY where these are not the ones that the learner's
 * network has, or what is there makes no sense. */
sb_status sb_evolution_write(const sb_evolution *evolution, sb_h5 *file);
sb_status sb_evolution_read(sb_evolution *evolution, sb_h5 *file);

/* By all ranks, whose learners' networks have the weights of rank 0: where it stands, to the others. SB_E_INTEGRITY:
 * the genome of the elite gives other weights there. The rows of the generations before are rank 0's alone. */
sb_status sb_evolution_share(sb_evolution *evolution);

#endif
