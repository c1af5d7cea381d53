#include "inspect/trace/trace_parts.h"

#include "core/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

sb_trace *sb_trace_begin(sb_ops *ops, const char *operation)
{
    sb_trace *trace = (sb_trace *)ops;
#pragma omp single
    {
        if (!sb_size_reserve(&trace->row, &trace->room, trace->n + 1, sizeof *trace->row)) trace->lost = true;
        if (!trace->lost) {
            sb_trace_row *row = &trace->row[trace->n++];
            *row = (sb_trace_row){0};
            snprintf(row->operation, sizeof row->operation, "%s", operation);
        }
    }
    return trace;
}

static sb_trace_row *row_in_work(sb_trace *trace)
{
    return &trace->row[trace->n - 1];
}

/* The next tensor of the row. Several of one role are numbered. */
static sb_trace_tensor *add(sb_trace *trace, const char *role, bool written)
{
    sb_trace_row *row = row_in_work(trace);
    if (row->n == SB_TRACE_TENSORS_MAX) {
        trace->lost = true;
        return NULL;
    }
    int same = 1;
    size_t length = strlen(role);
    for (int i = 0; i < row->n; i++)
        same += row->tensor[i].written == written && strncmp(row->tensor[i].role, role, length) == 0 &&
                (row->tensor[i].role[length] == 0 || row->tensor[i].role[length] == ' ');
    sb_trace_tensor *tensor = &row->tensor[row->n++];
    *tensor = (sb_trace_tensor){.written = written};
    if (same > 1)
        snprintf(tensor->role, sizeof tensor->role, "%s %d", role, same);
    else
        snprintf(tensor->role, sizeof tensor->role, "%s", role);
    return tensor;
}

static bool is_kept(const sb_trace *trace)
{
    return trace->keep >= 0 && trace->n == (size_t)trace->keep + 1;
}

/* What trace->host holds, as the content of a tensor; memory: where the network has it. */
static void fill(const sb_trace *trace, sb_trace_tensor *tensor, int c, int h, int w, const void *memory)
{
    const size_t n = (size_t)c * h * w;
    tensor->c = c, tensor->h = h, tensor->w = w;
    tensor->hash = sb_hash_of(trace->host, n, sizeof(sb_real));
    if (!sb_learner_name(trace->learner, memory, n, tensor->name, sizeof tensor->name)) *tensor->name = 0;
}

/* The same as a tensor of the row in work. By one thread. */
static void put(sb_trace *trace, const char *role, bool written, int c, int h, int w, const void *memory)
{
    const size_t n_bytes = (size_t)c * h * w * sizeof(sb_real);
    sb_trace_tensor *tensor = add(trace, role, written);
    if (!tensor) return;
    fill(trace, tensor, c, h, w, memory);
    if (!is_kept(trace)) return;
    tensor->numbers = malloc(n_bytes);
    if (tensor->numbers)
        memcpy(tensor->numbers, trace->host, n_bytes);
    else
        trace->lost = true;
}

/* ---- what an operation reads and writes ---- */

/* Room for n elements on their way; false: memory is short. */
static bool make_room(sb_trace *trace, size_t n)
{
#pragma omp single
    if (!trace->lost && n > trace->planes_room) {
        if (trace->planes) trace->inner->release(trace->inner, trace->planes);
        free(trace->host);
        trace->planes = trace->inner->allocate(trace->inner, n * sizeof(sb_real));
        trace->host = malloc(n * sizeof(sb_real));
        trace->planes_room = trace->planes && trace->host ? n : 0;
        trace->lost = trace->planes_room == 0;
    }
    return !trace->lost;
}

/* A tensor's numbers to trace->host; false: memory is short. */
static bool fetch_tensor(sb_trace *trace, const sb_tensor *tensor)
{
    const size_t n = sb_tensor_size(tensor);
    if (!make_room(trace, n)) return false;
    trace->inner->map_store(trace->inner, tensor, trace->planes);
    trace->inner->to_host(trace->inner, trace->host, trace->planes, n * sizeof(sb_real));
    return true;
}

/* A tensor's planes as one stack; samples of one pixel, the vectors of dense layers, as rows. */
static void shape_of(const sb_tensor *tensor, int *c, int *h, int *w)
{
    const int channels = tensor->gates * tensor->c;
    const bool is_vector = tensor->h == 1 && tensor->w == 1;
    *c = is_vector ? 1 : tensor->n * channels;
    *h = is_vector ? tensor->n : tensor->h;
    *w = is_vector ? channels : tensor->w;
}

void sb_trace_planes(sb_trace *trace, const char *role, bool written, const sb_tensor *tensor)
{
    int c, h, w;
    if (!fetch_tensor(trace, tensor)) return;
    shape_of(tensor, &c, &h, &w);
#pragma omp single
    put(trace, role, written, c, h, w, tensor->x);
}

void sb_trace_vector(sb_trace *trace, const char *role, bool written, const sb_real *x, size_t n)
{
    if (!make_room(trace, n)) return;
    trace->inner->to_host(trace->inner, trace->host, x, n * sizeof(sb_real));
#pragma omp single
    put(trace, role, written, 1, 1, (int)n, x);
}

void sb_trace_bytes(sb_trace *trace, const char *role, bool written, const uint8_t *host, size_t n)
{
    if (!make_room(trace, n)) return;
#pragma omp single
    {
        for (size_t i = 0; i < n; i++) trace->host[i] = host[i];
        put(trace, role, written, 1, 1, (int)n, host);
    }
}

