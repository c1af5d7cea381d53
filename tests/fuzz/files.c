/* Files and texts that every program reads with code of its own: seals, journals, sums, pictures, tables, options. */
#include "target.h"

#include "core/command/options.h"
#include "core/file.h"
#include "core/rows/layer_text.h"
#include "core/text/text.h"
#include "io/run/journal.h"
#include "io/seal.h"
#include "io/sums.h"
#include "io/table.h"
#include "record/record_journal.h"

#include <stdlib.h>
#include <string.h>

static void fuzz_seal(const uint8_t *bytes, size_t n)
{
    sb_seal seal;
    char *read;
    const char *path = sb_fuzz_put("sealed", bytes, n);
    (void)sb_seal_peek(path, &seal);
    (void)sb_seal_is_missing(path);
    (void)sb_seal_is_broken(path);
    (void)sb_seal_check(path, SB_SEAL_ANY | SB_SEAL_CHECKED, &seal);
    const bool holds = sb_seal_check(path, SB_SEAL_ANY, &seal) == SB_OK;
    if (holds && seal.n_bytes != n) abort();
    if ((sb_seal_read(path, SB_SEAL_ANY, UINT64_MAX, &seal, &read) == SB_OK) != holds) abort();
    if (holds && memcmp(read, bytes, n) != 0) abort();
    free(read);
    if (sb_seal_adopt(path, SB_SEAL_RUN) == SB_OK && sb_seal_check(path, SB_SEAL_RUN, &seal) != SB_OK) abort();
}

/* A file of each kind, sealed, and an HDF5 file without a seal. */
static void seed_seal(void)
{
    for (unsigned kind = 1; kind < SB_SEAL_ANY; kind <<= 1) {
        if (!(kind & SB_SEAL_ANY)) continue;
        uint8_t content[SB_SEAL_FRAME_MAX + 16] = {0};
        size_t n = sb_seal_frame((sb_seal_kind)kind, content);
        const char *path = sb_fuzz_put("seed", content, n + 16);
        if (sb_seal_write(path, (sb_seal_kind)kind) != SB_OK) abort();
        sb_fuzz_seed_file(sb_seal_kind_name((sb_seal_kind)kind), path);
    }
    sb_fuzz_seed("unsealed", "\211HDF\r\n\032\n and what is behind it", 30);
}

static sb_hash experiment(void)
{
    sb_hash hash;
    memset(&hash, 7, sizeof hash);
    return hash;
}

static void fuzz_journal(const uint8_t *bytes, size_t n)
{
    sb_journal *journal;
    sb_record *records, last;
    size_t n_records;
    bool set_aside;
    const char *path = sb_fuzz_put("run.h5.journal", bytes, n);
    (void)sb_journal_last(path, &last);
    if (sb_journal_check(path, &n_records) == SB_OK && n_records && !sb_journal_is(path)) abort();
    if (sb_journal_open(&journal, path) != SB_OK) return;
    if (sb_journal_read(journal, experiment(), &records, &n_records, &set_aside) == SB_OK) {
        for (size_t i = 0; i < n_records; i++) (void)(volatile int64_t)records[i].update;
        (void)sb_journal_add(journal, &(sb_record){.update = 1});
        free(records);
    }
    sb_journal_close(journal, true);
}

/* One of three updates, and one of none. */
static void seed_journal(void)
{
    for (int n = 0; n < 4; n += 3) {
        sb_journal *journal;
        sb_record *records;
        size_t n_records;
        bool set_aside;
        const char *path = sb_fuzz_path("seed.journal");
        if (sb_journal_open(&journal, path) != SB_OK) abort();
        if (sb_journal_read(journal, experiment(), &records, &n_records, &set_aside) != SB_OK) abort();
        free(records);
        for (int i = 1; i <= n; i++)
            if (sb_journal_add(journal, &(sb_record){.update = i, .loss_last = 0.5 / i, .has_link = i % 2}) != SB_OK)
                abort();
        sb_journal_close(journal, false);
        if (sb_file_exists(path)) sb_fuzz_seed_file(n ? "three" : "none", path);
    }
}

/* Of a recording: whatever is applied is a recording, and goes on. */
static void fuzz_record(const uint8_t *bytes, size_t n)
{
    sb_record_journal *journal;
    sb_external e = {0};
    size_t n_records;
    bool was_there;
    const char *path = sb_fuzz_put("record.h5.journal", bytes, n), *run = sb_fuzz_path("record.h5");
    (void)sb_record_journal_check(path, &n_records);
    if (sb_record_journal_read(run, &e) != SB_OK) abort();
    sb_external_free(&e);
    if (sb_record_journal_open(&journal, run, &was_there) != SB_OK) return;
    if (sb_record_journal_replay(journal, &e) == SB_OK) {
        const int64_t before = e.n_records;
        if (sb_record_journal_add(journal, before, SB_CHANGE_CUT, "\0\0\0\0\0\0\0\0", 8) != SB_OK) abort();
        sb_external_free(&e);
        if (sb_record_journal_replay(journal, &e) != SB_OK || e.n_records != before + 1) abort();
    }
    sb_external_free(&e);
    sb_record_journal_close(journal, true);
}

