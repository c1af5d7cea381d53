#include "core/file.h"
#include "core/size.h"
#include "core/text/csv.h"
#include "train/continuation.h"
#include "train/evaluate.h"
#include "verbs/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct texts_options {
    sb_settings setup;
    long prompts, tokens, seed;
    double temperature;
    const char *output;
} texts_options;

static const sb_option options[] = {
    SB_OPTIONS_DATA(texts_options) SB_OPTION_INT(texts_options, prompts, "--prompts", "N", "32", 1, 1e6,
                                                 "windows of held-out text that each run continues, evenly spaced"),
    SB_OPTION_INT(texts_options, tokens, "--tokens", "N", "200", 1, 1e6, "tokens to write after each window"),
    SB_OPTION_REAL(texts_options, temperature, "--temperature", "X", "0", 0, 100,
                   "divides the logits; 0: always the likeliest token"),
    SB_OPTION_INT(texts_options, seed, "--seed", "N", "1", 0, 2147483647,
                  "seed of the tokens that are drawn after the first window; each next window has the next seed"),
    SB_OPTIONS_COMPUTE(texts_options) SB_OPTION_TEXT_LETTER(texts_options, output, "--output", 'o', "FILE.csv", NULL,
                                                            "csv file with a row for each run and window"),
    SB_OPTION_END,
};

/* What all runs wrote. */
typedef struct texts {
    const texts_options *values;
    size_t n_runs, n_prompts, n_tokens;
    size_t context; /* tokens of a window */
    const char *const *path;
    size_t *window; /* [n_prompts]: number of the held-out window */
    uint8_t *token; /* [n_runs][n_prompts][n_tokens] */
} texts;

static const uint8_t *text_of(const texts *t, size_t run, size_t prompt)
{
    return t->token + (run * t->n_prompts + prompt) * t->n_tokens;
}

/* ---- writing texts ---- */

static sb_status open_texts(texts *t, const texts_options *values, const sb_arguments *runs)
{
    *t = (texts){.values = values, .n_runs = (size_t)runs->n, .path = runs->item};
    t->n_prompts = (size_t)values->prompts, t->n_tokens = (size_t)values->tokens;
    t->window = sb_size_allocate(t->n_prompts, sizeof *t->window);
    t->token = sb_size_allocate(t->n_runs * t->n_prompts, t->n_tokens);
    return t->window && t->token ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for the texts");
}

static void close_texts(texts *t)
{
    free(t->window);
    free(t->token);
}

/* The held-out windows are those of every run, for these have one context. */
static sb_status choose_windows(texts *t, sb_setup *setup, size_t run)
{
    const size_t n = sb_loader_part_samples(setup->loader, SB_PART_TEST);
    const size_t context = (size_t)setup->learner.net->classes.n_targets;
    if (run > 0 && context != t->context)
        return sb_fail(SB_E_USAGE, "%s: has a context of %zu tokens, and %s of %zu", t->path[run], context, t->path[0],
                       t->context);
    if (n < t->n_prompts)
        return sb_fail(SB_E_USAGE, "%s: has %zu held-out windows, fewer than --prompts %zu", setup->options->data, n,
                       t->n_prompts);
    t->context = context;
    for (size_t k = 0; k < t->n_prompts; k++) t->window[k] = k * n / t->n_prompts;
    return SB_OK;
}

static sb_status continue_window(const texts *t, sb_setup *setup, size_t prompt, uint8_t *token)
{
    const sb_continuation_plan plan = {(uint64_t)t->values->seed + prompt, t->values->temperature};
    sb_continuation text;
    sb_window window;
    SB_TRY(sb_loader_part(setup->loader, SB_PART_TEST, t->window[prompt], 1, false, &window));
    SB_TRY(sb_continuation_open(&text, &setup->learner, &plan, window.tokens, t->context));
    sb_status status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < t->n_tokens; i++) status = sb_continuation_next(&text, &token[i]);
    sb_continuation_close(&text);
    return status;
}

/* With the weights that `samebits sample` takes. */
static sb_status write_texts(texts *t, sb_setup *setup, size_t run)
{
    if (sb_dataset_about(setup->dataset)->kind != SB_DATASET_TEXT)
        return sb_fail(SB_E_USAGE, "%s: %s learned from no text", t->path[run], setup->learner.net->model);
    SB_TRY(choose_windows(t, setup, run));
    sb_average_exchange(&setup->learner.average);
    for (size_t k = 0; k < t->n_prompts; k++)
        SB_TRY(continue_window(t, setup, k, t->token + (run * t->n_prompts + k) * t->n_tokens));
    return SB_OK;
}

static sb_status run_all(texts *t)
{
    for (size_t run = 0; run < t->n_runs; run++) {
        sb_settings settings = t->values->setup;
        SB_OWNED(sb_setup_close) sb_setup setup = {0};
        SB_TRY(sb_evaluate_open(&setup, &settings, t->path[run], false));
        SB_TRY(write_texts(t, &setup, run));
    }
    return SB_OK;
}

/* ---- comparing them with those of the first run ---- */