/* The bytes come to the end of the room, from where each is read before its number is written over it. */
void sb_trace_classes(sb_trace *trace, const char *role, bool written, const uint8_t *x, size_t n)
{
    if (!make_room(trace, n)) return;
    uint8_t *bytes = (uint8_t *)(trace->host + n) - n;
    trace->inner->to_host(trace->inner, bytes, x, n);
#pragma omp single
    {
        for (size_t i = 0; i < n; i++) trace->host[i] = bytes[i];
        put(trace, role, written, 1, 1, (int)n, x);
    }
}

void sb_trace_numbers(sb_trace *trace, const char *role, bool written, const sb_real *host, size_t n)
{
    if (!make_room(trace, n)) return;
#pragma omp single
    {
        memcpy(trace->host, host, n * sizeof *host);
        put(trace, role, written, 1, 1, (int)n, host);
    }
}

void sb_trace_doubles(sb_trace *trace, const char *role, bool written, const double *x, size_t n)
{
    if (!make_room(trace, n * sizeof *x / sizeof(sb_real))) return;
    trace->inner->to_host(trace->inner, trace->host, x, n * sizeof *x);
#pragma omp single
    {
        sb_trace_tensor *tensor = add(trace, role, written);
        if (tensor) tensor->hash = sb_hash_of(trace->host, n, sizeof *x);
    }
}

/* ---- what a backend keeps in a form of its own ---- */

static sb_trace_tensor *find_source(sb_trace *trace, const void *memory)
{
    for (size_t i = 0; i < trace->n_sources; i++)
        if (trace->source[i].memory == memory) return &trace->source[i].tensor;
    return NULL;
}

/* By one thread. */
static sb_trace_tensor *make_source(sb_trace *trace, const void *memory)
{
    sb_trace_tensor *found = find_source(trace, memory);
    if (found) return found;
    if (!sb_size_reserve(&trace->source, &trace->sources_room, trace->n_sources + 1, sizeof *trace->source)) {
        trace->lost = true;
        return NULL;
    }
    sb_trace_source *source = &trace->source[trace->n_sources++];
    *source = (sb_trace_source){.memory = memory};
    return &source->tensor;
}

void sb_trace_made(sb_trace *trace, const void *operand, const sb_tensor *tensor)
{
    if (!fetch_tensor(trace, tensor)) return;
#pragma omp single
    {
        sb_trace_tensor *source = make_source(trace, operand);
        int c, h, w;
        shape_of(tensor, &c, &h, &w);
        if (source) fill(trace, source, c, h, w, tensor->x);
    }
}

void sb_trace_source_of(sb_trace *trace, const char *role, const void *operand)
{
#pragma omp single
    {
        const sb_trace_tensor *source = trace->lost ? NULL : find_source(trace, operand);
        sb_trace_tensor *tensor = source ? add(trace, role, false) : NULL;
        if (tensor) {
            sb_trace_tensor known = *source;
            memcpy(known.role, tensor->role, sizeof known.role);
            *tensor = known;
            tensor->written = false;
        }
    }
}

void sb_trace_forget(sb_trace *trace, const void *accumulator)
{
#pragma omp single
    {
        sb_trace_tensor *source = trace->lost ? NULL : make_source(trace, accumulator);
        if (source) *source = (sb_trace_tensor){0};
    }
}

/* "E of layer 1, frame 3" and "gates of layer 1, frame 3": "E of layer 1 and gates of layer 1" */
static void join_names(char *name, const char *x, const char *dy)
{
    char first[SB_TRACE_NAME], second[SB_TRACE_NAME];
    snprintf(first, sizeof first, "%s", x);
    snprintf(second, sizeof second, "%s", dy);
    first[strcspn(first, ",")] = second[strcspn(second, ",")] = 0;
    snprintf(name, SB_TRACE_NAME, "%.28s and %.28s", first, second);
}

void sb_trace_accumulate(sb_trace *trace, const void *accumulator, const void *x, const void *dy)
{
#pragma omp single
    {
        sb_trace_tensor *sum = trace->lost ? NULL : make_source(trace, accumulator);
        const sb_trace_tensor *a = find_source(trace, x), *b = find_source(trace, dy);
        if (sum && a && b) {
            const sb_hash pair[3] = {sum->hash, a->hash, b->hash};
            sum->hash = sb_hash_of(pair, sizeof pair, 1);
            sum->c = sum->h = 1, sum->w++;
            join_names(sum->name, a->name, b->name);
        }
    }
}

/* ---- opening and closing ---- */

sb_status sb_trace_open(sb_trace **opened, sb_learner *learner, long keep)
{
    sb_net *net = learner->net;
    sb_trace *trace = *opened = calloc(1, sizeof *trace);
    if (!trace) return sb_fail(SB_E_MEMORY, "not enough memory for a trace");
    trace->inner = net->ops;
    trace->learner = learner;
    trace->net = net;
    trace->keep = keep;
    trace->ops = *net->ops;
    sb_trace_fill(&trace->ops);
    net->ops = &trace->ops;
    return SB_OK;
}

sb_status sb_trace_stop(sb_trace *trace)
{
    trace->net->ops = trace->inner;
    if (trace->planes) trace->inner->release(trace->inner, trace->planes);
    free(trace->host);
    trace->planes = trace->host = NULL;
    trace->planes_room = 0;
    return trace->lost ? sb_fail(SB_E_MEMORY, "not enough memory for a trace") : SB_OK;
}

const sb_trace_row *sb_trace_rows(const sb_trace *trace, size_t *n)
{
    *n = trace->n;
    return trace->row;
}

void sb_trace_close(sb_trace *trace)
{
    if (!trace) return;
    if (trace->net->ops == &trace->ops) sb_trace_stop(trace);
    for (size_t i = 0; i < trace->n; i++)
        for (int k = 0; k < trace->row[i].n; k++) free(trace->row[i].tensor[k].numbers);
    free(trace->row);
    free(trace->source);
    free(trace);
}
