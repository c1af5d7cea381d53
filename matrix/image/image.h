/* The software stacks (image/stacks.h): one image for each, and which hardware needs which.
 *
 *     the row "cpu"   ->   localhost/samebits:cpu, run as sha256:1a2b...
 *
 * An image is the same thing in every engine: its id, the SHA-256 of its configuration, which names the digest of every
 * layer. Saved and loaded, by podman or docker, it keeps that id.
 */
#pragma once

#include "core/file.h"
#include "core/hash.h"
#include "core/status.h"
#include "matrix/image/stacks.h"
#include "matrix/schema/matrix_schema.h"

#include <stddef.h>

typedef struct sb_stack { /* image/stacks.h */
    const char *name;
    long sm_min, sm_max, first_to, driver;
    const char *cudnn, *compiler, *cublas, *cudnn_part, *contents;
} sb_stack;

/* A row with this sm_max serves whatever comes; a card beyond it is one that no row of the hardware file knows. */
enum { SB_STACK_SM_MAX = 999 };

#define SB_STACK_COUNT(...) +1
enum { SB_STACKS = 0 SB_STACK_ROWS(SB_STACK_COUNT) };
extern const sb_stack sb_stacks[SB_STACKS];

/* The stack for a GPU of that compute capability times ten; 0: for a CPU. Never NULL: newer cards get the newest. */
const sb_stack *sb_image_stack(long sm);

/* The same with a cuDNN of that version, "8.9" or "8.9.6"; NULL or "any": whichever. Of several the one of the CUDA
 * that the card's own stack has. NULL: no stack serves the card with it, and why, if it is not NULL, holds the
 * sentence. */
const sb_stack *sb_image_stack_of(long sm, const char *cudnn, char *why, size_t size);

/* The compute capabilities of the cards that it serves: "5.0 to 9.0", "from 7.5"; "-": no card. */
void sb_image_cards(const sb_stack *stack, char *text, size_t size);

/* The stack of that name; NULL if there is none. */
const sb_stack *sb_image_find(const char *name);

enum { SB_IMAGE_TAG = 64, SB_IMAGE_ID = 72 };

/* "localhost/samebits:cpu" */
void sb_image_tag(const sb_stack *stack, char tag[SB_IMAGE_TAG]);

/* FOLDER/cpu.tar: where an image is saved. SB_E_USAGE: too long a path. */
sb_status sb_image_archive(char path[SB_PATH_MAX], const sb_stack *stack, const char *folder);

/* The id of the image in an archive that podman or docker saved. SB_E_MISSING: no such file, or no tar here to read it;
 * SB_E_INTEGRITY: it is no such archive, or cut short. */
sb_status sb_image_archive_id(char id[SB_IMAGE_ID], const char *path);

/* The lock file: which images, data sets and trainers a study is held to. Written by `samebits-matrix image lock`.
 *
 *     images:
 *       - stack: cpu
 *         id: sha256:932c036786a8...
 *         build_id: 1e5057b01d2e...
 *         revision: fc62e39a1b2c
 *     data:
 *       - file: walk-1a2b3c4d.h5
 *         digest: 5d41402abc4b...
 *
 * The file is not tracked: an image holds a program that holds its revision, so no lock could be part of the very
 * revision whose images it names. It travels with them, in a bundle.
 */

#define SB_IMAGE_LOCK_FILE "containers/matrix.lock"

/* Read and check. SB_E_MISSING: no such file; SB_E_INTEGRITY: "PATH:LINE: ...". The caller frees. */
sb_status sb_image_lock_load(sb_image_lock **locked, const char *path);
void sb_image_lock_free(sb_image_lock *locked); /* NULL is fine */

/* Write the file, whole or not at all; its folder is made. */
sb_status sb_image_lock_write(const sb_image_lock *locked, const char *path);

/* The row of a stack or of a data file (by the last part of its path); NULL: it is not locked. */
const sb_locked_image *sb_image_lock_image(const sb_image_lock *locked, const sb_stack *stack);
const sb_locked_data *sb_image_lock_data(const sb_image_lock *locked, const char *path);

/* SB_E_INTEGRITY if the data set is locked and its content is another one. */
sb_status sb_image_lock_check_data(const sb_image_lock *locked, const char *lock, const char *path);
