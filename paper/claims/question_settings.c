/* The question in a sentence, where its claims compare settings, such as backends, with the same target. */
#include "paper/claims/question.h"

#include "core/text/plural.h"

#include <stdio.h>
#include <string.h>

/* What all claims together say of two settings, the weakest last: one comparison that is open leaves them open. */
typedef enum state { SAME_BITS, WITHIN, DIFFERENT, OPEN, N_STATES } state;

enum { MOST = 16, NAMES = 1024 };

typedef struct pair {
    const char *of, *over;      /* labels of the settings, as in the first claim that compares them */
    const sb_finding *hardware; /* whose first side has all names of this hardware; NULL: the label is the name */
    state state;
    size_t n_runs; /* pairs of runs, each once */
} pair;

typedef struct pairs {
    size_t n;
    pair pair[MOST];
} pairs;

/* Differences are found different, but no ratio's margin judges an equivalence of them (docs/claims.md). */
static bool is_different_without_margin(const sb_claim_result *r, const sb_finding *part)
{
    return part->verdict.unit > 0 && part->verdict.word == SB_VERDICT_DIFFERENT &&
           sb_claim_relation(r->claim) == SB_RELATION_EQUIVALENT && sb_claim_part_is_planned(part, r->claim);
}

static state state_of(const sb_claim_result *r, const sb_finding *part)
{
    if (part->verdict.word == SB_VERDICT_SAME_BITS) return SAME_BITS;
    if (is_different_without_margin(r, part)) return DIFFERENT;
    if (r->outcome == SB_OUTCOME_UNDETERMINED || part->outcome == SB_OUTCOME_UNDETERMINED) return OPEN;
    if (part->verdict.word == SB_VERDICT_DIFFERENT) return DIFFERENT;
    return part->verdict.word == SB_VERDICT_EQUIVALENT ? WITHIN : OPEN;
}

static bool compares_settings(const sb_finding *part)
{
    return strcmp(part->of->setting->label, part->over->setting->label) != 0 &&
           part->of->target == part->over->target;
}

/* Has a claim before this one, or a part before this one, the same runs? */
static bool is_counted(const sb_question *q, const sb_finding *part)
{
    for (const sb_claim_result *r = NULL; (r = sb_question_next(q, r));)
        for (const sb_finding *at = r->part; at < r->part + r->n_parts; at++) {
            if (at == part) return false;
            if ((at->of == part->of && at->over == part->over) || (at->of == part->over && at->over == part->of))
                return true;
        }
    return false;
}

static bool is_pair(const pair *p, const char *of, const char *over)
{
    return strcmp(p->of, of) == 0 && strcmp(p->over, over) == 0;
}

static void add(pairs *all, const sb_question *q, const sb_claim_result *r, const sb_finding *part)
{
    const char *of = part->of->setting->label, *over = part->over->setting->label;
    const state now = state_of(r, part);
    pair *at = all->pair;
    while (at < all->pair + all->n && !is_pair(at, of, over) && !is_pair(at, over, of)) at++;
    if (at == all->pair + MOST) return;
    if (at == all->pair + all->n)
        all->pair[all->n++] =
            (pair){.of = of, .over = over, .hardware = sb_claim_is_of_hardware(r->claim) ? part : NULL};
    if (now > at->state) at->state = now;
    if (!is_counted(q, part)) at->n_runs += part->verdict.n;
}

static pairs list_pairs(const sb_question *q)
{
    pairs all = {0};
    for (const sb_claim_result *r = NULL; (r = sb_question_next(q, r));)
        for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++)
            if (compares_settings(part)) add(&all, q, r, part);
    return all;
}

static const char *other(const pair *p, const char *reference)
{
    return strcmp(p->of, reference) == 0 ? p->over : strcmp(p->over, reference) == 0 ? p->of : NULL;
}

/* The setting that the most are compared with. */
static const char *find_reference(const pairs *all)
{
    const char *found = all->n ? all->pair[0].over : NULL;
    size_t most = 0;
    for (size_t i = 0; i < 2 * all->n; i++) {
        const char *label = i % 2 ? all->pair[i / 2].of : all->pair[i / 2].over;
        size_t n = 0;
        for (size_t k = 0; k < all->n; k++) n += other(&all->pair[k], label) != NULL;
        if (n > most) most = n, found = label;
    }
    return found;
}

/* The name of a pair's setting, or its names, with ", " between them; a label loses its own commas. Returns how many. */
static size_t name_setting(char names[SB_FINDING_NAMES], const pair *p, const char *label)
{
    if (p->hardware && label == p->of) return sb_finding_names(p->hardware, names);
    snprintf(names, SB_FINDING_NAMES, "%s", label);
    for (char *comma = names; (comma = strchr(comma, ','));) memmove(comma, comma + 1, strlen(comma));
    return 1;
}

/* "cublas and cudnn". Returns how many. */
static size_t name(char names[NAMES], const pairs *all, const char *reference, state of)
{
    char list[NAMES] = "", own[SB_FINDING_NAMES], *last = NULL;
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const char *label = other(&all->pair[i], reference);
        const size_t used = strlen(list);
        if (!label || all->pair[i].state != of) continue;
        n += name_setting(own, &all->pair[i], label);
        snprintf(list + used, NAMES - used, "%s%s", used ? ", " : "", own);
    }
    for (char *comma = list; (comma = strstr(comma, ", ")); comma++) last = comma;
    snprintf(names, NAMES, "%.*s%s%s", (int)(last ? last - list : NAMES), list, last ? " and " : "",
             last ? last + 2 : "");
    return n;
}

static size_t count_runs(const pairs *all, const char *reference, state of)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        if (other(&all->pair[i], reference) && all->pair[i].state == of) n += all->pair[i].n_runs;
    return n;
}

bool sb_question_write_settings(sb_writer *out, const sb_question *q)
{
    const pairs all = list_pairs(q);
    const char *reference = find_reference(&all), *before = "";
    const char *margin = q->kind == SB_QUESTION_CLAIMS ? "claimed " : "";
    char names[NAMES];
    for (int r = 0; reference && r < N_STATES; r++) {
        const size_t n = name(names, &all, reference, (state)r), n_runs = count_runs(&all, reference, (state)r);
        const char *s = n == 1 ? "s" : "";
        if (n == 0) continue;
        sb_write(out, "%s", before);
        before = " ";
        if (r == SAME_BITS)
            sb_write(out, "%s end%s with the same bits as %s (%zu pair%s of runs).", names, s, reference, n_runs,
                     sb_plural(n_runs));
        else if (r == WITHIN)
            sb_write(out, "%s end%s within the %smargin of %s.", names, s, margin, reference);
        else if (r == DIFFERENT)
            sb_write(out, "%s differ%s from %s.", names, s, reference);
        else
            sb_write(out, "Whether %s differ%s from %s is not decided.", names, s, reference);
    }
    return *before;
}
