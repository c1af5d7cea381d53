#include "paper/verbs/verbs.h"

#include "core/text/json.h"
#include "paper/verbs/report_session.h"

#include <math.h>

static const sb_option options[] = {
    SB_SESSION_READ,
    SB_SESSION_CLAIMS,
    SB_OPTION_TEXT(sb_report_session_options, output, "--csv", "DIR", NULL,
                   "also write claims.csv and components.csv into this folder; it is created"),
    SB_SESSION_JSON,
    SB_OPTION_END,
};

/* -- for programs -- */

#define IN_LIST(ID, key, ...) #key ", "

static const sb_json_key keys[] = {
    {"question", SB_JSON_TEXT, "what the claims answer together; null: they name none"},
    {"claims", SB_JSON_LIST, "the claims, in the order of their file"},
    {"claims[].name", SB_JSON_TEXT, "name"},
    {"claims[].by", SB_JSON_TEXT, "who claims it"},
    {"claims[].text", SB_JSON_TEXT, "the claim, a sentence"},
    {"claims[].relation", SB_JSON_TEXT, "greater, equivalent, no difference or same bits"},
    {"claims[].metric", SB_JSON_TEXT,
     "the loss that it is about: " SB_METRICS(IN_LIST, SB_METRIC_NONE, SB_METRIC_NONE) SB_TEST_LOSSES(IN_LIST)
     "or a metric of another program"},
    {"claims[].outcome", SB_JSON_TEXT,
     "reproduced, not reproduced, supported, not supported, refuted, undetermined or hardware missing"},
    {"claims[].words", SB_JSON_TEXT, "its evidence, or what is missing"},
    {"claims[].registered", SB_JSON_TEXT, "whether its runs recorded its rule when they began; null: it has none"},
    {"claims[].p", SB_JSON_REAL, "by which it holds, or is refuted; null: it does neither, or by a fact"},
    {"claims[].p_family", SB_JSON_REAL, "adjusted for all tested claims of the question; null: no question, or no p"},
    {"claims[].planned", SB_JSON_TEXT, "its power, as it was planned; null: it says none"},
    {"claims[].absent", SB_JSON_TEXT, "cells of its conditions that are not in the tables, and why; null: none"},
    {"claims[].note", SB_JSON_TEXT, "what the relation leaves open; null: nothing"},
    {"claims[].uncounted", SB_JSON_TEXT, "why it is not among those that are counted; null: it is"},
    {"claims[].parts", SB_JSON_LIST, "each comparison that it is judged by"},
    {"claims[].parts[].of", SB_JSON_TEXT, "STUDY/SETTING TARGET of the first condition"},
    {"claims[].parts[].over", SB_JSON_TEXT, "of the second condition"},
    {"claims[].parts[].evidence", SB_JSON_TEXT, "measured, emulated or imitated"},
    {"claims[].parts[].outcome", SB_JSON_TEXT, "of the part"},
    {"claims[].parts[].verdict", SB_JSON_TEXT, "same bits, equivalent, different or undetermined"},
    {"claims[].parts[].words", SB_JSON_TEXT, "why"},
    {"claims[].parts[].paired", SB_JSON_FLAG, "runs are paired by seed"},
    {"claims[].parts[].n", SB_JSON_INTEGER, "pairs, or runs of the smaller condition"},
    {"claims[].parts[].n_same", SB_JSON_INTEGER, "pairs with the same bits"},
    {"claims[].parts[].test", SB_JSON_TEXT, "the test that gives p"},
    {"claims[].parts[].measure", SB_JSON_TEXT,
     "ratio; difference where a value is negative: then of all numbers below"},
    {"claims[].parts[].ratio", SB_JSON_REAL, "loss of the first condition over the loss of the second"},
    {"claims[].parts[].low", SB_JSON_REAL, "lower end of the ratio's 95 % interval; null: too few runs"},
    {"claims[].parts[].high", SB_JSON_REAL, "upper end"},
    {"claims[].parts[].low_90", SB_JSON_REAL, "lower end of its 90 % interval, which equivalence is judged by"},
    {"claims[].parts[].high_90", SB_JSON_REAL, "upper end"},
    {"claims[].parts[].p", SB_JSON_REAL, "two-sided"},
    {"claims[].parts[].p_above", SB_JSON_REAL, "one-sided: small where the one condition is above the other"},
    {"claims[].parts[].p_below", SB_JSON_REAL, "small where it is below"},
    {"claims[].parts[].p_holm", SB_JSON_REAL, "adjusted for all parts of the claim"},
    {"claims[].parts[].p_equivalent", SB_JSON_REAL,
     "that the 90 % interval lies inside the margin; null: no margin, or no interval"},
    {"claims[].parts[].detectable", SB_JSON_REAL, "the smallest ratio that these runs would show; null: none"},
    {"claims[].parts[].margin", SB_JSON_REAL,
     "the ratio that equivalence is judged by; null: none, or an ensemble's that comes from one or two seeds"},
    {"claims[].parts[].margin_all_seeds", SB_JSON_REAL, "the margin of all seeds of the ensemble; null: none"},
    {"claims[].parts[].margin_low", SB_JSON_REAL, "lower end of its 95 % interval; null: too few seeds"},
    {"claims[].parts[].margin_high", SB_JSON_REAL, "upper end; null: none below a factor of two"},
    SB_JSON_END,
};

