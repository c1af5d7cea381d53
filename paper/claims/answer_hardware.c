/* What the hardware does by itself, and what is not answered. */
#include "paper/claims/answer_names.h"

#include "core/text/plural.h"
#include "paper/numbers/numbers.h"

#include <math.h>
#include <stdio.h>

/* -- the hardware -- */

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

static void write_chosen(sb_writer *out, sb_answer_form form, const sb_chosen *c)
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

void sb_answer_write_hardware(sb_writer *out, const sb_answer *a, sb_answer_form form)
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
