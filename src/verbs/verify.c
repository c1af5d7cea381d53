#include "inspect/verify.h"
#include "core/options.h"
#include "core/plural.h"
#include "verbs/verbs.h"

#include <stdio.h>

typedef struct verify_options {
    bool seal;
} verify_options;

static const sb_option options[] = {
    SB_OPTION_FLAG(verify_options, seal, "--seal",
                   "put a seal before files of the first release, after what they say of themselves holds"),
    SB_OPTION_END,
};

typedef struct tally {
    const char *argument; /* what was asked for; a foreign file there is a failure, below a folder it is not */
    size_t n_held, n_failed, n_unread;
    sb_status unread;
} tally;

static void print_foreign(tally *t, const char *path)
{
    const bool was_named = t->argument == path;
    printf("%s: %snot of this package\n", path, was_named ? "FAILS: " : "");
    t->n_failed += was_named;
}

static void print(void *context, const char *path, sb_status status, const sb_verified *v)
{
    tally *t = context;
    if (status != SB_OK) {
        printf("%s\n", sb_message());
        t->n_unread++;
        t->unread = status;
    } else if (v->verdict == SB_FILE_FOREIGN) {
        print_foreign(t, path);
    } else if (v->verdict == SB_FILE_PLAIN) {
        printf("%s: %s: nothing in it is believed\n", path, v->kind);
    } else {
        const bool holds = v->verdict == SB_FILE_HOLDS;
        printf("%s: %s: %s%s\n", path, v->kind, holds ? "holds, " : "FAILS: ", v->said);
        t->n_held += holds;
        t->n_failed += !holds;
    }
}

static void adopt(tally *t, const char *path)
{
    sb_verified v;
    sb_status status = sb_verify_adopt(path, &v);
    if (status == SB_OK) {
        printf("%s: %s: sealed; %s\n", path, v.kind, v.said);
        t->n_held++;
    } else {
        printf("%s\n", sb_message());
        t->n_failed += status == SB_E_INTEGRITY;
        t->n_unread += status != SB_E_INTEGRITY;
        t->unread = status;
    }
}

static sb_status verify(const sb_call *call)
{
    const verify_options *o = call->values;
    tally t = {0};
    for (int i = 0; i < call->arguments.n; i++) {
        t.argument = call->arguments.item[i];
        if (o->seal)
            adopt(&t, t.argument);
        else
            SB_TRY(sb_verify_walk(t.argument, print, &t));
    }
    if (t.n_failed)
        return sb_fail(SB_E_INTEGRITY, "%zu file%s not as %s written", t.n_failed, t.n_failed == 1 ? " is" : "s are",
                       t.n_failed == 1 ? "it was" : "they were");
    if (t.n_unread) return sb_fail(t.unread, "%zu file%s could not be read", t.n_unread, sb_plural(t.n_unread));
    if (t.n_held) return SB_OK;
    return sb_fail(SB_E_EMPTY, "%s: no file of this package that could be checked", t.argument);
}

const sb_command sb_verb_verify = {
    .program = "samebits",
    .verb = "verify",
    .summary = "is every byte of runs, data sets, tables, archives as it was written?",
    .arguments = "FILE|FOLDER...",
    .options = options,
    .values_bytes = sizeof(verify_options),
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue =
        "One line a file: its kind, and that it holds or what is wrong. Folders are walked; what is not of this\n"
        "package is named, and is a failure only where it was given by name. Exit code: 0 all hold, 7 one fails,\n"
        "5 there is nothing to check.\n"
        "Files of the first release have no seal; --seal FILE puts one before such a run, checkpoint, data set or\n"
        "trace, and says what was proved of it and what was not.\n",
    .run = verify,
};
