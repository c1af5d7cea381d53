#include "record/h5_texts.h"

#include "core/text/text.h"

#include <string.h>

sb_status sb_h5_write_texts(sb_h5 *file, const char *name, const sb_text_list *texts)
{
    sb_bytes b = {0};
    if (texts->n == 0) return SB_OK;
    for (size_t i = 0; i < texts->n; i++) sb_bytes_add(&b, texts->item[i], strlen(texts->item[i]) + 1);
    const sb_status status =
        b.failed ? sb_h5_fail_memory(file) : sb_h5_write(file, name, SB_U8, 1, &b.n, b.at, SB_H5_PACKED);
    sb_bytes_free(&b);
    return status;
}

/* Settings of an optimizer are lines; every other text is one line, so that no file can imitate what is printed. */
static bool has_lines(const char *name)
{
    return strcmp(name, "settings") == 0 || strcmp(name, "settings/text") == 0;
}

static sb_status split(sb_h5 *file, const char *name, const char *bytes, size_t n, sb_text_list *texts)
{
    if (n && bytes[n - 1] != 0) return sb_fail(SB_E_INTEGRITY, "%s: /%s ends within a text", sb_h5_path(file), name);
    for (size_t at = 0; at < n;) {
        const size_t length = strlen(bytes + at);
        if (sb_text_plain_length(bytes + at, has_lines(name)) != length)
            return sb_fail(SB_E_INTEGRITY, "%s: /%s holds control characters", sb_h5_path(file), name);
        if (!sb_text_list_add(texts, bytes + at, length)) return sb_h5_fail_memory(file);
        at += length + 1;
    }
    return SB_OK;
}

sb_status sb_h5_read_texts(sb_h5 *file, const char *name, sb_text_list *texts)
{
    sb_h5_shape shape;
    if (!sb_h5_exists(file, name)) return SB_OK;
    SB_TRY(sb_h5_shape_of(file, name, &shape));
    if (shape.type != SB_U8 || shape.rank != 1)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s is not a list of texts", sb_h5_path(file), name);
    SB_FREED char *bytes = NULL;
    SB_TRY(sb_h5_read_new(file, name, SB_U8, shape.n, &bytes));
    return split(file, name, bytes, shape.n, texts);
}
