#define _POSIX_C_SOURCE 200809L
#include "io/h5.h"

#include "core/file.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sb_h5 {
    hid_t id;
    bool created;
    hid_t rows; /* data set whose rows were read last, 0 if none: open, so that its unpacked chunks stay in memory */
    char path[SB_PATH_MAX], rows_name[SB_PATH_MAX];
};

size_t sb_type_bytes(sb_type type)
{
    static const size_t bytes[] = {[SB_U8] = 1, [SB_I32] = 4, [SB_I64] = 8, [SB_F32] = 4, [SB_F64] = 8};
    return bytes[type];
}

static hid_t native_type(sb_type type)
{
    switch (type) {
    case SB_U8:
        return H5T_NATIVE_UINT8;
    case SB_I32:
        return H5T_NATIVE_INT32;
    case SB_I64:
        return H5T_NATIVE_INT64;
    case SB_F32:
        return H5T_NATIVE_FLOAT;
    case SB_F64:
        return H5T_NATIVE_DOUBLE;
    }
    return H5I_INVALID_HID;
}

/* Files hold little-endian numbers whatever machine wrote them. */
static hid_t stored_type(sb_type type)
{
    switch (type) {
    case SB_U8:
        return H5T_STD_U8LE;
    case SB_I32:
        return H5T_STD_I32LE;
    case SB_I64:
        return H5T_STD_I64LE;
    case SB_F32:
        return H5T_IEEE_F32LE;
    case SB_F64:
        return H5T_IEEE_F64LE;
    }
    return H5I_INVALID_HID;
}

/* ---- files ---- */

static sb_status new_handle(sb_h5 **file, const char *path, bool created)
{
    H5dont_atexit(); /* after a failed write the library's own last clean-up touches freed memory */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are our sentences, not the library's stack */
    if (strlen(path) + sizeof ".part" > SB_PATH_MAX) return sb_fail(SB_E_USAGE, "%.60s...: path too long", path);
    *file = calloc(1, sizeof **file);
    if (!*file) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    (*file)->created = created;
    strcpy((*file)->path, path);
    return SB_OK;
}

sb_status sb_h5_create(sb_h5 **file, const char *path)
{
    SB_TRY(new_handle(file, path, true));
    char part[SB_PATH_MAX];
    sb_file_part(path, part);
    hid_t access = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(access, false);
    errno = 0;
    (*file)->id = H5Fcreate(part, H5F_ACC_TRUNC, access, H5P_DEFAULT);
    int error = errno;
    H5Pclose(access);
    if ((*file)->id >= 0) return SB_OK;
    unlink(part); /* a full disk takes the name, but not the first bytes */
    free(*file);
    *file = NULL;
    return sb_fail(SB_E_IO, "%s: cannot be created: %s", part, error ? strerror(error) : "HDF5 refuses");
}

sb_status sb_h5_finish(sb_h5 *file, sb_status status)
{
    char part[SB_PATH_MAX], path[SB_PATH_MAX];
    strcpy(path, file->path);
    sb_file_part(path, part);
    errno = 0;
    bool closed = H5Fclose(file->id) >= 0;
    int error = errno;
    free(file);
    if (status == SB_OK && closed) return sb_file_commit(path);
    unlink(part);
    if (status != SB_OK) return status;
    return sb_fail(SB_E_IO, "%s: cannot be written: %s", path, error ? strerror(error) : "HDF5 could not close it");
}

sb_status sb_h5_open(sb_h5 **file, const char *path)
{
    SB_TRY(new_handle(file, path, false));
    sb_status status = SB_OK;
    if (access(path, R_OK) != 0)
        status = sb_fail(SB_E_USAGE, "%s: %s", path, strerror(errno));
    else if (H5Fis_hdf5(path) <= 0)
        status = sb_fail(SB_E_INTEGRITY, "%s: not an HDF5 file", path);
    else if (((*file)->id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)) < 0)
        status = sb_fail(SB_E_INTEGRITY, "%s: damaged or truncated HDF5 file", path);
    if (status == SB_OK) return SB_OK;
    free(*file);
    *file = NULL;
    return status;
}

void sb_h5_close(sb_h5 *file)
{
    if (!file) return;
    if (file->rows) H5Dclose(file->rows);
    H5Fclose(file->id);
    free(file);
}

