#include "io/dataset.h"

#include "io/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sb_dataset {
    sb_h5 *file;
    sb_dataset_facts facts;
    int64_t *sequence;
};

static sb_status read_video(sb_dataset *dataset)
{
    sb_h5 *file = dataset->file;
    sb_dataset_facts *facts = &dataset->facts;
    const char *path = sb_h5_path(file);
    sb_h5_shape frames, starts;
    SB_TRY(sb_h5_shape_of(file, "frames", &frames));
    if (frames.rank != 4 || frames.dim[3] != 3 || frames.type != SB_U8 || frames.n == 0)
        return sb_fail(SB_E_INTEGRITY, "%s: /frames is not [n][h][w][3] of bytes", path);
    facts->kind = SB_DATASET_VIDEO;
    facts->n = frames.dim[0], facts->h = frames.dim[1], facts->w = frames.dim[2], facts->c = 3;
    facts->n_sequences = 1;
    if (sb_h5_exists(file, "sequence")) {
        SB_TRY(sb_h5_shape_of(file, "sequence", &starts));
        facts->n_sequences = starts.n;
    }
    if (facts->n_sequences == 0) return sb_fail(SB_E_INTEGRITY, "%s: /sequence is empty", path);
    facts->sequence = dataset->sequence = calloc(facts->n_sequences, sizeof *dataset->sequence);
    if (!dataset->sequence) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (sb_h5_exists(file, "sequence"))
        SB_TRY(sb_h5_read(file, "sequence", SB_I64, facts->n_sequences, dataset->sequence));
    for (size_t i = 0; i < facts->n_sequences; i++) {
        int64_t start = dataset->sequence[i], before = i ? dataset->sequence[i - 1] : -1;
        if (start <= before || (i == 0 && start != 0) || (size_t)start >= facts->n)
            return sb_fail(SB_E_INTEGRITY, "%s: /sequence does not ascend from 0 inside the %zu frames", path,
                           facts->n);
    }
    return SB_OK;
}

static sb_status read_images(sb_dataset *dataset)
{
    sb_dataset_facts *facts = &dataset->facts;
    sb_h5_shape images;
    SB_TRY(sb_h5_shape_of(dataset->file, "images", &images));
    if (images.rank != 3 || images.type != SB_U8 || images.n == 0)
        return sb_fail(SB_E_INTEGRITY, "%s: /images is not [n][h][w] of bytes", sb_h5_path(dataset->file));
    facts->kind = SB_DATASET_IMAGES;
    facts->n = images.dim[0], facts->h = images.dim[1], facts->w = images.dim[2], facts->c = 1;
    if (sb_h5_exists(dataset->file, "test_images")) {
        SB_TRY(sb_h5_shape_of(dataset->file, "test_images", &images));
        facts->n_test = images.dim[0];
    }
    return SB_OK;
}

static sb_status read_facts(sb_dataset *dataset)
{
    if (sb_h5_has(dataset->file, "", "name"))
        SB_TRY(sb_h5_get_text(dataset->file, "", "name", dataset->facts.name, sizeof dataset->facts.name));
    if (sb_h5_exists(dataset->file, "frames")) return read_video(dataset);
    if (sb_h5_exists(dataset->file, "images")) return read_images(dataset);
    return sb_fail(SB_E_INTEGRITY, "%s: neither /frames nor /images in it; make one with 'samebits-data convert'",
                   sb_h5_path(dataset->file));
}

sb_status sb_dataset_open(sb_dataset **dataset, const char *path)
{
    *dataset = calloc(1, sizeof **dataset);
    if (!*dataset) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    sb_status status = sb_h5_open(&(*dataset)->file, path, SB_SEAL_DATA);
    if (status == SB_OK) status = read_facts(*dataset);
    if (status == SB_OK) return SB_OK;
    sb_dataset_close(*dataset);
    *dataset = NULL;
    return status;
}

void sb_dataset_close(sb_dataset *dataset)
{
    if (!dataset) return;
    sb_h5_close(dataset->file);
    free(dataset->sequence);
    free(dataset);
}

const sb_dataset_facts *sb_dataset_about(const sb_dataset *dataset)
{
    return &dataset->facts;
}

sb_status sb_dataset_read(sb_dataset *dataset, size_t first, size_t n, uint8_t *bytes)
{
    const char *name = dataset->facts.kind == SB_DATASET_VIDEO ? "frames" : "images";
    return sb_h5_read_rows(dataset->file, name, SB_U8, first, n, bytes);
}

sb_status sb_dataset_read_test(sb_dataset *dataset, size_t first, size_t n, uint8_t *bytes)
{
    return sb_h5_read_rows(dataset->file, "test_images", SB_U8, first, n, bytes);
}

/* Add all bytes of a data set to the hash, about a MiB at a time. */
static sb_status hash_rows(sb_h5 *file, const char *name, sb_hasher *hasher)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, name, &shape));
    if (shape.rank == 0 || shape.n == 0) return SB_OK;
    size_t row_bytes = shape.n / shape.dim[0], n_rows = (1u << 20) / row_bytes + 1;
    uint8_t *bytes = malloc(n_rows * row_bytes);
    if (!bytes) return sb_fail(SB_E_MEMORY, "%s: not enough memory to read /%s", sb_h5_path(file), name);
    sb_status status = SB_OK;
    for (size_t first = 0; first < shape.dim[0] && status == SB_OK; first += n_rows) {
        size_t n = shape.dim[0] - first < n_rows ? shape.dim[0] - first : n_rows;
        status = sb_h5_read_rows(file, name, SB_U8, first, n, bytes);
        if (status == SB_OK) sb_hasher_add(hasher, bytes, n * row_bytes);
    }
    free(bytes);
    return status;
}

static void hash_sequence(const sb_dataset_facts *facts, sb_hasher *hasher)
{
    for (size_t i = 0; i < facts->n_sequences; i++) {
        uint8_t byte[8];
        for (int k = 0; k < 8; k++) byte[k] = (uint8_t)((uint64_t)facts->sequence[i] >> 8 * k);
        sb_hasher_add(hasher, byte, sizeof byte);
    }
}

sb_status sb_dataset_digest(sb_dataset *dataset, sb_hash *digest)
{
    static const char *const images[] = {"images", "labels", "test_images", "test_labels"};
    sb_hasher *hasher = sb_hasher_begin();
    if (!hasher) return sb_fail(SB_E_MEMORY, "%s: not enough memory", sb_h5_path(dataset->file));
    sb_status status = SB_OK;
    if (dataset->facts.kind == SB_DATASET_VIDEO) {
        status = hash_rows(dataset->file, "frames", hasher);
        hash_sequence(&dataset->facts, hasher);
    } else {
        for (size_t i = 0; i < sizeof images / sizeof *images && status == SB_OK; i++)
            if (sb_h5_exists(dataset->file, images[i])) status = hash_rows(dataset->file, images[i], hasher);
    }
    *digest = sb_hasher_end(hasher);
    return status;
}
