#include "core/file.h"
#include "core/size.h"
#include "core/text/text.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_layout.h"
#include "io/h5/h5_walk.h"
#include "io/run/runfile.h"
#include "record/external_file.h"
#include "record/h5_texts.h"
#include "record/record_journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sb_h5_row layout[] = {
    {"train/update", SB_H5_COUNTS, "n", .may_lack = true},
    {"train/seconds", SB_H5_DOUBLES, "n", .may_lack = true},
    {"chain/update", SB_H5_COUNTS, "k", .may_lack = true},
    {"chain/absent", SB_H5_BYTES, "k", .may_lack = true},
    {"chain/batch", SB_H5_BYTES, "k 16", .may_lack = true},
    {"chain/gradient", SB_H5_BYTES, "k 16", .may_lack = true},
    {"chain/optimiser", SB_H5_BYTES, "k 16", .may_lack = true},
    {"chain/weights", SB_H5_BYTES, "k 16", .may_lack = true},
    {"chain/state", SB_H5_BYTES, "k 16", .may_lack = true},
    {"chain/generator", SB_H5_BYTES, "k 16", .may_lack = true},
    {"tensor/batch/update", SB_H5_COUNTS, "a", .may_lack = true},
    {"tensor/batch/hash", SB_H5_BYTES, "a b 16", .may_lack = true},
    {"batch/canonical", SB_H5_BYTES, "a b 16", .may_lack = true},
    {"batch/samples", SB_H5_BYTES, "a b 16", .may_lack = true},
    {"settings/update", SB_H5_COUNTS, "s", .may_lack = true},
    {"found/update", SB_H5_COUNTS, "f", .may_lack = true},
};

static sb_status misfit(sb_h5 *file, const char *name)
{
    return sb_fail(SB_E_INTEGRITY, "%s: /%s does not fit the rest of the recording", sb_h5_path(file), name);
}

/* ---- attributes ---- */

typedef struct pairs_walk {
    sb_h5 *file;
    const char *group;
    sb_pairs *pairs;
    sb_text_list *texts; /* or the values alone */
} pairs_walk;

static sb_status read_pair(void *context, const char *name)
{
    const pairs_walk *w = context;
    char value[SB_RUN_TEXT];
    SB_TRY(sb_h5_attribute_text(w->file, w->group, name, value, sizeof value));
    if (sb_text_has_control(name, strlen(name)) || sb_text_plain_length(value, false) != strlen(value))
        return sb_fail(SB_E_INTEGRITY, "%s: attributes of /%s hold control characters", sb_h5_path(w->file), w->group);
    const bool kept = w->texts ? sb_text_list_add(w->texts, value, strlen(value)) : sb_pairs_set(w->pairs, name, value);
    return kept ? SB_OK : sb_h5_fail_memory(w->file);
}

static sb_status read_pairs(sb_h5 *file, const char *group, sb_pairs *pairs, sb_text_list *texts)
{
    pairs_walk w = {file, group, pairs, texts};
    return sb_h5_each_attribute(file, group, read_pair, &w);
}

/* Written from other fields of the recording. */
static bool is_own(const char *name)
{
    return strcmp(name, "schema") == 0 || strcmp(name, "program") == 0 || strcmp(name, "weights_kept") == 0 ||
           strcmp(name, "records") == 0;
}

static sb_status read_meta(sb_h5 *file, sb_external *e)
{
    int64_t schema;
    char program[32];
    sb_pairs all = {0};
    SB_TRY(sb_h5_get_int(file, "meta", "schema", &schema));
    SB_TRY(sb_h5_get_text(file, "meta", "program", program, sizeof program));
    if (schema != SB_RUN_SCHEMA || strcmp(program, "external") != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: schema %lld of '%s', and this program reads schema %d of 'external'",
                       sb_h5_path(file), (long long)schema, program, SB_RUN_SCHEMA);
    SB_TRY(sb_h5_get_int(file, "meta", "records", &e->n_records));
    sb_status status = read_pairs(file, "meta", &all, NULL);
    for (size_t i = 0; status == SB_OK && i < all.name.n; i++)
        if (!is_own(all.name.item[i]) && !sb_pairs_set(&e->meta, all.name.item[i], all.value.item[i]))
            status = sb_h5_fail_memory(file);
    sb_text_list_free(&all.name);
    sb_text_list_free(&all.value);
    return status;
}

/* ---- entries of the chain ---- */

