#include "ops/cudnn_parts.h"

#include "ops/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_cudnn_choice_name[SB_N_CUDNN_CHOICES] = {"deterministic", "atomics", "heuristic", "timed"};

static char started_version[32]; /* of the last one that started */

static void read_version(sb_cudnn *d)
{
    unsigned version = (unsigned)d->get_version(), major = version >= 90000 ? 10000 : 1000;
    snprintf(d->version, sizeof d->version, "%u.%u.%u", version / major, version % major / 100, version % 100);
}

/* Opens the first that starts; start NULL: the first that opens. */
static sb_status load(sb_cudnn *d, sb_library_start *start)
{
    static const char *const names[] = {"libcudnn.so.9", "libcudnn.so.8", NULL};
#define AT(member) (void (**)(void)) & d->member
    const sb_symbol symbols[] = {{"cudnnGetVersion", AT(get_version)},
                                 {"cudnnGetErrorString", AT(error_string)},
                                 {"cudnnCreate", AT(create)},
                                 {"cudnnDestroy", AT(destroy)},
                                 {"cudnnSetStream", AT(set_stream)},
                                 {"cudnnCreateTensorDescriptor", AT(create_tensor)},
                                 {"cudnnDestroyTensorDescriptor", AT(destroy_tensor)},
                                 {"cudnnCreateFilterDescriptor", AT(create_filter)},
                                 {"cudnnDestroyFilterDescriptor", AT(destroy_filter)},
                                 {"cudnnCreateConvolutionDescriptor", AT(create_convolution)},
                                 {"cudnnDestroyConvolutionDescriptor", AT(destroy_convolution)},
                                 {"cudnnSetTensor4dDescriptor", AT(set_tensor)},
                                 {"cudnnSetFilter4dDescriptor", AT(set_filter)},
                                 {"cudnnSetConvolution2dDescriptor", AT(set_convolution)},
                                 {"cudnnSetConvolutionMathType", AT(set_math)},
                                 {"cudnnGetConvolutionForwardAlgorithm_v7", AT(guess[SB_CUDNN_FORWARD])},
                                 {"cudnnGetConvolutionBackwardDataAlgorithm_v7", AT(guess[SB_CUDNN_DATA])},
                                 {"cudnnGetConvolutionBackwardFilterAlgorithm_v7", AT(guess[SB_CUDNN_FILTER])},
                                 {"cudnnFindConvolutionForwardAlgorithm", AT(time[SB_CUDNN_FORWARD])},
                                 {"cudnnFindConvolutionBackwardDataAlgorithm", AT(time[SB_CUDNN_DATA])},
                                 {"cudnnFindConvolutionBackwardFilterAlgorithm", AT(time[SB_CUDNN_FILTER])},
                                 {"cudnnGetConvolutionForwardWorkspaceSize", AT(size[SB_CUDNN_FORWARD])},
                                 {"cudnnGetConvolutionBackwardDataWorkspaceSize", AT(size[SB_CUDNN_DATA])},
                                 {"cudnnGetConvolutionBackwardFilterWorkspaceSize", AT(size[SB_CUDNN_FILTER])},
                                 {"cudnnConvolutionForward", AT(convolve[SB_CUDNN_FORWARD])},
                                 {"cudnnConvolutionBackwardData", AT(convolve[SB_CUDNN_DATA])},
                                 {"cudnnConvolutionBackwardFilter", AT(convolve[SB_CUDNN_FILTER])},
                                 {0}};
#undef AT
    SB_TRY(sb_library_open(&d->library, "cuDNN", "SAMEBITS_CUDNN", names, symbols, start, d));
    read_version(d);
    return SB_OK;
}

/* Is the version, "8.9.6", the wanted one or a part of it: "8", "8.9", "8.9.6"? */
static bool is_wanted(const char *version, const char *wanted)
{
    if (!wanted || strcmp(wanted, "any") == 0) return true;
    size_t n = strlen(wanted);
    return strncmp(version, wanted, n) == 0 && (!version[n] || version[n] == '.');
}

static sb_status start(void *context)
{
    sb_cudnn *d = context;
    d->handle = NULL;
    read_version(d);
    if (!is_wanted(d->version, d->wanted))
        return sb_fail(SB_E_MISSING, "cuDNN %s is here, and --cudnn-version wants %.32s", d->version, d->wanted);
    int code = d->create(&d->handle);
    if (code != SB_CUDNN_SUCCESS) {
        d->handle = NULL;
        return sb_fail(SB_E_MISSING, "cuDNN %s does not start: %s", d->version, d->error_string(code));
    }
    code = d->set_stream(d->handle, d->stream);
    if (code != SB_CUDNN_SUCCESS) {
        d->destroy(d->handle);
        d->handle = NULL;
        return sb_fail(SB_E_MISSING, "cuDNN %s takes no stream: %s", d->version, d->error_string(code));
    }
    snprintf(started_version, sizeof started_version, "%s", d->version);
    return SB_OK;
}

static sb_status open_started(sb_cudnn **dnn, void *stream, const char *version)
{
    sb_cudnn *d = *dnn = calloc(1, sizeof *d);
    if (!d) return sb_fail(SB_E_MEMORY, "not enough memory for cuDNN");
    d->stream = stream, d->wanted = version;
    sb_status status = load(d, start);
    if (status == SB_OK) return SB_OK;
    free(d);
    *dnn = NULL;
    return status;
}

bool sb_cudnn_found(char *why, size_t size)
{
    sb_cudnn *d;
    bool found = open_started(&d, NULL, NULL) == SB_OK;
    if (!found) snprintf(why, size, "%s", sb_message());
    sb_cudnn_close(d);
    return found;
}

bool sb_cudnn_found_version(char *version, size_t size)
{
    sb_cudnn *d = *started_version ? NULL : calloc(1, sizeof *d);
    bool opens = d && load(d, NULL) == SB_OK;
    snprintf(version, size, "%s", d ? d->version : started_version);
    if (opens) sb_library_close(d->library);
    free(d);
    return opens || *started_version;
}

static sb_status find_choice(const char *name, sb_cudnn_choice *choice)
{
    for (*choice = 0; *choice < SB_N_CUDNN_CHOICES; (*choice)++)
        if (!name || strcmp(name, sb_cudnn_choice_name[*choice]) == 0) return SB_OK;
    return sb_fail(SB_E_USAGE, "unknown cudnn algorithm '%.32s' (one of deterministic, atomics, heuristic, timed)",
                   name);
}

sb_status sb_cudnn_open_library(sb_cudnn **dnn, void *stream, void *workspace, const char *choice, const char *version,
                                bool tf32)
{
    sb_cudnn_choice chosen;
    *dnn = NULL;
    SB_TRY(find_choice(choice, &chosen));
    SB_TRY(sb_library_environment("cuDNN", tf32));
    SB_TRY(open_started(dnn, stream, version));
    (*dnn)->workspace = workspace, (*dnn)->choice = chosen, (*dnn)->tf32 = tf32;
    return SB_OK;
}

void sb_cudnn_close(sb_cudnn *dnn)
{
    if (!dnn) return;
    for (int i = 0; i < dnn->n_shapes; i++) sb_cudnn_forget(dnn, &dnn->shape[i]);
    if (dnn->handle) dnn->destroy(dnn->handle);
    sb_library_close(dnn->library);
    free(dnn);
}

const char *sb_cudnn_version(const sb_cudnn *dnn)
{
    return dnn->version;
}
