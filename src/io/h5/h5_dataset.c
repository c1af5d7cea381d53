#include "io/h5/h5_parts.h"

#include "core/size.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t sb_type_bytes(sb_type type)
{
    static const size_t bytes[] = {[SB_U8] = 1, [SB_I32] = 4, [SB_I64] = 8, [SB_F32] = 4, [SB_F64] = 8};
    return bytes[type];
}

static hid_t native_type(sb_type type)
{
    const hid_t types[] = {[SB_U8] = H5T_NATIVE_UINT8,
                           [SB_I32] = H5T_NATIVE_INT32,
                           [SB_I64] = H5T_NATIVE_INT64,
                           [SB_F32] = H5T_NATIVE_FLOAT,
                           [SB_F64] = H5T_NATIVE_DOUBLE};
    return types[type];
}

/* Files hold little-endian numbers whatever machine wrote them. */
static hid_t stored_type(sb_type type)
{
    const hid_t types[] = {[SB_U8] = H5T_STD_U8LE,
                           [SB_I32] = H5T_STD_I32LE,
                           [SB_I64] = H5T_STD_I64LE,
                           [SB_F32] = H5T_IEEE_F32LE,
                           [SB_F64] = H5T_IEEE_F64LE};
    return types[type];
}

/* Creation properties of links: missing groups are made, without times. */
static hid_t link_properties(void)
{
    hid_t properties = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(properties, 1);
    return properties;
}

sb_status sb_h5_fail_write(const sb_h5 *file, const char *name)
{
    const int error = sb_h5_error();
    return sb_fail(SB_E_IO, "%s: cannot write /%s: %s", file->path, name, error ? strerror(error) : "HDF5 refuses");
}

static bool pack(hid_t properties, int rank, const hsize_t *chunk)
{
    return H5Pset_chunk(properties, rank, chunk) >= 0 && H5Pset_shuffle(properties) >= 0 &&
           H5Pset_deflate(properties, 4) >= 0 && H5Pset_fletcher32(properties) >= 0;
}

/* An open data set that is new; most: NULL where it does not grow; chunk: NULL where it is not packed. Invalid: HDF5
 * refuses. */
static hid_t create(const sb_h5 *file, const char *name, sb_type type, int rank, const hsize_t *dims,
                    const hsize_t *most, const hsize_t *chunk)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE), links = link_properties(), set = H5I_INVALID_HID;
    hid_t space = rank ? H5Screate_simple(rank, dims, most) : H5Screate(H5S_SCALAR);
    errno = 0;
    if (H5Pset_obj_track_times(properties, false) >= 0 && (!chunk || pack(properties, rank, chunk)))
        set = H5Dcreate2(file->id, name, stored_type(type), space, links, properties, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(links);
    H5Pclose(properties);
    return set;
}