static void put_texts(sb_bytes *b, const char *name, const char *value)
{
    sb_bytes_add_text(b, name);
    sb_bytes_add_text(b, value);
}

/* One record of every kind. */
static void seed_record(void)
{
    sb_record_journal *journal;
    bool was_there;
    int64_t number = 0;
    sb_chain_link link = {.update = 3, .absent = 62, .n = {1}, .n_values = 1, .value = (double[]){0.5}};
    sb_hash hash = experiment();
    link.tensor[0] = link.canonical = link.samples = &hash;
    if (sb_record_journal_open(&journal, sb_fuzz_path("seed.record"), &was_there) != SB_OK) abort();
    for (sb_change change = SB_CHANGE_META; change <= SB_CHANGE_COLUMN; change++) {
        sb_bytes b = {0};
        if (change == SB_CHANGE_LINK) {
            sb_external_put_link(&b, &link);
        } else if (change == SB_CHANGE_NAMES) {
            sb_bytes_add_integer(&b, 1);
            sb_bytes_add_integer(&b, 2);
            put_texts(&b, "w", "b");
        } else if (change == SB_CHANGE_SETTINGS || change == SB_CHANGE_CUT || change == SB_CHANGE_FOUND) {
            sb_bytes_add_integer(&b, 3);
            if (change == SB_CHANGE_SETTINGS) sb_bytes_add_text(&b, "group 0 lr = 0.1");
            for (int i = 0; change == SB_CHANGE_FOUND && i < SB_FOUND_TEXTS; i++) sb_bytes_add_text(&b, "words");
        } else {
            sb_bytes_add_text(&b, "loss");
            if (change <= SB_CHANGE_ENV) sb_bytes_add_text(&b, "value");
        }
        if (b.failed || sb_record_journal_add(journal, number++, change, b.at, b.n) != SB_OK) abort();
        sb_bytes_free(&b);
    }
    sb_record_journal_close(journal, false);
    sb_fuzz_seed_file("all", sb_fuzz_path("seed.record.journal"));
}

static void fuzz_sums(const uint8_t *bytes, size_t n)
{
    sb_sums sums;
    char *text = sb_fuzz_text(bytes, n);
    if (sb_sums_parse(&sums, text, n, "SHA256SUMS") == SB_OK) {
        for (size_t i = 0; i < sums.n; i++) (void)sb_sums_find(&sums, sums.item[i].name);
        sb_sums_free(&sums);
    }
    free(text);
}

/* The first byte chooses the kind of table. */
static void fuzz_table(const uint8_t *bytes, size_t n)
{
    size_t n_kinds = 0;
    while (sb_columns_all[n_kinds]) n_kinds++;
    const sb_columns *columns = sb_columns_all[sb_fuzz_choice(&bytes, &n) % n_kinds];
    sb_table table;
    if (sb_table_read(&table, sb_fuzz_put("table.csv", bytes, n), columns) != SB_OK) return;
    for (size_t i = 0; i < columns->n; i++) {
        size_t column;
        if (sb_table_column(&table, columns->column[i].name, &column) != SB_OK) continue;
        for (size_t row = 0; row < table.n_rows; row++) {
            long whole;
            double real;
            if (!sb_column_accepts(&columns->column[i], sb_table_text(&table, row, column))) abort();
            (void)sb_table_int(&table, row, column, &whole);
            (void)sb_table_real(&table, row, column, &real);
            (void)sb_table_line(&table, row);
        }
    }
    sb_table_free(&table);
}

