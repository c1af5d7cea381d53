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
#include "matrix/process/process.h"

#include "core/status.h"
#include "matrix/cells/cells.h"

#include <stdbool.h>
#include <stdio.h>

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

/* Images of the user's own, which studies of commands name: without its image a study would be another one. */

/* The engine of that name ("auto": the first) that has the images of these commands, told on talk; NULL stays where none
 * names an image. SB_E_USAGE: "none", and one does. SB_E_MISSING: an image or the engine is not here. */
sb_status sb_custom_image_choose(const sb_container **chosen, const char *name, const sb_cell *const *cells, size_t n,
                                 FILE *talk);

/* From a stack's row to its image: the packages that go into it are fetched by their checksums, laid next to the
 * sources, and built by podman or docker as the stack's Containerfile says. */

typedef struct sb_image_recipe {
    const char *source;   /* a clone of samebits */
    const char *revision; /* of it */
    const char *base;     /* local image to build on; NULL: the base image of the Containerfile */
    const char *cache;    /* packages lie in CACHE/packages, what is built from in CACHE/context; NULL: $SAMEBITS_CACHE,
                             else "cache" */
    const char *mirror;   /* folder or address that has the packages; NULL: their own addresses */
    bool offline;         /* the cache and a mirror folder alone */
} sb_image_recipe;

/* Fill the template of a stack's Containerfile: the lines that begin with "@cuda " or "@cpu " are for stacks with or
 * without packages, and @NAME@ stands for what the row says. From malloc. SB_E_USAGE: the template has another name. */
sb_status sb_image_fill(char **text, const char *template, const char *path, const sb_stack *stack);

/* Fetch, lay out and build; the commands are said on talk. SB_E_MISSING: offline, and a package is not here, or an
 * engine that cannot build; SB_E_INTEGRITY: another file was offered; SB_E_USAGE: no clone of samebits; SB_E_DIFFERS: the
 * engine failed, and has said why. */
sb_status sb_image_build(const sb_image_recipe *recipe, const sb_container *container, const sb_stack *stack,
                         FILE *talk);

/* From images and data sets to the lock that names them; and locked images into archives, for another machine. */

/* A lock being put together starts with {0} and ends with sb_image_lock_drop.
 *
 * Add the images of these n stacks, or, for n = 0, of all that are here. folder: of the archives. SB_E_MISSING: one
 * that was named, or all, are not here, or none can start. */
sb_status sb_image_lock_add_stacks(sb_image_lock *lock, const sb_container *container, const char *folder,
                                   const sb_stack *const *stack, int n);

/* Add the data sets of a matrix file that lie in the folder data. */
sb_status sb_image_lock_add_data(sb_image_lock *lock, const char *matrix, const char *data);
void sb_image_lock_drop(sb_image_lock *lock);

/* Write FOLDER/STACK.tar, whole or not at all; the folder is made. SB_E_INTEGRITY: the engine has another image than
 * the locked one; SB_E_MISSING: it has none, or keeps none. */
sb_status sb_image_save(const sb_container *container, const sb_locked_image *image, const char *folder);
