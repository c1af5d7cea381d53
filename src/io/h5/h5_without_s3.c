/* In place of HDF5's driver for files in S3 (H5FDros3.c of HDF5 1.14): there is none. The library asks for it when a
 * property list names that driver; ours never do. Linked before libhdf5.a, so that neither the driver nor what it needs,
 * curl among it, becomes part of the programs. HDF5 1.10 never calls it. */
#include <hdf5.h>

hid_t H5FD_ros3_init(void);

hid_t H5FD_ros3_init(void)
{
    return H5I_INVALID_HID;
}
