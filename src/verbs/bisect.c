#include "core/text/json.h"
#include "inspect/bisect/bisect.h"
#include "inspect/external/recorded.h"
#include "inspect/trace/trace_file.h"
#include "record/external_file.h"
#include "verbs/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const sb_option options[] = {
    SB_OPTION_TEXT(sb_bisect_options, data, "--data", "FILE", SB_MADE_TEXT, "data set of both runs; " SB_DATA_DEFAULT),
    SB_OPTION_TEXT_LETTER(sb_bisect_options, folder, "--output", 'o', "DIR", NULL,
                          "folder in which to keep the traces"),
    SB_OPTION_FLAG(sb_bisect_options, quiet, "--quiet", "print no progress"),
    SB_OPTION_TEXTS_LETTER(sb_bisect_options, nudged, "--nudged", 0, "TRACE",
                           "trace like A of another program, from weights moved by one rounding; best three"),
    SB_OPTION_JSON(sb_bisect_options),
    SB_OPTION_END,
};

/* Of another program: recordings, or traces. */
static sb_status compare_recorded(const char *a, const char *b, const sb_texts *nudged, sb_bisect_facts *facts,
                                  FILE *out)
{
    if (sb_ranked_is(a) || sb_ranked_is(b))
        return sb_fail(SB_E_USAGE, "%s and %s: bisect takes the recordings of one rank; samebits diff names the rank",
                       a, b);
    const bool are_runs = sb_external_is(a) || sb_external_is(b);
    if (are_runs && nudged->n)
        return sb_fail(SB_E_USAGE, "--nudged goes with two traces, and %s and %s are recordings", a, b);
    if (are_runs) return sb_recorded_bisect_runs(a, b, facts, out);
    return sb_recorded_bisect_traces(a, b, nudged->item, (size_t)nudged->n, facts, out);
}

static bool is_recorded(const char *path)
{
    return sb_ranked_is(path) || sb_external_is(path) || sb_recorded_is_trace(path);
}

static sb_status compare(const sb_call *call, sb_bisect_facts *facts, FILE *out)
{
    const sb_bisect_options *values = call->values;
    const char *a = call->arguments.item[0], *b = call->arguments.item[1];
    SB_TRY(sb_ranked_check(a, b));
    if (is_recorded(a) || is_recorded(b)) return compare_recorded(a, b, &values->nudged, facts, out);
    if (sb_trace_is(a) || sb_trace_is(b)) return sb_bisect_traces(a, b, facts, out);
    if (values->nudged.n) return sb_fail(SB_E_USAGE, "--nudged goes with two traces of another program");
    return sb_bisect_runs(a, b, values, facts, out);
}

/* -- for programs -- */

static const sb_json_key keys[] = {
    {"a", SB_JSON_TEXT, "the one run or trace"},
    {"b", SB_JSON_TEXT, "the other"},
    {"same_bits", SB_JSON_FLAG, "no update and no operation differs"},
    {"first_difference", SB_JSON_INTEGER, "the first update that differs, or the update of the traces; null: none"},
    {"part", SB_JSON_TEXT,
     "of runs: what differs first in it: batch, gradient, parents, weights or optimizer; else null"},
    {"a_repeats", SB_JSON_FLAG, "A comes out here as it was recorded, as far as that was tried"},
    {"b_repeats", SB_JSON_FLAG, "the same for B"},
    {"operations", SB_JSON_INTEGER, "operations of the update; null: it was not traced"},
    {"operation", SB_JSON_INTEGER, "the first that differs, from 1; null: none, or not traced"},
    {"operation_name", SB_JSON_TEXT, "its name and what it writes; null: none"},
    {"kind", SB_JSON_TEXT,
     "same bits, other result, other input or other operation; of another program also other network, other initial "
     "weights, other batch, other generator, changed outside, uninitialised, other argument, other type or unstable; "
     "null: not traced"},
    {"first_other_order", SB_JSON_INTEGER,
     "an earlier generation in which the same parents first have another order; null: none"},
    {"first_other_parents", SB_JSON_INTEGER, "the first generation, from 0, whose set of parents differs; null: none"},
    {"other_parents", SB_JSON_INTEGER, "number of parents that the other run lacks; null: none"},
    {"parents_loss", SB_JSON_LIST, "of the last parent chosen in it: of A, of B"},
    {"parents_loss[]", SB_JSON_REAL, "one of them"},
    {"parents_gap", SB_JSON_LIST, "from there to the loss of the first individual refused: of A, of B"},
    {"parents_gap[]", SB_JSON_REAL, "one of them; null: all are parents"},
    {"settings", SB_JSON_LIST, "settings that differ"},
    {"settings[].name", SB_JSON_TEXT, "the setting"},
    {"settings[].a", SB_JSON_TEXT, "of A"},
    {"settings[].b", SB_JSON_TEXT, "of B"},
    {"settings[].a_with_b", SB_JSON_TEXT, "whose bits A has with this setting of B: a, b or neither; null: not tried"},
    {"settings[].b_with_a", SB_JSON_TEXT, "whose bits B has with this setting of A"},
    {"phase", SB_JSON_TEXT, "of another program: forward, backward or optimizer; null: not traced"},
    {"module", SB_JSON_TEXT, "of another program: path of the module in the network; null: not traced"},
    {"site", SB_JSON_TEXT, "of another program: file, line and function; null: not traced"},
    {"arguments", SB_JSON_TEXT, "of another program: arguments that are no tensors; null: not traced"},
    {"tensors", SB_JSON_TEXT, "of another program: names of what it reads, writes and feeds; null: not traced"},
    {"side", SB_JSON_TEXT, "of another program: a or b, whose numbers changed or whose operation it is; null: both"},
    {"carried", SB_JSON_REAL,
     "with --nudged: distance over what rounding carries, at the first mark above 100, else the largest; null: none, or no "
     "finite number"},
    {"carried_at", SB_JSON_TEXT, "the mark; null: none"},
    {"report", SB_JSON_TEXT, "all of it for people, as it is printed without --json"},
    SB_JSON_END,
};

