/* Common data of an open backend: ops->context points to an sb_context, the first member of the backend's own
 * struct. */
#ifndef SB_OPS_CONTEXT_H
#define SB_OPS_CONTEXT_H

#include "ops/ops.h"

enum { SB_VARIANT_MAX = 160 }; /* names, versions and settings of two libraries */

typedef struct sb_imitation sb_imitation;
typedef struct sb_context sb_context;
struct sb_context {
    sb_ops ops;
    int threads;           /* size of the team that calls the operations */
    double device_seconds; /* computing time of a device, by its own clock; 0 on a CPU, NAN if the clock failed */
    double copy_seconds;   /* time for copying host bytes to a device; 0 on a CPU */
    /* the variant in use: an instruction set, a library, a device */
    char variant[SB_VARIANT_MAX];
    long update;                 /* the current update; 0 in a forward pass without update */
    uint32_t operation;          /* number of the operation in this update, counted by imitations that draw random
                                  * orders */
    sb_imitation *imitation;     /* native: the imitation of a GPU (ops/imitate/imitate.h); NULL: none */
    void (*close)(sb_context *context);
};

static inline sb_context *sb_context_of(const sb_ops *ops)
{
    return (sb_context *)ops->context;
}

#endif
