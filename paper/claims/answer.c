#include "paper/claims/answer.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- what there is -- */

static const sb_contrast *told(const sb_answer *a)
{
    return a->hardware[SB_CONTRAST_GPU].n ? a->hardware[SB_CONTRAST_GPU].contrast
                                          : a->hardware[SB_CONTRAST_CPU].contrast;
}

static const sb_contrast *find_beside(const sb_answer *a, const sb_contrasts *contrasts)
{
    for (const sb_contrast *c = contrasts->contrast; told(a) && c < contrasts->contrast + contrasts->n; c++)
        if (c->kind == SB_CONTRAST_BUFFER && c != a->buffer && c->of_setting == told(a)->over_setting) return c;
    return NULL;
}

sb_answer sb_answer_of(const sb_contrasts *contrasts, const sb_results *results, const sb_claims *claims)
{
    sb_answer a = {.n_claims = claims->n};
    for (const sb_contrast *c = contrasts->contrast; c < contrasts->contrast + contrasts->n; c++) {
        if (c->kind == SB_CONTRAST_BUFFER) {
            /* Measured runs speak before emulated and imitated ones of the same study. */
            bool better =
                a.buffer && c->group == a.buffer->group && c->of->cell[0]->evidence < a.buffer->of->cell[0]->evidence;
            if (!a.buffer || better) a.buffer = c;
            continue;
        }
        if (a.hardware[c->kind].n == 0) a.hardware[c->kind].contrast = c;
        a.hardware[c->kind].n += c->group == a.hardware[c->kind].contrast->group;
    }
    a.beside = find_beside(&a, contrasts);
    for (size_t i = 0; i < results->n_cells; i++) {
        a.gpu_ran = a.gpu_ran || sb_recipe_on_gpu(&results->cell[i]);
        a.published_size_ran = a.published_size_ran || sb_recipe_has_published_size(&results->cell[i]);
    }
    for (size_t i = 0; i < claims->n; i++) a.n_waiting += claims->result[i].outcome == SB_OUTCOME_HARDWARE_MISSING;
    return a;
}

