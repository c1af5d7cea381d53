/* What the files of a network of layers share: its steps, and the stretches of memory that they work on. */
#ifndef SB_NET_SEQUENTIAL_PARTS_H
#define SB_NET_SEQUENTIAL_PARTS_H

#include "core/arena.h"
#include "net/sequential/sequential.h"

/* Convolutions take some samples at a time, so that what they make of a map in a backend's form, several times its size,
 * is never of a whole batch. So many that they have so many pixels together: what is made of them stays in a CPU's
 * caches, and a layer's weights, which are read once for each chunk, are read for many tiles; but not fewer samples than
 * the backend wants at once. In a written order it changes no bit: sums over samples go on through the accumulator. */
enum { SB_CHUNK_PIXELS_WIDE = 2048, SB_CHUNK_PIXELS = 8192 };

enum { STEPS_MAX = SB_LAYERS_OF_LIST_MAX, PIECES_MAX = 16 * STEPS_MAX, NO_PIECE = -1 };

/* A stretch of device memory, and when it is needed. The times of a pass: 0 loads the input, i + 1 is the forward step
 * i, time_of_loss the loss, and then backward from the last step to the first. Pieces whose times do not meet may lie
 * on the same bytes. */
typedef struct piece {
    size_t n_bytes, offset;
    int first, last; /* time */
    void *memory;
} piece;

/* A layer, or batch norm with the activation behind it. Numbers of pieces; NO_PIECE: it has none. */
typedef struct step {
    const sb_layer_row *row, *activation; /* the activation of a norm; NULL: none */
    int number;                           /* of the row, from 1 */
    sb_map_size in, out;
    int x, y;            /* maps; the same where it works in place */
    int dy, dx;          /* their gradients; dx of one behind which nothing learns: NO_PIECE */
    int skipped;         /* of the end of a residual: the map at its beginning */
    int waiting;         /* of its beginning: the gradient of its sum */
    int planes, dplanes; /* of a dense layer behind maps: its input as [c][h][w], and the gradient of that */
    int choice;          /* of a pool */
    int space;           /* of a norm */
    struct {
        int packed, operand, scratch;                               /* forward */
        int turned, again, gradient, accumulator, backward_scratch; /* backward */
    } convolving;
    int dense_scratch[2]; /* forward, backward */
    union {
        sb_conv conv; /* for a chunk; its space is in the pieces */
        sb_dense dense;
        sb_norm norm;
    };
    size_t first_param, end_param; /* of its parameters in the block of all: offset of the first, and behind the last */
    const sb_real *bias;           /* of a convolution */
    sb_real *bias_grad;
} step;

typedef struct sequential {
    sb_net net;
    sb_layer_list list;
    sb_sequential_form form;
    int n_steps, n_pieces;
    step step[STEPS_MAX];
    piece piece[PIECES_MAX];
    size_t pieces_bytes;      /* that the pieces take together */
    int input, planes;        /* the input as a map, and as it comes from the host */
    int logits, other_logits; /* other: of the images that are not mirrored */
    int dlogits;
    uint8_t *labels;
    int n_samples;    /* of the last pass */
    _Atomic int time; /* of the operation that runs, for who asks what lies in some memory */
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

static inline int time_backward(const sequential *s, int i)
{
    return 2 * s->n_steps + 1 - i;
}

/* Does anything learn in the steps before i? */
bool sb_sequential_learns_before(const sequential *s, int i);

/* Steps from the list, and their pieces with times and places. The list has been checked; what a backend does not offer
 * is SB_E_USAGE. */
sb_status sb_sequential_plan(sequential *s, const sb_map_size *size);

/* Parameters, states and memory. What was taken is s's, also after a failure. */
sb_status sb_sequential_lay_out(sequential *s);

/* A map of so many samples in a piece, and the samples from `first` of one. */
sb_tensor sb_sequential_map(const sequential *s, int number, sb_map_size size, int n);
sb_tensor sb_sequential_samples(const sb_tensor *map, int first, int n);

/* The convolution of a step for a chunk of n samples, with the space of the forward or of the backward pass. */
sb_conv sb_sequential_conv(const sequential *s, const step *of, int n, bool is_backward);

/* The batch norm of a step, with the running values of one shard's groups, or of all (-1). */
sb_norm sb_sequential_norm(const sequential *s, const step *of, int shard);

/* From the window to the logits, by a team; with the running values unless it is training. */
void sb_sequential_forward(sequential *s, const sb_window *window, bool is_training);

/* The loss, and what comes with it; nothing without labels. */
void sb_sequential_loss(sequential *s, const sb_window *window);

/* The gradient of the loss into net.grad. */
void sb_sequential_backward(sequential *s, const sb_window *window);

#endif
