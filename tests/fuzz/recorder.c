/* What other programs recorded, well formed, so that what compares it is reached: changes of a recording, rows of a trace.
 * Its HDF5 files as edits and as bytes: trainer.c; its journals as bytes: files.c. */
#include "target.h"
#include "trial.h"

#include "core/random.h"
#include "inspect/export.h"
#include "inspect/external/explain.h"
#include "inspect/external/recorded.h"
#include "record/external_file.h"
#include "record/traced.h"

#include <stdlib.h>
#include <string.h>

typedef struct script {
    const uint8_t *at;
    size_t n;
} script;

static unsigned next(script *s)
{
    return sb_fuzz_choice(&s->at, &s->n);
}

static const char *next_word(script *s)
{
    static const char *const words[] = {
        "", "mul", "add", "mm", "addmm", "clone", "copy_", "native_batch_norm", "native_dropout", "_foreach_add_", "normal_",
        "self", "result", "result 0", "generator", "w", "gradient of w", "batch 0", "weights before", "weights after: w",
        "float32", "bfloat16", "[2]", "[3, 4]", "train.py:3 main", "alpha=0.1", "loss", "update", "<&\"\\{}"};
    return words[next(s) % (sizeof words / sizeof *words)];
}

/* Few hashes, so that two of them are often the same. */
static sb_hash next_hash(script *s)
{
    return (sb_hash){{(uint8_t)(next(s) % 8)}};
}

/* ---- recordings ---- */

static void next_link(script *s, const sb_external *e, sb_bytes *b)
{
    enum { MOST = 4 };
    sb_hash hash[SB_PARTS][MOST], forms[2][MOST];
    double value[MOST];
    sb_chain_link link = {.update = sb_external_last(e) + 1 + next(s) % 3, .seconds = next(s), .absent = next(s) % 64,
                          .value = value};
    for (int p = 0; p < SB_PARTS; p++) {
        link.tensor[p] = hash[p], link.n[p] = link.absent >> p & 1 ? 0 : next(s) % MOST;
        for (size_t i = 0; i < link.n[p]; i++) hash[p][i] = next_hash(s);
    }
    for (size_t i = 0; i < MOST; i++) forms[0][i] = next_hash(s), forms[1][i] = next_hash(s), value[i] = next(s);
    if (next(s) % 2) link.canonical = forms[0], link.samples = forms[1];
    link.n_values = next(s) % MOST;
    sb_external_put_link(b, &link);
}

static void next_change(script *s, sb_external *e)
{
    sb_bytes b = {0};
    const sb_change change = SB_CHANGE_META + next(s) % SB_CHANGE_COLUMN;
    const unsigned n = next(s) % 4;
    if (change == SB_CHANGE_LINK) next_link(s, e, &b);
    if (change == SB_CHANGE_NAMES) sb_bytes_add_integer(&b, next(s) % (SB_PARTS + 1)), sb_bytes_add_integer(&b, n);
    for (unsigned i = 0; change == SB_CHANGE_NAMES && i < n; i++) sb_bytes_add_text(&b, next_word(s));
    if (change == SB_CHANGE_SETTINGS || change == SB_CHANGE_FOUND || change == SB_CHANGE_CUT)
        sb_bytes_add_integer(&b, next(s) % 16);
    const int n_texts = change <= SB_CHANGE_ENV ? 2 : change == SB_CHANGE_FOUND ? SB_FOUND_TEXTS
                        : change == SB_CHANGE_SETTINGS || change == SB_CHANGE_EVENT || change == SB_CHANGE_COLUMN ? 1 : 0;
    for (int i = 0; i < n_texts; i++) sb_bytes_add_text(&b, next_word(s));
    if (!b.failed) (void)sb_external_apply(e, change, b.at, b.n);
    sb_bytes_free(&b);
}

/* What is written is read again. NULL: it is not written. */
static const char *write_recording(const uint8_t *bytes, size_t n, const char *name)
{
    script s = {bytes, n};
    sb_external e = {0}, again;
    const char *path = sb_fuzz_path(name);
    (void)sb_pairs_set(&e.meta, "framework", "a program");
    while (s.n) next_change(&s, &e);
    const sb_status status = sb_external_write(&e, path);
    const size_t n_links = e.n_links;
    sb_external_free(&e);
    if (status != SB_OK) return NULL;
    if (sb_external_read(&again, path, true) != SB_OK || again.n_links != n_links) {
        fprintf(stderr, "written, and not read: %s\n", sb_message());
        abort();
    }
    sb_external_free(&again);
    return path;
}

static void fuzz_changes(const uint8_t *bytes, size_t n)
{
    static const char *const groups[] = {"train", "chain", "found", "settings"};
    const uint8_t *first;
    const uint8_t choice = sb_fuzz_choice(&bytes, &n);
    const size_t n_first = sb_fuzz_part(&bytes, &n, &first);
    const char *a = write_recording(first, n_first, "a.h5"), *b = write_recording(bytes, n, "b.h5");
    if (!a || !b) return;
    sb_recorded_diff d;
    if (sb_recorded_compare(&d, a, b) == SB_OK) {
        sb_recorded_print(&d, sb_fuzz_nowhere());
        (void)sb_recorded_judge(&d);
    }
    sb_recorded_free(&d);
    sb_bisect_facts facts = {0};
    char *text;
    size_t n_bytes;
    if (choice % 4 == 0) (void)sb_recorded_bisect_runs(a, b, &facts, sb_fuzz_nowhere());
    if (choice % 4 == 1 && sb_export_table(a, groups[choice / 4 % 4], &text, &n_bytes) == SB_OK) free(text);
}

