/* The tables of a run file that get rows while it trains: each declared once, for the struct of a row, the data sets
 * and what is written about them.
 *
 *     LIST(group, row, dim, COLUMNS)      /GROUP/KEY [dim] for each of the COLUMNS; `row` is the struct
 *     COUNT(key, unit, words, ...)        a column of whole numbers, int64; after it what COLUMNS was handed
 *     REAL(key, unit, words, ...)         a column of real ones, float64
 *
 * A file has a table if it has rows of it; an older program's file may lack columns, which are then 0.
 */
#pragma once

#include <stdint.h>

#define SB_RUN_LISTS(LIST)                                                                                             \
    LIST(input, sb_run_input, "e", SB_RUN_INPUTS)                                                                      \
    LIST(trust, sb_run_trust, "p", SB_RUN_TRUSTS)                                                                      \
    LIST(exchange, sb_run_exchange, "r", SB_RUN_EXCHANGES)                                                             \
    LIST(validation, sb_run_validation, "v", SB_RUN_VALIDATIONS)                                                       \
    LIST(evolution, sb_run_generation, "n", SB_RUN_GENERATIONS)

/* Costs of the input: a row for each epoch and session in which it was trained. */
#define SB_RUN_INPUTS(COUNT, REAL, ...)                                                                                \
    COUNT(epoch, "1", "epoch, from 0", __VA_ARGS__)                                                                    \
    COUNT(updates, "1", "updates of the epoch in this sitting", __VA_ARGS__)                                           \
    COUNT(bytes, "byte", "bytes of their batches", __VA_ARGS__)                                                        \
    COUNT(queue_least, "1", "fewest batches that were ready when one was taken", __VA_ARGS__)                          \
    REAL(queue_mean, "1", "batches that were ready when one was taken, mean", __VA_ARGS__)                             \
    REAL(queue_later, "1", "the same without the first 50 batches of the sitting; 0: there were no more", __VA_ARGS__) \
    REAL(wait, "s", "waited for batches, or spent on making them in the thread that learns", __VA_ARGS__)              \
    REAL(wait_workers, "s", "waited by all workers for room in the queue", __VA_ARGS__)                                \
    REAL(copy, "s", "spent on copying what a device works on to it; 0 where a CPU computes", __VA_ARGS__)

/* Of layer-wise optimizers: a row for each epoch and tensor, of the epoch's last update. */
#define SB_RUN_TRUSTS(COUNT, REAL, ...)                                                                                \
    COUNT(epoch, "1", "epoch, from 0", __VA_ARGS__)                                                                    \
    COUNT(tensor, "1", "number of the tensor in the list of parameters, from 0", __VA_ARGS__)                          \
    REAL(weight_norm, "1", "norm of the weights before the update", __VA_ARGS__)                                       \
    REAL(direction_norm, "1", "norm of what the rule divides by: of lars the gradient, of lamb its direction",         \
         __VA_ARGS__)                                                                                                  \
    REAL(ratio, "1", "by which the learning rate of the tensor was multiplied", __VA_ARGS__)

/* Costs of exchanges between ranks: a row for each epoch and session in which several ranks trained. */
#define SB_RUN_EXCHANGES(COUNT, REAL, ...)                                                                             \
    COUNT(epoch, "1", "epoch, from 0", __VA_ARGS__)                                                                    \
    COUNT(updates, "1", "updates of the epoch in this sitting", __VA_ARGS__)                                           \
    COUNT(ranks, "1", "ranks that trained", __VA_ARGS__)                                                               \
    COUNT(exchanges, "1", "exchanges between them", __VA_ARGS__)                                                       \
    COUNT(bytes, "byte", "bytes that a rank had to hand over", __VA_ARGS__)                                            \
    REAL(seconds, "s", "time of rank 0's exchanges, with adding and waiting for slower ranks", __VA_ARGS__)            \
    REAL(waited, "s", "time in which rank 0's learning stood still for them", __VA_ARGS__)

/* A row for each time that a network that classifies was compared with images that it does not learn from. */
#define SB_RUN_VALIDATIONS(COUNT, REAL, ...)                                                                           \
    COUNT(epoch, "1", "epochs learned from so far", __VA_ARGS__)                                                       \
    COUNT(update, "1", "updates so far", __VA_ARGS__)                                                                  \
    COUNT(correct, "1", "right images", __VA_ARGS__)                                                                   \
    COUNT(correct_flipped, "1", "right images with their mirror images; 0 where those are not looked at", __VA_ARGS__) \
    REAL(loss, "1", "mean cross-entropy with the label smoothing of training", __VA_ARGS__)                            \
    REAL(cross_entropy, "1", "mean cross-entropy", __VA_ARGS__)                                                        \
    REAL(train_loss, "1", "mean loss of the updates since the row before", __VA_ARGS__)                                \
    REAL(seconds, "s", "clock of training so far, without validations", __VA_ARGS__)

/* A row for each generation, which is an update, of a run that searched without gradients. Next to them are
 * individual, parent and place [generations][parents], of the individuals chosen as parents, by rank: number, the
 * parent's number in the generation before (-1: none) and last place in the table (-1: the elite, unchanged); genome
 * [1 + parents][longest], of the elite and of the parents chosen last (-1: after its end); and elite_result [2], loss
 * and right images of the elite when it became that. */
#define SB_RUN_GENERATIONS(COUNT, REAL, ...)                                                                           \
    COUNT(elite, "1", "individual that became the elite; -1: the old one stayed", __VA_ARGS__)                         \
    REAL(best, "1", "least mean cross-entropy of an individual", __VA_ARGS__)                                          \
    REAL(median, "1", "median of the individuals", __VA_ARGS__)                                                        \
    REAL(worst, "1", "largest of the individuals", __VA_ARGS__)                                                        \
    REAL(chosen, "1", "of the last individual that became a parent", __VA_ARGS__)                                      \
    REAL(refused, "1", "of the first individual that did not", __VA_ARGS__)                                            \
    REAL(gap, "1", "by how much the two differ", __VA_ARGS__)

/* sb_run_input, ...: a field of eight bytes for each column. */
#define SB_RUN_COUNT_FIELD(key, ...) int64_t key;
#define SB_RUN_REAL_FIELD(key, ...)  double key;
#define SB_RUN_ROW(group, row, dim, COLUMNS)                                                                           \
    typedef struct row {                                                                                               \
        COLUMNS(SB_RUN_COUNT_FIELD, SB_RUN_REAL_FIELD, )                                                               \
    } row;
SB_RUN_LISTS(SB_RUN_ROW)
#undef SB_RUN_ROW

/* SB_RUN_LIST_input, ... */
typedef enum sb_run_list_id {
#define SB_RUN_LIST_ID(group, ...) SB_RUN_LIST_##group,
    SB_RUN_LISTS(SB_RUN_LIST_ID)
#undef SB_RUN_LIST_ID
        SB_N_RUN_LISTS,
} sb_run_list_id;