const char *sb_h5_path(const sb_h5 *file)
{
    return file->path;
}

/* ---- data sets ---- */

/* Creation properties of links: missing groups are made, without times. */
static hid_t link_properties(void)
{
    hid_t properties = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(properties, 1);
    return properties;
}

static sb_status fail_write(sb_h5 *file, const char *name)
{
    return sb_fail(SB_E_IO, "%s: cannot write /%s: %s", file->path, name, errno ? strerror(errno) : "HDF5 refuses");
}

static void pack(hid_t properties, int rank, const hsize_t *chunk)
{
    H5Pset_chunk(properties, rank, chunk);
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, 4);
    H5Pset_fletcher32(properties);
}

sb_status sb_h5_write(sb_h5 *file, const char *name, sb_type type, int rank, const size_t *dim, const void *data,
                      sb_h5_storage storage)
{
    hsize_t dims[SB_H5_RANK_MAX], n = 1;
    for (int i = 0; i < rank; i++) n *= dims[i] = dim[i];
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE), links = link_properties();
    H5Pset_obj_track_times(properties, false);
    if (storage == SB_H5_PACKED && n > 0) {
        hsize_t chunk[SB_H5_RANK_MAX];
        memcpy(chunk, dims, sizeof chunk);
        while (n * sb_type_bytes(type) > (1u << 20) && chunk[0] > 1) { /* about a MiB a chunk */
            n = n / chunk[0] * ((chunk[0] + 1) / 2);
            chunk[0] = (chunk[0] + 1) / 2;
        }
        pack(properties, rank, chunk);
    }
    hid_t space = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
    errno = 0;
    hid_t set = H5Dcreate2(file->id, name, stored_type(type), space, links, properties, H5P_DEFAULT);
    bool written = set >= 0 && H5Dwrite(set, native_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (set >= 0) written = H5Dclose(set) >= 0 && written;
    H5Sclose(space);
    H5Pclose(links);
    H5Pclose(properties);
    return written ? SB_OK : fail_write(file, name);
}

sb_status sb_h5_create_rows(sb_h5 *file, const char *name, sb_type type, int rank, const size_t *dim)
{
    hsize_t dims[SB_H5_RANK_MAX], most[SB_H5_RANK_MAX], chunk[SB_H5_RANK_MAX];
    for (int i = 0; i < rank; i++) dims[i] = most[i] = chunk[i] = dim[i];
    dims[0] = 0;
    most[0] = H5S_UNLIMITED;
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE), links = link_properties();
    H5Pset_obj_track_times(properties, false);
    pack(properties, rank, chunk);
    hid_t space = H5Screate_simple(rank, dims, most);
    errno = 0;
    hid_t set = H5Dcreate2(file->id, name, stored_type(type), space, links, properties, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(links);
    H5Pclose(properties);
    if (set < 0) return fail_write(file, name);
    H5Dclose(set);
    return SB_OK;
}

/* The space of a data set with rows first .. first+n_rows-1 selected, and the space of the memory beside it. */
static bool select_rows(hid_t set, size_t first, size_t n_rows, hid_t *space, hid_t *memory)
{
    hsize_t dims[SB_H5_RANK_MAX], start[SB_H5_RANK_MAX] = {first};
    *space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_dims(*space, dims, NULL);
    bool inside = rank > 0 && first + n_rows <= dims[0];
    dims[0] = n_rows;
    *memory = H5Screate_simple(rank > 0 ? rank : 1, dims, NULL);
    return inside && H5Sselect_hyperslab(*space, H5S_SELECT_SET, start, NULL, dims, NULL) >= 0;
}

