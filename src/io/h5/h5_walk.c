#include "io/h5/h5_walk.h"

#include "io/h5/h5_parts.h"

typedef struct walk {
    sb_h5_visit *visit;
    void *context;
    sb_status status; /* of the last visit */
} walk;

static herr_t visit_name(walk *w, const char *name)
{
    w->status = w->visit(w->context, name);
    return w->status != SB_OK;
}

static sb_status end_walk(const sb_h5 *file, const char *object, herr_t result, const walk *w)
{
    if (result < 0 && w->status == SB_OK)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s cannot be listed: damaged", file->path, object);
    return w->status;
}

static herr_t on_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context)
{
    (void)object, (void)info;
    return visit_name(context, name);
}

sb_status sb_h5_each_attribute(sb_h5 *file, const char *object, sb_h5_visit *visit, void *context)
{
    SB_H5_TURN;
    walk w = {visit, context, SB_OK};
    hid_t id = sb_h5_open_object(file, object, false);
    if (id < 0) return SB_OK;
    herr_t result = H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_INC, NULL, on_attribute, &w);
    H5Oclose(id);
    return end_walk(file, object, result, &w);
}

static herr_t on_object(hid_t group, const char *name, const H5O_info_t *info, void *context)
{
    (void)group;
    return info->type == H5O_TYPE_DATASET ? visit_name(context, name) : 0;
}

sb_status sb_h5_each_dataset(sb_h5 *file, const char *group, sb_h5_visit *visit, void *context)
{
    SB_H5_TURN;
    walk w = {visit, context, SB_OK};
    hid_t id = sb_h5_open_object(file, group, false);
    if (id < 0) return SB_OK;
    herr_t result = H5Ovisit2(id, H5_INDEX_NAME, H5_ITER_INC, on_object, &w, H5O_INFO_BASIC);
    H5Oclose(id);
    return end_walk(file, group, result, &w);
}
