/* What the files of a network of layers share: its steps, and the stretches of memory that they work on. */
#ifndef SB_NET_SEQUENTIAL_PARTS_H
#define SB_NET_SEQUENTIAL_PARTS_H

#include "core/arena.h"
#include "net/sequential/sequential.h"

/* Convolutions take some samples at a time, so that what they make of a map in a backend's form, several times its size,
 * is never of a whole batch. So many that they have so many pixels together: what is made of them stays in a CPU's
 * caches, and a layer's weights, which are read once for each chunk, are read for many tiles; but not fewer samples than
 * the backend wants at once. In a written order it changes no bit: sums over samples go on through the accumulator. */
enum { SB_CHUNK_PIXELS_WINOGRAD = 2048, SB_CHUNK_PIXELS = 8192 };

enum { STEPS_MAX = SB_LAYERS_OF_LIST_MAX, STEP_PIECES = 8, PIECES_MAX = 16 * STEPS_MAX, NO_PIECE = -1 };

/* A stretch of device memory, and when it is needed. The times of a pass: 0 loads the input, i + 1 is the forward step
 * i, time_of_loss the loss, and then backward from the last step to the first. Pieces whose times do not meet may lie
 * on the same bytes. */
typedef struct piece {
    size_t n_bytes, offset;
    int first, last; /* time */
    void *memory;
} piece;

/* Where a parameter and its gradient lie; NULL: it has none, or none yet. */
typedef struct sb_layer_param {
    sb_real *weight, *grad;
} sb_layer_param;

/* A layer, and the activation after it that its kind takes. Numbers of pieces; NO_PIECE: it has none. */
typedef struct step {
    const sb_layer_row *row, *activation; /* NULL: none */
    int number;                           /* of the row, from 1 */
    sb_map_size in, out;
    int x, y;               /* maps; the same where it works in place */
    int dy, dx;             /* their gradients; dx of one below which nothing learns: NO_PIECE */
    int piece[STEP_PIECES]; /* what else it needs, numbered by its kind */
    union {                 /* the same */
        struct {
            sb_conv conv; /* for a chunk; its space is in the pieces */
            sb_layer_param bias;
        };
        sb_dense dense;
        sb_norm norm;
        sb_group_norm group_norm;
    };
    size_t first_param, end_param; /* of its parameters in the block of all: offset of the first, and behind the last */
} step;

typedef struct sequential {
    sb_net net;
    sb_layer_list list;
    sb_sequential_form form;
    int n_steps, n_pieces;
    step step[STEPS_MAX];
    piece piece[PIECES_MAX];
    size_t pieces_bytes;               /* that the pieces take together */
    int n_waiting, waiting[STEPS_MAX]; /* while it is planned: gradients of sums that nothing may write onto */
    int input, planes;                 /* the input as a map, and as it comes from the host; of a vector the same */
    int outputs, other_outputs;        /* of the last layer; other: of the images that are not mirrored */
    int doutputs;
    uint8_t *labels;         /* of a loss that takes them */
    int n_samples;           /* of the last pass */
    const sb_window *window; /* of the pass that runs */
    bool is_training;        /* statistics are the batch's, else the running ones */
    _Atomic int time;        /* of the operation that runs, for who asks what lies in some memory */
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

/* When the gradients of its parameters are formed. */
static inline int sb_sequential_time_learn(const sequential *s, const step *t)
{
    return s->list.learns_last ? time_of_end(s) : sb_sequential_time_backward(s, t);
}

/* ---- planning ---- */

/* Memory that is needed at a time, or a map of a batch; and until another time. */
int sb_sequential_add_piece(sequential *s, size_t n_bytes, int time);
int sb_sequential_add_map(sequential *s, sb_map_size size, int time);
void sb_sequential_need(sequential *s, int number, int time);

/* Is this a gradient that nothing may write onto yet? */
bool sb_sequential_is_waiting(const sequential *s, int gradient);

/* The status of an operation; where it is SB_E_USAGE, its sentence with the layer before it. */
sb_status sb_sequential_refuse(const sequential *s, const step *t, sb_status status);

/* Steps from the list, and their pieces with times and places. The list has been checked; what a backend does not offer
 * is SB_E_USAGE. */
sb_status sb_sequential_plan(sequential *s, const sb_map_size *size);

/* ---- the network ---- */

/* Parameters, states and memory. What was taken is s's, also after a failure. */
sb_status sb_sequential_lay_out(sequential *s);

/* A map of so many samples in a piece, and the samples from `first` of one. */
sb_tensor sb_sequential_map(const sequential *s, int number, sb_map_size size, int n);
sb_tensor sb_sequential_outputs(const sequential *s, int n); /* of the last layer */
sb_tensor sb_sequential_samples(const sb_tensor *map, int first, int n);

/* From the window to the outputs of the last layer, by a team; with the running values unless it is training. */
void sb_sequential_forward(sequential *s, const sb_window *window, bool is_training);

/* The loss, and what comes with it; nothing where it takes labels and there are none. */
void sb_sequential_loss(sequential *s, const sb_window *window);

/* The gradient of the loss into net.grad; of a list that learns last those of the maps alone, and those of the
 * parameters, or their update, by: */
void sb_sequential_backward(sequential *s, const sb_window *window);
typedef struct sb_layer_update sb_layer_update;
void sb_sequential_learn_last(sequential *s, const sb_window *window, const sb_layer_update *update);

/* net.layers of these networks: from the steps, without a pass. */
int sb_sequential_layers(const sb_net *net, sb_net_layer layer[SB_NET_LAYERS_MAX]);

#endif
