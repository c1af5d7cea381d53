#include "inspect/external/recorded.h"

#include "core/text/plural.h"
#include "inspect/external/explain.h"
#include "record/external_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool sb_recorded_is(const char *path)
{
    return sb_external_is(path);
}

/* ---- the network ---- */

/* The first parameter that one side alone has, or that is elsewhere in the list. */
static bool other_network(sb_recorded_diff *d)
{
    const sb_text_list *a = &d->side[0].names[SB_PART_WEIGHTS], *b = &d->side[1].names[SB_PART_WEIGHTS];
    const size_t n = a->n < b->n ? a->n : b->n;
    size_t i = 0;
    while (i < n && strcmp(a->item[i], b->item[i]) == 0) i++;
    if (i == a->n && i == b->n) return false;
    snprintf(d->tensor, sizeof d->tensor, "%.120s | %.120s", i < a->n ? a->item[i] : "(none)",
             i < b->n ? b->item[i] : "(none)");
    d->differs = true;
    d->update = 0;
    d->part = "parameters";
    d->kind = "other network";
    return true;
}

/* ---- one entry of both chains ---- */

static double value_of(const sb_external *e, const sb_chain_link *link, const char *column)
{
    for (size_t c = 0; c < e->columns.n && c < link->n_values; c++)
        if (strcmp(e->columns.item[c], column) == 0) return link->value[c];
    return NAN;
}

static void note_losses(sb_recorded_diff *d, const sb_chain_link *a, const sb_chain_link *b)
{
    d->loss[0] = value_of(&d->side[0], a, "loss");
    d->loss[1] = value_of(&d->side[1], b, "loss");
    d->has_loss = !isnan(d->loss[0]) && !isnan(d->loss[1]);
}

static bool loss_differs(sb_recorded_diff *d, const sb_chain_link *a, const sb_chain_link *b)
{
    note_losses(d, a, b);
    if (memcmp(&d->loss[0], &d->loss[1], sizeof *d->loss) == 0 || !d->has_loss) return false;
    d->part = "loss";
    return true;
}

static sb_hash hash_at(const sb_chain_link *link, int part, size_t i)
{
    static const sb_hash none;
    return i < link->n[part] ? link->tensor[part][i] : none;
}

static bool is_zero(sb_hash hash)
{
    static const sb_hash none;
    return sb_hash_equal(hash, none);
}

/* A batch whose tensors differ in one way alone. */
static const char *how_batch(const sb_chain_link *a, const sb_chain_link *b)
{
    bool samples = true, canonical = true;
    if (!a->canonical || !b->canonical || a->n[SB_PART_BATCH] != b->n[SB_PART_BATCH]) return NULL;
    for (size_t i = 0; i < a->n[SB_PART_BATCH]; i++) {
        if (sb_hash_equal(hash_at(a, SB_PART_BATCH, i), hash_at(b, SB_PART_BATCH, i))) continue;
        canonical = canonical && !is_zero(a->canonical[i]) && sb_hash_equal(a->canonical[i], b->canonical[i]);
        samples = samples && !is_zero(a->samples[i]) && sb_hash_equal(a->samples[i], b->samples[i]);
    }
    if (canonical) return "it differs in nothing but the sign of zeros and the bits of NaN";
    return samples ? "the same samples in another order" : NULL;
}

static void name_tensor(sb_recorded_diff *d, const sb_chain_link *a, const sb_chain_link *b, int part)
{
    const sb_text_list *names = d->side[0].names[part].n >= d->side[1].names[part].n ? &d->side[0].names[part]
                                                                                   : &d->side[1].names[part];
    const size_t n = a->n[part] > b->n[part] ? a->n[part] : b->n[part];
    if (!a->tensor[part] || !b->tensor[part]) return;
    d->n_tensors = n;
    for (size_t i = 0; i < n; i++) {
        if (sb_hash_equal(hash_at(a, part, i), hash_at(b, part, i))) continue;
        if (d->n_different++ == 0) snprintf(d->tensor, sizeof d->tensor, "%s", i < names->n ? names->item[i] : "");
    }
}

