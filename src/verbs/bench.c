#include "inspect/bench/bench.h"

#include "backend/backend.h"
#include "verbs/verbs.h"

static const sb_option options[] = {
    {"--only", 0, SB_KIND_TEXTS, offsetof(sb_bench_options, only), "PART", NULL, 0, 0,
     "prednet, inference, autoencoder, input, operations, memory, growth [these]; or see below; may be given again"},
    {"--backend", 0, SB_KIND_TEXTS, offsetof(sb_bench_options, kernels), "NAME", NULL, 0, 0,
     "NAME or NAME/ARITHMETIC; may be given again [native/winograd, native/direct, openblas]"},
    {"--isa", 0, SB_KIND_TEXTS, offsetof(sb_bench_options, isas), "ISA", NULL, 0, 0,
     "native's instruction set; may be given again [the best here]"},
    {"--threads", 0, SB_KIND_LIST, offsetof(sb_bench_options, threads), "N,N,...", NULL, 1, 256,
     "numbers of threads [1 and all CPUs]"},
    SB_OPTION_SIZE(sb_bench_options, size, "--size", "160x120", 1, 4096, "prednet: frames"),
    SB_OPTION_LIST(sb_bench_options, channels, "--channels", "3,48,96,192", 1, 4096, "prednet: channels of its layers"),
    SB_OPTION_INT(sb_bench_options, window, "--window", "N", "20", 1, 250, "prednet: frames of a window"),
    {"--batch", 0, SB_KIND_LIST, offsetof(sb_bench_options, batches), "N,N,...", NULL, 1, 65536,
     "resnet9, lenet, mlp: images of an update [512; 32 and 4096; 256]"},
    {"--widths", 0, SB_KIND_LIST, offsetof(sb_bench_options, widths), "N,N,...", NULL, 1, 4096,
     "resnet9, lenet, mlp: channels or units of its layers"},
    SB_OPTION_TEXT(sb_bench_options, data, "--data", "FILE", NULL,
                   "resnet9, lenet, mlp: learn from this data set, prefetched, and say how long they wait for it"),
    SB_OPTION_INT(sb_bench_options, rounds, "--rounds", "N", "5", 1, 99, "how often each case is timed"),
    SB_OPTION_FLAG(sb_bench_options, quick, "--quick", "one round of short windows, for a first look"),
    SB_OPTION_TEXT_LETTER(sb_bench_options, output, "--output", 'o', "FILE", NULL, "all numbers as csv"),
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
    .summary = "how fast each backend learns and predicts, beside this machine's ceilings of the same minute",
    .options = options,
    .values_bytes = sizeof(sb_bench_options),
    .epilogue =
        "PART operations shows where the first case spends its time; memory, the peak of training, each backend in a "
        "process\n"
        "of its own; growth, how time grows with frames, channels and window on the first backend and number of "
        "threads.\n"
        "PART resnet9, lenet and mlp: the networks that classify, learning; NAME-evaluation: predicting; "
        "NAME-evolution:\n"
        "a generation of Deep GA; NAME-memory: the peak of learning.\n"
        "The environment variable OPENBLAS_CORETYPE chooses OpenBLAS's kernel type.\n",
    .json = sb_bench_keys,
    .run = bench,
};
