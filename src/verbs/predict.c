#include "core/file.h"
#include "io/png.h"
#include "train/evaluate.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct predict_options {
    sb_settings setup;
    long first, frames;
    const char *output;
} predict_options;

static const sb_option options[] = {
    SB_OPTIONS_DATA(predict_options) SB_OPTIONS_COMPUTE(predict_options)
        SB_OPTION_INT(predict_options, first, "--first", "N", "1", 0, 1e12, "first frame of the data set"),
    SB_OPTION_INT(predict_options, frames, "--frames", "N", "10", 1, 1e9, "number of frames"),
    SB_OPTION_TEXT_LETTER(predict_options, output, "--output", 'o', "DIR", "predicted", "folder of the pictures"),
    SB_OPTION_END,
};

typedef struct pictures {
    const char *folder;
    int w, h, c;
    size_t n;
    uint8_t *rgb; /* one picture */
} pictures;

static sb_status write_picture(const pictures *p, size_t frame, const char *kind, const uint8_t *bytes)
{
    char path[SB_PATH_MAX];
    snprintf(path, sizeof path, "%s/%06zu_%s.png", p->folder, frame, kind);
    for (int i = 0; i < p->w * p->h; i++)
        for (int k = 0; k < 3; k++) p->rgb[3 * i + k] = bytes[i * p->c + (p->c == 3 ? k : 0)];
    return sb_png_write(path, p->w, p->h, p->rgb);
}

static sb_status write_pair(void *context, size_t frame, const uint8_t *truth, const uint8_t *predicted)
{
    pictures *p = context;
    p->n++;
    SB_TRY(write_picture(p, frame, "true", truth));
    return write_picture(p, frame, "predicted", predicted);
}

static sb_status predict(const sb_call *call)
{
    predict_options *values = call->values;
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    sb_setup setup;
    SB_TRY(sb_evaluate_open(&setup, &values->setup, call->arguments.item[0], false));
    const sb_dataset_facts *facts = sb_dataset_about(setup.dataset);
    pictures p = {values->output, (int)facts->w, (int)facts->h, (int)facts->c, 0, malloc(facts->w * facts->h * 3)};
    sb_status status = p.rgb ? sb_folder_make(values->output) : sb_fail(SB_E_MEMORY, "not enough memory");
    if (status == SB_OK)
        status = sb_evaluate_frames(&setup, (size_t)values->first, (size_t)values->frames, write_pair, &p);
    if (status == SB_OK) printf("%zu predicted frames and the true frames in %s\n", p.n, values->output);
    free(p.rgb);
    sb_setup_close(&setup);
    return status;
}

const sb_command sb_verb_predict = {
    .program = "samebits",
    .verb = "predict",
    .summary = "write predicted frames and the true frames as PNG",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(predict_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "The run file has the network and its sizes. The pictures are DIR/NNNNNN_true.png and "
                "DIR/NNNNNN_predicted.png.\n",
    .run = predict,
};
