#include "inspect/external/explain.h"

#include <stdlib.h>
#include <string.h>

/* What follows the line; "" after the last one. */
static const char *line_after(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : "";
}

/* The line of `all` that sets the same name ("group 0 lr"); NULL: none. */
static const char *line_of(const char *all, const char *line, size_t name)
{
    for (const char *at = all; *at; at = line_after(at))
        if (strncmp(at, line, name) == 0) return at;
    return NULL;
}

/* "group 0 lr = ": up to where the value begins. */
static size_t name_length(const char *line)
{
    const char *sign = strstr(line, " = ");
    const size_t length = strcspn(line, "\n");
    return sign && (size_t)(sign - line) < length ? (size_t)(sign - line) + 3 : length;
}

static size_t print_settings(const char *from, const char *other, bool from_a, FILE *out)
{
    size_t found = 0;
    for (const char *line = from; *line; line = line_after(line)) {
        const size_t length = strcspn(line, "\n"), name = name_length(line);
        const char *there = line_of(other, line, name);
        const size_t there_length = there ? strcspn(there, "\n") : 0;
        if (there && (!from_a || (length == there_length && strncmp(line, there, length) == 0))) continue;
        if (!there && !from_a)
            fprintf(out, "  %.*s(absent) | %.*s\n", (int)name, line, (int)(length - name), line + name);
        else
            fprintf(out, "  %.*s%.*s | %.*s\n", (int)name, line, (int)(length - name), line + name,
                    there ? (int)(there_length - name) : 8, there ? there + name : "(absent)");
        found++;
    }
    return found;
}

size_t sb_settings_print(const char *a, const char *b, FILE *out)
{
    char *text = NULL;
    size_t n_text = 0, found = 0;
    FILE *lines = open_memstream(&text, &n_text);
    if (!lines) return 0;
    found = print_settings(a ? a : "", b ? b : "", true, lines) + print_settings(b ? b : "", a ? a : "", false, lines);
    fclose(lines);
    if (found && text) fprintf(out, "the optimizer's settings that differ:\n%s", text);
    free(text);
    return found;
}
