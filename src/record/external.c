#include "record/external.h"

#include "core/size.h"
#include "core/text/text.h"

#include <stdlib.h>
#include <string.h>

const char *const sb_part_names[SB_PARTS] = {"batch", "gradient", "optimiser", "weights", "state", "generator"};
const char *const sb_part_words[SB_PARTS] = {"batch", "gradient", "optimizer", "weights", "state", "generator"};
const char *const sb_found_names[SB_FOUND_TEXTS] = {"kind", "operation", "site", "tensor", "module", "text"};

/* Of the hashes of single tensors as much is kept; then every second of the old entries loses them, again and again. */
enum { TENSOR_BYTES_MOST = 64 << 20, LINKS_KEPT = 32 };

/* ---- lists ---- */

/* Takes ownership of text, also on failure. */
static bool add_own(sb_text_list *texts, char *text)
{
    if (text && sb_size_reserve(&texts->item, &texts->room, texts->n + 1, sizeof *texts->item)) {
        texts->item[texts->n++] = text;
        return true;
    }
    free(text);
    return false;
}

bool sb_text_list_add(sb_text_list *texts, const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    if (!copy) return false;
    memcpy(copy, text, n);
    copy[n] = 0;
    return add_own(texts, copy);
}

void sb_text_list_free(sb_text_list *texts)
{
    for (size_t i = 0; i < texts->n; i++) free(texts->item[i]);
    free(texts->item);
    *texts = (sb_text_list){0};
}

const char *sb_pairs_find(const sb_pairs *pairs, const char *name)
{
    for (size_t i = 0; i < pairs->name.n; i++)
        if (strcmp(pairs->name.item[i], name) == 0) return pairs->value.item[i];
    return NULL;
}

bool sb_pairs_set(sb_pairs *pairs, const char *name, const char *value)
{
    for (size_t i = 0; i < pairs->name.n; i++) {
        if (strcmp(pairs->name.item[i], name) != 0) continue;
        char *copy = strdup(value);
        if (!copy) return false;
        free(pairs->value.item[i]);
        pairs->value.item[i] = copy;
        return true;
    }
    if (!sb_text_list_add(&pairs->value, value, strlen(value))) return false;
    if (sb_text_list_add(&pairs->name, name, strlen(name))) return true;
    free(pairs->value.item[--pairs->value.n]);
    return false;
}

static void free_pairs(sb_pairs *pairs)
{
    sb_text_list_free(&pairs->name);
    sb_text_list_free(&pairs->value);
}

/* ---- entries of the chain ---- */

void sb_chain_link_free(sb_chain_link *link)
{
    for (int p = 0; p < SB_PARTS; p++) free(link->tensor[p]);
    free(link->canonical);
    free(link->samples);
    free(link->value);
    *link = (sb_chain_link){0};
}

static void free_found(sb_found_row *row)
{
    for (int i = 0; i < SB_FOUND_TEXTS; i++) free(row->text[i]);
}

void sb_external_free(sb_external *e)
{
    free_pairs(&e->meta);
    free_pairs(&e->config);
    free_pairs(&e->env);
    sb_text_list_free(&e->events);
    sb_text_list_free(&e->columns);
    for (int p = 0; p < SB_PARTS; p++) sb_text_list_free(&e->names[p]);
    for (size_t i = 0; i < e->n_links; i++) sb_chain_link_free(&e->link[i]);
    for (size_t i = 0; i < e->n_changes; i++) free(e->change[i].text);
    for (size_t i = 0; i < e->n_found; i++) free_found(&e->found[i]);
    free(e->link);
    free(e->change);
    free(e->found);
    *e = (sb_external){0};
}

sb_chain_link *sb_external_link(const sb_external *e, int64_t update)
{
    for (size_t i = e->n_links; i--;)
        if (e->link[i].update == update) return &e->link[i];
    return NULL;
}

int64_t sb_external_last(const sb_external *e)
{
    return e->n_links ? e->link[e->n_links - 1].update : -1;
}

bool sb_external_may_add_column(const sb_external *e, const char *name)
{
    for (size_t i = 0; i < e->columns.n; i++)
        if (strcmp(e->columns.item[i], name) == 0) return false;
    return sb_text_is_name(name) && strcmp(name, "update") != 0 && strcmp(name, "seconds") != 0;
}

