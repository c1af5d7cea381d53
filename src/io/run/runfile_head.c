#include "io/h5/h5_attribute.h"
#include "io/h5/h5_walk.h"
#include "io/run/runfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sb_status sb_runfile_optimizer(sb_h5 *file, sb_optimizer_id *id)
{
    char name[64] = "adam";
    if (sb_h5_has(file, "config", "optimizer")) SB_TRY(sb_h5_get_text(file, "config", "optimizer", name, sizeof name));
    *id = sb_optimizer_find(name);
    if (*id != SB_N_OPTIMIZERS || strcmp(name, sb_optimizers[SB_NO_OPTIMIZER].name) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: a run with the optimizer '%s', and this program knows %s", sb_h5_path(file),
                   name, SB_OPTIMIZER_WORDS);
}

/* ---- the hashes of the tensors ---- */

static sb_status count(void *context, const char *name)
{
    (void)name;
    ++*(size_t *)context;
    return SB_OK;
}

static sb_status hash_tensor(sb_h5 *file, const char *name, sb_hasher *hasher)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, name, &shape));
    void *data;
    SB_TRY(sb_h5_read_new(file, name, shape.type, shape.n, &data));
    sb_hasher_add(hasher, data, shape.n, sb_type_bytes(shape.type));
    free(data);
    return SB_OK;
}

/* Each tensor of a group, in the order of names, and no other. */
static sb_status hash_group(sb_h5 *file, const char *group, const char *names, sb_hasher *hasher)
{
    size_t n_named = 0, n_there = 0;
    for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ', n_named++) {
        char name[128];
        snprintf(name, sizeof name, "%s/%.*s", group, (int)strcspn(at, " "), at);
        SB_TRY(hash_tensor(file, name, hasher));
    }
    SB_TRY(sb_h5_each_dataset(file, group, count, &n_there));
    if (n_named == n_there) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: /%s holds %zu tensors, but its list names %zu", sb_h5_path(file), group,
                   n_there, n_named);
}

static sb_status hash_one(sb_h5 *file, const char *group, const char *names, sb_hash *hash)
{
    sb_hasher *hasher = sb_hasher_begin();
    if (!hasher) return sb_h5_fail_memory(file);
    sb_status status = hash_group(file, group, names, hasher);
    *hash = sb_hasher_end(hasher);
    return status;
}

/* One state of the optimizer after the other. */
static sb_status hash_optimizer(sb_h5 *file, const char *names, sb_hash *hash)
{
    sb_optimizer_id id;
    SB_TRY(sb_runfile_optimizer(file, &id));
    sb_hasher *hasher = sb_hasher_begin();
    if (!hasher) return sb_h5_fail_memory(file);
    sb_status status = SB_OK;
    for (int k = 0; status == SB_OK && k < sb_optimizers[id].n_states; k++) {
        char group[SB_OPTIMIZER_GROUP];
        sb_optimizer_group(id, k, group);
        status = hash_group(file, group, names, hasher);
    }
    *hash = sb_hasher_end(hasher);
    return status;
}

/* The list of a group's tensors; empty where it has none. */
static sb_status read_names(sb_h5 *file, const char *group, char names[SB_RUN_NAMES])
{
    *names = 0;
    return sb_h5_has(file, group, "names") ? sb_h5_get_text(file, group, "names", names, SB_RUN_NAMES) : SB_OK;
}

static sb_status hash_all(sb_h5 *file, char names[SB_RUN_NAMES], sb_run_head *head)
{
    SB_TRY(read_names(file, "param", names));
    SB_TRY(hash_one(file, "param", names, &head->weights));
    SB_TRY(hash_optimizer(file, names, &head->optimizer));
    SB_TRY(read_names(file, "state", names));
    return hash_one(file, "state", names, &head->state);
}

sb_status sb_runfile_head_of(sb_h5 *file, sb_run_head *head, bool *has_tensors)
{
    sb_h5_shape rows;
    *head = (sb_run_head){.weights = sb_hash_of("", 0, 1)};
    head->optimizer = head->state = head->weights;
    SB_TRY(sb_h5_shape_of(file, "train/loss_last", &rows));
    head->update = (int64_t)rows.n;
    const bool has = sb_h5_has(file, "param", "names");
    if (has_tensors) *has_tensors = has;
    if (!has) return SB_OK;
    SB_FREED char *names = malloc(SB_RUN_NAMES);
    if (!names) return sb_h5_fail_memory(file);
    return hash_all(file, names, head);
}

/* ---- writing ---- */

static sb_status set_hash(sb_h5 *file, const char *name, sb_hash hash)
{
    char text[SB_HASH_TEXT];
    sb_hash_text(hash, text);
    return sb_h5_set_text(file, "head", name, text);
}

sb_status sb_runfile_write_head(sb_h5 *file, const sb_run_head *head)
{
    sb_hash digest;
    SB_TRY(sb_runfile_digest(file, &digest));
    SB_TRY(sb_h5_set_int(file, "head", "update", head->update));
    SB_TRY(set_hash(file, "weights", head->weights));
    SB_TRY(set_hash(file, "optimiser", head->optimizer));
    SB_TRY(set_hash(file, "state", head->state));
    return set_hash(file, "digest", digest);
}
