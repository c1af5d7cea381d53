#include "inspect/bench/bench.h"

#include "backend/backend.h"
#include "verbs/verbs.h"

static const sb_option options[] = {
    {"--only", 0, SB_KIND_TEXTS, offsetof(sb_bench_options, only), "PART", NULL, 0, 0,
     "parts to measure [prednet, inference, autoencoder, input, operations, memory]; may be repeated"},
    {"--backend", 0, SB_KIND_TEXTS, offsetof(sb_bench_options, kernels), "NAME", NULL, 0, 0,
     "NAME or NAME/ARITHMETIC; may be repeated [native/winograd, native/direct, openblas]"},
    {"--isa", 0, SB_KIND_TEXTS, offsetof(sb_bench_options, isas), "ISA", NULL, 0, 0,
     "instruction set of native; may be repeated [the best here]"},
    {"--threads", 0, SB_KIND_LIST, offsetof(sb_bench_options, threads), "N,N,...", NULL, 1, 256,
     "numbers of threads [1 and all CPUs]"},
    SB_OPTION_SIZE(sb_bench_options, size, "--size", "160x120", 1, 4096, "prednet: size of frames"),
    SB_OPTION_LIST(sb_bench_options, channels, "--channels", "3,48,96,192", 1, 4096, "prednet: channels of its layers"),
    SB_OPTION_INT(sb_bench_options, window, "--window", "N", "20", 1, 250, "prednet: frames of a window"),
    {"--batch", 0, SB_KIND_LIST, offsetof(sb_bench_options, batches), "N,N,...", NULL, 1, 65536,
     "resnet9, lenet, mlp, gpt: images or windows of an update [512; 32 and 4096; 256; 8]"},
    {"--widths", 0, SB_KIND_LIST, offsetof(sb_bench_options, widths), "N,N,...", NULL, 1, 4096,
     "resnet9, lenet, mlp: channels or units of the layers"},
    SB_OPTION_INT(sb_bench_options, blocks, "--blocks", "N", "6", 1, 12, "gpt: blocks of attention and dense layers"),
    SB_OPTION_INT(sb_bench_options, heads, "--heads", "N", "6", 1, 4096, "gpt: heads of attention"),
    SB_OPTION_INT(sb_bench_options, width, "--width", "N", "384", 1, 1024,
                  "gpt: numbers of the representation of a token"),
    SB_OPTION_INT(sb_bench_options, context, "--context", "TOKENS", "256", 1, 4096, "gpt: tokens of a window"),
    SB_OPTION_TEXT(sb_bench_options, data, "--data", "FILE", NULL,
                   "resnet9, lenet, mlp, gpt: train on this data set with prefetching, and measure the waiting"),
    SB_OPTION_TEXT(sb_bench_options, times, "--times", "FILE", NULL,
                   "path: csv file of measured times of kernels [from a GPU's peaks]"),
    {"--tiles", 0, SB_KIND_TEXTS, offsetof(sb_bench_options, tiles), "NAME", NULL, 0, 0,
     "kernels: measure what differs with SAMEBITS_CUDA_TILES=NAME, too; all: with each name; may be repeated"},
    SB_OPTION_INT(sb_bench_options, rounds, "--rounds", "N", "5", 1, 99, "measurements of each case"),
    SB_OPTION_FLAG(sb_bench_options, quick, "--quick", "one round of short windows"),
    SB_OPTION_TEXT_LETTER(sb_bench_options, output, "--output", 'o', "FILE", NULL, "csv file of all numbers"),
    SB_OPTION_JSON(sb_bench_options),
    SB_OPTION_END,
};

enum { QUICK_WINDOW = 5 };

/* One environment for all: threads wait as the native backend wants it, which costs OpenBLAS's a few microseconds. */
static long most_threads(const sb_bench_options *values)
{
    long most = values->threads.n ? 1 : 2;
    for (int i = 0; i < values->threads.n; i++)
        if (values->threads.item[i] > most) most = values->threads.item[i];
    return most;
}

static sb_status bench(const sb_call *call)
{
    sb_bench_options *values = call->values;
    if (values->quick) {
        values->rounds = 1;
        if (values->window > QUICK_WINDOW) values->window = QUICK_WINDOW;
    }
    values->command = call->command;
    SB_TRY(sb_backend_prepare("native", NULL, most_threads(values), call->argv));
    return sb_bench(values);
}

const sb_command sb_verb_bench = {
    .program = "samebits",
    .verb = "bench",
    .summary = "measure how fast each backend trains and predicts, and the limits of this machine",
    .options = options,
    .values_bytes = sizeof(sb_bench_options),
    .epilogue =
        "PART operations: time of each operation of the first case. memory: peak memory of training, each backend in "
        "a\n"
        "process of its own.\n"
        "PART resnet9, lenet, mlp: training of the networks that classify. gpt: training of the language model.\n"
        "NAME-evaluation: prediction. NAME-evolution: one generation of Deep GA, not of gpt.\n"
        "NAME-memory: peak memory of training.\n"
        "PART path, resnet9-path, ...: a model of native-cuda that needs no GPU: how long a window takes\n"
        "if its kernels run one after the other, and if each runs as soon as its inputs exist.\n"
        "PART kernels, resnet9-kernels, ...: each kernel of an update by itself on a GPU, in microseconds.\n"
        "-o FILE then has one row for each kernel; --only path --times FILE reads it.\n"
        "The environment variable OPENBLAS_CORETYPE chooses the kernel type of OpenBLAS.\n",
    .json = sb_bench_keys,
    .run = bench,
};
