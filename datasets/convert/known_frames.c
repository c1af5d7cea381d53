#include "datasets/convert/known_frames.h"

#include "core/hash.h"
#include "core/size.h"
#include "io/dataset.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the file says of its making. */
typedef struct origin {
    char converter[80], software[512], sha256[4096];
} origin;

static sb_status read_origin(const char *path, origin *o)
{
    sb_h5 *file;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_DATA));
    sb_status status = sb_h5_get_text(file, "", "converter", o->converter, sizeof o->converter);
    if (status == SB_OK) status = sb_h5_get_text(file, "", "software", o->software, sizeof o->software);
    if (status == SB_OK) status = sb_h5_get_text(file, "", "sha256", o->sha256, sizeof o->sha256);
    sb_h5_close(file);
    return status;
}

/* The row that states the frames of such a data set, and which of its sizes this is; NULL: none. */
static const sb_catalog_entry *find_row(const sb_catalog_entry *catalog, const sb_dataset_facts *facts, int *size)
{
    const sb_catalog_entry *entry = catalog;
    while (entry->name && strcmp(entry->name, facts->name) != 0) entry++;
    for (*size = 0; entry->name && *size < SB_CATALOG_SIZES && entry->size[*size].w; ++*size)
        if ((size_t)entry->size[*size].w == facts->w && (size_t)entry->size[*size].h == facts->h) return entry;
    return NULL;
}

static sb_status hash_frames(sb_dataset *dataset, size_t first, size_t n, char hex[SB_HASH_TEXT])
{
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    const size_t n_bytes = facts->h * facts->w * facts->c;
    uint8_t *frame = sb_size_allocate(n_bytes, 1);
    sb_hasher *hasher = sb_hasher_begin();
    sb_status status = frame && hasher ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a frame");
    for (size_t i = 0; i < n && status == SB_OK; i++) {
        status = sb_dataset_read(dataset, first + i, 1, frame);
        sb_hasher_add(hasher, frame, n_bytes, 1);
    }
    if (hasher) sb_hash_text(sb_hasher_end(hasher), hex);
    free(frame);
    return status;
}

/* The row's files that the data set was made of, one after the other. */
static sb_status check_files(sb_dataset *dataset, const char *path, const sb_catalog_entry *entry, int size,
                             const origin *o)
{
    const size_t n_frames = sb_dataset_about(dataset)->n;
    size_t first = 0;
    for (const sb_catalog_file *file = entry->file; file->name; first += file->n_frames, file++) {
        char hex[SB_HASH_TEXT] = "";
        while (file->name && !strstr(o->sha256, file->sha256)) file++;
        if (!file->name) break;
        if (first + file->n_frames <= n_frames) SB_TRY(hash_frames(dataset, first, (size_t)file->n_frames, hex));
        if (strcmp(hex, file->frames[size]) != 0)
            return sb_fail(SB_E_INTEGRITY, "%s: the frames of %s differ from the reference; made by %s", path,
                           file->name, o->software);
    }
    return SB_OK;
}

sb_status sb_known_frames_check(const char *path, const sb_catalog_entry *catalog)
{
    origin o;
    sb_dataset *dataset;
    int size;
    SB_TRY(read_origin(path, &o));
    SB_TRY(sb_dataset_open(&dataset, path));
    const sb_catalog_entry *entry = find_row(catalog, sb_dataset_about(dataset), &size);
    const char *name = strrchr(o.converter, ' ');
    const bool is_comparable = entry && name && strcmp(name + 1, entry->name) == 0;
    sb_status status = is_comparable ? check_files(dataset, path, entry, size, &o) : SB_OK;
    sb_dataset_close(dataset);
    return status;
}
