/* The way of the walker whose eyes we see through: where the head is and looks, frame by frame, at 30 frames a second.
 */
#ifndef SB_DATASETS_SYNTH_WALK_PATH_H
#define SB_DATASETS_SYNTH_WALK_PATH_H

#include "core/status.h"

#include <stdint.h>

typedef struct sb_camera {
    int32_t x, y, eye; /* Q16 m: place (not wrapped), height of the eye */
    int heading;       /* angle, 0 along +x, growing towards +y */
    int32_t pitch;     /* Q16: tangent of the angle upwards */
    int32_t roll;      /* Q16: tangent of the tilt */
    int32_t sun;       /* Q16: strength of the sunlight, 1 without clouds */
    int64_t time;      /* Q16 seconds */
} sb_camera;

enum { SB_WALK_FPS = 30 };

typedef struct sb_path sb_path;

/* A way along the streets of sb_world, long enough for n_frames. */
sb_status sb_path_make(sb_path **path, uint32_t seed, int n_frames);
void sb_path_free(sb_path *path); /* NULL is fine */

/* The next frame's camera. */
sb_camera sb_path_next(sb_path *path);

#endif
