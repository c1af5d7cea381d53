/* What a kind of layer is: one constant, sb_layer_ID, in a file of its own, net/layers/ID.c, for each row of
 * core/rows/layer_text.h. Everything that walks a list of layers asks the row's kind. SB_LAYER_KIND takes all members by
 * name: one that is forgotten does not compile. A function that is NULL does nothing.
 *
 *     SB_LAYER_KIND(scale, .name = "scale", .has_tensors = false, .takes_activation = false, .read = read_scale, ...);
 */
#ifndef SB_NET_LAYERS_KIND_H
#define SB_NET_LAYERS_KIND_H

#include "net/sequential/sequential_parts.h"

/* What the plan of memory and the backward pass have to know of a row. */
typedef enum sb_layer_trait {
    SB_LEARNS = 1,             /* it has parameters that are trained */
    SB_READS_INPUT_AGAIN = 2,  /* in the backward pass */
    SB_READS_OUTPUT_AGAIN = 4, /* in the backward pass */
    SB_IN_PLACE = 8,           /* its output may lie on its input */
    SB_PASSES = 16,            /* its output is its input */
    SB_GRADIENT_IN_PLACE = 32, /* the gradient of its input may lie on that of its output */
} sb_layer_trait;

/* What takes a dense layer's input and the gradient of its output in place of the layer's gradient (net.h). */
struct sb_layer_update {
    sb_update_dense *call;
    void *context;
};

struct sb_layer_kind {
    const char *name;      /* for sentences; of one with tensors also theirs: of the third such layer "conv3" */
    bool has_tensors;      /* parameters or states, so that a row has a name */
    bool takes_activation; /* an activation after it is a part of it */

    /* The row of a line in a user's file. SB_E_USAGE: its numbers make no sense. */
    sb_status (*read)(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row);
    /* Row i of a list onto a map `in`: size[i], which is `in` before; those of the rows before are known. SB_E_USAGE. */
    sb_status (*shape)(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size);
    unsigned traits; /* of sb_layer_trait; where they follow from the row: */
    unsigned (*traits_of)(const sb_layer_row *row);

    /* Pieces of the forward pass; those of the backward pass, and the one that the gradient of its input is in (NO_PIECE
     * where it is not wanted). */
    sb_status (*plan)(sequential *s, step *t, int time);
    int (*plan_backward)(sequential *s, step *t, int time, bool has_dx);
    /* Parameters and states; arena as sb_sequential_lay_out has it. */
    void (*lay_out)(sequential *s, sb_arena *arena, step *t);

    /* By a team. dx NULL: it is not wanted. */
    void (*forward)(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y);
    void (*backward)(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx);
    /* In a list that learns last (sequential.h): what `backward` leaves out there, the gradients of its parameters; with
     * `update` that instead, which changes them at once. NULL: its rows are in no such list. */
    void (*learn)(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, const sb_layer_update *update);

    double (*products)(const sb_layer_row *row, sb_map_size in, sb_map_size out); /* multiplications of one sample */
    /* The row of `samebits layers`: kind, kernel, and the end of its name, which it has where it has no tensors or its
     * block is named already. No kind: it is no row. */
    const char *(*describe)(const step *t, sb_net_layer *row);
};

#define SB_LAYER_KIND(id, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)                                                 \
    const sb_layer_kind sb_layer_##id = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o}

static inline bool sb_layer_has(const sb_layer_row *row, sb_layer_trait trait)
{
    return (row->kind->traits_of ? row->kind->traits_of(row) : row->kind->traits) & trait;
}

/* The gradient of a step's input, by SB_GRADIENT_IN_PLACE: what a kind without plan_backward has. */
int sb_layer_plan_gradient(sequential *s, step *t, int time, bool has_dx);

/* A number of a line that must be whole: SB_E_USAGE "the kernel wants a whole number in [1, 15], not 0.5". */
sb_status sb_layer_whole(const sb_layer_list *list, const char *what, double number, double least, double most,
                         int *value);

static inline bool sb_layer_flag(const sb_layer_line *line, int flag)
{
    return line->flags >> flag & 1;
}

/* A parameter of the row, the last one in the list from then on. */
sb_layer_param sb_layer_add_param(sequential *s, const sb_layer_row *row, const char *what, int rank,
                                  const size_t *dim);

/* The scale and the shift of a normalisation of c channels: 1 and 0 at the start. */
sb_layer_param sb_layer_add_scale(sequential *s, const sb_layer_row *row, int c);
sb_layer_param sb_layer_add_shift(sequential *s, const sb_layer_row *row, int c);

/* A state of the row, numbers that the arena gives. */
sb_real *sb_layer_add_state(sequential *s, sb_arena *arena, const sb_layer_row *row, const char *what,
                            sb_state_kind kind, int rank, const size_t *dim, double start);

/* The step's own piece number k; NULL: it has none. */
static inline void *sb_layer_piece(const sequential *s, const step *t, int k)
{
    return t->piece[k] == NO_PIECE ? NULL : s->piece[t->piece[k]].memory;
}

#endif
