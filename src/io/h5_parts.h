/* What the h5 rooms share, and nobody else: only they see hdf5.h, and they see it here. */
#ifndef SB_IO_H5_PARTS_H
#define SB_IO_H5_PARTS_H

#include "io/h5.h"

#include "core/file.h"

#include <hdf5.h>

struct sb_h5 {
    hid_t id;
    bool created;
    sb_seal seal; /* found when it was opened; of a created file the kind alone */
    hid_t rows;   /* data set whose rows were read last, 0 if none: open, so that its unpacked chunks stay in memory */
    char path[SB_PATH_MAX], rows_name[SB_PATH_MAX];
};

/* A data set or a group, "" is the root; closed with H5Oclose. Absent: a group is made if `make`, else the id is
 * invalid. */
hid_t sb_h5_open_object(sb_h5 *file, const char *object, bool make);

/* SB_E_IO, with what errno says; it must be 0 before the attempt. */
sb_status sb_h5_fail_write(const sb_h5 *file, const char *name);

#endif
