#include "inspect/bisect/bisect_parts.h"

#include <string.h>

enum { CAUSES_MAX = SB_BISECT_CAUSES };

/* May the setting cause a difference between two runs of one network? A rung only sets defaults of other settings,
 * which a run file has as numbers. */
static bool is_candidate(sb_setting_id id)
{
    const sb_setting_row *setting = &sb_settings_table[id];
    return (setting->group == SB_GROUP_LEARN || setting->group == SB_GROUP_COMPUTE) && id != SB_SETTING_MODEL &&
           id != SB_SETTING_RUNG;
}

/* What is tried as one. */
typedef struct cause {
    const char *name;                /* of its first setting: "backend" */
    char what[3 * SB_READBACK_WORD]; /* "openblas Haswell | native winograd" */
} cause;

/* An arithmetic comes with all that is its own, and a backend with its arithmetic, too. */
static bool belongs_to(const char *key, sb_setting_id whole)
{
    const sb_setting_id id = sb_setting_find(key);
    if (id == whole || id == SB_N_SETTINGS) return id == whole;
    const sb_setting_of of = sb_settings_table[id].of;
    return of == SB_OF_ARITHMETIC || (whole == SB_SETTING_BACKEND && of == SB_OF_BACKEND);
}

/* What a setting is swapped with: itself alone, or all that is a backend's or an arithmetic's. */
static bool is_swapped(const char *key, const char *tried)
{
    const sb_setting_id id = sb_setting_find(tried);
    const bool whole = id == SB_SETTING_BACKEND || id == SB_SETTING_ARITHMETIC;
    return whole ? belongs_to(key, id) : strcmp(key, tried) == 0;
}

static const char *value_of(const sb_readback *readback, const char *setting)
{
    const char *value = sb_readback_value(readback, setting);
    return value ? value : "";
}

static bool differs(const sb_bisection *bisection, const char *setting)
{
    return strcmp(value_of(&bisection->a.readback, setting), value_of(&bisection->b.readback, setting)) != 0;
}

/* "openblas Haswell" of a backend, else the value itself. */
static void describe(const sb_readback *readback, const char *setting, bool whole_backend, char *text, size_t size)
{
    const char *value = value_of(readback, setting), *kernel = value_of(readback, "blas_kernel"),
               *arithmetic = value_of(readback, "arithmetic");
    if (!whole_backend)
        snprintf(text, size, "%s", value);
    else
        snprintf(text, size, "%s %s", value, *kernel ? kernel : arithmetic);
}

/* The cause among the facts, not yet tried. */
static sb_bisect_cause *note_cause(const sb_bisection *bisection, const cause *c)
{
    sb_bisect_facts *facts = bisection->facts;
    sb_bisect_cause *noted = &facts->cause[facts->n_causes++];
    const char *bar = strstr(c->what, " | ");
    *noted = (sb_bisect_cause){0};
    snprintf(noted->name, sizeof noted->name, "%s", c->name);
    snprintf(noted->value[0], sizeof *noted->value, "%.*s", (int)(bar - c->what), c->what);
    snprintf(noted->value[1], sizeof *noted->value, "%s", bar + 3);
    return noted;
}

static int list_causes(const sb_bisection *bisection, cause list[CAUSES_MAX])
{
    const bool other_backend = differs(bisection, "backend"), other_arithmetic = differs(bisection, "arithmetic");
    int n = 0;
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        const char *key = sb_settings_table[id].key;
        const bool whole = other_backend && belongs_to(key, SB_SETTING_BACKEND);
        const bool in_arithmetic =
            other_arithmetic && id != SB_SETTING_ARITHMETIC && belongs_to(key, SB_SETTING_ARITHMETIC);
        if (!is_candidate(id) || !differs(bisection, key) || in_arithmetic || (whole && id != SB_SETTING_BACKEND))
            continue;
        char a[SB_READBACK_WORD], b[SB_READBACK_WORD];
        describe(&bisection->a.readback, key, whole, a, sizeof a);
        describe(&bisection->b.readback, key, whole, b, sizeof b);
        list[n].name = key;
        snprintf(list[n++].what, sizeof list->what, "%s | %s", a, b);
    }
    return n;
}

/* The settings of `base`, with the cause's settings from `other`. */
static sb_readback variant_of(const sb_readback *base, const sb_readback *other, const char *name)
{
    sb_readback variant = {0};
    for (int side = 0; side < 2; side++) {
        const sb_readback *from = side ? other : base;
        for (int i = 0; i < from->n; i++) {
            const bool swapped = is_swapped(from->item[i].setting, name);
            if (swapped == (side == 1) && variant.n < SB_READBACK_SETTINGS) variant.item[variant.n++] = from->item[i];
        }
    }
    return variant;
}

static const char *const bits_words[] = {"the bits of A", "the bits of B", "neither's"};

static bool same_update(const sb_traced *a, const sb_traced *b)
{
    return sb_divergence_find(a, b).kind == SB_SAME_BITS;
}

