/* The sentences: what the hardware does by itself, what is not answered, and the first ones, in which what is decided goes
 * before what is not. */
#include "core/text/plural.h"
#include "paper/claims/answer.h"
#include "paper/numbers/numbers.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- the hardware by itself -- */

/* Of several, the numbers that follow are of one. */
static void write_weakest(sb_writer *out, const sb_finding *weakest)
{
    char names[SB_FINDING_NAMES];
    sb_finding_names(weakest, names);
    sb_write(out, " The next numbers are of %s (the first condition) and %s (the second), the least certain.", names,
             weakest->over->setting->label);
}

/* What the verdict of all of them rests on: the weakest of each. */
static void write_reason(sb_writer *out, const sb_chosen *c)
{
    const sb_finding *first = sb_chosen_next(c, NULL), *weakest = first;
    double p = 0, margin = 0;
    for (const sb_finding *at = first; at; at = sb_chosen_next(c, at)) {
        if (at->verdict.p_equivalent > weakest->verdict.p_equivalent) weakest = at;
        p = fmax(p, at->verdict.p_holm);
        margin = fmax(margin, at->verdict.margin.judged);
    }
    if (c->word == SB_VERDICT_EQUIVALENT) {
        sb_write(out, " Equivalent: a difference of %s %% or more is rejected.",
                 sb_number_short(100 * expm1(margin)).text);
    } else if (c->word == SB_VERDICT_DIFFERENT) {
        sb_write(out, " Different: adjusted p = %s.", sb_number_p(p).text);
    } else {
        sb_write(out, " Not decided.");
        if (sb_chosen_next(c, first)) write_weakest(out, weakest);
        sb_answer_write_sentences(out, weakest->verdict.reason);
    }
}

static void write_chosen(sb_writer *out, sb_answer_form *form, const sb_chosen *c)
{
    const sb_finding *first = sb_chosen_next(c, NULL);
    char names[SB_CHOSEN_NAMES], count[SB_CHOSEN_COUNT];
    sb_chosen_names(c, names);
    sb_chosen_count(c, count);
    sb_write(out, "With the copied buffer, %s ended ", names);
    if (c->word == SB_VERDICT_SAME_BITS) {
        sb_write(out, "with the same bits as %s (%s).", first->over->setting->label, count);
        return;
    }
    sb_write(out, "at ");
    sb_chosen_write_ratios(out, form, c);
    sb_write(out, " the loss of %s (%s).", first->over->setting->label, count);
    write_reason(out, c);
}

void sb_answer_write_hardware(sb_writer *out, const sb_answer *a, sb_answer_form *form)
{
    const char *before = "";
    for (int kind = SB_ASKS_GPU; kind < SB_N_ASKED; kind++)
        for (int i = 0; i < SB_N_VERDICTS; i++) {
            const sb_chosen c = sb_chosen_of(a->hardware[kind].part, a->hardware[kind].n, sb_chosen_order[i]);
            if (c.n == 0) continue;
            sb_write(out, "%s", before);
            write_chosen(out, form, &c);
            before = " ";
        }
}

/* -- the gaps -- */

void sb_answer_write_gaps(sb_writer *out, const sb_answer *a)
{
    const size_t n_cpus = a->hardware[SB_ASKS_CPU].n;
    if (!a->gpu_ran)
        sb_write(out, "Not answered: whether a GPU differs from a CPU. These results have no GPU runs%s%s.",
                 a->see ? "; GPU runs are in " : "", a->see ? a->see : "");
    else if (a->hardware[SB_ASKS_GPU].n == 0)
        sb_write(out, "Not answered: whether a GPU differs from a CPU. No study has run on both.");
    else
        sb_write(out, "Not answered: how the published runs ended. Their numbers are not public.");
    if (a->n_waiting)
        sb_write(out, " %zu of %zu claims wait%s for hardware.", a->n_waiting, a->n_claims,
                 a->n_waiting == 1 ? "s" : "");
    if (a->learned_little) sb_write(out, " No compared network predicts as well as repeating the last frame.");
    if (!a->published_size_ran) sb_write(out, " The network of the published size has not run.");
    if (n_cpus && sb_answer_all_emulated(a->hardware[SB_ASKS_CPU].part, n_cpus))
        sb_write(out, " The compared CPU%s emulated on another CPU.", n_cpus == 1 ? " was" : "s were");
}

static bool is_decided(const sb_finding *part, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (part[i].verdict.word != SB_VERDICT_UNDETERMINED) return true;
    return false;
}

/* -- the buffer, in the first sentences -- */

/* "6 pairs of runs of 250 updates, emulated" */
static void write_runs(sb_writer *out, const sb_finding *c)
{
    const sb_result *cell = c->of->cell[0];
    sb_write(out, "%zu pair%s of runs of %ld update%s", c->verdict.n, sb_plural(c->verdict.n), cell->updates,
             sb_plural((size_t)cell->updates));
    if (cell->evidence != SB_EVIDENCE_MEASURED) sb_write(out, ", %s", sb_evidence_name[cell->evidence]);
}

static void write_loss(sb_writer *out, const sb_finding *c)
{
    sb_write(out, " the final loss of ");
    sb_answer_write_network(out, c->of->cell[0]);
}

