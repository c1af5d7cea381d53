/* When each kernel of one CUDA graph ran: start, end, stream, registers, by the activity records of CUPTI. The CUDA
 * driver loads this library into any program:
 *
 *     tests/gpu/timeline.sh timeline.so
 *     SAMEBITS_TIMELINE=timeline.csv CUDA_INJECTION64_PATH=$PWD/timeline.so samebits step ... --windows 4
 *
 * At the program's end it writes the last launch of a graph of 32 kernels or more, sorted by start. Comments at the top
 * sum it up: busy is the time in which at least one kernel ran, a gap the time in which none did, overlap the kernels'
 * times together over busy. Tracing makes a graph slower; the order and the ratios are of interest.
 *
 * Optional: nothing else needs CUPTI, and nothing of it is built without cupti.h of CUDA 12 or later. */
#include <cupti.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 22, BUFFER_ALIGNMENT = 8, LEAST = 32, NAME = 64, GAPS_SHOWN = 8 };

typedef struct record {
    uint64_t start, end; /* nanoseconds */
    uint32_t graph, launch, stream, channel;
    int grid[3], threads, registers;
    char name[NAME];
} record;

static struct {
    record *at;
    size_t n, room;
    size_t n_lost;
    pthread_mutex_t busy; /* CUPTI completes buffers on threads of its own, too */
} all = {.busy = PTHREAD_MUTEX_INITIALIZER};

static record *add(uint64_t start, uint64_t end, uint32_t graph, uint32_t launch)
{
    if (all.n == all.room) {
        const size_t room = all.room ? 2 * all.room : 1 << 14;
        record *more = realloc(all.at, room * sizeof *more);
        if (!more) {
            all.n_lost++;
            return NULL;
        }
        all.at = more, all.room = room;
    }
    all.at[all.n] = (record){.start = start, .end = end, .graph = graph, .launch = launch};
    return &all.at[all.n++];
}

/* sb_relu_backward of _Z24sb_relu_backward_kernel21sb_relu_backward_args; other names as they are, without commas. */
static void set_name(record *r, const char *symbol)
{
    const char *begin = strstr(symbol, "sb_"), *end = begin ? strstr(begin, "_kernel") : NULL;
    snprintf(r->name, sizeof r->name, "%.*s", end ? (int)(end - begin) : NAME, end ? begin : symbol);
    for (char *c = r->name; *c; c++)
        if (*c == ',' || *c == '\n') *c = ' ';
}

static void add_kernel(const CUpti_ActivityKernel9 *k)
{
    record *r = add(k->start, k->end, k->graphId, k->correlationId);
    if (!r) return;
    r->stream = k->streamId, r->channel = k->channelID;
    r->grid[0] = k->gridX, r->grid[1] = k->gridY, r->grid[2] = k->gridZ;
    r->threads = k->blockX * k->blockY * k->blockZ, r->registers = k->registersPerThread;
    set_name(r, k->name ? k->name : "?");
}

static void add_record(const CUpti_Activity *activity)
{
    record *r;
    if (activity->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || activity->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
        add_kernel((const CUpti_ActivityKernel9 *)activity);
    } else if (activity->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const CUpti_ActivityMemcpy5 *m = (const CUpti_ActivityMemcpy5 *)activity;
        if ((r = add(m->start, m->end, m->graphId, m->correlationId))) r->stream = m->streamId, set_name(r, "copy");
    } else if (activity->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        const CUpti_ActivityMemset4 *m = (const CUpti_ActivityMemset4 *)activity;
        if ((r = add(m->start, m->end, m->graphId, m->correlationId))) r->stream = m->streamId, set_name(r, "zero");
    }
}

/* ---- buffers of CUPTI ---- */

static void CUPTIAPI buffer_requested(uint8_t **buffer, size_t *size, size_t *max_records)
{
    *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0;
    *max_records = 0;
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    CUpti_Activity *activity = NULL;
    size_t n_dropped = 0;
    (void)context, (void)stream, (void)size;
    pthread_mutex_lock(&all.busy);
    while (valid > 0 && cuptiActivityGetNextRecord(buffer, valid, &activity) == CUPTI_SUCCESS) add_record(activity);
    if (cuptiActivityGetNumDroppedRecords(context, stream, &n_dropped) == CUPTI_SUCCESS) all.n_lost += n_dropped;
    pthread_mutex_unlock(&all.busy);
    free(buffer);
}

