#include "paper/claims/claims.h"

#include "core/text/csv.h"
#include "paper/files/output.h"

#include <math.h>

/* -- for people -- */

bool sb_claims_is_custom(const sb_claim_result *r)
{
    return r->claim->of.names;
}

/* "shared over copy, native", "openblas, i5-4590, shared over openblas, gtx-1080, copy" */
static void print_part(FILE *out, const sb_finding *part)
{
    char ratio[SB_VERDICT_TEXT], of[SB_ARM_TEXT], over[SB_ARM_TEXT];
    const sb_verdict *v = &part->verdict;
    sb_verdict_ratio_text(v, ratio);
    sb_arm_text(part->of, of);
    sb_arm_text(part->over, over);
    fprintf(out, "    %s over %s: %s, n = %zu, p = %s, %s%s\n        %s: %s\n", of,
            part->of->setting != part->over->setting ? over : sb_target_name[part->over->target], ratio, v->n,
            sb_number_p(v->p).text, v->word == SB_VERDICT_SAME_BITS ? "equal bits, " : "",
            sb_evidence_name[sb_finding_evidence(part)], sb_outcome_name[part->outcome], part->words);
}

/* An equivalence is about means. Print the comparison of the spreads after it. */
static void print_spread(FILE *out, const sb_claim *claim, const sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    if (sb_claim_relation(claim) != SB_RELATION_EQUIVALENT || v->word == SB_VERDICT_SAME_BITS) return;
    if (isnan(v->p_equal_spread)) return;
    fprintf(out, "        spread: %s equal within a factor of %d, p = %s\n",
            v->p_equal_spread < SB_STATS_ALPHA ? "shown to be" : "not shown to be", SB_VERDICT_SPREAD,
            sb_number_p(v->p_equal_spread).text);
}

static void print_pool(FILE *out, const sb_claim_pool *pool)
{
    char text[SB_POOL_TEXT];
    if (sb_claim_pool_text(pool, text)) fprintf(out, "    standard deviations of the log ratio: %s\n", text);
}

void sb_claims_print(FILE *out, const sb_claims *claims)
{
    size_t count[SB_N_OUTCOMES];
    const size_t n_uncounted = sb_claims_count(claims, count);
    for (const sb_claim_result *r = claims->result; r < claims->result + claims->n; r++) {
        sb_screen_word(out, sb_outcome_role[r->outcome], 0, sb_outcome_name[r->outcome]);
        fprintf(out, "  %s (%s)\n    %s\n    %s\n", r->claim->name, r->claim->by, r->claim->text, r->words);
        print_pool(out, &r->pool);
        if (*r->registered) fprintf(out, "    %s\n", r->registered);
        if (*r->planned) fprintf(out, "    %s\n", r->planned);
        if (*r->absent) fprintf(out, "    not in the tables: %s\n", r->absent);
        if (r->claim->why) fprintf(out, "    note: %s\n", r->claim->why);
        if (r->claim->uncounted) fprintf(out, "    not counted: %s\n", r->claim->uncounted);
        for (size_t i = 0; i < r->n_parts; i++) {
            print_part(out, &r->part[i]);
            print_spread(out, r->claim, &r->part[i]);
        }
        for (size_t i = 0; i < r->n_parts; i++)
            if (sb_claims_margin(r, i)) fprintf(out, "    margin: %s\n", sb_claims_margin(r, i));
        fputc('\n', out);
    }
    if (claims->n_tested > 1 && claims->file->question)
        fprintf(out, "adjusted (Holm) for the %zu tested claims of this question\n", claims->n_tested);
    else if (claims->n_tested > 1)
        fprintf(out, "no question joins these claims: each of %zu tested ones is judged alone\n", claims->n_tested);
    for (int o = 0, said = 0; o < SB_N_OUTCOMES; o++)
        if (count[o]) fprintf(out, "%s%zu %s", said++ ? ", " : "", count[o], sb_outcome_name[o]);
    if (n_uncounted) fprintf(out, "; %zu not counted", n_uncounted);
    fputc('\n', out);
}

/* -- claims.csv -- */

static void write_texts(sb_writer *csv, const sb_claim_result *r)
{
    char of[128], over[128];
    sb_selector_text(&r->claim->of, of, sizeof of);
    sb_selector_text(&r->claim->over, over, sizeof over);
    sb_write(csv, "%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s", r->claim->name, r->claim->by, sb_outcome_name[r->outcome],
             r->words, r->claim->text, of, over, r->claim->relation, r->claim->metric, r->registered,
             r->absent);
    sb_csv_real(csv, r->p, 6);
    sb_csv_real(csv, r->p_family, 6);
}

/* None where there is no limit. */
static double limit(const sb_verdict *v, double log_ratio)
{
    return isfinite(log_ratio) ? sb_verdict_size(v, exp(log_ratio)) : NAN;
}

