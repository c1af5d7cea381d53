/* What an open CPU backend knows about itself; ops->context points here. */
#ifndef SB_BACKEND_CONTEXT_H
#define SB_BACKEND_CONTEXT_H

#include "backend/backend.h"

typedef struct sb_cpu_context {
    sb_ops ops;
    int threads;
    char variant[32];
} sb_cpu_context;

/* A CPU backend with memory, elementwise operations and convolutions of `native` at an instruction set of this CPU. */
sb_status sb_native_open(sb_ops **ops, const sb_backend_options *options);
sb_status sb_openblas_open(sb_ops **ops, const sb_backend_options *options);
bool sb_openblas_available(char *why, size_t size);

#endif
