/* What an open backend knows about itself; ops->context points here, at the start of the backend's own struct. */
#ifndef SB_OPS_CONTEXT_H
#define SB_OPS_CONTEXT_H

#include "ops/ops.h"

enum { SB_VARIANT_MAX = 160 }; /* the names and versions of two libraries, and how they were told to choose */

typedef struct sb_imitation sb_imitation;
typedef struct sb_context sb_context;
struct sb_context {
    sb_ops ops;
    int threads;           /* of the team that calls the operations */
    double device_seconds; /* that a device has worked, by its own clock; 0 on a CPU, NAN where the clock failed */
    double copy_seconds;   /* spent on bytes of the host for a device; 0 on a CPU */
    /* what it turned out to be: an instruction set, a library, a device */
    char variant[SB_VARIANT_MAX];
    long update;                 /* the one in work, 0 in a pass forward alone */
    uint32_t operation;          /* since it began, counted by imitations that draw */
    sb_imitation *imitation;     /* native: what its arithmetic imitates (ops/imitate/imitate.h); NULL: nothing */
    void (*close)(sb_context *context);
};

static inline sb_context *sb_context_of(const sb_ops *ops)
{
    return (sb_context *)ops->context;
}

#endif
