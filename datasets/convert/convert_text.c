#include "core/hash.h"
#include "datasets/catalog/catalog.h"
#include "datasets/convert/convert.h"
#include "datasets/convert/text_source.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct values {
    const char *from, *cache, *output, *as;
    bool as_typed;
    sb_text_split split;
    sb_origin_given given;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, from, "--from", "DIR", NULL, "without FILE: folder of input.txt; default: the cache"),
    SB_OPTION_ROW("--as", 0, SB_KIND_CHOICE, offsetof(values, as), "characters|bytes", "characters", 0, 0,
                  "what a token is: a character of UTF-8, or a byte; with --table as in that data set", false,
                  offsetof(values, as_typed)),
    SB_TEXT_HOLD_OUT_OPTION(values),
    SB_OPTION_TEXT(values, split.table, "--table", "FILE.h5", NULL,
                   "data set whose characters are taken, so that a run of that one can read this text"),
    SB_OPTION_TEXT(values, cache, "--cache", "DIR", NULL, "cache folder; default: $SAMEBITS_CACHE, else 'cache'"),
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "text.h5", "data set file to write"),
    SB_ORIGIN_OPTIONS(values),
    SB_OPTION_END,
};

/* Texts that are joined, and what is recorded of their files. */
typedef struct input {
    sb_text_source text;
    sb_sources sources;
    char names[SB_ORIGIN_INPUTS], fetched[SB_PATH_MAX];
    bool is_known; /* one file, the catalog's */
} input;

static sb_status add_file(input *in, const char *path, const sb_catalog_file *known)
{
    char *bytes, hex[SB_SHA256_TEXT];
    size_t n;
    SB_TRY(sb_file_check_input(path));
    SB_TRY(sb_sources_add(&in->sources, path));
    SB_TRY(sb_file_read(path, &bytes, &n));
    sb_sha256_bytes(bytes, n, hex);
    in->is_known = in->sources.n_files == 1 && strcmp(hex, known->sha256) == 0;
    sb_origin_add_input(in->names, path);
    const sb_status status =
        n ? sb_text_source_append(&in->text, path, bytes, n) : sb_fail(SB_E_USAGE, "%s: empty", path);
    free(bytes);
    return status;
}

/* Without a file: the catalog's, from the cache or a folder. */
static sb_status add_fetched(input *in, const values *v, const sb_catalog_entry *entry)
{
    char folder[SB_PATH_MAX], *path = in->fetched;
    sb_catalog_folder(entry, v->cache, folder);
    if (snprintf(path, SB_PATH_MAX, "%s/%s", v->from ? v->from : folder, entry->file->name) >= SB_PATH_MAX)
        return sb_file_too_long(folder);
    if (!sb_file_exists(path))
        return sb_fail(SB_E_MISSING, "%s: not there; run 'samebits-data fetch %s', or name your own text", path,
                       entry->name);
    SB_TRY(add_file(in, path, entry->file));
    if (in->is_known) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: its sha256 is not %s: another file", path, entry->file->sha256);
}

static sb_status read_files(input *in, const sb_call *call, const sb_catalog_entry *entry)
{
    const values *v = call->values;
    if (call->arguments.n == 0) return add_fetched(in, v, entry);
    if (v->from) return sb_fail(SB_E_USAGE, "samebits-data convert text: --from is for no FILE");
    for (int i = 0; i < call->arguments.n; i++) SB_TRY(add_file(in, call->arguments.item[i], entry->file));
    return SB_OK;
}

/* What a token is, and whether the table's file may be read. */
static sb_status settle_split(values *v)
{
    v->split.is_bytes = strcmp(v->as, "bytes") == 0;
    if (!v->split.table) return SB_OK;
    SB_TRY(sb_file_check_apart(v->output, v->split.table));
    SB_TRY(sb_text_split_settle(&v->split, v->as_typed));
    v->as = v->split.is_bytes ? "bytes" : "characters"; /* for the record */
    return SB_OK;
}

static sb_status convert_text(const sb_call *call)
{
    values *v = call->values;
    const sb_catalog_entry *entry;
    SB_TRY(sb_catalog_find("shakespeare", &entry));
    SB_TRY(settle_split(v));
    input in = {.text.output = v->output, .sources.output = v->output};
    sb_status status = read_files(&in, call, entry);
    if (status == SB_OK) {
        sb_provenance provenance = {.kind = "text", .sources = &in.sources, .command = call->command, .values = v};
        sb_origin_settle(&provenance, &v->given, in.is_known ? entry : NULL, in.is_known, v->output, in.names);
        status = sb_text_source_write(&in.text, &v->split, &provenance);
    }
    sb_sources_free(&in.sources);
    sb_text_source_free(&in.text);
    return status;
}

const sb_command sb_verb_convert_text = {
    .program = "samebits-data",
    .verb = "convert text",
    .summary = "convert texts, joined one after the other, into one data set, text.h5",
    .arguments = "[FILE...]",
    .options = options,
    .values_bytes = sizeof(values),
    .max_arguments = SB_TEXT_FILES,
    .epilogue = "Without FILE it converts the file of 'samebits-data fetch shakespeare'.\n"
                "A text has at most 256 different characters. Of another one the tokens are bytes: --as bytes\n"
                "examples:\n"
                "  samebits-data convert text book.txt -o book.h5\n"
                "  samebits-data convert text other.txt --table book.h5 -o other.h5\n",
    .run = convert_text,
};
