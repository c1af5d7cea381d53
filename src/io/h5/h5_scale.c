#include "io/h5/h5_scale.h"

#include "io/h5/h5_parts.h"

#include <errno.h>
#include <hdf5_hl.h>
#include <string.h>

sb_status sb_h5_attach_scale(sb_h5 *file, const char *set, unsigned dim, const char *scale)
{
    SB_H5_TURN;
    errno = 0;
    hid_t of = H5Dopen2(file->id, set, H5P_DEFAULT), along = H5Dopen2(file->id, scale, H5P_DEFAULT);
    const char *slash = strrchr(scale, '/');
    bool written = of >= 0 && along >= 0;
    if (written && H5DSis_scale(along) <= 0) written = H5DSset_scale(along, slash ? slash + 1 : scale) >= 0;
    written = written && H5DSattach_scale(of, along, dim) >= 0;
    if (along >= 0) H5Dclose(along);
    if (of >= 0) H5Dclose(of);
    return written ? SB_OK : sb_h5_fail_write(file, set);
}

bool sb_h5_is_of_scale(const char *attribute)
{
    static const char *const names[] = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(attribute, names[i]) == 0) return true;
    return false;
}

/* A list of references for each dimension. */
static bool is_dimension_list(hid_t type)
{
    if (H5Tget_class(type) != H5T_VLEN) return false;
    hid_t of = H5Tget_super(type);
    bool is = H5Tequal(of, H5T_STD_REF_OBJ) > 0;
    H5Tclose(of);
    return is;
}

/* {reference, dimension} for each dimension that the scale goes along. The number is the one thing in a file of ours that
 * the library writes as it likes: in the order of the machine, and since its version 1.12 without a sign. */
static bool is_reference_list(hid_t type)
{
    if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2 || H5Tget_size(type) > 16) return false;
    hid_t place = H5Tget_member_type(type, 0), dim = H5Tget_member_type(type, 1);
    bool is = H5Tequal(place, H5T_STD_REF_OBJ) > 0 && H5Tget_class(dim) == H5T_INTEGER && H5Tget_size(dim) == 4;
    H5Tclose(place);
    H5Tclose(dim);
    return is;
}

bool sb_h5_is_scale_list(hid_t object, const char *name, hid_t type)
{
    if (H5Iget_type(object) != H5I_DATASET) return false;
    if (strcmp(name, "DIMENSION_LIST") == 0) return is_dimension_list(type);
    return strcmp(name, "REFERENCE_LIST") == 0 && is_reference_list(type);
}
