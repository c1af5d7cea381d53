/* HDF5 files as this package never writes them, by the library itself: a good file is made, and one thing in it is put
 * in another way. */
#pragma once

#include "support.h"

#include "core/file.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

typedef struct craft {
    hid_t file;
} craft;

static inline hid_t craft_links(void)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    return links;
}

static inline craft craft_begin(const char *path)
{
    hid_t properties = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(properties, 512);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG); /* with whatever is open in it */
#if H5_VERSION_GE(1, 14, 0)
    H5Pset_relax_file_integrity_checks(access, H5F_RFIC_ALL); /* types of an odd form, too */
#endif
    craft c = {H5Fcreate(path, H5F_ACC_TRUNC, properties, access)};
    H5Pclose(access);
    H5Pclose(properties);
    assert_true(c.file >= 0);
    return c;
}

static inline void craft_end(craft c)
{
    assert_true(H5Fclose(c.file) >= 0);
}

/* A data set of any type and creation properties; data NULL: nothing is written. Takes the place of one of that name.
 */
static inline void craft_set(craft c, const char *name, hid_t type, int rank, const hsize_t *dims, hid_t properties,
                             const void *data)
{
    H5E_BEGIN_TRY
    {
        H5Ldelete(c.file, name, H5P_DEFAULT);
    }
    H5E_END_TRY
    hid_t links = craft_links(), space = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
    hid_t set = H5Dcreate2(c.file, name, type, space, links, properties, H5P_DEFAULT);
    assert_true(set >= 0);
    if (data) assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

/* Plain numbers, all zero or, if `counting`, first, first + 1, ... as int64. */
static inline void craft_zeros(craft c, const char *name, hid_t type, int rank, const hsize_t *dims)
{
    hsize_t n = 1;
    for (int i = 0; i < rank; i++) n *= dims[i];
    void *zeros = calloc(n + 1, H5Tget_size(type));
    assert_non_null(zeros);
    craft_set(c, name, type, rank, dims, H5P_DEFAULT, zeros);
    free(zeros);
}

static inline void craft_counts(craft c, const char *name, hsize_t n, int64_t first)
{
    int64_t *count = calloc(n + 1, sizeof *count);
    assert_non_null(count);
    for (hsize_t i = 0; i < n; i++) count[i] = first + (int64_t)i;
    craft_set(c, name, H5T_STD_I64LE, 1, &n, H5P_DEFAULT, count);
    free(count);
}

/* An attribute of n elements (0: a single one, no list) of any type on "/" or a group, which is made. */
static inline void craft_attribute(craft c, const char *object, const char *name, hid_t type, hsize_t n,
                                   const void *value)
{
    hid_t links = craft_links(), id, space = n ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
    H5E_BEGIN_TRY
    {
        id = H5Oopen(c.file, object, H5P_DEFAULT);
        if (id < 0) id = H5Gcreate2(c.file, object, links, H5P_DEFAULT, H5P_DEFAULT);
        H5Adelete(id, name);
    }
    H5E_END_TRY
    hid_t attribute = H5Acreate2(id, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0);
    if (value) assert_true(H5Awrite(attribute, type, value) >= 0);
    H5Aclose(attribute);
    H5Oclose(id);
    H5Sclose(space);
    H5Pclose(links);
}

static inline hid_t craft_text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    return type;
}

static inline void craft_text(craft c, const char *object, const char *name, const char *value)
{
    hid_t type = craft_text_type(strlen(value) + 1);
    craft_attribute(c, object, name, type, 0, value);
    H5Tclose(type);
}

static inline void craft_int(craft c, const char *object, const char *name, int64_t value)
{
    craft_attribute(c, object, name, H5T_STD_I64LE, 0, &value);
}

static inline void craft_real(craft c, const char *object, const char *name, double value)
{
    craft_attribute(c, object, name, H5T_IEEE_F64LE, 0, &value);
}

/* Every number of 64 bits in the file that is `from` becomes `to`: what the library itself would not write. */
static inline void craft_patch(const char *path, uint64_t from, uint64_t to)
{
    char *content;
    size_t n_bytes, n_found = 0;
    assert_int_equal(sb_file_read(path, &content, &n_bytes), SB_OK);
    for (size_t i = 0; i + sizeof from <= n_bytes; i++)
        if (memcmp(content + i, &from, sizeof from) == 0) memcpy(content + i, &to, sizeof to), n_found++;
    assert_true(n_found > 0);
    assert_int_equal(sb_file_write(path, content, n_bytes), SB_OK);
    free(content);
}
