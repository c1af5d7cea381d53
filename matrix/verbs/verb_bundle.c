#include "matrix/verbs/verbs.h"

#include "matrix/bundle/bundle.h"
#include "matrix/data/data_source.h"
#include "matrix/verbs/matrix_session.h"

#include "core/text/plural.h"

#include <stdio.h>
#include <stdlib.h>

/* The data sets of the selected cells, each once, made where they are missing. The caller frees *source. */
static sb_status source_all(const sb_matrix_session *w, const sb_data_source ***source, size_t *n)
{
    *n = 0;
    *source = calloc(w->selection.n + 1, sizeof **source);
    if (!*source) return sb_fail(SB_E_MEMORY, "not enough memory to bundle");
    for (size_t i = 0; i < w->selection.n; i++) {
        const sb_data_source *wanted = w->selection.item[i]->data;
        size_t k = 0;
        if (!wanted) continue;
        while (k < *n && (*source)[k] != wanted) k++;
        if (k < *n) continue;
        (*source)[(*n)++] = wanted;
        SB_TRY(sb_data_source_ensure(wanted, w->options.data, w->options.mirror, stderr));
    }
    return SB_OK;
}

static sb_status pack(const sb_matrix_session *w, const sb_image_lock *locked, const sb_container *container)
{
    const sb_matrix_session_options *o = &w->options;
    SB_FREED const sb_data_source **source = NULL;
    size_t n;
    SB_TRY(source_all(w, &source, &n));
    for (size_t i = 0; i < n; i++) {
        char path[SB_PATH_MAX];
        SB_TRY(sb_data_source_path(path, source[i], o->data));
        if (locked) SB_TRY(sb_image_lock_check_data(locked, o->lock, path));
    }
    sb_bundle bundle = {w->cells, source, n, o->data, o->lock, locked, container};
    SB_TRY(sb_bundle_pack(&bundle, o->output));
    const uint32_t n_images = locked ? locked->n_images : 0;
    fprintf(stderr, "%s: %u image%s, %zu data set%s\n", o->output, n_images, sb_plural(n_images), n, sb_plural(n));
    return SB_OK;
}

static const sb_option bundle_options[] = {
    SB_SESSION_FILE,
    SB_SESSION_FILTER,
    SB_OPTION_CHOICE(sb_matrix_session_options, engine, "--engine", "auto|podman|docker", "auto",
                     "engine that has the images"),
    SB_OPTION_TEXT(sb_matrix_session_options, lock, "--lock", "FILE", SB_IMAGE_LOCK_FILE,
                   "lock file of the images to pack"),
    SB_SESSION_DATA,
    SB_SESSION_MIRROR,
    SB_OPTION_NEEDED(sb_matrix_session_options, output, "--output", 'o', "FILE", "the bundle, such as demo.tar"),
    SB_OPTION_END,
};

static sb_status bundle(const sb_call *call)
{
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    sb_image_lock *locked = NULL;
    const sb_container *container = NULL;
    SB_TRY(sb_matrix_session_open(&w, call));
    if (w.cells->matrix->has_commands) return pack(&w, NULL, NULL); /* a command's images are the user's */
    SB_TRY(sb_image_lock_load(&locked, w.options.lock));
    sb_status status = sb_container_open(&container, w.options.engine);
    if (status == SB_OK) status = pack(&w, locked, container);
    sb_image_lock_free(locked);
    return status;
}

const sb_command sb_verb_bundle = {
    .program = "samebits-matrix",
    .verb = "bundle",
    .summary = "pack programs, images, data and matrix into one file that runs without a network",
    .options = bundle_options,
    .values_bytes = sizeof(sb_matrix_session_options),
    .epilogue = "FILTER selects whose data is packed; see 'samebits-matrix list --help'.\n"
                "On the other machine: samebits-matrix unbundle, or tar and sha256sum.\n",
    .run = bundle,
};

static const sb_option unbundle_options[] = {
    SB_OPTION_TEXT_LETTER(sb_matrix_session_options, output, "--output", 'o', "DIR", "samebits-bundle", "new folder"),
    SB_OPTION_END,
};

static sb_status unbundle(const sb_call *call)
{
    const char *folder = ((const sb_matrix_session_options *)call->values)->output;
    SB_TRY(sb_bundle_unpack(call->arguments.item[0], folder));
    fprintf(stderr, "%s: every file is as its manifest says; see %s/README\n", folder, folder);
    return SB_OK;
}

const sb_command sb_verb_unbundle = {
    .program = "samebits-matrix",
    .verb = "unbundle",
    .summary = "unpack a bundle and check every file of it",
    .arguments = "FILE",
    .options = unbundle_options,
    .values_bytes = sizeof(sb_matrix_session_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "exit code 7: the file is cut short, or differs from its manifest\n",
    .run = unbundle,
};
