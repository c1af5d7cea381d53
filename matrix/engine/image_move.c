#define _POSIX_C_SOURCE 200809L
#include "matrix/engine/image_move.h"

#include "matrix/process/process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Run a command that says nothing of interest when all goes well. */
static sb_status run_quietly(sb_argv *argv, sb_status made)
{
    char *said;
    if (made == SB_OK) made = sb_process_ask(&said, argv);
    if (made == SB_OK) free(said);
    sb_argv_free(argv);
    return made;
}

static sb_status check_archive(const char *path, const char *shown, const sb_locked_image *image)
{
    char id[SB_IMAGE_ID];
    SB_TRY(sb_image_archive_id(id, path));
    if (strcmp(id, image->id) == 0) return sb_image_archive_check(path);
    return sb_fail(SB_E_INTEGRITY, "%s: it holds the image %.19s..., the lock says %.19s...", shown, id, image->id);
}

sb_status sb_image_save(const sb_container *container, const sb_locked_image *image, const char *folder)
{
    const sb_stack *stack = sb_image_find(image->stack);
    char path[SB_PATH_MAX], part[SB_PATH_MAX];
    sb_argv argv = {0};
    SB_TRY(sb_image_archive(path, stack, folder));
    sb_file_part(path, part);
    SB_TRY(sb_container_check(container, stack, image->id, folder));
    SB_TRY(sb_folder_make(folder));
    unlink(part); /* podman writes into no file that is there */
    sb_status status = run_quietly(&argv, sb_container_save_argv(&argv, container, stack, part));
    if (status == SB_OK) status = check_archive(part, path, image);
    if (status == SB_OK) return sb_file_commit(path);
    unlink(part);
    return status;
}

sb_status sb_image_load(const sb_container *container, const sb_locked_image *image, const char *folder)
{
    const sb_stack *stack = sb_image_find(image->stack);
    char path[SB_PATH_MAX];
    sb_argv argv = {0};
    SB_TRY(sb_image_archive(path, stack, folder));
    SB_TRY(check_archive(path, path, image));
    if (sb_container_keeps_images(container))
        SB_TRY(run_quietly(&argv, sb_container_load_argv(&argv, container, path)));
    return sb_container_check(container, stack, image->id, folder);
}
