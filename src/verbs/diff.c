#include "core/text/json.h"
#include "inspect/diff.h"
#include "inspect/external/recorded.h"
#include "record/external_file.h"
#include "verbs/verbs.h"

#include <math.h>

typedef struct diff_options {
    bool json;
} diff_options;

static const sb_option options[] = {SB_OPTION_JSON(diff_options), SB_OPTION_END};

static const sb_json_key keys[] = {
    {"a", SB_JSON_TEXT, "the one run file"},
    {"b", SB_JSON_TEXT, "the other"},
    {"same_bits", SB_JSON_FLAG, "over the updates that both have"},
    {"links", SB_JSON_INTEGER, "links of the hash chains that both have, up to the first that differs"},
    {"last_update", SB_JSON_INTEGER, "of the last link that was compared"},
    {"first_difference", SB_JSON_INTEGER, "update of the first entry of the chains that differs; null: none"},
    {"first_other_loss", SB_JSON_INTEGER, "the first update whose recorded losses differ; null: none"},
    {"part", SB_JSON_TEXT,
     "what differs first in it: batch, gradient (parents), weights or optimizer; of recordings also parameters, "
     "loss, state, generator or length; null: nothing"},
    {"part_tensor", SB_JSON_TEXT, "of recordings: the first tensor of the part that differs; null: not known"},
    {"part_kind", SB_JSON_TEXT,
     "of recordings: other network, other initial weights, other batch, other generator or no step; null: another one"},
    {"rank", SB_JSON_INTEGER, "of folders of recordings: the rank that all this is said of; null: no folders"},
    {"part_how", SB_JSON_TEXT,
     "of recordings: in what way alone the batch differs, or which run made no step; null: not known"},
    {"last_same", SB_JSON_INTEGER,
     "the last update before it that both have a link of; 0: the start; null: none differs"},
    {"updates", SB_JSON_INTEGER, "updates that both have"},
    {"loss", SB_JSON_LIST, "of the last of these: of A, of B"},
    {"loss[]", SB_JSON_REAL, "one of them"},
    {"loss_at_difference", SB_JSON_LIST, "of the update of that entry: of A, of B; empty: there is none"},
    {"loss_at_difference[]", SB_JSON_REAL, "one of them"},
    {"same_parents", SB_JSON_FLAG,
     "runs without gradients: in all generations that both have; null: there is nothing to compare"},
    {"first_other_order", SB_JSON_INTEGER,
     "an earlier generation in which the same parents first have another order; null: none"},
    {"first_other_parents", SB_JSON_INTEGER, "the first generation, from 0, whose set of parents differs; null: none"},
    {"other_parents", SB_JSON_INTEGER, "number of parents that the other run lacks; null: none"},
    {"parents_loss", SB_JSON_LIST, "of the last parent chosen in it, or in the last that was compared: of A, of B"},
    {"parents_loss[]", SB_JSON_REAL, "one of them"},
    {"parents_gap", SB_JSON_LIST, "from there to the loss of the first individual refused: of A, of B"},
    {"parents_gap[]", SB_JSON_REAL, "one of them; null: all are parents"},
    {"attributes", SB_JSON_LIST, "settings and facts that differ"},
    {"attributes[].group", SB_JSON_TEXT, "config or env; of recordings also optimizer: its settings in that update"},
    {"attributes[].name", SB_JSON_TEXT, "its name"},
    {"attributes[].a", SB_JSON_TEXT, "of A; null: it has none"},
    {"attributes[].b", SB_JSON_TEXT, "of B; null: it has none"},
    {"tensors", SB_JSON_INTEGER, "tensors of weights that were compared; null: the runs end at different updates"},
    {"tensors_different", SB_JSON_INTEGER, "weights with other bits; null: unknown"},
    {"distance", SB_JSON_REAL, "L2 distance of all weights; null: unknown"},
    {"largest", SB_JSON_REAL, "largest difference of one weight; null: unknown"},
    {"largest_at", SB_JSON_TEXT, "which weight; null: none differs"},
    {"distances", SB_JSON_LIST, "on the way, from sketches of the weights"},
    {"distances[].update", SB_JSON_INTEGER, "after this update"},
    {"distances[].distance", SB_JSON_REAL, "L2 distance, with a standard error of at most 2.2 % of it"},
    SB_JSON_END,
};

/* rank: -1: of no folder */
static void write_parting(sb_json *json, const sb_diff *d, int64_t rank)
{
    const sb_parting *p = &d->parting;
    sb_json_flag(json, "same_bits", sb_diff_is_same(d));
    sb_json_integer(json, "links", (int64_t)p->compared);
    sb_json_integer(json, "last_update", p->last);
    sb_json_integer_if(json, "first_difference", p->update, d->differs);
    sb_json_integer_if(json, "first_other_loss", d->loss_update, d->loss_update);
    sb_json_text(json, "part", d->differs ? p->name : NULL);
    sb_json_text(json, "part_tensor", *d->other.tensor ? d->other.tensor : NULL);
    sb_json_text(json, "part_kind", d->other.kind);
    sb_json_integer_if(json, "rank", rank, rank >= 0);
    sb_json_text(json, "part_how", d->other.how);
    sb_json_integer_if(json, "last_same", p->same, d->differs);
    sb_json_integer(json, "updates", (int64_t)d->n_updates);
    sb_json_reals(json, "loss", d->loss_last, d->last_there ? 2 : 0);
    sb_json_reals(json, "loss_at_difference", d->loss_there, d->differs && d->update_there ? 2 : 0);
}