static void write_cause(sb_json *json, const sb_bisect_cause *cause)
{
    static const char *const whose[] = {"a", "b", "neither"};
    sb_json_object(json, NULL);
    sb_json_text(json, "name", cause->name);
    sb_json_text(json, "a", cause->value[0]);
    sb_json_text(json, "b", cause->value[1]);
    sb_json_text(json, "a_with_b", cause->tried ? whose[cause->in_a] : NULL);
    sb_json_text(json, "b_with_a", cause->tried ? whose[cause->in_b] : NULL);
    sb_json_end(json);
}

static void write_operation(sb_json *json, const sb_bisect_facts *f)
{
    const char side[2] = {f->other.side, 0};
    const bool is_other = f->other.phase != NULL;
    sb_json_integer_if(json, "operations", (int64_t)f->n_operations, f->n_operations);
    sb_json_integer_if(json, "operation", (int64_t)f->number, f->number);
    sb_json_text(json, "operation_name", *f->operation ? f->operation : NULL);
    sb_json_text(json, "kind", f->kind);
    sb_json_text(json, "phase", f->other.phase);
    sb_json_text(json, "module", is_other ? f->other.module : NULL);
    sb_json_text(json, "site", is_other ? f->other.site : NULL);
    sb_json_text(json, "arguments", is_other ? f->other.arguments : NULL);
    sb_json_text(json, "tensors", *f->other.tensors ? f->other.tensors : NULL);
    sb_json_text(json, "side", f->other.side ? side : NULL);
    sb_json_real(json, "carried", f->other.has_carried ? f->other.carried : NAN);
    sb_json_text(json, "carried_at", f->other.has_carried ? f->other.carried_at : NULL);
}

static void write_selection(sb_json *json, const sb_parents_compared *s)
{
    sb_json_integer_if(json, "first_other_order", s->order_generation, s->reordered);
    sb_json_integer_if(json, "first_other_parents", s->generation, s->differs);
    sb_json_integer_if(json, "other_parents", (int64_t)s->n_other, s->n_other);
    sb_json_reals(json, "parents_loss", s->loss, s->differs ? 2 : 0);
    sb_json_reals(json, "parents_gap", s->gap, s->differs ? 2 : 0);
}

static sb_status write_facts(const sb_call *call, const sb_bisect_facts *facts, const char *report, sb_status status)
{
    sb_json json = sb_json_begin(call->command);
    sb_json_text(&json, "a", call->arguments.item[0]);
    sb_json_text(&json, "b", call->arguments.item[1]);
    sb_json_flag(&json, "same_bits", status == SB_OK);
    sb_json_integer_if(&json, "first_difference", facts->update, facts->update || facts->other_differs);
    sb_json_text(&json, "part", facts->part);
    sb_json_flag(&json, "a_repeats", !facts->elsewhere[0]);
    sb_json_flag(&json, "b_repeats", !facts->elsewhere[1]);
    write_operation(&json, facts);
    write_selection(&json, &facts->selection);
    sb_json_list(&json, "settings");
    for (int i = 0; i < facts->n_causes; i++) write_cause(&json, &facts->cause[i]);
    sb_json_end(&json);
    sb_json_text(&json, "report", report);
    return sb_json_print(&json, status);
}

/* -- the verb -- */

static sb_status bisect(const sb_call *call)
{
    sb_bisect_facts facts = {0};
    char *report = NULL;
    size_t n_report;
    if (!((const sb_bisect_options *)call->values)->json) return compare(call, &facts, stdout);
    FILE *out = open_memstream(&report, &n_report);
    if (!out) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_status status = compare(call, &facts, out);
    if (fclose(out) != 0) status = sb_fail(SB_E_MEMORY, "not enough memory");
    if (status == SB_OK || status == SB_E_DIFFERS || facts.other_differs)
        status = write_facts(call, &facts, report, status);
    free(report);
    return status;
}

const sb_command sb_verb_bisect = {
    .program = "samebits",
    .verb = "bisect",
    .summary = "find why two runs differ: update, operation, number and setting",
    .arguments = "A.h5 B.h5",
    .options = options,
    .values_bytes = sizeof(sb_bisect_options),
    .min_arguments = 2,
    .max_arguments = 2,
    .epilogue = "A and B are one of these pairs:\n"
                "  two runs: single updates of both are trained again, with the data set;\n"
                "  two traces of 'samebits trace', such as of two machines: nothing is trained;\n"
                "  two recordings of another program: prints which update to trace; or the two traces;\n"
                "  two evolutions: prints the generation with different parents.\n"
                "exit codes: 0 the same bits, 1 different, 4 a backend of a run is missing on this machine\n",
    .json = keys,
    .run = bisect,
};
