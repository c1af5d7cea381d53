/* A program that loads tests/gpu/timeline.c as a CUDA driver does, with a CUPTI whose records are made up: two launches of
 * one graph of 40 nodes, then a kernel outside of any graph. Node k begins at 10 k us and takes 8 us; every fourth node
 * runs on a second stream 6 us early, and between nodes 19 and 20 there are 100 us more. */
#include <cupti.h>

#include <stdio.h>
#include <stdlib.h>

enum { NODES = 40 };

static CUpti_BuffersCallbackCompleteFunc completed;
static CUpti_ActivityKernel9 record[2 * NODES + 1];
static int next;

int InitializeInjection(void);

CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                                    CUpti_BuffersCallbackCompleteFunc complete)
{
    (void)request;
    completed = complete;
    return getenv("FAKE_CUPTI_ABSENT") ? CUPTI_ERROR_NOT_INITIALIZED : CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind)
{
    (void)kind;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult result, const char **words)
{
    (void)result;
    *words = "made-up error";
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *n)
{
    (void)context, (void)stream;
    *n = 0;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **activity)
{
    (void)buffer, (void)valid;
    if (next == 2 * NODES + 1) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *activity = (CUpti_Activity *)&record[next++];
    return CUPTI_SUCCESS;
}

static void make_node(int launch, int k)
{
    const int early = k % 4 == 3, late = k >= NODES / 2;
    const uint64_t start =
        1000000 * (uint64_t)(launch + 1) + 10000 * (uint64_t)k - 6000 * (uint64_t)early + 100000 * (uint64_t)late;
    record[launch * NODES + NODES - 1 - k] = (CUpti_ActivityKernel9){
        /* the last node first */
        .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        .start = start,
        .end = start + 8000,
        .streamId = 7 + (uint32_t)early,
        .gridX = 3,
        .gridY = 2,
        .gridZ = 1,
        .blockX = 256,
        .blockY = 1,
        .blockZ = 1,
        .registersPerThread = 40,
        .correlationId = 50 + (uint32_t)launch,
        .graphId = 9,
        .name = early ? "a_library<int, 3>" : "_Z24sb_relu_backward_kernel21sb_relu_backward_args"};
}

CUptiResult CUPTIAPI cuptiActivityFlushAll(uint32_t flag)
{
    (void)flag;
    for (int launch = 0; launch < 2; launch++)
        for (int k = 0; k < NODES; k++) make_node(launch, k);
    record[2 * NODES] = (CUpti_ActivityKernel9){.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .correlationId = 99};
    if (!getenv("FAKE_CUPTI_EMPTY")) completed(NULL, 0, malloc(1), 1, 1);
    return CUPTI_SUCCESS;
}

int main(void)
{
    return InitializeInjection() == 1 ? 0 : 1;
}