sb_status sb_h5_write(sb_h5 *file, const char *name, sb_type type, int rank, const size_t *dim, const void *data,
                      sb_h5_storage storage)
{
    SB_H5_TURN;
    SB_TRY(sb_h5_room(file->path));
    hsize_t dims[SB_H5_RANK_MAX], chunk[SB_H5_RANK_MAX], n = 1;
    for (int i = 0; i < rank; i++) n *= dims[i] = chunk[i] = dim[i];
    const bool packed = storage == SB_H5_PACKED && n > 0;
    while (packed && n * sb_type_bytes(type) > (1u << 20) && chunk[0] > 1) { /* about a MiB a chunk */
        n = n / chunk[0] * ((chunk[0] + 1) / 2);
        chunk[0] = (chunk[0] + 1) / 2;
    }
    hid_t set = create(file, name, type, rank, dims, NULL, packed ? chunk : NULL);
    bool written = set >= 0 && H5Dwrite(set, native_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (set >= 0) written = H5Dclose(set) >= 0 && written;
    return written ? SB_OK : sb_h5_fail_write(file, name);
}

sb_status sb_h5_create_rows(sb_h5 *file, const char *name, sb_type type, int rank, const size_t *dim)
{
    SB_H5_TURN;
    SB_TRY(sb_h5_room(file->path));
    hsize_t dims[SB_H5_RANK_MAX], most[SB_H5_RANK_MAX], chunk[SB_H5_RANK_MAX];
    for (int i = 0; i < rank; i++) dims[i] = most[i] = chunk[i] = dim[i];
    dims[0] = 0;
    most[0] = H5S_UNLIMITED;
    hid_t set = create(file, name, type, rank, dims, most, chunk);
    return set >= 0 && H5Dclose(set) >= 0 ? SB_OK : sb_h5_fail_write(file, name);
}

/* The space of a data set with rows first .. first+n_rows-1 selected, and the matching space of the memory. *row: the
 * number of elements in a row. */
static bool select_rows(hid_t set, size_t first, size_t n_rows, hid_t *space, hid_t *memory, size_t *row)
{
    hsize_t dims[H5S_MAX_RANK] = {0}, start[H5S_MAX_RANK] = {first};
    *space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_dims(*space, dims, NULL);
    bool inside = rank > 0 && first <= dims[0] && n_rows <= dims[0] - first;
    *row = 1;
    for (int i = 1; i < rank; i++) inside = sb_size_multiply(*row, dims[i], row) && inside;
    dims[0] = n_rows;
    *memory = H5Screate_simple(rank > 0 ? rank : 1, dims, NULL);
    return inside && H5Sselect_hyperslab(*space, H5S_SELECT_SET, start, NULL, dims, NULL) >= 0;
}

sb_status sb_h5_append_rows(sb_h5 *file, const char *name, sb_type type, size_t n_rows, const void *data)
{
    SB_H5_TURN;
    SB_TRY(sb_h5_room(file->path));
    errno = 0;
    hid_t set = H5Dopen2(file->id, name, H5P_DEFAULT);
    if (set < 0) return sb_h5_fail_write(file, name);
    hsize_t dims[SB_H5_RANK_MAX];
    size_t row;
    hid_t space = H5Dget_space(set), memory;
    H5Sget_simple_extent_dims(space, dims, NULL);
    H5Sclose(space);
    size_t first = dims[0];
    dims[0] += n_rows;
    bool written = H5Dset_extent(set, dims) >= 0;
    written = select_rows(set, first, n_rows, &space, &memory, &row) && written;
    written = written && H5Dwrite(set, native_type(type), memory, space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    written = H5Dclose(set) >= 0 && written; /* chunks are written only now: a full disk shows here */
    return written ? SB_OK : sb_h5_fail_write(file, name);
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
    SB_H5_TURN;
    return exists(file->id, name);
}

hid_t sb_h5_open_object(sb_h5 *file, const char *object, bool make)
{
    if (!*object) return H5Oopen(file->id, "/", H5P_DEFAULT);
    if (exists(file->id, object)) return H5Oopen(file->id, object, H5P_DEFAULT);
    if (!make) return H5I_INVALID_HID;
    hid_t links = link_properties();
    hid_t id = H5Gcreate2(file->id, object, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(links);
    return id;
}

/* An open data set, or an invalid id and a sentence. */
static sb_status open_dataset(sb_h5 *file, const char *name, hid_t *set)
{
    *set = exists(file->id, name) ? H5Dopen2(file->id, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (*set >= 0) return SB_OK;
    return sb_h5_judge(file->path, sb_fail(SB_E_INTEGRITY, "%s: no data set /%s in it", file->path, name));
}

sb_status sb_h5_shape_of(sb_h5 *file, const char *name, sb_h5_shape *shape)
{
    SB_H5_TURN;
    SB_TRY(sb_h5_room(file->path));
    hid_t set;
    SB_TRY(open_dataset(file, name, &set));
    sb_status status = sb_h5_shape_of_set(file, name, set, shape);
    H5Dclose(set);
    return status;
}

sb_status sb_h5_read(sb_h5 *file, const char *name, sb_type type, size_t n, void *data)
{
    SB_H5_TURN;
    SB_TRY(sb_h5_room(file->path));
    hid_t set;
    sb_h5_shape shape;
    SB_TRY(open_dataset(file, name, &set));
    sb_status status = sb_h5_shape_of_set(file, name, set, &shape);
    if (status == SB_OK && shape.n != n)
        status = sb_fail(SB_E_INTEGRITY, "%s: /%s has %zu elements, %zu expected", file->path, name, shape.n, n);
    if (status == SB_OK && H5Dread(set, native_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        status = sb_fail(SB_E_INTEGRITY, "%s: /%s cannot be read: damaged", file->path, name);
    H5Dclose(set);
    return sb_h5_judge(file->path, status);
}

sb_status sb_h5_fail_memory(const sb_h5 *file)
{
    return sb_fail(SB_E_MEMORY, "%s: not enough memory", file->path);
}

sb_status sb_h5_read_new(sb_h5 *file, const char *name, sb_type type, size_t n, void *data)
{
    void *block = sb_size_allocate(n, sb_type_bytes(type));
    sb_status status = block ? sb_h5_read(file, name, type, n, block) : sb_h5_fail_memory(file);
    if (status != SB_OK) {
        free(block);
        block = NULL;
    }
    memcpy(data, &block, sizeof block);
    return status;
}

void sb_h5_read_some(hid_t set, const sb_h5_shape *shape)
{
    enum { BYTES_MOST = 1 << 26 };
    size_t n_rows = shape->rank ? shape->dim[0] : 1, row, n_read;
    if (shape->n == 0) return;
    size_t row_bytes = shape->n / n_rows * sb_type_bytes(shape->type);
    n_read = row_bytes > BYTES_MOST ? 0 : n_rows <= BYTES_MOST / row_bytes ? n_rows : BYTES_MOST / row_bytes;
    SB_FREED void *data = sb_size_allocate(n_read, row_bytes);
    hid_t space, memory;
    if (data && n_read == n_rows) {
        (void)H5Dread(set, native_type(shape->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    } else if (data && n_read) {
        if (select_rows(set, 0, n_read, &space, &memory, &row))
            (void)H5Dread(set, native_type(shape->type), memory, space, H5P_DEFAULT, data);
        H5Sclose(memory);
        H5Sclose(space);
    }
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

sb_status sb_h5_read_rows(sb_h5 *file, const char *name, sb_type type, size_t first, size_t n_rows, size_t row,
                          void *data)
{
    SB_H5_TURN;
    SB_TRY(sb_h5_room(file->path));
    hid_t set, space, memory;
    size_t row_there;
    SB_TRY(open_rows(file, name, &set));
    bool inside = select_rows(set, first, n_rows, &space, &memory, &row_there), fits = row == row_there;
    bool read = inside && fits && H5Dread(set, native_type(type), memory, space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    if (set != file->rows) H5Dclose(set);
    if (read) return SB_OK;
    if (inside && !fits)
        return sb_fail(SB_E_INTEGRITY, "%s: a row of /%s has %zu elements, %zu expected", file->path, name, row_there,
                       row);
    return sb_h5_judge(file->path, sb_fail(SB_E_INTEGRITY, "%s: rows %zu to %zu of /%s cannot be read: %s", file->path,
                                           first, first + n_rows - 1, name, inside ? "damaged" : "it has fewer"));
}
