#include "paper/html_parts.h"

#include "core/plural.h"
#include "paper/measures.h"

#include <math.h>
#include <string.h>

/* -- claims -- */

static void write_side(FILE *page, const sb_group *group, const sb_setting *setting, const sb_arm *arm)
{
    sb_html_text(page, group->study);
    fputs(", ", page);
    sb_html_text(page, setting->label);
    fprintf(page, ", %s", sb_target_name[arm->cell[0]->target]);
}

/* The ratio of a part has a number of its own; its label is the claim's and what tells the part from the others. */
static void write_part(FILE *page, const sb_numbers *numbers, const sb_claim_result *result, const sb_claim_part *part)
{
    char label[SB_NUMBER_LABEL];
    sb_claims_part_label(result, part, label);
    fputs("<li>", page);
    write_side(page, part->of_group, part->of_setting, part->of);
    fputs(" over ", page);
    write_side(page, part->over_group, part->over_setting, part->over);
    fputs(": ", page);
    sb_html_entry(page, numbers, SB_HTML_PRINTED, "%s", label);
    fprintf(page, ", p = %.3g, %s; <em>%s</em>: ", part->verdict.p, sb_outcome_name[part->outcome],
            sb_verdict_name[part->verdict.word]);
    sb_html_text(page, part->verdict.reason);
    fputs("</li>\n", page);
}

static void write_parts(FILE *page, const sb_numbers *numbers, const sb_claim_result *result)
{
    if (result->n_parts == 0) return;
    fprintf(page, "<details><summary>%zu comparison%s</summary><ul>\n", result->n_parts, sb_plural(result->n_parts));
    for (size_t i = 0; i < result->n_parts; i++) write_part(page, numbers, result, &result->part[i]);
    fputs("</ul></details>", page);
}

static void write_claim(FILE *page, const sb_numbers *numbers, const sb_claim_result *result)
{
    fputs("<tr>", page);
    sb_html_word(page, result->claim->by);
    fputs("<td>", page);
    sb_html_text(page, result->claim->text);
    fprintf(page, "</td><td class=\"word outcome-%d\">", (int)result->outcome);
    sb_html_entry(page, numbers, SB_HTML_PRINTED, "claim.%s", result->claim->name);
    fputs("</td><td>", page);
    sb_html_text(page, result->words);
    if (result->claim->why) {
        fputs("<br><span class=\"quiet\">", page);
        sb_html_text(page, result->claim->why);
        fputs("</span>", page);
    }
    write_parts(page, numbers, result);
    fputs("</td></tr>\n", page);
}

void sb_html_claims(FILE *page, const sb_report *report, sb_html_count *count)
{
    static const char *const heading[] = {"who says so", "claim", "outcome", "behind it", NULL};
    if (report->claims.n == 0) return;
    fputs("<section id=\"claims\">\n<h2>Claims</h2>\n", page);
    sb_html_caption(page, count);
    fputs("What the paper, its retraction and this package claim, and what these results say to it. A claim that could "
          "only be tested on hardware that was not there says so.",
          page);
    sb_html_table(page, "claims", count, heading);
    for (size_t i = 0; i < report->claims.n; i++) write_claim(page, &report->numbers, &report->claims.result[i]);
    sb_html_table_end(page);
    fputs("</section>\n", page);
}

/* -- spread by source -- */

static void write_source(FILE *page, const sb_numbers *numbers, const sb_spread *spread, int source)
{
    const sb_spread_row *row = &spread->row[source];
    fputs("<tr>", page);
    sb_html_word(page, spread->recipe);
    sb_html_word(page, sb_source_name[source]);
    sb_html_word(page, sb_evidence_name[row->evidence]);
    sb_html_whole(page, (long)row->n_pairs);
    for (int m = 0; m < SB_N_METRICS; m++) {
        sb_html_entry_cell(page, numbers, SB_HTML_VALUE, "spread.%s.%s.%s", spread->part, sb_source_name[source],
                           sb_metric_part[m]);
        sb_html_entry_cell(page, numbers, SB_HTML_VALUE, "spread.%s.%s.%s.share", spread->part, sb_source_name[source],
                           sb_metric_part[m]);
    }
    fputs("</tr>\n", page);
}

void sb_html_spread(FILE *page, const sb_report *report, sb_html_count *count)
{
    static const char *const left[] = {"what was trained", "source", "evidence", "#pairs", NULL};
    static const char *const heading[] = {"#sd of log loss", "#share", NULL};
    const sb_spreads *spreads = &report->spreads;
    size_t n = 0;
    for (size_t i = 0; i < spreads->n; i++)
        for (int source = 0; source < SB_N_SOURCES; source++) n += spreads->spread[i].row[source].n_pairs > 0;
    if (n == 0) return;
    sb_html_caption(page, count);
    fputs("How far final losses come apart by one source of variation alone: standard deviation of the log loss (times "
          "100: percent), and its part of the variance of all sources measured for that recipe.",
          page);
    sb_html_table_losses(page, "spread", count, left, heading, NULL);
    for (size_t i = 0; i < spreads->n; i++)
        for (int source = 0; source < SB_N_SOURCES; source++)
            if (spreads->spread[i].row[source].n_pairs)
                write_source(page, &report->numbers, &spreads->spread[i], source);
    sb_html_table_end(page);
}

/* -- published numbers -- */

static void write_record(FILE *page, const sb_numbers *numbers, const sb_published_record *record)
{
    bool claim = record->kind == SB_PUBLISHED_CLAIM;
    fputs("<tr><td>", page);
    sb_html_text(page, record->what);
    fputs("</td>", page);
    sb_html_word(page, sb_published_kind_name[record->kind]);
    sb_html_entry_cell(page, numbers, SB_HTML_PRINTED, "published.%s", record->label);
    sb_html_word(page, claim || !record->unit ? "" : record->unit);
    fputs("<td>", page);
    sb_html_text(page, record->source);
    fputs("</td></tr>\n", page);
}

void sb_html_published(FILE *page, const sb_report *report, sb_html_count *count)
{
    static const char *const heading[] = {"what", "kind", "#value", "unit", "source", NULL};
    const sb_published *published = &report->published;
    if (published->n == 0) return;
    fputs(
        "<section id=\"published\">\n<h2>Published by others</h2>\n<p>Not measured here, and in no number above.</p>\n",
        page);
    fprintf(page, "<details><summary>%zu record%s</summary>\n", published->n, sb_plural(published->n));
    sb_html_caption(page, count);
    fputs("Numbers and claims of others, as their sources give them; a claim has no number.", page);
    sb_html_table(page, "published", count, heading);
    for (size_t i = 0; i < published->n; i++) write_record(page, &report->numbers, &published->record[i]);
    sb_html_table_end(page);
    fputs("</details>\n</section>\n", page);
}
