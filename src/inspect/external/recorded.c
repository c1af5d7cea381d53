#include "inspect/external/recorded.h"

#include "inspect/external/explain.h"
#include "record/external_file.h"

#include <math.h>
#include <string.h>

/* ---- the network ---- */

/* The first parameter that one side alone has, or that is elsewhere in the list. */
static bool other_network(sb_recorded_diff *d)
{
    const sb_text_list *a = &d->side[0].names[SB_PART_WEIGHTS], *b = &d->side[1].names[SB_PART_WEIGHTS];
    const size_t n = a->n < b->n ? a->n : b->n;
    size_t i = 0;
    while (i < n && strcmp(a->item[i], b->item[i]) == 0) i++;
    if (i == a->n && i == b->n) return false;
    snprintf(d->of.other.tensor, sizeof d->of.other.tensor, "%.120s | %.120s", i < a->n ? a->item[i] : "(none)",
             i < b->n ? b->item[i] : "(none)");
    d->of.differs = true;
    d->of.parting.name = "parameters";
    d->of.other.kind = "other network";
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
    d->of.loss_there[0] = value_of(&d->side[0], a, "loss");
    d->of.loss_there[1] = value_of(&d->side[1], b, "loss");
    d->of.update_there = !isnan(d->of.loss_there[0]) && !isnan(d->of.loss_there[1]);
}

