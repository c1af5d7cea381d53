/* The openblas backend: native's table with the matrix products given to OpenBLAS, whose kernel type and number of
 * threads are set and then verified, because a wrong one would silently be another experiment. */
#include "ops/library/openblas.h"
#include "backend/context.h"
#include "ops/library/openblas_host.h"

#include <cblas.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

/* OpenBLAS's own functions, exported since its beginnings but in no header of it: a buffer of its pool, mapped when
 * there is no free one. */
void *blas_memory_alloc(int procedure);
void blas_memory_free(void *buffer);

/* The same of an OpenBLAS that has kernels of several types: it chooses, and forgets its choice. */
__attribute__((weak)) void gotoblas_dynamic_init(void);
__attribute__((weak)) void gotoblas_dynamic_quit(void);

static bool wants_choice(const char *blas_kernel)
{
    return blas_kernel && *blas_kernel && strcmp(blas_kernel, "auto") != 0;
}

static void choose_again(void)
{
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
}

/* The kernel type that OpenBLAS takes on this CPU where no variable says another. It is found out while nothing
 * multiplies, and the choice that counts is made again afterwards. "": this OpenBLAS cannot choose. */
static void find_own_kernel(char own[64])
{
    static const char variable[] = "OPENBLAS_CORETYPE";
    char *value = getenv(variable);
    *own = 0;
    if (!gotoblas_dynamic_init || !gotoblas_dynamic_quit || !(value = strdup(value))) return;
    unsetenv(variable);
    choose_again();
    snprintf(own, 64, "%s", openblas_get_corename());
    setenv(variable, value, 1);
    choose_again();
    free(value);
}

const char *sb_openblas_own_kernel(void)
{
    static char own[64];
    if (!getenv("OPENBLAS_CORETYPE")) return NULL;
    if (!*own) find_own_kernel(own);
    return own;
}

void sb_backend_facts(sb_facts *facts)
{
    const char *own = sb_openblas_own_kernel();
    sb_facts_add(facts, "openblas", "%s", openblas_get_config());
    sb_facts_add(facts, "openblas_kernel", "%s", openblas_get_corename());
    if (own) sb_facts_add(facts, "openblas_kernel_own", "%s", own);
    sb_cuda_facts(facts);
}

bool sb_openblas_available(char *why, size_t size)
{
    (void)why, (void)size;
    return true;
}

/* -- threads and their memory, asked for before OpenBLAS does: what is refused it tries again for ever -- */

enum { BUFFER_BYTES = 128 << 20, THREADS = 64 }; /* BUFFER_SIZE and at most MAX_CPU_NUMBER of Debian's OpenBLAS */

static sb_status fail_memory(int threads)
{
    return sb_fail(SB_E_MEMORY, "not enough memory for %d thread%s of OpenBLAS, each with %d MiB of its own", threads,
                   threads == 1 ? "" : "s", BUFFER_BYTES >> 20);
}

/* Map the pool's buffers, one for each thread, which then stay. A thread that finds a free one maps none. */
static sb_status map_buffers(int threads)
{
    static int mapped;
    void *buffer[THREADS];
    bool enough = true;
    int n = 0;
    for (; n < threads - mapped && enough; n += enough) {
        buffer[n] = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        enough = buffer[n] != MAP_FAILED;
    }
    while (n) munmap(buffer[--n], BUFFER_BYTES);
    if (!enough) return fail_memory(threads);
    for (; n < threads; n++) buffer[n] = blas_memory_alloc(0);
    while (n) blas_memory_free(buffer[--n]);
    if (threads > mapped) mapped = threads;
    return SB_OK;
}

static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Can that many threads run next to this one, all at once? */
static sb_status try_threads(int others)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread[THREADS];
    int n = 0;
    pthread_mutex_lock(&gate);
    while (n < others && pthread_create(&thread[n], NULL, wait_at, &gate) == 0) n++;
    bool enough = n == others;
    pthread_mutex_unlock(&gate);
    while (n) pthread_join(thread[--n], NULL);
    pthread_mutex_destroy(&gate);
    return enough ? SB_OK : fail_memory(others + 1);
}

/* More threads than CPUs, as for an emulated CPU? */
static bool outnumbers_cpus(int threads)
{
    return threads > omp_get_num_procs();
}

static sb_status start_threads(int threads)
{
    int room = threads < THREADS ? threads : THREADS;
    SB_TRY(map_buffers(room));
    SB_TRY(try_threads(room - 1));
    if (strncmp(openblas_get_config(), "OpenBLAS 0.3.", 13) == 0)
        sb_openblas_share(outnumbers_cpus(threads) ? SB_OPENBLAS_ALONE : SB_OPENBLAS_FASTER);
    openblas_set_num_threads(threads);
    int got = openblas_get_num_threads();
    if (got != threads) return sb_fail(SB_E_USAGE, "OpenBLAS runs at most %d threads, not %d", got, threads);
    return SB_OK;
}

sb_status sb_openblas_open(sb_ops **ops, const sb_backend_options *options)
{
    (void)sb_openblas_own_kernel(); /* found out before there are threads */
    const char *kernel = openblas_get_corename();
    if (wants_choice(options->blas_kernel) && strcasecmp(kernel, options->blas_kernel) != 0)
        return sb_fail(SB_E_USAGE, "OpenBLAS runs its %s kernels, not %s", kernel, options->blas_kernel);
    SB_TRY(start_threads(options->threads));
    SB_TRY(sb_native_open(ops, options));
    sb_context *context = sb_context_of(*ops);
    (*ops)->name = "openblas";
    if (outnumbers_cpus(options->threads)) context->threads = omp_get_num_procs(); /* the rest has the same bits */
    sb_conv_openblas(*ops);
    sb_dense_openblas(*ops);
    sb_update_openblas(*ops);
    snprintf(context->variant, sizeof context->variant, "%s", kernel);
    return SB_OK;
}
