#include "core/rows/backends.h"

#include <stddef.h>
#include <string.h>

bool sb_backend_is_gpu(const char *name)
{
    enum { CPU, GPU };
    static const struct {
        const char *name;
        int device;
    } rows[] = {
#define DEVICE(id, name, device, ...) {name, device},
        SB_BACKENDS(DEVICE)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return rows[i].device == GPU;
    return false;
}
