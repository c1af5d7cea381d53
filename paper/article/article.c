#include "paper/article/article.h"

#include "core/machine/version.h"
#include "paper/claims/question.h"
#include "paper/files/latex.h"
#include "paper/files/output.h"

#include <stdlib.h>
#include <string.h>

/* Who wrote it, of what version and when, what ran, and the answer in the sentences of the page. */

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
static void write_sentences(sb_writer *tex, const char *macro, sb_writer *plain)
{
    char *text;
    if (sb_writer_close(plain, macro, &text, NULL) != SB_OK) {
        sb_writer_fail(tex);
        return;
    }
    sb_write(tex, "\\newcommand\\%s{%s}\n", macro, text);
    free(text);
}

static void write_front(sb_writer *tex, const sb_report *report)
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
    const sb_question hardware = sb_question_of_hardware(&report->claims, &report->hardware);
    sb_writer *words[] = {sb_writer_open(&sb_plain), sb_writer_open(&sb_plain), sb_writer_open(&sb_plain)};
    sb_question_write_answer(words[0], &hardware, NULL);
    for (const sb_claim_result *r = NULL; (r = sb_question_next(&hardware, r));) {
        sb_question_write_claim(words[1], r, NULL);
        sb_write(words[1], " ");
    }
    sb_question_write_gaps(words[2], &hardware);
    write_sentences(tex, "sbanswer", words[0]);
    write_sentences(tex, "sbhardware", words[1]);
    write_sentences(tex, "sbgaps", words[2]);
}

/* The supplement: every claim with its rule, its outcome, and each of its comparisons. */

/* "full, native: shared", and which of them are emulated. */
static void write_side(sb_writer *tex, const sb_arm *arm)
{
    const sb_evidence evidence = arm->cell[0]->evidence;
    sb_write(tex, "%s, %s, %s", arm->group->study, arm->setting->label, sb_target_name[arm->target]);
    if (evidence != SB_EVIDENCE_MEASURED) sb_write(tex, "\\textsuperscript{%c}", sb_evidence_name[evidence][0]);
}

static void write_comparison(sb_writer *tex, const sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    char ratio[SB_VERDICT_TEXT];
    sb_verdict_ratio_text(v, ratio);
    write_side(tex, part->of);
    sb_write(tex, " & ");
    write_side(tex, part->over);
    sb_write(tex, " & %zu %s & %s & ", v->n, v->paired ? "pairs" : "runs", ratio);
    if (v->word == SB_VERDICT_SAME_BITS)
        sb_write(tex, "--");
    else
        sb_write(tex, "%s", sb_number_p(v->p).text);
    sb_write(tex, " & %s\\\\\n", sb_verdict_name[v->word]);
}

static void write_pool(sb_writer *tex, const sb_claim_pool *pool)
{
    char text[SB_POOL_TEXT];
    if (sb_claim_pool_text(pool, text)) sb_write(tex, " Standard deviations of the log ratio: %s.", text);
}

static void write_claim(sb_writer *tex, const sb_claim_result *r)
{
    const sb_claim *claim = r->claim;
    char of[128], over[128];
    sb_selector_text(&claim->of, of, sizeof of);
    sb_selector_text(&claim->over, over, sizeof over);
    sb_write(tex, "\\sbclaimhead{%s}{%s}{%s}{%s}\n", claim->text, claim->by, claim->name, sb_outcome_name[r->outcome]);
    sb_write(tex, "\\sbclaimrule{The %s of runs with %s, over that of runs with %s. Relation: %s. What came of it: %s.",
             sb_metric_title[r->metric], of, over, claim->relation, r->words);
    write_pool(tex, &r->pool);
    for (size_t i = 0; i < r->n_parts; i++)
        if (sb_claims_margin(r, i)) sb_write(tex, " Margin: %s.", sb_claims_margin(r, i));
    if (*r->registered) sb_write(tex, " It was %s.", r->registered);
    if (claim->why) sb_write(tex, " Note: %s.", claim->why);
    if (claim->uncounted) sb_write(tex, " Not counted: %s.", claim->uncounted);
    sb_write(tex, "}\n");
    for (size_t i = 0; i < r->n_parts; i++) write_comparison(tex, &r->part[i]);
    sb_write(tex, "\\addlinespace\n");
}

/* "11 reproduced, 6 hardware missing" */
static void write_counts(sb_writer *tex, const sb_claims *claims)
{
    size_t count[SB_N_OUTCOMES], n = 0;
    const size_t n_uncounted = sb_claims_count(claims, count);
    sb_write(tex, "\\newcommand\\sbclaimcounts{");
    for (int o = 0; o < SB_N_OUTCOMES; o++)
        if (count[o]) sb_write(tex, n++ ? ", %s: %zu" : "%s: %zu", sb_outcome_name[o], count[o]);
    if (n_uncounted) sb_write(tex, "; not counted: %zu", n_uncounted);
    sb_write(tex, "}\n\\newcommand\\sbnclaims{%zu}\n", claims->n);
}

