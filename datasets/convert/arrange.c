#include "datasets/convert/clip.h"

#include "core/file.h"
#include "core/machine/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sb_arrange {
    char path[SB_PATH_MAX]; /* that the file had before its name was taken away */
    size_t frame_bytes;
    uint8_t *rgb; /* one frame */
    FILE *frames; /* one after the other, as they were read */
};

bool sb_arrange_is_asked(const sb_arrange_options *options)
{
    return options->order.n > 0 || options->reverse || options->still;
}

/* ---- which sequences ---- */

static sb_status check_order(const sb_list *order, int n_sequences)
{
    for (int i = 0; i < order->n; i++) {
        if (order->item[i] > n_sequences)
            return sb_fail(SB_E_USAGE, "samebits-data convert: --order names sequence %d, there are %d", order->item[i],
                           n_sequences);
        for (int j = 0; j < i; j++)
            if (order->item[j] == order->item[i])
                return sb_fail(SB_E_USAGE, "samebits-data convert: --order names sequence %d twice", order->item[i]);
    }
    return SB_OK;
}

sb_status sb_arrange_plan(const sb_arrange_options *options, sb_spans *spans)
{
    sb_span named[SB_OPTION_LIST_MAX];
    const sb_list *order = &options->order;
    if (options->reverse && options->still)
        return sb_fail(SB_E_USAGE,
                       "samebits-data convert: --still leaves one frame of a sequence, nothing to --reverse");
    SB_TRY(check_order(order, spans->n));
    if (order->n == 0) return SB_OK;
    for (int i = 0; i < order->n; i++) named[i] = spans->item[order->item[i] - 1];
    memcpy(spans->item, named, (size_t)order->n * sizeof *named);
    spans->n = order->n;
    return SB_OK;
}

/* ---- the frames ---- */

static sb_status fail(const sb_arrange *arrange)
{
    return sb_fail(SB_E_IO, "%s: %s", arrange->path, errno ? strerror(errno) : "cannot be read again");
}

static sb_status open_frames(sb_arrange *arrange)
{
    unlink(arrange->path);
    int descriptor = open(arrange->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return fail(arrange);
    unlink(arrange->path); /* whatever happens, nothing is left */
    arrange->frames = fdopen(descriptor, "w+b");
    if (arrange->frames) return SB_OK;
    close(descriptor);
    return fail(arrange);
}

sb_status sb_arrange_open(sb_arrange **arrange, const char *path, size_t frame_bytes)
{
    *arrange = calloc(1, sizeof **arrange);
    if (!*arrange) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    (*arrange)->frame_bytes = frame_bytes;
    (*arrange)->rgb = malloc(frame_bytes);
    sb_status status = (*arrange)->rgb ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK && snprintf((*arrange)->path, SB_PATH_MAX, "%s.frames.part", path) >= SB_PATH_MAX)
        status = sb_file_too_long(path);
    if (status == SB_OK) status = open_frames(*arrange);
    if (status == SB_OK) return SB_OK;
    sb_arrange_close(*arrange);
    *arrange = NULL;
    return status;
}

void sb_arrange_close(sb_arrange *arrange)
{
    if (!arrange) return;
    if (arrange->frames) fclose(arrange->frames);
    free(arrange->rgb);
    free(arrange);
}

sb_status sb_arrange_add(sb_arrange *arrange, const uint8_t *rgb)
{
    errno = 0;
    return fwrite(rgb, arrange->frame_bytes, 1, arrange->frames) == 1 ? SB_OK : fail(arrange);
}

static sb_status read_frame(sb_arrange *arrange, int64_t i)
{
    errno = 0;
    if (fseeko(arrange->frames, (off_t)i * (off_t)arrange->frame_bytes, SEEK_SET) != 0) return fail(arrange);
    return fread(arrange->rgb, arrange->frame_bytes, 1, arrange->frames) == 1 ? SB_OK : fail(arrange);
}

sb_status sb_arrange_write(sb_arrange *arrange, const sb_arrange_options *options, const sb_spans *spans, sb_h5 *file)
{
    for (int k = 0; k < spans->n; k++) {
        const sb_span span = spans->item[k];
        for (int64_t i = 0; i < span.n; i++) {
            const int64_t place = options->still ? 0 : options->reverse ? span.n - 1 - i : i;
            SB_TRY(read_frame(arrange, span.first + place));
            SB_TRY(sb_h5_append_rows(file, "frames", SB_U8, 1, arrange->rgb));
            if (sb_interrupt_signal())
                return sb_fail(SB_E_INTERRUPTED, "%s: interrupted, nothing was written", sb_h5_path(file));
        }
    }
    return SB_OK;
}
