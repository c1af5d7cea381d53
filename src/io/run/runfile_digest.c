#include "io/h5/h5_attribute.h"
#include "io/h5/h5_scale.h"
#include "io/h5/h5_walk.h"
#include "io/run/runfile.h"

#include <stdlib.h>
#include <string.h>

typedef struct digest_walk {
    sb_h5 *file;
    sb_hasher *hasher;
    const char *object;
} digest_walk;

static void add_text(sb_hasher *hasher, const char *text)
{
    sb_hasher_add(hasher, text, strlen(text) + 1, 1);
}

static sb_status add_attribute(void *context, const char *name)
{
    digest_walk *walk = context;
    char value[SB_RUN_TEXT];
    if (sb_h5_is_of_scale(name)) return SB_OK;
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
    void *data;
    SB_TRY(sb_h5_read_new(walk->file, name, shape.type, shape.n, &data));
    uint64_t form[2 + SB_H5_RANK_MAX] = {shape.type, (uint64_t)shape.rank};
    for (int i = 0; i < shape.rank; i++) form[2 + i] = shape.dim[i];
    add_text(walk->hasher, name);
    sb_hasher_add(walk->hasher, form, sizeof form / sizeof *form, sizeof *form);
    sb_hasher_add(walk->hasher, data, shape.n, sb_type_bytes(shape.type));
    free(data);
    walk->object = name;
    return sb_h5_each_attribute(walk->file, name, add_attribute, walk);
}

/* The groups, other than the root, whose attributes are content. */
static const char *const groups[] = {"meta", "config", "env", "train", "chain", "eval", "events", "state"};

sb_status sb_runfile_digest(sb_h5 *file, sb_hash *digest)
{
    digest_walk walk = {file, sb_hasher_begin(), ""};
    if (!walk.hasher) return sb_h5_fail_memory(file);
    sb_status status = sb_h5_each_attribute(file, "", add_attribute, &walk);
    for (size_t i = 0; status == SB_OK && i < sizeof groups / sizeof *groups; i++) {
        walk.object = groups[i];
        add_text(walk.hasher, groups[i]);
        status = sb_h5_each_attribute(file, groups[i], add_attribute, &walk);
    }
    if (status == SB_OK) status = sb_h5_each_dataset(file, "", add_dataset, &walk);
    *digest = sb_hasher_end(walk.hasher);
    return status;
}