static sb_status read_updates(sb_h5 *file, const char *name, size_t n, int64_t **update)
{
    SB_TRY(sb_h5_read_new(file, name, SB_I64, n, update));
    for (size_t i = 0; i < n; i++)
        if ((*update)[i] < (i ? (*update)[i - 1] + 1 : 0))
            return sb_fail(SB_E_INTEGRITY, "%s: /%s does not ascend from 0", sb_h5_path(file), name);
    return SB_OK;
}

static sb_status read_absent(sb_h5 *file, sb_external *e)
{
    uint8_t *absent;
    SB_TRY(sb_h5_read_new(file, "chain/absent", SB_U8, e->n_links, &absent));
    for (size_t i = 0; i < e->n_links; i++) e->link[i].absent = absent[i] & ((1u << SB_PARTS) - 1);
    free(absent);
    return SB_OK;
}

static sb_status read_part(sb_h5 *file, sb_external *e, int part)
{
    char name[48];
    sb_hash *hash;
    snprintf(name, sizeof name, "chain/%s", sb_part_names[part]);
    SB_TRY(sb_h5_read_new(file, name, SB_U8, e->n_links * sizeof *hash, &hash));
    for (size_t i = 0; i < e->n_links; i++) e->link[i].part[part] = hash[i];
    free(hash);
    return SB_OK;
}

static sb_status read_links(sb_h5 *file, sb_external *e, size_t n)
{
    SB_FREED int64_t *update = NULL;
    SB_TRY(read_updates(file, "chain/update", n, &update));
    e->link = sb_size_allocate(n, sizeof *e->link);
    if (!e->link) return sb_h5_fail_memory(file);
    e->n_links = e->links_room = n;
    for (size_t i = 0; i < n; i++) e->link[i].update = update[i];
    SB_TRY(read_absent(file, e));
    for (int part = 0; part < SB_PARTS; part++) SB_TRY(read_part(file, e, part));
    return SB_OK;
}

/* ---- values ---- */

typedef struct column_walk {
    sb_h5 *file;
    sb_external *e;
    size_t first, n;
} column_walk;

static sb_status read_column(void *context, const char *name)
{
    const column_walk *w = context;
    char path[600];
    sb_h5_shape shape;
    const bool is_seconds = strcmp(name, "seconds") == 0;
    if (strcmp(name, "update") == 0) return SB_OK;
    snprintf(path, sizeof path, "train/%s", name);
    SB_TRY(sb_h5_shape_of(w->file, path, &shape));
    if (shape.type != SB_F64 || shape.rank != 1 || shape.n != w->n) return misfit(w->file, path);
    if (!is_seconds && !sb_text_list_add(&w->e->columns, name, strlen(name))) return sb_h5_fail_memory(w->file);
    SB_FREED double *value = NULL;
    SB_TRY(sb_h5_read_new(w->file, path, SB_F64, w->n, &value));
    for (size_t i = 0; i < w->n; i++) {
        sb_chain_link *link = &w->e->link[w->first + i];
        if (is_seconds) {
            link->seconds = value[i];
            continue;
        }
        double *more = sb_size_grow(link->value, link->n_values + 1, sizeof *more);
        if (!more) return sb_h5_fail_memory(w->file);
        link->value = more;
        link->value[link->n_values++] = value[i];
    }
    return SB_OK;
}

static sb_status read_train(sb_h5 *file, sb_external *e, size_t n)
{
    const size_t first = e->n_links && e->link[0].update == 0;
    int64_t *update = NULL;
    if (n != e->n_links - first) return misfit(file, "train/update");
    if (n == 0) return SB_OK;
    sb_status status = read_updates(file, "train/update", n, &update);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        if (update[i] != e->link[first + i].update) status = misfit(file, "train/update");
    free(update);
    column_walk w = {file, e, first, n};
    return status == SB_OK ? sb_h5_each_dataset(file, "train", read_column, &w) : status;
}

/* ---- hashes of single tensors ---- */

/* The hashes of one entry, cut after the last that is not all zero. */
static sb_status take_row(sb_h5 *file, sb_chain_link *link, int part, const sb_hash *row, size_t most, bool cut)
{
    static const sb_hash none;
    size_t n = most;
    while (cut && n && sb_hash_equal(row[n - 1], none)) n--;
    sb_hash *copy = sb_size_allocate(n, sizeof *copy);
    if (!copy) return sb_h5_fail_memory(file);
    memcpy(copy, row, n * sizeof *copy);
    link->tensor[part] = copy;
    link->n[part] = n;
    if (sb_hash_equal(link->part[part], sb_hash_of(copy, n * sizeof *copy, 1))) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: the hashes of /tensor/%s at update %lld are not the ones of /chain",
                   sb_h5_path(file), sb_part_names[part], (long long)link->update);
}

