#include "backend/cuda_nodes.h"

#include <stdlib.h>

/* In CUDA 13 these functions have other parameters. */
#if CUDART_VERSION >= 13000
static cudaError_t set_next(cudaStream_t stream, cudaGraphNode_t *node, size_t n)
{
    return cudaStreamUpdateCaptureDependencies(stream, node, NULL, n, cudaStreamSetCaptureDependencies);
}

static cudaError_t get_last(cudaStream_t stream, const cudaGraphNode_t **node, size_t *n)
{
    enum cudaStreamCaptureStatus status;
    const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, node, NULL, n);
    return error == cudaSuccess && status != cudaStreamCaptureStatusActive ? cudaErrorStreamCaptureInvalidated : error;
}
#else
static cudaError_t set_next(cudaStream_t stream, cudaGraphNode_t *node, size_t n)
{
    return cudaStreamUpdateCaptureDependencies(stream, node, n, cudaStreamSetCaptureDependencies);
}

static cudaError_t get_last(cudaStream_t stream, const cudaGraphNode_t **node, size_t *n)
{
    enum cudaStreamCaptureStatus status;
    const cudaError_t error = cudaStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, node, n);
    return error == cudaSuccess && status != cudaStreamCaptureStatusActive ? cudaErrorStreamCaptureInvalidated : error;
}
#endif

cudaError_t sb_cuda_nodes_begin(sb_cuda_nodes *nodes, cudaStream_t stream, int n, const int *before, size_t *n_nodes)
{
    *n_nodes = 0;
    for (int k = 0; k < n; k++)
        for (size_t i = nodes->first[before[k]]; i < nodes->first[before[k] + 1]; i++) {
            if (!sb_size_reserve(&nodes->next, &nodes->next_room, *n_nodes + 1, sizeof *nodes->next))
                return cudaErrorMemoryAllocation;
            nodes->next[(*n_nodes)++] = nodes->node[i];
        }
    return set_next(stream, nodes->next, *n_nodes);
}

cudaError_t sb_cuda_nodes_end(sb_cuda_nodes *nodes, cudaStream_t stream, bool is_urgent)
{
    const cudaGraphNode_t *last;
    size_t n;
    const cudaError_t error = get_last(stream, &last, &n);
    if (error != cudaSuccess) return error;
    if (!sb_size_reserve(&nodes->first, &nodes->entries_room, (size_t)nodes->n_entries + 2, sizeof *nodes->first) ||
        !sb_size_reserve(&nodes->node, &nodes->room, nodes->n + n, sizeof *nodes->node) ||
        !sb_size_reserve(&nodes->urgent, &nodes->urgent_room, nodes->n_urgent + n, sizeof *nodes->urgent))
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; is_urgent && i < n; i++) nodes->urgent[nodes->n_urgent++] = last[i];
    for (size_t i = 0; i < n; i++) nodes->node[nodes->n++] = last[i];
    nodes->first[++nodes->n_entries] = nodes->n;
    return cudaSuccess;
}

cudaError_t sb_cuda_nodes_prioritize(const sb_cuda_nodes *nodes)
{
    int least = 0, greatest = 0;
    enum cudaGraphNodeType type;
    cudaError_t error = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    const cudaLaunchAttributeValue value = {.priority = greatest};
    for (size_t i = 0; error == cudaSuccess && i < nodes->n_urgent; i++) {
        error = cudaGraphNodeGetType(nodes->urgent[i], &type);
        if (error == cudaSuccess && type == cudaGraphNodeTypeKernel)
            error = cudaGraphKernelNodeSetAttribute(nodes->urgent[i], cudaLaunchAttributePriority, &value);
    }
    return error;
}

void sb_cuda_nodes_free(sb_cuda_nodes *nodes)
{
    free(nodes->urgent);
    free(nodes->node);
    free(nodes->first);
    free(nodes->next);
    *nodes = (sb_cuda_nodes){0};
}
