#include "edit.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

typedef struct script {
    const uint8_t *at, *end;
} script;

static uint8_t next(script *s)
{
    return s->at < s->end ? *s->at++ : 0;
}

/* Sizes that mean something to one format or another, and those that overflow. */
static hsize_t next_size(script *s)
{
    static const hsize_t sizes[] = {
        0,  1,  2,  3,  4,    5,    6,    8,     12,       13,       15,         16,         17,         32,
        49, 50, 51, 64, 1023, 1024, 1025, 65536, 1u << 20, 1u << 31, 1ull << 32, 1ull << 40, 1ull << 61, 1ull << 62};
    uint8_t byte = next(s);
    return byte < 64 ? byte : sizes[byte % (sizeof sizes / sizeof *sizes)];
}

static int64_t next_number(script *s)
{
    uint8_t byte = next(s);
    if (byte < 128) return byte;
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) number = number << 8 | next(s);
    return (int64_t)number;
}

/* An id from the library that the caller closes with H5Tclose. */
static hid_t next_type(script *s)
{
    hid_t type;
    switch (next(s) % 20) {
    case 0:
    case 1:
        return H5Tcopy(H5T_STD_U8LE);
    case 2:
    case 3:
        return H5Tcopy(H5T_STD_I64LE);
    case 4:
    case 5:
        return H5Tcopy(H5T_IEEE_F64LE);
    case 6:
        return H5Tcopy(H5T_IEEE_F32LE);
    case 7:
        return H5Tcopy(H5T_STD_I32LE);
    case 8:
        return H5Tcopy(H5T_STD_U64LE);
    case 9:
        return H5Tcopy(H5T_STD_I16BE);
    case 10:
    case 11:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, (size_t)next(s) + 1);
        if (next(s) % 2) H5Tset_strpad(type, H5T_STR_SPACEPAD);
        return type;
    case 12:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    case 13:
        type = H5Tcreate(H5T_COMPOUND, 16);
        H5Tinsert(type, "a", 0, H5T_STD_I64LE);
        return type;
    case 14:
        return H5Tenum_create(H5T_STD_U8LE);
    case 15:
        return H5Tarray_create2(H5T_STD_U8LE, 1, &(hsize_t){(hsize_t)next(s) + 1});
    case 16:
        return H5Tvlen_create(H5T_STD_U8LE);
    case 17:
        return H5Tcreate(H5T_OPAQUE, (size_t)next(s) + 1);
    case 18:
        type = H5Tcopy(H5T_STD_U32LE);
        H5Tset_precision(type, (size_t)(next(s) % 32) + 1);
        return type;
    default:
        return H5Tcopy(H5T_STD_REF_OBJ);
    }
}

static hid_t new_links(void)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    return links;
}

/* Numbers that count up from one with a step, in the memory of a type of plain numbers. */
static void fill(script *s, void *values, hid_t type, size_t n)
{
    int64_t first = next_number(s);
    uint8_t step = next(s);
    int64_t *number = values;
    for (size_t i = 0; i < n; i++) number[i] = first + (int64_t)((uint64_t)i * step);
    H5Tconvert(H5T_NATIVE_INT64, type, n, values, NULL, H5P_DEFAULT);
}

enum { WRITTEN_MOST = 1 << 16 };

static void write_set(script *s, hid_t set, hid_t type, hsize_t n)
{
    H5T_class_t class = H5Tget_class(type);
    if (n > WRITTEN_MOST || (class != H5T_INTEGER && class != H5T_FLOAT)) return;
    void *values = calloc((size_t)n + 1, 16);
    if (!values) return;
    fill(s, values, type, (size_t)n);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    free(values);
}