static void write_part(sb_json *json, const sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    char side[SB_ARM_TEXT];
    sb_json_object(json, NULL);
    sb_arm_text(part->of, side);
    sb_json_text(json, "of", side);
    sb_arm_text(part->over, side);
    sb_json_text(json, "over", side);
    sb_json_text(json, "evidence", sb_evidence_name[sb_finding_evidence(part)]);
    sb_json_text(json, "outcome", sb_outcome_name[part->outcome]);
    sb_json_text(json, "verdict", sb_verdict_name[v->word]);
    sb_json_text(json, "words", part->words);
    sb_json_flag(json, "paired", v->paired);
    sb_json_integer(json, "n", (int64_t)v->n);
    sb_json_integer(json, "n_same", (int64_t)v->bits.n_same_bits);
    sb_json_text(json, "test", v->test);
    sb_json_text(json, "measure", sb_verdict_measure(v));
    sb_json_real(json, "ratio", sb_verdict_size(v, v->ratio));
    sb_json_real(json, "low", sb_verdict_size(v, v->low));
    sb_json_real(json, "high", sb_verdict_size(v, v->high));
    sb_json_real(json, "low_90", sb_verdict_size(v, v->low_90));
    sb_json_real(json, "high_90", sb_verdict_size(v, v->high_90));
    sb_json_real(json, "p", v->p);
    sb_json_real(json, "p_above", v->p_above);
    sb_json_real(json, "p_below", v->p_below);
    sb_json_real(json, "p_holm", v->p_holm);
    sb_json_real(json, "p_equivalent", v->p_equivalent);
    sb_json_real(json, "detectable", sb_verdict_size(v, v->detectable));
    sb_json_real(json, "margin", sb_verdict_size(v, exp(v->margin.judged)));
    sb_json_real(json, "margin_all_seeds", sb_verdict_size(v, exp(v->margin.log_ratio)));
    sb_json_real(json, "margin_low", sb_verdict_size(v, exp(v->margin.low)));
    sb_json_real(json, "margin_high", sb_verdict_size(v, exp(v->margin.high)));
    sb_json_end(json);
}

static void write_claim(sb_json *json, const sb_claim_result *r)
{
    sb_json_object(json, NULL);
    sb_json_text(json, "name", r->claim->name);
    sb_json_text(json, "by", r->claim->by);
    sb_json_text(json, "text", r->claim->text);
    sb_json_text(json, "relation", r->claim->relation);
    sb_json_text(json, "metric", r->claim->metric);
    sb_json_text(json, "outcome", sb_outcome_name[r->outcome]);
    sb_json_text(json, "words", r->words);
    sb_json_text(json, "registered", *r->registered ? r->registered : NULL);
    sb_json_real(json, "p", r->p);
    sb_json_real(json, "p_family", r->p_family);
    sb_json_text(json, "planned", *r->planned ? r->planned : NULL);
    sb_json_text(json, "absent", *r->absent ? r->absent : NULL);
    sb_json_text(json, "note", r->claim->why);
    sb_json_text(json, "uncounted", r->claim->uncounted);
    sb_json_list(json, "parts");
    for (size_t i = 0; i < r->n_parts; i++) write_part(json, &r->part[i]);
    sb_json_end(json);
    sb_json_end(json);
}

static sb_status write_claims(const sb_call *call, const sb_claims *claims, sb_status status)
{
    sb_json json = sb_json_begin(call->command);
    sb_json_text(&json, "question", claims->file->question);
    sb_json_list(&json, "claims");
    for (const sb_claim_result *r = claims->result; r < claims->result + claims->n; r++) write_claim(&json, r);
    sb_json_end(&json);
    return status == SB_OK ? sb_json_print(&json, status) : sb_json_drop(&json, status);
}

/* -- the verb -- */

static sb_status say(const sb_call *call, const sb_report_session_options *o, const sb_claims *claims)
{
    sb_status status = SB_OK;
    if (!o->json) sb_claims_print(stdout, claims);
    if (o->output) status = sb_claims_write(claims, o->output);
    return o->json ? write_claims(call, claims, status) : status;
}

static sb_status claims_of_program(const sb_call *call, sb_program_session_data *s)
{
    if (s->has_claims) return say(call, &s->options, &s->claims.claims);
    return sb_fail(SB_E_USAGE,
                   "%s: carries no claims; name a file with --claims, or judge its table with 'samebits-report judge'",
                   s->options.input);
}

static sb_status claims_of_report(const sb_call *call, sb_report_session *w)
{
    if (w->report.claims.file) return say(call, &w->options, &w->report.claims);
    return sb_fail(SB_E_USAGE, "%s: carries no claims, and paper/claims.yaml is not here; name a file with --claims",
                   w->options.input);
}

static sb_status claims(const sb_call *call)
{
    return sb_report_session_do(call, claims_of_report, claims_of_program);
}

const sb_command sb_verb_claims = {
    .program = "samebits-report",
    .verb = "claims",
    .summary = "judge the claims by the results",
    .options = options,
    .values_bytes = sizeof(sb_report_session_options),
    .epilogue =
        "Outcomes: reproduced or not reproduced (claims of the study and its retraction); supported or not supported "
        "(all other\n"
        "claims); refuted; undetermined; hardware missing. docs/claims.md has the rules. Each outcome has exit code "
        "0.\n"
        "exit codes: 0 done, 2 usage or an invalid claims file, 5 no results, 7 invalid results\n",
    .json = keys,
    .run = claims,
    .once = true,
};
