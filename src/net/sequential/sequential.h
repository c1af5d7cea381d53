/* Networks that are a list of layers and a loss: LeNet, ResNet-9, perceptrons, and networks from a user's own file. A
 * network is a list of rows. Shapes follow from the rows and are checked once.
 *
 *     sb_layer_list list = {.input = {1, 28, 28}, .n_classes = 10, .loss = &sb_loss_cross_entropy};
 *     sb_layer_add(&list, (sb_layer_row){&sb_layer_conv, "conv1", .conv = {.channels = 20, .kernel = 5, .bias = true}});
 *     sb_layer_add(&list, (sb_layer_row){&sb_layer_activation, .activation = {SB_ACTIVATION_relu}});
 *     sb_layer_add(&list, (sb_layer_row){&sb_layer_dense, "dense1", .dense = {.units = 10, .bias = true}});
 *     SB_TRY(sb_sequential_open(&net, ops, &list, &(sb_sequential_form){.batch = 32, .n_shards = 1}));
 *
 * net/layers/ has the kinds of layers and their parameters, net/losses/ the losses. learn normalizes by the batch's
 * statistics, infer by the running values. Initial weights and biases are U(-b, b), b = 1/sqrt(inputs of a unit),
 * unless the row says otherwise; scales start at 1, shifts at 0. The tensors of a layer are named NAME/w and so on; if
 * NAME has a '/', NAME_w: "prep/conv" has prep/conv_w.
 */
#pragma once

#include "core/rows/layer_text.h"
#include "net/net.h"

/* The kind of a row (net/layers/kind.h): a constant for each row of core/rows/layer_text.h. */
typedef struct sb_layer_kind sb_layer_kind;
#define SB_LAYER_KIND_OF(id, ...) extern const sb_layer_kind sb_layer_##id;
SB_LAYERS(SB_LAYER_KIND_OF)
extern const sb_layer_kind *const sb_layer_kinds[SB_N_LAYERS];

/* The list of losses. Each row is a constant sb_loss_ID (net/losses/loss.h); CMake reads the rows and compiles
 * net/losses/ID.c. */
/* clang-format off */
#define SB_LOSSES(LOSS)                                                                                                \
    LOSS(cross_entropy)                                                                                                \
    LOSS(squared_error)                                                                                                \
    LOSS(token_cross_entropy)
/* clang-format on */

typedef struct sb_loss_kind sb_loss_kind;
#define SB_LOSS_KIND_OF(id) extern const sb_loss_kind sb_loss_##id;
SB_LOSSES(SB_LOSS_KIND_OF)

/* Distribution of the initial weights and biases. */
typedef enum sb_layer_start {
    SB_LAYER_START_FAN_IN, /* weights and biases U(-b, b), b = 1/sqrt(inputs of a unit) */
    SB_LAYER_START_NORMAL, /* weights N(0, 1 / inputs of a unit), biases 0 */
    SB_LAYER_START_GLOROT, /* weights U(-b, b), b = sqrt(6 / (inputs + outputs)), biases 0 */
} sb_layer_start;

enum { SB_LAYER_DEPTHWISE = -1 }; /* one group for each input channel */

enum { SB_LAYERS_OF_LIST_MAX = 192, SB_LAYER_NAME = 32 };

typedef struct sb_layer_row {
    const sb_layer_kind *kind;
    char name[SB_LAYER_NAME]; /* name in tensors and messages; "": the layer has no tensors */
    union {
        struct {
            int channels, kernel, padding;
            int stride, dilation, groups; /* 0: 1; groups may be SB_LAYER_DEPTHWISE */
            bool bias, is_frozen;         /* is_frozen: the weights are a state, which the caller fills, not a
                                           * parameter */
            int stream;                   /* stream of the random numbers of the initial weights; 0: the parameter's
                                           * number */
            double sd;                    /* initial weights are N(0, sd^2) and biases 0; 0: the default */
            bool is_tied;                 /* pointwise: its weights are the table of the embedding */
        } conv;
        struct {
            int width, context;
        } embedding;
        struct {
            int groups; /* batch norm: groups of samples, 0: one; group norm: groups of channels */
            bool is_scale_frozen;
            double eps; /* 0: SB_NORM_EPS */
        } norm;
        struct {
            sb_activation kind;
            double alpha; /* celu's */
        } activation;
        int window; /* of pools; 0: all of the map */
        int heads;  /* of attention */
        struct {
            int units;
            bool bias, relu; /* relu: applied to the sums in the same operation; not for the last layer of a
                              * residual */
            int stream;      /* as for conv */
            sb_layer_start start;
        } dense;
        double factor; /* the factor of scale, or the rate of dropout */
    };
} sb_layer_row;

/* Channels, rows and columns of a map. */
typedef struct sb_map_size {
    int c, h, w;
} sb_map_size;

typedef struct sb_layer_list {
    const char *model; /* the network's name; it must outlive the network */
    sb_map_size input;
    const sb_loss_kind *loss;
    int n_classes;    /* of the data; 0: it has none */
    double smoothing; /* of labels */
    bool is_summed;   /* cross-entropy is the sum over the batch, not the mean */
    /* The backward pass forms the gradients of all maps first, then the gradients of the parameters, so the network has
     * learn_one. Only for layers that have sb_layer_kind.learn. */
    bool learns_last;
    const sb_layer_text *places; /* the file that the rows come from, for messages; it outlives the network. NULL:
                                  * none */
    int n_rows;
    sb_layer_row row[SB_LAYERS_OF_LIST_MAX];
} sb_layer_list;

/* Append a row. Asserts that the list is not full. */
void sb_layer_add(sb_layer_list *list, sb_layer_row row);

/* SB_E_USAGE with a message about row i: the place in its file, its number from 1, and its name:
 * "own.layers:7: layer 4 (conv2): a 5x5 kernel without padding does not fit a map of 4x4". */
sb_status sb_layer_refuse(const sb_layer_list *list, int i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The size of the map after each row. SB_E_USAGE: a layer does not fit its input. */
sb_status sb_layer_list_check(const sb_layer_list *list, sb_map_size size[SB_LAYERS_OF_LIST_MAX]);

typedef struct sb_sequential_form {
    int batch;     /* largest number of samples of a window */
    int n_shards;  /* shards of a batch of training (data/shards.h); `batch` counts the samples of one step of one shard */
    uint64_t seed; /* for dropout */
    int n_steps;   /* local steps (train/local.h), each from other samples of a shard; 0: one */
} sb_sequential_form;

/* The list is copied. The caller closes the network. SB_E_USAGE: a layer does not fit, or batch norm cannot divide the
 * batch into groups. SB_E_MEMORY: the message gives the number of bytes asked for. */
sb_status sb_sequential_open(sb_net **net, sb_ops *ops, const sb_layer_list *list, const sb_sequential_form *form);
