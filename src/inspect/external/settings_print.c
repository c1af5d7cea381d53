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

typedef bool setting_visitor(void *context, const char *name, const char *a, const char *b);

/* One line of `from` and the line there; NULL: absent there. */
static bool visit(const char *line, const char *there, bool from_a, setting_visitor *each, void *context)
{
    const size_t name = name_length(line), sign = line[name - 1] == ' ' && name > 3 ? 3 : 0;
    char *text = strndup(line, name - sign), *mine = strndup(line + name, strcspn(line, "\n") - name);
    SB_FREED char *other = there ? strndup(there + name, strcspn(there, "\n") - name) : NULL;
    const bool went_on =
        text && mine && (other || !there) && each(context, text, from_a ? mine : other, from_a ? other : mine);
    free(text);
    free(mine);
    return went_on;
}

/* From a those that differ or are absent in the other, from b those that are absent in the other. */
static bool each_of(const char *from, const char *other, bool from_a, setting_visitor *each, void *context)
{
    for (const char *line = from; *line; line = line_after(line)) {
        const size_t length = strcspn(line, "\n");
        if (length == 0) continue;
        const char *there = line_of(other, line, name_length(line));
        if (there && (!from_a || (strcspn(there, "\n") == length && strncmp(line, there, length) == 0))) continue;
        if (!visit(line, there, from_a, each, context)) return false;
    }
    return true;
}

bool sb_settings_each(const char *a, const char *b, setting_visitor *each, void *context)
{
    if (!a || !*a || !b || !*b) return true;
    return each_of(a, b, true, each, context) && each_of(b, a, false, each, context);
}

typedef struct printing {
    FILE *out;
    size_t n;
} printing;

static bool print_setting(void *context, const char *name, const char *a, const char *b)
{
    printing *p = context;
    if (p->n++ == 0) fprintf(p->out, "the optimizer's settings that differ:\n");
    fprintf(p->out, "  %s = %s | %s\n", name, a ? a : "(absent)", b ? b : "(absent)");
    return true;
}

size_t sb_settings_print(const char *a, const char *b, FILE *out)
{
    printing p = {.out = out};
    (void)sb_settings_each(a, b, print_setting, &p);
    return p.n;
}