/* Entries and settings after that update are removed. */
static void cut(sb_external *e, int64_t update)
{
    while (e->n_links && e->link[e->n_links - 1].update > update) sb_chain_link_free(&e->link[--e->n_links]);
    while (e->n_changes && e->change[e->n_changes - 1].update > update) free(e->change[--e->n_changes].text);
}

static size_t tensor_bytes(const sb_chain_link *link)
{
    size_t n = 0;
    for (int p = 0; p < SB_PARTS; p++)
        if (link->tensor[p]) n += link->n[p] * sizeof(sb_hash);
    return link->canonical ? n + 2 * link->n[SB_PART_BATCH] * sizeof(sb_hash) : n;
}

static void drop_tensors(sb_chain_link *link)
{
    for (int p = 0; p < SB_PARTS; p++) {
        free(link->tensor[p]);
        link->tensor[p] = NULL;
    }
    free(link->canonical);
    free(link->samples);
    link->canonical = link->samples = NULL;
}

/* Every second entry that has hashes of its tensors loses them, but for the first ones and the last. */
static void thin_out(sb_external *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n_links; i++) n += tensor_bytes(&e->link[i]);
    if (n <= TENSOR_BYTES_MOST) return;
    bool drop = false;
    for (size_t i = LINKS_KEPT; i + 1 < e->n_links; i++) {
        if (!tensor_bytes(&e->link[i])) continue;
        if (drop) drop_tensors(&e->link[i]);
        drop = !drop;
    }
}

/* ---- records ---- */

void sb_external_put_link(sb_bytes *b, const sb_chain_link *link)
{
    sb_bytes_add_integer(b, link->update);
    sb_bytes_add_real(b, link->seconds);
    sb_bytes_add_integer(b, link->absent);
    for (int p = 0; p < SB_PARTS; p++) {
        sb_bytes_add_integer(b, (int64_t)link->n[p]);
        sb_bytes_add(b, link->tensor[p], link->n[p] * sizeof(sb_hash));
    }
    sb_bytes_add_integer(b, link->canonical ? 1 : 0);
    if (link->canonical) {
        sb_bytes_add(b, link->canonical, link->n[SB_PART_BATCH] * sizeof(sb_hash));
        sb_bytes_add(b, link->samples, link->n[SB_PART_BATCH] * sizeof(sb_hash));
    }
    sb_bytes_add_integer(b, (int64_t)link->n_values);
    for (size_t i = 0; i < link->n_values; i++) sb_bytes_add_real(b, link->value[i]);
}

static sb_hash *take_hashes(sb_taken *t, size_t n)
{
    sb_hash *hash = sb_size_allocate(n, sizeof *hash);
    if (!hash) t->failed = true;
    for (size_t i = 0; hash && i < n; i++) hash[i] = sb_take_hash(t);
    return hash;
}

/* An absent part has no tensors, and the last tensor of another one has a hash: a file shows by it how many there are. */
static bool part_fits(const sb_chain_link *link, int part)
{
    static const sb_hash none;
    const size_t n = link->n[part];
    return n == 0 || (!(link->absent >> part & 1) && !sb_hash_equal(link->tensor[part][n - 1], none));
}

static void take_link(sb_taken *t, sb_chain_link *link)
{
    link->update = sb_take_integer(t);
    link->seconds = sb_take_real(t);
    link->absent = (unsigned)sb_take_integer(t) & ((1u << SB_PARTS) - 1);
    for (int p = 0; p < SB_PARTS; p++) {
        link->n[p] = sb_take_count(t, sizeof(sb_hash));
        link->tensor[p] = take_hashes(t, link->n[p]);
        if (!t->failed && !part_fits(link, p)) t->failed = true;
        if (!t->failed && !(link->absent >> p & 1))
            link->part[p] = sb_hash_of(link->tensor[p], link->n[p] * sizeof(sb_hash), 1);
    }
    if (sb_take_integer(t)) {
        link->canonical = take_hashes(t, link->n[SB_PART_BATCH]);
        link->samples = take_hashes(t, link->n[SB_PART_BATCH]);
    }
    link->n_values = sb_take_count(t, sizeof(double));
    link->value = sb_size_allocate(link->n_values, sizeof *link->value);
    if (!link->value) t->failed = true;
    for (size_t i = 0; link->value && i < link->n_values; i++) link->value[i] = sb_take_real(t);
}

