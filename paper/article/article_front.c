/* Who wrote it, of what version and when, what ran, and the answer in the sentences of the page. */
#include "paper/article/article_parts.h"

#include "core/machine/version.h"
#include "paper/claims/answer.h"

#include <stdlib.h>
#include <string.h>

/* The values of a fact, "a (242 runs), b (40 runs)"; "not recorded" where there is none. */
static void write_fact(sb_writer *tex, const sb_machine_facts *facts, const char *macro, const char *name)
{
    size_t n = 0;
    sb_write(tex, "\\newcommand*\\%s{", macro);
    for (const sb_machine_fact *fact = facts->fact; fact < facts->fact + facts->n; fact++) {
        if (strcmp(fact->name, name) != 0) continue;
        sb_write(tex, n++ ? ", %s" : "%s", fact->value);
        if (fact->n_cells < facts->n_runs) sb_write(tex, " (%zu runs)", fact->n_cells);
    }
    sb_write(tex, n ? "}\n" : "not recorded}\n");
}

/* The sentences are plain text first: a sign of theirs means nothing to LaTeX then. */
static sb_status write_sentences(sb_writer *tex, const char *macro, const sb_answer *answer,
                                 void (*write)(sb_writer *out, const sb_answer *answer))
{
    char *text;
    sb_writer *plain = sb_writer_open(&sb_plain);
    write(plain, answer);
    SB_TRY(sb_writer_close(plain, macro, &text, NULL));
    sb_write(tex, "\\newcommand\\%s{%s}\n", macro, text);
    free(text);
    return SB_OK;
}

static void answer_in_words(sb_writer *out, const sb_answer *answer)
{
    sb_answer_write(out, answer, (sb_answer_form){0});
}

static void hardware_in_words(sb_writer *out, const sb_answer *answer)
{
    sb_answer_write_hardware(out, answer, (sb_answer_form){0});
}

sb_status sb_article_front(sb_writer *tex, const sb_report *report)
{
    sb_write(tex, "%% The front of the paper; written by samebits-report, see paper/article/article.h.\n");
    sb_write(tex, "\\newcommand*\\sbauthor{%s}\n\\newcommand*\\sblicence{%s}\n\\newcommand*\\sbkeywords{%s}\n",
             SB_CITATION_AUTHOR, SB_CITATION_LICENSE, SB_CITATION_KEYWORDS);
    sb_write(tex, "\\newcommand*\\sbdate{%s}\n\\newcommand*\\sbversion{%s}\n\\newcommand*\\sbrevision{%s}\n",
             SB_CITATION_DATE, sb_version(), sb_revision());
    sb_write(tex, "\\newcommand*\\sbmatrix{%s}\n\\newcommand*\\sbruns{%zu}\n",
             report->condition.matrix ? report->condition.matrix : "a matrix that is not named",
             report->results.n_cells);
    write_fact(tex, &report->facts, "sbrevisions", "revision");
    write_fact(tex, &report->facts, "sbmachine", "cpu");
    const sb_answer answer = sb_answer_of(&report->hardware, &report->results, &report->claims);
    SB_TRY(write_sentences(tex, "sbanswer", &answer, answer_in_words));
    SB_TRY(write_sentences(tex, "sbhardware", &answer, hardware_in_words));
    return write_sentences(tex, "sbgaps", &answer, sb_answer_write_gaps);
}
