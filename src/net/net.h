/* A network as training sees it: parameters, states that last from update to update, and functions to learn and to
 * infer. The states of an optimizer belong to the optimizer (train/optimizer.h).
 *
 *     SB_TRY(sb_prednet_open(&net, ops, &shape));
 *     net->learn(net, &window, SB_TARGET_COPY);        forward, loss, backward: net->grad, net->loss
 *
 * Weights and gradient are device memory of params.total elements each. All threads of a team call learn, learn_one and
 * infer at once, like the operations of ops.h.
 */
#pragma once

#include "core/rows/metrics.h"
#include "net/params.h"
#include "ops/ops.h"

#include <stdbool.h>
#include <stdint.h>

/* Which target the backward pass uses for the loss of a frame. COPY: the frame's own target. SHARED: the last target of
 * the window, as in a program that reuses one array for all targets while the library keeps a reference to that
 * array. */
typedef enum sb_target { SB_TARGET_COPY, SB_TARGET_SHARED, SB_N_TARGETS } sb_target;

/* Called by the team during a backward pass, any number of times: the elements of net->grad from `first` to the end
 * have their final values. `first` never increases from call to call. */
typedef void sb_learned(void *context, size_t first);

/* The samples that one update learns from, in host memory. PredNet: n + 1 frames of each lane, [n_lanes]
 * [n + 1][h][w][3], for n loss terms. Lists of layers: n images; of texts, n windows of tokens. */
typedef struct sb_window {
    const uint8_t *bytes;    /* used if values and choice are NULL; else it may be NULL */
    const sb_real *values;   /* images [n][c][h][w], used instead of bytes / 255. NULL: none */
    const sb_real *mirrored; /* the same images mirrored left to right: logits are the mean over both; NULL: no mirror
                              * images */
    /* n images of a store on the device, used instead of bytes if values is NULL; NULL: none. */
    const sb_image_choice *choice;
    const sb_image_store *store;
    const uint8_t *labels; /* [n], the class of each image; NULL: no labels */
    /* Networks that learn from text, instead of all of the above: [n][T + 1] tokens, each below the vocabulary, T =
     * net.classes.n_targets. Position t reads token t of its row, and its target is token t + 1. */
    const uint8_t *tokens;
    int n;
    int n_lanes; /* PredNet: sequences that are learned from together, as many as the network was opened for; 0: one */
    int n_batch; /* images, or lanes, of the whole batch: loss and gradient are means over them; 0: the window is the
                  * whole batch */
    int shard;   /* the number of this part (shard) of the batch */
    int first;   /* the number of the window's first sample in the shard, where a shard is learned from in steps */
    bool reset;  /* a sequence starts with this window in every lane: the carried state is set to zero */
    const bool *lane_reset; /* [n_lanes], used instead of reset where sequences start in some lanes; NULL: reset applies
                             * to all lanes */
    /* PredNet of one lane, for code that uses a window's loss as a function of the weights. The target of each loss:
     * the step's own, as the study logs it, or the window's last one. */
    sb_target judged_by;
    /* True: compute P_n, n > 0, of the step before the window again, from R_n of that step and the current weights.
     * ConvP_n of that step contributes to the gradient (prednet_backward.c); with this flag it contributes to the loss,
     * too. Then learn gives the exact gradient of the losses by its target, with the rest of the carried state
     * constant. */
    bool predict_again;
    sb_learned *learned; /* called while the gradient is formed; NULL: not called */
    void *learned_context;
} sb_window;

/* Number of samples of the batch that the window belongs to. */
static inline int sb_window_batch(const sb_window *window)
{
    return window->n_batch ? window->n_batch : window->n;
}

/* Called with each dense layer, its input x and the gradient dy of its output; the layer's gradient is then not
 * stored. */
typedef void sb_update_dense(void *context, const sb_dense *layer, const sb_real *x, const sb_real *dy);

enum { SB_LOSS_MAX = 256, SB_STATES_MAX = 256 };

/* What a state is for. */
typedef enum sb_state_kind {
    SB_STATE_CARRIED, /* passed on from window to window; a map in the backend's layout */
    SB_STATE_RUNNING, /* running values of batch norm */
    SB_STATE_FROZEN,  /* weights that are not trained; the caller that opens the network fills them */
    SB_STATE_AVERAGE, /* the average of a parameter or of running values (train/average.h) */
} sb_state_kind;

/* A tensor that is no parameter and lasts from update to update; device memory. Only carried states have the backend's
 * layout; all others are stored in the order of their dimensions. */
typedef struct sb_state {
    char name[64]; /* its path below /state in a run file: "c0", "h3", "P1", "prep/bn_mean" */
    sb_state_kind kind;
    sb_tensor tensor;
    int rank; /* number of dimensions in files; 0: a carried state, which is [c][h][w] */
    size_t dim[4];
    double start; /* value of all elements when training begins */
} sb_state;

/* Results of the last pass of a network that classifies, for each target: each sample, or each position of a window of
 * tokens, [n][n_targets]. Device memory for the samples of a batch. */
