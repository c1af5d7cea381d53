#include "io/dataset.h"

#include "core/file.h"
#include "core/rows/made_text.h"
#include "core/size.h"
#include "core/text/text.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_layout.h"
#include "io/text_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES_MOST = 256, CLASSES_BYTES = 8192 };

struct sb_dataset {
    sb_h5 *file;   /* NULL: none, the tokens were made */
    uint8_t *made; /* [n + n_test]: the tokens to learn from, then the held-out ones */
    sb_dataset_facts facts;
    int64_t *sequence;
};

/* The forms, by the data set that tells them and, of images, by its rank. */
static const sb_h5_row video[] = {
    {"frames", SB_H5_BYTES, "n h w 3"},
    {"sequence", SB_H5_COUNTS, "k", .may_lack = true},
};
#define IMAGES(shape)                                                                                                  \
    {                                                                                                                  \
        {"images", SB_H5_BYTES, "n " shape}, {"labels", SB_H5_BYTES, "n", .may_lack = true},                           \
            {"test_images", SB_H5_BYTES, "t " shape, .may_lack = true},                                                \
            {"test_labels", SB_H5_BYTES, "t", .may_lack = true},                                                       \
    }
static const sb_h5_row grey_images[] = IMAGES("h w"), images[] = IMAGES("h w c");
static const sb_h5_row text[] = {
    {"tokens", SB_H5_BYTES, "n"},
    {"test_tokens", SB_H5_BYTES, "t", .may_lack = true},
    {"characters", SB_H5_COUNTS, "k"},
};
enum {
    N_VIDEO = sizeof video / sizeof *video,
    N_IMAGES = sizeof images / sizeof *images,
    N_TEXT = sizeof text / sizeof *text,
};

/* Numbers of pixels and of frames are ints in the network. */
enum { SIDE_MOST = 1 << 14, FRAMES_MOST = INT32_MAX, CHANNELS_MOST = 16 };

/* Read the shape. If the layout has the letter c, that dimension is the number of channels; else it is the argument
 * c. */
static sb_status read_shape(sb_dataset *dataset, const sb_h5_row *layout, size_t n_rows, size_t c, sb_h5_dims *dims)
{
    sb_dataset_facts *facts = &dataset->facts;
    SB_TRY(sb_h5_check_layout(dataset->file, layout, n_rows, dims));
    facts->n = dims->of['n' - 'a'], facts->h = dims->of['h' - 'a'], facts->w = dims->of['w' - 'a'];
    facts->n_test = dims->of['t' - 'a'];
    facts->c = c ? c : dims->of['c' - 'a'];
    if (facts->c == 0 || facts->c > CHANNELS_MOST)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s has %zu channels, and should have 1 to %d", sb_h5_path(dataset->file),
                       layout->name, facts->c, CHANNELS_MOST);
    if (facts->n == 0 || facts->h == 0 || facts->w == 0 || facts->n > FRAMES_MOST || facts->n_test > FRAMES_MOST ||
        facts->h > SIDE_MOST || facts->w > SIDE_MOST)
        return sb_fail(SB_E_INTEGRITY, "%s: %zu of %zux%zu pixels in /%s: none, or too many", sb_h5_path(dataset->file),
                       facts->n, facts->w, facts->h, layout->name);
    return SB_OK;
}

static sb_status check_sequence(const sb_dataset *dataset)
{
    const sb_dataset_facts *facts = &dataset->facts;
    for (size_t i = 0; i < facts->n_sequences; i++) {
        int64_t start = dataset->sequence[i], before = i ? dataset->sequence[i - 1] : -1;
        if (start <= before || (i == 0 && start != 0) || (size_t)start >= facts->n)
            return sb_fail(SB_E_INTEGRITY, "%s: /sequence does not ascend from 0 inside the %zu frames",
                           sb_h5_path(dataset->file), facts->n);
    }
    return SB_OK;
}

static sb_status read_video(sb_dataset *dataset)
{
    sb_dataset_facts *facts = &dataset->facts;
    const char *path = sb_h5_path(dataset->file);
    sb_h5_dims dims;
    facts->kind = SB_DATASET_VIDEO;
    SB_TRY(read_shape(dataset, video, N_VIDEO, 3, &dims));
    bool is_listed = sb_h5_exists(dataset->file, "sequence");
    facts->n_sequences = is_listed ? dims.of['k' - 'a'] : 1;
    if (facts->n_sequences == 0) return sb_fail(SB_E_INTEGRITY, "%s: /sequence is empty", path);
    facts->sequence = dataset->sequence = sb_size_allocate(facts->n_sequences, sizeof *dataset->sequence);
    if (!dataset->sequence) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (is_listed) SB_TRY(sb_h5_read(dataset->file, "sequence", SB_I64, facts->n_sequences, dataset->sequence));
    return check_sequence(dataset);
}

