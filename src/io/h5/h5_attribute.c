#include "io/h5/h5_attribute.h"

#include "core/size.h"
#include "io/h5/h5_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* n: elements of a list; 0: a scalar. */
static sb_status set_attribute(sb_h5 *file, const char *object, const char *name, hid_t stored, hid_t memory, size_t n,
                               const void *value)
{
    errno = 0;
    hid_t id = sb_h5_open_object(file, object, true);
    if (id < 0) return sb_h5_fail_write(file, object);
    if (H5Aexists(id, name) > 0) H5Adelete(id, name);
    hid_t space = n ? H5Screate_simple(1, (hsize_t[]){n}, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(id, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
    if (attribute >= 0) written = H5Aclose(attribute) >= 0 && written;
    H5Sclose(space);
    H5Oclose(id);
    return written ? SB_OK : sb_fail(SB_E_IO, "%s: cannot write attribute %s of /%s", file->path, name, object);
}

sb_status sb_h5_set_text(sb_h5 *file, const char *object, const char *name, const char *value)
{
    SB_H5_TURN;
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(value) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    sb_status status = set_attribute(file, object, name, type, type, 0, value);
    H5Tclose(type);
    return status;
}

sb_status sb_h5_set_int(sb_h5 *file, const char *object, const char *name, int64_t value)
{
    SB_H5_TURN;
    return set_attribute(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 0, &value);
}

sb_status sb_h5_set_real(sb_h5 *file, const char *object, const char *name, double value)
{
    SB_H5_TURN;
    return set_attribute(file, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, &value);
}

sb_status sb_h5_set_ints(sb_h5 *file, const char *object, const char *name, size_t n, const int *value)
{
    SB_H5_TURN;
    return set_attribute(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT, n, value);
}

/* An object of a file that is read. It stays open until another one is asked for: a row of a table asks for a hundred
 * attributes of one group, and opening that costs three times as much as one of them. Invalid: not there. */
static hid_t hold_object(sb_h5 *file, const char *object)
{
    if (file->held && strcmp(file->held_name, object) == 0) return file->held;
    if (file->held) H5Oclose(file->held);
    file->held = 0;
    hid_t id = strlen(object) < SB_H5_NAME_MAX ? sb_h5_open_object(file, object, false) : H5I_INVALID_HID;
    if (id < 0) return id;
    strcpy(file->held_name, object);
    return file->held = id;
}

/* For one look at its attributes. A file that is written keeps no object open, so that it can be closed at any time. */
static hid_t borrow_object(sb_h5 *file, const char *object)
{
    return file->created ? sb_h5_open_object(file, object, false) : hold_object(file, object);
}

static void return_object(const sb_h5 *file, hid_t id)
{
    if (file->created && id >= 0) H5Oclose(id);
}

bool sb_h5_has(sb_h5 *file, const char *object, const char *name)
{
    SB_H5_TURN;
    hid_t id = borrow_object(file, object);
    bool there = id >= 0 && H5Aexists(id, name) > 0;
    return_object(file, id);
    return there;
}

/* An open attribute, its class and its number of elements, or a sentence. */
static sb_status open_attribute(sb_h5 *file, const char *object, const char *name, hid_t *attribute, H5T_class_t *class,
                                hssize_t *n)
{
    hid_t id = borrow_object(file, object);
    *attribute = id >= 0 && H5Aexists(id, name) > 0 ? H5Aopen(id, name, H5P_DEFAULT) : H5I_INVALID_HID;
    return_object(file, id);
    if (*attribute < 0)
        return sb_h5_judge(file->path,
                           sb_fail(SB_E_INTEGRITY, "%s: /%s has no attribute %s", file->path, object, name));
    hid_t type = H5Aget_type(*attribute), space = H5Aget_space(*attribute);
    *class = H5Tget_class(type);
    *n = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Tclose(type);
    return SB_OK;
}

static sb_status fail_kind(sb_h5 *file, const char *object, const char *name, const char *kind)
{
    return sb_h5_judge(file->path,
                       sb_fail(SB_E_INTEGRITY, "%s: attribute %s of /%s is not %s", file->path, name, object, kind));
}

/* The library allocates the text. Only files of others have such texts (h5_form.c). */
static bool read_growing(hid_t attribute, hid_t type, char *value, size_t size)
{
    char *text = NULL;
    hid_t memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    bool read = H5Aread(attribute, memory, &text) >= 0 && text;
    if (read) snprintf(value, size, "%s", text);
    if (text) H5free_memory(text);
    H5Tclose(memory);
    return read;
}

/* One text of fixed or variable length into value, cut to size. */
static bool read_text(hid_t attribute, hssize_t n, char *value, size_t size)
{
    if (n != 1) return false;
    hid_t type = H5Aget_type(attribute);
    bool read;
    if (H5Tis_variable_str(type) > 0) {
        read = read_growing(attribute, type, value, size);
    } else {
        size_t length = H5Tget_size(type);
        char *text = sb_size_allocate(length, 1); /* not terminated where it is padded with blanks */
        read = text && H5Aread(attribute, type, text) >= 0;
        if (read) snprintf(value, size, "%.*s", (int)length, text);
        free(text);
    }
    H5Tclose(type);
    return read;
}

sb_status sb_h5_get_text(sb_h5 *file, const char *object, const char *name, char *value, size_t size)
{
    SB_H5_TURN;
    hid_t attribute;
    hssize_t n = 0;
    H5T_class_t class = H5T_NO_CLASS;
    SB_TRY(open_attribute(file, object, name, &attribute, &class, &n));
    bool read = class == H5T_STRING && read_text(attribute, n, value, size);
    H5Aclose(attribute);
    return read ? SB_OK : fail_kind(file, object, name, "a text");
}

static sb_status get_number(sb_h5 *file, const char *object, const char *name, H5T_class_t wanted, hid_t memory,
                            void *value)
{
    hid_t attribute;
    hssize_t n = 0;
    H5T_class_t class = H5T_NO_CLASS;
    SB_TRY(open_attribute(file, object, name, &attribute, &class, &n));
    bool read = (class == wanted || class == H5T_INTEGER) && n == 1 && H5Aread(attribute, memory, value) >= 0;
    H5Aclose(attribute);
    return read ? SB_OK : fail_kind(file, object, name, wanted == H5T_INTEGER ? "a whole number" : "a number");
}

sb_status sb_h5_get_int(sb_h5 *file, const char *object, const char *name, int64_t *value)
{
    SB_H5_TURN;
    return get_number(file, object, name, H5T_INTEGER, H5T_NATIVE_INT64, value);
}

sb_status sb_h5_get_real(sb_h5 *file, const char *object, const char *name, double *value)
{
    SB_H5_TURN;
    return get_number(file, object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, value);
}

/* Small integer arrays (a golden file's channel list) become "3,2,3,4". */
static bool read_integers(hid_t attribute, hssize_t n, char *value, size_t size)
{
    int64_t number[32];
    if (n < 1 || n > 32 || H5Aread(attribute, H5T_NATIVE_INT64, number) < 0) return false;
    size_t used = 0;
    for (hssize_t i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(value + used, size - used, "%s%lld", i ? "," : "", (long long)number[i]);
    return true;
}

bool sb_h5_text_of_attribute(hid_t attribute, char *value, size_t size)
{
    double real;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    H5T_class_t class = H5Tget_class(type);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Tclose(type);
    if (class == H5T_STRING) return read_text(attribute, n, value, size);
    if (class == H5T_INTEGER) return read_integers(attribute, n, value, size);
    if (class != H5T_FLOAT || n != 1 || H5Aread(attribute, H5T_NATIVE_DOUBLE, &real) < 0) return false;
    snprintf(value, size, "%.17g", real);
    return true;
}

sb_status sb_h5_attribute_text(sb_h5 *file, const char *object, const char *name, char *value, size_t size)
{
    SB_H5_TURN;
    hid_t attribute;
    hssize_t n;
    H5T_class_t class;
    SB_TRY(open_attribute(file, object, name, &attribute, &class, &n));
    bool read = sb_h5_text_of_attribute(attribute, value, size);
    H5Aclose(attribute);
    return read ? SB_OK : fail_kind(file, object, name, "understood");
}
