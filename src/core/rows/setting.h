/* The settings of a training run, declared once: the hyperparameters, what computes, how long, and what a matrix file
 * adds. From a row follow the field of sb_settings, the option with its check, default and help, the attribute in
 * /config of run files, the key of matrix files, the column of cells.csv, and what resume, replay, bisect, diff and
 * `why` hold against each other. To add a hyperparameter, add its row, and read its field where it acts.
 *
 *     GROUP(A, ID, key, option, KIND, words, fallback, min, max, of, without, role, bits, since, help)
 *
 * GROUP     LEARN: what is learned, and how. COMPUTE: what computes it. RUN: how long. CELL: only in a matrix file
 * A         handed through to the macro of the group
 * key       the field, the attribute, the matrix key and the column
 * KIND      NAME: letters, digits, '.', '_', '-'. CHOICE: one of the words. INT, REAL: a number in [min, max].
 *           LIST: whole numbers with commas. INTS: the same, and one alone is written as an INT is. REALS: such
 *           numbers. LAYERS: a network (core/rows/layer_text.h), a file of one or in one line
 * words     of a choice, separated by |; else what help shows for the value
 * fallback  the default; NULL: none; auto: the first of those that has it: the run's rung or one below it, the network's
 *           recipe for the run's optimizer and its row (rungs.h, models.h), and the row of the backend,
 *           optimizer or schedule, "weight_decay=0.01"; else what is in `without`
 * of        ANY run has it; NETWORK, BACKEND, ARITHMETIC, SEARCH, OPTIMIZER, SCHEDULE: those that list the key
 *           (models.h, backends.h, arithmetics.h, searches.h, optimizers.h, schedules.h)
 * without   what /config says of a run whose network, backend, ... does not have it, and the default where it is auto
 *           and no model has one
 * role      RECIPE: what is trained, equal for runs that are compared. SETTING: what computes. ARM: the treatment.
 *           REPLICATE: one more run of the same. LABEL: neither changes anything. LENGTH: where it ends
 * bits      ALWAYS: another value gives other bits. LIBRARY: only where a library sums. STOPPING: only where training
 *           stops early. NEVER: it does not, or the attribute `kernel` says what became of it
 * since     schema of the run file that has it first. In an older file its absence means the default
 */
#pragma once

#include "core/command/options.h"
#include "core/rows/activations.h"
#include "core/rows/arithmetics.h"
#include "core/rows/backends.h"
#include "core/rows/cudnn_choices.h"
#include "core/rows/images.h"
#include "core/rows/isas.h"
#include "core/rows/layer_text.h"
#include "core/rows/made_text.h"
#include "core/rows/models.h"
#include "core/rows/optimizers.h"
#include "core/rows/rungs.h"
#include "core/rows/schedules.h"
#include "core/rows/searches.h"

#include <string.h>