/* One side with a single setting of the other. */
static sb_status try_cause(const sb_bisection *bisection, const cause *tried, bool in_a, sb_bisect_bits *got)
{
    char what[64];
    SB_OWNED(sb_traced_free) sb_traced traced = {0};
    const sb_readback *a = &bisection->a.readback, *b = &bisection->b.readback;
    const sb_readback variant = in_a ? variant_of(a, b, tried->name) : variant_of(b, a, tried->name);
    snprintf(what, sizeof what, "%s with %s's %s", in_a ? "A" : "B", in_a ? "B" : "A", tried->name);
    const bool evolves = bisection->a.links.is_of_generations;
    const sb_status status = evolves ? sb_bisect_evolve(bisection, &variant, what, got)
                                     : sb_bisect_trace(bisection, &variant, SB_TRACE_HASHES, what, &traced);
    if (evolves && status == SB_OK) return SB_OK;
    *got = SB_BITS_OF_NEITHER;
    if (status == SB_E_USAGE) return SB_OK; /* a setting that does not go with the others alone */
    if (status != SB_OK) return status;
    *got = same_update(&bisection->a.traced, &traced)   ? SB_BITS_OF_A
           : same_update(&bisection->b.traced, &traced) ? SB_BITS_OF_B
                                                        : SB_BITS_OF_NEITHER;
    return SB_OK;
}

static bool turns_both(const sb_bisect_trial *t)
{
    return t->in_a == SB_BITS_OF_B && t->in_b == SB_BITS_OF_A;
}

static bool turns_one(const sb_bisect_trial *t)
{
    return t->in_a == SB_BITS_OF_B || t->in_b == SB_BITS_OF_A;
}

static bool changes_bits(const sb_bisect_trial *t)
{
    return t->in_a != SB_BITS_OF_A || t->in_b != SB_BITS_OF_B;
}

/* "; other settings that change bits: threads, lr", but for the one at `known` (-1: none is known). */
static void print_others(const sb_bisect_trial *trial, int n, int known, const char *before, FILE *out)
{
    const char *separator = before;
    for (int i = 0; i < n; i++) {
        if (i == known || !changes_bits(&trial[i])) continue;
        fprintf(out, "%s%s", separator, trial[i].setting);
        separator = ", ";
    }
    fputc('\n', out);
}

/* One way: the side that turned into the other, then what became of the other one. */
static void print_one_way(const sb_bisect_trial *t, FILE *out)
{
    const bool b_turned = t->in_b == SB_BITS_OF_A;
    const char turned = b_turned ? 'B' : 'A', other = b_turned ? 'A' : 'B';
    const bool neither = (b_turned ? t->in_a : t->in_b) == SB_BITS_OF_NEITHER;
    fprintf(out, "%s alone makes the difference in this update: %c with %c's %s has the bits of %c\n", t->setting,
            turned, other, t->setting, other);
    fprintf(out, "the other way, %c with %c's %s %s", other, turned, t->setting,
            neither ? "has the bits of neither" : "keeps its bits");
}

void sb_bisect_conclude(const sb_bisect_trial *trial, int n, FILE *out)
{
    int causes = 0, one_way = -1, changing = 0;
    for (int i = 0; i < n; i++) {
        changing += changes_bits(&trial[i]);
        if (turns_both(&trial[i])) {
            causes++;
            fprintf(out, "%s alone makes the difference in this update\n", trial[i].setting);
        } else if (one_way < 0 && turns_one(&trial[i])) {
            one_way = i;
        }
    }
    if (causes) return;
    if (one_way >= 0) {
        print_one_way(&trial[one_way], out);
        print_others(trial, n, one_way, "; other settings that change bits: ", out);
    } else if (changing) {
        fprintf(out, "no setting makes the difference alone");
        print_others(trial, n, -1, "; those that change bits: ", out);
    } else {
        fprintf(out, "no setting changes a bit alone: they make the difference together\n");
    }
}

sb_status sb_bisect_causes(const sb_bisection *bisection)
{
    cause list[CAUSES_MAX];
    sb_bisect_trial trial[CAUSES_MAX];
    const int n = list_causes(bisection, list);
    if (n == 0) {
        fprintf(bisection->out, "no setting differs\n");
        return SB_OK;
    }
    if (n == 1) {
        note_cause(bisection, &list[0]);
        fprintf(bisection->out, "the only setting that differs: %s (%s)\n", list[0].name, list[0].what);
        return SB_OK;
    }
    fprintf(bisection->out, "%-10s %-40s %-16s %s\n", "setting", "in A | in B", "A with B's", "B with A's");
    for (int i = 0; i < n; i++) {
        trial[i].setting = list[i].name;
        SB_TRY(try_cause(bisection, &list[i], true, &trial[i].in_a));
        SB_TRY(try_cause(bisection, &list[i], false, &trial[i].in_b));
        sb_bisect_cause *noted = note_cause(bisection, &list[i]);
        noted->tried = true;
        noted->in_a = trial[i].in_a;
        noted->in_b = trial[i].in_b;
        fprintf(bisection->out, "%-10s %-40s %-16s %s\n", list[i].name, list[i].what, bits_words[trial[i].in_a],
                bits_words[trial[i].in_b]);
    }
    sb_bisect_conclude(trial, n, bisection->out);
    return SB_OK;
}