/* Claims that could not be compared with any run here. */
static void write_note(sb_writer *tex, const sb_claims *claims)
{
    size_t n_judged = 0;
    for (size_t i = 0; i < claims->n; i++) n_judged += claims->result[i].n_parts > 0;
    sb_write(tex, "\\newcommand\\sbclaimsnote{");
    if (claims->n == 0)
        sb_write(tex, "No claim was judged for this copy of the paper: no file of claims was named, or the one that "
                      "was is empty.");
    else if (n_judged == 0)
        sb_write(tex, "None of these %zu claims has runs in these results, so none of them is decided.", claims->n);
    else if (n_judged < claims->n)
        sb_write(tex, "Of these %zu claims, %zu have runs in these results; what the others lack stands with each.",
                 claims->n, n_judged);
    sb_write(tex, "}\n");
}

static void write_supplement(sb_writer *tex, const sb_report *report)
{
    sb_write(tex, "%% The claims in full; written by samebits-report, see paper/article/article.h.\n");
    write_counts(tex, &report->claims);
    write_note(tex, &report->claims);
    sb_write(tex, "\\newcommand\\sbeveryclaim{");
    for (size_t i = 0; i < report->claims.n; i++) write_claim(tex, &report->claims.result[i]);
    sb_write(tex, "}\n");
}

/* \sb@figure@NAME holds the figure's caption. */
static void write_caption(sb_writer *tex, const sb_figure *figure)
{
    sb_write(tex, "\\@namedef{sb@figure@%s}{%s}\n", figure->name, figure->caption);
}

/* A grid of frames is a figure too. */
static void write_grid_caption(sb_writer *tex, const sb_group *group, const sb_frame_grid *grid)
{
    char name[SB_FIGURE_NAME];
    if (grid->n_rows == 0) return;
    sb_report_grid_name(group, name, sizeof name);
    sb_write(tex,
             "\\@namedef{sb@figure@%s}{Frames %lld to %lld of the data and what the networks gave for them, seed %ld. "
             "Rows from above: ",
             name, (long long)grid->frame[0], (long long)grid->frame[grid->n_columns - 1],
             grid->n_rows > 1 ? grid->seed[1] : 0);
    for (size_t row = 0; row < grid->n_rows; row++) sb_write(tex, row ? "; %s" : "%s", grid->label[row]);
    sb_write(tex, ".");
    sb_grid_write_differences(tex, grid);
    sb_write(tex, "}\n");
}

static void write_captions(sb_writer *tex, const sb_report *report)
{
    sb_write(
        tex,
        "%% The captions of the figures; written by samebits-report, see paper/article/article.h.\n\\makeatletter\n");
    for (size_t i = 0; i < report->figures.n; i++) write_caption(tex, &report->figures.figure[i]);
    for (size_t i = 0; i < report->arms.n_groups; i++)
        write_grid_caption(tex, &report->arms.group[i], &report->grid[i]);
    sb_write(tex, "\\makeatother\n");
}

static sb_status write_part(const sb_report *report, const char *folder, const char *name,
                            void (*write)(sb_writer *tex, const sb_report *report))
{
    sb_output output;
    SB_TRY(sb_output_begin(&output, folder, name, &sb_latex));
    write(output.out, report);
    return sb_output_end(&output, SB_OK);
}

static sb_status copy_text(const char *text, const char *folder)
{
    char path[SB_PATH_MAX];
    SB_FREED char *content = NULL;
    size_t n_bytes;
    if (!sb_file_exists(text)) return sb_fail(SB_E_USAGE, "%s: no such file; --text names the paper's text", text);
    SB_TRY(sb_path_join(path, folder, "paper.tex"));
    SB_TRY(sb_file_read(text, &content, &n_bytes));
    return sb_file_write(path, content, n_bytes);
}

sb_status sb_article_write(sb_report *report, const char *text, const char *folder)
{
    char figures[SB_PATH_MAX];
    SB_TRY(sb_path_join(figures, folder, "figures"));
    SB_TRY(sb_folder_make(figures));
    SB_TRY(copy_text(text, folder));
    SB_TRY(sb_report_draw(report, figures));
    for (size_t i = 0; i < report->figures.n; i++) SB_TRY(sb_latex_picture(figures, report->figures.figure[i].name));
    SB_TRY(sb_numbers_write(&report->numbers, folder));
    SB_TRY(write_part(report, folder, "figures.tex", write_captions));
    SB_TRY(write_part(report, folder, "tables.tex", sb_article_tables));
    SB_TRY(sb_report_read_facts(report));
    SB_TRY(write_part(report, folder, "front.tex", write_front));
    SB_TRY(write_part(report, folder, "supplement.tex", write_supplement));
    return sb_latex_build(folder, "paper");
}
