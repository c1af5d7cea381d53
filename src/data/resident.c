#include "data/resident.h"

#include "core/size.h"

#include <stdlib.h>

struct sb_resident {
    sb_ops *ops;
    sb_image_store store;
    void *bytes, *table; /* device memory */
};

bool sb_resident_can(const sb_loader *loader, const sb_ops *ops)
{
    const sb_image_plan *plan = sb_loader_image_plan(loader);
    const sb_images *images = sb_loader_image_set(loader);
    if (!ops || ops->host_memory || !images) return false;
    return plan ? plan->augment.noise == 0 : images->shape.c == 1;
}

/* What frame_load makes of a byte. */
static void fill_shares(sb_real table[SB_NORMAL_BYTES])
{
    for (int byte = 0; byte < SB_NORMAL_BYTES; byte++) table[byte] = (float)byte / 255.0f;
}

static sb_status upload(sb_ops *ops, void **to, const void *from, size_t n, size_t bytes_each)
{
    size_t n_bytes;
    *to = sb_size_multiply(n, bytes_each, &n_bytes) ? ops->allocate(ops, n_bytes) : NULL;
    if (!*to)
        return sb_fail(SB_E_MEMORY, "the device has no memory for all images; --input sync keeps them on the host");
    ops->to_device(ops, *to, from, n_bytes);
    return ops->error(ops);
}

static sb_status open_parts(sb_resident *r, const sb_loader *loader)
{
    const sb_images *images = sb_loader_image_set(loader);
    const sb_image_plan *plan = sb_loader_image_plan(loader);
    const sb_normal *normal = &images->normal;
    const size_t elements = sb_image_elements(images->shape);
    sb_real shares[SB_NORMAL_BYTES];
    fill_shares(shares);
    SB_TRY(upload(r->ops, &r->bytes, images->part[SB_PART_TRAIN].bytes, sb_loader_n_images(loader), elements));
    SB_TRY(upload(r->ops, &r->table, plan ? normal->table : shares, plan ? normal->n_tables : 1, sizeof shares));
    r->store = (sb_image_store){.bytes = r->bytes,
                                .table = r->table,
                                .n = (long)sb_loader_n_images(loader),
                                .c = images->shape.c,
                                .h = images->shape.h,
                                .w = images->shape.w,
                                .per_element = plan && normal->per == 1};
    if (!plan) return SB_OK;
    r->store.has_contrast = plan->augment.contrast != 0;
    r->store.has_brightness = plan->augment.brightness != 0;
    r->store.cutout = plan->augment.cutout;
    return SB_OK;
}

sb_status sb_resident_open(sb_resident **resident, const sb_loader *loader, sb_ops *ops)
{
    sb_resident *r = *resident = calloc(1, sizeof *r);
    if (!r) return sb_fail(SB_E_MEMORY, "not enough memory for the input");
    r->ops = ops;
    const sb_status status = open_parts(r, loader);
    if (status == SB_OK) return SB_OK;
    sb_resident_close(r);
    *resident = NULL;
    return status;
}

void sb_resident_close(sb_resident *resident)
{
    if (!resident) return;
    if (resident->bytes) resident->ops->release(resident->ops, resident->bytes);
    if (resident->table) resident->ops->release(resident->ops, resident->table);
    free(resident);
}

const sb_image_store *sb_resident_store(const sb_resident *resident)
{
    return &resident->store;
}