static bool generator_differs(const sb_recorded_diff *d, const sb_chain_link *a, const sb_chain_link *b)
{
    enum { PART = SB_PART_GENERATOR };
    const size_t n = a->n[PART] > b->n[PART] ? a->n[PART] : b->n[PART];
    if (!a->tensor[PART] || !b->tensor[PART]) return false;
    for (size_t i = 0; i < n; i++)
        if (!sb_hash_equal(hash_at(a, PART, i), hash_at(b, PART, i)) &&
            (sb_external_is_drawn(&d->side[0], i) || sb_external_is_drawn(&d->side[1], i)))
            return true;
    return false;
}

static bool part_differs(sb_recorded_diff *d, const sb_chain_link *a, const sb_chain_link *b, int part)
{
    if ((a->absent | b->absent) >> part & 1) return false;
    if (sb_hash_equal(a->part[part], b->part[part])) return false;
    if (part == SB_PART_GENERATOR && !generator_differs(d, a, b)) return false;
    d->part = sb_part_names[part];
    name_tensor(d, a, b, part);
    if (part == SB_PART_BATCH) {
        d->kind = "other batch";
        d->how = how_batch(a, b);
    } else if (part == SB_PART_GENERATOR) {
        d->kind = "other generator";
    } else if (part == SB_PART_WEIGHTS && a->update == 0) {
        d->kind = "other initial weights";
    }
    return true;
}

/* Parts in the order in which one follows from the other. */
static bool link_differs(sb_recorded_diff *d, const sb_chain_link *a, const sb_chain_link *b)
{
    static const int rest[] = {SB_PART_GRADIENT, SB_PART_OPTIMIZER, SB_PART_WEIGHTS, SB_PART_STATE, SB_PART_GENERATOR};
    if (part_differs(d, a, b, SB_PART_BATCH) || loss_differs(d, a, b)) return true;
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (part_differs(d, a, b, rest[i])) return true;
    return false;
}

/* ---- both chains ---- */

static void compare_links(sb_recorded_diff *d)
{
    const sb_external *a = &d->side[0], *b = &d->side[1];
    d->same = -1;
    for (size_t i = 0, j = 0; i < a->n_links && j < b->n_links;) {
        if (a->link[i].update != b->link[j].update) {
            a->link[i].update < b->link[j].update ? i++ : j++;
            continue;
        }
        d->compared++;
        d->last = a->link[i].update;
        if (link_differs(d, &a->link[i], &b->link[j])) {
            d->differs = true;
            d->update = d->last;
            return;
        }
        d->same = d->last;
        i++, j++;
    }
}

/* Both reached their ends, and one of them later. */
static void compare_lengths(sb_recorded_diff *d)
{
    const int64_t a = sb_external_last(&d->side[0]), b = sb_external_last(&d->side[1]);
    if (d->differs || a == b || !d->side[0].complete || !d->side[1].complete) return;
    d->differs = true;
    d->part = "length";
    d->update = (a < b ? a : b) + 1;
}

sb_status sb_recorded_compare(sb_recorded_diff *d, const char *path_a, const char *path_b)
{
    *d = (sb_recorded_diff){.path = {path_a, path_b}};
    for (int i = 0; i < 2; i++)
        if (!sb_external_is(d->path[i]))
            return sb_fail(SB_E_USAGE, "%s: not a recording, and %s is one: a recording is compared with a recording",
                           d->path[i], d->path[!i]);
    SB_TRY(sb_external_read_all(&d->side[0], path_a));
    SB_TRY(sb_external_read_all(&d->side[1], path_b));
    if (other_network(d)) return SB_OK;
    compare_links(d);
    if (d->compared == 0) return sb_fail(SB_E_EMPTY, "%s and %s: no recorded update in common", path_a, path_b);
    compare_lengths(d);
    return SB_OK;
}

void sb_recorded_free(sb_recorded_diff *d)
{
    sb_external_free(&d->side[0]);
    sb_external_free(&d->side[1]);
}

sb_status sb_recorded_judge(const sb_recorded_diff *d)
{
    if (!d->differs) return SB_OK;
    if (strcmp(d->part, "parameters") == 0)
        return sb_fail(SB_E_USAGE, "%s and %s are recordings of two networks: %s", d->path[0], d->path[1], d->tensor);
    return sb_fail(SB_E_DIFFERS, "%s and %s differ from update %lld on (%s)", d->path[0], d->path[1],
                   (long long)d->update, d->part);
}

