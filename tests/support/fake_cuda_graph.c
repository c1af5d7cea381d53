/* Captures and graphs of fake_cuda_runtime.c. */
#include "fake_cuda_parts.h"

#include <stdint.h>
#include <stdlib.h>

static cudaGraph_t the_graph;                        /* that was captured last: its nodes are known by their numbers */
static cudaGraphNode_t next_before[FAKE_BEFORE_MAX]; /* of the next captured work: numbers of nodes, from 1 */
static size_t n_next_before;

static void append(fake_list *l, const fake_work *w)
{
    l->at = realloc(l->at, sizeof *l->at * (l->n + 1));
    if (!l->at) abort();
    l->at[l->n++] = *w;
}

static fake_list copy_of(const fake_list *l)
{
    fake_list c = {0};
    for (size_t i = 0; i < l->n; i++) append(&c, &l->at[i]);
    return c;
}

void fake_capture(fake_list *captured, const fake_work *w)
{
    fake_work node = *w;
    node.n_before = (int)n_next_before;
    for (size_t i = 0; i < n_next_before; i++) node.before[i] = (int)(uintptr_t)next_before[i] - 1;
    append(captured, &node);
    next_before[0] = (cudaGraphNode_t)(uintptr_t)captured->n;
    n_next_before = 1;
}

static bool is_ready(const fake_work *node, const bool *is_done)
{
    for (int k = 0; k < node->n_before; k++)
        if (!is_done[node->before[k]]) return false;
    return true;
}

/* Of the nodes that may run, always the one that was captured last. */
static void perform_graph(const fake_list *graph)
{
    bool *is_done = calloc(graph->n + 1, sizeof *is_done);
    if (!is_done) abort();
    for (size_t done = 0; done < graph->n; done++) {
        size_t n_ready = 0, latest = 0;
        for (size_t i = 0; i < graph->n; i++)
            if (!is_done[i] && is_ready(&graph->at[i], is_done)) latest = i, n_ready++;
        if (n_ready == 0) abort();
        fake.n_choices += n_ready > 1;
        fake_perform(&graph->at[latest]);
        is_done[latest] = true;
    }
    free(is_done);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    MAY_FAIL;
    (void)mode;
    if (!fake_is_open(stream, FAKE_STREAMS) || stream->thing.flag) return fake_give(cudaErrorInvalidValue);
    stream->thing.flag = true;
    n_next_before = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **node, const cudaGraphEdgeData **edge,
                                     size_t *n)
{
    MAY_FAIL;
    (void)id, (void)graph, (void)edge;
    if (!fake_is_open(stream, FAKE_STREAMS)) return fake_give(cudaErrorInvalidValue);
    *status = stream->thing.flag ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    *node = next_before, *n = n_next_before;
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *node,
                                                const cudaGraphEdgeData *edge, size_t n, unsigned flags)
{
    MAY_FAIL;
    if (!fake_is_open(stream, FAKE_STREAMS) || !stream->thing.flag || edge || flags != cudaStreamSetCaptureDependencies)
        return fake_give(cudaErrorInvalidValue);
    if (n > FAKE_BEFORE_MAX) abort();
    for (size_t i = 0; i < n; i++) next_before[i] = node[i];
    n_next_before = n;
    return cudaSuccess;
}

/* Ends the capture also where it fails. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (!fake_is_open(stream, FAKE_STREAMS) || !stream->thing.flag) {
        fake.misused = true;
        return fake_give(cudaErrorInvalidValue);
    }
    fake_list captured = stream->thing.list;
    cudaError_t error = fake_due(__func__, cudaErrorStreamCaptureInvalidated);
    stream->thing.flag = false;
    stream->thing.list = (fake_list){0};
    *graph = NULL;
    if (error != cudaSuccess) {
        free(captured.at);
        return error;
    }
    *graph = the_graph = fake_open(FAKE_GRAPHS);
    (*graph)->thing.list = captured;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    MAY_FAIL;
    *least = FAKE_LEAST, *greatest = FAKE_GREATEST;
    return cudaSuccess;
}

/* NULL: no such node. */
static fake_work *find_node(cudaGraphNode_t node)
{
    const size_t number = (size_t)(uintptr_t)node;
    if (!the_graph || !fake_is_open(the_graph, FAKE_GRAPHS)) return NULL;
    return number >= 1 && number <= the_graph->thing.list.n ? &the_graph->thing.list.at[number - 1] : NULL;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    MAY_FAIL;
    const fake_work *w = find_node(node);
    if (!w) return fake_give(cudaErrorInvalidValue);
    *type = w->kernel >= 0 ? cudaGraphNodeTypeKernel : w->from ? cudaGraphNodeTypeMemcpy : cudaGraphNodeTypeMemset;
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue *value)
{
    MAY_FAIL;
    fake_work *w = find_node(node);
    if (!w || w->kernel < 0 || attribute != cudaLaunchAttributePriority) return fake_give(cudaErrorInvalidValue);
    w->priority = value->priority;
    return cudaSuccess;
}

/* Priorities that the instantiation does not ask for have no effect. */
static void see_priorities(const fake_list *graph, bool use)
{
    if (graph->n > FAKE_NODES) abort();
    fake.n_nodes = (int)graph->n;
    for (size_t i = 0; i < graph->n; i++) {
        fake.priority[i] = graph->at[i].priority;
        fake.misused |= !use && graph->at[i].priority != FAKE_LEAST;
    }
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *runnable, cudaGraph_t graph, unsigned long long flags)
{
    MAY_FAIL_AS(cudaErrorMemoryAllocation);
    if (!fake_is_open(graph, FAKE_GRAPHS)) return fake_give(cudaErrorInvalidValue);
    see_priorities(&graph->thing.list, flags & cudaGraphInstantiateFlagUseNodePriority);
    *runnable = fake_open(FAKE_RUNNABLE_GRAPHS);
    (*runnable)->thing.list = copy_of(&graph->thing.list);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    MAY_FAIL;
    return fake_close(graph, FAKE_GRAPHS);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t runnable)
{
    MAY_FAIL;
    return fake_close(runnable, FAKE_RUNNABLE_GRAPHS);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t runnable, cudaStream_t stream)
{
    MAY_FAIL;
    if (!fake_is_open(runnable, FAKE_RUNNABLE_GRAPHS) || !fake_is_open(stream, FAKE_STREAMS))
        return fake_give(cudaErrorInvalidValue);
    fake_count_work();
    perform_graph(&runnable->thing.list);
    return cudaSuccess;
}
