#include "paper/page/page.h"

#include "core/text/plural.h"
#include "paper/effects/measures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- claims -- */

static void write_side(sb_writer *page, const sb_arm *arm)
{
    sb_write(page, "%s, %s, %s", arm->group->study, arm->setting->label, sb_target_name[arm->target]);
}

/* The ratio of a part has a number of its own; its label is the claim's and what tells the part from the others. */
static void write_part(sb_writer *page, const sb_numbers *numbers, const sb_finding *part)
{
    sb_write(page, "<li>");
    write_side(page, part->of);
    sb_write(page, " divided by ");
    write_side(page, part->over);
    sb_write(page, ": ");
    sb_page_entry(page, numbers, SB_HTML_PRINTED, "%s", part->label);
    sb_write(page, ", <b>%s</b>: %s</li>\n", sb_outcome_name[part->outcome], part->words);
}

/* In one line what came out; folded below it each comparison. */
static void write_parts(sb_writer *page, const sb_numbers *numbers, const sb_claim_result *result)
{
    sb_write(page, "<details><summary>%s</summary><ul>\n", result->words);
    for (size_t i = 0; i < result->n_parts; i++) write_part(page, numbers, &result->part[i]);
    sb_write(page, "</ul></details>");
}

static void write_pool(sb_writer *page, const sb_claim_pool *pool)
{
    char text[SB_POOL_TEXT];
    if (sb_claim_pool_text(pool, text))
        sb_write(page, "<p class=\"quiet\">Standard deviations of the log ratio: %s.</p>", text);
}

/* A claim that no run recorded is marked: its results could be known. */
static void write_registered(sb_writer *page, const sb_claim_result *result)
{
    if (!*result->registered) return;
    if (result->n_runs && result->n_registered == 0)
        sb_write(page, "<p class=\"warning\">Warning: %s. The results could be known.</p>", result->registered);
    else
        sb_write(page, "<p class=\"quiet\">%s</p>", result->registered);
}

static void write_claim(sb_writer *page, const sb_numbers *numbers, const sb_claim_result *result)
{
    sb_write(page, "<tr>");
    sb_page_word(page, result->claim->by);
    sb_write(page, "<td>%s</td><td class=\"word outcome-%d\">", result->claim->text, (int)result->outcome);
    sb_page_entry(page, numbers, SB_HTML_PRINTED, "claim.%s", result->claim->name);
    sb_write(page, "</td><td>");
    write_parts(page, numbers, result);
    write_pool(page, &result->pool);
    for (size_t i = 0; i < result->n_parts; i++)
        if (sb_claims_margin(result, i))
            sb_write(page, "<p class=\"quiet\">Margin: %s.</p>", sb_claims_margin(result, i));
    write_registered(page, result);
    if (*result->planned) sb_write(page, "<p class=\"quiet\">%s</p>", result->planned);
    if (*result->absent) sb_write(page, "<p class=\"quiet\">Not in the tables: %s</p>", result->absent);
    if (result->claim->why) sb_write(page, "<p class=\"quiet\">%s</p>", result->claim->why);
    if (result->claim->uncounted)
        sb_write(page, "<p class=\"quiet\">Not counted among the claims of the answer: %s.</p>",
                 result->claim->uncounted);
    sb_write(page, "</td></tr>\n");
}

/* "6 wait for hardware" of the claims without a comparison: no run says anything of them. */
static size_t write_open(sb_writer *page, const sb_claims *claims)
{
    size_t n = 0, n_waiting = 0;
    for (const sb_claim_result *r = claims->result; r < claims->result + claims->n; r++) {
        n += r->n_parts == 0;
        n_waiting += r->n_parts == 0 && r->outcome == SB_OUTCOME_HARDWARE_MISSING;
    }
    if (n == 0) return 0;
    sb_write(page, "<details id=\"claims-open\"><summary>%zu claim%s that these results cannot judge", n, sb_plural(n));
    if (n_waiting) sb_write(page, "; %zu wait%s for hardware", n_waiting, n_waiting == 1 ? "s" : "");
    sb_write(page, "</summary>\n<ul>\n");
    return n;
}

