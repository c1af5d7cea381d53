#include "paper/files/json_tree.h"

#include <math.h>
#include <stdlib.h>

const sb_language sb_json_tree = {.name = "JSON"};

json_t *sb_json_tree_text(const char *format, ...)
{
    char *text;
    va_list arguments;
    sb_writer *words = sb_writer_open(&sb_plain);
    va_start(arguments, format);
    sb_write_list(words, format, arguments);
    va_end(arguments);
    if (sb_writer_close(words, "JSON", &text, NULL) != SB_OK) return NULL;
    json_t *value = json_string(text);
    free(text);
    return value;
}

json_t *sb_json_tree_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

void sb_json_tree_write(sb_writer *out, json_t *tree)
{
    FILE *stream = sb_writer_stream(out, &sb_json_tree);
    if (stream && (!tree || json_dumpf(tree, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0))
        sb_writer_fail(out);
    if (stream) fputc('\n', stream);
    json_decref(tree);
}
