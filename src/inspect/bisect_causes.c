#include "inspect/bisect_parts.h"

#include <string.h>

/* The settings that may tell two runs of a network apart. A backend comes with all that is its own. */
static const char *const settings[] = {"backend", "arithmetic", "kernel", "algorithm", "tf32",
                                       "threads", "target",     "seed",   "ulp",       "lr"};
enum { CAUSES_MAX = sizeof settings / sizeof *settings };

/* What is tried as one. */
typedef struct cause {
    const char *name;              /* of its first setting: "backend" */
    char what[3 * SB_RECALL_WORD]; /* "openblas Haswell | native winograd" */
} cause;

static bool belongs_to_backend(const char *setting)
{
    static const char *const parts[] = {"backend", "arithmetic", "kernel", "algorithm", "tf32"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(setting, parts[i]) == 0) return true;
    return false;
}

static const char *value_of(const sb_recalled *recalled, const char *setting)
{
    const char *value = sb_recalled_value(recalled, setting);
    return value ? value : "";
}

static bool differs(const sb_bisection *bisection, const char *setting)
{
    return strcmp(value_of(&bisection->a.recalled, setting), value_of(&bisection->b.recalled, setting)) != 0;
}

/* "openblas Haswell" of a backend, else the value itself. */
static void describe(const sb_recalled *recalled, const char *setting, bool whole_backend, char *text, size_t size)
{
    const char *value = value_of(recalled, setting), *kernel = value_of(recalled, "kernel"),
               *arithmetic = value_of(recalled, "arithmetic");
    if (!whole_backend)
        snprintf(text, size, "%s", value);
    else
        snprintf(text, size, "%s %s", value, *kernel ? kernel : arithmetic);
}

static int list_causes(const sb_bisection *bisection, cause list[CAUSES_MAX])
{
    const bool other_backend = differs(bisection, "backend");
    int n = 0;
    for (int i = 0; i < CAUSES_MAX; i++) {
        const bool whole = other_backend && belongs_to_backend(settings[i]);
        if (!differs(bisection, settings[i]) || (whole && strcmp(settings[i], "backend") != 0)) continue;
        char a[SB_RECALL_WORD], b[SB_RECALL_WORD];
        describe(&bisection->a.recalled, settings[i], whole, a, sizeof a);
        describe(&bisection->b.recalled, settings[i], whole, b, sizeof b);
        list[n].name = settings[i];
        snprintf(list[n++].what, sizeof list->what, "%s | %s", a, b);
    }
    return n;
}

/* The settings of `base`, with those of the cause from `other`. */
static sb_recalled variant_of(const sb_recalled *base, const sb_recalled *other, const char *name)
{
    sb_recalled variant = {0};
    const bool backend = strcmp(name, "backend") == 0;
    for (int side = 0; side < 2; side++) {
        const sb_recalled *from = side ? other : base;
        for (int i = 0; i < from->n; i++) {
            const char *setting = from->item[i].setting;
            bool swapped = backend ? belongs_to_backend(setting) : strcmp(setting, name) == 0;
            if (swapped == (side == 1) && variant.n < SB_RECALL_SETTINGS) variant.item[variant.n++] = from->item[i];
        }
    }
    return variant;
}

typedef enum bits { BITS_OF_A, BITS_OF_B, BITS_OF_NEITHER } bits;
static const char *const bits_words[] = {"the bits of A", "the bits of B", "neither's"};

static bool same_update(const sb_traced *a, const sb_traced *b)
{
    return sb_divergence_find(a, b).kind == SB_SAME_BITS;
}

/* One side with a single setting of the other. */
static sb_status try_cause(const sb_bisection *bisection, const cause *tried, bool in_a, bits *got)
{
    char what[64];
    sb_traced traced = {0};
    const sb_recalled *a = &bisection->a.recalled, *b = &bisection->b.recalled;
    const sb_recalled variant = in_a ? variant_of(a, b, tried->name) : variant_of(b, a, tried->name);
    snprintf(what, sizeof what, "%s with %s's %s", in_a ? "A" : "B", in_a ? "B" : "A", tried->name);
    SB_TRY(sb_bisect_trace(bisection, &variant, SB_TRACE_HASHES, what, &traced));
    *got = same_update(&bisection->a.traced, &traced)   ? BITS_OF_A
           : same_update(&bisection->b.traced, &traced) ? BITS_OF_B
                                                        : BITS_OF_NEITHER;
    sb_traced_free(&traced);
    return SB_OK;
}

/* A setting that alone turns A into B, and back, is the cause; one that changes neither side is none. */
static void conclude(const sb_bisection *bisection, const cause *list, int n, const bits (*got)[2])
{
    for (int i = 0; i < n; i++)
        if (got[i][0] == BITS_OF_B && got[i][1] == BITS_OF_A) {
            fprintf(bisection->out, "%s alone makes the difference in this update\n", list[i].name);
            return;
        }
    const char *separator = ":";
    fprintf(bisection->out, "no setting makes the difference alone; those that change bits");
    for (int i = 0; i < n; i++) {
        if (got[i][0] == BITS_OF_A && got[i][1] == BITS_OF_B) continue;
        fprintf(bisection->out, "%s %s", separator, list[i].name);
        separator = ",";
    }
    fprintf(bisection->out, "\n");
}

sb_status sb_bisect_causes(const sb_bisection *bisection)
{
    cause list[CAUSES_MAX];
    bits got[CAUSES_MAX][2];
    const int n = list_causes(bisection, list);
    if (n == 0) {
        fprintf(bisection->out, "no setting differs\n");
        return SB_OK;
    }
    if (n == 1) {
        fprintf(bisection->out, "the only setting that differs: %s (%s)\n", list[0].name, list[0].what);
        return SB_OK;
    }
    fprintf(bisection->out, "%-10s %-40s %-16s %s\n", "setting", "in A | in B", "A with B's", "B with A's");
    for (int i = 0; i < n; i++) {
        SB_TRY(try_cause(bisection, &list[i], true, &got[i][0]));
        SB_TRY(try_cause(bisection, &list[i], false, &got[i][1]));
        fprintf(bisection->out, "%-10s %-40s %-16s %s\n", list[i].name, list[i].what, bits_words[got[i][0]],
                bits_words[got[i][1]]);
    }
    conclude(bisection, list, n, got);
    return SB_OK;
}
