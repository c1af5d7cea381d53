#include "core/text/json.h"
#include "core/text/plural.h"
#include "record/external_file.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct found_options {
    bool json;
} found_options;

static const sb_option options[] = {SB_OPTION_JSON(found_options), SB_OPTION_END};

static const sb_json_key keys[] = {
    {"path", SB_JSON_TEXT, "the recording"},
    {"complete", SB_JSON_FLAG, "the training reached its end"},
    {"last_update", SB_JSON_INTEGER, "of the last entry of its hash chain; null: it has none"},
    {"found", SB_JSON_LIST, "what was found in this one run"},
    {"found[].update", SB_JSON_INTEGER, "in this update"},
    {"found[].kind", SB_JSON_TEXT,
     "changed while saved, changed outside, uninitialised, unstable, more than rounding, resumed otherwise, not recorded "
     "or recording ended"},
    {"found[].operation", SB_JSON_TEXT, "the operation, or the node of the backward pass; empty: none"},
    {"found[].site", SB_JSON_TEXT, "file, line and function"},
    {"found[].tensor", SB_JSON_TEXT, "name of the tensor; empty: it has none"},
    {"found[].module", SB_JSON_TEXT, "path of the module in the network"},
    {"found[].text", SB_JSON_TEXT, "all of it in a sentence"},
    SB_JSON_END,
};

/* Findings of one kind at one place, such as a buffer that changes in each update, have one cause. */
static bool is_equal(const sb_found_row *a, const sb_found_row *b)
{
    static const int place[] = {SB_FOUND_KIND, SB_FOUND_OPERATION, SB_FOUND_SITE, SB_FOUND_MODULE};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        if (strcmp(a->text[place[i]], b->text[place[i]]) != 0) return false;
    const bool has_place = *a->text[SB_FOUND_OPERATION] && *a->text[SB_FOUND_SITE];
    return has_place || strcmp(a->text[SB_FOUND_TEXT], b->text[SB_FOUND_TEXT]) == 0;
}

/* The number of findings after row i that are equal to it; is_first: none before it is. */
static size_t count_equal(const sb_external *e, size_t i, bool *is_first)
{
    size_t n = 0;
    *is_first = true;
    for (size_t j = 0; j < i && *is_first; j++) *is_first = !is_equal(&e->found[j], &e->found[i]);
    for (size_t j = i + 1; j < e->n_found && *is_first; j++) n += is_equal(&e->found[j], &e->found[i]);
    return n;
}

static void print(const sb_external *e)
{
    for (size_t i = 0; i < e->n_found; i++) {
        const sb_found_row *row = &e->found[i];
        bool is_first;
        const size_t n_more = count_equal(e, i, &is_first);
        if (!is_first) continue;
        printf("update %lld: %s: %s", (long long)row->update, row->text[SB_FOUND_KIND], row->text[SB_FOUND_TEXT]);
        if (n_more) printf("; and %zu more, first in update %lld", n_more, (long long)row->update);
        printf("\n");
    }
    printf("%zu finding%s up to update %lld\n", e->n_found, sb_plural(e->n_found), (long long)sb_external_last(e));
}

static void write_row(sb_json *json, const sb_found_row *row)
{
    sb_json_object(json, NULL);
    sb_json_integer(json, "update", row->update);
    for (int k = 0; k < SB_FOUND_TEXTS; k++) sb_json_text(json, sb_found_names[k], row->text[k]);
    sb_json_end(json);
}

static sb_status judge(const sb_external *e, const char *path)
{
    if (!e->n_found) return SB_OK;
    return sb_fail(SB_E_DIFFERS, "%s: %zu finding%s", path, e->n_found, sb_plural(e->n_found));
}

static sb_status write(const sb_call *call, const sb_external *e)
{
    sb_json json = sb_json_begin(call->command);
    sb_json_text(&json, "path", call->arguments.item[0]);
    sb_json_flag(&json, "complete", e->complete);
    sb_json_integer_if(&json, "last_update", e->n_links ? sb_external_last(e) : 0, e->n_links);
    sb_json_list(&json, "found");
    for (size_t i = 0; i < e->n_found; i++) write_row(&json, &e->found[i]);
    sb_json_end(&json);
    return sb_json_print(&json, judge(e, call->arguments.item[0]));
}

static sb_status found(const sb_call *call)
{
    sb_external e;
    SB_TRY(sb_external_read_all(&e, call->arguments.item[0]));
    sb_status status;
    if (((const found_options *)call->values)->json) {
        status = write(call, &e);
    } else {
        print(&e);
        status = judge(&e, call->arguments.item[0]);
    }
    sb_external_free(&e);
    return status;
}

const sb_command sb_verb_found = {
    .program = "samebits",
    .verb = "found",
    .summary = "print the problems found in one recorded training of another program",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(found_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue =
        "Problems: a tensor changed before the backward pass read it; memory was read before it was written; an "
        "operation\n"
        "does not repeat its result; an error is larger than rounding; a resumed run did not start where it "
        "stopped.\n"
        "exit codes: 0 no problem, 1 problems\n",
    .json = keys,
    .run = found,
};
