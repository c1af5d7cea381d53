#include "factors.h"

#include "core/options.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

static const sb_factor_form forms[SB_FACTOR_N] = {
    [SB_FACTOR_STUDY] = {"study", NULL, SB_FACTOR_NAME, .recorded = true},
    [SB_FACTOR_MODEL] = {"model", "--model", SB_FACTOR_CHOICE, "prednet|autoencoder", .recorded = true},
    [SB_FACTOR_DATA] = {"data", NULL, SB_FACTOR_NAME, .recorded = true},
    [SB_FACTOR_BACKEND] = {"backend", "--backend", SB_FACTOR_CHOICE, "native|native-cuda|openblas|cublas|cudnn",
                           .recorded = true},
    [SB_FACTOR_ARITHMETIC] = {"arithmetic", "--arithmetic", SB_FACTOR_CHOICE, "direct|winograd", .recorded = true},
    [SB_FACTOR_HARDWARE] = {"hardware", NULL, SB_FACTOR_NAME, .recorded = true},
    [SB_FACTOR_BLAS_KERNEL] = {"blas_kernel", "--blas-kernel", SB_FACTOR_NAME, .recorded = true},
    [SB_FACTOR_CUDNN_ALGORITHM] = {"cudnn_algorithm", "--cudnn-algorithm", SB_FACTOR_CHOICE,
                                   "deterministic|atomics|heuristic|timed", .recorded = true},
    [SB_FACTOR_TF32] = {"tf32", "--tf32", SB_FACTOR_CHOICE, "off|on", .recorded = true},
    [SB_FACTOR_THREADS] = {"threads", "--threads", SB_FACTOR_INT, NULL, 1, 1024, .recorded = true},
    [SB_FACTOR_UPDATES] = {"updates", "--updates", SB_FACTOR_INT, NULL, 1, 1e9, .recorded = true},
    [SB_FACTOR_EPOCHS] = {"epochs", "--epochs", SB_FACTOR_INT, NULL, 1, 1e6, .recorded = true},
    [SB_FACTOR_BATCH] = {"batch", "--batch", SB_FACTOR_INT, NULL, 1, 1e6, .recorded = true},
    [SB_FACTOR_WINDOW] = {"window", "--window", SB_FACTOR_INT, NULL, 1, 1e6, .recorded = true},
    [SB_FACTOR_CHANNELS] = {"channels", "--channels", SB_FACTOR_LIST, NULL, 1, 65536, .recorded = true},
    [SB_FACTOR_HIDDEN] = {"hidden", "--hidden", SB_FACTOR_INT, NULL, 1, 1e6, .recorded = true},
    [SB_FACTOR_LR] = {"lr", "--lr", SB_FACTOR_REAL, NULL, 0, 1, .recorded = true},
    [SB_FACTOR_CHECKPOINT_EVERY] = {"checkpoint_every", "--checkpoint-every", SB_FACTOR_INT, NULL, 0, 1e9},
    [SB_FACTOR_TARGET] = {"target", "--target", SB_FACTOR_CHOICE, "copy|shared", .recorded = true},
    [SB_FACTOR_ULP] = {"ulp", "--ulp", SB_FACTOR_INT, NULL, 0, 1e9, .recorded = true},
    [SB_FACTOR_SEED] = {"seed", "--seed", SB_FACTOR_INT, NULL, 0, 1e9, .recorded = true},
};

const sb_factor_form *sb_factor_about(sb_factor factor)
{
    return &forms[factor];
}

sb_factor sb_factor_find(const char *key)
{
    sb_factor factor = 0;
    while (factor < SB_FACTOR_N && strcmp(forms[factor].key, key) != 0) factor++;
    return factor;
}

static bool is_word(const char *text, const char *words)
{
    size_t length = strlen(text);
    for (const char *word = words; word; word = strchr(word, '|')) {
        if (*word == '|') word++;
        if (strncmp(word, text, length) == 0 && (word[length] == '|' || !word[length])) return length > 0;
    }
    return false;
}

/* One number has one spelling ("4", never "04" or "+4"), so that equal cells have equal records. */
static bool is_int(const char *text, size_t length, const sb_factor_form *form)
{
    char number[24], plain[24];
    long value;
    if (length >= sizeof number) return false;
    memcpy(number, text, length);
    number[length] = 0;
    if (!sb_parse_int(number, form->min, form->max, &value)) return false;
    snprintf(plain, sizeof plain, "%ld", value);
    return strcmp(plain, number) == 0;
}

static bool is_list(const char *text, const sb_factor_form *form)
{
    for (;; text++) {
        size_t length = strcspn(text, ",");
        if (!is_int(text, length, form)) return false;
        text += length;
        if (!*text) return true;
    }
}

bool sb_factor_check(sb_factor factor, const char *text, char wanted[160])
{
    const sb_factor_form *form = &forms[factor];
    double value;
    switch (form->kind) {
    case SB_FACTOR_NAME:
        snprintf(wanted, 160, "letters, digits, '.', '_' and '-' (63 at most)");
        return sb_text_is_name(text);
    case SB_FACTOR_CHOICE:
        snprintf(wanted, 160, "one of %s", form->words);
        return is_word(text, form->words);
    case SB_FACTOR_INT:
        snprintf(wanted, 160, "a whole number in [%.0f, %.0f]", form->min, form->max);
        return is_int(text, strlen(text), form);
    case SB_FACTOR_REAL:
        snprintf(wanted, 160, "a number in [%g, %g]", form->min, form->max);
        return sb_parse_real(text, form->min, form->max, &value);
    case SB_FACTOR_LIST:
        snprintf(wanted, 160, "whole numbers in [%.0f, %.0f] with commas", form->min, form->max);
        return is_list(text, form);
    }
    return false;
}