/* How many classes the file names, where it does. */
static sb_status count_classes(sb_dataset *dataset)
{
    sb_dataset_facts *facts = &dataset->facts;
    char names[CLASSES_BYTES];
    if (!sb_h5_has(dataset->file, "", "classes")) return SB_OK;
    SB_TRY(sb_h5_get_text(dataset->file, "", "classes", names, sizeof names));
    bool holds = sb_text_plain_length(names, true) == strlen(names) && strlen(names) + 1 < sizeof names;
    for (const char *name = names; holds && *name; facts->n_classes++) {
        const size_t length = strcspn(name, "\n");
        holds = length > 0 && facts->n_classes < CLASSES_MOST;
        name += length + (name[length] != 0);
    }
    if (holds && facts->n_classes > 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: its attribute 'classes' is no list of at most %d names, one a line",
                   sb_h5_path(dataset->file), CLASSES_MOST);
}

static sb_status read_images(sb_dataset *dataset)
{
    sb_h5_dims dims;
    sb_h5_shape shape;
    dataset->facts.kind = SB_DATASET_IMAGES;
    dataset->facts.has_labels = sb_h5_exists(dataset->file, "labels");
    dataset->facts.has_test_labels = sb_h5_exists(dataset->file, "test_labels");
    SB_TRY(sb_h5_shape_of(dataset->file, "images", &shape));
    const bool grey = shape.rank != 4;
    SB_TRY(read_shape(dataset, grey ? grey_images : images, N_IMAGES, grey, &dims));
    return count_classes(dataset);
}

static sb_status read_text(sb_dataset *dataset)
{
    sb_dataset_facts *facts = &dataset->facts;
    sb_h5_dims dims;
    facts->kind = SB_DATASET_TEXT;
    SB_TRY(sb_h5_check_layout(dataset->file, text, N_TEXT, &dims));
    SB_TRY(sb_characters_read(&facts->characters, dataset->file));
    facts->n = dims.of['n' - 'a'], facts->n_test = dims.of['t' - 'a'];
    facts->h = facts->w = facts->c = 1;
    facts->n_classes = facts->characters.n;
    if (facts->n > 0 && facts->n <= FRAMES_MOST && facts->n_test <= FRAMES_MOST) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: %zu tokens in /tokens: none, or too many", sb_h5_path(dataset->file), facts->n);
}

/* What 'samebits-data synth text' writes by default. */
static sb_status make_tokens(sb_dataset *dataset, char *play, size_t n)
{
    sb_dataset_facts *facts = &dataset->facts;
    sb_text_draw(SB_MADE_TEXT_SEED, n, play);
    SB_TRY(sb_characters_collect(&facts->characters, SB_MADE_TEXT, play, n, false));
    SB_TRY(sb_characters_encode(&facts->characters, SB_MADE_TEXT, play, n, dataset->made, &n));
    facts->kind = SB_DATASET_TEXT;
    facts->n_test = sb_dataset_held_out(n), facts->n = n - facts->n_test;
    facts->h = facts->w = facts->c = 1;
    facts->n_classes = facts->characters.n;
    snprintf(facts->name, sizeof facts->name, "text");
    snprintf(facts->licence, sizeof facts->licence, "Apache-2.0");
    return SB_OK;
}

static sb_status make_text(sb_dataset *dataset)
{
    const size_t n = SB_MADE_TEXT_CHARACTERS;
    SB_FREED char *play = sb_size_allocate(n, 1);
    dataset->made = sb_size_allocate(n, 1);
    const sb_status status =
        play && dataset->made ? make_tokens(dataset, play, n) : sb_fail(SB_E_MEMORY, "not enough memory for a text");
    return status;
}

static sb_status read_facts(sb_dataset *dataset)
{
    if (sb_h5_has(dataset->file, "", "name"))
        SB_TRY(sb_h5_get_text(dataset->file, "", "name", dataset->facts.name, sizeof dataset->facts.name));
    if (sb_h5_has(dataset->file, "", "licence"))
        SB_TRY(sb_h5_get_text(dataset->file, "", "licence", dataset->facts.licence, sizeof dataset->facts.licence));
    sb_text_trim(dataset->facts.name);
    sb_text_trim(dataset->facts.licence);
    if (sb_h5_exists(dataset->file, "frames")) return read_video(dataset);
    if (sb_h5_exists(dataset->file, "images")) return read_images(dataset);
    if (sb_h5_exists(dataset->file, "tokens")) return read_text(dataset);
    const char *path = sb_h5_path(dataset->file);
    return sb_h5_judge(
        path,
        sb_fail(SB_E_INTEGRITY, "%s: no /frames, /images or /tokens in it; make one with 'samebits-data convert'", path));
}

