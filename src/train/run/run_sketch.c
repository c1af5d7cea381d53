#include "train/run/run_parts.h"

#include "core/size.h"

static sb_status reserve(sb_run *run)
{
    sb_run_sketches *s = &run->sketches;
    size_t room = run->sketches_capacity;
    if (sb_size_reserve(&s->update, &room, s->n + 1, sizeof *s->update) &&
        sb_size_reserve(&s->row, &run->sketches_capacity, s->n + 1, sizeof *s->row))
        return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for %zu sketches", s->n + 1);
}

sb_status sb_run_sketch(sb_run *run, long update)
{
    sb_run_sketches *s = &run->sketches;
    if (!sb_run_leads(run) || (!sb_sketch_is_due(update) && update != run->target_updates)) return SB_OK;
    SB_TRY(reserve(run));
    SB_TRY(sb_learner_weights_sketch(&run->setup->learner, s->row[s->n]));
    s->update[s->n++] = update;
    s->n_weights = (int64_t)run->setup->learner.net->params.total;
    return SB_OK;
}

/* Plain, because the mantissas of sums do not compress. */
sb_status sb_run_write_sketches(sb_run *run, sb_h5 *file)
{
    const sb_run_sketches *s = &run->sketches;
    SB_TRY(sb_h5_write(file, "sketch/weights", SB_I64, 1, (size_t[]){1}, &s->n_weights, SB_H5_PLAIN));
    SB_TRY(sb_h5_write(file, "sketch/update", SB_I64, 1, &s->n, s->update, SB_H5_PLAIN));
    return sb_h5_write(file, "sketch/row", SB_F64, 2, (size_t[]){s->n, SB_SKETCH_BUCKETS}, s->row, SB_H5_PLAIN);
}

/* A checkpoint of an older program has none: then the start, sketched already, stands alone before those to come. */
sb_status sb_run_read_sketches(sb_run *run, sb_h5 *file)
{
    sb_run_sketches read;
    SB_TRY(sb_runfile_sketches(file, &read));
    if (read.n == 0) {
        sb_run_sketches_free(&read);
        return SB_OK;
    }
    if (read.n_weights != (int64_t)run->setup->learner.net->params.total) {
        sb_run_sketches_free(&read);
        return sb_fail(SB_E_INTEGRITY, "%s: its sketches are of another network", sb_h5_path(file));
    }
    sb_run_sketches_free(&run->sketches);
    run->sketches = read;
    run->sketches_capacity = read.n;
    return SB_OK;
}
