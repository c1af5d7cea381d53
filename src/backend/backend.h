/* Backends by name; their rows are in core/rows/backends.h.
 *
 *     sb_ops *ops;
 *     SB_TRY(sb_backend_open(&ops, "native", &(sb_backend_options){.threads = 2}));
 *     ...
 *     sb_backend_close(ops);
 */
#pragma once

#include "core/machine/facts.h"
#include "core/rows/backends.h"
#include "core/status.h"
#include "ops/ops.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_backend_options {
    int threads;             /* 1 or more */
    const char *isa;         /* native: a name of core/rows/isas.h; NULL or "auto": the best this CPU has */
    const char *arithmetic;  /* backends in written order: a name of core/rows/arithmetics.h; NULL: direct */
    uint64_t seed, draw;     /* imitated atomics: their orders are drawn from these numbers */
    int winograd_channels;   /* winograd: layers of this many channels or more; 0: the arithmetic's own, 16 */
    const char *blas_kernel; /* openblas: its kernel type ("Haswell", "Zen", ...); NULL or "auto": OpenBLAS chooses */
    const char *cudnn_algorithm; /* cudnn: a name of core/rows/cudnn_choices.h; NULL: the first */
    const char *cudnn_version;   /* cudnn: "8.9": only this version; NULL or "any": any version that starts */
    bool tf32;                   /* cublas, cudnn: products may round their factors to TF32 */
    int device;                  /* on a GPU: its number, modulo the number of GPUs; 0: the first */
    bool is_traced;              /* divide operations as every other backend does; changes no bit */
} sb_backend_options;

typedef struct sb_backend {
    const char *name;
    const char *summary; /* one line for `samebits info` */
    sb_status (*open)(sb_ops **ops, const sb_backend_options *options);
    /* Can it run here? If not, `why` is set to a message. */
    bool (*available)(char *why, size_t size);
    bool is_on_gpu;
    /* Sums have a written order (ops/order.h), in the arithmetic of the options: bits depend on neither threads nor
     * hardware. */
    bool in_written_order;
} sb_backend;

/* The registry, ended by a row without a name. */
extern const sb_backend sb_backends[];

/* NULL: no backend has that name. */
const sb_backend *sb_backend_find(const char *name);

/* SB_E_USAGE with a message that suggests the most similar name. */
sb_status sb_backend_unknown(const char *name);

/* Open a backend; the caller closes it. SB_E_USAGE: no such backend, instruction set or kernel type. SB_E_MISSING: this
 * machine cannot run it. */
sb_status sb_backend_open(sb_ops **ops, const char *name, const sb_backend_options *options);
void sb_backend_close(sb_ops *ops); /* NULL does nothing */

/* The number of threads of an open backend: the size of the team that calls its operations. */
int sb_backend_threads(const sb_ops *ops);

/* How many operations met a subnormal number, of how many, both added over the threads (ops/subnormal.h). 0 of 0 on a
 * GPU. */
typedef struct sb_backend_met {
    long met, operations;
} sb_backend_met;

sb_backend_met sb_backend_subnormal(const sb_ops *ops);

/* Call before the operations of update 1, 2, ...; 0: before a forward pass without update. Imitated atomics draw their
 * orders by this number and by the number of operations since, so that a resumed run has the same orders as an
 * uninterrupted one. */
void sb_backend_begin(sb_ops *ops, long update);

/* The variant that the backend uses, for /env and /config: the instruction set of native, the kernel type of
 * OpenBLAS. */
const char *sb_backend_variant(const sb_ops *ops);

/* Seconds that the device has computed so far, by the device's clock. 0 on a CPU, NAN if that clock has failed. */
double sb_backend_device_seconds(const sb_ops *ops);

/* Seconds, by the host's clock, for copying bytes to a device: into memory that the device reads, until the transfer
 * has begun. 0 on a CPU. */
double sb_backend_copy_seconds(const sb_ops *ops);

/* Call this first in a verb, with the options as given. Some libraries read the environment before main runs: OpenBLAS
 * its kernel type, OpenMP how threads wait. If they need other values, the process starts itself again with the right
 * environment, and this call does not return. SB_E_USAGE: OpenBLAS uses another kernel type than the given one (it
 * ignores unknown names silently). SB_E_MISSING: this CPU lacks the instructions of that type. */
sb_status sb_backend_prepare(const char *backend, const char *blas_kernel, long threads, char **argv);

/* Add what an open backend chose while it worked: the engines of cuDNN. */
void sb_backend_choices(const sb_ops *ops, sb_facts *facts);

/* Add versions and build options of the libraries that the backends use. */
void sb_backend_facts(sb_facts *facts);

/* The kernel type that OpenBLAS would choose on this CPU without OPENBLAS_CORETYPE. NULL: the variable is not set. "":
 * unknown. Make the first call while no other thread uses OpenBLAS. */
const char *sb_openblas_own_kernel(void);

/* The best instruction set of this CPU for which this program has kernels, and whether one is available. */
const char *sb_isa_best(void);
bool sb_isa_available(const char *isa);
