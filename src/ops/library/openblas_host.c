/* The shares of OpenBLAS's threads, computed by the calling thread.
 *
 * A product of several threads is one call of exec_blas (the linker's --wrap, cmake/libraries.cmake) with a job for each
 * thread, all of the same function, inner_thread of OpenBLAS's driver/level3/level3_thread.c. Threads form groups. A group
 * shares a range of columns. Each of its threads packs its own part of these columns, and multiplies its own rows by all
 * parts of the group. It waits for each part that another thread packs: by spinning, so that a thread that has no CPU
 * holds up all the others for as long as the scheduler likes.
 *
 * Here the same function is called once for each pair of rows and columns, with ranges that leave nothing to wait for.
 * Other calls of the kernels could give other bits: Haswell's sums 8 columns in one chain of additions, and 4 columns in
 * two chains. So each call of a kernel has the rows, columns and terms that it has with the threads. */
#include "openblas_host.h"
#include "openblas_pace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of OpenBLAS's common_macro.h and common_thread.h, the same in all releases of 0.3. */
typedef struct blas_arg {
    const void *a, *b;
    void *c, *d;
    const void *alpha, *beta;
    long m, n, k, lda, ldb, ldc, ldd;
    void *common; /* marks: packed parts, by which thread and for which one */
    long nthreads;
} blas_arg;

typedef int job_function(blas_arg *args, long *rows, long *columns, void *packed_a, void *packed_b, long thread);

typedef struct blas_queue {
    job_function *function;
    long position, assigned;
    blas_arg *args;
    long *rows, *columns; /* ranges: thread t has columns[t] to columns[t + 1]; rows[-1]: threads of a group */
    void *packed_a, *packed_b;
    struct blas_queue *next;
    pthread_mutex_t lock;
    pthread_cond_t finished;
    int mode, status;
} blas_queue;

int __real_exec_blas(long n_jobs, blas_queue *queue);
int __wrap_exec_blas(long n_jobs, blas_queue *queue);

enum {
    TERMS_MAX = 1 << 14,                 /* more than any kernel takes at a time */
    HALVES = 2,                          /* a thread packs its columns in two */
    MARK = 8,                            /* from mark to mark: a cache line */
    MARKS = 2 * 1024 * HALVES * MARK,    /* of two of at most 1024 threads */
    MARK_OF_OTHER = HALVES * MARK,       /* what thread 0 has packed for thread 1 */
    UNROLL_MAX = 64
};

/* How a function, one for each precision and kind of transposition, takes its operands. */
typedef struct job_form {
    job_function *function;
    size_t n_bytes; /* of a number */
    long terms;     /* that a kernel takes at a time */
    long unroll;    /* columns that are packed together */
    bool a_next, b_next; /* the next term is the next number, not the one lda or ldb further on */
    bool is_known;
} job_form;

static sb_openblas_sharing sharing;
static sb_pace pace;
static bool has_shared;

void sb_openblas_share(sb_openblas_sharing chosen)
{
    sharing = chosen;
    pace = (sb_pace){0};
}

bool sb_openblas_has_shared(void)
{
    const bool shared = has_shared;
    has_shared = false;
    return shared;
}

static double number(const void *x, size_t n_bytes, long i)
{
    return n_bytes == sizeof(double) ? ((const double *)x)[i] : ((const float *)x)[i];
}

static void set_number(void *x, size_t n_bytes, long i, double value)
{
    if (n_bytes == sizeof(double)) ((double *)x)[i] = value;
    else ((float *)x)[i] = (float)value;
}

/* -- the two calls of a function that wait for nothing -- */

static long marks[MARKS];

/* Rows by the columns that the thread of these rows packs: as the only thread of its group. */
static void multiply_own(const blas_queue *queue, const blas_arg *args, const long rows[2], const long columns[2])
{
    blas_arg own = *args;
    own.common = marks, own.nthreads = 2;
    long row[] = {1, rows[0], rows[1]}, column[] = {1, columns[0], columns[1]};
    queue->function(&own, row + 1, column + 1, queue->packed_a, queue->packed_b, 0);
}