typedef struct sb_classes {
    int n;                  /* classes, or the vocabulary; 0: the network does not classify */
    int n_targets;          /* targets of a sample: 1, or the positions T of a window of tokens */
    size_t n_inputs;        /* numbers of an image, or positions of a window */
    bool is_summed;         /* the loss is the sum over the batch, so the learning rate is divided by the batch size */
    sb_tensor logits;       /* a sample has n channels of 1 x n_targets, in the backend's layout; on the CPU that is
                             * [n_targets][n] */
    double *loss, *entropy; /* cross-entropy of each target, with and without label smoothing */
    uint8_t *predicted;
} sb_classes;

/* The terms of net->loss of a network that classifies: two sums over the batch of the mean over a sample's targets, and
 * the number of correct targets. */
enum { SB_TOTAL_LOSS, SB_TOTAL_ENTROPY, SB_TOTAL_CORRECT, SB_N_TOTALS };

/* Metrics of an update, from the loss terms and the number of samples of its batch. */
typedef sb_step_result sb_net_measure(const double *term, int n_terms, int n_samples);

/* For a loss with one term, or one for each step of a window: the last term, and the mean of all terms. */
sb_net_measure sb_net_measure_terms;

/* For a network that classifies: the terms are SB_TOTAL_* sums over the batch. */
sb_net_measure sb_net_measure_totals;

enum { SB_NET_LAYERS_MAX = 256, SB_NET_WHOLE_MAP = -1 };

/* A layer as `samebits layers` lists it. */
typedef struct sb_net_layer {
    char name[64], inputs[192];    /* inputs: names, separated by spaces; the suffix "@t-1" marks an input from the
                                    * previous step */
    const char *kind, *activation; /* "convolution"; activation "": none */
    int kernel;                    /* 3: 3x3; 0: none; or SB_NET_WHOLE_MAP */
    int in, out, h, w;             /* channels; rows and columns of the output */
    size_t n_parameters;
} sb_net_layer;

typedef struct sb_net sb_net;
struct sb_net {
    const char *model; /* the network's name: "prednet" */
    sb_ops *ops;
    sb_params params;
    sb_real *weight, *grad;
    int n_states;
    sb_state state[SB_STATES_MAX];
    double *loss; /* device: [n_loss], the loss terms of the last window, each its share of the batch's mean */
    int n_loss;
    sb_net_measure *measure;
    sb_classes classes;
    double *norm2; /* device: one number, for the squared norm of the gradient */

    /* Forward, loss and backward over a window. Overwrites grad and loss; carried states are passed on. */
    void (*learn)(sb_net *net, const sb_window *window, sb_target target);
    /* The same for a window of one sample, but calls `update` for each layer instead of storing the gradient in grad;
     * update may change that layer's weights. NULL: the network cannot do this. */
    void (*learn_one)(sb_net *net, const sb_window *window, sb_update_dense *update, void *context);
    /* Forward and loss without backward. Batch norm uses its running values. Carried states are passed on. */
    void (*infer)(sb_net *net, const sb_window *window);
    /* Outputs first .. first + n - 1 of the last window as bytes, [n_lanes][n][h][w][3] for PredNet or
     * [n][numbers of one output], rounded from [0, 1]. Called by one thread. NULL: the outputs are not images. */
    sb_status (*outputs)(sb_net *net, int first, int n, uint8_t *bytes);
    /* Name of the tensor or vector at `memory`, for messages: "gates of layer 2, frame 5". False: the network has no
     * name for this memory. */
    bool (*name)(const sb_net *net, const void *memory, char *text, size_t size);
    /* Fill the layers in the order of the forward pass and return their number. Their parameters add up to the
     * network's. */
    int (*layers)(const sb_net *net, sb_net_layer layer[SB_NET_LAYERS_MAX]);
    void (*close)(sb_net *net);
};

/* Element `offset` of a block of parameters, or NULL while the block has no memory yet (layouts are counted first). */
static inline sb_real *sb_net_at(sb_real *block, size_t offset)
{
    return block ? block + offset : NULL;
}

/* Call window->learned, after the operations that formed the gradient of the parameter at `offset` and of all later
 * parameters. */
static inline void sb_net_tell_learned(const sb_window *window, size_t offset)
{
    if (window->learned) window->learned(window->learned_context, offset);
}

/* Append a state, stored in the order of its dimensions. Its memory stays the caller's; NULL while layouts are
 * counted. */
void sb_net_add_state(sb_net *net, sb_state_kind kind, int rank, const size_t *dim, sb_real *memory, double start,
                      const char *name_format, ...) __attribute__((format(printf, 7, 8)));

/* Draw the initial weights from a seed. With ulp > 0 increase one of them by a unit in the last place
 * (sb_params_nudge). Set all states to their start values; frozen states stay. Called by one thread. */
sb_status sb_net_start(sb_net *net, uint64_t seed, uint64_t ulp);

/* Name of n elements of parameters or gradients, "conv_a1/w"; of several tensors the names of the first and the last.
 * Other memory: as net->name. False: this memory has no name. */
bool sb_net_name(const sb_net *net, const void *memory, size_t n, char *text, size_t size);

/* The same for any block of params.total elements; `what` comes before the name: "gradient of ". */
bool sb_net_name_block(const sb_net *net, const sb_real *block, const char *what, const void *memory, size_t n,
                       char *text, size_t size);

/* Free a network that was opened by its model. NULL does nothing. */
void sb_net_close(sb_net *net);