static void write_buffer_undecided(sb_writer *out, sb_answer_form *form, const sb_finding *c)
{
    char count[64];
    snprintf(count, sizeof count, "%zu pair%s of runs", c->verdict.n, sb_plural(c->verdict.n));
    sb_write(out, "Whether the shared target buffer changes");
    write_loss(out, c);
    sb_write(out, " is not decided: ");
    sb_answer_write_undecided(out, &c->verdict, count);
    if (isnan(c->verdict.ratio)) {
        sb_write(out, ".");
        return;
    }
    sb_write(out, " (ratio ");
    sb_answer_write_ratio(out, form, c->label, &c->verdict);
    sb_write(out, ", ");
    sb_answer_write_interval(out, form, c->label, &c->verdict);
    sb_write(out, "%ld update%s).", c->of->cell[0]->updates, sb_plural((size_t)c->of->cell[0]->updates));
}

static void write_buffer(sb_writer *out, sb_answer_form *form, const sb_finding *c)
{
    const sb_verdict *v = &c->verdict;
    if (v->word == SB_VERDICT_UNDETERMINED) {
        write_buffer_undecided(out, form, c);
        return;
    }
    sb_write(out,
             v->word == SB_VERDICT_DIFFERENT ? "The shared target buffer %s"
                                             : "The shared target buffer does not change",
             sb_answer_effect_verb(v));
    write_loss(out, c);
    if (v->word == SB_VERDICT_DIFFERENT) {
        sb_answer_write_effect(out, form, c->label, v);
        write_runs(out, c);
        sb_write(out, ", p = %s).", sb_number_p(v->p).text);
        return;
    }
    sb_write(out, " (");
    write_runs(out, c);
    sb_write(out, "): %.*s.", (int)strcspn(v->reason, ";"), v->reason);
}

/* -- the hardware, in the first sentences -- */

/* "The GPUs end at 1.20 to 1.31 times the loss of the CPU (95 % interval ..., 8 pairs each)." */
static void write_different(sb_writer *out, sb_answer_form *form, const sb_chosen *c, const sb_names *names)
{
    const sb_finding *first = sb_chosen_next(c, NULL);
    sb_write(out, "%s end%s at ", names->subject, names->plural ? "" : "s");
    sb_chosen_write_ratios(out, form, c);
    sb_write(out, " the loss of %s (", names->object);
    if (c->n == 1) sb_answer_write_interval(out, form, first->label, &first->verdict);
    sb_write(out, "%s).", names->count);
}

static void write_undecided(sb_writer *out, const sb_chosen *c, const sb_names *names)
{
    const sb_finding *first = sb_chosen_next(c, NULL), *most = first;
    for (const sb_finding *at = first; at; at = sb_chosen_next(c, at))
        if (at->verdict.n > most->verdict.n) most = at;
    sb_write(out, "Whether %s differ%s from %s is not decided: ", names->in_sentence, names->plural ? "" : "s",
             names->object);
    sb_answer_write_undecided(out, &most->verdict, names->count);
    sb_write(out, ".");
}

static void write_alike(sb_writer *out, sb_answer_form *form, const sb_chosen *c, const sb_names *names)
{
    if (c->word == SB_VERDICT_SAME_BITS) {
        sb_write(out, "%s end%s with the same bits as %s (", names->subject, names->plural ? "" : "s", names->object);
        sb_write(out, "%s).", names->count);
        return;
    }
    write_different(out, form, c, names);
    sb_write(out, names->plural ? " They are equivalent to it." : " That is equivalent.");
}

/* A sentence for each verdict; where all have the same one, the machines need no names. */
static void write_hardware(sb_writer *out, sb_answer_form *form, const sb_answer *a, bool decided)
{
    const int kind = sb_answer_main_kind(a);
    const char *before = "";
    for (int i = 0; i < SB_N_VERDICTS; i++) {
        const sb_verdict_word word = sb_chosen_order[i];
        const sb_chosen c = sb_chosen_of(a->hardware[kind].part, a->hardware[kind].n, word);
        if (c.n == 0 || (word != SB_VERDICT_UNDETERMINED) != decided) continue;
        sb_names names;
        sb_answer_names(&names, a, &c);
        sb_write(out, "%s", before);
        before = " ";
        if (word == SB_VERDICT_UNDETERMINED)
            write_undecided(out, &c, &names);
        else if (word == SB_VERDICT_DIFFERENT)
            write_different(out, form, &c, &names);
        else
            write_alike(out, form, &c, &names);
    }
}

/* -- both -- */

static bool has_undecided(const sb_finding *part, size_t n)
{
    return sb_chosen_of(part, n, SB_VERDICT_UNDETERMINED).n > 0;
}

static void write_found(sb_writer *out, const sb_answer *a, sb_answer_form *form)
{
    const int kind = sb_answer_main_kind(a);
    const sb_finding *hardware = a->hardware[kind].part;
    const size_t n = a->hardware[kind].n;
    const char *before = "";
    for (int decided = 1; decided >= 0; decided--) {
        if (a->buffer && is_decided(a->buffer, 1) == decided) {
            sb_write(out, "%s", before);
            write_buffer(out, form, a->buffer);
            before = " ";
        }
        if (decided ? is_decided(hardware, n) : has_undecided(hardware, n)) {
            sb_write(out, "%s", before);
            write_hardware(out, form, a, decided);
            before = " ";
        }
    }
}

void sb_answer_write(sb_writer *out, const sb_answer *a, sb_answer_form *form)
{
    const bool hardware = a->hardware[sb_answer_main_kind(a)].n > 0;
    write_found(out, a, form);
    if (!a->buffer && !hardware)
        sb_write(out, "No two machines were compared, and no two runs differ in the target buffer alone.");
    else if (!hardware)
        sb_write(out, " No two machines were compared.");
    else if (!a->buffer)
        sb_write(out, " No two runs differ in the target buffer alone.");
}
