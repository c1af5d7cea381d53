/* The nodes of a CUDA graph while a stream is captured: each entry of a command list waits for the entries that it needs
 * (backend/dependences.h), and not for the one before it. Nodes are captured, not added by hand, so calls of libraries
 * may have any number of them. */
#pragma once

#include "core/size.h"

#include <cuda_runtime_api.h>

typedef struct sb_cuda_nodes {
    int n_entries;
    size_t n, room, entries_room, next_room;
    cudaGraphNode_t *node; /* [n]: the last nodes of each entry */
    size_t *first;         /* [n_entries + 1]: of entry i from node[first[i]] on */
    cudaGraphNode_t *next; /* what the next node waits for */
    size_t n_urgent, urgent_room;
    cudaGraphNode_t *urgent; /* [n_urgent]: the last nodes of urgent entries, so of several kernels of a library one */
} sb_cuda_nodes;

/* Before the work of the next entry is put on the stream: it waits for the n entries `before`, by their numbers from 0,
 * alone. *n_nodes: how many nodes these are. A failure is cudaErrorMemoryAllocation or one of the runtime. */
cudaError_t sb_cuda_nodes_begin(sb_cuda_nodes *nodes, cudaStream_t stream, int n, const int *before, size_t *n_nodes);

/* After it. */
cudaError_t sb_cuda_nodes_end(sb_cuda_nodes *nodes, cudaStream_t stream, bool is_urgent);

/* After the capture, before the graph is instantiated: give the kernels among the urgent nodes the greatest priority that
 * the device has. Instantiate it with cudaGraphInstantiateFlagUseNodePriority. */
cudaError_t sb_cuda_nodes_prioritize(const sb_cuda_nodes *nodes);

void sb_cuda_nodes_free(sb_cuda_nodes *nodes); /* ready for the next graph */
