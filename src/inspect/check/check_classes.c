#include "inspect/check/check_parts.h"

#include "core/size.h"
#include "io/h5/h5_layout.h"

#include <stdio.h>
#include <stdlib.h>

void sb_check_free_pictures(sb_check_pictures *p)
{
    free(p->bytes);
    free(p->labels);
    free(p->batch_labels);
    free(p->values);
    free(p->mirrored);
}

sb_status sb_check_take_pictures(sb_check *c, sb_check_pictures *p, const char *images, long batch)
{
    const sb_h5_row layout[] = {{images, SB_H5_BYTES, "n c h w", .may_lack = false}};
    sb_h5_dims dims;
    SB_TRY(sb_h5_check_layout(c->file, layout, 1, &dims));
    *p = (sb_check_pictures){
        .n = dims.of['n' - 'a'], .c = dims.of['c' - 'a'], .h = dims.of['h' - 'a'], .w = dims.of['w' - 'a']};
    size_t total, values;
    if (!sb_size_multiply(p->c * p->h, p->w, &p->size) || !sb_size_multiply(p->n, p->size, &total) ||
        !sb_size_multiply((size_t)batch, p->size, &values) || total > SB_CHECK_INPUTS_MOST ||
        values > SB_CHECK_INPUTS_MOST || p->size == 0)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s are not pictures", sb_h5_path(c->file), images);
    p->batch = batch;
    p->values = sb_size_allocate(values, sizeof *p->values),
    p->mirrored = sb_size_allocate(values, sizeof *p->mirrored);
    p->batch_labels = sb_size_allocate((size_t)batch, 1);
    if (!p->values || !p->mirrored || !p->batch_labels) return sb_fail(SB_E_MEMORY, "not enough memory");
    return sb_h5_read_new(c->file, images, SB_U8, total, &p->bytes);
}

sb_status sb_check_read_labels(sb_check *c, sb_check_pictures *p)
{
    SB_TRY(sb_h5_read_new(c->file, "labels", SB_U8, p->n, &p->labels));
    for (size_t i = 0; i < p->n; i++)
        if (p->labels[i] >= SB_CHECK_CLASSES)
            return sb_fail(SB_E_INTEGRITY, "%s: label %d of picture %zu is none of %d classes", sb_h5_path(c->file),
                           p->labels[i], i, SB_CHECK_CLASSES);
    return SB_OK;
}

sb_status sb_check_logits(sb_check *c, int kind, const char *name, size_t first, size_t n)
{
    const sb_net *net = c->setup.learner.net;
    const size_t numbers = n * SB_CHECK_CLASSES;
    SB_FREED double *got = sb_size_allocate(numbers, sizeof *got);
    SB_FREED sb_real *host = sb_size_allocate(numbers, sizeof *host);
    if (!got || !host) return sb_fail(SB_E_MEMORY, "not enough memory");
    SB_TRY(sb_ops_read(net->ops, host, net->classes.logits.x, numbers * sizeof *host));
    for (size_t i = 0; i < numbers; i++) got[i] = host[i];
    return sb_check_numbers(c, kind, name, first * SB_CHECK_CLASSES, numbers, got);
}

sb_status sb_check_update_on_batch(sb_check *c, const sb_check_pictures *p, const char *prefix, long update,
                                   sb_step_result *result)
{
    const sb_window window = {.values = p->values, .labels = p->batch_labels, .n = (int)p->batch};
    char name[160];
    SB_TRY(sb_learner_update(&c->setup.learner, &window, update, SB_GRADIENT_KEPT, result));
    snprintf(name, sizeof name, "%s/logits", prefix);
    SB_TRY(sb_check_logits(c, SB_CHECK_LOGITS, name, 0, (size_t)p->batch));
    return sb_check_update(c, prefix, update);
}

sb_status sb_check_read_rates(sb_check *c, const char *name, size_t *n, double lr[SB_CHECK_UPDATES_MOST])
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(c->file, name, &shape));
    if (shape.n < 1 || shape.n > SB_CHECK_UPDATES_MOST)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s has %zu updates, not 1 to %d", sb_h5_path(c->file), name, shape.n,
                       SB_CHECK_UPDATES_MOST);
    *n = shape.n;
    return sb_h5_read(c->file, name, SB_F64, shape.n, lr);
}

sb_status sb_check_settle_classes(sb_check *c)
{
    bool is_double;
    SB_TRY(sb_check_is_double(c->file, &is_double));
    return sb_check_settle(c, sb_check_tolerance_classes(is_double));
}
