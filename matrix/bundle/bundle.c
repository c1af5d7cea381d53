#include "matrix/bundle/bundle.h"

#include "matrix/data/data_source.h"
#include "matrix/engine/container.h"
#include "matrix/process/process.h"

#include "core/text/shell.h"
#include "io/archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOP "samebits-bundle"
enum { STAGE = SB_PATH_MAX - 256 }; /* room after it for what is in a bundle */

/* -- staging: a folder of links to what goes in -- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A link to the file, at name in the bundle. */
static sb_status stage_file(const char *stage, const char *name, const char *path)
{
    char link[SB_PATH_MAX], target[SB_PATH_MAX];
    if (snprintf(link, sizeof link, "%s/" TOP "/%s", stage, name) >= SB_PATH_MAX) return sb_file_too_long(path);
    if (!realpath(path, target)) return sb_fail(SB_E_MISSING, "%s: %s", path, strerror(errno));
    *strrchr(link, '/') = 0;
    SB_TRY(sb_folder_make(link));
    link[strlen(link)] = '/';
    if (symlink(target, link) != 0) return sb_fail(SB_E_IO, "%s: %s", link, strerror(errno));
    return SB_OK;
}

static sb_status stage_program(const char *stage, const char *program)
{
    char path[SB_PATH_MAX], name[64];
    sb_process_program(program, path);
    if (!strchr(path, '/')) return sb_fail(SB_E_MISSING, "%s: not next to samebits-matrix; build it", program);
    snprintf(name, sizeof name, "bin/%s", program);
    return stage_file(stage, name, path);
}

/* A file that the matrix file names, where the matrix file in the bundle finds it: below it, or in a folder next to its
 * own. */
static sb_status stage_beside(const char *stage, const sb_cells *cells, const char *what, const char *file)
{
    char name[SB_PATH_MAX], path[SB_PATH_MAX];
    const bool is_next = strncmp(file, "../", 3) == 0;
    if (*file == '/' || strstr(file + (is_next ? 3 : 0), ".."))
        return sb_fail(SB_E_USAGE, "%s: its %s file '%s' lies outside its folder, and cannot be bundled", cells->path,
                       what, file);
    snprintf(name, sizeof name, "%s%.1000s", is_next ? "" : "matrix/", file + (is_next ? 3 : 0));
    sb_cells_beside(cells, file, path);
    return stage_file(stage, name, path);
}

/* A file of a command, which several studies may have. */
static sb_status stage_once(const char *stage, const sb_cells *cells, const char *file)
{
    for (uint32_t i = 0; i < cells->matrix->n_studies; i++)
        for (uint32_t k = 0; k < cells->matrix->studies[i].files.n; k++) {
            const char *first = cells->matrix->studies[i].files.item[k];
            if (strcmp(first, file) != 0) continue;
            return first == file ? stage_beside(stage, cells, "command's", file) : SB_OK;
        }
    return SB_OK;
}

static sb_status stage_matrix(const char *stage, const sb_cells *cells)
{
    char name[SB_PATH_MAX];
    snprintf(name, sizeof name, "matrix/%.255s", base_name(cells->path));
    SB_TRY(stage_file(stage, name, cells->path));
    if (cells->matrix->hardware) SB_TRY(stage_beside(stage, cells, "hardware", cells->matrix->hardware));
    for (uint32_t i = 0; i < cells->matrix->n_studies; i++)
        for (uint32_t k = 0; k < cells->matrix->studies[i].files.n; k++)
            SB_TRY(stage_once(stage, cells, cells->matrix->studies[i].files.item[k]));
    for (size_t i = 0; i < cells->layer_files.n; i++)
        SB_TRY(stage_beside(stage, cells, "layers", cells->layer_files.name[i]));
    return cells->matrix->claims ? stage_beside(stage, cells, "claims", cells->matrix->claims) : SB_OK;
}

static sb_status stage_data(const char *stage, const sb_bundle *bundle)
{
    for (size_t i = 0; i < bundle->n_sources; i++) {
        char path[SB_PATH_MAX], name[SB_PATH_MAX];
        SB_TRY(sb_data_source_path(path, bundle->source[i], bundle->data));
        snprintf(name, sizeof name, "cache/data/%.255s", base_name(path));
        SB_TRY(stage_file(stage, name, path));
    }
    return SB_OK;
}

static sb_status stage_images(const char *stage, const sb_bundle *bundle)
{
    char folder[SB_PATH_MAX];
    if (!bundle->locked) return SB_OK;
    snprintf(folder, sizeof folder, "%s/" TOP "/containers", stage);
    for (uint32_t i = 0; i < bundle->locked->n_images; i++)
        SB_TRY(sb_image_save(bundle->container, &bundle->locked->images[i], folder));
    return stage_file(stage, SB_IMAGE_LOCK_FILE, bundle->lock);
}

