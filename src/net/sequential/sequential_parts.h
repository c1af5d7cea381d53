/* Shared by the files of a network of layers: its steps, and the pieces of memory that the steps use. */
#pragma once

#include "core/arena.h"
#include "net/sequential/sequential.h"

/* Convolutions process a batch in chunks of samples, because a backend's operands are several times larger than the
 * map. A chunk has about this number of pixels: its operands stay in the CPU's caches, and the weights, read once for
 * each chunk, serve many tiles. A chunk has at least as many samples as the backend asks for. A backend can also ask
 * for chunks with operands of a size in bytes (ops.h). With a written order chunks change no bit: sums over samples
 * continue in the accumulator. */
enum { SB_CHUNK_PIXELS_WINOGRAD = 2048, SB_CHUNK_PIXELS = 8192 };

enum { STEPS_MAX = SB_LAYERS_OF_LIST_MAX, STEP_PIECES = 8, PIECES_MAX = 16 * STEPS_MAX, NO_PIECE = -1 };

/* A piece of device memory, and the times at which it is needed. Times of a pass: 0 loads the input, i + 1 is forward
 * step i, then time_of_loss, then the backward steps from the last to the first. Pieces whose times do not overlap may
 * share bytes. */
typedef struct piece {
    size_t n_bytes, offset;
    int first, last; /* time */
    void *memory;
} piece;

/* Memory of a parameter and its gradient; NULL: the layer lacks this parameter, or layouts are still counted. */
typedef struct sb_layer_param {
    sb_real *weight, *grad;
} sb_layer_param;

/* A layer, and the activation after it that its kind applies. Members that are numbers of pieces are NO_PIECE where
 * there is none. */
typedef struct step {
    const sb_layer_row *row, *activation; /* NULL: none */
    int number;                           /* of the row, from 1 */
    sb_map_size in, out;
    int x, y;               /* input and output; the same piece where the step works in place */
    int dy, dx;             /* gradients of y and x; dx is NO_PIECE if no layer below the step learns */
    int piece[STEP_PIECES]; /* further memory, numbered by the kind */
    union {                 /* by kind */
        struct {
            sb_conv conv; /* for a chunk; its space is in the pieces */
            sb_layer_param bias;
            int n_kept; /* chunks whose operands are kept for one weight product */
        };
        sb_dense dense;
        sb_embedding embedding;
        sb_attention attention;
        sb_norm norm;
        sb_group_norm group_norm;
    };
    size_t first_param, end_param; /* range of its parameters in the block of all: offset of the first, and one after
                                    * the last */
} step;

typedef struct sequential {
    sb_net net;
    sb_layer_list list;
    sb_sequential_form form;
    int n_steps, n_pieces;
    step step[STEPS_MAX];
    piece piece[PIECES_MAX];
    size_t pieces_bytes;               /* bytes that all pieces take together */
    size_t kept_bytes;                 /* as in ops.h; 0 if the device has too little memory for it */
    int n_waiting, waiting[STEPS_MAX]; /* during planning: gradients of sums that no other piece may overwrite */
    int input, planes;                 /* the input as a map, and as copied from the host; for a vector the same
                                        * piece. Of a text: the tokens as bytes (sb_sequential_tokens) */
    int outputs, other_outputs;        /* outputs of the last layer; other_outputs: outputs for the images that are not
                                        * mirrored, for a loss of labels; else NO_PIECE */
    int doutputs;
    uint8_t *labels;         /* for a loss that uses them */
    int n_samples;           /* in the last pass */
    const sb_window *window; /* of the current pass */
    bool is_training;        /* batch norm uses the batch's statistics, else the running ones */
    _Atomic int time;        /* of the current operation; tells which tensor a shared piece holds (net.name) */
    void *memory;
} sequential;

static inline sequential *sequential_of(const sb_net *net)
{
    return (sequential *)(uintptr_t)net;
}

static inline int time_of_loss(const sequential *s)
{
    return s->n_steps + 1;
}

static inline int time_of_end(const sequential *s)
{
    return 2 * s->n_steps + 2;
}

/* The times of a step. */
static inline int sb_sequential_time_forward(const sequential *s, const step *t)
{
    return (int)(t - s->step) + 1;
}

static inline int sb_sequential_time_backward(const sequential *s, const step *t)
{
    return 2 * s->n_steps + 1 - (int)(t - s->step);
}

/* The time at which the gradients of the step's parameters are formed. */
static inline int sb_sequential_time_learn(const sequential *s, const step *t)
{
    return s->list.learns_last ? time_of_end(s) : sb_sequential_time_backward(s, t);
}

/* ---- planning ---- */

/* Add a piece of n_bytes, or one for a map of a batch, that is needed at a time; need: it is needed at another time,
 * too. The functions that add return the piece's number. */
int sb_sequential_add_piece(sequential *s, size_t n_bytes, int time);
int sb_sequential_add_map(sequential *s, sb_map_size size, int time);
void sb_sequential_need(sequential *s, int number, int time);

/* Is this a gradient that no other piece may overwrite yet? */
bool sb_sequential_is_waiting(const sequential *s, int gradient);

/* The status of an operation. To the message of SB_E_USAGE it prepends the layer. */
sb_status sb_sequential_refuse(const sequential *s, const step *t, sb_status status);

/* Make the steps of the list, and their pieces with times and offsets. The list has been checked. SB_E_USAGE: the
 * backend lacks an operation. */
sb_status sb_sequential_plan(sequential *s, const sb_map_size *size);

/* ---- the network ---- */

/* Make parameters, states and memory. The memory is s's, also after a failure. */
sb_status sb_sequential_lay_out(sequential *s);

/* map: a tensor of n samples in a piece. samples: n samples of a map, from `first` on. */
sb_tensor sb_sequential_map(const sequential *s, int number, sb_map_size size, int n);
sb_tensor sb_sequential_outputs(const sequential *s, int n); /* of the last layer */

/* The tokens of the last window, [n][T + 1] on the device. */
static inline uint8_t *sb_sequential_tokens(const sequential *s)
{
    return s->piece[s->input].memory;
}

static inline bool sb_sequential_reads_tokens(const sequential *s)
{
    return s->list.row[0].kind == &sb_layer_embedding;
}
sb_tensor sb_sequential_samples(const sb_tensor *map, int first, int n);

/* Forward from the window to the outputs of the last layer, by a team. Batch norm uses the running values unless
 * is_training. */
void sb_sequential_forward(sequential *s, const sb_window *window, bool is_training);

/* Compute the loss and, if the network classifies, net.classes. Does nothing if the loss needs labels and the window
 * has none. */
void sb_sequential_loss(sequential *s, const sb_window *window);

/* Write the gradient of the loss into net.grad. For a list that learns last it forms the gradients of the maps only;
 * sb_sequential_learn_last then forms the parameters' gradients, or calls update for each layer. */
void sb_sequential_backward(sequential *s, const sb_window *window);
typedef struct sb_layer_update sb_layer_update;
void sb_sequential_learn_last(sequential *s, const sb_window *window, const sb_layer_update *update);

/* net.layers of these networks. Needs no forward pass. */
int sb_sequential_layers(const sb_net *net, sb_net_layer layer[SB_NET_LAYERS_MAX]);