/* A table or a list, by its first bytes: no data set that was damaged. */
static bool is_text(const char *path)
{
    char bytes[SB_SEAL_BYTES + 1];
    FILE *file = fopen(path, "rb");
    const size_t n = file ? fread(bytes, 1, SB_SEAL_BYTES, file) : 0;
    if (file) fclose(file);
    bytes[n] = 0;
    for (char *c = bytes; (c = strchr(c, '\r'));) *c = '\n';
    return n && sb_text_plain_length(bytes, true) + SB_CHARACTER_BYTES > n; /* the last character may be cut */
}

static sb_status open_file(sb_dataset *dataset, const char *path, unsigned kinds)
{
    sb_seal seal;
    if (kinds && !sb_seal_peek(path, &seal) && sb_file_check_input(path) == SB_OK && is_text(path))
        return sb_fail(SB_E_USAGE,
                       "%s: a text file, not a data set; 'samebits-data convert text' makes a data set of a text, "
                       "'samebits-report judge' reads tables",
                       path);
    SB_TRY(sb_h5_open(&dataset->file, path, kinds));
    return read_facts(dataset);
}

static sb_status open_dataset(sb_dataset **dataset, const char *path, unsigned kinds)
{
    *dataset = calloc(1, sizeof **dataset);
    if (!*dataset) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    const sb_status status = strcmp(path, SB_MADE_TEXT) == 0 ? make_text(*dataset) : open_file(*dataset, path, kinds);
    if (status == SB_OK) return SB_OK;
    sb_dataset_close(*dataset);
    *dataset = NULL;
    return status;
}

sb_status sb_dataset_open(sb_dataset **dataset, const char *path)
{
    return open_dataset(dataset, path, SB_SEAL_DATA);
}

sb_status sb_dataset_open_unsealed(sb_dataset **dataset, const char *path)
{
    return open_dataset(dataset, path, SB_SEAL_FOREIGN);
}

void sb_dataset_close(sb_dataset *dataset)
{
    if (!dataset) return;
    sb_h5_close(dataset->file);
    free(dataset->made);
    free(dataset->sequence);
    free(dataset);
}

void sb_dataset_leave(sb_dataset **dataset)
{
    sb_dataset_close(*dataset);
}

const sb_dataset_facts *sb_dataset_about(const sb_dataset *dataset)
{
    return &dataset->facts;
}

static size_t frame_bytes(const sb_dataset *dataset)
{
    return dataset->facts.h * dataset->facts.w * dataset->facts.c;
}

static sb_status copy_made(const sb_dataset *dataset, size_t first, size_t n, uint8_t *token)
{
    memcpy(token, dataset->made + first, n);
    return SB_OK;
}

static sb_status read_tokens(sb_dataset *dataset, const char *name, size_t first, size_t n, uint8_t *token)
{
    const int n_characters = dataset->facts.characters.n;
    SB_TRY(sb_h5_read_rows(dataset->file, name, SB_U8, first, n, 1, token));
    for (size_t i = 0; i < n; i++)
        if (token[i] >= n_characters)
            return sb_fail(SB_E_INTEGRITY, "%s: token %zu of /%s is %d, and there are %d characters",
                           sb_h5_path(dataset->file), first + i, name, token[i], n_characters);
    return SB_OK;
}

sb_status sb_dataset_read(sb_dataset *dataset, size_t first, size_t n, uint8_t *bytes)
{
    const sb_dataset_kind kind = dataset->facts.kind;
    if (dataset->made) return copy_made(dataset, first, n, bytes);
    if (kind == SB_DATASET_TEXT) return read_tokens(dataset, "tokens", first, n, bytes);
    const char *name = kind == SB_DATASET_VIDEO ? "frames" : "images";
    return sb_h5_read_rows(dataset->file, name, SB_U8, first, n, frame_bytes(dataset), bytes);
}

sb_status sb_dataset_read_test(sb_dataset *dataset, size_t first, size_t n, uint8_t *bytes)
{
    if (dataset->made) return copy_made(dataset, dataset->facts.n + first, n, bytes);
    if (dataset->facts.kind == SB_DATASET_TEXT) return read_tokens(dataset, "test_tokens", first, n, bytes);
    return sb_h5_read_rows(dataset->file, "test_images", SB_U8, first, n, frame_bytes(dataset), bytes);
}