/* ---- one launch of a graph ---- */

static int by_launch(const void *a, const void *b)
{
    const record *x = a, *y = b;
    if (x->launch != y->launch) return x->launch < y->launch ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* The records of the last launch of a graph that is large enough; NULL: there is none. Sorts all. */
static const record *last_launch(size_t *n)
{
    const record *found = NULL;
    if (all.n) qsort(all.at, all.n, sizeof *all.at, by_launch);
    for (size_t i = 0, next; i < all.n; i = next) {
        for (next = i + 1; next < all.n && all.at[next].launch == all.at[i].launch;) next++;
        if (all.at[i].graph == 0 || next - i < LEAST) continue;
        found = &all.at[i], *n = next - i;
    }
    return found;
}

/* Sums, and the longest gaps with the kernels around them. */
static void write_summary(FILE *file, const record *r, size_t n)
{
    struct gap {
        uint64_t ns;
        size_t before;
    } gap[GAPS_SHOWN] = {{0}};
    uint64_t sum = 0, busy = 0, until = r->start;
    for (size_t i = 0; i < n; i++) {
        const uint64_t begin = r[i].start > until ? r[i].start : until;
        sum += r[i].end - r[i].start;
        if (r[i].end > begin) busy += r[i].end - begin;
        struct gap new = {r[i].start > until ? r[i].start - until : 0, i};
        for (int g = 0; g < GAPS_SHOWN; g++)
            if (new.ns > gap[g].ns) {
                const struct gap less = gap[g];
                gap[g] = new, new = less;
            }
        if (r[i].end > until) until = r[i].end;
    }
    const uint64_t span = until - r->start;
    fprintf(file, "# launches %zu, span %.1f us, busy %.1f us, gaps %.1f us (%.1f %%), kernels %.1f us, overlap %.3f\n",
            n, 1e-3 * span, 1e-3 * busy, 1e-3 * (span - busy), 100.0 * (span - busy) / (span ? span : 1), 1e-3 * sum,
            (double)sum / (busy ? busy : 1));
    if (all.n_lost) fprintf(file, "# %zu records were lost: the sums are too small\n", all.n_lost);
    for (int g = 0; g < GAPS_SHOWN && gap[g].ns; g++)
        fprintf(file, "# gap of %.1f us before %s at %.1f us\n", 1e-3 * gap[g].ns, r[gap[g].before].name,
                1e-3 * (r[gap[g].before].start - r->start));
}

static void write_records(FILE *file, const record *r, size_t n)
{
    fprintf(file, "start_us,end_us,kernel,grid,threads,registers,stream,channel\n");
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%.3f,%.3f,%s,%dx%dx%d,%d,%d,%u,%u\n", 1e-3 * (r[i].start - r->start),
                1e-3 * (r[i].end - r->start), r[i].name, r[i].grid[0], r[i].grid[1], r[i].grid[2], r[i].threads,
                r[i].registers, r[i].stream, r[i].channel);
}

static void write_timeline(void)
{
    size_t n = 0;
    const char *path = getenv("SAMEBITS_TIMELINE");
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    pthread_mutex_lock(&all.busy);
    const record *r = last_launch(&n);
    FILE *file = r ? fopen(path ? path : "timeline.csv", "w") : NULL;
    if (!r) fprintf(stderr, "timeline: none of %zu records is of a graph of %d kernels or more\n", all.n, LEAST);
    if (r && !file) perror(path ? path : "timeline.csv");
    if (file) {
        write_summary(file, r, n);
        write_records(file, r, n);
        if (fclose(file)) perror(path ? path : "timeline.csv");
    }
    pthread_mutex_unlock(&all.busy);
}

/* The driver calls this before the program's first work. 1: loaded. Without CUPTI the program runs without a timeline. */
int InitializeInjection(void);
int InitializeInjection(void)
{
    static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                               CUPTI_ACTIVITY_KIND_MEMSET};
    CUptiResult result = cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed);
    for (size_t i = 0; result == CUPTI_SUCCESS && i < sizeof kinds / sizeof *kinds; i++)
        result = cuptiActivityEnable(kinds[i]);
    if (result != CUPTI_SUCCESS) {
        const char *words = "unknown error";
        cuptiGetResultString(result, &words);
        fprintf(stderr, "timeline: CUPTI does not start: %s\n", words);
        return 1;
    }
    atexit(write_timeline);
    return 1;
}
