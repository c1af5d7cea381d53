/* What a file may hold. HDF5 can do much more than this package writes, and what it can do beyond it reaches out of the
 * file or writes past a reader's memory: links and storage in other files, virtual data sets, filters that are loaded
 * as programs, types that change size, sizes without stored data. All of these are refused when a file is opened. The
 * rest is read once, so that a damaged part is found in the trial process (h5_trial.c). */
#include "io/h5/h5_parts.h"

#include "core/size.h"

#include <string.h>
#include <sys/stat.h>

/* Deflate packs 1032 bytes into one at best. */
enum { PACKED_MOST = 1100, CHUNK_MOST = 1 << 28, TEXT_MOST = 1 << 16, ATTRIBUTE_ELEMENTS_MOST = 1 << 12 };

static sb_status refuse(const sb_h5 *file, const char *name, const char *why)
{
    return sb_fail(SB_E_INTEGRITY, "%s: /%.200s %s", file->path, name, why);
}

/* ---- types ---- */

/* The numbers that are read, and as what. */
static bool map_number(hid_t type, sb_type *mapped)
{
    const struct {
        hid_t stored;
        sb_type mapped;
    } numbers[] = {
        {H5T_STD_U8LE, SB_U8},   {H5T_IEEE_F32LE, SB_F32}, {H5T_IEEE_F64LE, SB_F64}, {H5T_STD_I64LE, SB_I64},
        {H5T_STD_I32LE, SB_I32}, {H5T_STD_I8LE, SB_I32},   {H5T_STD_I16LE, SB_I32},  {H5T_STD_U16LE, SB_I32},
        {H5T_STD_U32LE, SB_I64}, {H5T_STD_U64LE, SB_I64},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *mapped = numbers[i].mapped;
        if (H5Tequal(type, numbers[i].stored) > 0) return true;
    }
    return false;
}

/* ---- data sets ---- */

static bool has_only_our_filters(hid_t properties)
{
    int n = H5Pget_nfilters(properties);
    for (int i = 0; i < n; i++) {
        unsigned flags, config;
        size_t n_values = 0;
        H5Z_filter_t filter = H5Pget_filter2(properties, (unsigned)i, &flags, &n_values, NULL, 0, NULL, &config);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
            return false;
    }
    return n >= 0;
}

/* The elements that its chunks hold, those beyond the edges with them; false: a chunk of no sense, or some are not
 * there. */
static bool count_chunked(hid_t set, hid_t properties, const sb_h5_shape *shape, size_t bytes_each, size_t *n)
{
    hsize_t chunk[H5S_MAX_RANK], n_there = 0;
    size_t n_chunks = 1, chunk_bytes = bytes_each;
    if (H5Pget_chunk(properties, H5S_MAX_RANK, chunk) != shape->rank) return false;
    for (int i = 0; i < shape->rank; i++) {
        if (chunk[i] == 0 || !sb_size_multiply(chunk_bytes, chunk[i], &chunk_bytes)) return false;
        if (!sb_size_multiply(n_chunks, shape->dim[i] / chunk[i] + (shape->dim[i] % chunk[i] != 0), &n_chunks))
            return false;
    }
    if (chunk_bytes > CHUNK_MOST || !sb_size_multiply(n_chunks, chunk_bytes / bytes_each, n)) return false;
    hid_t space = H5Dget_space(set);
    bool counted = H5Dget_num_chunks(set, space, &n_there) >= 0;
    H5Sclose(space);
    return counted && n_there == n_chunks;
}

/* Is as much in the file as the shape claims? */
static bool is_all_there(const sb_h5 *file, hid_t set, hid_t properties, const sb_h5_shape *shape, size_t bytes_each)
{
    size_t n = shape->n, n_bytes;
    H5D_layout_t layout = H5Pget_layout(properties);
    if (n == 0) return true;
    if (layout == H5D_CHUNKED && !count_chunked(set, properties, shape, bytes_each, &n)) return false;
    if (!sb_size_multiply(n, bytes_each, &n_bytes)) return false;
    hsize_t stored = H5Dget_storage_size(set);
    if (stored > file->n_bytes) return false;
    if (layout == H5D_CHUNKED && H5Pget_nfilters(properties) > 0) return n_bytes / PACKED_MOST <= stored;
    if (layout == H5D_CONTIGUOUS) {
        haddr_t place = H5Dget_offset(set);
        if (place == HADDR_UNDEF || place > file->n_bytes || stored > file->n_bytes - place) return false;
    }
    return stored == n_bytes;
}

/* Before the layout is known, do not ask for its space: a virtual data set may have it in another file. */
static const char *why_not_stored_here(hid_t properties)
{
    H5D_layout_t layout = H5Pget_layout(properties);
    if (layout == H5D_VIRTUAL) return "is a virtual data set: its numbers are in other files";
    if (H5Pget_external_count(properties) != 0) return "has its numbers in another file";
    if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
        return "is stored in an unknown way";
    return has_only_our_filters(properties) ? NULL : "is packed by a filter that this program does not use";
}

