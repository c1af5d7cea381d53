/* A network as training sees it: parameters, what it carries from update to update, and two verbs. What an optimizer
 * keeps of the parameters is the optimizer's (train/optimizer.h).
 *
 *     SB_TRY(sb_prednet_open(&net, ops, &shape));
 *     net->learn(net, &window, SB_TARGET_COPY);        forward, loss, backward: net->grad, net->loss
 *
 * Weights and gradient are device memory of params.total elements each. Verbs are called by all threads of a team at
 * once, like the operations they are made of.
 */
#ifndef SB_NET_NET_H
#define SB_NET_NET_H

#include "core/rows/metrics.h"
#include "net/params.h"
#include "ops/ops.h"

#include <stdbool.h>
#include <stdint.h>

/* How the loss of a frame sees its target in the backward pass. COPY: its own. SHARED: the window's last one, as when
 * one array is reused for all targets of a window and the library keeps a reference to it. */
typedef enum sb_target { SB_TARGET_COPY, SB_TARGET_SHARED, SB_N_TARGETS } sb_target;

/* Called by the team during a backward pass, as often as the network likes: the elements of net->grad from `first` to the
 * end have the values that the pass leaves behind. Each call names fewer or as many of the elements before. */
typedef void sb_learned(void *context, size_t first);

/* What one update learns from; host memory. PredNet: of each lane n + 1 frames, [n_lanes][n + 1][h][w][3], for n loss
 * terms. Autoencoder: n images. */
typedef struct sb_window {
    const uint8_t *bytes;
    const sb_real *values;   /* [n][c][h][w] of images, in place of bytes / 255; then bytes may be NULL. NULL: none */
    const sb_real *mirrored; /* the same images with left and right exchanged: logits are the mean of both; NULL: not */
    /* [n] images of a store on the device, in place of bytes and values; NULL: none. Values or bytes come before them. */
    const sb_image_choice *choice;
    const sb_image_store *store;
    const uint8_t *labels; /* [n], of images that have them; NULL: none */
    int n;
    int n_lanes; /* PredNet: sequences side by side, as many as the network was opened for; 0: one */
    int n_batch; /* images, or lanes, of the whole batch, over which loss and gradient are means; 0: these are all */
    int shard;   /* which part of that batch these are */
    int first;   /* the number of the first one in it, where a part is learned from in steps */
    bool reset;  /* sequences start here, in every lane: forget the carried state */
    const bool *lane_reset; /* [n_lanes] in place of reset, where they start in some lanes; NULL: as reset says */
    /* PredNet of one lane, for those who take a window's loss as a function of the weights. What losses are taken
     * against: each step's own target, as the study logs them, or the window's last one. */
    sb_target judged_by;
    /* P_n, n > 0, of the step before the window are computed anew from R_n of then, by the weights of now. Their ConvP_n
     * has a share in the gradient (prednet_backward.c), and so it has one in the loss: learn then gives the gradient of
     * the losses judged by its target, with all else of the carried state constant. */
    bool predict_again;
    sb_learned *learned; /* who wants the gradient before the pass has ended; NULL: nobody */
    void *learned_context;
} sb_window;

/* Samples of the batch that the window is, or is a part of. */
static inline int sb_window_batch(const sb_window *window)
{
    return window->n_batch ? window->n_batch : window->n;
}

/* Called with each dense layer, its input and the gradient of its output, in place of storing the layer's gradient. */
typedef void sb_update_dense(void *context, const sb_dense *layer, const sb_real *x, const sb_real *dy);

enum { SB_LOSS_MAX = 256, SB_STATES_MAX = 256 };

/* What a state is for. */
typedef enum sb_state_kind {
    SB_STATE_CARRIED, /* what goes on from window to window, a map in the backend's layout */
    SB_STATE_RUNNING, /* running values of batch norm */
    SB_STATE_FROZEN,  /* weights that are not trained; who opens the network fills them */
    SB_STATE_AVERAGE, /* the average of a parameter or of running values (train/average.h) */
} sb_state_kind;

/* One tensor beside the parameters that lasts from update to update; device memory. All but the carried ones are
 * numbers in the order of their dimensions. */
typedef struct sb_state {
    char name[64]; /* its path below /state in a run file: "c0", "h3", "P1", "prep/bn_mean" */
    sb_state_kind kind;
    sb_tensor tensor;
    int rank; /* as files have it; 0: of a carried one, which is [c][h][w] */
    size_t dim[4];
    double start; /* all elements, where training begins */
} sb_state;

/* Of a network that classifies: what its last pass left of each sample. Device memory, for as many samples as a batch
 * has. */
