/* A network that a user describes, layer by layer. In a file, NAME.layers, a layer is a line, # begins a comment and
 * blanks in front mean nothing; in one line, as options, run files and tables have it, words of a layer are joined by
 * '-' and layers by '_':
 *
 *     conv 16 3          # channels, kernel; 'valid': without padding; 'bias': with a bias; 'stride 2', 'dilation 2',
 *                        # 'groups 4', 'depthwise'
 *     norm               # batch norm; 'norm 4': of 4 groups of a batch; 'frozen': its scale stays 1
 *     layernorm          # of each pixel over its channels; 'groupnorm 4': of each sample over 4 groups of channels
 *     relu               # or another activation: gelu, tanh, celu 0.3, ...
 *     pool 2             # the largest of windows of 2x2; 'pool all': of each channel; 'averagepool': the mean
 *     dropout 0.1        # in training a number is 0 with this probability
 *     residual           # what stands from here ...
 *         conv 16 3
 *         norm
 *     end                # ... to here is added to the map that it began with
 *     scale 0.125
 *     dense classes      # units, or as many as the data has classes; 'plain': without a bias
 *     embedding 64 32    # of a text, the first layer: width, context; the sum of a row for the token and one for its
 *                        # position
 *     attention 4        # causal attention of 4 heads; its input has three times its width: queries, keys, values
 *     pointwise 64       # dense at each pixel; 'classes' and 'plain' as above; 'tied': without a bias, and its weights
 *                        # are the rows of the embedding's tokens
 *
 *     conv-16-3_norm_relu_pool-2_residual_conv-16-3_norm_end_scale-0.125_dense-classes
 *
 * What is here knows words and numbers, not shapes: net/custom.c makes a network of it.
 */
#pragma once

#include "core/file.h"
#include "core/rows/activations.h"

/* The kinds of layers, declared once; what one computes is its constant sb_layer_ID (net/layers/kind.h).
 *
 *     ROW(id, word, least, most, flags)
 *
 * word         that its line begins with; of the last row any word of core/rows/activations.h
 * least, most  numbers after it
 * flags        words that may follow the numbers, separated by |; "stride N" is followed by a number */
/* clang-format off */
#define SB_LAYERS(ROW)                                                                                                 \
    SB_LAYERS_WITH_WORDS(ROW)                                                                                          \
    ROW(activation, "", 0, 1, "")

#define SB_LAYERS_WITH_WORDS(ROW)                                                                                      \
    ROW(conv, "conv", 2, 2, "valid|bias|stride N|dilation N|groups N|depthwise")                                       \
    ROW(norm, "norm", 0, 1, "frozen")                                                                                  \
    ROW(layernorm, "layernorm", 0, 0, "")                                                                              \
    ROW(groupnorm, "groupnorm", 1, 1, "")                                                                              \
    ROW(pool, "pool", 0, 1, "all")                                                                                     \
    ROW(averagepool, "averagepool", 0, 1, "all")                                                                       \
    ROW(dropout, "dropout", 1, 1, "")                                                                                  \
    ROW(residual, "residual", 0, 0, "")                                                                                \
    ROW(end, "end", 0, 0, "")                                                                                          \
    ROW(dense, "dense", 0, 1, "classes|plain")                                                                         \
    ROW(scale, "scale", 1, 1, "")                                                                                      \
    ROW(embedding, "embedding", 2, 2, "")                                                                              \
    ROW(pointwise, "pointwise", 0, 1, "classes|plain|tied")                                                            \
    ROW(attention, "attention", 1, 1, "")
/* clang-format on */

#define SB_LAYER_ID(id, ...) SB_LAYER_##id,
typedef enum sb_layer_id { SB_LAYERS(SB_LAYER_ID) SB_N_LAYERS } sb_layer_id;

enum { SB_LAYER_TEXT = 1024, SB_LAYER_TEXT_LAYERS = 120, SB_LAYER_NUMBERS = 2, SB_LAYER_FLAGS = 6 };

/* One layer. */
typedef struct sb_layer_line {
    sb_layer_id id;
    sb_activation activation;
    int n_numbers;
    double number[SB_LAYER_NUMBERS];
    unsigned flags;               /* bit k: flag number k of its row */
    double value[SB_LAYER_FLAGS]; /* of a flag with a number */
} sb_layer_line;

typedef struct sb_layer_text {
    char text[SB_LAYER_TEXT]; /* in one line */
    char path[SB_PATH_MAX];   /* the file; "": it came in one line */
    int n;
    int line[SB_LAYER_TEXT_LAYERS]; /* of each layer in the file */
} sb_layer_text;

/* Is this the path of a file, not a network in one line? It ends with ".layers", which no network does. */
bool sb_layer_text_is_file(const char *value);

/* Read a file. SB_E_USAGE with its line: "own.layers:3: conv wants two numbers, channels and kernel, ..."; SB_E_IO. */
sb_status sb_layer_text_read(sb_layer_text *text, const char *path);

/* SB_E_USAGE unless it is a network in one line, as sb_layer_text_read writes it. */
sb_status sb_layer_text_check(const char *line);

/* The next layer of a network in one line that was checked; *at moves after it, to NULL after the last one. */
sb_layer_line sb_layer_text_next(const char **at);
