/* ask_libraries: what cuBLAS and cuDNN answer where there is no device. All functions that the trainer takes from them are
 * looked for; cuDNN describes tensors and, where the GPU's driver or a stand-in for it is, a convolution, and says what
 * shape its result has; by its graph API it takes the operations that the trainer describes, of each kind and beta. For the libraries of the images, in which it runs (containers/README.md), and the tests' own. Exit
 * code 0: all is as it should be; else a sentence. */
#include "core/status.h"
#include "ops/library/cublas.h"
#include "ops/library/cudnn_parts.h"
#include "ops/library/library.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* 16 filters of 3x3 over two images of 3x48x32, as src/ops/library/cudnn_calls.c describes them. */
typedef struct described {
    object x, filter, convolution;
} described;

static int describe_tensors(const calls *c, described *d)
{
    int status = c->create_tensor(&d->x);
    if (!status) status = c->create_filter(&d->filter);
    if (!status) status = c->set_tensor(d->x, NCHW, FLOAT, 2, 3, 48, 32);
    if (!status) status = c->set_filter(d->filter, FLOAT, NCHW, 16, 3, 3, 3);
    return status;
}

static int describe_convolution(const calls *c, described *d, int out[4])
{
    int status = c->create_convolution(&d->convolution);
    if (!status) status = c->set_convolution(d->convolution, 1, 1, 1, 1, 1, 1, CROSS_CORRELATION, FLOAT);
    if (!status) status = c->set_math(d->convolution, FMA_MATH);
    if (!status) status = c->get_output(d->convolution, d->x, d->filter, &out[0], &out[1], &out[2], &out[3]);
    return status;
}

static sb_status ask_shape(const calls *c, described *d)
{
    int out[4] = {0}, status = describe_convolution(c, d, out);
    if (d->convolution) c->destroy_convolution(d->convolution);
    if (status) return sb_fail(SB_E_DIFFERS, "cuDNN gives status %d of a convolution", status);
    printf("16 filters of 3x3 over 2x3x48x32: %dx%dx%dx%d\n", out[0], out[1], out[2], out[3]);
    if (out[0] == 2 && out[1] == 16 && out[2] == 48 && out[3] == 32) return SB_OK;
    return sb_fail(SB_E_DIFFERS, "cuDNN gives another shape than 2x16x48x32");
}

/* The graph API's functions in a cuDNN that is not started. */
static sb_status open_graphs(sb_cudnn *d, void **library)
{
    static const char *const names[] = {"libcudnn.so.9", "libcudnn.so.8", NULL};
    sb_symbol symbols[16] = {{0}};
    const sb_cudnn_function *function = sb_cudnn_api_graph.functions;
    for (int i = 0; function[i].name; i++)
        symbols[i] = (sb_symbol){function[i].name, (void (**)(void))((char *)d + function[i].member)};
    return sb_library_open(library, "cuDNN", "SAMEBITS_CUDNN", names, symbols, NULL, NULL);
}

static sb_status ask_operations(sb_cudnn *d)
{
    enum { SUBLIBRARY_LOADING_FAILED = 1008 };
    int n = 0;
    for (sb_cudnn_work work = 0; work < SB_N_CUDNN_WORKS; work++)
        for (int beta = 0; beta < 2; beta++, n++) {
            const sb_cudnn_planned of = {{2, 3, 16, 48, 32, 3, 1}, work, (float)beta, {16, 4, 16}};
            sb_cudnn_made made = {0};
            sb_cudnn_graph_operation(d, &of, &made);
            int status = made.code, n_made = made.n;
            sb_cudnn_graph_drop(d, &made, 0);
            if (status == SUBLIBRARY_LOADING_FAILED) {
                printf("for the graph API this cuDNN wants the GPU's driver\n");
                return SB_OK;
            }
            if (status)
                return sb_fail(SB_E_DIFFERS, "cuDNN gives status %d of the graph API's %s, descriptor %d", status,
                               sb_cudnn_work_name[work], n_made);
        }
    printf("%d operations of the graph API are described\n", n);
    return SB_OK;
}

static sb_status said(sb_status status)
{
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    fflush(stdout);
    return status;
}

static sb_status ask_both(const calls *c, described *d, sb_cudnn *graphs)
{
    SB_TRY(ask_shape(c, d));
    return ask_operations(graphs);
}

/* In a process of its own: where a library that it opens then is not there, cuDNN ends the process. */
static sb_status ask_both_apart(const calls *c, described *d, sb_cudnn *graphs)
{
    int end = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(sb_exit_code(said(ask_both(c, d, graphs))));
    if (child < 0 || waitpid(child, &end, 0) < 0) return sb_fail(SB_E_IO, "no second process");
    if (WIFSIGNALED(end))
        return sb_fail(SB_E_MISSING,
                       "asked of a convolution, cuDNN ends the process (signal %d): it wants the GPU's driver",
                       WTERMSIG(end));
    return end ? sb_fail(SB_E_DIFFERS, "cuDNN does not answer as it should") : SB_OK;
}

static sb_status ask(void)
{
    char version[32];
    calls c;
    void *library, *same;
    static sb_cudnn graphs;
    if (!sb_cublas_found_version(version, sizeof version)) return SB_E_MISSING;
    printf("cuBLAS %s\n", version);
    if (!sb_cudnn_found_version(version, sizeof version)) return SB_E_MISSING;
    printf("cuDNN %s\n", version);
    SB_TRY(open_cudnn(&c, &library));
    SB_TRY(open_graphs(&graphs, &same));
    described d = {0};
    int status = describe_tensors(&c, &d);
    if (!status) printf("tensors are described\n");
    sb_status answer =
        status ? sb_fail(SB_E_DIFFERS, "cuDNN gives status %d of a tensor", status) : ask_both_apart(&c, &d, &graphs);
    if (d.filter) c.destroy_filter(d.filter);
    if (d.x) c.destroy_tensor(d.x);
    return answer;
}

int main(void)
{
    return sb_exit_code(said(ask()));
}