static sb_status read_labels(sb_dataset *dataset, const char *name, size_t first, size_t n, uint8_t *labels)
{
    const int n_classes = dataset->facts.n_classes;
    SB_TRY(sb_h5_read_rows(dataset->file, name, SB_U8, first, n, 1, labels));
    for (size_t i = 0; i < n; i++)
        if (n_classes && labels[i] >= n_classes)
            return sb_fail(SB_E_INTEGRITY, "%s: label %zu of /%s is %d, and there are %d classes",
                           sb_h5_path(dataset->file), first + i, name, labels[i], n_classes);
    return SB_OK;
}

sb_status sb_dataset_read_labels(sb_dataset *dataset, size_t first, size_t n, uint8_t *labels)
{
    return read_labels(dataset, "labels", first, n, labels);
}

sb_status sb_dataset_read_test_labels(sb_dataset *dataset, size_t first, size_t n, uint8_t *labels)
{
    return read_labels(dataset, "test_labels", first, n, labels);
}

/* Add all bytes of a data set to the hash, about a MiB at a time. */
static sb_status hash_rows(sb_h5 *file, const char *name, sb_hasher *hasher)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, name, &shape));
    if (shape.rank == 0 || shape.n == 0) return SB_OK;
    size_t row_bytes = shape.n / shape.dim[0], n_rows = (1u << 20) / row_bytes + 1;
    SB_FREED uint8_t *bytes = sb_size_allocate(n_rows, row_bytes);
    if (!bytes) return sb_fail(SB_E_MEMORY, "%s: not enough memory to read /%s", sb_h5_path(file), name);
    for (size_t first = 0; first < shape.dim[0]; first += n_rows) {
        size_t n = shape.dim[0] - first < n_rows ? shape.dim[0] - first : n_rows;
        SB_TRY(sb_h5_read_rows(file, name, SB_U8, first, n, row_bytes, bytes));
        sb_hasher_add(hasher, bytes, n * row_bytes, 1);
    }
    return SB_OK;
}

static void hash_numbers(sb_hasher *hasher, const int64_t *number, size_t n)
{
    for (size_t i = 0; i < n; i++) sb_hasher_add(hasher, &number[i], 1, sizeof number[i]);
}

static void hash_facts(const sb_dataset_facts *facts, sb_hasher *hasher)
{
    const sb_characters *characters = &facts->characters;
    hash_numbers(hasher, facts->sequence, facts->n_sequences);
    if (facts->kind != SB_DATASET_TEXT) return;
    hash_numbers(hasher, (int64_t[]){(int64_t)facts->n_test, characters->is_bytes}, 2);
    hash_numbers(hasher, characters->code, (size_t)characters->n);
}

static sb_status hash_file(sb_dataset *dataset, sb_hasher *hasher)
{
    static const struct content {
        const sb_h5_row *row;
        size_t n;
    } of_kind[] = {[SB_DATASET_VIDEO] = {video, 1}, [SB_DATASET_IMAGES] = {images, N_IMAGES}, [SB_DATASET_TEXT] = {text, 2}};
    const struct content content = of_kind[dataset->facts.kind];
    sb_status status = SB_OK;
    for (size_t i = 0; i < content.n && status == SB_OK; i++)
        if (sb_h5_exists(dataset->file, content.row[i].name))
            status = hash_rows(dataset->file, content.row[i].name, hasher);
    return status;
}

sb_status sb_dataset_digest(sb_dataset *dataset, sb_hash *digest)
{
    const sb_dataset_facts *facts = &dataset->facts;
    sb_status status = SB_OK;
    sb_hasher *hasher = sb_hasher_begin();
    if (!hasher) return sb_fail(SB_E_MEMORY, "not enough memory for the digest of a data set");
    if (dataset->made)
        sb_hasher_add(hasher, dataset->made, facts->n + facts->n_test, 1);
    else
        status = hash_file(dataset, hasher);
    hash_facts(facts, hasher);
    *digest = sb_hasher_end(hasher);
    return status;
}

sb_status sb_dataset_digest_file(const char *path, char digest[SB_HASH_TEXT])
{
    sb_dataset *dataset;
    sb_hash hash;
    SB_TRY(sb_dataset_open(&dataset, path));
    sb_status status = sb_dataset_digest(dataset, &hash);
    sb_dataset_close(dataset);
    if (status == SB_OK) sb_hash_text(hash, digest);
    return status;
}
