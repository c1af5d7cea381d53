/* What the file of a picture says besides its pixels, and libav does not pass on in every version: the pages of a TIFF or
 * PNM file, the orientation that cameras record in TIFF, JPEG, PNG and WebP, and forms of TIFF that libav misreads. */
#pragma once

#include <stdbool.h>

typedef struct sb_picture_facts {
    int n_pages;         /* of a TIFF; of a PNM file 2 where more follows the first; 1 of all else */
    int orientation;     /* 1 to 8, as Exif counts them; 1: upright, or not said */
    bool is_limited;     /* a TIFF whose black is above 0, as in video */
    const char *trouble; /* why libav would show other pixels; NULL: it does not */
} sb_picture_facts;

/* From an open file of any kind; its position stays. What is damaged counts as not said. */
sb_picture_facts sb_picture_about(int fd);