/* first: the number of the first token that differs, from 1; 0: none. */
typedef struct comparison {
    size_t first, n_equal;
} comparison;

static comparison compare(const texts *t, size_t run, size_t prompt)
{
    const uint8_t *a = text_of(t, 0, prompt), *b = text_of(t, run, prompt);
    comparison c = {0};
    for (size_t i = t->n_tokens; i-- > 0;)
        if (a[i] == b[i])
            c.n_equal++;
        else
            c.first = i + 1;
    return c;
}

static int ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* first: memory for n_prompts numbers. */
static void add_run(const texts *t, size_t run, sb_writer *csv, size_t *first)
{
    size_t n = 0, n_equal = 0;
    for (size_t k = 0; k < t->n_prompts; k++) {
        const comparison c = compare(t, run, k);
        if (c.first) first[n++] = c.first;
        n_equal += c.n_equal;
    }
    qsort(first, n, sizeof *first, ascending);
    sb_write(csv, "%s,%s,%zu,%zu,%zu", t->path[run], t->path[0], t->n_prompts, t->n_tokens, n);
    sb_csv_real(csv, n ? (double)first[0] : (double)NAN, 9);
    sb_csv_real(csv, n ? ((double)first[(n - 1) / 2] + (double)first[n / 2]) / 2 : (double)NAN, 9);
    sb_csv_real(csv, (double)n_equal / (double)(t->n_prompts * t->n_tokens), 9);
    sb_write_raw(csv, SB_RAW("\n"));
}

static sb_status print_runs(const texts *t)
{
    char *text;
    size_t n_text, *first = sb_size_allocate(t->n_prompts, sizeof *first);
    if (!first) return sb_fail(SB_E_MEMORY, "not enough memory for the texts");
    sb_writer *csv = sb_writer_open(&sb_csv);
    sb_write_raw(csv, SB_RAW("run,against,texts,tokens,differ,first_least,first_median,equal\n"));
    for (size_t run = 1; run < t->n_runs; run++) add_run(t, run, csv, first);
    free(first);
    SB_TRY(sb_writer_close(csv, "the table", &text, &n_text));
    fputs(text, stdout);
    free(text);
    return SB_OK;
}

static sb_status write_rows(const texts *t)
{
    SB_FREED char *text = NULL;
    size_t n_text;
    const bool draws = t->values->temperature > 0;
    sb_writer *csv = sb_writer_open(&sb_csv);
    sb_write_raw(csv, SB_RAW("run,against,window,temperature,seed,tokens,first,equal\n"));
    for (size_t run = 1; run < t->n_runs; run++)
        for (size_t k = 0; k < t->n_prompts; k++) {
            const comparison c = compare(t, run, k);
            sb_write(csv, "%s,%s,%zu", t->path[run], t->path[0], t->window[k]);
            sb_csv_real(csv, t->values->temperature, 9);
            sb_csv_real(csv, draws ? (double)t->values->seed + (double)k : (double)NAN, 10);
            sb_write(csv, ",%zu", t->n_tokens);
            sb_csv_real(csv, c.first ? (double)c.first : (double)NAN, 9);
            sb_write(csv, ",%zu\n", c.n_equal);
        }
    SB_TRY(sb_writer_close(csv, t->values->output, &text, &n_text));
    return sb_file_write(t->values->output, text, n_text);
}

static sb_status check_output(const texts_options *values, const sb_arguments *runs)
{
    if (!values->output) return SB_OK;
    SB_TRY(sb_file_check_output(values->output));
    SB_TRY(sb_file_check_apart(values->output, values->setup.data));
    for (int i = 0; i < runs->n; i++) SB_TRY(sb_file_check_apart(values->output, runs->item[i]));
    return SB_OK;
}

static sb_status compare_texts(const sb_call *call)
{
    const texts_options *values = call->values;
    SB_OWNED(close_texts) texts t = {0};
    SB_TRY(check_output(values, &call->arguments));
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    SB_TRY(open_texts(&t, values, &call->arguments));
    SB_TRY(run_all(&t));
    if (values->output) SB_TRY(write_rows(&t));
    return print_runs(&t);
}

const sb_command sb_verb_texts = {
    .program = "samebits",
    .verb = "texts",
    .summary = "print where the texts of trained language models differ from the texts of the first model",
    .arguments = "RUN.h5 RUN.h5...",
    .options = options,
    .values_bytes = sizeof(texts_options),
    .min_arguments = 2,
    .max_arguments = 64,
    .epilogue = "Each run continues the same windows of held-out text. The backend is the same for all runs, so "
                "differences come\n"
                "from the weights alone. The table has a row for each run but the first:\n"
                "  differ        texts with a token that differs\n"
                "  first_least, first_median   of these texts, the number of the first such token, from 1\n"
                "  equal         share of the tokens that are equal at the same place\n"
                "example:\n"
                "  samebits texts native.h5 tf32.h5 ulp.h5 --data shakespeare.h5 --prompts 64 -o texts.csv\n",
    .run = compare_texts,
};