static int compare_distances(const void *left, const void *right)
{
    const sb_contrast *a = *(const sb_contrast *const *)left, *b = *(const sb_contrast *const *)right;
    double x = fabs(log(a->verdict.ratio)), y = fabs(log(b->verdict.ratio));
    return x != y ? (x < y) - (x > y) : (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right)
{
    const sb_contrast *a = *(const sb_contrast *const *)left, *b = *(const sb_contrast *const *)right;
    return (a > b) - (a < b);
}

size_t sb_answer_rows(const sb_answer *a, const sb_contrast *row[SB_ANSWER_ROWS], size_t *n_left_out)
{
    enum { MOST = 256 };
    const sb_contrast *hardware[MOST];
    size_t n = 0, n_hardware = 0;
    if (a->buffer) row[n++] = a->buffer;
    if (a->beside) row[n++] = a->beside;
    for (sb_contrast_kind kind = SB_CONTRAST_GPU; kind < SB_N_CONTRASTS; kind++)
        for (size_t i = 0; i < a->hardware[kind].n && n_hardware < MOST; i++)
            hardware[n_hardware++] = &a->hardware[kind].contrast[i];
    qsort(hardware, n_hardware, sizeof *hardware, compare_distances);
    size_t shown = n_hardware < SB_ANSWER_ROWS - n ? n_hardware : SB_ANSWER_ROWS - n;
    qsort(hardware, shown, sizeof *hardware, compare_places);
    memcpy(row + n, hardware, shown * sizeof *row);
    *n_left_out = n_hardware - shown;
    return n + shown;
}

typedef enum state { ALIKE, DIFFERENT, UNDECIDED, ABSENT } state;

static state state_of(const sb_contrast *contrast, size_t n)
{
    size_t count[SB_N_VERDICTS] = {0};
    for (size_t i = 0; i < n; i++) count[contrast[i].verdict.word]++;
    if (n == 0) return ABSENT;
    if (count[SB_VERDICT_DIFFERENT]) return DIFFERENT;
    return count[SB_VERDICT_UNDETERMINED] ? UNDECIDED : ALIKE;
}

/* -- numbers -- */

void sb_answer_write_number(sb_writer *out, sb_answer_form form, const char *label, const char *words)
{
    if (form.number)
        form.number(out, form.context, label, words);
    else
        sb_write(out, "%s", words);
}

static int decimals_of(const sb_verdict *v)
{
    return sb_stats_ratio_decimals(&(sb_ratio){v->n, v->ratio, v->low, v->high, v->p});
}

static void ratio_words(const sb_verdict *v, char words[SB_VERDICT_TEXT])
{
    snprintf(words, SB_VERDICT_TEXT, "%.*f", decimals_of(v), v->ratio);
}

void sb_answer_write_ratio(sb_writer *out, sb_answer_form form, const char *label, const sb_verdict *v)
{
    char words[SB_VERDICT_TEXT];
    ratio_words(v, words);
    sb_answer_write_number(out, form, label, words);
}

void sb_answer_write_interval(sb_writer *out, sb_answer_form form, const char *label, const sb_verdict *v)
{
    char words[SB_VERDICT_TEXT];
    const int decimals = decimals_of(v);
    if (isnan(v->low)) return;
    sb_write(out, "95 %% interval ");
    snprintf(words, sizeof words, "%.*f to %.*f", decimals, v->low, decimals, v->high);
    sb_answer_write_number(out, form, label, words);
    sb_write(out, "; ");
}

void sb_answer_write_network(sb_writer *out, const sb_result *cell)
{
    if (sb_recipe_has_published_size(cell))
        sb_write(out, "PredNet at the published size");
    else if (strcmp(cell->model, "prednet") == 0)
        sb_write(out, "PredNet with channels %s", cell->channels);
    else
        sb_write(out, "the %s", cell->model);
}

/* -- the answer -- */

static void write_buffer(sb_writer *out, sb_answer_form form, const sb_contrast *c, const char *before)
{
    const sb_verdict *v = &c->verdict;
    sb_write(out, "%sthe final loss of ", before);
    sb_answer_write_network(out, c->of->cell[0]);
    if (isnan(v->ratio)) {
        sb_write(out, v->word == SB_VERDICT_DIFFERENT ? " (no ratio; " : " has no ratio (");
    } else {
        sb_write(out, v->word == SB_VERDICT_DIFFERENT ? " by " : " was ");
        sb_answer_write_ratio(out, form, c->label, v);
        sb_write(out, v->word == SB_VERDICT_DIFFERENT ? " (" : " times as high (");
        sb_answer_write_interval(out, form, c->label, v);
    }
    sb_write(out, "%zu pair%s of runs of %ld update%s", v->n, sb_plural(v->n), c->of->cell[0]->updates,
             sb_plural((size_t)c->of->cell[0]->updates));
    if (c->of->cell[0]->evidence != SB_EVIDENCE_MEASURED)
        sb_write(out, ", %s", sb_evidence_name[c->of->cell[0]->evidence]);
    sb_write(out, "; p = %s; verdict: %s", sb_number_p(v->p).text, sb_verdict_name[v->word]);
    if (v->word == SB_VERDICT_UNDETERMINED || v->word == SB_VERDICT_EQUIVALENT) sb_write(out, ", as %s", v->reason);
    sb_write(out, ").");
}

/* The hardware that the question is about first: a GPU, where one was compared. */
static sb_contrast_kind main_kind(const sb_answer *a)
{
    return a->hardware[SB_CONTRAST_GPU].n ? SB_CONTRAST_GPU : SB_CONTRAST_CPU;
}

static bool all_emulated(const sb_contrast *contrast, size_t n)
{
    size_t n_emulated = 0;
    for (size_t i = 0; i < n; i++) n_emulated += sb_contrast_evidence(&contrast[i]) == SB_EVIDENCE_EMULATED;
    return n_emulated == n;
}

/* "the CPUs compared" */
static void write_compared(sb_writer *out, const sb_answer *a)
{
    sb_contrast_kind kind = main_kind(a);
    const sb_contrast *first = a->hardware[kind].contrast;
    const size_t n = a->hardware[kind].n;
    if (kind == SB_CONTRAST_CPU)
        sb_write(out, "%s",
                 all_emulated(first, n) ? (n == 1 ? "the emulated CPU and the reference" : "the emulated CPUs compared")
                                        : (n == 1 ? "the CPU and the reference" : "the CPUs compared"));
    else if (sb_recipe_on_gpu(first->over->cell[0]))
        sb_write(out, "the GPUs compared");
    else
        sb_write(out, n == 1 ? "the GPU and the CPU compared" : "the GPUs and the CPU compared");
}

static void write_opening(sb_writer *out, const sb_answer *a, state hardware)
{
    const sb_contrast *contrast = a->hardware[main_kind(a)].contrast;
    size_t n = a->hardware[main_kind(a)].n, n_different = 0;
    for (size_t i = 0; i < n; i++) n_different += contrast[i].verdict.word == SB_VERDICT_DIFFERENT;
    switch (hardware) {
    case ABSENT:
        sb_write(out, "No two machines were compared");
        return;
    case ALIKE:
        sb_write(out, "Not between ");
        write_compared(out, a);
        return;
    case DIFFERENT:
        sb_write(out, n_different < n ? "Between some of " : "Between ");
        write_compared(out, a);
        sb_write(out, " a difference was seen");
        return;
    case UNDECIDED:
        sb_write(out, "Between ");
        write_compared(out, a);
        sb_write(out, " that is not decided");
    }
}

/* What follows the opening, by what the buffer does; each leads up to "the final loss of". */
static const char *turn_to_buffer(state hardware, state buffer, bool has_ratio)
{
    switch (buffer) {
    case DIFFERENT:
        if (!has_ratio) return ", and a target buffer that is shared instead of copied changes ";
        return hardware == DIFFERENT
                   ? ", and a target buffer that is shared instead of copied makes one, too: it multiplies "
                   : ", but a target buffer that is shared instead of copied changes it: it multiplies ";
    case ALIKE:
        return hardware == ALIKE ? ", nor by a target buffer that is shared instead of copied: "
                                 : ", and a target buffer that is shared instead of copied does not change it: ";
    default:
        return "; whether a target buffer that is shared instead of copied does is not decided either way: ";
    }
}

void sb_answer_write(sb_writer *out, const sb_answer *a, sb_answer_form form)
{
    state hardware = state_of(a->hardware[main_kind(a)].contrast, a->hardware[main_kind(a)].n);
    state buffer = state_of(a->buffer, a->buffer ? 1 : 0);
    if (buffer == UNDECIDED && (hardware == UNDECIDED || hardware == ABSENT)) {
        write_buffer(out, form, a->buffer,
                     "That is not decided yet: with a target buffer that is shared instead of copied, ");
        return;
    }
    write_opening(out, a, hardware);
    if (buffer == ABSENT)
        sb_write(out, ", and no two runs differ in the target buffer alone.");
    else
        write_buffer(out, form, a->buffer, turn_to_buffer(hardware, buffer, !isnan(a->buffer->verdict.ratio)));
}

/* -- the hardware -- */

/* Contrasts of one verdict, in the order of their study. */
typedef struct chosen {
    const sb_contrast *contrast;
    size_t n, n_total, n_settings;
    sb_verdict_word word;
} chosen;

static const sb_contrast *next_chosen(const chosen *c, const sb_contrast *after)
{
    const sb_contrast *at = after ? after + 1 : c->contrast;
    while (at < c->contrast + c->n_total && at->verdict.word != c->word) at++;
    return at < c->contrast + c->n_total ? at : NULL;
}

static chosen choose(const sb_contrast *contrast, size_t n, sb_verdict_word word)
{
    chosen c = {.contrast = contrast, .n_total = n, .word = word};
    for (const sb_contrast *at = next_chosen(&c, NULL); at; at = next_chosen(&c, at)) {
        c.n++;
        c.n_settings += at->n_settings;
    }
    return c;
}

enum { NAMED = 5 }; /* settings up to which a sentence names every one */

/* "i5-4590, i5-7600k and ryzen5-3600": names stand between ", ". */
static void write_names(sb_writer *out, const chosen *c)
{
    char names[1024] = "";
    if (c->n_settings > NAMED) {
        sb_write(out, "%zu settings", c->n_settings);
        return;
    }
    for (const sb_contrast *at = next_chosen(c, NULL); at; at = next_chosen(c, at)) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", at->names);
    }
    char *last = NULL;
    for (char *comma = names; (comma = strstr(comma, ", ")); comma++) last = comma;
    if (last)
        sb_write(out, "%.*s and %s", (int)(last - names), names, last + 2);
    else
        sb_write(out, "%s", names);
}

