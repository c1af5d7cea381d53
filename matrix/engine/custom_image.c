#include "matrix/engine/container.h"

#include <string.h>

static sb_status try_images(const sb_container *container, const sb_cell *const *cells, size_t n)
{
    const char *last = NULL;
    SB_TRY(sb_container_open(&container, sb_container_name(container)));
    for (size_t i = 0; i < n; i++) {
        const char *image = cells[i]->study->image;
        if (!image || image == last) continue;
        SB_TRY(sb_container_check_custom(container, image));
        last = image;
    }
    return SB_OK;
}

static const char *first_image(const sb_cell *const *cells, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cells[i]->study->image) return cells[i]->study->image;
    return NULL;
}

sb_status sb_custom_image_choose(const sb_container **chosen, const char *name, const sb_cell *const *cells, size_t n,
                                 FILE *talk)
{
    const char *image = first_image(cells, n);
    const sb_container *container = sb_container_find(name);
    char reasons[1024] = "";
    if (!image) return SB_OK;
    if (strcmp(name, "none") == 0)
        return sb_fail(SB_E_USAGE, "the study runs in the image %s; --engine none would run it outside", image);
    for (int i = 0; container || (container = sb_container_at(i)); i++) {
        if (try_images(container, cells, n) == SB_OK) {
            *chosen = container;
            fprintf(talk, "engine: %s, with the image %s\n", sb_container_name(container), image);
            return SB_OK;
        }
        const size_t used = strlen(reasons);
        snprintf(reasons + used, sizeof reasons - used, "%s%.300s", used ? "; " : "", sb_message());
        if (strcmp(name, "auto") != 0) break;
        container = NULL;
    }
    return sb_fail(SB_E_MISSING, "%s", reasons);
}
