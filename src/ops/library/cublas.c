/* The few functions of cuBLAS that are used, declared here so that no header of it is needed at build time: names and
 * numbers come from its documented C interface, the same from 11 to 13. */
#include "ops/library/cublas.h"

#include "ops/library/library.h"

#include <stdio.h>
#include <stdlib.h>

typedef void *handle;
enum { SUCCESS = 0, OP_N = 0, OP_T = 1, DEFAULT_MATH = 0, TF32_MATH = 3 };
enum { MAJOR = 0, MINOR = 1, PATCH = 2 }; /* libraryPropertyType */

struct sb_cublas {
    void *library;
    handle handle;
    void *stream, *workspace; /* as it is to be started */
    bool tf32;
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

static char started_version[32]; /* of the last one that started */

static void read_version(sb_cublas *b)
{
    int part[3];
    bool known = true;
    for (int i = MAJOR; i <= PATCH; i++) known = known && b->get_property(i, &part[i]) == SUCCESS;
    if (known)
        snprintf(b->version, sizeof b->version, "%d.%d.%d", part[MAJOR], part[MINOR], part[PATCH]);
    else
        snprintf(b->version, sizeof b->version, "of unknown version");
}

/* Opens the first that starts; start NULL: the first that opens. */
static sb_status load(sb_cublas *b, sb_library_start *start)
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
    SB_TRY(sb_library_open(&b->library, "cuBLAS", "SAMEBITS_CUBLAS", names, symbols, start, b));
    read_version(b);
    return SB_OK;
}

/* What it said no to. */
static sb_status refused(sb_cublas *b, const char *what, int status)
{
    if (b->handle) b->destroy(b->handle);
    b->handle = NULL;
    return sb_fail(SB_E_MISSING, "cuBLAS %s %s: status %d", b->version, what, status);
}

static sb_status start(void *context)
{
    sb_cublas *b = context;
    int status;
    b->handle = NULL;
    read_version(b);
    if ((status = b->create(&b->handle)) != SUCCESS) {
        b->handle = NULL;
        return refused(b, "does not start", status);
    }
    if ((status = b->set_stream(b->handle, b->stream)) != SUCCESS) return refused(b, "takes no stream", status);
    if (b->workspace && (status = b->set_workspace(b->handle, b->workspace, SB_CUBLAS_WORKSPACE)) != SUCCESS)
        return refused(b, "takes no workspace", status);
    if ((status = b->set_math_mode(b->handle, b->tf32 ? TF32_MATH : DEFAULT_MATH)) != SUCCESS)
        return refused(b, b->tf32 ? "does not turn TF32 on" : "does not turn TF32 off", status);
    snprintf(started_version, sizeof started_version, "%s", b->version);
    return SB_OK;
}

static sb_status open_started(sb_cublas **blas, sb_cublas wanted)
{
    sb_cublas *b = *blas = malloc(sizeof *b);
    if (!b) return sb_fail(SB_E_MEMORY, "not enough memory for cuBLAS");
    *b = wanted;
    sb_status status = load(b, start);
    if (status == SB_OK) return SB_OK;
    free(b);
    *blas = NULL;
    return status;
}

bool sb_cublas_found(char *why, size_t size)
{
    sb_cublas *b;
    bool found = open_started(&b, (sb_cublas){0}) == SB_OK;
    if (!found) snprintf(why, size, "%s", sb_message());
    sb_cublas_close(b);
    return found;
}

bool sb_cublas_found_version(char *version, size_t size)
{
    sb_cublas b = {0};
    bool found = *started_version || load(&b, NULL) == SB_OK;
    snprintf(version, size, "%s", *started_version ? started_version : b.version);
    sb_library_close(b.library);
    return found;
}

sb_status sb_cublas_open_library(sb_cublas **blas, void *stream, void *workspace, bool tf32)
{
    *blas = NULL;
    SB_TRY(sb_library_environment("cuBLAS", tf32));
    return open_started(blas, (sb_cublas){.stream = stream, .workspace = workspace, .tf32 = tf32});
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