static bool apply_link(sb_external *e, sb_taken *t)
{
    sb_chain_link link = {0};
    take_link(t, &link);
    const bool fits = !t->failed && t->n == 0 && link.update > sb_external_last(e) && link.update >= 0 &&
                      link.n_values <= e->columns.n &&
                      sb_size_reserve(&e->link, &e->links_room, e->n_links + 1, sizeof *e->link);
    if (!fits) {
        sb_chain_link_free(&link);
        return false;
    }
    e->link[e->n_links++] = link;
    if (e->n_links % 64 == 0) thin_out(e);
    return true;
}

static bool apply_pair(sb_pairs *pairs, sb_taken *t)
{
    char *name = sb_take_text(t), *value = name ? sb_take_text(t) : NULL;
    const bool set = value && t->n == 0 && *name && sb_pairs_set(pairs, name, value);
    free(name);
    free(value);
    return set;
}

static bool apply_names(sb_external *e, sb_taken *t)
{
    const int64_t part = sb_take_integer(t);
    const size_t n = sb_take_count(t, sizeof(int64_t));
    sb_text_list list = {0};
    bool fits = !t->failed && part >= 0 && part < SB_PARTS;
    for (size_t i = 0; fits && i < n; i++) fits = add_own(&list, sb_take_text(t));
    if (!fits || t->n != 0) {
        sb_text_list_free(&list);
        return false;
    }
    sb_text_list_free(&e->names[part]);
    e->names[part] = list;
    return true;
}

static bool apply_settings(sb_external *e, sb_taken *t)
{
    sb_settings_change c = {.update = sb_take_integer(t)};
    c.text = sb_take_lines(t);
    if (c.text && t->n == 0 && sb_size_reserve(&e->change, &e->changes_room, e->n_changes + 1, sizeof *e->change)) {
        e->change[e->n_changes++] = c;
        return true;
    }
    free(c.text);
    return false;
}

static bool apply_found(sb_external *e, sb_taken *t)
{
    sb_found_row row = {.update = sb_take_integer(t)};
    for (int i = 0; i < SB_FOUND_TEXTS; i++) row.text[i] = sb_take_text(t);
    if (!t->failed && t->n == 0 && sb_size_reserve(&e->found, &e->found_room, e->n_found + 1, sizeof *e->found)) {
        e->found[e->n_found++] = row;
        return true;
    }
    free_found(&row);
    return false;
}

static bool apply_cut(sb_external *e, sb_taken *t)
{
    const int64_t update = sb_take_integer(t);
    if (t->failed || t->n) return false;
    cut(e, update);
    return true;
}

static bool apply_column(sb_external *e, sb_taken *t)
{
    char *name = sb_take_text(t);
    if (name && t->n == 0 && sb_external_may_add_column(e, name)) return add_own(&e->columns, name);
    free(name);
    return false;
}

bool sb_external_apply(sb_external *e, sb_change change, const void *bytes, size_t n)
{
    sb_taken t = {bytes, n, false};
    switch (change) {
    case SB_CHANGE_META: return apply_pair(&e->meta, &t);
    case SB_CHANGE_CONFIG: return apply_pair(&e->config, &t);
    case SB_CHANGE_ENV: return apply_pair(&e->env, &t);
    case SB_CHANGE_NAMES: return apply_names(e, &t);
    case SB_CHANGE_LINK: return apply_link(e, &t);
    case SB_CHANGE_SETTINGS: return apply_settings(e, &t);
    case SB_CHANGE_FOUND: return apply_found(e, &t);
    case SB_CHANGE_EVENT: return add_own(&e->events, sb_take_text(&t));
    case SB_CHANGE_CUT: return apply_cut(e, &t);
    case SB_CHANGE_COLUMN: return apply_column(e, &t);
    }
    return false;
}
