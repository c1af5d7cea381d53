/* ask_libraries: what cuBLAS and cuDNN answer where there is no device. All functions that the trainer takes from them are
 * looked for; cuDNN describes a convolution and says what shape its result has. For the libraries of the images, in which
 * it runs (containers/README.md), and the tests' own. Exit code 0: all is as it should be; else a sentence. */
#include "core/status.h"
#include "ops/cublas.h"
#include "ops/cudnn.h"
#include "ops/library.h"

#include <stdio.h>

typedef void *object;
enum { NCHW = 0, FLOAT = 0, CROSS_CORRELATION = 1, FMA_MATH = 3 };

typedef struct calls {
    int (*create_tensor)(object *), (*create_filter)(object *), (*create_convolution)(object *);
    int (*destroy_tensor)(object), (*destroy_filter)(object), (*destroy_convolution)(object);
    int (*set_tensor)(object, int format, int type, int n, int c, int h, int w);
    int (*set_filter)(object, int type, int format, int k, int c, int h, int w);
    int (*set_convolution)(object, int pad_h, int pad_w, int u, int v, int dilation_h, int dilation_w, int mode,
                           int type);
    int (*set_math)(object, int math);
    int (*get_output)(object convolution, object x, object filter, int *n, int *c, int *h, int *w);
} calls;

static sb_status open_cudnn(calls *c, void **library)
{
    static const char *const names[] = {"libcudnn.so.9", "libcudnn.so.8", NULL};
#define AT(member) (void (**)(void)) & c->member
    const sb_symbol symbols[] = {{"cudnnCreateTensorDescriptor", AT(create_tensor)},
                                 {"cudnnCreateFilterDescriptor", AT(create_filter)},
                                 {"cudnnCreateConvolutionDescriptor", AT(create_convolution)},
                                 {"cudnnDestroyTensorDescriptor", AT(destroy_tensor)},
                                 {"cudnnDestroyFilterDescriptor", AT(destroy_filter)},
                                 {"cudnnDestroyConvolutionDescriptor", AT(destroy_convolution)},
                                 {"cudnnSetTensor4dDescriptor", AT(set_tensor)},
                                 {"cudnnSetFilter4dDescriptor", AT(set_filter)},
                                 {"cudnnSetConvolution2dDescriptor", AT(set_convolution)},
                                 {"cudnnSetConvolutionMathType", AT(set_math)},
                                 {"cudnnGetConvolution2dForwardOutputDim", AT(get_output)},
                                 {0}};
#undef AT
    return sb_library_open(library, "cuDNN", "SAMEBITS_CUDNN", names, symbols, NULL, NULL);
}

/* 16 filters of 3x3 over two images of 3x48x32, as src/ops/cudnn_convolve.c describes them. */
static sb_status ask_shape(const calls *c)
{
    object x = NULL, filter = NULL, convolution = NULL;
    int out[4] = {0};
    int status = c->create_tensor(&x);
    if (!status) status = c->create_filter(&filter);
    if (!status) status = c->create_convolution(&convolution);
    if (!status) status = c->set_tensor(x, NCHW, FLOAT, 2, 3, 48, 32);
    if (!status) status = c->set_filter(filter, FLOAT, NCHW, 16, 3, 3, 3);
    if (!status) status = c->set_convolution(convolution, 1, 1, 1, 1, 1, 1, CROSS_CORRELATION, FLOAT);
    if (!status) status = c->set_math(convolution, FMA_MATH);
    if (!status) status = c->get_output(convolution, x, filter, &out[0], &out[1], &out[2], &out[3]);
    if (convolution) c->destroy_convolution(convolution);
    if (filter) c->destroy_filter(filter);
    if (x) c->destroy_tensor(x);
    if (status) return sb_fail(SB_E_DIFFERS, "cuDNN gives status %d", status);
    printf("16 filters of 3x3 over 2x3x48x32: %dx%dx%dx%d\n", out[0], out[1], out[2], out[3]);
    if (out[0] == 2 && out[1] == 16 && out[2] == 48 && out[3] == 32) return SB_OK;
    return sb_fail(SB_E_DIFFERS, "cuDNN gives another shape than 2x16x48x32");
}

static sb_status ask(void)
{
    char version[32];
    calls c;
    void *library;
    if (!sb_cublas_found_version(version, sizeof version)) return SB_E_MISSING;
    printf("cuBLAS %s\n", version);
    if (!sb_cudnn_found_version(version, sizeof version)) return SB_E_MISSING;
    printf("cuDNN %s\n", version);
    SB_TRY(open_cudnn(&c, &library));
    sb_status status = ask_shape(&c);
    sb_library_close(library);
    return status;
}

int main(void)
{
    sb_status status = ask();
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}
