/* Backends by name; their rows are in core/rows/backends.h.
 *
 *     sb_ops *ops;
 *     SB_TRY(sb_backend_open(&ops, "native", &(sb_backend_options){.threads = 2}));
 *     ...
 *     sb_backend_close(ops);
 */
#ifndef SB_BACKEND_BACKEND_H
#define SB_BACKEND_BACKEND_H

#include "core/machine/facts.h"
#include "core/rows/backends.h"
#include "core/status.h"
#include "ops/ops.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_backend_options {
    int threads;             /* 1 or more */
    const char *isa;         /* native: a name of core/rows/isas.h; NULL or "auto": the best this CPU has */
    const char *arithmetic;  /* in written order: a name of core/rows/arithmetics.h; NULL: direct */
    uint64_t seed, draw;     /* imitated atomics: what their orders are drawn from */
    int winograd_channels;   /* winograd: layers of this many channels or more; 0: the arithmetic's own, 16 */
    const char *blas_kernel; /* openblas: its kernel type ("Haswell", "Zen", ...); NULL or "auto": OpenBLAS chooses */
    const char *cudnn_algorithm; /* cudnn: a name of core/rows/cudnn_choices.h; NULL: the first */
    const char *cudnn_version;   /* cudnn: "8.9": no other cuDNN than this; NULL or "any": whichever starts */
    bool tf32;                   /* cublas, cudnn: products may round their factors to TF32 */
    int device;                  /* on a GPU: its number, counted round where there are fewer; 0: the first */
    bool is_traced;              /* operations are cut as in every other backend; no bit depends on it */
} sb_backend_options;

typedef struct sb_backend {
    const char *name;
    const char *summary; /* one line for `samebits info` */
    sb_status (*open)(sb_ops **ops, const sb_backend_options *options);
    /* Can it run here? If not, `why` holds the sentence. */
    bool (*available)(char *why, size_t size);
    bool is_on_gpu;
    /* Sums in a written order (ops/order.h), in an arithmetic of your choice: bits depend on neither threads nor
     * hardware. */
    bool in_written_order;
} sb_backend;

/* The registry, ended by a row without a name. */
extern const sb_backend sb_backends[];

/* NULL if there is none of that name. */
const sb_backend *sb_backend_find(const char *name);

/* SB_E_USAGE, and in the sentence the backend that may have been meant. */
sb_status sb_backend_unknown(const char *name);

/* SB_E_USAGE: no such backend, instruction set or kernel type. SB_E_MISSING: this machine cannot run it. */
sb_status sb_backend_open(sb_ops **ops, const char *name, const sb_backend_options *options);
void sb_backend_close(sb_ops *ops); /* NULL is fine */

/* The number of threads of an open backend: the size of the team that calls its operations. */
int sb_backend_threads(const sb_ops *ops);

/* Before the operations of an update, 1, 2, ...; 0: of a pass forward alone. Imitated atomics draw their orders by it
 * and by the number of the operation since, so that a run that goes on has the orders of one that was never cut. */
void sb_backend_begin(sb_ops *ops, long update);

/* What the backend turned out to be, for /env and /config: the instruction set of native, OpenBLAS's kernel type. */
const char *sb_backend_variant(const sb_ops *ops);

/* Seconds that the backend's device has worked so far, by the device's clock; 0 where a CPU works, NAN where that clock
 * has failed. */
double sb_backend_device_seconds(const sb_ops *ops);

/* Seconds, by the clock of the host, that it has spent on copying bytes for a device: into memory that the device reads
 * from, and until their transfer has begun. 0 where a CPU works. */
double sb_backend_copy_seconds(const sb_ops *ops);

/* Call first, before anything else of a verb, with the options as given. Some libraries read the environment before
 * main runs (OpenBLAS its kernel type, OpenMP how threads wait): if they need another one, this replaces the process by
 * itself with the right environment and does not return. SB_E_USAGE if the wanted kernel type is not the one OpenBLAS
 * then runs (it ignores unknown names silently); SB_E_MISSING if this CPU has not the instructions of that type. */
sb_status sb_backend_prepare(const char *backend, const char *blas_kernel, long threads, char **argv);

/* Versions and build options of the libraries that the backends use. */
void sb_backend_facts(sb_facts *facts);

/* The kernel type that OpenBLAS would take on this CPU without OPENBLAS_CORETYPE. NULL: the variable is not set. "":
 * unknown. The first call is made while nothing multiplies. */
const char *sb_openblas_own_kernel(void);

/* The best instruction set of this CPU that this program has kernels for. */
const char *sb_isa_best(void);
bool sb_isa_available(const char *isa);

#endif
