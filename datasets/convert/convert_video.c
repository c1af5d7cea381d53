#include "datasets/catalog/provenance.h"
#include "datasets/convert/clip.h"
#include "datasets/convert/convert.h"

typedef struct values {
    const char *output;
    sb_clip_options clip;
    sb_origin_given given;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "clip.h5", "data set file to write"),
    SB_CLIP_OPTIONS(values),
    SB_ORIGIN_OPTIONS(values),
    SB_OPTION_END,
};

static sb_status convert_video(const sb_call *call)
{
    values *v = call->values;
    char inputs[SB_ORIGIN_INPUTS] = "";
    SB_OWNED(sb_media_free) sb_media media = {0};
    for (int i = 0; i < call->arguments.n; i++) {
        sb_origin_add_input(inputs, call->arguments.item[i]);
        SB_TRY(sb_media_add(&media, call->arguments.item[i]));
    }
    sb_provenance provenance = {.kind = "video", .command = call->command, .values = v};
    sb_origin_settle(&provenance, &v->given, NULL, false, v->output, inputs);
    return sb_clip_write(v->output, &media, &v->clip, &provenance);
}

const sb_command sb_verb_convert_video = {
    .program = "samebits-data",
    .verb = "convert video",
    .summary = "convert videos, images, or folders of them into one data set, clip.h5",
    .arguments = "INPUT...",
    .options = options,
    .values_bytes = sizeof(values),
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue = "examples:\n"
                "  samebits-data convert video clip.mp4 --size 160x120 -o clip.h5\n"
                "  samebits-data convert video frames/ --crop 4:3 --sequence-starts 0,500 -o clip.h5\n",
    .run = convert_video,
};
