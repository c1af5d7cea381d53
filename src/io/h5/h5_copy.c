#include "io/h5/h5_copy.h"

#include "core/size.h"
#include "io/h5/h5_parts.h"
#include "io/h5/h5_scale.h"
#include "io/h5/h5_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct copy {
    sb_h5 *from, *to;
    const char *object; /* of attributes: what has them; of data sets: the group */
} copy;

/* An open attribute of the one file as an attribute of an object of the other. */
static bool copy_open_attribute(hid_t attribute, hid_t object, const char *name)
{
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    void *value = n > 0 ? sb_size_allocate((size_t)n, H5Tget_size(type)) : NULL;
    hid_t made = H5I_INVALID_HID;
    bool copied = value && H5Tis_variable_str(type) <= 0 && H5Aread(attribute, type, value) >= 0;
    if (copied) made = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    copied = copied && made >= 0 && H5Awrite(made, type, value) >= 0;
    if (made >= 0) copied = H5Aclose(made) >= 0 && copied;
    free(value);
    H5Sclose(space);
    H5Tclose(type);
    return copied;
}

static sb_status copy_attribute(void *context, const char *name)
{
    copy *c = context;
    if (sb_h5_is_of_scale(name)) return SB_OK;
    errno = 0;
    hid_t from = sb_h5_open_object(c->from, c->object, false), to = sb_h5_open_object(c->to, c->object, true);
    hid_t attribute = from >= 0 ? H5Aopen(from, name, H5P_DEFAULT) : H5I_INVALID_HID;
    const bool copied = attribute >= 0 && to >= 0 && copy_open_attribute(attribute, to, name);
    if (attribute >= 0) H5Aclose(attribute);
    if (from >= 0) H5Oclose(from);
    if (to >= 0) H5Oclose(to);
    return copied ? SB_OK : sb_h5_fail_write(c->to, c->object);
}

sb_status sb_h5_copy_attributes(sb_h5 *from, sb_h5 *to, const char *object)
{
    SB_H5_TURN;
    copy c = {from, to, object};
    return sb_h5_each_attribute(from, object, copy_attribute, &c);
}

sb_status sb_h5_copy_dataset(sb_h5 *from, sb_h5 *to, const char *name, sb_h5_storage storage)
{
    SB_H5_TURN;
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(from, name, &shape));
    SB_FREED void *data = sb_size_allocate(shape.n, sb_type_bytes(shape.type));
    if (!data) return sb_fail(SB_E_MEMORY, "%s: not enough memory for /%s", sb_h5_path(from), name);
    SB_TRY(sb_h5_read(from, name, shape.type, shape.n, data));
    return sb_h5_write(to, name, shape.type, shape.rank, shape.dim, data, storage);
}

static sb_status copy_below(void *context, const char *name)
{
    copy *c = context;
    char path[SB_H5_NAME_MAX];
    snprintf(path, sizeof path, "%s/%s", c->object, name);
    return sb_h5_copy_dataset(c->from, c->to, path, SB_H5_PACKED);
}

sb_status sb_h5_copy_group(sb_h5 *from, sb_h5 *to, const char *group)
{
    SB_H5_TURN;
    copy c = {from, to, group};
    SB_TRY(sb_h5_copy_attributes(from, to, group));
    return sb_h5_each_dataset(from, group, copy_below, &c);
}
