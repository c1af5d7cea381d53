#define _POSIX_C_SOURCE 200809L
#include "matrix/image/pins.h"

#include "core/file.h"
#include "core/text/writer.h"
#include "io/dataset.h"
#include "io/yaml/place.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- reading -- */

static bool is_hex(const char *text, size_t min, size_t max)
{
    size_t n = strlen(text);
    return n >= min && n <= max && strspn(text, "0123456789abcdef") == n;
}

static sb_status check_image(const char *path, const sb_pins *pins, uint32_t index)
{
    const sb_pinned_image *image = &pins->images[index];
    char place[64];
    snprintf(place, sizeof place, "images/%u/stack", index);
    if (!sb_image_find(image->stack)) return sb_place_fail(path, place, "no software stack '%s'", image->stack);
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(pins->images[i].stack, image->stack) == 0)
            return sb_place_fail(path, place, "stack '%s' is here twice", image->stack);
    snprintf(place, sizeof place, "images/%u/id", index);
    if (strncmp(image->id, "sha256:", 7) != 0 || !is_hex(image->id + 7, 64, 64))
        return sb_place_fail(path, place, "id wants sha256: and 64 digits, not '%.80s'", image->id);
    snprintf(place, sizeof place, "images/%u/build_id", index);
    if (!is_hex(image->build_id, 8, 64))
        return sb_place_fail(path, place, "build_id wants 8 to 64 hex digits, not '%.80s'", image->build_id);
    return SB_OK;
}

static sb_status check_data(const char *path, const sb_pins *pins, uint32_t index)
{
    char place[64];
    snprintf(place, sizeof place, "data/%u/digest", index);
    if (is_hex(pins->data[index].digest, SB_HASH_TEXT - 1, SB_HASH_TEXT - 1)) return SB_OK;
    return sb_place_fail(path, place, "digest wants %d hex digits, not '%.80s'", SB_HASH_TEXT - 1,
                         pins->data[index].digest);
}

sb_status sb_pins_load(sb_pins **pins, const char *path)
{
    *pins = NULL;
    if (!sb_file_exists(path))
        return sb_fail(SB_E_MISSING, "%s: no such lock file; 'samebits-matrix image lock' writes it", path);
    sb_status status = sb_schema_load_pins(path, pins);
    for (uint32_t i = 0; status == SB_OK && i < (*pins)->n_images; i++) status = check_image(path, *pins, i);
    for (uint32_t i = 0; status == SB_OK && i < (*pins)->n_data; i++) status = check_data(path, *pins, i);
    if (status == SB_OK) return SB_OK;
    sb_pins_free(*pins);
    *pins = NULL;
    if (status != SB_E_USAGE) return status;
    return sb_fail(SB_E_INTEGRITY, "%s; 'samebits-matrix image lock' writes the file anew", sb_message());
}

void sb_pins_free(sb_pins *pins)
{
    sb_schema_free_pins(pins);
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

sb_status sb_pins_write(const sb_pins *pins, const char *path)
{
    SB_TRY(make_folder_of(path));
    char *text;
    size_t size;
    sb_writer *out = sb_writer_open(&yaml);
    sb_write(out, "# Written by 'samebits-matrix image lock'; what a run in a container is held to.\nimages:\n");
    for (uint32_t i = 0; i < pins->n_images; i++) {
        const sb_pinned_image *image = &pins->images[i];
        sb_write(out, "  - stack: %s\n    id: %s\n    build_id: %s\n    revision: %s\n", image->stack, image->id,
                 image->build_id, image->revision);
    }
    if (pins->n_data) sb_write(out, "data:\n");
    for (uint32_t i = 0; i < pins->n_data; i++)
        sb_write(out, "  - file: %s\n    digest: %s\n", pins->data[i].file, pins->data[i].digest);
    SB_TRY(sb_writer_close(out, path, &text, &size));
    sb_status status = sb_file_write(path, text, size);
    free(text);
    return status;
}

/* -- asking -- */

const sb_pinned_image *sb_pins_image(const sb_pins *pins, const sb_stack *stack)
{
    for (uint32_t i = 0; i < pins->n_images; i++)
        if (strcmp(pins->images[i].stack, stack->name) == 0) return &pins->images[i];
    return NULL;
}

const sb_pinned_data *sb_pins_data(const sb_pins *pins, const char *path)
{
    const char *slash = strrchr(path, '/');
    for (uint32_t i = 0; i < pins->n_data; i++)
        if (strcmp(pins->data[i].file, slash ? slash + 1 : path) == 0) return &pins->data[i];
    return NULL;
}

sb_status sb_pins_check_data(const sb_pins *pins, const char *lock, const char *path)
{
    char digest[SB_HASH_TEXT];
    const sb_pinned_data *data = sb_pins_data(pins, path);
    if (!data) return SB_OK;
    SB_TRY(sb_dataset_digest_file(path, digest));
    if (strcmp(digest, data->digest) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY,
                   "%s: its content is %s, %s says %s; move it away and it is made again, or lock this one with "
                   "'samebits-matrix image lock'",
                   path, digest, lock, data->digest);
}
