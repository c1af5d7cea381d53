#include "datasets/synth/synth_pictures.h"

#include "core/machine/interrupt.h"
#include "core/size.h"
#include "core/text/plural.h"
#include "datasets/catalog/provenance.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>

/* Pictures number first .. first + n - 1. */
static sb_status draw(const sb_pictures *p, const sb_pictures_values *v, size_t first, size_t n, uint8_t *pixels,
                      uint8_t *label)
{
    const size_t size = p->side * p->side * p->channels;
    for (size_t i = 0; i < n; i++) {
        label[i] = p->draw((uint32_t)v->seed, (uint32_t)(first + i), pixels + i * size);
        if (sb_interrupt_signal()) return sb_fail(SB_E_INTERRUPTED, "%s: interrupted, nothing was written", v->output);
    }
    return SB_OK;
}

/* They as the data sets `images` and `labels`. */
static sb_status write_half(sb_h5 *file, const sb_pictures *p, const sb_pictures_values *v, size_t first, size_t n,
                            const char *images, const char *labels)
{
    const size_t dim[] = {n, p->side, p->side, p->channels};
    uint8_t *pixels = sb_size_allocate(n, p->side * p->side * p->channels), *label = sb_size_allocate(n, 1);
    sb_status status = SB_OK;
    if (!pixels || !label) status = sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu images", v->output, n);
    if (status == SB_OK) status = draw(p, v, first, n, pixels, label);
    if (status == SB_OK) status = sb_h5_write(file, images, SB_U8, p->channels > 1 ? 4 : 3, dim, pixels, SB_H5_PACKED);
    if (status == SB_OK) status = sb_h5_write(file, labels, SB_U8, 1, dim, label, SB_H5_PACKED);
    free(label);
    free(pixels);
    return status;
}

static sb_status write_all(sb_h5 *file, const sb_pictures *p, const sb_call *call)
{
    const sb_pictures_values *v = call->values;
    const size_t n = (size_t)v->n_images;
    SB_TRY(write_half(file, p, v, 0, n, "images", "labels"));
    SB_TRY(write_half(file, p, v, n, (size_t)v->n_test, "test_images", "test_labels"));
    if (p->classes) SB_TRY(sb_h5_set_text(file, "", "classes", p->classes));
    return sb_provenance_write(file, &(sb_provenance){
                                         .kind = p->kind,
                                         .source = p->source,
                                         .licence = "Apache-2.0",
                                         .command = call->command,
                                         .values = v,
                                     });
}

sb_status sb_pictures_write(const sb_pictures *pictures, const sb_call *call)
{
    const sb_pictures_values *v = call->values;
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, v->output, SB_SEAL_DATA));
    SB_TRY(sb_h5_finish(file, write_all(file, pictures, call)));
    fprintf(stderr, "%s: %ld image%s and %ld test image%s\n", v->output, v->n_images, sb_plural((size_t)v->n_images),
            v->n_test, sb_plural((size_t)v->n_test));
    return SB_OK;
}
