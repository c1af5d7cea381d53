#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"
#include "record/external_file.h"
#include "record/h5_texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes ---- */

static sb_status write_pairs(sb_h5 *file, const char *group, const sb_pairs *pairs)
{
    for (size_t i = 0; i < pairs->name.n; i++)
        SB_TRY(sb_h5_set_text(file, group, pairs->name.item[i], pairs->value.item[i]));
    return SB_OK;
}

static sb_status write_meta(sb_h5 *file, const sb_external *e)
{
    SB_TRY(sb_h5_set_text(file, "", "title", "recording of a training"));
    SB_TRY(sb_h5_set_text(file, "", "Conventions", "samebits run file 2"));
    SB_TRY(sb_h5_set_int(file, "meta", "schema", SB_RUN_SCHEMA));
    SB_TRY(sb_h5_set_text(file, "meta", "program", "external"));
    SB_TRY(sb_h5_set_int(file, "meta", "weights_kept", 0));
    SB_TRY(sb_h5_set_int(file, "meta", "records", e->n_records));
    return write_pairs(file, "meta", &e->meta);
}

static sb_status write_events(sb_h5 *file, const sb_text_list *events)
{
    for (size_t i = 0; i < events->n; i++) {
        char name[24];
        snprintf(name, sizeof name, "%03zu", i);
        SB_TRY(sb_h5_set_text(file, "events", name, events->item[i]));
    }
    return SB_OK;
}

/* ---- columns of the chain ---- */

/* The entries from `first` on for which `wanted` is true; memory for one number or one row of hashes of each. */
typedef struct selection {
    const sb_external *e;
    size_t first, n;
    bool (*wanted)(const sb_chain_link *link, int part);
    int part;
} selection;

static bool is_any(const sb_chain_link *link, int part)
{
    (void)link, (void)part;
    return true;
}

static bool has_tensors(const sb_chain_link *link, int part)
{
    return link->tensor[part] != NULL && !(link->absent >> part & 1);
}

static selection select_links(const sb_external *e, size_t first, bool wanted(const sb_chain_link *, int), int part)
{
    selection s = {e, first, 0, wanted, part};
    for (size_t i = first; i < e->n_links; i++) s.n += wanted(&e->link[i], part);
    return s;
}

static sb_status write_updates(sb_h5 *file, const char *name, const selection *s)
{
    SB_FREED int64_t *update = sb_size_allocate(s->n, sizeof *update);
    if (!update) return sb_h5_fail_memory(file);
    size_t n = 0;
    for (size_t i = s->first; i < s->e->n_links; i++)
        if (s->wanted(&s->e->link[i], s->part)) update[n++] = s->e->link[i].update;
    return sb_h5_write(file, name, SB_I64, 1, &n, update, SB_H5_PACKED);
}

/* column: which of the values; -1: the seconds */
static sb_status write_reals(sb_h5 *file, const char *name, const selection *s, int64_t column)
{
    SB_FREED double *value = sb_size_allocate(s->n, sizeof *value);
    if (!value) return sb_h5_fail_memory(file);
    size_t n = 0;
    for (size_t i = s->first; i < s->e->n_links; i++, n++) {
        const sb_chain_link *link = &s->e->link[i];
        value[n] = column < 0 ? link->seconds : (size_t)column < link->n_values ? link->value[column] : NAN;
    }
    return sb_h5_write(file, name, SB_F64, 1, &n, value, SB_H5_PACKED);
}

static sb_status write_train(sb_h5 *file, const sb_external *e)
{
    const size_t first = e->n_links && e->link[0].update == 0;
    const selection s = select_links(e, first, is_any, 0);
    if (s.n == 0) return SB_OK;
    SB_TRY(write_updates(file, "train/update", &s));
    SB_TRY(write_reals(file, "train/seconds", &s, -1));
    for (size_t c = 0; c < e->columns.n; c++) {
        char name[80];
        snprintf(name, sizeof name, "train/%s", e->columns.item[c]);
        SB_TRY(write_reals(file, name, &s, (int64_t)c));
    }
    return SB_OK;
}

static sb_status write_part(sb_h5 *file, const sb_external *e, int part, sb_hash *hash)
{
    char name[48];
    snprintf(name, sizeof name, "chain/%s", sb_part_names[part]);
    for (size_t i = 0; i < e->n_links; i++) hash[i] = e->link[i].part[part];
    return sb_h5_write(file, name, SB_U8, 2, (size_t[]){e->n_links, sizeof *hash}, hash, SB_H5_PACKED);
}

static sb_status write_chain(sb_h5 *file, const sb_external *e)
{
    const selection s = select_links(e, 0, is_any, 0);
    if (s.n == 0) return SB_OK;
    SB_TRY(write_updates(file, "chain/update", &s));
    SB_FREED sb_hash *hash = sb_size_allocate(e->n_links, sizeof *hash);
    SB_FREED uint8_t *absent = sb_size_allocate(e->n_links, 1);
    if (!hash || !absent) return sb_h5_fail_memory(file);
    for (size_t i = 0; i < e->n_links; i++) absent[i] = (uint8_t)e->link[i].absent;
    SB_TRY(sb_h5_write(file, "chain/absent", SB_U8, 1, &e->n_links, absent, SB_H5_PACKED));
    for (int part = 0; part < SB_PARTS; part++) SB_TRY(write_part(file, e, part, hash));
    return SB_OK;
}

/* ---- hashes of single tensors ---- */

enum { OF_TENSOR, OF_CANONICAL, OF_SAMPLES };

static const sb_hash *hashes_of(const sb_chain_link *link, int part, int which)
{
    return which == OF_TENSOR ? link->tensor[part] : which == OF_CANONICAL ? link->canonical : link->samples;
}

