/* list_h5 FILE [GROUP...]: the data sets of an HDF5 file as "/PATH", and the attributes of the groups as "/GROUP NAME".
 */
#include "io/h5/h5.h"
#include "io/h5/h5_walk.h"

#include <stdio.h>

static sb_status print_dataset(void *context, const char *name)
{
    (void)context;
    printf("/%s\n", name);
    return SB_OK;
}

static sb_status print_attribute(void *context, const char *name)
{
    printf("/%s %s\n", (const char *)context, name);
    return SB_OK;
}

int main(int argc, char **argv)
{
    sb_h5 *file;
    if (argc < 2 || sb_h5_open(&file, argv[1], SB_SEAL_ANY) != SB_OK) return 1;
    sb_status status = sb_h5_each_dataset(file, "", print_dataset, NULL);
    for (int i = 2; i < argc && status == SB_OK; i++)
        status = sb_h5_each_attribute(file, argv[i], print_attribute, argv[i]);
    sb_h5_close(file);
    return status != SB_OK;
}
