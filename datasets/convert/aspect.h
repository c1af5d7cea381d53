/* The shape of frames: width over height in lowest terms, 16:9.
 *
 *     sb_aspect source = sb_aspect_of(1280, 720), wanted = sb_aspect_of(160, 120);
 *     if (sb_aspect_differs(source, wanted)) ... "16:9", "4:3" ...
 */
#ifndef SB_DATASETS_CONVERT_ASPECT_H
#define SB_DATASETS_CONVERT_ASPECT_H

#include "core/status.h"

#include <stdbool.h>

typedef struct sb_aspect {
    long w, h; /* both 0: no shape is wanted */
} sb_aspect;

/* The shape of frames of w x h pixels, both at least 1. */
sb_aspect sb_aspect_of(long w, long h);

/* "4:3", as --crop takes it; NULL or an empty text is no shape. Anything else: SB_E_USAGE. */
sb_status sb_aspect_parse(sb_aspect *aspect, const char *text);

/* By more than one part in a hundred? 854x480 still counts as 16:9. */
bool sb_aspect_differs(sb_aspect a, sb_aspect b);

/* "16:9"; where a term is above 21, "1.85:1". */
enum { SB_ASPECT_TEXT = 48 };
void sb_aspect_text(sb_aspect aspect, char text[SB_ASPECT_TEXT]);

#endif
