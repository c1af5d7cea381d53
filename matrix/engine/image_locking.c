#include "matrix/engine/container.h"

#include "io/dataset.h"
#include "matrix/cells/cells.h"
#include "matrix/data/data_source.h"
#include "matrix/process/process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The value after a name in the output of `samebits info`, "  build_id         1a2b"; "" if it is not there. */
static void fact(const char *info, const char *name, char *value, size_t size)
{
    *value = 0;
    for (const char *line = info; line && !*value; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *word = line + strspn(line, " ");
        size_t length = strlen(name);
        if (strncmp(word, name, length) != 0 || word[length] != ' ') continue;
        word += length + strspn(word + length, " ");
        snprintf(value, size, "%.*s", (int)strcspn(word, "\n"), word);
    }
}

static sb_status build_of(const sb_container *container, const sb_stack *stack, const char *id, const char *folder,
                          char build_id[SB_SHA256_TEXT], char revision[64])
{
    char *info;
    sb_container_task task = {.stack = stack, .id = id, .folder = folder, .without_gpu = true};
    SB_TRY(sb_container_info(&info, container, &task));
    fact(info, "build_id", build_id, SB_SHA256_TEXT);
    fact(info, "revision", revision, 64);
    free(info);
    return SB_OK;
}

/* -- writing a lock -- */

static sb_status add_stack(sb_image_lock *lock, const sb_container *container, const char *folder,
                           const sb_stack *stack)
{
    char id[SB_IMAGE_ID], build_id[SB_SHA256_TEXT], revision[64];
    SB_TRY(sb_container_image_id(id, container, stack, folder));
    SB_TRY(build_of(container, stack, id, folder, build_id, revision));
    if (!*build_id)
        return sb_fail(SB_E_INTEGRITY, "%s: the trainer in this image names no build id; build it again", id);
    if (!lock->images) lock->images = calloc(SB_STACKS, sizeof *lock->images);
    if (!lock->images) return sb_fail(SB_E_MEMORY, "not enough memory for a lock");
    lock->images[lock->n_images++] =
        (sb_locked_image){strdup(stack->name), strdup(id), strdup(build_id), strdup(revision)};
    return SB_OK;
}

sb_status sb_image_lock_add_stacks(sb_image_lock *lock, const sb_container *container, const char *folder,
                                   const sb_stack *const *stack, int n)
{
    for (int i = 0; i < n; i++) SB_TRY(add_stack(lock, container, folder, stack[i]));
    for (int i = 0; n == 0 && i < SB_STACKS; i++) {
        sb_status status = add_stack(lock, container, folder, &sb_stacks[i]);
        if (status != SB_OK && status != SB_E_MISSING) return status;
    }
    if (lock->n_images) return SB_OK;
    /* The sentence of the stack that everybody builds first. */
    return add_stack(lock, container, folder, &sb_stacks[0]);
}

static sb_status add_data(sb_image_lock *lock, const sb_data_source *source, const char *folder)
{
    char path[SB_PATH_MAX], digest[SB_HASH_TEXT];
    SB_TRY(sb_data_source_path(path, source, folder));
    if (!sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_dataset_digest_file(path, digest));
    lock->data[lock->n_data++] = (sb_locked_data){strdup(strrchr(path, '/') + 1), strdup(digest)};
    return SB_OK;
}

sb_status sb_image_lock_add_data(sb_image_lock *lock, const char *matrix, const char *data)
{
    SB_OWNED(sb_cells_leave) sb_cells *cells = NULL;
    sb_host host;
    sb_host_here(&host);
    SB_TRY(sb_cells_load(&cells, matrix, &host));
    const sb_matrix *m = cells->matrix;
    lock->data = calloc(m->n_data + 1, sizeof *lock->data);
    SB_TRY(lock->data ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a lock"));
    for (uint32_t i = 0; i < m->n_data; i++) SB_TRY(add_data(lock, &m->data[i], data));
    return SB_OK;
}

void sb_image_lock_drop(sb_image_lock *lock)
{
    for (uint32_t i = 0; i < lock->n_images; i++) {
        sb_locked_image *image = &lock->images[i];
        free(image->stack);
        free(image->id);
        free(image->build_id);
        free(image->revision);
    }
    for (uint32_t i = 0; i < lock->n_data; i++) {
        free(lock->data[i].file);
        free(lock->data[i].digest);
    }
    free(lock->images);
    free(lock->data);
    *lock = (sb_image_lock){0};
}

/* -- into archives -- */

/* The tag may be that of another image than the locked one. */
static sb_status check_archive(const char *path, const char *shown, const sb_locked_image *image)
{
    char id[SB_IMAGE_ID];
    SB_TRY(sb_image_archive_id(id, path));
    if (strcmp(id, image->id) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: it holds the image %.19s..., the lock says %.19s...", shown, id, image->id);
}

sb_status sb_image_save(const sb_container *container, const sb_locked_image *image, const char *folder)
{
    const sb_stack *stack = sb_image_find(image->stack);
    char path[SB_PATH_MAX], part[SB_PATH_MAX];
    SB_FREED char *said = NULL;
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    SB_TRY(sb_image_archive(path, stack, folder));
    sb_file_part(path, part);
    SB_TRY(sb_container_check(container, stack, image->id, folder));
    SB_TRY(sb_folder_make(folder));
    unlink(part); /* podman writes into no file that is there */
    sb_status status = sb_container_save_argv(&argv, container, stack, part);
    if (status == SB_OK) status = sb_process_ask(&said, &argv);
    if (status == SB_OK) status = check_archive(part, path, image);
    if (status == SB_OK) return sb_file_commit(path);
    unlink(part);
    return status;
}