static sb_status take_forms(sb_h5 *file, sb_chain_link *link, const sb_hash *canonical, const sb_hash *samples)
{
    const size_t n = link->n[SB_PART_BATCH];
    link->canonical = sb_size_allocate(n, sizeof *canonical);
    link->samples = sb_size_allocate(n, sizeof *samples);
    if (!link->canonical || !link->samples) return sb_h5_fail_memory(file);
    memcpy(link->canonical, canonical, n * sizeof *canonical);
    memcpy(link->samples, samples, n * sizeof *samples);
    return SB_OK;
}

static sb_status read_hashes(sb_h5 *file, const char *name, size_t n, size_t most, sb_hash **hash)
{
    size_t n_all, n_bytes;
    if (!sb_size_multiply(n, most, &n_all) || !sb_size_multiply(n_all, sizeof **hash, &n_bytes))
        return sb_h5_fail_memory(file);
    return sb_h5_read_new(file, name, SB_U8, n_bytes, hash);
}

/* Does the row's tensor count follow from the names? Batches have as many as they were given. */
static sb_status place_rows(sb_h5 *file, sb_external *e, int part, const int64_t *update, size_t n, size_t most,
                            const sb_hash *hash, const sb_hash *canonical, const sb_hash *samples)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        while (at < e->n_links && e->link[at].update < update[i]) at++;
        if (at == e->n_links || e->link[at].update != update[i]) return misfit(file, sb_part_names[part]);
        SB_TRY(take_row(file, &e->link[at], part, hash + i * most, most, true));
        if (canonical) SB_TRY(take_forms(file, &e->link[at], canonical + i * most, samples + i * most));
    }
    return SB_OK;
}

static sb_status read_tensors(sb_h5 *file, sb_external *e, int part)
{
    char names[64], updates[64], hashes[64];
    sb_h5_shape rows, shape;
    snprintf(names, sizeof names, "tensor/%s/names", sb_part_names[part]);
    snprintf(updates, sizeof updates, "tensor/%s/update", sb_part_names[part]);
    snprintf(hashes, sizeof hashes, "tensor/%s/hash", sb_part_names[part]);
    SB_TRY(sb_h5_read_texts(file, names, &e->names[part]));
    if (!sb_h5_exists(file, hashes)) return SB_OK;
    SB_TRY(sb_h5_shape_of(file, hashes, &shape));
    SB_TRY(sb_h5_shape_of(file, updates, &rows));
    if (rows.rank != 1 || rows.type != SB_I64 || shape.rank != 3 || shape.type != SB_U8 ||
        shape.dim[2] != sizeof(sb_hash) || rows.n != shape.dim[0])
        return misfit(file, hashes);
    const size_t n = shape.dim[0], most = shape.dim[1];
    const bool has_forms = part == SB_PART_BATCH && sb_h5_exists(file, "batch/canonical");
    SB_FREED int64_t *update = NULL;
    SB_FREED sb_hash *hash = NULL, *canonical = NULL, *samples = NULL;
    SB_TRY(read_updates(file, updates, n, &update));
    SB_TRY(read_hashes(file, hashes, n, most, &hash));
    if (has_forms) SB_TRY(read_hashes(file, "batch/canonical", n, most, &canonical));
    if (has_forms) SB_TRY(read_hashes(file, "batch/samples", n, most, &samples));
    return place_rows(file, e, part, update, n, most, hash, canonical, samples);
}

/* ---- settings and findings ---- */

/* A record made of an update and texts, as the journal has it. */
static sb_status apply(sb_h5 *file, sb_external *e, sb_change change, int64_t update, const sb_text_list *texts, size_t n,
                       size_t i)
{
    sb_bytes b = {0};
    sb_bytes_add_integer(&b, update);
    for (size_t k = 0; k < n; k++) sb_bytes_add_text(&b, texts[k].item[i]);
    const bool applied = !b.failed && sb_external_apply(e, change, b.at, b.n);
    sb_bytes_free(&b);
    return applied ? SB_OK : sb_h5_fail_memory(file);
}

