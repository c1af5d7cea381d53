#include "core/screen/screen.h"
#include "core/size.h"
#include "train/evaluate.h"
#include "train/continuation.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct sample_options {
    sb_settings setup;
    long tokens, seed;
    double temperature;
    const char *prompt;
} sample_options;

static const sb_option options[] = {
    SB_OPTION_INT(sample_options, tokens, "--tokens", "N", "500", 1, 1e9, "tokens to write"),
    SB_OPTION_INT(sample_options, seed, "--seed", "N", "1", 0, 4294967295.0, "seed of the tokens that are drawn"),
    SB_OPTION_REAL(sample_options, temperature, "--temperature", "X", "1", 0, 100,
                   "divides the logits; 0: always the likeliest token"),
    SB_OPTION_LINES(sample_options, prompt, "--prompt", "TEXT", NULL,
                    "text that the network continues, line ends and tabs included; default: a line end, or else the "
                    "first character of the table"),
    SB_OPTIONS_COMPUTE(sample_options) SB_OPTION_END,
};

static void write_token(const sb_characters *table, uint8_t token)
{
    char bytes[SB_CHARACTER_BYTES];
    fwrite(bytes, 1, sb_characters_text(table, token, bytes), stdout);
}

/* The beginning: the prompt, or one token that is not written. */
static sb_status begin(const sb_characters *table, const char *prompt, uint8_t *token, size_t *n)
{
    if (prompt) return sb_characters_encode(table, "--prompt", prompt, strlen(prompt), token, n);
    *n = 1;
    for (int i = 0; i < table->n; i++)
        if (table->code[i] == '\n') token[0] = (uint8_t)i;
    return SB_OK;
}

static sb_status write_text(const sample_options *values, sb_setup *setup, const sb_characters *table,
                            const uint8_t *token, size_t n)
{
    const sb_continuation_plan plan = {(uint64_t)values->seed, values->temperature};
    SB_OWNED(sb_continuation_close) sb_continuation text = {0};
    uint8_t next;
    SB_TRY(sb_continuation_open(&text, &setup->learner, &plan, token, n));
    sb_screen_keep_bytes();
    if (values->prompt) fputs(values->prompt, stdout);
    for (long i = 0; i < values->tokens; i++) {
        SB_TRY(sb_continuation_next(&text, &next));
        write_token(table, next);
        if (fflush(stdout) != 0 || ferror(stdout)) return sb_fail(SB_E_IO, "cannot write the text");
    }
    putchar('\n');
    return SB_OK;
}

static sb_status sample_run(const sample_options *values, sb_setup *setup, const sb_characters *table)
{
    const char *prompt = values->prompt;
    size_t n;
    if (prompt && !*prompt) return sb_fail(SB_E_USAGE, "samebits sample: --prompt wants a text, not ''");
    SB_FREED uint8_t *token = sb_size_allocate(prompt ? strlen(prompt) : 1, 1);
    if (!token) return sb_fail(SB_E_MEMORY, "not enough memory for the prompt");
    sb_average_exchange(&setup->learner.average);
    SB_TRY(begin(table, prompt, token, &n));
    return write_text(values, setup, table, token, n);
}

static sb_status sample(const sb_call *call)
{
    sample_options *values = call->values;
    sb_characters table;
    SB_OWNED(sb_setup_close) sb_setup setup = {0};
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    SB_TRY(sb_evaluate_open_text(&setup, &values->setup, call->arguments.item[0], &table));
    return sample_run(values, &setup, &table);
}

const sb_command sb_verb_sample = {
    .program = "samebits",
    .verb = "sample",
    .summary = "print a text that a trained language model writes; the same text for the same seed",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(sample_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "The run file has the network and the characters. Each token costs a pass over a whole window.\n"
                "A file or pipe gets the exact characters. On a terminal control characters are shown as U+FFFD.\n"
                "example:\n"
                "  samebits sample gpt.h5 --tokens 300 --seed 7 --temperature 0.8 --prompt 'ROMEO:'\n",
    .run = sample,
};