/* The headings of each. */
static void seed_table(void)
{
    for (uint8_t i = 0; sb_columns_all[i]; i++) {
        char text[2048];
        size_t n = 0;
        text[n++] = (char)i;
        for (size_t c = 0; c < sb_columns_all[i]->n; c++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", c ? "," : "", sb_columns_all[i]->column[c].name);
        text[n++] = '\n';
        sb_fuzz_seed(sb_columns_all[i]->file, text, n);
    }
}

/* What is cleaned is plain. */
static void fuzz_text(const uint8_t *bytes, size_t n)
{
    char *text = sb_fuzz_text(bytes, n), *clean;
    for (int lines = 0; lines < 2; lines++) {
        clean = sb_text_clean(text, n, lines);
        if (clean && sb_text_plain_length(clean, lines) != strlen(clean)) abort();
        free(clean);
    }
    (void)sb_text_is_name(text);
    for (sb_column_kind kind = 0; kind < SB_N_COLUMN_KINDS; kind++) (void)sb_column_holds(kind, "one|two", text);
    free(text);
}

static void seed_text(void)
{
    sb_fuzz_seed("words", "plain \xE2\x80\xAE \xC3\xA9\t\xF0\x9F\x98\x80", 18);
}

typedef struct all_options {
    const char *text, *needed, *choice;
    sb_texts texts;
    sb_size size;
    sb_list list;
    long whole;
    double real;
    bool flag;
} all_options;

/* One line a word. */
static void fuzz_options(const uint8_t *bytes, size_t n)
{
    static const sb_option table[] = {SB_OPTION_CHOICE(all_options, choice, "--choice", "one|two", "one", "choice"),
                                      SB_OPTION_INT(all_options, whole, "--whole", "N", "1", 0, 4294967295.0, "whole"),
                                      SB_OPTION_REAL(all_options, real, "--real", "R", "0.5", 0, 1, "real"),
                                      SB_OPTION_LIST(all_options, list, "--list", "3,48", 1, 4096, "list"),
                                      SB_OPTION_TEXT_LETTER(all_options, text, "--text", 't', "TEXT", NULL, "text"),
                                      SB_OPTION_TEXTS_LETTER(all_options, texts, "--texts", 'n', "TEXT", "texts"),
                                      SB_OPTION_SIZE(all_options, size, "--size", "16x16", 1, 1024, "size"),
                                      SB_OPTION_FLAG(all_options, flag, "--flag", "flag"),
                                      SB_OPTION_END};
    static const sb_command command = {.program = "samebits",
                                       .verb = "fuzz",
                                       .summary = "",
                                       .arguments = "FILE...",
                                       .options = table,
                                       .values_bytes = sizeof(all_options),
                                       .max_arguments = 64};
    char *words[100], *text = sb_fuzz_text(bytes, n);
    int n_words = 0;
    for (char *word = text; word && n_words < 100; n_words++) {
        words[n_words] = word;
        word = strchr(word, '\n');
        if (word) *word++ = 0;
    }
    all_options values = {0};
    sb_arguments arguments;
    bool help = false, asks_help = false;
    for (int i = 0; i < n_words; i++) asks_help |= strcmp(words[i], "-h") == 0 || strcmp(words[i], "--help") == 0;
    if (!asks_help && sb_options_parse(&command, n_words, words, &values, &arguments, &help) == SB_OK)
        for (const sb_option *option = table; option->name; option++) {
            char shown[256];
            sb_option_text(option, &values, shown, sizeof shown);
        }
    free(text);
}

static void seed_options(void)
{
    static const char words[] =
        "--choice\ntwo\n--whole\n7\n--real=0.25\n--list\n3,4,5\n-t\ntext\n-n\na\n--size\n32x16\n--flag\nfile";
    sb_fuzz_seed("words", words, sizeof words - 1);
}

/* What a file of layers holds in one line is one such line, and has as many layers. */
static void fuzz_layers(const uint8_t *bytes, size_t n)
{
    sb_layer_text text;
    const char *path = sb_fuzz_put("own.layers", bytes, n), *at = text.text;
    char *line = sb_fuzz_text(bytes, n);
    (void)sb_layer_text_check(line);
    free(line);
    if (sb_layer_text_read(&text, path) != SB_OK) return;
    if (sb_layer_text_check(text.text) != SB_OK) abort();
    for (int i = 0; i < text.n; i++)
        if (!at || sb_layer_text_next(&at).id == SB_N_LAYERS) abort();
    if (at) abort();
}

static void seed_layers(void)
{
    static const char file[] = "# a network\nconv 16 3 bias\n  norm 4 frozen\ncelu 0.3\npool all\nresidual\nrelu\nend\n"
                               "conv 8 3 stride 2 depthwise\nlayernorm\ndropout 0.5\ndense classes plain\nscale 0.5\n"
                               "embedding 8 4\npointwise 24\nattention 2\npointwise tied\n";
    sb_fuzz_seed("file", file, sizeof file - 1);
    sb_fuzz_seed("line", "conv-16-3_norm_relu_pool-2_dense-classes", 40);
}

const sb_fuzz_target sb_fuzz_targets[] = {
    {"seal", fuzz_seal, seed_seal},
    {"journal", fuzz_journal, seed_journal},
    {"record", fuzz_record, seed_record},
    {"sums", fuzz_sums, NULL},
    {"table", fuzz_table, seed_table},
    {"text", fuzz_text, seed_text},
    {"options", fuzz_options, seed_options},
    {"layers", fuzz_layers, seed_layers},
    {NULL, NULL, NULL},
};
