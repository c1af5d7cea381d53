/* What is below MPICH, answered by us: UCX, and udev. */
#include <stddef.h>

/* MPICH 4.0.2 over TCP could not end. MPI_Finalize flushes each connection of UCX, below it, and over TCP the other rank has
 * to answer that; then it waits for all ranks in a read of the launcher's pipe, where it answers nothing. A rank whose
 * flush comes when another one is there already waits for ever. MPICH 4.2.0 waits in another order. Here connections are
 * taken for flushed: mpi.c waits for all ranks before it ends MPI, so that nothing is under way, and UCX closes them.
 *
 * The linker has MPICH call this in place of ucp_disconnect_nb (--wrap, in src/CMakeLists.txt). */
void *__wrap_ucp_disconnect_nb(void *connection);

/* NULL: it has ended already. */
void *__wrap_ucp_disconnect_nb(void *connection)
{
    (void)connection;
    return NULL;
}

/* hwloc, below MPICH, can ask udev for the names of PCI devices, and Debian has no libudev.a. Here it finds no udev, and
 * goes by /sys. */
void *udev_new(void);
void *udev_unref(void *udev);
void *udev_device_unref(void *device);
void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name);
const char *udev_device_get_property_value(void *device, const char *key);

void *udev_new(void)
{
    return NULL;
}

void *udev_unref(void *udev)
{
    return udev;
}

void *udev_device_unref(void *device)
{
    return device;
}

void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name)
{
    (void)udev, (void)subsystem, (void)name;
    return NULL;
}

const char *udev_device_get_property_value(void *device, const char *key)
{
    (void)device, (void)key;
    return NULL;
}
