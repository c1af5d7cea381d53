/* Shared by the files of PredNet: its layers, and the tensors that a window keeps for the backward pass. */
#pragma once

#include "core/arena.h"
#include "net/prednet/prednet.h"

typedef enum gate { INPUT, FORGET, CANDIDATE, OUTPUT, N_GATES } gate;

/* Steps whose results have memory of their own where operations overlap: a step need not wait until the step before it
 * is read. */
enum { SB_STEPS = 2 };

/* One layer. Maps with an index t belong to step t = 1 .. window of the current window; t = 0 is the last step before
 * the window. */
typedef struct layer {
    int c, h, w;
    bool has_above;     /* a layer n+1 whose R is upsampled into the cell */
    bool uses_winograd; /* its convolutions may use the Winograd algorithm; layer 0 (the colors) never does */
    int ring;           /* number of frames whose operands are kept for one weight-gradient product */
    bool is_whole;      /* the ring holds all frames of a window */
    bool is_joined;     /* the inputs of the gates are one map (ops.h, joins_inputs) */

    sb_conv conv_a, conv_p, conv_e, conv_up, conv_h; /* conv_a of layer 0 is empty */
    const sb_real *bias_a, *bias_p, *bias_gates;
    sb_real *bias_a_grad, *bias_p_grad, *bias_gates_grad;
    const sb_real *peephole_weight; /* [3][c][h][w]: input, forget, output */
    sb_real *peephole_grad;

    sb_tensor *p, *r, *cell; /* [window + 1] predictions, outputs R and cell states; number 0 is a part of past_*: the
                              * shard's lanes */
    sb_tensor past_p, past_r, past_cell; /* P, R and cell state of the last step before the window, for the lanes of all
                                          * shards */
    sb_tensor *e, *gates;                /* [window + 1] errors [2c], activations of the gates [4][c] */
    uint8_t **pool_choice;               /* [window + 1] for conv_a */
    sb_tensor peephole, dpeephole;       /* [3][c] in the backend's layout, for one window */
    sb_tensor dcell;
    /* Of step t: number t % SB_STEPS; one tensor for all steps, unless operations overlap. */
    sb_tensor before_pool[SB_STEPS], a[SB_STEPS]; /* ConvA's output and pooled A */
    sb_tensor de[SB_STEPS], da[SB_STEPS], dp[SB_STEPS], dr[SB_STEPS];

    void **e_input, **up_input, **r_input; /* operands of convolutions, rings of frames; up_input is made of R_{n+1} */
    void **gates_e, **gates_h; /* operands of E, and of R of the step before, for the gates: those of e_input and
                                * r_input, unless is_joined. NULL: nothing reads it */
    void **gates_gradient, **p_gradient; /* operands of gradients, rings of frames */
    void **a_gradient;                   /* operands of ConvA's output gradient, with the ring of the layer below */
} layer;

typedef struct prednet {
    sb_net net;
    sb_prednet_shape shape;
    int n_lanes, n_shards;
    int shard;     /* shard of the current window */
    size_t n_mean; /* numbers in one frame of all lanes of the batch, over which the loss is a mean */
    layer layer[SB_LAYERS_MAX];
    sb_tensor *frame;     /* [window + 1], frames as tensors */
    bool has_past;        /* at least one lane has a step before the window: its sequence did not start here */
    bool *shard_has_past; /* [n_shards], has_past of the next window of each shard */
    sb_real *planes;      /* one frame that is copied to the host */
    void *scratch;        /* shared by all convolutions, as large as the largest needs; unused if operations overlap */
    size_t scratch_size;
    void *memory;
} prednet;

static inline prednet *prednet_of(sb_net *net)
{
    return (prednet *)net;
}

/* net.name of PredNet: "R of layer 2, frame 5", "gradient of E of layer 0". Frame 0 is the last step before the
 * window. */
bool sb_prednet_name(const sb_net *net, const void *memory, char *text, size_t size);

/* net.layers of PredNet. */
int sb_prednet_layers(const sb_net *net, sb_net_layer row[SB_NET_LAYERS_MAX]);

/* Slots of step t's operands in a layer's rings, in a window of n steps: counted from its last one, so that the operands of
 * the last steps are still there when the backward pass begins. R is kept one step longer, because it is the input of
 * its own ConvP and of the next step's cell. */
static inline int slot_of(const layer *l, int n, int t)
{
    return (n - t) % l->ring;
}

static inline int r_slot_of(const layer *l, int n, int t)
{
    return (n - t) % (l->ring + 1);
}

/* The slot for the gradient of P of the step before the window. */
static inline int past_slot_of(const layer *l)
{
    return l->ring;
}

/* Let map 0 of a layer (p, r, cell) be the lanes of that shard in past_*. */
void sb_prednet_turn_to(const prednet *p, layer *l, int shard);

/* Make parameters, convolutions, tensors and their memory for p->shape. net.ops and the shapes of the layers must be
 * set. The memory is p's, also after a failure. */
sb_status sb_prednet_lay_out(prednet *p);

/* Steps 1 .. n of a window, from frames[0 .. n-1]. Losses compare with frames[1 .. n], or as window->judged_by says. */
void sb_prednet_forward(prednet *p, const sb_window *window);

/* Write the gradient of the sum of the window's n losses into net.grad. */
void sb_prednet_backward(prednet *p, int n, sb_target target);