static bool loss_differs(sb_recorded_diff *d, const sb_chain_link *a, const sb_chain_link *b)
{
    const double *loss = d->of.loss_there;
    note_losses(d, a, b);
    if (memcmp(&loss[0], &loss[1], sizeof *loss) == 0 || !d->of.update_there) return false;
    d->of.parting.name = "loss";
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
        if (d->n_different++ == 0)
            snprintf(d->of.other.tensor, sizeof d->of.other.tensor, "%s", i < names->n ? names->item[i] : "");
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

/* A gradient that one side alone has: the other made no step, as where a scaler of gradients skips it. */
static bool lacks_step(sb_recorded_diff *d, const sb_chain_link *a, const sb_chain_link *b)
{
    if (!((a->absent ^ b->absent) >> SB_PART_GRADIENT & 1)) return false;
    d->of.parting.name = sb_part_words[SB_PART_GRADIENT];
    d->of.other.kind = "no step";
    d->of.other.how = a->absent >> SB_PART_GRADIENT & 1 ? "run A made no optimizer step in this update"
                                                        : "run B made no optimizer step in this update";
    return true;
}

static bool part_differs(sb_recorded_diff *d, const sb_chain_link *a, const sb_chain_link *b, int part)
{
    if (part == SB_PART_GRADIENT && a->update > 0 && lacks_step(d, a, b)) return true;
    if ((a->absent | b->absent) >> part & 1) return false;
    if (sb_hash_equal(a->part[part], b->part[part])) return false;
    if (part == SB_PART_GENERATOR && !generator_differs(d, a, b)) return false;
    d->of.parting.name = sb_part_words[part];
    name_tensor(d, a, b, part);
    if (part == SB_PART_BATCH) {
        d->of.other.kind = "other batch";
        d->of.other.how = how_batch(a, b);
    } else if (part == SB_PART_GENERATOR) {
        d->of.other.kind = "other generator";
    } else if (part == SB_PART_WEIGHTS && a->update == 0) {
        d->of.other.kind = "other initial weights";
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
    sb_parting *p = &d->of.parting;
    const sb_external *a = &d->side[0], *b = &d->side[1];
    p->same = -1;
    for (size_t i = 0, j = 0; i < a->n_links && j < b->n_links;) {
        if (a->link[i].update != b->link[j].update) {
            a->link[i].update < b->link[j].update ? i++ : j++;
            continue;
        }
        p->compared++;
        p->last = a->link[i].update;
        if (link_differs(d, &a->link[i], &b->link[j])) {
            d->of.differs = true;
            p->update = p->last;
            return;
        }
        p->same = p->last;
        i++, j++;
    }
}

/* Both reached their ends, and one of them later. */
static void compare_lengths(sb_recorded_diff *d)
{
    const int64_t a = sb_external_last(&d->side[0]), b = sb_external_last(&d->side[1]);
    if (d->of.differs || a == b || !d->side[0].complete || !d->side[1].complete) return;
    d->of.differs = true;
    d->of.parting.name = "length";
    d->of.parting.update = (a < b ? a : b) + 1;
}

static sb_status compare_pairs(sb_diff *d, const char *group, const sb_pairs *a, const sb_pairs *b)
{
    for (size_t i = 0; i < a->name.n; i++) {
        const char *name = a->name.item[i], *mine = a->value.item[i], *other = sb_pairs_find(b, name);
        if (!other || strcmp(other, mine) != 0) SB_TRY(sb_diff_keep(d, group, name, mine, other));
    }
    for (size_t i = 0; i < b->name.n; i++)
        if (!sb_pairs_find(a, b->name.item[i])) SB_TRY(sb_diff_keep(d, group, b->name.item[i], NULL, b->value.item[i]));
    return SB_OK;
}

/* The last update of which both sides are told. */
static int64_t update_shown(const sb_recorded_diff *d)
{
    return d->of.differs ? d->of.parting.update : d->of.parting.last;
}

static bool keep_setting(void *context, const char *name, const char *a, const char *b)
{
    return sb_diff_keep(context, "optimizer", name, a, b) == SB_OK;
}

static sb_status compare_settings(sb_recorded_diff *d)
{
    const int64_t at = update_shown(d);
    const char *a = sb_recorded_settings(&d->side[0], at), *b = sb_recorded_settings(&d->side[1], at);
    return sb_settings_each(a, b, keep_setting, &d->of) ? SB_OK
                                                        : sb_fail(SB_E_MEMORY, "not enough memory for settings");
}

sb_status sb_recorded_compare(sb_recorded_diff *d, const char *path_a, const char *path_b)
{
    *d = (sb_recorded_diff){.of.path = {path_a, path_b}};
    for (int i = 0; i < 2; i++)
        if (!sb_external_is(d->of.path[i]))
            return sb_fail(SB_E_USAGE, "%s: not a recording, and %s is one: a recording is compared with a recording",
                           d->of.path[i], d->of.path[!i]);
    SB_TRY(sb_external_read_all(&d->side[0], path_a));
    SB_TRY(sb_external_read_all(&d->side[1], path_b));
    SB_TRY(compare_pairs(&d->of, "config", &d->side[0].config, &d->side[1].config));
    SB_TRY(compare_pairs(&d->of, "env", &d->side[0].env, &d->side[1].env));
    if (other_network(d)) return SB_OK;
    compare_links(d);
    if (d->of.parting.compared == 0)
        return sb_fail(SB_E_EMPTY, "%s and %s: no recorded update in common", path_a, path_b);
    compare_lengths(d);
    d->of.n_updates = d->of.parting.compared;
    return compare_settings(d);
}

void sb_recorded_free(sb_recorded_diff *d)
{
    sb_diff_free(&d->of);
    sb_external_free(&d->side[0]);
    sb_external_free(&d->side[1]);
}

sb_status sb_recorded_judge(const sb_recorded_diff *d)
{
    const sb_parting *p = &d->of.parting;
    if (!d->of.differs) return SB_OK;
    if (strcmp(p->name, "parameters") == 0)
        return sb_fail(SB_E_USAGE, "%s and %s are recordings of two networks: %s", d->of.path[0], d->of.path[1],
                       d->of.other.tensor);
    return sb_fail(SB_E_DIFFERS, "%s and %s differ from update %lld on (%s)", d->of.path[0], d->of.path[1],
                   (long long)p->update, p->name);
}

/* ---- settings ---- */

const char *sb_recorded_settings(const sb_external *e, int64_t update)
{
    const char *text = "";
    for (size_t i = 0; i < e->n_changes && e->change[i].update <= update; i++) text = e->change[i].text;
    return text;
}

/* ---- for people ---- */

/* "gradient of 0.weight", "batch 0", "weights, 0.weight" */
static void print_place(const sb_recorded_diff *d, FILE *out)
{
    const char *part = d->of.parting.name, *tensor = d->of.other.tensor;
    const char *between = strcmp(part, "gradient") == 0 ? " of " : ", ";
    if (strcmp(part, "batch") == 0 && *tensor)
        fprintf(out, "%s", tensor);
    else
        fprintf(out, "%s%s%s", part, *tensor ? between : "", tensor);
    if (d->n_different) fprintf(out, " (%zu of %zu tensors of the %s)", d->n_different, d->n_tensors, part);
    fprintf(out, "\n");
}

static void print_ends(const sb_recorded_diff *d, FILE *out)
{
    for (int i = 0; i < 2; i++) {
        const char *why = sb_pairs_find(&d->side[i].meta, "incomplete");
        if (!d->side[i].complete)
            fprintf(out, "%s ends at update %lld, incomplete%s%s\n", d->of.path[i],
                    (long long)sb_external_last(&d->side[i]), why && *why ? ": " : "", why && *why ? why : "");
    }
}

static void print_difference(const sb_recorded_diff *d, FILE *out)
{
    const sb_diff *of = &d->of;
    const sb_parting *p = &of->parting;
    if (strcmp(p->name, "length") == 0) {
        fprintf(out, "the same bits up to update %lld; then they differ in length: the last updates are %lld | %lld\n",
                (long long)p->same, (long long)sb_external_last(&d->side[0]), (long long)sb_external_last(&d->side[1]));
        return;
    }
    fprintf(out, "first difference: update %lld, ", (long long)p->update);
    print_place(d, out);
    if (of->other.kind)
        fprintf(out, "  %s%s%s\n", of->other.kind, of->other.how ? ": " : "", of->other.how ? of->other.how : "");
    if (of->update_there) fprintf(out, "  loss of that update: %.9g | %.9g\n", of->loss_there[0], of->loss_there[1]);
}

/* What was found in each of the two runs alone, up to where they differ. */
static void print_findings(const sb_recorded_diff *d, FILE *out)
{
    enum { SHOWN = 5 };
    for (int i = 0; i < 2; i++) {
        const sb_external *e = &d->side[i];
        size_t n = 0;
        for (size_t k = 0; k < e->n_found; k++) {
            if (e->found[k].update > update_shown(d) || n++ >= SHOWN) continue;
            fprintf(out, "found in %s: update %lld: %s: %s\n", d->of.path[i], (long long)e->found[k].update,
                    e->found[k].text[SB_FOUND_KIND], e->found[k].text[SB_FOUND_TEXT]);
        }
        if (n > SHOWN)
            fprintf(out, "found in %s: %zu more: samebits found %s\n", d->of.path[i], n - SHOWN, d->of.path[i]);
    }
}

void sb_recorded_print(const sb_recorded_diff *d, FILE *out)
{
    const sb_parting *p = &d->of.parting;
    if (d->of.differs)
        print_difference(d, out);
    else
        fprintf(out, "same bits over %zu entr%s, up to update %lld\n", p->compared, p->compared == 1 ? "y" : "ies",
                (long long)p->last);
    print_ends(d, out);
    print_findings(d, out);
    const int64_t at = update_shown(d);
    (void)sb_settings_print(sb_recorded_settings(&d->side[0], at), sb_recorded_settings(&d->side[1], at), out);
    sb_diff_print_group(&d->of, "config", out);
    sb_diff_print_group(&d->of, "env", out);
}