static void put_set(script *s, hid_t file, const char *name)
{
    hsize_t dims[8], n = 1;
    int rank = next(s) % 7;
    uint8_t storage = next(s);
    for (int i = 0; i < rank; i++) n *= dims[i] = next_size(s);
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE), links = new_links(), type = next_type(s);
    hid_t space = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(storage % 16 == 9 ? H5S_NULL : H5S_SCALAR);
    if (rank && storage % 4 == 1) {
        for (int i = 0; i < rank; i++) dims[i] = dims[i] && dims[i] < 64 ? dims[i] : 16;
        H5Pset_chunk(properties, rank, dims);
        if (storage & 16) H5Pset_shuffle(properties);
        if (storage & 32) H5Pset_deflate(properties, 1);
        if (storage & 64) H5Pset_fletcher32(properties);
        if (storage % 8 == 5 && storage & 128) H5Pset_nbit(properties);
    }
    if (storage == 2) H5Pset_external(properties, "/etc/passwd", 0, 100);
    if (storage == 6) H5Pset_layout(properties, H5D_COMPACT);
    H5Ldelete(file, name, H5P_DEFAULT);
    hid_t set = H5Dcreate2(file, name, type, space, links, properties, H5P_DEFAULT);
    /* The library itself reads past its memory where it packs bits. */
    if (set >= 0 && storage % 8 != 7 && !(storage % 8 == 5 && storage & 128)) write_set(s, set, type, n);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(links);
    H5Pclose(properties);
}

static void put_attribute(script *s, hid_t file, const char *object, const char *name)
{
    hid_t links = new_links(), type = next_type(s);
    hsize_t n = next_size(s);
    n = n > 6000 ? 6000 : n;
    hid_t space = n ? H5Screate_simple(1, &n, NULL) : H5Screate(next(s) % 8 == 7 ? H5S_NULL : H5S_SCALAR);
    hid_t id = H5Oopen(file, *object ? object : "/", H5P_DEFAULT);
    if (id < 0) id = H5Gcreate2(file, object, links, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Aexists(id, name) > 0) H5Adelete(id, name);
    hid_t attribute = H5Acreate2(id, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5T_class_t class = H5Tget_class(type);
    bool grows = H5Tis_variable_str(type) > 0;
    void *values = calloc((size_t)n + 1, 512);
    if (values && (class == H5T_INTEGER || class == H5T_FLOAT)) fill(s, values, type, (size_t)n + 1);
    if (values && class == H5T_STRING && !grows)
        for (size_t i = 0; i < H5Tget_size(type); i++) ((uint8_t *)values)[i] = next(s);
    if (values && attribute >= 0 && class != H5T_VLEN && !grows) H5Awrite(attribute, type, values);
    free(values);
    if (attribute >= 0) H5Aclose(attribute);
    if (id >= 0) H5Oclose(id);
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(links);
}

static void put_link(script *s, hid_t file, const char *name, const char *other)
{
    hid_t links = new_links();
    H5Ldelete(file, name, H5P_DEFAULT);
    switch (next(s) % 4) {
    case 0:
        break;
    case 1:
        H5Lcreate_soft(other, file, name, links, H5P_DEFAULT);
        break;
    case 2:
        H5Lcreate_hard(file, other, file, name, links, H5P_DEFAULT);
        break;
    default:
        H5Lcreate_external("/etc/passwd", other, file, name, links, H5P_DEFAULT);
        break;
    }
    H5Pclose(links);
}

static void edit(script *s, hid_t file, const char *const *names, size_t n_names)
{
    char object[128];
    const char *name = names[next(s) % n_names], *at = strchr(name, '@');
    uint8_t what = next(s);
    if (what % 16 == 15) {
        put_link(s, file, at ? "more" : name, names[next(s) % n_names]);
    } else if (at) {
        size_t length = (size_t)(at - name) < sizeof object ? (size_t)(at - name) : sizeof object - 1;
        memcpy(object, name, length);
        object[length] = 0;
        put_attribute(s, file, object, at + 1);
    } else {
        put_set(s, file, name);
    }
}

void sb_edit_file(const char *path, const char *const *names, size_t n_names, const uint8_t *bytes, size_t n)
{
    script s = {bytes, bytes + n};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
    H5Pclose(access);
    if (file < 0) abort();
    for (int i = 0; i < 8 && s.at < s.end; i++) edit(&s, file, names, n_names);
    H5Fclose(file);
}
