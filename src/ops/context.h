/* Common data of an open backend: ops->context points to an sb_context, the first member of the backend's own
 * struct. */
#pragma once

#include "core/machine/facts.h"
#include "ops/ops.h"

enum { SB_VARIANT_MAX = 160 }; /* names, versions and settings of two libraries */

typedef struct sb_imitation sb_imitation;

/* What becomes of subnormal numbers. */
typedef enum sb_subnormal_rule {
    SB_SUBNORMAL_KEEP,
    SB_SUBNORMAL_MODE, /* zero, read or written, by the mode of the CPU */
    SB_SUBNORMAL_TINY, /* elements below 2^-63 are zero after each operation, so that no product of two is subnormal */
} sb_subnormal_rule;

typedef struct sb_subnormal {
    sb_ops inner; /* the operations that are watched */
    sb_subnormal_rule rule;
    long operations, met; /* calls; calls in which a thread met a subnormal number, added over the threads */
} sb_subnormal;

typedef struct sb_context sb_context;
struct sb_context {
    sb_ops ops;
    int threads;           /* size of the team that calls the operations */
    double device_seconds; /* computing time of a device, by its own clock; 0 on a CPU, NAN if the clock failed */
    double copy_seconds;   /* time for copying host bytes to a device; 0 on a CPU */
    /* the variant in use: an instruction set, a library, a device */
    char variant[SB_VARIANT_MAX];
    long update;             /* the current update; 0 in a forward pass without update */
    uint32_t operation;      /* number of the operation in this update, counted by imitations that draw random
                                  * orders */
    sb_imitation *imitation; /* native: the imitation of a GPU (ops/imitate/imitate.h); NULL: none */
    sb_subnormal subnormal;  /* of a CPU */
    void (*facts)(const sb_context *context, sb_facts *facts); /* what was chosen while it worked; NULL: nothing */
    void (*close)(sb_context *context);
};

static inline sb_context *sb_context_of(const sb_ops *ops)
{
    return (sb_context *)ops->context;
}
