#include "datasets/convert/clip.h"
#include "datasets/verbs/verbs.h"

#include "core/text/plural.h"

#include <stdio.h>
#include <string.h>

typedef struct values {
    const char *output, *name, *source, *url, *licence;
    sb_clip_options clip;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "clip.h5", "data set file to write"),
    SB_CLIP_OPTIONS(values),
    SB_OPTION_TEXT(values, name, "--name", "NAME", NULL, "name of the data set; else that of the output"),
    SB_OPTION_TEXT(values, source, "--source", "TEXT", NULL, "who made the footage; else the inputs' names"),
    SB_OPTION_TEXT(values, url, "--url", "URL", NULL, "where it came from"),
    SB_OPTION_TEXT(values, licence, "--licence", "TEXT", "unknown", "its licence"),
    SB_OPTION_END,
};

/* The inputs as typed, without their folders. */
static void input_names(const sb_arguments *inputs, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < inputs->n && used < size; i++) {
        const char *name = inputs->item[i];
        size_t end = strlen(name), start;
        while (end > 1 && name[end - 1] == '/') end--;
        for (start = end; start > 0 && name[start - 1] != '/';) start--;
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", i ? ", " : "", (int)(end - start), name + start);
    }
}

static sb_status convert_video(const sb_call *call)
{
    values *v = call->values;
    char names[512];
    input_names(&call->arguments, names, sizeof names);
    sb_media media = {0};
    sb_status status = SB_OK;
    for (int i = 0; i < call->arguments.n && status == SB_OK; i++)
        status = sb_media_add(&media, call->arguments.item[i]);
    if (status == SB_OK && media.n_ignored)
        fprintf(stderr, "ignored %d file%s, by name neither video nor image\n", media.n_ignored,
                sb_plural((size_t)media.n_ignored));
    if (status == SB_OK)
        status = sb_clip_write(v->output, &media, &v->clip,
                               &(sb_provenance){
                                   .name = v->name,
                                   .kind = "video",
                                   .source = v->source ? v->source : names,
                                   .url = v->url,
                                   .licence = v->licence,
                                   .command = call->command,
                                   .values = v,
                               });
    sb_media_free(&media);
    return status;
}

const sb_command sb_verb_convert_video = {
    .program = "samebits-data",
    .verb = "convert video",
    .summary = "videos, images, or folders of them, into one data set, clip.h5",
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