/* The smallest ratio, and the largest where it reads otherwise; of runs that diverged there is none. */
static void write_ratios(sb_writer *out, sb_answer_form form, const chosen *c)
{
    char low_words[SB_VERDICT_TEXT], high_words[SB_VERDICT_TEXT];
    const sb_contrast *low = NULL, *high = NULL;
    for (const sb_contrast *at = next_chosen(c, NULL); at; at = next_chosen(c, at)) {
        if (isnan(at->verdict.ratio)) continue;
        if (!low || at->verdict.ratio < low->verdict.ratio) low = at;
        if (!high || at->verdict.ratio > high->verdict.ratio) high = at;
    }
    if (!low) {
        sb_write(out, "no ratio to");
        return;
    }
    ratio_words(&low->verdict, low_words);
    ratio_words(&high->verdict, high_words);
    sb_answer_write_number(out, form, low->label, low_words);
    if (strcmp(low_words, high_words) != 0) {
        sb_write(out, " to ");
        sb_answer_write_number(out, form, high->label, high_words);
    }
    sb_write(out, " times");
}

/* What the verdict of all of them rests on: the weakest of each. */
static void write_reason(sb_writer *out, const chosen *c)
{
    const sb_contrast *first = next_chosen(c, NULL), *weakest = first;
    double p = 0, margin = 0;
    for (const sb_contrast *at = first; at; at = next_chosen(c, at)) {
        if (at->verdict.p_equivalent > weakest->verdict.p_equivalent) weakest = at;
        p = fmax(p, at->verdict.p_holm);
        margin = fmax(margin, at->verdict.margin.judged);
    }
    if (c->word == SB_VERDICT_EQUIVALENT)
        sb_write(out, "equivalent: a difference of %s %% or more is rejected",
                 sb_number_short(100 * expm1(margin)).text);
    else if (c->word == SB_VERDICT_DIFFERENT)
        sb_write(out, "different: adjusted p = %s", sb_number_p(p).text);
    else
        sb_write(out, "undetermined: %s", weakest->verdict.reason);
}