static sb_status write_hashes(sb_h5 *file, const char *name, const selection *s, size_t most, int which)
{
    size_t n_all, at = 0;
    SB_FREED sb_hash *all = sb_size_multiply(s->n, most, &n_all) ? sb_size_allocate(n_all, sizeof *all) : NULL;
    if (!all) return sb_h5_fail_memory(file);
    for (size_t i = s->first; i < s->e->n_links; i++) {
        const sb_chain_link *link = &s->e->link[i];
        if (!s->wanted(link, s->part)) continue;
        const sb_hash *hash = hashes_of(link, s->part, which);
        if (hash) memcpy(all + at, hash, link->n[s->part] * sizeof *hash);
        at += most;
    }
    const size_t dim[3] = {s->n, most, sizeof *all};
    return sb_h5_write(file, name, SB_U8, 3, dim, all, SB_H5_PACKED);
}

static sb_status write_tensors(sb_h5 *file, const sb_external *e, int part)
{
    char name[64];
    const selection s = select_links(e, 0, has_tensors, part);
    size_t most = 0;
    snprintf(name, sizeof name, "tensor/%s/names", sb_part_names[part]);
    SB_TRY(sb_h5_write_texts(file, name, &e->names[part]));
    for (size_t i = 0; i < e->n_links; i++)
        if (has_tensors(&e->link[i], part) && e->link[i].n[part] > most) most = e->link[i].n[part];
    if (most == 0) return SB_OK;
    snprintf(name, sizeof name, "tensor/%s/update", sb_part_names[part]);
    SB_TRY(write_updates(file, name, &s));
    snprintf(name, sizeof name, "tensor/%s/hash", sb_part_names[part]);
    SB_TRY(write_hashes(file, name, &s, most, OF_TENSOR));
    if (part != SB_PART_BATCH) return SB_OK;
    SB_TRY(write_hashes(file, "batch/canonical", &s, most, OF_CANONICAL));
    return write_hashes(file, "batch/samples", &s, most, OF_SAMPLES);
}

/* ---- settings and findings ---- */

static sb_status write_rows(sb_h5 *file, const char *name, const int64_t *update, size_t n)
{
    return n ? sb_h5_write(file, name, SB_I64, 1, &n, update, SB_H5_PACKED) : SB_OK;
}

static sb_status write_settings(sb_h5 *file, const sb_external *e)
{
    SB_FREED int64_t *update = sb_size_allocate(e->n_changes, sizeof *update);
    SB_OWNED(sb_text_list_free) sb_text_list texts = {0};
    bool fits = update != NULL;
    for (size_t i = 0; fits && i < e->n_changes; i++) {
        update[i] = e->change[i].update;
        fits = sb_text_list_add(&texts, e->change[i].text, strlen(e->change[i].text));
    }
    SB_TRY(fits ? write_rows(file, "settings/update", update, e->n_changes) : sb_h5_fail_memory(file));
    return sb_h5_write_texts(file, "settings/text", &texts);
}

static sb_status write_found_texts(sb_h5 *file, const sb_external *e, int k)
{
    char name[32];
    SB_OWNED(sb_text_list_free) sb_text_list texts = {0};
    bool fits = true;
    for (size_t i = 0; fits && i < e->n_found; i++)
        fits = sb_text_list_add(&texts, e->found[i].text[k], strlen(e->found[i].text[k]));
    snprintf(name, sizeof name, "found/%s", sb_found_names[k]);
    return fits ? sb_h5_write_texts(file, name, &texts) : sb_h5_fail_memory(file);
}

static sb_status write_found(sb_h5 *file, const sb_external *e)
{
    int64_t *update = sb_size_allocate(e->n_found, sizeof *update);
    if (!update) return sb_h5_fail_memory(file);
    for (size_t i = 0; i < e->n_found; i++) update[i] = e->found[i].update;
    sb_status status = write_rows(file, "found/update", update, e->n_found);
    free(update);
    for (int k = 0; status == SB_OK && k < SB_FOUND_TEXTS; k++) status = write_found_texts(file, e, k);
    return status;
}

/* ---- all of it ---- */

static sb_status write_ends(sb_h5 *file, const sb_external *e)
{
    sb_hash digest;
    char text[SB_HASH_TEXT];
    SB_TRY(sb_runfile_digest(file, &digest));
    sb_hash_text(digest, text);
    SB_TRY(sb_h5_set_int(file, "head", "update", sb_external_last(e)));
    SB_TRY(sb_h5_set_text(file, "head", "digest", text));
    if (!e->complete) return SB_OK;
    SB_TRY(sb_h5_set_text(file, "final", "digest", text));
    SB_TRY(sb_h5_set_int(file, "final", "update", sb_external_last(e)));
    if (e->n_links) sb_hash_text(e->link[e->n_links - 1].part[SB_PART_WEIGHTS], text);
    return e->n_links ? sb_h5_set_text(file, "final", "weights", text) : SB_OK;
}

static sb_status write_content(sb_h5 *file, const sb_external *e)
{
    SB_TRY(write_meta(file, e));
    SB_TRY(write_pairs(file, "config", &e->config));
    SB_TRY(write_pairs(file, "env", &e->env));
    SB_TRY(write_events(file, &e->events));
    SB_TRY(write_train(file, e));
    SB_TRY(write_chain(file, e));
    for (int part = 0; part < SB_PARTS; part++) SB_TRY(write_tensors(file, e, part));
    SB_TRY(write_settings(file, e));
    SB_TRY(write_found(file, e));
    return write_ends(file, e);
}

sb_status sb_external_write(const sb_external *e, const char *path)
{
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, path, SB_SEAL_RECORDING));
    return sb_h5_finish(file, write_content(file, e));
}
