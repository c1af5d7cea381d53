#include "paper/claims/answer.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 5 }; /* settings up to which a sentence names every one */

const sb_verdict_word sb_chosen_order[SB_N_VERDICTS] = {SB_VERDICT_DIFFERENT, SB_VERDICT_UNDETERMINED,
                                                        SB_VERDICT_EQUIVALENT, SB_VERDICT_SAME_BITS};

const sb_finding *sb_chosen_next(const sb_chosen *c, const sb_finding *after)
{
    const sb_finding *at = after ? after + 1 : c->part;
    while (at < c->part + c->n_total && at->verdict.word != c->word) at++;
    return at < c->part + c->n_total ? at : NULL;
}

sb_chosen sb_chosen_of(const sb_finding *part, size_t n, sb_verdict_word word)
{
    char names[SB_FINDING_NAMES];
    sb_chosen c = {.part = part, .n_total = n, .word = word};
    for (const sb_finding *at = sb_chosen_next(&c, NULL); at; at = sb_chosen_next(&c, at)) {
        c.n++;
        c.n_settings += sb_finding_names(at, names);
    }
    return c;
}

/* Each finding has its names with ", " between them; the last comma becomes "and". */
void sb_chosen_names(const sb_chosen *c, char names[SB_CHOSEN_NAMES])
{
    char list[SB_CHOSEN_NAMES] = "", *last = NULL;
    const sb_finding *first = sb_chosen_next(c, NULL);
    for (const sb_finding *at = first; at && c->n_settings <= NAMED; at = sb_chosen_next(c, at)) {
        const size_t used = strlen(list);
        char own[SB_FINDING_NAMES];
        sb_finding_names(at, own);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", own);
    }
    for (char *comma = list; (comma = strstr(comma, ", ")); comma++) last = comma;
    if (c->n_settings > NAMED)
        snprintf(names, SB_CHOSEN_NAMES, "%zu settings", c->n_settings);
    else if (last)
        snprintf(names, SB_CHOSEN_NAMES, "%.*s and %s", (int)(last - list), list, last + 2);
    else
        snprintf(names, SB_CHOSEN_NAMES, "%s", list);
    const size_t used = strlen(names);
    if (sb_finding_evidence(first) != SB_EVIDENCE_MEASURED)
        snprintf(names + used, SB_CHOSEN_NAMES - used, " (%s)", sb_evidence_name[sb_finding_evidence(first)]);
}

/* The smallest ratio, and the largest where it reads otherwise; of runs that diverged there is none. */
void sb_chosen_write_ratios(sb_writer *out, sb_answer_form *form, const sb_chosen *c)
{
    const sb_finding *low = NULL, *high = NULL;
    for (const sb_finding *at = sb_chosen_next(c, NULL); at; at = sb_chosen_next(c, at)) {
        if (isnan(at->verdict.ratio)) continue;
        if (!low || at->verdict.ratio < low->verdict.ratio) low = at;
        if (!high || at->verdict.ratio > high->verdict.ratio) high = at;
    }
    if (!low) {
        sb_write(out, "no ratio to");
        return;
    }
    sb_answer_write_range(out, form, low, high);
    sb_write(out, " times");
}

void sb_chosen_count(const sb_chosen *c, char text[SB_CHOSEN_COUNT])
{
    const sb_finding *first = sb_chosen_next(c, NULL);
    size_t least = first->verdict.n, most = least;
    for (const sb_finding *at = first; at; at = sb_chosen_next(c, at)) {
        if (at->verdict.n < least) least = at->verdict.n;
        if (at->verdict.n > most) most = at->verdict.n;
    }
    snprintf(text, SB_CHOSEN_COUNT, "%zu %s%s%s%s", least, first->verdict.paired ? "pair" : "run", sb_plural(least),
             most > least ? " or more" : "", c->n > 1 ? " each" : "");
}

int sb_answer_main_kind(const sb_answer *a)
{
    return a->hardware[SB_ASKS_GPU].n ? SB_ASKS_GPU : SB_ASKS_CPU;
}

bool sb_answer_all_emulated(const sb_finding *part, size_t n)
{
    size_t n_emulated = 0;
    for (size_t i = 0; i < n; i++) n_emulated += sb_finding_evidence(&part[i]) == SB_EVIDENCE_EMULATED;
    return n_emulated == n;
}

static void name_all(sb_names *names, const sb_answer *a, const sb_chosen *c)
{
    const int kind = sb_answer_main_kind(a);
    const sb_finding *first = a->hardware[kind].part;
    const char *emulated = kind == SB_ASKS_CPU && sb_answer_all_emulated(first, c->n) ? "emulated " : "";
    snprintf(names->subject, sizeof names->subject, "The %s%s%s", emulated, kind == SB_ASKS_CPU ? "CPU" : "GPU",
             sb_plural(c->n_settings));
    const bool over_cpu = kind == SB_ASKS_GPU && !sb_recipe_on_gpu(first->over->cell[0]);
    names->object = over_cpu ? "the CPU" : kind == SB_ASKS_CPU ? "the reference" : "the reference GPU";
}

void sb_answer_names(sb_names *names, const sb_answer *a, const sb_chosen *c)
{
    *names = (sb_names){.plural = c->n_settings > 1};
    sb_chosen_count(c, names->count);
    if (c->n == c->n_total) {
        name_all(names, a, c);
    } else {
        sb_chosen_names(c, names->subject);
        names->object = sb_chosen_next(c, NULL)->over->setting->label;
    }
    snprintf(names->in_sentence, sizeof names->in_sentence, "%s%s", c->n == c->n_total ? "t" : "",
             names->subject + (c->n == c->n_total));
}