static void write_open_claims(sb_writer *page, const sb_report *report)
{
    if (write_open(page, &report->claims) == 0) return;
    for (const sb_claim_result *r = report->claims.result; r < report->claims.result + report->claims.n; r++) {
        if (r->n_parts) continue;
        sb_write(page, "<li>%s (%s): <b>", r->claim->text, r->claim->by);
        sb_write(page, "<a class=\"n\" href=\"#n-claim.%s\">%s</a></b>, %s</li>\n", r->claim->name,
                 r->outcome == SB_OUTCOME_HARDWARE_MISSING ? sb_outcome_name[r->outcome] : "no runs", r->words);
    }
    sb_write(page, "</ul>\n</details>\n");
}

/* Are claims of the published study among them? */
static bool has_published(const sb_claims *claims)
{
    for (size_t i = 0; i < claims->n; i++)
        if (strcmp(claims->result[i].claim->by, "paper") == 0) return true;
    return false;
}

void sb_page_claims(sb_writer *page, const sb_report *report, sb_page_count *count)
{
    static const char *const heading[] = {"claimed by", "claim", "outcome", "evidence", NULL};
    size_t n_judged = 0;
    if (report->claims.n == 0) return;
    for (size_t i = 0; i < report->claims.n; i++) n_judged += report->claims.result[i].n_parts > 0;
    sb_write(page, "<section id=\"claims\">\n<h2>Claims</h2>\n");
    if (n_judged) {
        sb_page_caption(page, count);
        sb_write(
            page,
            "%s, and the outcomes: %zu of %zu claims have runs in these results. \"Greater\" is tested one-sided; "
            "\"no difference\" holds if no difference is found, as in the published study; \"equivalent\" holds only "
            "if a difference as large as the margin is rejected.",
            has_published(&report->claims) ? "What the paper, its retraction and this package claim"
                                           : "What was claimed",
            n_judged, report->claims.n);
        sb_page_table(page, "claims", count, heading);
        for (size_t i = 0; i < report->claims.n; i++)
            if (report->claims.result[i].n_parts) write_claim(page, &report->numbers, &report->claims.result[i]);
        sb_page_table_end(page);
    }
    write_open_claims(page, report);
    sb_write(page, "</section>\n");
}

/* -- spread by source -- */

/* A row for each loss, one where both are alike. */
static void write_source(sb_writer *page, const sb_numbers *numbers, const sb_source_spread *spread, int source,
                         bool begins)
{
    static const char *const part[] = {"", ".share"};
    const sb_spread_row *row = &spread->row[source];
    const bool alike = row->sd[SB_METRIC_LAST] == row->sd[SB_METRIC_MEAN];
    for (int m = 0; m < (alike ? 1 : SB_N_METRICS); m++) {
        sb_write(page, begins && m == 0 ? "<tr class=\"begins\">" : "<tr>");
        sb_page_word(page, spread->recipe);
        sb_page_word(page, sb_source_name[source]);
        sb_page_word(page, sb_evidence_name[row->evidence]);
        sb_page_whole(page, (long)row->n_pairs);
        sb_page_word(page, alike ? "loss" : sb_metric_title[m]);
        for (int k = 0; k < 2; k++)
            sb_page_entry_cell(page, numbers, SB_HTML_VALUE, "spread.%s.%s.%s%s", spread->part, sb_source_name[source],
                               sb_metric_part[m], part[k]);
        sb_write(page, "</tr>\n");
    }
}

