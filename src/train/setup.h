/* From options to an open experiment: data set, backend, network, feed. */
#ifndef SB_TRAIN_SETUP_H
#define SB_TRAIN_SETUP_H

#include "backend/backend.h"
#include "core/options.h"
#include "io/dataset.h"
#include "train/feed.h"
#include "train/step.h"

/* What is computed, how, and on what. Filled by the option table below. */
typedef struct sb_setup_options {
    const char *model, *data, *backend, *arithmetic, *isa, *blas_kernel, *target;
    long threads, seed, ulp, window, batch, hidden;
    sb_list channels;
    double alpha;
    const char *cudnn_algorithm, *tf32;
    int wide_channels; /* no option: golden checks lower it, so that their small networks meet winograd too */
} sb_setup_options;

/* Rows of an option table whose verb struct holds an sb_setup_options in the field `setup`: what it learns from, what
 * computes, and what is learned. A verb that takes network and weights from a file has no use for the last ones. */
#define SB_SETUP_DATA(type)                                                                                            \
    SB_OPTION_NEEDED(type, setup.data, "--data", 0, "FILE", "data set; 'samebits-data synth walk -o walk.h5' makes one")
#define SB_SETUP_COMPUTE(type)                                                                                         \
    SB_OPTION_TEXT(type, setup.backend, "--backend", "NAME", "native", "what computes; 'samebits info' lists them"),   \
        SB_OPTION_CHOICE(type, setup.arithmetic, "--arithmetic", "direct|winograd", "winograd",                        \
                         "how native and native-cuda convolve"),                                                       \
        SB_OPTION_CHOICE(type, setup.isa, "--isa", "auto|avx512|avx2|plain", "auto", "native's instruction set"),      \
        SB_OPTION_TEXT(type, setup.blas_kernel, "--blas-kernel", "NAME", "auto",                                       \
                       "OpenBLAS kernel type: Haswell, Zen, SkylakeX, ..."),                                           \
        SB_OPTION_CHOICE(type, setup.cudnn_algorithm, "--cudnn-algorithm", "deterministic|atomics|heuristic|timed",    \
                         "deterministic", "how cudnn's algorithms are chosen; heuristic: as the study's library"),     \
        SB_OPTION_CHOICE(type, setup.tf32, "--tf32", "off|on", "off",                                                  \
                         "cublas, cudnn: products may round their factors to TF32"),                                   \
        SB_OPTION_INT(type, setup.threads, "--threads", "N", "1", 1, 256, "threads")
#define SB_SETUP_LEARN(type)                                                                                           \
    SB_OPTION_CHOICE(type, setup.model, "--model", "prednet|autoencoder", "prednet", "network"),                       \
        SB_OPTION_CHOICE(type, setup.target, "--target", "copy|shared", "copy",                                        \
                         "shared: one target buffer for a whole window"),                                              \
        SB_OPTION_INT(type, setup.seed, "--seed", "N", "1", 0, 4294967295.0, "start weights and order of the data"),   \
        SB_OPTION_INT(type, setup.ulp, "--ulp", "N", "0", 0, 1e9,                                                      \
                      "N > 0: weight number f(N) starts one unit in the last place larger"),                           \
        SB_OPTION_LIST(type, setup.channels, "--channels", "3,48,96,192", 1, 4096, "prednet: channels of its layers"), \
        SB_OPTION_INT(type, setup.window, "--window", "N", "20", 1, 250, "prednet: frames of a window"),               \
        SB_OPTION_INT(type, setup.hidden, "--hidden", "N", "64", 1, 65536, "autoencoder: hidden units"),               \
        SB_OPTION_INT(type, setup.batch, "--batch", "N", "1", 1, 65536, "autoencoder: images of an update"),           \
        SB_OPTION_REAL(type, setup.alpha, "--lr", "RATE", "0.001", 0, 1, "learning rate (Adam's alpha)")
#define SB_SETUP_OPTIONS(type) SB_SETUP_DATA(type), SB_SETUP_LEARN(type), SB_SETUP_COMPUTE(type)

typedef struct sb_setup {
    const sb_setup_options *options;
    sb_dataset *dataset;
    sb_ops *ops;
    sb_net *net;
    sb_feed *feed;
    sb_adam adam;
    sb_target target;
} sb_setup;

/* Open everything and draw the start weights. The options must outlive the setup. On failure nothing stays open. */
sb_status sb_setup_open(sb_setup *setup, const sb_setup_options *options);
void sb_setup_close(sb_setup *setup);

/* A network and backend for a known shape of the data, without data (golden checks, benchmarks). */
sb_status sb_setup_open_net(sb_setup *setup, const sb_setup_options *options, int w, int h);

/* Give an option, "--window", a value that a file says; false if it could not be typed either. */
bool sb_setup_set(sb_setup_options *options, const char *option, const char *text);

#endif