/* Rows by columns that another thread has packed: as thread 1 of a group of two, which has no columns of its own. */
static void multiply_other(const blas_queue *queue, const job_form *form, const blas_arg *args, const long rows[2],
                           const long columns[2])
{
    blas_arg other = *args;
    other.common = marks, other.nthreads = 2;
    long row[] = {2, rows[0], rows[0], rows[1]}, column[] = {2, columns[0], columns[1], columns[1]};
    const long half = (columns[1] - columns[0] + HALVES - 1) / HALVES;
    const long packed = form->terms * ((half + form->unroll - 1) / form->unroll * form->unroll);
    marks[MARK_OF_OTHER] = (long)queue->packed_b;
    marks[MARK_OF_OTHER + MARK] = (long)((char *)queue->packed_b + (size_t)packed * form->n_bytes);
    queue->function(&other, row + 1, column + 1, queue->packed_a, queue->packed_b, 1);
    marks[MARK_OF_OTHER + MARK] = 0; /* of one column there is no second half */
}

/* -- the form of a function, by what it packs of 0 1 2 3 ... -- */

static void pack(const blas_queue *queue, size_t n_bytes, const void *numbers, long n, long k, long step)
{
    static const float one_f = 1;
    static const double one = 1;
    double c[HALVES] = {0};
    const blas_arg args = {.a = numbers, .b = numbers, .c = c, .alpha = n_bytes == sizeof one ? (const void *)&one : &one_f,
                           .m = 1, .n = n, .k = k, .lda = step, .ldb = step, .ldc = 1};
    multiply_own(queue, &args, (long[]){0, 1}, (long[]){0, n});
}

/* The largest k that is taken at once: the packed column begins with its first number. */
static long measure_terms(const blas_queue *queue, size_t n_bytes, const void *numbers)
{
    long least = 1, most = TERMS_MAX;
    while (most - least > 1) {
        const long k = (least + most) / 2;
        pack(queue, n_bytes, numbers, 1, k, 1);
        if (number(queue->packed_b, n_bytes, 0) == 0) least = k;
        else most = k;
    }
    return least;
}

/* The second of two columns of one term is packed after the room that the first may take. 0: not found. */
static long measure_unroll(const blas_queue *queue, size_t n_bytes, const void *numbers, long terms)
{
    for (long unroll = 1; unroll <= UNROLL_MAX; unroll *= 2) set_number(queue->packed_b, n_bytes, terms * unroll, 0);
    pack(queue, n_bytes, numbers, HALVES, 1, 1);
    for (long unroll = 1; unroll <= UNROLL_MAX; unroll *= 2)
        if (number(queue->packed_b, n_bytes, terms * unroll) == 1) return unroll;
    return 0;
}

static job_form measure(const blas_queue *queue)
{
    job_form form = {.function = queue->function, .n_bytes = queue->mode & 1 ? sizeof(double) : sizeof(float)};
    void *numbers = malloc(TERMS_MAX * sizeof(double));
    if (!numbers) return form;
    for (long i = 0; i < TERMS_MAX; i++) set_number(numbers, form.n_bytes, i, (double)i);
    form.terms = measure_terms(queue, form.n_bytes, numbers);
    form.unroll = measure_unroll(queue, form.n_bytes, numbers, form.terms);
    pack(queue, form.n_bytes, numbers, 1, 2, 2);
    const double a = number(queue->packed_a, form.n_bytes, 1), b = number(queue->packed_b, form.n_bytes, 1);
    form.a_next = a == 1, form.b_next = b == 1;
    form.is_known = form.unroll > 0 && (a == 1 || a == 2) && (b == 1 || b == 2);
    free(numbers);
    return form;
}

