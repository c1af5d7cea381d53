#include "datasets/convert/cifar.h"

#include "core/hash.h"
#include "core/size.h"
#include "io/archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCHIVE "cifar-10-binary.tar.gz"
#define FOLDER  "cifar-10-batches-bin"

const char sb_cifar_classes[] = "airplane\nautomobile\nbird\ncat\ndeer\ndog\nfrog\nhorse\nship\ntruck";

const char sb_cifar_class_numbers[] = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9";

/* One of the six files: its records are wanted at `records`. */
typedef struct part {
    char name[SB_PATH_MAX]; /* of the file, or of the archive's member */
    size_t n, n_there;      /* records wanted, and there */
    uint8_t *records;
} part;

/* ---- where they are ---- */

static sb_status name_parts(part parts[SB_CIFAR_PARTS], const char *folder, const char *test_file, size_t n_test)
{
    for (int i = 0; i < SB_CIFAR_PARTS; i++) {
        const bool is_test = i == SB_CIFAR_PARTS - 1;
        char name[32];
        snprintf(name, sizeof name, "data_batch_%d.bin", i + 1);
        parts[i].n = is_test ? n_test : SB_CIFAR_PART_RECORDS;
        if (snprintf(parts[i].name, SB_PATH_MAX, "%s/%s", folder, is_test ? test_file : name) >= SB_PATH_MAX)
            return sb_file_too_long(folder);
    }
    return SB_OK;
}

static sb_status take_memory(part parts[SB_CIFAR_PARTS])
{
    for (int i = 0; i < SB_CIFAR_PARTS; i++) {
        parts[i].records = sb_size_allocate(parts[i].n, SB_CIFAR_RECORD);
        if (!parts[i].records) return sb_fail(SB_E_MEMORY, "%s: not enough memory", parts[i].name);
    }
    return SB_OK;
}

/* A file for training is whole, of that for testing the first n records are taken. */
static sb_status check_size(part *p, const char *path, uint64_t n_bytes, bool is_test)
{
    p->n_there = (size_t)(n_bytes / SB_CIFAR_RECORD);
    if (n_bytes % SB_CIFAR_RECORD != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: has %llu bytes, which is no whole number of records of %d", path,
                       (unsigned long long)n_bytes, SB_CIFAR_RECORD);
    if (is_test && p->n_there < p->n)
        return sb_fail(SB_E_INTEGRITY, "%s: holds %zu test images, not %zu; with --test %zu they are the test set",
                       path, p->n_there, p->n, p->n_there);
    if (is_test || p->n_there == p->n) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: holds %zu images, not %zu", path, p->n_there, p->n);
}

/* ---- from files ---- */

static sb_status read_part(part *p, bool is_test)
{
    SB_TRY(sb_file_check_input(p->name));
    FILE *file = fopen(p->name, "rb");
    if (!file) return sb_fail(errno == ENOENT ? SB_E_USAGE : SB_E_IO, "%s: %s", p->name, strerror(errno));
    sb_status status = SB_OK;
    errno = 0;
    if (fseeko(file, 0, SEEK_END) != 0 || ftello(file) < 0)
        status = sb_fail(SB_E_IO, "%s: %s", p->name, strerror(errno));
    if (status == SB_OK) status = check_size(p, p->name, (uint64_t)ftello(file), is_test);
    rewind(file);
    if (status == SB_OK && fread(p->records, SB_CIFAR_RECORD, p->n, file) != p->n)
        status = sb_fail(SB_E_IO, "%s: %s", p->name, errno ? strerror(errno) : "ended while it was read");
    fclose(file);
    return status;
}

static sb_status read_files(sb_cifar *cifar, part parts[SB_CIFAR_PARTS])
{
    cifar->n_sources = SB_CIFAR_PARTS;
    for (int i = 0; i < SB_CIFAR_PARTS; i++) {
        SB_TRY(read_part(&parts[i], i == SB_CIFAR_PARTS - 1));
        strcpy(cifar->source[i], parts[i].name);
    }
    return SB_OK;
}

/* ---- from the archive ---- */

static sb_status check_archive(const char *path, const char *sha256)
{
    char hex[SB_SHA256_TEXT];
    if (!sha256) return SB_OK;
    SB_TRY(sb_sha256_file(path, hex));
    if (strcmp(hex, sha256) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY,
                   "%s: its sha256 is %s, %s expected: not the official archive, or damaged; fetch it again", path, hex,
                   sha256);
}

