#include "inspect/verify/verify.h"
#include "core/command/options.h"
#include "core/screen/screen.h"
#include "core/text/json.h"
#include "core/text/plural.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct verify_options {
    bool seal, json;
} verify_options;

static const sb_option options[] = {
    SB_OPTION_FLAG(verify_options, seal, "--seal", "add a seal to files of the first release, after checking them"),
    SB_OPTION_JSON(verify_options),
    SB_OPTION_END,
};

static const sb_json_key keys[] = {
    {"files", SB_JSON_LIST, "the files, in the order in which they were looked at"},
    {"files[].path", SB_JSON_TEXT, "path"},
    {"files[].kind", SB_JSON_TEXT, "run, data set, table, ...; null: it could not be read, or is not of this package"},
    {"files[].verdict", SB_JSON_TEXT, "holds, fails, sealed, not believed, foreign or unread"},
    {"files[].said", SB_JSON_TEXT, "what it holds, or what is wrong; null: there is nothing to say"},
    {"held", SB_JSON_INTEGER, "files that hold"},
    {"failed", SB_JSON_INTEGER, "files that do not, and foreign ones that were named"},
    {"unread", SB_JSON_INTEGER, "files that could not be read"},
    SB_JSON_END,
};

typedef struct tally {
    sb_json *json;        /* NULL: for people */
    const char *argument; /* what was asked for; a foreign file there is a failure, below a folder it is not */
    size_t n_held, n_failed, n_unread;
    sb_status unread;
} tally;

static void write_file(const tally *t, const char *path, const char *kind, const char *verdict, const char *said)
{
    sb_json_object(t->json, NULL);
    sb_json_text(t->json, "path", path);
    sb_json_text(t->json, "kind", kind);
    sb_json_text(t->json, "verdict", verdict);
    sb_json_text(t->json, "said", said);
    sb_json_end(t->json);
}

/* "holds, " and "FAILS: " have a color, all but their last two characters. */
static void print_line(const char *path, const char *kind, const char *between, const char *said)
{
    char word[32] = "";
    const size_t length = strlen(between) > 2 ? strlen(between) - 2 : 0;
    snprintf(word, sizeof word, "%.*s", (int)length, between);
    printf("%s: %s%s", path, kind ? kind : "", kind ? ": " : "");
    sb_screen_word(stdout, strcmp(word, "FAILS") == 0 ? SB_ROLE_BAD : SB_ROLE_GOOD, 0, word);
    printf("%s%s\n", between + length, said);
}

/* kind, verdict: for programs; between: for people, in front of what is said. */
static void tell(const tally *t, const char *path, const char *kind, const char *verdict, const char *between,
                 const char *said)
{
    if (t->json)
        write_file(t, path, kind, verdict, *said ? said : NULL);
    else
        print_line(path, kind, between, said);
}

static void tell_unread(tally *t, const char *path, sb_status status, const char *verdict)
{
    if (t->json)
        write_file(t, path, NULL, verdict, sb_message());
    else
        printf("%s\n", sb_message());
    t->unread = status;
}

static void tell_foreign(tally *t, const char *path)
{
    const bool was_named = t->argument == path;
    tell(t, path, NULL, "foreign", was_named ? "FAILS: " : "", "not of this package");
    t->n_failed += was_named;
}

static void print(void *context, const char *path, sb_status status, const sb_verified *v)
{
    tally *t = context;
    if (status != SB_OK) {
        tell_unread(t, path, status, "unread");
        t->n_unread++;
    } else if (v->verdict == SB_FILE_FOREIGN) {
        tell_foreign(t, path);
    } else if (v->verdict == SB_FILE_PLAIN) {
        tell(t, path, v->kind, "not believed", "", "nothing in it is believed");
    } else {
        const bool holds = v->verdict == SB_FILE_HOLDS;
        tell(t, path, v->kind, holds ? "holds" : "fails", holds ? "holds, " : "FAILS: ", v->said);
        t->n_held += holds;
        t->n_failed += !holds;
    }
}

static void adopt(tally *t, const char *path)
{
    sb_verified v;
    sb_status status = sb_verify_adopt(path, &v);
    if (status == SB_OK) {
        tell(t, path, v.kind, "sealed", "sealed; ", v.said);
        t->n_held++;
    } else {
        tell_unread(t, path, status, status == SB_E_INTEGRITY ? "fails" : "unread");
        t->n_failed += status == SB_E_INTEGRITY;
        t->n_unread += status != SB_E_INTEGRITY;
    }
}

static sb_status look(tally *t, const sb_arguments *arguments, bool seal)
{
    for (int i = 0; i < arguments->n; i++) {
        t->argument = arguments->item[i];
        if (seal)
            adopt(t, t->argument);
        else
            SB_TRY(sb_verify_walk(t->argument, print, t));
    }
    return SB_OK;
}

static sb_status judge(const tally *t)
{
    if (t->n_failed)
        return sb_fail(SB_E_INTEGRITY, "%zu file%s not as %s written", t->n_failed, t->n_failed == 1 ? " is" : "s are",
                       t->n_failed == 1 ? "it was" : "they were");
    if (t->n_unread) return sb_fail(t->unread, "%zu file%s could not be read", t->n_unread, sb_plural(t->n_unread));
    if (t->n_held) return SB_OK;
    return sb_fail(SB_E_EMPTY, "%s: no file of this package that could be checked", t->argument);
}

static sb_status write_verdicts(const sb_call *call, bool seal)
{
    sb_json json = sb_json_begin(call->command);
    tally t = {.json = &json};
    sb_json_list(&json, "files");
    sb_status status = look(&t, &call->arguments, seal);
    sb_json_end(&json);
    if (status != SB_OK) return sb_json_drop(&json, status);
    sb_json_integer(&json, "held", (int64_t)t.n_held);
    sb_json_integer(&json, "failed", (int64_t)t.n_failed);
    sb_json_integer(&json, "unread", (int64_t)t.n_unread);
    return sb_json_print(&json, judge(&t));
}

static sb_status verify(const sb_call *call)
{
    const verify_options *o = call->values;
    tally t = {0};
    if (o->json) return write_verdicts(call, o->seal);
    SB_TRY(look(&t, &call->arguments, o->seal));
    return judge(&t);
}

const sb_command sb_verb_verify = {
    .program = "samebits",
    .verb = "verify",
    .summary = "check that files are exactly as they were written",
    .arguments = "FILE|FOLDER...",
    .options = options,
    .values_bytes = sizeof(verify_options),
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue =
        "Prints one line for each file: its kind, and that it holds or what is wrong. Folders are searched. Files of "
        "other\n"
        "programs are named; they are a failure only if you named them.\n"
        "Files of the first release have no seal; --seal FILE adds one and prints what was checked and what was "
        "not.\n"
        "exit codes: 0 all hold, 5 nothing to check, 7 a file fails\n",
    .json = keys,
    .run = verify,
};
