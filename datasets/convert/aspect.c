#include "datasets/convert/aspect.h"

#include "core/command/options.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

sb_aspect sb_aspect_of(long w, long h)
{
    assert(w > 0 && h > 0);
    long a = w, b = h;
    while (b) {
        long rest = a % b;
        a = b, b = rest;
    }
    return (sb_aspect){w / a, h / a};
}

sb_status sb_aspect_parse(sb_aspect *aspect, const char *text)
{
    *aspect = (sb_aspect){0};
    if (!text || !*text) return SB_OK;
    char left[16];
    const char *colon = strchr(text, ':');
    long w = 0, h = 0;
    if (colon && (size_t)(colon - text) < sizeof left) {
        snprintf(left, sizeof left, "%.*s", (int)(colon - text), text);
        if (!sb_parse_int(left, 1, 10000, &w) || !sb_parse_int(colon + 1, 1, 10000, &h)) w = 0;
    }
    if (!w) return sb_fail(SB_E_USAGE, "samebits-data convert: --crop wants a shape like 4:3, not '%s'", text);
    *aspect = sb_aspect_of(w, h);
    return SB_OK;
}

bool sb_aspect_differs(sb_aspect a, sb_aspect b)
{
    double ratio = (double)a.w * (double)b.h / ((double)a.h * (double)b.w);
    return fabs(log(ratio)) > log(1.01);
}

void sb_aspect_text(sb_aspect aspect, char text[SB_ASPECT_TEXT])
{
    if (aspect.w <= 21 && aspect.h <= 21)
        snprintf(text, SB_ASPECT_TEXT, "%ld:%ld", aspect.w, aspect.h);
    else
        snprintf(text, SB_ASPECT_TEXT, "%.2f:1", (double)aspect.w / (double)aspect.h);
}
