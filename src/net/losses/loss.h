/* What a loss of a list of layers is: one constant, sb_loss_ID, in a file of its own, net/losses/ID.c, for each row of
 * SB_LOSSES (net/sequential/sequential.h). All code that needs a loss calls the functions of the list's loss.
 * SB_LOSS_KIND takes all members by name: a call that leaves out a member does not compile. A function that is NULL
 * does nothing.
 *
 *     SB_LOSS_KIND(squared_error, .target = SB_LOSS_OF_INPUT, .outputs_name = "outputs", .n_terms = 1, ...);
 */
#pragma once

#include "net/sequential/sequential_parts.h"

/* What the outputs of the last layer are compared with. */
typedef enum sb_loss_target {
    SB_LOSS_OF_LABELS, /* the class of each sample; a window without labels has no loss */
    SB_LOSS_OF_INPUT,  /* the sample itself, which stays in memory until the loss has read it */
    SB_LOSS_OF_TOKENS, /* the next token of each position: the input stays in memory, too */
} sb_loss_target;

struct sb_loss_kind {
    sb_loss_target target;
    const char *outputs_name; /* name of the last layer's outputs in messages: "logits" */
    int n_terms;              /* number of loss terms, net.n_loss. Each is a sum over a window's samples; the sums of
                               * all shards add up */

    /* SB_E_USAGE: the last layer, whose map is `out`, does not fit the target. */
    sb_status (*check)(const sb_layer_list *list, sb_map_size out);
    /* Memory that the loss needs in addition to net.loss; sets net.classes if the network classifies. The arena first
     * counts, then gives memory (sb_sequential_lay_out). */
    void (*lay_out)(sequential *s, sb_arena *arena);

    /* Called by all threads of a team. forward: net.loss from the outputs y. backward: dy, the gradient of the batch's
     * loss. */
    void (*forward)(sequential *s, const sb_window *window, const sb_tensor *y);
    void (*backward)(sequential *s, const sb_window *window, const sb_tensor *y, sb_tensor *dy);

    sb_net_measure *measure; /* net.measure */
    /* net.outputs; NULL: the outputs are not images. */
    sb_status (*outputs)(sb_net *net, int first, int n, uint8_t *bytes);
};

#define SB_LOSS_KIND(id, a, b, c, d, e, f, g, h, i) const sb_loss_kind sb_loss_##id = {a, b, c, d, e, f, g, h, i}
