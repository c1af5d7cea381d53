#include "matrix/image/image.h"

#include "core/file.h"
#include "core/text/writer.h"
#include "io/dataset.h"
#include "io/yaml/place.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* -- reading -- */

static bool is_hex(const char *text, size_t min, size_t max)
{
    size_t n = strlen(text);
    return n >= min && n <= max && strspn(text, "0123456789abcdef") == n;
}

static sb_status check_image(const char *path, const sb_image_lock *locked, uint32_t index)
{
    const sb_locked_image *image = &locked->images[index];
    char place[64];
    snprintf(place, sizeof place, "images/%u/stack", index);
    if (!sb_image_find(image->stack)) return sb_place_fail(path, place, "no software stack '%s'", image->stack);
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(locked->images[i].stack, image->stack) == 0)
            return sb_place_fail(path, place, "stack '%s' is here twice", image->stack);
    snprintf(place, sizeof place, "images/%u/id", index);
    if (strncmp(image->id, "sha256:", 7) != 0 || !is_hex(image->id + 7, 64, 64))
        return sb_place_fail(path, place, "id wants sha256: and 64 digits, not '%.80s'", image->id);
    snprintf(place, sizeof place, "images/%u/build_id", index);
    if (!is_hex(image->build_id, 8, 64))
        return sb_place_fail(path, place, "build_id wants 8 to 64 hex digits, not '%.80s'", image->build_id);
    return SB_OK;
}

static sb_status check_data(const char *path, const sb_image_lock *locked, uint32_t index)
{
    char place[64];
    snprintf(place, sizeof place, "data/%u/digest", index);
    if (is_hex(locked->data[index].digest, SB_HASH_TEXT - 1, SB_HASH_TEXT - 1)) return SB_OK;
    return sb_place_fail(path, place, "digest wants %d hex digits, not '%.80s'", SB_HASH_TEXT - 1,
                         locked->data[index].digest);
}

sb_status sb_image_lock_load(sb_image_lock **locked, const char *path)
{
    *locked = NULL;
    if (!sb_file_exists(path))
        return sb_fail(SB_E_MISSING, "%s: no such lock file; 'samebits-matrix image lock' writes it", path);
    sb_status status = sb_schema_load_image_lock(path, locked);
    for (uint32_t i = 0; status == SB_OK && i < (*locked)->n_images; i++) status = check_image(path, *locked, i);
    for (uint32_t i = 0; status == SB_OK && i < (*locked)->n_data; i++) status = check_data(path, *locked, i);
    if (status == SB_OK) return SB_OK;
    sb_image_lock_free(*locked);
    *locked = NULL;
    if (status != SB_E_USAGE) return status;
    return sb_fail(SB_E_INTEGRITY, "%s; 'samebits-matrix image lock' writes the file anew", sb_message());
}

void sb_image_lock_free(sb_image_lock *locked)
{
    sb_schema_free_image_lock(locked);
}

/* -- writing -- */

static sb_status make_folder_of(const char *path)
{
    char folder[SB_PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path) return SB_OK;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    return sb_folder_make(folder);
}

/* A text of YAML: as it is where it is a word, else between double quotes. */
static void write_yaml(FILE *out, const char *text, bool quoted)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
    size_t n = strspn(text, word);
    if (text[n] == ':') n += 1 + strspn(text + n + 1, word); /* "sha256:1a2b" */
    bool plain = isalnum((unsigned char)*text) && !text[n] && text[n - 1] != ':';
    (void)quoted;
    if (!plain) fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (strchr("\\\"", *c)) fputc('\\', out);
        fputc(*c, out);
    }
    if (!plain) fputc('"', out);
}

static const sb_language yaml = {.name = "YAML", .text = write_yaml};

sb_status sb_image_lock_write(const sb_image_lock *locked, const char *path)
{
    SB_TRY(make_folder_of(path));
    SB_FREED char *text = NULL;
    size_t size;
    sb_writer *out = sb_writer_open(&yaml);
    sb_write(out, "# Written by 'samebits-matrix image lock'; what a run in a container is held to.\nimages:\n");
    for (uint32_t i = 0; i < locked->n_images; i++) {
        const sb_locked_image *image = &locked->images[i];
        sb_write(out, "  - stack: %s\n    id: %s\n    build_id: %s\n    revision: %s\n", image->stack, image->id,
                 image->build_id, image->revision);
    }
    if (locked->n_data) sb_write(out, "data:\n");
    for (uint32_t i = 0; i < locked->n_data; i++)
        sb_write(out, "  - file: %s\n    digest: %s\n", locked->data[i].file, locked->data[i].digest);
    SB_TRY(sb_writer_close(out, path, &text, &size));
    return sb_file_write(path, text, size);
}

/* -- asking -- */

const sb_locked_image *sb_image_lock_image(const sb_image_lock *locked, const sb_stack *stack)
{
    for (uint32_t i = 0; i < locked->n_images; i++)
        if (strcmp(locked->images[i].stack, stack->name) == 0) return &locked->images[i];
    return NULL;
}

const sb_locked_data *sb_image_lock_data(const sb_image_lock *locked, const char *path)
{
    const char *slash = strrchr(path, '/');
    for (uint32_t i = 0; i < locked->n_data; i++)
        if (strcmp(locked->data[i].file, slash ? slash + 1 : path) == 0) return &locked->data[i];
    return NULL;
}

sb_status sb_image_lock_check_data(const sb_image_lock *locked, const char *lock, const char *path)
{
    char digest[SB_HASH_TEXT];
    const sb_locked_data *data = sb_image_lock_data(locked, path);
    if (!data) return SB_OK;
    SB_TRY(sb_dataset_digest_file(path, digest));
    if (strcmp(digest, data->digest) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY,
                   "%s: its content is %s, %s says %s; move it away and it is made again, or lock this one with "
                   "'samebits-matrix image lock'",
                   path, digest, lock, data->digest);
}
