/* The GPU backends of a program that was built without CUDA: rows of the registry that say so. */
#include "backend/context.h"

#include <stdio.h>

static bool absent(char *why, size_t size)
{
#ifdef SB_REAL_IS_DOUBLE
    snprintf(why, size, "GPUs compute in float32 here, and this program is the float64 one");
#else
    snprintf(why, size, "this program was built without CUDA; build it where nvcc is, with 'cmake --preset cuda'");
#endif
    return false;
}

sb_status sb_cuda_choose(int device)
{
    (void)device;
    return SB_OK;
}

bool sb_native_cuda_available(char *why, size_t size)
{
    return absent(why, size);
}

bool sb_cublas_available(char *why, size_t size)
{
    return absent(why, size);
}

bool sb_cudnn_available(char *why, size_t size)
{
    return absent(why, size);
}

static sb_status refuse(void)
{
    char why[128];
    absent(why, sizeof why);
    return sb_fail(SB_E_MISSING, "%s", why);
}

sb_status sb_native_cuda_open(sb_ops **ops, const sb_backend_options *options)
{
    (void)ops, (void)options;
    return refuse();
}

sb_status sb_cublas_open(sb_ops **ops, const sb_backend_options *options)
{
    (void)ops, (void)options;
    return refuse();
}

sb_status sb_cudnn_open(sb_ops **ops, const sb_backend_options *options)
{
    (void)ops, (void)options;
    return refuse();
}

void sb_cuda_facts(sb_facts *facts)
{
    (void)facts;
}
