/* What podman, docker and apptainer are called and want, as one table; engine/engine.c chooses among them.
 *
 * A trainer in a container sees two things of this machine, each under its own path: its data file, read only, and the
 * folder of its run file. It has no network, no file system of its own to write to, no capabilities and no way to gain
 * any, and writes as the user who asked: also root then reads and writes only what root owns or all may. Its processes
 * and threads are 1024 at most, and an eighth of this machine's memory stays free of it (apptainer leaves limits to the
 * cluster that it runs on).
 */
#pragma once

#include "matrix/image/image.h"
#include "matrix/process/argv.h"

#include "core/status.h"

#include <stdbool.h>

typedef struct sb_container sb_container; /* a row of the table */

/* The engine of that name, NULL if there is none; the index-th in the order they are tried, NULL after the last. */
const sb_container *sb_container_find(const char *name);
const sb_container *sb_container_at(int index);
const char *sb_container_name(const sb_container *container);

/* The engine of that name, or for "auto" the first that is installed. SB_E_MISSING: it is not. */
sb_status sb_container_open(const sb_container **container, const char *name);

/* The id of the image that this engine has under the stack's tag; apptainer, which keeps no images, takes the archive
 * FOLDER/STACK.tar. SB_E_MISSING: there is none, or no such engine; the sentence says what to do. */
sb_status sb_container_image_id(char id[SB_IMAGE_ID], const sb_container *container, const sb_stack *stack,
                                const char *folder);

/* How large that image is, unpacked; of apptainer the archive. */
sb_status sb_container_image_bytes(long long *n_bytes, const sb_container *container, const sb_stack *stack,
                                   const char *folder);

/* Does this engine have the image of that id? SB_E_INTEGRITY: it has another one of the stack; SB_E_MISSING: none. */
sb_status sb_container_check(const sb_container *container, const sb_stack *stack, const char *id, const char *folder);

/* One run of a program in an image. */
typedef struct sb_container_task {
    const sb_stack *stack;      /* NULL: an image of the user's own */
    const char *id;             /* of the image; of the user's own its name, or for apptainer its file */
    const char *folder;         /* of the archives */
    const char *name;           /* of the container, so that the same one never runs twice; NULL: any */
    const char *data;           /* file to read, NULL: none */
    const char *output;         /* folder to write, NULL: none */
    const char *work;           /* folder that a command runs in and reads, NULL: none */
    const sb_argv *environment; /* of a command, "NAME=value"; NULL: none */
    bool without_gpu;           /* no card is handed over, and none need be here */
} sb_container_task;

/* The arguments that precede the trainer's arguments in the image; data and output must be absolute paths. The caller
 * frees argv. SB_E_USAGE: a path that no engine could be told (it has a comma or a quote). */
sb_status sb_container_run_argv(sb_argv *argv, const sb_container *container, const sb_container_task *task);

/* Does this engine have the user's own image of that name? SB_E_MISSING: it does not. */
sb_status sb_container_check_custom(const sb_container *container, const char *image);

/* The arguments that end the container of that name at once; none where an engine's containers are processes of ours. */
sb_status sb_container_kill_argv(sb_argv *argv, const sb_container *container, const char *name);

/* What the trainer in an image says of itself (`samebits info`). SB_E_MISSING: no container can start here. The caller
 * frees. */
sb_status sb_container_info(char **info, const sb_container *container, const sb_container_task *task);

/* The command that builds an image from a folder with its Containerfile, and the one that saves it in an
 * archive. base replaces the Containerfile's own base image and must be here, unless it is NULL. SB_E_MISSING for an
 * engine that cannot. */
typedef struct sb_container_build {
    const sb_stack *stack;
    const char *context, *revision, *base;
} sb_container_build;
sb_status sb_container_build_argv(sb_argv *argv, const sb_container *container, const sb_container_build *build);
/* The command that comes after it; none where the engine needs no second one. */
sb_status sb_container_strip_argv(sb_argv *argv, const sb_container *container, const sb_container_build *build);
sb_status sb_container_save_argv(sb_argv *argv, const sb_container *container, const sb_stack *stack,
                                 const char *archive);