/* Rows of GROUP/update with n_names lists of texts. */
static sb_status read_rows(sb_h5 *file, sb_external *e, const char *group, sb_change change,
                           const char *const *names, size_t n_names, size_t n)
{
    sb_text_list texts[SB_FOUND_TEXTS] = {{0}};
    char name[64];
    int64_t *update = NULL;
    snprintf(name, sizeof name, "%s/update", group);
    sb_status status = n ? sb_h5_read_new(file, name, SB_I64, n, &update) : SB_OK;
    for (size_t k = 0; status == SB_OK && k < n_names; k++) {
        snprintf(name, sizeof name, "%s/%s", group, names[k]);
        status = sb_h5_read_texts(file, name, &texts[k]);
        if (status == SB_OK && texts[k].n != n) status = misfit(file, name);
    }
    for (size_t i = 0; status == SB_OK && i < n; i++) status = apply(file, e, change, update[i], texts, n_names, i);
    free(update);
    for (size_t k = 0; k < n_names; k++) sb_text_list_free(&texts[k]);
    return status;
}

/* ---- all of it ---- */

static sb_status check_ends(sb_h5 *file, sb_external *e)
{
    sb_hash digest;
    char text[SB_HASH_TEXT], recorded[SB_HASH_TEXT];
    int64_t update;
    SB_TRY(sb_runfile_digest(file, &digest));
    sb_hash_text(digest, text);
    SB_TRY(sb_h5_get_text(file, "head", "digest", recorded, sizeof recorded));
    if (strcmp(recorded, text) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: changed after it was written: the hash of its content is %s, and /head says %s",
                       sb_h5_path(file), text, recorded);
    SB_TRY(sb_h5_get_int(file, "head", "update", &update));
    e->complete = sb_h5_has(file, "final", "digest");
    if (update != sb_external_last(e)) return misfit(file, "head");
    if (!e->complete) return SB_OK;
    SB_TRY(sb_h5_get_text(file, "final", "digest", recorded, sizeof recorded));
    SB_TRY(sb_h5_get_int(file, "final", "update", &update));
    if (update != sb_external_last(e) || strcmp(recorded, text) != 0) return misfit(file, "final");
    if (!e->n_links) return SB_OK;
    sb_hash_text(e->link[e->n_links - 1].part[SB_PART_WEIGHTS], text);
    SB_TRY(sb_h5_get_text(file, "final", "weights", recorded, sizeof recorded));
    return strcmp(recorded, text) == 0 ? SB_OK : misfit(file, "final");
}

static sb_status read_chain(sb_h5 *file, sb_external *e)
{
    sb_h5_dims dims = {0};
    SB_TRY(sb_h5_check_layout(file, layout, sizeof layout / sizeof *layout, &dims)); /* before its first entry it has none */
    if (dims.of['k' - 'a']) {
        SB_TRY(read_links(file, e, dims.of['k' - 'a']));
        SB_TRY(read_train(file, e, dims.of['n' - 'a']));
    }
    for (int part = 0; part < SB_PARTS; part++) SB_TRY(read_tensors(file, e, part));
    static const char *const text[] = {"text"};
    SB_TRY(read_rows(file, e, "settings", SB_CHANGE_SETTINGS, text, 1, dims.of['s' - 'a']));
    return read_rows(file, e, "found", SB_CHANGE_FOUND, sb_found_names, SB_FOUND_TEXTS, dims.of['f' - 'a']);
}

static sb_status read_content(sb_h5 *file, sb_external *e)
{
    SB_TRY(read_meta(file, e));
    SB_TRY(read_pairs(file, "config", &e->config, NULL));
    SB_TRY(read_pairs(file, "env", &e->env, NULL));
    SB_TRY(read_pairs(file, "events", NULL, &e->events));
    SB_TRY(read_chain(file, e));
    return check_ends(file, e);
}

sb_status sb_external_read(sb_external *e, const char *path, bool own)
{
    sb_h5 *file;
    *e = (sb_external){0};
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RECORDING | (own ? SB_SEAL_MET : 0)));
    const sb_status status = read_content(file, e);
    sb_h5_close(file);
    if (status != SB_OK) sb_external_free(e);
    return status;
}

sb_status sb_external_read_all(sb_external *e, const char *path)
{
    SB_TRY(sb_external_read(e, path, false));
    const sb_status status = sb_record_journal_read(path, e);
    if (status != SB_OK) sb_external_free(e);
    return status;
}

bool sb_external_is(const char *path)
{
    sb_seal seal;
    return sb_seal_peek(path, &seal) && seal.kind == SB_SEAL_RECORDING;
}