/* ---- traces ---- */

static int64_t next_text(script *s, sb_traced_update *t)
{
    const int64_t number = sb_traced_text(t, next_word(s));
    if (number < 0) abort();
    return number;
}

static sb_traced_tensor next_tensor(script *s, sb_traced_update *t)
{
    sb_traced_tensor x = {.role = next_text(s, t), .name = next_text(s, t), .dtype = next_text(s, t), .shape = next_text(s, t)};
    x.writer = (int64_t)(next(s) % (t->n + 2)) - 1;
    x.flags = next(s) % 16;
    x.hash = next_hash(s);
    if (next(s) % 8 == 0 && (x.sketch = calloc(SB_TRACED_SKETCH, sizeof *x.sketch))) x.sketch[next(s) % SB_TRACED_SKETCH] = next(s);
    if (next(s) % 8 == 0 && (x.kept = calloc(4, sizeof *x.kept))) x.kept[next(s) % 4] = next(s), x.n_kept = next(s) % 5;
    return x;
}

static void next_row(script *s, sb_traced_update *t)
{
    enum { MOST = 5 };
    sb_traced_tensor tensor[MOST];
    sb_traced_op row = {.operation = next_text(s, t), .module = next_text(s, t), .site = next_text(s, t),
                        .arguments = next_text(s, t), .node = next_text(s, t)};
    row.phase = next(s) % SB_TRACED_PHASES, row.mark = next(s) % 4 == 0;
    row.forward_row = (int64_t)(next(s) % (t->n + 1)) - 1;
    row.executions = next(s) % 3, row.other_results = row.executions ? next(s) % 2 : 0;
    row.error = (double)next(s) - 8;
    const size_t n = next(s) % MOST;
    for (size_t i = 0; i < n; i++) tensor[i] = next_tensor(s, t);
    if (!sb_traced_add(t, &row, tensor, n)) abort();
}

static sb_traced_update next_trace(const uint8_t *bytes, size_t n)
{
    script s = {bytes, n};
    sb_traced_update t = {.update = 1, .settings = strdup("group 0 lr = 0.1"), .framework = strdup("a program")};
    if (sb_traced_text(&t, "") != 0) abort();
    while (s.n) next_row(&s, &t);
    return t;
}

static void explain(const sb_traced_update *a, const sb_traced_update *b)
{
    sb_explanation e;
    char names[64];
    if (sb_explain(a, b, &e) == SB_OK) {
        sb_explanation_print(&e, sb_fuzz_nowhere());
        if (e.cause != SB_CAUSE_NONE) sb_explanation_names(&e, names, sizeof names);
    }
    sb_explanation_free(&e);
}

/* What is written is read again, and has the bits of what was written. */
static void check_file(const sb_traced_update *t)
{
    sb_traced_update again;
    sb_explanation e;
    const char *path = sb_fuzz_path("rows.trace.h5");
    if (sb_traced_write(t, path) != SB_OK) return;
    if (sb_traced_read(&again, path) != SB_OK || again.n != t->n || again.n_tensors != t->n_tensors ||
        sb_explain(t, &again, &e) != SB_OK || e.alignment.n_pairs == 0) {
        fprintf(stderr, "written, and not read: %s\n", sb_message());
        abort();
    }
    sb_explanation_free(&e);
    sb_traced_update_free(&again);
}

static void fuzz_rows(const uint8_t *bytes, size_t n)
{
    const uint8_t *first;
    const uint8_t choice = sb_fuzz_choice(&bytes, &n);
    const size_t n_first = sb_fuzz_part(&bytes, &n, &first);
    sb_traced_update a = next_trace(first, n_first), b = next_trace(bytes, n);
    sb_carried carried;
    explain(&a, &b);
    if (sb_carried_compare(&a, &b, &b, 1, &carried) == SB_OK) sb_carried_print(&carried, &a, 1, sb_fuzz_nowhere());
    if (choice % 8 == 0) check_file(&a);
    sb_traced_update_free(&a);
    sb_traced_update_free(&b);
}

/* Two scripts, the second one with a byte more of them changed in each seed. */
static void seed_pairs(void)
{
    enum { N = 480 };
    static const char mark[] = "--- 8< ---\n";
    for (unsigned k = 0; k < 24; k++) {
        uint8_t seed[1 + 2 * N + sizeof mark] = {(uint8_t)k};
        char name[32];
        for (size_t i = 0; i < N; i++) seed[1 + i] = (uint8_t)(sb_random_words(1, k, i / 4).word[i % 4] >> 8);
        memcpy(seed + 1 + N, mark, sizeof mark - 1);
        memcpy(seed + N + sizeof mark, seed + 1, N);
        for (unsigned i = 0; i < k / 2; i++) seed[N + sizeof mark + 37 * (i + 1) % N] ^= (uint8_t)(1 + i);
        snprintf(name, sizeof name, "pair%02u", k);
        sb_fuzz_seed(name, seed, 2 * N + sizeof mark);
    }
}

const sb_fuzz_target sb_fuzz_targets[] = {
    {"changes", fuzz_changes, seed_pairs},
    {"rows", fuzz_rows, seed_pairs},
    {NULL, NULL, NULL},
};