void sb_page_spread(sb_writer *page, const sb_report *report, sb_page_count *count)
{
    static const char *const heading[] = {"what was trained", "source", "evidence", "#pairs", "of",
                                          "#sd of log loss",  "#share", NULL};
    const sb_spreads *spreads = &report->spreads;
    size_t n = 0;
    for (size_t i = 0; i < spreads->n; i++)
        for (int source = 0; source < SB_N_SOURCES; source++) n += spreads->spread[i].row[source].n_pairs > 0;
    if (n == 0) return;
    sb_write(page, "<details><summary>%zu source%s of variation in numbers</summary>\n", n, sb_plural(n));
    sb_page_caption(page, count);
    sb_write(page, "Spread of the final losses from one source of variation alone: standard deviation of the log loss "
                   "(times 100: percent), and its share of the variance of all sources of that recipe.");
    sb_page_table(page, "spread", count, heading);
    for (size_t i = 0; i < spreads->n; i++) {
        bool begins = i > 0;
        for (int source = 0; source < SB_N_SOURCES; source++) {
            if (spreads->spread[i].row[source].n_pairs == 0) continue;
            write_source(page, &report->numbers, &spreads->spread[i], source, begins);
            begins = false;
        }
    }
    sb_page_table_end(page);
    sb_write(page, "</details>\n");
}

/* -- batches -- */

void sb_page_batches(sb_writer *page, const sb_report *report, sb_page_count *count)
{
    static const char *const heading[] = {
        "optimizer", "#batch", "learning rate", "#runs", "#% wrong", "#points more than at the smallest", NULL};
    sb_page_caption(page, count);
    sb_write(page, "Percent of wrong test images, mean over the runs of a condition, and the increase in percentage "
                   "points over the smallest batch of the same optimizer and seeds. 95 %% intervals are in brackets.");
    sb_page_table(page, "batch", count, heading);
    for (const sb_batch_line *line = report->batches.line; line < report->batches.line + report->batches.n; line++)
        for (const sb_batch_arm *arm = line->arm; arm < line->arm + line->n; arm++) {
            const sb_result *cell = arm->arm->cell[0];
            char lr[32];
            sb_write(page, "<tr>");
            sb_page_word(page, line->name);
            sb_page_whole(page, cell->batch);
            snprintf(lr, sizeof lr, "%.6g", strtod(cell->lr, NULL));
            sb_page_word(page, lr);
            sb_page_whole(page, (long)arm->arm->n);
            sb_page_entry_cell(page, &report->numbers, SB_HTML_PRINTED, "batch.%s.%s.error", arm->arm->group->part,
                               arm->arm->setting->part);
            if (arm->n_pairs)
                sb_page_entry_cell(page, &report->numbers, SB_HTML_PRINTED, "batch.%s.%s.rise", arm->arm->group->part,
                                   arm->arm->setting->part);
            else
                sb_page_word(page, "");
            sb_write(page, "</tr>\n");
        }
    sb_page_table_end(page);
}

/* -- published numbers -- */

static void write_record(sb_writer *page, const sb_numbers *numbers, const sb_published_record *record)
{
    bool claim = record->kind == SB_PUBLISHED_CLAIM;
    sb_write(page, "<tr><td>%s</td>", record->what);
    sb_page_word(page, sb_published_kind_name[record->kind]);
    sb_page_entry_cell(page, numbers, SB_HTML_PRINTED, "published.%s", record->label);
    sb_page_word(page, claim || !record->unit ? "" : record->unit);
    sb_write(page, "<td>%s</td></tr>\n", record->source);
}

void sb_page_published(sb_writer *page, const sb_report *report, sb_page_count *count)
{
    static const char *const heading[] = {"what", "kind", "#value", "unit", "source", NULL};
    const sb_published *published = &report->published;
    if (published->n == 0) return;
    sb_write(page,
             "<details id=\"published\"><summary>Published by others: %zu record%s, in no number above</summary>\n",
             published->n, sb_plural(published->n));
    sb_page_caption(page, count);
    sb_write(page, "Numbers and claims of others, as their sources give them; a claim has no number.");
    sb_page_table(page, "published", count, heading);
    for (size_t i = 0; i < published->n; i++) write_record(page, &report->numbers, &published->record[i]);
    sb_page_table_end(page);
    sb_write(page, "</details>\n");
}
