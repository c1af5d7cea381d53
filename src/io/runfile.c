#include "io/runfile.h"
#include "io/h5_attribute.h"
#include "io/h5_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct digest_walk {
    sb_h5 *file;
    sb_hasher *hasher;
    const char *object;
} digest_walk;

static void add_text(sb_hasher *hasher, const char *text)
{
    sb_hasher_add(hasher, text, strlen(text) + 1);
}

static sb_status add_attribute(void *context, const char *name)
{
    digest_walk *walk = context;
    char value[8192];
    SB_TRY(sb_h5_attribute_text(walk->file, walk->object, name, value, sizeof value));
    add_text(walk->hasher, name);
    add_text(walk->hasher, value);
    return SB_OK;
}

static sb_status add_dataset(void *context, const char *name)
{
    digest_walk *walk = context;
    if (strncmp(name, "final/", 6) == 0) return SB_OK;
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(walk->file, name, &shape));
    size_t n_bytes = shape.n * sb_type_bytes(shape.type);
    void *data = malloc(n_bytes ? n_bytes : 1);
    if (!data) return sb_fail(SB_E_MEMORY, "%s: not enough memory", sb_h5_path(walk->file));
    sb_status status = sb_h5_read(walk->file, name, shape.type, shape.n, data);
    if (status == SB_OK) {
        uint64_t form[2 + SB_H5_RANK_MAX] = {shape.type, (uint64_t)shape.rank};
        for (int i = 0; i < shape.rank; i++) form[2 + i] = shape.dim[i];
        add_text(walk->hasher, name);
        sb_hasher_add(walk->hasher, form, sizeof form);
        sb_hasher_add(walk->hasher, data, n_bytes);
    }
    free(data);
    return status;
}

/* The groups whose attributes carry content. */
static const char *const groups[] = {"meta", "config", "env", "train", "chain", "eval", "events", "state"};

sb_status sb_runfile_digest(sb_h5 *file, sb_hash *digest)
{
    digest_walk walk = {file, sb_hasher_begin(), ""};
    if (!walk.hasher) return sb_fail(SB_E_MEMORY, "%s: not enough memory", sb_h5_path(file));
    sb_status status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < sizeof groups / sizeof *groups; i++) {
        walk.object = groups[i];
        add_text(walk.hasher, groups[i]);
        status = sb_h5_each_attribute(file, groups[i], add_attribute, &walk);
    }
    if (status == SB_OK) status = sb_h5_each_dataset(file, "", add_dataset, &walk);
    *digest = sb_hasher_end(walk.hasher);
    return status;
}

sb_status sb_runfile_check(sb_h5 *file)
{
    const char *path = sb_h5_path(file);
    int64_t schema;
    if (!sb_h5_has(file, "meta", "schema")) return sb_fail(SB_E_INTEGRITY, "%s: not a run file of samebits", path);
    SB_TRY(sb_h5_get_int(file, "meta", "schema", &schema));
    if (schema != SB_RUN_SCHEMA)
        return sb_fail(SB_E_INTEGRITY, "%s: run file of schema %lld, this program reads schema %d", path,
                       (long long)schema, SB_RUN_SCHEMA);
    if (!sb_h5_has(file, "final", "digest"))
        return sb_fail(SB_E_EMPTY, "%s: not finished; run the same 'samebits train' again to go on", path);
    char recorded[SB_HASH_TEXT], computed[SB_HASH_TEXT];
    sb_hash digest;
    SB_TRY(sb_h5_get_text(file, "final", "digest", recorded, sizeof recorded));
    SB_TRY(sb_runfile_digest(file, &digest));
    sb_hash_text(digest, computed);
    if (strcmp(recorded, computed) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: changed after it was finished: its digest is %s, its content gives %s",
                       path, recorded, computed);
    return SB_OK;
}

sb_status sb_runfile_summary(sb_h5 *file, sb_run_summary *summary)
{
    *summary = (sb_run_summary){0};
    SB_TRY(sb_h5_get_text(file, "meta", "cell", summary->cell, sizeof summary->cell));
    SB_TRY(sb_h5_get_text(file, "meta", "hash", summary->hash, sizeof summary->hash));
    SB_TRY(sb_h5_get_int(file, "final", "updates", &summary->updates));
    SB_TRY(sb_h5_get_text(file, "final", "weights", summary->weights, sizeof summary->weights));
    struct {
        const char *name;
        double *value;
    } reals[] = {
        {"loss_last", &summary->loss_last},
        {"loss_mean", &summary->loss_mean},
        {"seconds", &summary->seconds},
        {"cpu_seconds", &summary->cpu_seconds},
        {"frames_per_second", &summary->frames_per_second},
        {"peak_memory_bytes", &summary->peak_memory_bytes},
    };
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        SB_TRY(sb_h5_get_real(file, "final", reals[i].name, reals[i].value));
    return SB_OK;
}

sb_status sb_runfile_sketches(sb_h5 *file, sb_run_sketches *sketches)
{
    sb_h5_shape shape;
    *sketches = (sb_run_sketches){0};
    if (!sb_h5_exists(file, "sketch/update")) return SB_OK;
    SB_TRY(sb_h5_read(file, "sketch/weights", SB_I64, 1, &sketches->n_weights));
    SB_TRY(sb_h5_shape_of(file, "sketch/update", &shape));
    sketches->n = shape.n;
    sketches->update = malloc((shape.n + 1) * sizeof *sketches->update);
    sketches->row = malloc((shape.n + 1) * sizeof *sketches->row);
    sb_status status = SB_OK;
    if (!sketches->update || !sketches->row)
        status = sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu sketches", sb_h5_path(file), shape.n);
    if (status == SB_OK) status = sb_h5_read(file, "sketch/update", SB_I64, shape.n, sketches->update);
    if (status == SB_OK) status = sb_h5_read(file, "sketch/row", SB_F64, shape.n * SB_SKETCH_BUCKETS, sketches->row);
    if (status != SB_OK) sb_run_sketches_free(sketches);
    return status;
}

void sb_run_sketches_free(sb_run_sketches *sketches)
{
    free(sketches->update);
    free(sketches->row);
    *sketches = (sb_run_sketches){0};
}

bool sb_run_sketches_match(const sb_run_sketches *a, const sb_run_sketches *b, size_t *i, size_t *j)
{
    if (a->n_weights != b->n_weights) return false;
    while (*i < a->n && *j < b->n) {
        if (a->update[*i] == b->update[*j]) return true;
        a->update[*i] < b->update[*j] ? (*i)++ : (*j)++;
    }
    return false;
}