/* ---- settings ---- */

const char *sb_recorded_settings(const sb_external *e, int64_t update)
{
    const char *text = "";
    for (size_t i = 0; i < e->n_changes && e->change[i].update <= update; i++) text = e->change[i].text;
    return text;
}

void sb_recorded_each(const sb_pairs *a, const sb_pairs *b, sb_recorded_visit *visit, void *context)
{
    for (size_t i = 0; i < a->name.n; i++) {
        const char *other = sb_pairs_find(b, a->name.item[i]);
        if (!other || strcmp(other, a->value.item[i]) != 0) visit(context, a->name.item[i], a->value.item[i], other);
    }
    for (size_t i = 0; i < b->name.n; i++)
        if (!sb_pairs_find(a, b->name.item[i])) visit(context, b->name.item[i], NULL, b->value.item[i]);
}

/* ---- for people ---- */

typedef struct printing {
    const char *group;
    FILE *out;
    size_t n;
} printing;

static void print_pair(void *context, const char *name, const char *a, const char *b)
{
    printing *p = context;
    if (p->n++ == 0) fprintf(p->out, "what differs in %s:\n", p->group);
    fprintf(p->out, "  %-16s %s | %s\n", name, a ? a : "(absent)", b ? b : "(absent)");
}

static void print_group(const char *group, const sb_pairs *a, const sb_pairs *b, FILE *out)
{
    printing p = {group, out, 0};
    sb_recorded_each(a, b, print_pair, &p);
    if (p.n == 0) fprintf(out, "nothing differs in %s\n", group);
}

/* "gradient of 0.weight", "batch 0", "weights, 0.weight" */
static void print_place(const sb_recorded_diff *d, FILE *out)
{
    const char *between = strcmp(d->part, "gradient") == 0 ? " of " : ", ";
    if (strcmp(d->part, "batch") == 0 && *d->tensor)
        fprintf(out, "%s", d->tensor);
    else
        fprintf(out, "%s%s%s", d->part, *d->tensor ? between : "", d->tensor);
    if (d->n_different) fprintf(out, " (%zu of %zu tensors of the %s)", d->n_different, d->n_tensors, d->part);
    fprintf(out, "\n");
}

static void print_ends(const sb_recorded_diff *d, FILE *out)
{
    for (int i = 0; i < 2; i++) {
        const char *why = sb_pairs_find(&d->side[i].meta, "incomplete");
        if (!d->side[i].complete)
            fprintf(out, "%s ends at update %lld, incomplete%s%s\n", d->path[i], (long long)sb_external_last(&d->side[i]),
                    why && *why ? ": " : "", why && *why ? why : "");
    }
}

static void print_difference(const sb_recorded_diff *d, FILE *out)
{
    if (strcmp(d->part, "length") == 0) {
        fprintf(out, "the same bits up to update %lld; then they differ in length: the last updates are %lld | %lld\n",
                (long long)d->same, (long long)sb_external_last(&d->side[0]), (long long)sb_external_last(&d->side[1]));
        return;
    }
    fprintf(out, "first difference: update %lld, ", (long long)d->update);
    print_place(d, out);
    if (d->kind) fprintf(out, "  %s%s%s\n", d->kind, d->how ? ": " : "", d->how ? d->how : "");
    if (d->has_loss) fprintf(out, "  loss of that update: %.9g | %.9g\n", d->loss[0], d->loss[1]);
}

void sb_recorded_print(const sb_recorded_diff *d, FILE *out)
{
    if (d->differs)
        print_difference(d, out);
    else
        fprintf(out, "same bits over %zu entr%s, up to update %lld\n", d->compared, d->compared == 1 ? "y" : "ies",
                (long long)d->last);
    print_ends(d, out);
    const int64_t at = d->differs ? d->update : d->last;
    (void)sb_settings_print(sb_recorded_settings(&d->side[0], at), sb_recorded_settings(&d->side[1], at), out);
    print_group("config", &d->side[0].config, &d->side[1].config, out);
    print_group("env", &d->side[0].env, &d->side[1].env, out);
}
