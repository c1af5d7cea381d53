/* A run as another machine might have recorded it: what a run file says of itself and its chain, unfinished, with other
 * gradients from some update on, or the loss of one update another. */
#pragma once

#include "core/hash.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_walk.h"
#include "io/run/runfile.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct foreign_copy {
    sb_h5 *from, *to;
    const char *group;
} foreign_copy;

static inline sb_status foreign_attribute(void *context, const char *name)
{
    const foreign_copy *copy = context;
    char value[1024];
    SB_TRY(sb_h5_attribute_text(copy->from, copy->group, name, value, sizeof value));
    return sb_h5_set_text(copy->to, copy->group, name, value);
}

static inline sb_status foreign_chain(sb_h5 *from, sb_h5 *to, int64_t first)
{
    static const char *const parts[] = {"batch", "gradient", "weights", "optimiser"};
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(from, "chain/update", &shape));
    int64_t *update = calloc(shape.n + 1, sizeof *update);
    sb_hash *hash = calloc(shape.n + 1, sizeof *hash);
    sb_status status = update && hash ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory");
    if (status == SB_OK) status = sb_h5_read(from, "chain/update", SB_I64, shape.n, update);
    if (status == SB_OK) status = sb_h5_write(to, "chain/update", SB_I64, 1, &shape.n, update, SB_H5_PACKED);
    for (int part = 0; status == SB_OK && part < 4; part++) {
        char name[32];
        snprintf(name, sizeof name, "chain/%s", parts[part]);
        status = sb_h5_read(from, name, SB_U8, shape.n * sizeof *hash, hash);
        for (size_t i = 0; i < shape.n; i++) hash[i].byte[0] ^= part == 1 && update[i] >= first;
        if (status == SB_OK)
            status = sb_h5_write(to, name, SB_U8, 2, (size_t[]){shape.n, sizeof *hash}, hash, SB_H5_PACKED);
    }
    free(update);
    free(hash);
    return status;
}

/* The losses, which say how many updates there are, and the head that follows from what is in the copy. */
static inline sb_status foreign_rows(sb_h5 *from, sb_h5 *to, int64_t other_loss)
{
    sb_h5_shape shape;
    sb_run_head head;
    SB_TRY(sb_h5_shape_of(from, "train/loss_last", &shape));
    double *loss = calloc(shape.n + 1, sizeof *loss);
    if (!loss) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_status status = sb_h5_read(from, "train/loss_last", SB_F64, shape.n, loss);
    if (other_loss) loss[other_loss - 1] *= 2;
    if (status == SB_OK) status = sb_h5_write(to, "train/loss_last", SB_F64, 1, &shape.n, loss, SB_H5_PACKED);
    free(loss);
    if (status == SB_OK) status = sb_runfile_head_of(to, &head, NULL);
    return status == SB_OK ? sb_runfile_write_head(to, &head) : status;
}

/* first: update of the first other gradient; other_loss: 0, or that of the other loss. */
static inline sb_status foreign_run(const char *path, const char *to_path, int64_t first, int64_t other_loss)
{
    sb_h5 *from, *to;
    int64_t schema;
    SB_TRY(sb_h5_open(&from, path, SB_SEAL_RUN | SB_SEAL_CHECKPOINT));
    SB_TRY(sb_h5_create(&to, to_path, SB_SEAL_CHECKPOINT));
    sb_status status = sb_h5_get_int(from, "meta", "schema", &schema);
    if (status == SB_OK) status = sb_h5_set_int(to, "meta", "schema", schema);
    for (int group = 0; status == SB_OK && group < 2; group++) {
        foreign_copy copy = {from, to, group ? "env" : "config"};
        status = sb_h5_each_attribute(from, copy.group, foreign_attribute, &copy);
    }
    if (status == SB_OK) status = sb_h5_set_text(to, "env", "cpu", "of another machine");
    if (status == SB_OK) status = foreign_chain(from, to, first);
    if (status == SB_OK) status = foreign_rows(from, to, other_loss);
    sb_h5_close(from);
    return sb_h5_finish(to, status);
}