/* clang-format off */
#define SB_SETTINGS(A, CELL, LEARN, COMPUTE, RUN)                                                                      \
    CELL(A, STUDY, study, NULL, NAME,                                                                                  \
        "NAME", NULL, 0, 0, ANY, "", LABEL, NEVER, 1, "study of the matrix file")                                      \
    LEARN(A, MODEL, model, "--model", CHOICE,                                                                          \
        SB_MODEL_WORDS, "prednet", 0, 0, ANY, "", RECIPE, ALWAYS, 1, "network to train")                               \
    CELL(A, DATA, data, NULL, NAME,                                                                                    \
        "NAME", NULL, 0, 0, ANY, "", RECIPE, ALWAYS, 1, "data set of the matrix file")                                 \
    COMPUTE(A, BACKEND, backend, "--backend", CHOICE,                                                                  \
        SB_BACKEND_WORDS, "native", 0, 0, ANY, "", SETTING, ALWAYS, 1, "what computes; 'samebits info' lists them")    \
    COMPUTE(A, ARITHMETIC, arithmetic, "--arithmetic", CHOICE,                                                         \
        SB_ARITHMETIC_WORDS, "winograd", 0, 0, BACKEND, "blas", SETTING, ALWAYS, 1,                                    \
        "how native and native-cuda convolve; native alone has winograd-flush and imitate-*")                          \
    COMPUTE(A, ISA, isa, "--isa", CHOICE,                                                                              \
        "auto" SB_ISA_WORDS, "auto", 0, 0, BACKEND, "", SETTING, NEVER, 2, "instruction set of native")                \
    CELL(A, HARDWARE, hardware, NULL, NAME,                                                                            \
        "NAME", NULL, 0, 0, ANY, "", SETTING, NEVER, 1, "row of hardware.yaml")                                        \
    COMPUTE(A, BLAS_KERNEL, blas_kernel, "--blas-kernel", NAME,                                                        \
        "NAME", "auto", 0, 0, BACKEND, "", SETTING, NEVER, 2, "OpenBLAS kernel type: Haswell, Zen, SkylakeX, ...")     \
    COMPUTE(A, CUDNN_ALGORITHM, cudnn_algorithm, "--cudnn-algorithm", CHOICE,                                          \
        SB_CUDNN_CHOICE_WORDS, "deterministic", 0, 0, BACKEND, "", SETTING, NEVER, 2,                                  \
        "how cudnn chooses algorithms; heuristic: as the library of the study; graph-*: with the graph API")           \
    COMPUTE(A, CUDNN_VERSION, cudnn_version, "--cudnn-version", NAME,                                                  \
        "VERSION", "any", 0, 0, BACKEND, "", SETTING, NEVER, 2, "cudnn: require this version, such as 8.9 or 8.9.6")   \
    COMPUTE(A, TF32, tf32, "--tf32", CHOICE,                                                                           \
        "off|on", "off", 0, 0, BACKEND, "", SETTING, NEVER, 2,                                                         \
        "cublas, cudnn: allow products of numbers rounded to TF32")                                                    \
    COMPUTE(A, THREADS, threads, "--threads", INT,                                                                     \
        "N", "1", 1, 256, ANY, "", SETTING, LIBRARY, 1, "number of threads")                                           \
    COMPUTE(A, RANKS, ranks, "--ranks", INT,                                                                           \
        "N", "1", 1, 16, ANY, "", SETTING, NEVER, 2,                                                                   \
        "train: number of processes that share the shards; start them with 'mpiexec -n N'")                            \
    COMPUTE(A, REDUCE, reduce, "--reduce", CHOICE,                                                                     \
        "ordered|fast", "ordered", 0, 0, ANY, "", SETTING, ALWAYS, 2,                                                  \
        "how ranks add gradients; ordered: with the bits of one process; fast: as MPI or NCCL does")                   \
    RUN(A, UPDATES, updates, "--updates", INT,                                                                         \
        "N", "auto", 1, 1e9, ANY, "0", LENGTH, NEVER, 1, "updates to train; default: as many as --epochs makes")       \
    RUN(A, EPOCHS, epochs, "--epochs", INT,                                                                            \
        "N", "auto", 1, 1e6, ANY, "1", LENGTH, NEVER, 1, "passes over the data")                                       \
    LEARN(A, BATCH, batch, "--batch", INT,                                                                             \
        "N", "auto", 1, 65536, NETWORK, "1", RECIPE, ALWAYS, 1,                                                        \
        "images of an update; prednet: number of sequences trained side by side")                                      \
    LEARN(A, SHARDS, shards, "--shards", INT,                                                                          \
        "N", "1", 1, 16, ANY, "", RECIPE, ALWAYS, 2,                                                                   \
        "parts of a batch: 1, 2, 4, 8 or 16; the gradients of the parts are added in a fixed order")                   \
    LEARN(A, SYNC_EVERY, sync_every, "--sync-every", INT,                                                              \
        "H", "0", 0, 65536, NETWORK, "0", RECIPE, ALWAYS, 2,                                                           \
        "local SGD: updates of each shard between two averages of the weights; 0: no local SGD")                       \
    LEARN(A, WINDOW, window, "--window", INT,                                                                          \
        "N", "20", 1, 250, NETWORK, "0", RECIPE, ALWAYS, 1, "prednet: frames of a window")                             \
    LEARN(A, CHANNELS, channels, "--channels", LIST,                                                                   \
        "N,N,...", "3,48,96,192", 1, 4096, NETWORK, "", RECIPE, ALWAYS, 1, "prednet: channels of its layers")          \
    LEARN(A, HIDDEN, hidden, "--hidden", INTS,                                                                         \
        "N,N,...", "64", 1, 65536, NETWORK, "0", RECIPE, ALWAYS, 1, "autoencoder: units of the layers of its encoder") \
    LEARN(A, HIDDEN_ACTIVATION, hidden_activation, "--hidden-activation", CHOICE,                                      \
        SB_ACTIVATION_WORDS, "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2,                                             \
        "autoencoder: activation of the hidden units")                                                                 \
    LEARN(A, OUTPUT_ACTIVATION, output_activation, "--output-activation", CHOICE,                                      \
        SB_ACTIVATION_WORDS, "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2, "autoencoder: activation of the outputs")   \
    LEARN(A, HOLD_OUT, hold_out, "--hold-out", INT,                                                                    \
        "N", "0", 0, 1e6, NETWORK, "0", RECIPE, ALWAYS, 2, "training images to set aside for validation")              \
    LEARN(A, NORMALISE, normalise, "--normalise", CHOICE,                                                              \
        SB_NORMAL_WORDS, "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2, "how bytes of images become numbers")           \
    LEARN(A, AUGMENT_FORM, augment_form, "--augment-form", CHOICE,                                                     \
        SB_AUGMENT_WORDS, "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2,                                                \
        "choose crop, flip and cutout for each image, or once for a group of images")                                  \
    LEARN(A, CROP, crop, "--crop", INT,                                                                                \
        "PIXELS", "auto", 0, 64, NETWORK, "0", RECIPE, ALWAYS, 2, "shift each image by up to this many pixels")        \
    LEARN(A, FLIP, flip, "--flip", CHOICE,                                                                             \
        "off|on", "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2, "mirror half of the images")                           \
    LEARN(A, CUTOUT, cutout, "--cutout", INT,                                                                          \
        "PIXELS", "auto", 0, 1024, NETWORK, "0", RECIPE, ALWAYS, 2,                                                    \
        "side of a square in each image that is set to the mean color")                                                \
    LEARN(A, BRIGHTNESS, brightness, "--brightness", REAL,                                                             \
        "R", "0", 0, 10, NETWORK, "0", RECIPE, ALWAYS, 2, "add a random number from (-R, R) to each image")            \
    LEARN(A, CONTRAST, contrast, "--contrast", REAL,                                                                   \
        "R", "0", 0, 1, NETWORK, "0", RECIPE, ALWAYS, 2, "multiply each image by a random number from (1 - R, 1 + R)") \
    LEARN(A, NOISE, noise, "--noise", REAL,                                                                            \
        "SD", "0", 0, 10, NETWORK, "0", RECIPE, ALWAYS, 2, "standard deviation of noise added to each image")          \
    LEARN(A, RUNG, rung, "--rung", CHOICE,                                                                             \
        SB_RUNG_WORDS, "9", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2,                                                      \
        "resnet9: use the settings of this step of the published recipe")                                              \
    LEARN(A, WIDTHS, widths, "--widths", LIST,                                                                         \
        "N,N,...", "auto", 1, 4096, NETWORK, "", RECIPE, ALWAYS, 2, "channels or units of the layers of the network")  \
    LEARN(A, LAYERS, layers, "--layers", LAYERS,                                                                       \
        "FILE.layers", NULL, 0, 0, NETWORK, "", RECIPE, ALWAYS, 2, "layers: file that describes your own network")     \
    LEARN(A, POOL_AT, pool_at, "--pool-at", CHOICE,                                                                    \
        "before|after", "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2, "resnet9: pool before or after batch norm")      \
    LEARN(A, ACTIVATION, activation, "--activation", CHOICE,                                                           \
        SB_ACTIVATION_WORDS, "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2,                                             \
        "resnet9: activation after each batch norm; gpt: between the dense layers of a block")                         \
    LEARN(A, ALPHA, alpha, "--alpha", REAL,                                                                            \
        "A", "auto", 1e-3, 10, NETWORK, "0", RECIPE, ALWAYS, 2, "resnet9: alpha of the activation celu")               \
    LEARN(A, GROUPS, groups, "--groups", INT,                                                                          \
        "N", "auto", 1, 4096, NETWORK, "0", RECIPE, ALWAYS, 2,                                                         \
        "resnet9: parts of a batch; batch norm normalises each part by itself")                                        \
    LEARN(A, NORM_SCALE, norm_scale, "--norm-scale", CHOICE,                                                           \
        "learned|frozen", "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2,                                                \
        "resnet9: scale of batch norm; frozen: always 1")                                                              \
    LEARN(A, LOGIT_SCALE, logit_scale, "--logit-scale", REAL,                                                          \
        "F", "auto", 1e-6, 1e6, NETWORK, "0", RECIPE, ALWAYS, 2, "resnet9: factor of the logits")                      \
    LEARN(A, WHITEN, whiten, "--whiten", CHOICE,                                                                       \
        "off|on", "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2,                                                        \
        "resnet9: begin with a fixed convolution that whitens the images")                                             \
    LEARN(A, BLOCKS, blocks, "--blocks", INT,                                                                          \
        "N", "6", 1, 12, NETWORK, "0", RECIPE, ALWAYS, 2, "gpt: blocks of attention and dense layers")                 \
    LEARN(A, HEADS, heads, "--heads", INT,                                                                             \
        "N", "6", 1, 4096, NETWORK, "0", RECIPE, ALWAYS, 2, "gpt: heads of attention; their number divides the width") \
    LEARN(A, WIDTH, width, "--width", INT,                                                                             \
        "N", "384", 1, 1024, NETWORK, "0", RECIPE, ALWAYS, 2, "gpt: numbers of the representation of a token")         \
    LEARN(A, CONTEXT, context, "--context", INT,                                                                       \
        "TOKENS", "256", 1, 4096, NETWORK, "0", RECIPE, ALWAYS, 2, "gpt: tokens of a window")                          \
    LEARN(A, DROPOUT, dropout, "--dropout", REAL,                                                                      \
        "SHARE", "0", 0, 0.99, NETWORK, "0", RECIPE, ALWAYS, 2,                                                        \
        "gpt: probability of dropout after the embedding and before each sum")                                         \
    LEARN(A, TIED, tied, "--tied", CHOICE,                                                                             \
        "off|on", "on", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2, "gpt: the logits have the weights of the embedding")     \
    LEARN(A, SMOOTHING, smoothing, "--smoothing", REAL,                                                                \
        "SHARE", "auto", 0, 0.999, NETWORK, "0", RECIPE, ALWAYS, 2,                                                    \
        "label smoothing: probability mass spread over all classes")                                                   \
    LEARN(A, EMA_MOMENTUM, ema_momentum, "--ema-momentum", REAL,                                                       \
        "SHARE", "auto", 0, 0.999999, NETWORK, "0", RECIPE, ALWAYS, 2,                                                 \
        "decay rate of the running average of all weights; 0: no average")                                             \
    LEARN(A, EMA_EVERY, ema_every, "--ema-every", INT,                                                                 \
        "N", "5", 1, 1e6, NETWORK, "0", RECIPE, ALWAYS, 2, "updates between two steps of the running average")         \
    LEARN(A, TEST_FLIP, test_flip, "--test-flip", CHOICE,                                                              \
        "off|on", "auto", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2,                                                        \
        "evaluate the mean over each image and its mirror image")                                                      \
    LEARN(A, VALIDATE_EVERY, validate_every, "--validate-every", INT,                                                  \
        "EPOCHS", "0", 0, 1e6, NETWORK, "0", RECIPE, STOPPING, 2,                                                      \
        "epochs between evaluations on held-out images (without them test images); 0: only at the end")                \
    LEARN(A, EARLY_STOP, early_stop, "--early-stop", CHOICE,                                                           \
        "off|on", "off", 0, 0, NETWORK, "", RECIPE, ALWAYS, 2,                                                         \
        "stop when held-out images get worse, and keep the best weights")                                              \
    LEARN(A, PATIENCE, patience, "--patience", INT,                                                                    \
        "N", "5", 1, 1e6, NETWORK, "0", RECIPE, STOPPING, 2, "evaluations without improvement before training stops")  \
    LEARN(A, MIN_DELTA, min_delta, "--min-delta", REAL,                                                                \
        "L", "0", 0, 100, NETWORK, "0", RECIPE, STOPPING, 2,                                                           \
        "an evaluation is an improvement if its cross-entropy is lower by more than this")                             \
    LEARN(A, LR_BY_KIND, lr_by_kind, "--lr-by-kind", REALS,                                                            \
        "F,F,F,F", "auto", 0, 1e6, NETWORK, "", RECIPE, ALWAYS, 2,                                                     \
        "factors of the learning rate for weights, scales, shifts and biases")                                         \
    LEARN(A, DECAY_BY_KIND, decay_by_kind, "--decay-by-kind", REALS,                                                   \
        "F,F,F,F", "auto", 0, 1e6, NETWORK, "", RECIPE, ALWAYS, 2,                                                     \
        "factors of --weight-decay for weights, scales, shifts and biases")                                            \
    LEARN(A, SEARCH, search, "--search", CHOICE,                                                                       \
        SB_SEARCH_WORDS, "auto", 0, 0, ANY, "gradient", RECIPE, ALWAYS, 2,                                             \
        "how weights are found; 'samebits evolve' uses deep-ga, all other verbs gradient")                             \
    LEARN(A, POPULATION, population, "--population", INT,                                                              \
        "N", "1000", 2, 1e6, SEARCH, "0", RECIPE, ALWAYS, 2, "evolve: individuals in a generation")                    \
    LEARN(A, TRUNCATION, truncation, "--truncation", INT,                                                              \
        "N", "20", 1, 1e6, SEARCH, "0", RECIPE, ALWAYS, 2, "deep-ga: number of best individuals that become parents")  \
    LEARN(A, SIGMA, sigma, "--sigma", REAL,                                                                            \
        "SD", "0.002", 1e-6, 10, SEARCH, "0", RECIPE, ALWAYS, 2, "deep-ga: standard deviation of a mutation")          \
    LEARN(A, ELITE, elite, "--elite", CHOICE,                                                                          \
        "fixed|fresh", "fixed", 0, 0, SEARCH, "", RECIPE, ALWAYS, 2,                                                   \
        "evolve: how the elite is chosen; fresh: from the ten best and the last elite, on held-out images")            \
    LEARN(A, FITNESS_BATCH, fitness_batch, "--fitness-batch", CHOICE,                                                  \
        "fixed|fresh", "fixed", 0, 0, SEARCH, "", RECIPE, ALWAYS, 2,                                                   \
        "evolve: batch that judges a generation; fixed: always the first; fresh: the next one")                        \
    LEARN(A, NOISE_TABLE, noise_table, "--noise-table", INT,                                                           \
        "N", "67108864", 1, 1e9, SEARCH, "0", RECIPE, ALWAYS, 2, "evolve: random numbers in the table of mutations")   \
    LEARN(A, OPTIMIZER, optimizer, "--optimizer", CHOICE,                                                              \
        SB_OPTIMIZER_WORDS, "auto", 0, 0, SEARCH, "none", RECIPE, ALWAYS, 2, "optimizer")                              \
    LEARN(A, MOMENTUM, momentum, "--momentum", REAL,                                                                   \
        "SHARE", "0.9", 0, 1, OPTIMIZER, "0", RECIPE, ALWAYS, 2, "decay rate of the velocity")                         \
    LEARN(A, WEIGHT_DECAY, weight_decay, "--weight-decay", REAL,                                                       \
        "RATE", "auto", 0, 1, OPTIMIZER, "0", RECIPE, ALWAYS, 2,                                                       \
        "weight decay: this times the weight is added to its gradient")                                                \
    LEARN(A, BETA1, beta1, "--beta1", REAL,                                                                            \
        "SHARE", "auto", 0, 0.999999, OPTIMIZER, "0", RECIPE, ALWAYS, 2,                                               \
        "decay rate of the running mean of the gradient")                                                              \
    LEARN(A, BETA2, beta2, "--beta2", REAL,                                                                            \
        "SHARE", "auto", 0, 0.999999, OPTIMIZER, "0", RECIPE, ALWAYS, 2,                                               \
        "decay rate of the running mean of the squared gradient")                                                      \
    LEARN(A, EPS, eps, "--eps", REAL,                                                                                  \
        "E", "auto", 0, 1, OPTIMIZER, "0", RECIPE, ALWAYS, 2, "added to the divisor of the optimizer")                 \
    LEARN(A, ETA, eta, "--eta", REAL,                                                                                  \
        "E", "auto", 1e-6, 10, OPTIMIZER, "0", RECIPE, ALWAYS, 2,                                                      \
        "factor of the ratio that adapts the learning rate of each tensor")                                            \
    LEARN(A, PHI, phi, "--phi", REALS,                                                                                 \
        "LEAST,MOST", NULL, 0, 1e6, OPTIMIZER, "", RECIPE, ALWAYS, 2,                                                  \
        "limits of the norm of the weights in that ratio")                                                             \
    LEARN(A, MAX_NORM, max_norm, "--max-norm", REAL,                                                                   \
        "N", "auto", 0, 1e6, OPTIMIZER, "0", RECIPE, ALWAYS, 2,                                                        \
        "clip the norm of all gradients to this; 0: no limit")                                                         \
    LEARN(A, LR, lr, "--lr", REAL,                                                                                     \
        "RATE", "auto", 0, 100, SEARCH, "0", RECIPE, ALWAYS, 1, "learning rate")                                       \
    LEARN(A, SCHEDULE, schedule, "--schedule", CHOICE,                                                                 \
        SB_SCHEDULE_WORDS, "auto", 0, 0, SEARCH, "constant", RECIPE, ALWAYS, 2, "schedule of the learning rate")       \
    LEARN(A, SCHEDULE_AT, schedule_at, "--schedule-at", CHOICE,                                                        \
        "end|begin", "end", 0, 0, SCHEDULE, "", RECIPE, ALWAYS, 2,                                                     \
        "time within an update that decides its learning rate")                                                        \
    LEARN(A, LR_KNOTS, lr_knots, "--lr-knots", REALS,                                                                  \
        "T,T,...", "auto", 0, 1e6, SCHEDULE, "", RECIPE, ALWAYS, 2, "piecewise: epochs of the points of the schedule") \
    LEARN(A, LR_SHARES, lr_shares, "--lr-shares", REALS,                                                               \
        "F,F,...", "auto", 0, 1, SCHEDULE, "", RECIPE, ALWAYS, 2,                                                      \
        "piecewise: learning rate at each point, as a share of --lr")                                                  \
    LEARN(A, LR_START, lr_start, "--lr-start", REAL,                                                                   \
        "RATE", "0", 0, 100, SCHEDULE, "0", RECIPE, ALWAYS, 2, "learning rate at the start of warm-up")                \
    LEARN(A, LR_END, lr_end, "--lr-end", REAL,                                                                         \
        "RATE", "0", 0, 100, SCHEDULE, "0", RECIPE, ALWAYS, 2,                                                         \
        "learning rate at the end of the schedule or of a cycle")                                                      \
    LEARN(A, LR_EPOCHS, lr_epochs, "--lr-epochs", REAL,                                                                \
        "N", "1", 0.01, 1e6, SCHEDULE, "0", RECIPE, ALWAYS, 2, "epochs of the schedule")                               \
    LEARN(A, LR_WARMUP, lr_warmup, "--lr-warmup", REAL,                                                                \
        "N", "0", 0, 1e6, SCHEDULE, "0", RECIPE, ALWAYS, 2, "epochs of warm-up")                                       \
    LEARN(A, LR_PERIOD, lr_period, "--lr-period", REAL,                                                                \
        "N", "1", 0.01, 1e6, SCHEDULE, "0", RECIPE, ALWAYS, 2, "epochs between steps, or of the first cycle")          \
    LEARN(A, LR_FACTOR, lr_factor, "--lr-factor", REAL,                                                                \
        "F", "0.1", 1e-6, 1, SCHEDULE, "0", RECIPE, ALWAYS, 2, "factor of the learning rate after each period")        \
    LEARN(A, LR_GROWTH, lr_growth, "--lr-growth", REAL,                                                                \
        "F", "1", 1, 1000, SCHEDULE, "0", RECIPE, ALWAYS, 2, "length of a cycle, as a multiple of the cycle before")   \
    LEARN(A, LR_POWER, lr_power, "--lr-power", INT,                                                                    \
        "N", "1", 1, 100, SCHEDULE, "0", RECIPE, ALWAYS, 2, "poly: power of the remaining share of the schedule")      \
    RUN(A, CHECKPOINT_EVERY, checkpoint_every, "--checkpoint-every", INT,                                              \
        "N", "0", 0, 1e9, ANY, "", LABEL, NEVER, 1, "updates between checkpoints; 0: about one a minute")              \
    LEARN(A, TARGET, target, "--target", CHOICE,                                                                       \
        "copy|shared", "copy", 0, 0, NETWORK, "copy", ARM, ALWAYS, 1,                                                  \
        "prednet: copy: each frame has its own target; shared: all frames of a window share one target buffer")        \
    COMPUTE(A, DRAW, draw, "--draw", INT,                                                                              \
        "N", "0", 0, 4294967295.0, ARITHMETIC, "0", REPLICATE, ALWAYS, 2,                                              \
        "imitate-atomics: number of the order of sums; the same number gives the same orders")                         \
    LEARN(A, ULP, ulp, "--ulp", INT,                                                                                   \
        "N", "0", 0, 1e9, ANY, "", REPLICATE, ALWAYS, 2,                                                               \
        "N > 0: increase one initial weight, chosen by N, by one unit in the last place")                              \
    LEARN(A, SEED, seed, "--seed", INT,                                                                                \
        "N", "1", 0, 4294967295.0, ANY, "", REPLICATE, ALWAYS, 1,                                                      \
        "seed of the initial weights and of the order of the data")
/* clang-format on */

#define SB_SETTING_NONE(...)

typedef enum sb_setting_id {
#define SB_SETTING_ID(A, ID, ...) SB_SETTING_##ID,
    SB_SETTINGS(, SB_SETTING_ID, SB_SETTING_ID, SB_SETTING_ID, SB_SETTING_ID)
#undef SB_SETTING_ID
        SB_N_SETTINGS,
} sb_setting_id;

/* ---- the fields ---- */

#define SB_SETTING_FIELD(A, ID, key, option, KIND, ...) SB_SETTING_C_##KIND key;
#define SB_SETTING_C_NAME                               const char *
#define SB_SETTING_C_CHOICE                             const char *
#define SB_SETTING_C_INT                                long
#define SB_SETTING_C_REAL                               double
#define SB_SETTING_C_LIST                               sb_list
#define SB_SETTING_C_INTS                               sb_list
#define SB_SETTING_C_REALS                              sb_reals
#define SB_SETTING_C_LAYERS                             const char *

/* What is computed, how, and on what. Texts belong to the code that filled it: a command line, a file that was read. */
typedef struct sb_settings {
    const char *data; /* path of the data set */
    SB_SETTINGS(, SB_SETTING_NONE, SB_SETTING_FIELD, SB_SETTING_FIELD, SB_SETTING_NONE)
    int winograd_channels; /* no option: golden checks lower it, so that their small networks meet winograd too */
    bool is_traced;        /* no option: operations are cut alike on every backend (backend/backend.h) */
    const sb_layer_text *layer_file; /* where `layers` was read, for sentences; NULL: from no file */
    bool typed[SB_N_SETTINGS];       /* on the command line (core/rows/typed.h) */
    long of_epochs; /* of --epochs: what default times of a schedule go by; 0: the epochs of the recipe */
} sb_settings;

/* How long to learn: the first fields of sb_run_options (train/run/run.h). */
#define SB_RUN_FIELDS SB_SETTINGS(, SB_SETTING_NONE, SB_SETTING_NONE, SB_SETTING_NONE, SB_SETTING_FIELD)

/* ---- the rows of option tables ---- */

/* What help says of a --data whose default is SB_MADE_TEXT. */
#define SB_DATA_DEFAULT "without one, for a network of text: the text of 'samebits-data synth text'"

/* For a verb whose struct has an sb_settings in the field `setup` and, for SB_OPTIONS_RUN, an sb_run_options in `run`.
 * A verb that takes the network and its weights from a file has no use for those that LEARN. */
#define SB_OPTIONS_DATA(type)                                                                                          \
    SB_OPTION_TEXT(type, setup.data, "--data", "FILE", SB_MADE_TEXT,                                                   \
                   "data set; 'samebits-data synth walk -o walk.h5' makes one; " SB_DATA_DEFAULT),
#define SB_OPTIONS_LEARN(type)   SB_SETTINGS(type, SB_SETTING_NONE, SB_SETTING_SETUP, SB_SETTING_NONE, SB_SETTING_NONE)
#define SB_OPTIONS_COMPUTE(type) SB_SETTINGS(type, SB_SETTING_NONE, SB_SETTING_NONE, SB_SETTING_SETUP, SB_SETTING_NONE)
#define SB_OPTIONS_RUN(type)     SB_SETTINGS(type, SB_SETTING_NONE, SB_SETTING_NONE, SB_SETTING_NONE, SB_SETTING_RUN)

#define SB_SETTING_SETUP(type, ID, key, option, KIND, words, fallback, min, max, of, without, role, bits, since, help) \
    {option,                                                                                                           \
     0,                                                                                                                \
     SB_SETTING_OPTION_##KIND,                                                                                         \
     offsetof(type, setup.key),                                                                                        \
     words,                                                                                                            \
     fallback,                                                                                                         \
     min,                                                                                                              \
     max,                                                                                                              \
     help,                                                                                                             \
     .typed = offsetof(type, setup.typed) + SB_SETTING_##ID},
#define SB_SETTING_RUN(type, ID, key, option, KIND, words, fallback, min, max, of, without, role, bits, since, help)   \
    {option, 0, SB_SETTING_OPTION_##KIND, offsetof(type, run.key), words, fallback, min, max, help},
#define SB_SETTING_OPTION_NAME   SB_KIND_TEXT
#define SB_SETTING_OPTION_CHOICE SB_KIND_CHOICE
#define SB_SETTING_OPTION_INT    SB_KIND_INT
#define SB_SETTING_OPTION_REAL   SB_KIND_REAL
#define SB_SETTING_OPTION_LIST   SB_KIND_LIST
#define SB_SETTING_OPTION_INTS   SB_KIND_LIST
#define SB_SETTING_OPTION_REALS  SB_KIND_REALS
#define SB_SETTING_OPTION_LAYERS SB_KIND_TEXT

/* ---- the table ---- */

typedef enum sb_setting_group { SB_GROUP_CELL, SB_GROUP_LEARN, SB_GROUP_COMPUTE, SB_GROUP_RUN } sb_setting_group;
typedef enum sb_setting_kind {
    SB_VALUE_NAME,
    SB_VALUE_CHOICE,
    SB_VALUE_INT,
    SB_VALUE_REAL,
    SB_VALUE_LIST,
    SB_VALUE_INTS,
    SB_VALUE_REALS,
    SB_VALUE_LAYERS,
} sb_setting_kind;
typedef enum sb_setting_of {
    SB_OF_ANY,
    SB_OF_NETWORK,
    SB_OF_BACKEND,
    SB_OF_ARITHMETIC,
    SB_OF_SEARCH,
    SB_OF_OPTIMIZER,
    SB_OF_SCHEDULE,
    SB_N_OF,
} sb_setting_of;
typedef enum sb_setting_role {
    SB_ROLE_RECIPE,
    SB_ROLE_SETTING,
    SB_ROLE_ARM,
    SB_ROLE_REPLICATE,
    SB_ROLE_LABEL,
    SB_ROLE_LENGTH,
} sb_setting_role;
typedef enum sb_setting_bits { SB_BITS_ALWAYS, SB_BITS_LIBRARY, SB_BITS_STOPPING, SB_BITS_NEVER } sb_setting_bits;

typedef struct sb_setting_row {
    const char *key, *option; /* option: NULL in the group CELL */
    sb_setting_group group;
    sb_setting_kind kind;
    const char *words, *fallback;
    double min, max;
    sb_setting_of of;
    const char *without;
    sb_setting_role role;
    sb_setting_bits bits;
    int since;
} sb_setting_row;

extern const sb_setting_row sb_settings_table[SB_N_SETTINGS];

/* The row of that key, SB_N_SETTINGS if there is none. */
sb_setting_id sb_setting_find(const char *key);

/* Which setting names a run's network, backend, arithmetic, search, optimizer or schedule. */
sb_setting_id sb_setting_chooser(sb_setting_of of);

/* Is there a network, backend, arithmetic, search, optimizer or schedule of that name, or does the name say that a
 * run has none ("blas")? */
bool sb_setting_knows(sb_setting_of of, const char *name);

/* The names of a run's network, backend, arithmetic, search, optimizer and schedule, and the rung of a network that
 * has them. */
typedef struct sb_setting_names {
    const char *of[SB_N_OF];
    const char *rung;
} sb_setting_names;

sb_setting_names sb_setting_names_of(const sb_settings *settings);

/* The same from texts, such as the factors of a cell or a row of a table; NULL or "": the default. */
sb_setting_names sb_setting_names_from(const char *const text[SB_N_SETTINGS]);

/* Does a run with these have the setting? */
bool sb_setting_applies(sb_setting_id id, const sb_setting_names *names);

/* Does /config say `without` where the run has the default? (optimizers.h) */
bool sb_setting_is_unrecorded(sb_setting_id id, const sb_setting_names *names);

/* The default in a run with these; "": none. Times of a schedule may be in epochs of the run: "0,E/5,E-2". */
const char *sb_setting_default(sb_setting_id id, const sb_setting_names *names);

/* What a file or table says of a setting by not having it: it is older than the row. Of names that are NULL the default
 * counts. */
const char *sb_setting_absent(sb_setting_id id, const sb_setting_names *names);

/* Settings with their defaults. */
void sb_settings_default(sb_settings *settings);

/* Settings of the group LEARN or COMPUTE alone, for a verb that has options for the other one only. */
void sb_settings_default_group(sb_settings *settings, sb_setting_group group);

/* The same settings, with what it means in place of each that is auto; 0 where their network, backend, optimizer or
 * schedule does not have the setting. */
sb_settings sb_settings_resolved(const sb_settings *settings);

/* The number of images for which a network has memory, from resolved settings: the images of a local step of a shard,
 * or of a shard. */
static inline long sb_settings_samples(const sb_settings *settings)
{
    return settings->batch / settings->shards / (settings->sync_every ? settings->sync_every : 1);
}

/* Does a choice, which may be NULL, say this word? */
static inline bool sb_setting_says(const char *choice, const char *word)
{
    return choice && strcmp(choice, word) == 0;
}

/* Do these settings find weights by gradients? If not, by search without gradients (searches.h). */
static inline bool sb_settings_use_gradients(const sb_settings *settings)
{
    const sb_setting_names names = sb_setting_names_of(settings);
    return sb_setting_applies(SB_SETTING_OPTIMIZER, &names);
}

/* Set one of the groups LEARN and COMPUTE from a text; false, and the field is undefined, if it could not be typed so.
 */
bool sb_setting_set(sb_settings *settings, sb_setting_id id, const char *text);

/* The value of one of these groups, as it would be typed: "3,48,96,192"; of one that is auto, what that means. */
enum { SB_SETTING_TEXT = SB_LAYER_TEXT };
void sb_setting_text(const sb_settings *settings, sb_setting_id id, char text[SB_SETTING_TEXT]);

/* Does the text say a value of this setting, in its one spelling ("4", never "04" or "+4"), so that equal settings are
 * equal texts? If not, what it wants is written into wanted: "a whole number in [1, 64]". */
bool sb_setting_check(sb_setting_id id, const char *text, char wanted[160]);

/* Do two texts say one value? A run file has all digits of a real, and a default as few as people write. */
bool sb_setting_agrees(sb_setting_id id, const char *a, const char *b);