static void write_selection(sb_json *json, const sb_parents_compared *s)
{
    if (s->compared)
        sb_json_flag(json, "same_parents", !s->differs);
    else
        sb_json_null(json, "same_parents");
    sb_json_integer_if(json, "first_other_order", s->order_generation, s->reordered);
    sb_json_integer_if(json, "first_other_parents", s->generation, s->differs);
    sb_json_integer_if(json, "other_parents", (int64_t)s->n_other, s->differs);
    sb_json_reals(json, "parents_loss", s->loss, s->compared ? 2 : 0);
    sb_json_reals(json, "parents_gap", s->gap, s->compared ? 2 : 0);
}

static void write_attributes(sb_json *json, const sb_diff *d)
{
    sb_json_list(json, "attributes");
    for (const sb_diff_fact *f = d->fact; f < d->fact + d->n_facts; f++) {
        sb_json_object(json, NULL);
        sb_json_text(json, "group", f->group);
        sb_json_text(json, "name", f->name);
        sb_json_text(json, "a", f->value[0]);
        sb_json_text(json, "b", f->value[1]);
        sb_json_end(json);
    }
    sb_json_end(json);
}

static void write_weights(sb_json *json, const sb_diff *d)
{
    sb_json_integer_if(json, "tensors", (int64_t)d->n_tensors, d->n_tensors);
    sb_json_integer_if(json, "tensors_different", (int64_t)d->n_different, d->n_tensors);
    sb_json_real(json, "distance", d->n_tensors ? d->distance : NAN);
    sb_json_real(json, "largest", d->n_tensors ? d->largest : NAN);
    sb_json_text(json, "largest_at", *d->where ? d->where : NULL);
    sb_json_list(json, "distances");
    for (const sb_diff_point *p = d->point; p < d->point + d->n_points; p++) {
        sb_json_object(json, NULL);
        sb_json_integer(json, "update", p->update);
        sb_json_real(json, "distance", p->distance);
        sb_json_end(json);
    }
    sb_json_end(json);
}

static sb_status write_diff(const sb_call *call, const sb_diff *d, int64_t rank, sb_status status)
{
    sb_json json = sb_json_begin(call->command);
    sb_json_text(&json, "a", d->path[0]);
    sb_json_text(&json, "b", d->path[1]);
    write_parting(&json, d, rank);
    write_selection(&json, &d->selection);
    write_attributes(&json, d);
    write_weights(&json, d);
    return sb_json_print(&json, status);
}

/* -- recordings of other programs -- */

static sb_status say_recorded(const sb_call *call, const sb_recorded_diff *d, int64_t rank)
{
    const sb_status status = sb_recorded_judge(d);
    if (((const diff_options *)call->values)->json) return write_diff(call, &d->of, rank, status);
    sb_recorded_print(d, stdout);
    return status;
}

static sb_status diff_recorded(const sb_call *call)
{
    SB_OWNED(sb_recorded_free) sb_recorded_diff d = {0};
    SB_TRY(sb_recorded_compare(&d, call->arguments.item[0], call->arguments.item[1]));
    return say_recorded(call, &d, -1);
}

static sb_status diff_ranked(const sb_call *call)
{
    SB_OWNED(sb_ranked_free) sb_ranked_diff d = {0};
    SB_TRY(sb_ranked_compare(&d, call->arguments.item[0], call->arguments.item[1]));
    if (!((const diff_options *)call->values)->json)
        printf("%zu ranks; %s rank %zu:\n", d.n, d.of.of.differs ? "the first difference is on" : "all the same; of",
               d.rank);
    return say_recorded(call, &d.of, (int64_t)d.rank);
}

/* -- the verb -- */

static sb_status diff(const sb_call *call)
{
    SB_OWNED(sb_diff_free) sb_diff d = {0};
    SB_TRY(sb_ranked_check(call->arguments.item[0], call->arguments.item[1]));
    if (sb_ranked_is(call->arguments.item[0]) && sb_ranked_is(call->arguments.item[1])) return diff_ranked(call);
    if (sb_external_is(call->arguments.item[0]) || sb_external_is(call->arguments.item[1])) return diff_recorded(call);
    SB_TRY(sb_diff_runs(&d, call->arguments.item[0], call->arguments.item[1]));
    if (((const diff_options *)call->values)->json) return write_diff(call, &d, -1, sb_diff_judge(&d));
    sb_diff_print(&d, stdout);
    return sb_diff_judge(&d);
}

const sb_command sb_verb_diff = {
    .program = "samebits",
    .verb = "diff",
    .summary = "compare the bits of two runs; print where they diverge and which settings differ",
    .arguments = "A.h5 B.h5",
    .options = options,
    .values_bytes = sizeof(diff_options),
    .min_arguments = 2,
    .max_arguments = 2,
    .epilogue = "A and B are two runs of samebits, or two recordings of another program. In two folders, the recordings\n"
                "of ranks (NAME.r0.h5, NAME.r1.h5, ...) are compared rank by rank.\n"
                "exit codes: 0 the same bits in all updates of both, 1 different, 2 not comparable\n"
                "If the hash chain has few entries, the first entry that differs is later than the first difference.\n"
                "'samebits bisect' finds the cause.\n",
    .json = keys,
    .run = diff,
};