static sb_status stage_readme(const char *stage, const sb_cells *cells)
{
    char path[SB_PATH_MAX];
    SB_FREED char *text = NULL;
    const char *name = base_name(cells->path);
    sb_writer *readme = sb_writer_open(&sb_shell);
    if (cells->matrix->has_commands)
        sb_write(
            readme,
            "A study of samebits: matrix, data, and the files that its commands name. It needs the programs that the\n"
            "commands start, and the images that they run in:\n"
            "\n"
            "    bin/samebits-matrix run -f matrix/%s\n"
            "\n"
            "sha256sum -c MANIFEST checks the files.\n",
            name);
    else
        sb_write(readme,
                 "A study of samebits: programs, images, data and matrix. It needs no network; for the images\n"
                 "it needs podman or docker, and without them it runs too:\n"
                 "\n"
                 "    for image in containers/*.tar; do podman load -i $image; done\n"
                 "    bin/samebits-matrix run -f matrix/%s\n"
                 "    bin/samebits-matrix run -f matrix/%s --engine none\n"
                 "\n"
                 "sha256sum -c MANIFEST checks the files.\n",
                 name, name);
    SB_TRY(sb_writer_close(readme, "README", &text, NULL));
    snprintf(path, sizeof path, "%s/" TOP "/README", stage);
    return sb_file_write(path, text, strlen(text));
}

static sb_status stage_all(const char *stage, const sb_bundle *bundle)
{
    char top[SB_PATH_MAX];
    SB_TRY(stage_program(stage, "samebits"));
    SB_TRY(stage_program(stage, "samebits-matrix"));
    SB_TRY(stage_matrix(stage, bundle->cells));
    SB_TRY(stage_data(stage, bundle));
    SB_TRY(stage_images(stage, bundle));
    SB_TRY(stage_readme(stage, bundle->cells));
    snprintf(top, sizeof top, "%s/" TOP, stage);
    return sb_manifest_write(top);
}

/* -- packing -- */

/* The seal as the first member, and the end of a tar, over which the other members are appended. */
static sb_status begin_tar(const char *path, const char *part)
{
    uint8_t tar[SB_SEAL_FRAME_MAX + 1024] = {0};
    const size_t n = sb_seal_frame(SB_SEAL_BUNDLE, tar) + 1024;
    FILE *out = fopen(part, "wb");
    bool written = out && fwrite(tar, 1, n, out) == n;
    written = out && fclose(out) == 0 && written;
    return written ? SB_OK : sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
}

static sb_status seal_part(const char *path, const char *part)
{
    SB_TRY(sb_seal_write(part, SB_SEAL_BUNDLE));
    return sb_file_commit(path);
}

static sb_status tar_stage(const char *stage, const char *path)
{
    char part[SB_PATH_MAX], *said = NULL;
    sb_argv argv = {0};
    sb_file_part(path, part);
    sb_argv_add_split(&argv, "tar --append --dereference --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner");
    sb_argv_add_pair(&argv, "--mode", "u+rw,go+r,go-w");
    sb_argv_add_pair(&argv, "--file", part);
    sb_argv_add_pair(&argv, "--directory", stage);
    sb_argv_add(&argv, TOP);
    sb_status status = begin_tar(path, part);
    if (status == SB_OK) status = sb_process_ask(&said, &argv);
    sb_argv_free(&argv);
    free(said);
    if (status == SB_OK) status = seal_part(path, part);
    if (status == SB_OK) return SB_OK;
    unlink(part);
    return status == SB_E_DIFFERS ? sb_fail(SB_E_IO, "%s: %s", path, sb_message()) : status;
}

sb_status sb_bundle_pack(const sb_bundle *bundle, const char *path)
{
    char stage[STAGE];
    SB_TRY(sb_file_check_output(path));
    if (snprintf(stage, sizeof stage, "%s.stage", path) >= STAGE) return sb_file_too_long(path);
    sb_folder_remove(stage);
    sb_status status = stage_all(stage, bundle);
    if (status == SB_OK) status = tar_stage(stage, path);
    sb_folder_remove(stage);
    return status;
}

/* -- unpacking -- */

sb_status sb_bundle_unpack(const char *path, const char *folder)
{
    static const sb_archive_rules rules = {.top = TOP,
                                           .what = "bundle of a study",
                                           .kind = SB_SEAL_BUNDLE,
                                           .is_tree = true,
                                           .n_entries_max = 4096,
                                           .n_bytes_max = INT64_MAX, /* it is not packed: at most its own size */
                                           .check = sb_manifest_check};
    return sb_archive_unpack(path, &rules, folder);
}