typedef struct sb_classes {
    int n;           /* classes; 0: the network does not classify */
    size_t n_inputs; /* numbers of an image */
    bool is_summed;  /* its gradient is that of the sum over the batch: the learning rate is divided by its size */
    sb_tensor logits;
    double *loss, *entropy; /* with and without the smoothing of labels */
    uint8_t *predicted;
} sb_classes;

/* The terms of net->loss where it classifies: sums over the batch, and the number of samples that are right. */
enum { SB_TOTAL_LOSS, SB_TOTAL_ENTROPY, SB_TOTAL_CORRECT, SB_N_TOTALS };

/* The metrics of an update from the terms of its batch, and the number of its samples. */
typedef sb_step_result sb_net_measure(const double *term, int n_terms, int n_samples);

/* Of a loss that has a term for each step of a window, or one term: the last one and their mean. */
sb_net_measure sb_net_measure_terms;

enum { SB_NET_LAYERS_MAX = 256, SB_NET_WHOLE_MAP = -1 };

/* A layer as `samebits layers` lists it. */
typedef struct sb_net_layer {
    char name[64], inputs[192];    /* inputs: names, a space between; "@t-1" behind one of the step before */
    const char *kind, *activation; /* "convolution"; activation "": none */
    int kernel;                    /* 3: 3x3; 0: none; or SB_NET_WHOLE_MAP */
    int in, out, h, w; /* channels; rows and columns of the output */
    size_t n_parameters;
} sb_net_layer;

typedef struct sb_net sb_net;
struct sb_net {
    const char *model; /* its name: "prednet" */
    sb_ops *ops;
    sb_params params;
    sb_real *weight, *grad;
    int n_states;
    sb_state state[SB_STATES_MAX];
    double *loss; /* device: one per loss term of the last window, its share of the batch's mean */
    int n_loss;
    sb_net_measure *measure;
    sb_classes classes;
    double *norm2; /* device: room for the squared norm of the gradient */

    /* Forward, loss and backward over a window; grad and loss are overwritten, the state goes on. */
    void (*learn)(sb_net *net, const sb_window *window, sb_target target);
    /* For windows of one sample, or NULL: the same, but each layer's gradient goes to `update` at once, whose weights
     * may change then; grad is left alone. */
    void (*learn_one)(sb_net *net, const sb_window *window, sb_update_dense *update, void *context);
    /* Forward and loss alone, as what was learned is used: batch norm takes its running values. The state goes on. */
    void (*infer)(sb_net *net, const sb_window *window);
    /* The outputs of the last window, as bytes [n_lanes][n][h][w][3] or [n][784], rounded from [0, 1]. Called by one
     * thread. NULL: they are no images. */
    sb_status (*outputs)(sb_net *net, int first, int n, uint8_t *bytes);
    /* What a tensor or vector of the network's holds, "gates of layer 2, frame 5", for people who look into a step;
     * false: nothing that has a name. */
    bool (*name)(const sb_net *net, const void *memory, char *text, size_t size);
    /* Its layers in the order of a forward pass, and how many. The parameters of all of them are the network's. */
    int (*layers)(const sb_net *net, sb_net_layer layer[SB_NET_LAYERS_MAX]);
    void (*close)(sb_net *net);
};

/* Element `offset` of a block of parameters, or NULL while the block has no memory yet (layouts are counted first). */
static inline sb_real *sb_net_at(sb_real *block, size_t offset)
{
    return block ? block + offset : NULL;
}

/* Behind the operations that formed the gradient of the parameter at `offset` and of all behind it. */
static inline void sb_net_tell_learned(const sb_window *window, size_t offset)
{
    if (window->learned) window->learned(window->learned_context, offset);
}

/* Append a state of numbers in the order of their dimensions, whose memory (NULL while layouts are counted) is the
 * caller's. */
void sb_net_add_state(sb_net *net, sb_state_kind kind, int rank, const size_t *dim, sb_real *memory, double start,
                      const char *name_format, ...) __attribute__((format(printf, 7, 8)));

/* Weights from a seed, with ulp > 0 one of them a unit in the last place larger (sb_params_nudge); states as they
 * start, but for the frozen ones, which stay. Called by one thread. */
sb_status sb_net_start(sb_net *net, uint64_t seed, uint64_t ulp);

/* Parameters (or their gradients) of n elements by name, "conv_a1/w", or the first and the last one's where they are
 * several; else as net->name. False: nothing that has a name. */
bool sb_net_name(const sb_net *net, const void *memory, size_t n, char *text, size_t size);

/* The same for any block of params.total elements; `what` comes before the name: "gradient of ". */
bool sb_net_name_block(const sb_net *net, const sb_real *block, const char *what, const void *memory, size_t n,
                       char *text, size_t size);

/* Free a network opened by its model; NULL is fine. */
void sb_net_close(sb_net *net);

#endif
