/* The few functions of cuBLAS that are used, declared here so that no header of it is needed at build time: names and
 * numbers are those of its documented C interface, the same from 11 to 13. */
#include "ops/cublas.h"

#include "ops/library.h"

#include <stdio.h>
#include <stdlib.h>

typedef void *handle;
enum { SUCCESS = 0, OP_N = 0, OP_T = 1, DEFAULT_MATH = 0, TF32_MATH = 3 };
enum { MAJOR = 0, MINOR = 1, PATCH = 2 }; /* libraryPropertyType */

struct sb_cublas {
    void *library;
    handle handle;
    int (*create)(handle *);
    int (*destroy)(handle);
    int (*get_property)(int type, int *value);
    int (*set_stream)(handle, void *stream);
    int (*set_workspace)(handle, void *workspace, size_t n_bytes);
    int (*set_math_mode)(handle, int mode);
    int (*sgemm)(handle, int a_op, int b_op, int m, int n, int k, const float *alpha, const float *a, int a_row,
                 const float *b, int b_row, const float *beta, float *c, int c_row);
    char version[32];
};

static sb_status load(sb_cublas *b)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", NULL};
    const sb_symbol symbols[] = {{"cublasCreate_v2", (void (**)(void)) & b->create},
                                 {"cublasDestroy_v2", (void (**)(void)) & b->destroy},
                                 {"cublasGetProperty", (void (**)(void)) & b->get_property},
                                 {"cublasSetStream_v2", (void (**)(void)) & b->set_stream},
                                 {"cublasSetWorkspace_v2", (void (**)(void)) & b->set_workspace},
                                 {"cublasSetMathMode", (void (**)(void)) & b->set_math_mode},
                                 {"cublasSgemm_v2", (void (**)(void)) & b->sgemm},
                                 {0}};
    SB_TRY(sb_library_open(&b->library, "cuBLAS", "SAMEBITS_CUBLAS", names, symbols));
    int version[3] = {0};
    for (int i = MAJOR; i <= PATCH; i++) b->get_property(i, &version[i]);
    snprintf(b->version, sizeof b->version, "%d.%d.%d", version[MAJOR], version[MINOR], version[PATCH]);
    return SB_OK;
}

bool sb_cublas_found(char *why, size_t size)
{
    sb_cublas b = {0};
    bool found = load(&b) == SB_OK;
    if (!found) snprintf(why, size, "%s", sb_message());
    sb_library_close(b.library);
    return found;
}

bool sb_cublas_found_version(char *version, size_t size)
{
    sb_cublas b = {0};
    bool found = load(&b) == SB_OK;
    snprintf(version, size, "%s", b.version);
    sb_library_close(b.library);
    return found;
}

static sb_status start(sb_cublas *b, void *stream, void *workspace, bool tf32)
{
    int status = b->create(&b->handle);
    if (status != SUCCESS) return sb_fail(SB_E_MISSING, "cuBLAS %s does not start: status %d", b->version, status);
    status = b->set_stream(b->handle, stream);
    if (status == SUCCESS && workspace) status = b->set_workspace(b->handle, workspace, SB_CUBLAS_WORKSPACE);
    if (status == SUCCESS) status = b->set_math_mode(b->handle, tf32 ? TF32_MATH : DEFAULT_MATH);
    return status == SUCCESS ? SB_OK
                             : sb_fail(SB_E_MISSING, "cuBLAS %s takes no stream: status %d", b->version, status);
}

sb_status sb_cublas_open_library(sb_cublas **blas, void *stream, void *workspace, bool tf32)
{
    *blas = NULL;
    sb_cublas *b = calloc(1, sizeof *b);
    if (!b) return sb_fail(SB_E_MEMORY, "not enough memory for cuBLAS");
    sb_status status = load(b);
    if (status == SB_OK) status = start(b, stream, workspace, tf32);
    if (status == SB_OK)
        *blas = b;
    else
        sb_cublas_close(b);
    return status;
}

void sb_cublas_close(sb_cublas *blas)
{
    if (!blas) return;
    if (blas->handle) blas->destroy(blas->handle);
    sb_library_close(blas->library);
    free(blas);
}

const char *sb_cublas_version(const sb_cublas *blas)
{
    return blas->version;
}

/* Row-major c = a b is column-major c^T = b^T a^T. */
const char *sb_cublas_product(sb_cublas *blas, bool a_turned, bool b_turned, int m, int n, int k, const float *a,
                              int a_row, const float *b, int b_row, float beta, float *c, int c_row)
{
    static _Thread_local char words[64];
    const float one = 1;
    int status = blas->sgemm(blas->handle, b_turned ? OP_T : OP_N, a_turned ? OP_T : OP_N, n, m, k, &one, b, b_row, a,
                             a_row, &beta, c, c_row);
    if (status == SUCCESS) return NULL;
    snprintf(words, sizeof words, "cublasSgemm gives status %d", status);
    return words;
}