sb_status sb_h5_append_rows(sb_h5 *file, const char *name, sb_type type, size_t n_rows, const void *data)
{
    errno = 0;
    hid_t set = H5Dopen2(file->id, name, H5P_DEFAULT);
    if (set < 0) return fail_write(file, name);
    hsize_t dims[SB_H5_RANK_MAX];
    hid_t space = H5Dget_space(set), memory;
    H5Sget_simple_extent_dims(space, dims, NULL);
    H5Sclose(space);
    size_t first = dims[0];
    dims[0] += n_rows;
    bool written = H5Dset_extent(set, dims) >= 0;
    written = select_rows(set, first, n_rows, &space, &memory) && written;
    written = written && H5Dwrite(set, native_type(type), memory, space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    written = H5Dclose(set) >= 0 && written; /* chunks are written only now: a full disk shows here */
    return written ? SB_OK : fail_write(file, name);
}

static bool exists(hid_t id, const char *name)
{
    /* H5Lexists wants every group on the way to exist. */
    char prefix[SB_PATH_MAX];
    if (!*name) return true;
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(prefix, sizeof prefix, "%.*s", (int)(slash - name), name);
        if (H5Lexists(id, prefix, H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(id, name, H5P_DEFAULT) > 0;
}

bool sb_h5_exists(sb_h5 *file, const char *name)
{
    return exists(file->id, name);
}

/* An open data set, or an invalid id and a sentence. */
static sb_status open_dataset(sb_h5 *file, const char *name, hid_t *set)
{
    *set = exists(file->id, name) ? H5Dopen2(file->id, name, H5P_DEFAULT) : H5I_INVALID_HID;
    return *set >= 0 ? SB_OK : sb_fail(SB_E_INTEGRITY, "%s: no data set /%s in it", file->path, name);
}

sb_status sb_h5_shape_of(sb_h5 *file, const char *name, sb_h5_shape *shape)
{
    hid_t set;
    SB_TRY(open_dataset(file, name, &set));
    *shape = (sb_h5_shape){.n = 1};
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    hsize_t dims[H5S_MAX_RANK];
    shape->rank = H5Sget_simple_extent_dims(space, dims, NULL);
    for (int i = 0; i < shape->rank && i < SB_H5_RANK_MAX; i++) shape->n *= shape->dim[i] = dims[i];
    size_t bytes = H5Tget_size(type);
    H5T_class_t class = H5Tget_class(type);
    if (class == H5T_FLOAT)
        shape->type = bytes > 4 ? SB_F64 : SB_F32;
    else
        shape->type = bytes == 1 ? SB_U8 : bytes <= 4 ? SB_I32 : SB_I64;
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    if (shape->rank > SB_H5_RANK_MAX || (class != H5T_FLOAT && class != H5T_INTEGER))
        return sb_fail(SB_E_INTEGRITY, "%s: /%s has a form that is not understood", file->path, name);
    return SB_OK;
}

sb_status sb_h5_read(sb_h5 *file, const char *name, sb_type type, size_t n, void *data)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, name, &shape));
    if (shape.n != n)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s has %zu elements, %zu expected", file->path, name, shape.n, n);
    hid_t set;
    SB_TRY(open_dataset(file, name, &set));
    bool read = H5Dread(set, native_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    H5Dclose(set);
    return read ? SB_OK : sb_fail(SB_E_INTEGRITY, "%s: /%s cannot be read: damaged", file->path, name);
}

/* Row after row of one data set would unpack its chunk anew each time if it were closed in between. A file being
 * written keeps nothing open: what was appended has to reach the disk when the appending ends. */
static sb_status open_rows(sb_h5 *file, const char *name, hid_t *set)
{
    if (file->rows && strcmp(file->rows_name, name) == 0) {
        *set = file->rows;
        return SB_OK;
    }
    SB_TRY(open_dataset(file, name, set));
    if (file->created || strlen(name) >= sizeof file->rows_name) return SB_OK;
    if (file->rows) H5Dclose(file->rows);
    file->rows = *set;
    strcpy(file->rows_name, name);
    return SB_OK;
}

sb_status sb_h5_read_rows(sb_h5 *file, const char *name, sb_type type, size_t first, size_t n_rows, void *data)
{
    hid_t set, space, memory;
    SB_TRY(open_rows(file, name, &set));
    bool inside = select_rows(set, first, n_rows, &space, &memory);
    bool read = inside && H5Dread(set, native_type(type), memory, space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    if (set != file->rows) H5Dclose(set);
    if (read) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: rows %zu to %zu of /%s cannot be read: %s", file->path, first,
                   first + n_rows - 1, name, inside ? "damaged" : "it has fewer");
}

/* ---- attributes ---- */

static hid_t open_object(sb_h5 *file, const char *object, bool make)
{
    if (!*object) return H5Oopen(file->id, "/", H5P_DEFAULT);
    if (exists(file->id, object)) return H5Oopen(file->id, object, H5P_DEFAULT);
    if (!make) return H5I_INVALID_HID;
    hid_t links = link_properties();
    hid_t id = H5Gcreate2(file->id, object, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(links);
    return id;
}

static sb_status set_attribute(sb_h5 *file, const char *object, const char *name, hid_t stored, hid_t memory,
                               const void *value)
{
    errno = 0;
    hid_t id = open_object(file, object, true);
    if (id < 0) return fail_write(file, object);
    if (H5Aexists(id, name) > 0) H5Adelete(id, name);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(id, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    H5Oclose(id);
    return written ? SB_OK : sb_fail(SB_E_IO, "%s: cannot write attribute %s of /%s", file->path, name, object);
}

sb_status sb_h5_set_text(sb_h5 *file, const char *object, const char *name, const char *value)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(value) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    sb_status status = set_attribute(file, object, name, type, type, value);
    H5Tclose(type);
    return status;
}

sb_status sb_h5_set_int(sb_h5 *file, const char *object, const char *name, int64_t value)
{
    return set_attribute(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

sb_status sb_h5_set_real(sb_h5 *file, const char *object, const char *name, double value)
{
    return set_attribute(file, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

bool sb_h5_has(sb_h5 *file, const char *object, const char *name)
{
    hid_t id = open_object(file, object, false);
    if (id < 0) return false;
    bool there = H5Aexists(id, name) > 0;
    H5Oclose(id);
    return there;
}

/* An open attribute and its class, or a sentence. */
static sb_status open_attribute(sb_h5 *file, const char *object, const char *name, hid_t *attribute, H5T_class_t *class)
{
    hid_t id = open_object(file, object, false);
    *attribute = id >= 0 && H5Aexists(id, name) > 0 ? H5Aopen(id, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (id >= 0) H5Oclose(id);
    if (*attribute < 0) return sb_fail(SB_E_INTEGRITY, "%s: /%s has no attribute %s", file->path, object, name);
    hid_t type = H5Aget_type(*attribute);
    *class = H5Tget_class(type);
    H5Tclose(type);
    return SB_OK;
}

static sb_status fail_kind(sb_h5 *file, const char *object, const char *name, const char *kind)
{
    return sb_fail(SB_E_INTEGRITY, "%s: attribute %s of /%s is not %s", file->path, name, object, kind);
}

/* Text of fixed or variable length into value, cut to size. */
static bool read_text(hid_t attribute, char *value, size_t size)
{
    hid_t type = H5Aget_type(attribute);
    bool read;
    if (H5Tis_variable_str(type) > 0) {
        char *text = NULL;
        hid_t memory = H5Tcopy(H5T_C_S1);
        H5Tset_size(memory, H5T_VARIABLE);
        H5Tset_cset(memory, H5Tget_cset(type));
        read = H5Aread(attribute, memory, &text) >= 0 && text;
        if (read) snprintf(value, size, "%s", text);
        if (text) H5free_memory(text);
        H5Tclose(memory);
    } else {
        size_t length = H5Tget_size(type);
        char *text = calloc(1, length + 1);
        read = text && H5Aread(attribute, type, text) >= 0;
        if (read) snprintf(value, size, "%s", text);
        free(text);
    }
    H5Tclose(type);
    return read;
}

sb_status sb_h5_get_text(sb_h5 *file, const char *object, const char *name, char *value, size_t size)
{
    hid_t attribute;
    H5T_class_t class = H5T_NO_CLASS;
    SB_TRY(open_attribute(file, object, name, &attribute, &class));
    bool read = class == H5T_STRING && read_text(attribute, value, size);
    H5Aclose(attribute);
    return read ? SB_OK : fail_kind(file, object, name, "a text");
}

static sb_status get_number(sb_h5 *file, const char *object, const char *name, H5T_class_t wanted, hid_t memory,
                            void *value)
{
    hid_t attribute;
    H5T_class_t class = H5T_NO_CLASS;
    SB_TRY(open_attribute(file, object, name, &attribute, &class));
    hid_t space = H5Aget_space(attribute);
    bool read = (class == wanted || class == H5T_INTEGER) && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attribute, memory, value) >= 0;
    H5Sclose(space);
    H5Aclose(attribute);
    return read ? SB_OK : fail_kind(file, object, name, wanted == H5T_INTEGER ? "a whole number" : "a number");
}

sb_status sb_h5_get_int(sb_h5 *file, const char *object, const char *name, int64_t *value)
{
    return get_number(file, object, name, H5T_INTEGER, H5T_NATIVE_INT64, value);
}

sb_status sb_h5_get_real(sb_h5 *file, const char *object, const char *name, double *value)
{
    return get_number(file, object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, value);
}

/* Small integer arrays (a golden file's channel list) become "3,2,3,4". */
static bool read_integers(hid_t attribute, char *value, size_t size)
{
    int64_t number[32];
    hid_t space = H5Aget_space(attribute);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    if (n < 1 || n > 32 || H5Aread(attribute, H5T_NATIVE_INT64, number) < 0) return false;
    size_t used = 0;
    for (hssize_t i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(value + used, size - used, "%s%lld", i ? "," : "", (long long)number[i]);
    return true;
}

sb_status sb_h5_attribute_text(sb_h5 *file, const char *object, const char *name, char *value, size_t size)
{
    hid_t attribute;
    H5T_class_t class = H5T_NO_CLASS;
    SB_TRY(open_attribute(file, object, name, &attribute, &class));
    bool read = false;
    double real;
    if (class == H5T_STRING)
        read = read_text(attribute, value, size);
    else if (class == H5T_INTEGER)
        read = read_integers(attribute, value, size);
    else if (class == H5T_FLOAT && (read = H5Aread(attribute, H5T_NATIVE_DOUBLE, &real) >= 0))
        snprintf(value, size, "%.17g", real);
    H5Aclose(attribute);
    return read ? SB_OK : fail_kind(file, object, name, "understood");
}

/* ---- walking ---- */

typedef struct walk {
    sb_h5_visit *visit;
    void *context;
    sb_status status;
} walk;

static herr_t on_link(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    (void)group, (void)info;
    walk *w = context;
    w->status = w->visit(w->context, name);
    return w->status != SB_OK;
}

static herr_t on_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context)
{
    return on_link(object, name, (void *)info, context);
}

static herr_t on_object(hid_t group, const char *name, const H5O_info_t *info, void *context)
{
    return info->type == H5O_TYPE_DATASET ? on_link(group, name, NULL, context) : 0;
}

typedef enum walk_kind { WALK_MEMBERS, WALK_ATTRIBUTES, WALK_DATASETS } walk_kind;

static sb_status walk_object(sb_h5 *file, const char *object, walk_kind kind, sb_h5_visit *visit, void *context)
{
    walk w = {visit, context, SB_OK};
    hid_t id = open_object(file, object, false);
    if (id < 0) return SB_OK;
    herr_t result = 0;
    switch (kind) {
    case WALK_MEMBERS:
        result = H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, NULL, on_link, &w);
        break;
    case WALK_ATTRIBUTES:
        result = H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_INC, NULL, on_attribute, &w);
        break;
    case WALK_DATASETS:
        result = H5Ovisit2(id, H5_INDEX_NAME, H5_ITER_INC, on_object, &w, H5O_INFO_BASIC);
        break;
    }
    H5Oclose(id);
    if (result < 0 && w.status == SB_OK)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s cannot be listed: damaged", file->path, object);
    return w.status;
}

sb_status sb_h5_each_member(sb_h5 *file, const char *group, sb_h5_visit *visit, void *context)
{
    return walk_object(file, group, WALK_MEMBERS, visit, context);
}

sb_status sb_h5_each_attribute(sb_h5 *file, const char *object, sb_h5_visit *visit, void *context)
{
    return walk_object(file, object, WALK_ATTRIBUTES, visit, context);
}

sb_status sb_h5_each_dataset(sb_h5 *file, const char *group, sb_h5_visit *visit, void *context)
{
    return walk_object(file, group, WALK_DATASETS, visit, context);
}

void sb_h5_library_version(char *text, size_t size)
{
    unsigned major, minor, release;
    H5get_libversion(&major, &minor, &release);
    snprintf(text, size, "%u.%u.%u", major, minor, release);
}