static const job_form *form_of(const blas_queue *queue)
{
    static job_form known[8]; /* two precisions, four kinds of transposition */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!known[i].function) known[i] = measure(queue);
        if (known[i].function == queue->function) return &known[i];
    }
    return NULL;
}

/* -- a product -- */

/* Are these the jobs of a product? All have the same ranges; jobs of other work have each its own or none. A product
 * without terms only scales c, which is left to OpenBLAS. */
static bool is_product(long n_jobs, const blas_queue *queue)
{
    const blas_queue *next = queue->next;
    return n_jobs > 1 && next && queue->rows && queue->rows == next->rows && queue->columns && queue->columns == next->columns &&
           queue->args == next->args && queue->function == next->function && queue->args->k > 0;
}

/* Terms first to first + n of the columns that a thread packs, by the rows of all threads of its group. */
static void multiply_terms(const blas_queue *queue, const job_form *form, long thread, long first, long n)
{
    const long *rows = queue->rows, *columns = queue->columns + thread, members = rows[-1], own = thread % members;
    blas_arg args = *queue->args;
    args.k = n;
    if (first) args.beta = NULL; /* c was scaled before the first terms */
    args.a = (const char *)args.a + (size_t)(first * (form->a_next ? 1 : args.lda)) * form->n_bytes;
    args.b = (const char *)args.b + (size_t)(first * (form->b_next ? 1 : args.ldb)) * form->n_bytes;
    multiply_own(queue, &args, rows + own, columns);
    for (long member = 0; member < members; member++)
        if (member != own && rows[member] != rows[member + 1]) multiply_other(queue, form, &args, rows + member, columns);
}

static int multiply_alone(long n_jobs, const blas_queue *queue, const job_form *form)
{
    has_shared = true;
    for (long thread = 0; thread < n_jobs; thread++) {
        if (queue->columns[thread] == queue->columns[thread + 1]) continue;
        for (long first = 0, n; first < queue->args->k; first += n) {
            n = queue->args->k - first;
            if (n >= 2 * form->terms) n = form->terms;
            else if (n > form->terms) n = (n + 1) / 2;
            multiply_terms(queue, form, thread, first, n);
        }
    }
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int multiply_faster(long n_jobs, blas_queue *queue, const job_form *form)
{
    const int size = sb_pace_size_of(queue->args->m, queue->args->n, queue->args->k);
    const sb_pace_way way = sb_pace_choose(&pace, size);
    const double start = now();
    const int error = way == SB_PACE_ALONE ? multiply_alone(n_jobs, queue, form) : __real_exec_blas(n_jobs, queue);
    sb_pace_add(&pace, size, way, now() - start);
    return error;
}

/* In place of OpenBLAS's own function. */
int __wrap_exec_blas(long n_jobs, blas_queue *queue)
{
    const job_form *form = sharing != SB_OPENBLAS_THREADS && is_product(n_jobs, queue) ? form_of(queue) : NULL;
    if (!form || !form->is_known) return __real_exec_blas(n_jobs, queue);
    return sharing == SB_OPENBLAS_ALONE ? multiply_alone(n_jobs, queue, form) : multiply_faster(n_jobs, queue, form);
}

/* ---- what it asks before main ---- */

/* What OpenBLAS asks of its process, answered by us (the linker's --wrap, cmake/libraries.cmake). Its own answers come when
 * the library initializes itself, before main, whichever backend is chosen: every verb would start a thread for each core,
 * and each of them maps 128 MiB. Where memory is short it tries so without end. */
int __wrap_openblas_num_threads_env(void);
int __wrap_blas_thread_init(void);

/* In place of OPENBLAS_NUM_THREADS. The openblas backend sets the number when it is opened. */
int __wrap_openblas_num_threads_env(void)
{
    return 1;
}

/* Before main. OpenBLAS 0.3.29 maps memory for one thread, too. What sets the number of threads, or needs them, calls the
 * library's own function, as after a fork. */
int __wrap_blas_thread_init(void)
{
    return 0;
}
