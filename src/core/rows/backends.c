#include "core/rows/backends.h"

#include <stddef.h>
#include <string.h>

enum { CPU, GPU, WRITTEN, LIBRARY };

static const struct row {
    const char *name;
    int device, order;
} rows[] = {
#define BACKEND(id, name, device, order, ...) {name, device, order},
    SB_BACKENDS(BACKEND)};

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

bool sb_backend_is_gpu(const char *name)
{
    const struct row *row = find(name);
    return row && row->device == GPU;
}

bool sb_backend_is_written(const char *name)
{
    const struct row *row = find(name);
    return row && row->order == WRITTEN;
}
