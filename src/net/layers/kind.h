/* What a kind of layer is: one constant, sb_layer_ID, in a file of its own, net/layers/ID.c, for each row of
 * core/rows/layer_text.h. All code that walks a list of layers calls the functions of the row's kind. SB_LAYER_KIND
 * takes all members by name: a call that leaves out a member does not compile. A function that is NULL does nothing.
 *
 *     SB_LAYER_KIND(scale, .name = "scale", .has_tensors = false, .takes_activation = false, .read = read_scale, ...);
 */
#pragma once

#include "net/sequential/sequential_parts.h"

/* Properties of a row that the plan of memory and the backward pass depend on. A flag each. */
typedef enum sb_layer_trait {
    SB_LEARNS = 1,             /* the row has parameters that are trained */
    SB_READS_INPUT_AGAIN = 2,  /* the backward pass reads the input */
    SB_READS_OUTPUT_AGAIN = 4, /* the backward pass reads the output */
    SB_IN_PLACE = 8,           /* the output may overwrite the input */
    SB_PASSES = 16,            /* the output is the input itself */
    SB_GRADIENT_IN_PLACE = 32, /* the gradient of the input may overwrite the gradient of the output */
} sb_layer_trait;

/* A function that receives a dense layer's input and the gradient of its output; the layer's own gradient is not stored
 * (net.h). */
struct sb_layer_update {
    sb_update_dense *call;
    void *context;
};

struct sb_layer_kind {
    const char *name;      /* for messages; a kind with tensors also names them by it: the third such layer is
                            * "conv3" */
    bool has_tensors;      /* parameters or states, so that a row has a name */
    bool takes_activation; /* the layer applies the activation that follows it */

    /* Set the row from a line of a user's file. SB_E_USAGE: a number of the line is not valid. */
    sb_status (*read)(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row);
    /* Set size[i], the map after row i, whose input is a map `in`. On entry size[i] is `in`, and the sizes of all
     * earlier rows are set. SB_E_USAGE: the row does not fit the map. */
    sb_status (*shape)(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size);
    unsigned traits; /* flags of sb_layer_trait, if traits_of is NULL; else traits_of gives them for a row */
    unsigned (*traits_of)(const sb_layer_row *row);

    /* plan: add the pieces of memory of the forward pass. plan_backward: add the pieces of the backward pass, and
     * return the piece that holds the gradient of the input, NO_PIECE where has_dx is false. */
    sb_status (*plan)(sequential *s, step *t, int time);
    int (*plan_backward)(sequential *s, step *t, int time, bool has_dx);
    /* Add parameters and states. The arena first counts, then gives memory (sb_sequential_lay_out). */
    void (*lay_out)(sequential *s, sb_arena *arena, step *t);

    /* Called by all threads of a team. dx is NULL if the gradient of the input is not needed. */
    void (*forward)(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y);
    void (*backward)(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx);
    /* For a list that learns last (sequential.h), where `backward` leaves out the gradients of the parameters: learn
     * forms them. With `update` it calls `update` instead, which changes the weights at once. NULL: this kind cannot be
     * in such a list. */
    void (*learn)(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, const sb_layer_update *update);

    double (*products)(const sb_layer_row *row, sb_map_size in, sb_map_size out); /* multiplications of one sample */
    /* Fill kind and kernel of the row of `samebits layers`. Return the suffix of the row's name: for a layer without
     * tensors, or one whose block has been listed under that name. Without a kind the step is not listed. */
    const char *(*describe)(const step *t, sb_net_layer *row);
};

#define SB_LAYER_KIND(id, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)                                                 \
    const sb_layer_kind sb_layer_##id = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o}

static inline bool sb_layer_has(const sb_layer_row *row, sb_layer_trait trait)
{
    return (row->kind->traits_of ? row->kind->traits_of(row) : row->kind->traits) & trait;
}

/* The default of plan_backward: the piece for the gradient of a step's input, by the trait SB_GRADIENT_IN_PLACE. */
int sb_layer_plan_gradient(sequential *s, step *t, int time, bool has_dx);

/* Set *value to a number of a line that must be an integer in [least, most]. Else SB_E_USAGE: "the kernel wants a whole
 * number in [1, 15], not 0.5". */
sb_status sb_layer_whole(const sb_layer_list *list, const char *what, double number, double least, double most,
                         int *value);

static inline bool sb_layer_flag(const sb_layer_line *line, int flag)
{
    return line->flags >> flag & 1;
}

/* Append a parameter of the row to the network's list (sb_params_last). */
sb_layer_param sb_layer_add_param(sequential *s, const sb_layer_row *row, const char *what, int rank,
                                  const size_t *dim);

/* Append the scale or the shift of a normalization of c channels. Scales start at 1, shifts at 0. */
sb_layer_param sb_layer_add_scale(sequential *s, const sb_layer_row *row, int c);
sb_layer_param sb_layer_add_shift(sequential *s, const sb_layer_row *row, int c);

/* Append a state of the row, with memory from the arena; all elements begin as `start`. */
sb_real *sb_layer_add_state(sequential *s, sb_arena *arena, const sb_layer_row *row, const char *what,
                            sb_state_kind kind, int rank, const size_t *dim, double start);

/* Memory of the step's own piece number k; NULL: the step has no such piece. */
static inline void *sb_layer_piece(const sequential *s, const step *t, int k)
{
    return t->piece[k] == NO_PIECE ? NULL : s->piece[t->piece[k]].memory;
}