static void write_part(sb_writer *csv, const sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    sb_write(csv, ",%s,%s,%s,%s,%s,%s,%s,%zu", part->of->group->study, part->of->setting->label, part->over->group->study,
             part->over->setting->label, sb_evidence_name[sb_finding_evidence(part)], sb_outcome_name[part->outcome],
             sb_verdict_name[v->word], v->n);
    const double numbers[] = {sb_verdict_size(v, v->ratio),
                              sb_verdict_size(v, v->low),
                              sb_verdict_size(v, v->high),
                              sb_verdict_size(v, v->low_90),
                              sb_verdict_size(v, v->high_90),
                              v->p,
                              v->p_above,
                              v->p_holm,
                              v->p_equivalent,
                              v->p_spread,
                              v->p_equal_spread,
                              v->cliff,
                              sb_verdict_size(v, v->detectable),
                              sb_verdict_size(v, exp(v->margin.judged)),
                              sb_verdict_size(v, exp(v->margin.log_ratio)),
                              sb_verdict_size(v, exp(v->margin.low)),
                              limit(v, v->margin.high)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sb_csv_real(csv, numbers[i], 6);
    for (int i = 0; i < 2; i++)
        sb_write(csv, ",%zu,%zu,%zu,%zu", v->side[i].n, v->side[i].n_alone, v->side[i].n_runs, v->side[i].n_diverged);
    sb_write(csv, ",%s,%s", v->margin.source, part->words);
}

static const sb_raw header = {
    "name,by,outcome,words,text,of,over,relation,metric,registered,absent,p_claim,p_family,of_study,of_setting,over_"
    "study,over_setting,"
    "evidence,part_outcome,verdict,n,ratio,low,high,low_90,high_90,p,p_above,p_holm,p_equivalent,p_spread,"
    "p_equal_spread,cliff,detectable,margin,margin_all_seeds,margin_low,margin_high,starts_of,"
    "alone_of,runs_of,diverged_of,starts_over,alone_over,runs_over,diverged_over,margin_source,why"};
enum { PART_COLUMNS = 35 };

static bool any_pools(const sb_claims *claims)
{
    char text[SB_POOL_TEXT];
    bool any = false;
    for (const sb_claim_result *r = claims->result; r < claims->result + claims->n; r++)
        any = any || sb_claim_pool_text(&r->pool, text);
    return any;
}

/* What varies the effect of each claim that pools its data sets. */
static sb_status write_components(const sb_claims *claims, const char *folder)
{
    sb_output output;
    sb_pool_row row[SB_POOL_ROWS];
    char text[SB_POOL_TEXT];
    if (!any_pools(claims)) return SB_OK;
    SB_TRY(sb_output_begin(&output, folder, "components.csv", &sb_csv));
    sb_write(output.out, "claim,component,draws,df,sd,share\n");
    for (const sb_claim_result *r = claims->result; r < claims->result + claims->n; r++) {
        if (!sb_claim_pool_text(&r->pool, text)) continue;
        const size_t n = sb_claim_pool_rows(&r->pool, row);
        for (size_t i = 0; i < n; i++) {
            sb_write(output.out, "%s,%s,%zu", r->claim->name, row[i].name, row[i].n);
            sb_csv_real(output.out, row[i].df, 6);
            sb_csv_real(output.out, row[i].sd, 6);
            sb_csv_real(output.out, row[i].share, 6);
            sb_write(output.out, "\n");
        }
    }
    return sb_output_end(&output, SB_OK);
}

sb_status sb_claims_write(const sb_claims *claims, const char *folder)
{
    sb_output output;
    SB_TRY(sb_output_begin(&output, folder, "claims.csv", &sb_csv));
    const bool own = claims->n && sb_claims_is_custom(claims->result); /* of a program: a value may be negative */
    sb_write_raw(output.out, header);
    sb_write(output.out, own ? ",measure\n" : "\n");
    for (const sb_claim_result *r = claims->result; r < claims->result + claims->n; r++) {
        for (size_t i = 0; i < r->n_parts; i++) {
            write_texts(output.out, r);
            write_part(output.out, &r->part[i]);
            if (own) sb_write(output.out, ",%s", sb_verdict_measure(&r->part[i].verdict));
            sb_write(output.out, "\n");
        }
        if (r->n_parts) continue;
        write_texts(output.out, r);
        for (int i = 0; i < PART_COLUMNS + own; i++) sb_write(output.out, ",");
        sb_write(output.out, "\n");
    }
    sb_status status = sb_output_end(&output, SB_OK);
    return status == SB_OK ? write_components(claims, folder) : status;
}

/* -- the register -- */

sb_status sb_claims_add(sb_numbers *numbers, const sb_claims *claims)
{
    for (const sb_claim_result *r = claims->result; r < claims->result + claims->n; r++) {
        sb_number number = sb_number_from(NULL, 0, r->n_parts, "outcome", r->claim->text);
        number.value = NAN;
        snprintf(number.text, sizeof number.text, "%s", sb_outcome_name[r->outcome]);
        for (size_t i = 0; i < r->n_parts; i++)
            number.evidence = sb_evidence_weaker(number.evidence, sb_finding_evidence(&r->part[i]));
        SB_TRY(sb_numbers_put(numbers, &number, "claim.%s", r->claim->name));
        for (size_t i = 0; i < r->n_parts; i++)
            SB_TRY(sb_finding_add(numbers, &r->part[i], ", one arm over the other"));
        if (r->pool.n) SB_TRY(sb_claim_pool_add(numbers, &r->pool, r->claim->name, r->part, r->n_parts));
    }
    return SB_OK;
}

sb_status sb_claims_add_hardware(sb_numbers *numbers, const sb_claims *claims)
{
    for (int asked = SB_ASKS_GPU; asked < SB_N_ASKED; asked++)
        for (const sb_claim_result *r = NULL; (r = sb_claims_next_asked(claims, asked, r));) {
            char what[300];
            snprintf(what, sizeof what, " with the copied target, %s over %s", r->part->of->setting->part,
                     r->part->over->setting->part);
            SB_TRY(sb_finding_add(numbers, r->part, what));
        }
    return SB_OK;
}