/* "6 pairs each", "5 runs or more each": the fewest of all of them. */
static void write_count(sb_writer *out, const chosen *c)
{
    const sb_contrast *first = next_chosen(c, NULL);
    size_t least = first->verdict.n, most = least;
    for (const sb_contrast *at = first; at; at = next_chosen(c, at)) {
        if (at->verdict.n < least) least = at->verdict.n;
        if (at->verdict.n > most) most = at->verdict.n;
    }
    sb_write(out, first->verdict.paired ? "%zu pair%s" : "%zu run%s", least, sb_plural(least));
    if (most > least) sb_write(out, " or more");
    if (c->n > 1) sb_write(out, " each");
}

static void write_chosen(sb_writer *out, sb_answer_form form, const chosen *c)
{
    const sb_contrast *first = next_chosen(c, NULL);
    write_names(out, c);
    if (sb_contrast_evidence(first) != SB_EVIDENCE_MEASURED)
        sb_write(out, " (%s)", sb_evidence_name[sb_contrast_evidence(first)]);
    if (c->word == SB_VERDICT_SAME_BITS) {
        sb_write(out, " ended with the same bits as %s (", first->over_setting->label);
        write_count(out, c);
        sb_write(out, ")");
        return;
    }
    sb_write(out, " ended at ");
    write_ratios(out, form, c);
    sb_write(out, " the loss of %s (", first->over_setting->label);
    write_count(out, c);
    sb_write(out, "; ");
    write_reason(out, c);
    sb_write(out, ")");
}

void sb_answer_write_hardware(sb_writer *out, const sb_answer *a, sb_answer_form form)
{
    static const sb_verdict_word order[] = {SB_VERDICT_DIFFERENT, SB_VERDICT_UNDETERMINED, SB_VERDICT_EQUIVALENT,
                                            SB_VERDICT_SAME_BITS};
    bool first_sentence = true;
    for (sb_contrast_kind kind = SB_CONTRAST_GPU; kind < SB_N_CONTRASTS; kind++) {
        if (a->hardware[kind].n == 0) continue;
        sb_write(out, first_sentence ? "With the copied buffer, " : " ");
        bool first = true;
        for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
            chosen c = choose(a->hardware[kind].contrast, a->hardware[kind].n, order[i]);
            if (c.n == 0) continue;
            if (!first) sb_write(out, "; ");
            write_chosen(out, form, &c);
            first = false;
        }
        sb_write(out, ".");
        first_sentence = false;
    }
}

/* -- the gaps -- */

void sb_answer_write_gaps(sb_writer *out, const sb_answer *a)
{
    const size_t n_cpus = a->hardware[SB_CONTRAST_CPU].n;
    if (!a->gpu_ran)
        sb_write(out, "Not answered: whether a GPU ends like a CPU, because no GPU has run");
    else if (a->hardware[SB_CONTRAST_GPU].n == 0)
        sb_write(out, "Not answered: whether a GPU ends like a CPU, because no two of them have run in one study");
    else
        sb_write(out, "Not answered: how the published runs ended, because their numbers are not publicly readable");
    if (a->n_waiting) sb_write(out, " (%zu of %zu claims wait for hardware)", a->n_waiting, a->n_claims);
    sb_write(out, ".");
    if (!a->published_size_ran) sb_write(out, " The network of the published size has not run.");
    if (n_cpus && all_emulated(a->hardware[SB_CONTRAST_CPU].contrast, n_cpus))
        sb_write(out, " The CPU%s compared %s emulated on another one.", sb_plural(n_cpus),
                 n_cpus == 1 ? "was" : "were");
}