static sb_status read_archive(sb_cifar *cifar, part parts[SB_CIFAR_PARTS], const char *path)
{
    sb_archive_want want[SB_CIFAR_PARTS] = {0};
    for (int i = 0; i < SB_CIFAR_PARTS; i++)
        want[i] =
            (sb_archive_want){.name = parts[i].name, .n_bytes = parts[i].n * SB_CIFAR_RECORD, .to = parts[i].records};
    SB_TRY(sb_archive_read(path, want, SB_CIFAR_PARTS));
    for (int i = 0; i < SB_CIFAR_PARTS; i++) {
        char name[2 * SB_PATH_MAX];
        snprintf(name, sizeof name, "%s: %s", path, parts[i].name);
        SB_TRY(check_size(&parts[i], name, want[i].n_there, i == SB_CIFAR_PARTS - 1));
    }
    cifar->n_sources = 1;
    strcpy(cifar->source[0], path);
    return SB_OK;
}

/* ---- records ---- */

/* Planes to pixels, and the label. */
static sb_status read_record(const uint8_t *record, uint8_t *pixels, uint8_t *label, const char *path, size_t number)
{
    enum { PLANE = SB_CIFAR_SIDE * SB_CIFAR_SIDE };
    *label = record[0];
    if (*label >= SB_CIFAR_CLASSES)
        return sb_fail(SB_E_INTEGRITY, "%s: image %zu has label %d, and labels are 0 to %d", path, number, *label,
                       SB_CIFAR_CLASSES - 1);
    for (int c = 0; c < SB_CIFAR_CHANNELS; c++)
        for (int i = 0; i < PLANE; i++) pixels[i * SB_CIFAR_CHANNELS + c] = record[1 + c * PLANE + i];
    return SB_OK;
}

static sb_status read_records(sb_cifar *cifar, const part parts[SB_CIFAR_PARTS])
{
    cifar->n[0] = SB_CIFAR_TRAINING, cifar->n[1] = parts[SB_CIFAR_PARTS - 1].n;
    cifar->n_test_there = parts[SB_CIFAR_PARTS - 1].n_there;
    for (int half = 0; half < 2; half++) {
        cifar->pixels[half] = sb_size_allocate(cifar->n[half], SB_CIFAR_IMAGE);
        cifar->labels[half] = sb_size_allocate(cifar->n[half], 1);
        if (!cifar->pixels[half] || !cifar->labels[half])
            return sb_fail(SB_E_MEMORY, "not enough memory for the images");
    }
    for (int i = 0; i < SB_CIFAR_PARTS; i++) {
        const int half = i == SB_CIFAR_PARTS - 1;
        const size_t first = half ? 0 : (size_t)i * SB_CIFAR_PART_RECORDS;
        for (size_t k = 0; k < parts[i].n; k++)
            SB_TRY(read_record(parts[i].records + k * SB_CIFAR_RECORD,
                               cifar->pixels[half] + (first + k) * SB_CIFAR_IMAGE, cifar->labels[half] + first + k,
                               parts[i].name, k));
    }
    return SB_OK;
}

/* ---- all of it ---- */

static sb_status read_parts(sb_cifar *cifar, part parts[SB_CIFAR_PARTS], const char *folder, const char *test_file,
                            size_t n_test, const char *sha256)
{
    char archive[SB_PATH_MAX], below[SB_PATH_MAX];
    if (snprintf(archive, SB_PATH_MAX, "%s/%s", folder, ARCHIVE) >= SB_PATH_MAX ||
        snprintf(below, SB_PATH_MAX, "%s/%s", folder, FOLDER) >= SB_PATH_MAX)
        return sb_file_too_long(folder);
    const bool is_archive = sb_file_exists(archive), is_below = sb_file_exists(below);
    SB_TRY(name_parts(parts, is_archive ? FOLDER : is_below ? below : folder, test_file, n_test));
    if (!is_archive && !sb_file_exists(parts[0].name))
        return sb_fail(SB_E_USAGE,
                       "%s: neither %s nor data_batch_1.bin in it; run 'samebits-data fetch cifar10', or name "
                       "a folder with --from",
                       folder, ARCHIVE);
    if (is_archive) SB_TRY(check_archive(archive, sha256));
    cifar->is_official = is_archive && sha256;
    SB_TRY(take_memory(parts));
    SB_TRY(is_archive ? read_archive(cifar, parts, archive) : read_files(cifar, parts));
    return read_records(cifar, parts);
}

sb_status sb_cifar_read(sb_cifar *cifar, const char *folder, const char *test_file, size_t n_test, const char *sha256)
{
    *cifar = (sb_cifar){0};
    part *parts = calloc(SB_CIFAR_PARTS, sizeof *parts);
    if (!parts) return sb_fail(SB_E_MEMORY, "%s: not enough memory", folder);
    sb_status status = read_parts(cifar, parts, folder, test_file, n_test, sha256);
    for (int i = 0; i < SB_CIFAR_PARTS; i++) free(parts[i].records);
    free(parts);
    if (status != SB_OK) sb_cifar_free(cifar);
    return status;
}

void sb_cifar_free(sb_cifar *cifar)
{
    for (int half = 0; half < 2; half++) {
        free(cifar->pixels[half]);
        free(cifar->labels[half]);
    }
    *cifar = (sb_cifar){0};
}