static const char *why_no_shape(hid_t set, sb_h5_shape *shape)
{
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    hsize_t dims[H5S_MAX_RANK];
    *shape = (sb_h5_shape){.n = 1};
    bool known = map_number(type, &shape->type), simple = H5Sget_simple_extent_type(space) != H5S_NULL;
    shape->rank = simple ? H5Sget_simple_extent_ndims(space) : -1;
    bool fits = shape->rank >= 0 && shape->rank <= SB_H5_RANK_MAX;
    if (fits && shape->rank) fits = H5Sget_simple_extent_dims(space, dims, NULL) == shape->rank;
    for (int i = 0; fits && i < shape->rank; i++) {
        shape->dim[i] = dims[i];
        fits = dims[i] <= SB_SIZE_MAX && sb_size_multiply(shape->n, dims[i], &shape->n);
    }
    H5Sclose(space);
    H5Tclose(type);
    if (!known) return "holds something else than plain numbers";
    return fits ? NULL : "has a shape that this program does not read";
}

sb_status sb_h5_shape_of_set(const sb_h5 *file, const char *name, hid_t set, sb_h5_shape *shape)
{
    const char *why = why_no_shape(set, shape);
    return why ? refuse(file, name, why) : SB_OK;
}

static const char *why_not_whole(const sb_h5 *file, hid_t set, hid_t properties, sb_h5_shape *shape)
{
    const char *why = why_not_stored_here(properties);
    if (!why) why = why_no_shape(set, shape);
    if (why) return why;
    hid_t type = H5Dget_type(set);
    if (!is_all_there(file, set, properties, shape, H5Tget_size(type)))
        why = "claims to be larger than what the file holds of it";
    H5Tclose(type);
    return why;
}

static sb_status check_dataset(const sb_h5 *file, const char *name, hid_t set)
{
    sb_h5_shape shape;
    hid_t properties = H5Dget_create_plist(set);
    const char *why = properties < 0 ? "cannot be opened: damaged" : why_not_whole(file, set, properties, &shape);
    H5Pclose(properties);
    if (why) return refuse(file, name, why);
    sb_h5_read_some(set, &shape);
    return SB_OK;
}

/* ---- attributes ---- */

/* is_list: one of the lists of dimension scales, which is not read on. */
static const char *why_no_attribute(const sb_h5 *file, hid_t attribute, bool is_list)
{
    sb_type mapped;
    const char *why = NULL;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    hssize_t n = H5Sget_simple_extent_type(space) == H5S_NULL ? 0 : H5Sget_simple_extent_npoints(space);
    bool is_text = H5Tget_class(type) == H5T_STRING, grows = is_text && H5Tis_variable_str(type) != 0;
    if (!is_text && !is_list && !map_number(type, &mapped))
        why = "is neither a plain number nor a text";
    else if (grows && file->is_sealed)
        why = "is a text of variable length";
    else if (n < 1 || n > ATTRIBUTE_ELEMENTS_MOST || (is_text && (n != 1 || H5Tget_size(type) > TEXT_MOST)))
        why = "has a size that this program does not read";
    H5Sclose(space);
    H5Tclose(type);
    return why;
}

typedef struct object { /* whose attributes are looked at */
    const sb_h5 *file;
    const char *name;
    sb_status status;
} object;

static herr_t check_attribute(hid_t id, const char *name, const H5A_info_t *info, void *context)
{
    (void)info;
    object *o = context;
    char text[64];
    hid_t attribute = H5Aopen(id, name, H5P_DEFAULT);
    hid_t type = attribute < 0 ? H5I_INVALID_HID : H5Aget_type(attribute);
    const bool is_list = type >= 0 && sb_h5_is_scale_list(id, name, type);
    const char *why = type < 0 ? "cannot be opened: damaged" : why_no_attribute(o->file, attribute, is_list);
    if (!why && !is_list) (void)sb_h5_text_of_attribute(attribute, text, sizeof text);
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    if (why)
        o->status = sb_fail(SB_E_INTEGRITY, "%s: attribute %.200s of /%.200s %s", o->file->path, name, o->name, why);
    return o->status != SB_OK;
}

/* ---- the file ---- */

static sb_status check_object(const sb_h5 *file, const char *name)
{
    object o = {file, name, SB_OK};
    hid_t id = H5Oopen(file->id, *name ? name : "/", H5P_DEFAULT);
    if (id < 0) return refuse(file, name, "cannot be opened: damaged");
    H5I_type_t kind = H5Iget_type(id);
    if (kind == H5I_DATASET)
        o.status = check_dataset(file, name, id);
    else if (kind != H5I_GROUP)
        o.status = refuse(file, name, "is neither a data set nor a group");
    if (o.status == SB_OK && H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_INC, NULL, check_attribute, &o) < 0 &&
        o.status == SB_OK)
        o.status = refuse(file, name, "has attributes that cannot be listed: damaged");
    H5Oclose(id);
    return o.status;
}

static herr_t check_link(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    (void)group;
    object *o = context;
    if (info->type != H5L_TYPE_HARD)
        o->status = refuse(o->file, name, "is a link to another place, which this program does not follow");
    else if (strlen(name) >= SB_H5_NAME_MAX)
        o->status = refuse(o->file, name, "has too long a name");
    else
        o->status = check_object(o->file, name);
    return o->status != SB_OK;
}

sb_status sb_h5_check_file(const sb_h5 *file)
{
    SB_H5_TURN;
    object o = {file, "", SB_OK};
    SB_TRY(check_object(file, ""));
    herr_t result = H5Lvisit(file->id, H5_INDEX_NAME, H5_ITER_INC, check_link, &o);
    if (result < 0 && o.status == SB_OK) return sb_fail(SB_E_INTEGRITY, "%s: cannot be listed: damaged", file->path);
    return o.status;
}
