/* The networks, declared once: what the trainer can open (net/models.h), and what a matrix file may name.
 *
 *     ROW(id, name, data, settings, recipe, summary)
 *
 * id        sb_ID_list fills its list of layers (net/sequential/sequential_models.h); of VIDEO: sb_ID_model_open
 *           opens it
 * data      VIDEO, IMAGES or TEXT: what it learns from; a list of layers that begins with an embedding: TEXT
 * settings  the keys of the settings that only some networks have, this one among them (core/rows/setting.h), with \0
 *           between them; of those whose default is auto with what that is, "widths=20,50,500". Also the defaults of
 *           settings that any network has, "epochs=10"
 * recipe    defaults of what the network's published recipe trains it with: its optimizer, and of that optimizer and its
 *           schedule. They hold for runs with this optimizer alone. In times, E is the epochs of the run: "0,E/5,E-2"
 */
#pragma once

/* The settings of every network that is a list of layers (net/sequential/sequential.h). */
#define SB_OF_LAYERS                                                                                                   \
    "ema_momentum=0\0ema_every\0test_flip=off\0lr_by_kind=1,1,1,1\0decay_by_kind=1,1,1,1\0"                            \
    "sync_every\0hold_out\0augment_form=sample\0brightness\0contrast\0noise\0smoothing=0\0"                            \
    "validate_every\0early_stop\0patience\0min_delta"
#define SB_UNCHANGED "crop=0\0flip=off\0cutout=0" /* images as they are */

/* clang-format off */
#define SB_MODELS(ROW)                                                                                                 \
    ROW(prednet, "prednet", VIDEO, "batch=1\0window\0channels\0target", "",                                                     \
        "PredNet, a recurrent network that predicts the next frame")                                                   \
    ROW(autoencoder, "autoencoder", IMAGES, "batch=1\0hidden\0hidden_activation=relu\0output_activation=relu", "",         \
        "inputs - hidden - inputs, of one layer and one or of several; rebuilds its input")                            \
    ROW(mlp, "mlp", IMAGES,                                                                                            \
        "batch=256\0updates=50000\0" SB_OF_LAYERS "\0" SB_UNCHANGED "\0widths=256,128,64\0normalise=mean",             \
        "optimizer=adam\0lr=0.001", "dense layers with relu between")                                                  \
    ROW(lenet, "lenet", IMAGES,                                                                                        \
        "batch=32\0epochs=10\0" SB_OF_LAYERS "\0" SB_UNCHANGED "\0widths=20,50,500\0normalise=mnist",                  \
        "optimizer=momentum-buffer\0lr=0.04\0schedule=piecewise\0lr_knots=0,E/2,E\0lr_shares=0.04,1,0.004",            \
        "two 5x5 convolutions with pools, two dense layers")                                                           \
    ROW(layers, "layers", IMAGES,                                                                                      \
        "batch=32\0epochs=10\0" SB_OF_LAYERS "\0" SB_UNCHANGED "\0normalise=none\0layers", "", "a network of one's own") \
    ROW(gpt, "gpt", TEXT,                                                                                              \
        "batch=64\0updates=5000\0blocks\0heads\0width\0context\0dropout\0tied\0activation=gelu\0sync_every\0"           \
        "smoothing=0\0ema_momentum=0\0ema_every\0lr_by_kind=1,1,1,1\0decay_by_kind=1,0,0,0\0validate_every",            \
        "optimizer=adamw\0lr=0.001\0beta2=0.99\0weight_decay=0.1\0max_norm=1",                                         \
        "a transformer that predicts the next token of a text, as GPT-2")                                              \
    ROW(resnet9, "resnet9", IMAGES,                                                                                    \
        "batch=512\0" SB_OF_LAYERS "\0widths=64,128,256,512\0normalise=cifar10\0crop=4\0flip=on\0rung\0"               \
        "pool_at=after\0activation=relu\0alpha=0.075\0groups=1\0norm_scale=learned\0logit_scale=0.125\0whiten=off\0"   \
        "cutout=8\0epochs=24",                                                                                         \
        "optimizer=nesterov\0weight_decay=0.0005\0lr=0.4\0schedule=piecewise\0lr_knots=0,5,E\0lr_shares=0,1,0",        \
        "eight convolutions with batch norm, in ten published rungs")
/* clang-format on */

/* "prednet|autoencoder": the words of the option and of the matrix key. */
#define SB_MODEL_WORD(id, name, data, settings, recipe, summary) "|" name
#define SB_MODEL_WORDS                                           (&(SB_MODELS(SB_MODEL_WORD))[1])
