/* What samebits-matrix reads: matrix files, hardware files and locks, filters, bundles, archives of images, and the
 * small files that it leaves beside runs. */
#include "pack.h"
#include "target.h"

#include "matrix/bundle/bundle.h"
#include "matrix/cells/cells.h"
#include "matrix/cells/command.h"
#include "matrix/cells/filter.h"
#include "matrix/data/data_source.h"
#include "matrix/engine/container.h"
#include "matrix/image/image.h"
#include "matrix/store/stamps.h"
#include "matrix/store/store.h"
#include "matrix/watch/watch.h"

#include "core/file.h"
#include "core/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files of people ---- */

static void look_at(const sb_cell *cell)
{
    sb_store store;
    char path[SB_PATH_MAX], text[SB_PATH_MAX + 64];
    sb_argv fetch = {0}, make = {0};
    (void)sb_store_locate(&store, "results", cell);
    (void)sb_data_source_path(path, cell->data, "data");
    (void)sb_data_source_find(cell->data, "data", NULL, text);
    (void)sb_data_source_argv(&fetch, &make, cell->data, "data/x.h5", "mirror");
    sb_argv_free(&fetch);
    sb_argv_free(&make);
    if (!cell->study->command) return;
    const sb_command_paths paths = {.data = "/d.h5", .output = "/o.csv", .folder = "/f"};
    sb_argv command = {0}, environment = {0};
    sb_command_argv(&command, cell, &paths);
    sb_command_environment(&environment, cell, &paths);
    (void)sb_command_absent(cell->study, "matrix.yaml", path);
    sb_argv_free(&environment);
    sb_argv_free(&command);
}

static void select_cells(const sb_cells *cells, char *line)
{
    sb_filter filter = {0};
    sb_selection selection;
    sb_texts *texts[] = {&filter.names, &filter.excludes, &filter.tags};
    *texts[(uint8_t)*line % 3] = (sb_texts){.n = 1, .item = {line + (*line != 0)}};
    if (sb_filter_select(&selection, cells, &filter, sb_fuzz_nowhere()) != SB_OK) return;
    if (selection.n) (void)sb_order_cells(selection.item, selection.n, &selection, "random", 1);
    sb_selection_free(&selection);
}

/* Four parts: the matrix file, the hardware file that it names, the claims of a study of commands, and filters, a line
 * each. */
static void fuzz_matrix(const uint8_t *bytes, size_t n)
{
    static const sb_host host = {.cpu = "Test CPU 3000", .flags = " avx avx2 fma "};
    const char *path = sb_fuzz_put_part("matrix.yaml", &bytes, &n);
    sb_cells *cells = NULL;
    (void)sb_fuzz_put_part("hardware.yaml", &bytes, &n);
    (void)sb_fuzz_put_part("claims.yaml", &bytes, &n);
    if (sb_cells_load(&cells, path, &host) != SB_OK) return;
    for (size_t i = 0; i < cells->n && i < 3; i++) look_at(&cells->item[i]);
    char *filters = sb_fuzz_text(bytes, n), *rest = NULL;
    for (char *line = strtok_r(filters, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        select_cells(cells, line);
    free(filters);
    sb_cells_free(cells);
}

static const char mark[] = "--- 8< ---\n", filters[] = "acopy\nbs00[12]$\nc/1\n";

/* Everything that a study of commands may say; the hardware file is the file of its command. */
static void seed_commands(void)
{
    static const char commands[] =
        "claims: claims.yaml\ndata: [{name: walk, make: synth walk --size 48x32}]\ndefaults: {threads: 2}\nstudies:\n"
        "  - name: toy\n    command: sh train.sh --seed {seed} --rate={rate} {order} {data} {ulp} {folder} {csv}\n"
        "    environment: ['OMP_NUM_THREADS={threads}', 'A={order}']\n    files: [hardware.yaml]\n    image: "
        "localhost/a:1\n"
        "    metrics: [{name: loss}, {name: score, column: hits, better: higher}]\n    seeds: 2\n    replicates: 2\n"
        "    options: {data: walk}\n    axes: {rate: [0.5, '1 2'], order: [drawn, sorted]}\n"
        "    exclude: [{rate: 0.5, order: sorted, reason: no}]\n    tags: [quick]\n"
        "  - name: other\n    command: ./a {seed} {rate} {jsonl}\n    metrics: [{name: loss}]\n    axes: {seed: [4, "
        "7]}\n"
        "    zip: [{rate: 1}, {rate: 2}]\n    include: [{rate: 3}]\n--- 8< ---\nhardware: [{name: any}]\n--- 8< ---\n"
        "question: Why?\nclaims:\n  - {name: a, by: us, text: T., of: {order: sorted}, over: {order: drawn, study: "
        "toy}, each: "
        "setting, relation: equivalent, metric: score, margin: '1.1', seeds: '6|8'}\n--- 8< ---\naorder=sorted\n";
    sb_fuzz_seed("commands", commands, sizeof commands - 1);
}

/* The repository's own, which say everything that such a file may say. */
static void seed_matrix(void)
{
    static const char *const names[] = {"demo", "natural", "paper", "gpu"};
    seed_commands();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[SB_PATH_MAX], *text, *whole, *hardware;
        snprintf(path, sizeof path, SB_SOURCE "/matrix/%s.yaml", names[i]);
        if (sb_file_read(path, &text, NULL) != SB_OK) abort();
        if (sb_file_read(SB_SOURCE "/matrix/hardware.yaml", &hardware, NULL) != SB_OK) abort();
        whole = malloc(strlen(text) + strlen(hardware) + sizeof mark * 3 + sizeof filters);
        if (!whole) abort();
        int n = sprintf(whole, "%s%s%s%s%s%s", text, mark, hardware, mark, mark, filters);
        sb_fuzz_seed(names[i], whole, (size_t)n);
        free(whole);
        free(hardware);
        free(text);
    }
}

static void fuzz_lock(const uint8_t *bytes, size_t n)
{
    sb_image_lock *locked;
    if (sb_image_lock_load(&locked, sb_fuzz_put("matrix.lock", bytes, n)) != SB_OK) return;
    for (int i = 0; i < SB_STACKS; i++) (void)sb_image_lock_image(locked, &sb_stacks[i]);
    (void)sb_image_lock_data(locked, "data/walk-1a2b3c4d.h5");
    const char *again = sb_fuzz_path("again.lock");
    if (sb_image_lock_write(locked, again) != SB_OK) abort();
    sb_image_lock_free(locked);
    if (sb_image_lock_load(&locked, again) != SB_OK) {
        fprintf(stderr, "what was read and written is not read again: %s\n", sb_message());
        abort();
    }
    sb_image_lock_free(locked);
}

/* ---- archives ---- */

static void fuzz_bundle(const uint8_t *bytes, size_t n)
{
    const char *folder = sb_fuzz_path("unbundled");
    (void)sb_bundle_unpack(pack("study.tar", SB_SEAL_BUNDLE, "samebits-bundle", bytes, n), folder);
    sb_folder_remove(folder);
}

static void fuzz_image(const uint8_t *bytes, size_t n)
{
    char id[SB_IMAGE_ID];
    (void)sb_image_archive_id(id, pack("cpu.tar", SB_SEAL_FOREIGN, ".", bytes, n));
}

/* As podman writes it: names without a folder before them. */
static void seed_image(void)
{
    static const tar_entry entry[] = {{.name = "manifest.json", .content = "[{\"Config\":\"1a2b.json\"}]"},
                                      {.name = "1a2b.json", .content = "{\"architecture\":\"amd64\"}"}};
    const char *path = sb_fuzz_path("seed.tar");
    FILE *out = fopen(path, "wb");
    if (!out) abort();
    fputc(3, out); /* bytes as they are */
    for (size_t i = 0; i < sizeof entry / sizeof *entry; i++) tar_put(out, &entry[i]);
    tar_end(out);
    if (fclose(out) != 0) abort();
    sb_fuzz_seed_file("podman", path);
}

/* ---- what lies beside runs ---- */

static void count_change(void *context, const char *key, const char *before, const char *after)
{
    *(size_t *)context += (key ? strlen(key) : 0) + (before ? strlen(before) : 0) + (after ? strlen(after) : 0);
}

/* Two parts. */
static void fuzz_record(const uint8_t *bytes, size_t n)
{
    const uint8_t *part;
    size_t size = sb_fuzz_part(&bytes, &n, &part), changes = 0;
    char *before = sb_fuzz_text(part, size), *after = sb_fuzz_text(bytes, n);
    (void)sb_record_compare(before, after, count_change, &changes);
    free(before);
    free(after);
}

/* A line behind its digest, for a run file of which it says size and times: "@" stands for these. */
static void fuzz_stamp(const uint8_t *bytes, size_t n)
{
    char digest[SB_SHA256_TEXT], line[2048], facts[160];
    const char *run = sb_fuzz_put("run.h5", "run", 3), *path = sb_fuzz_path("run.ok");
    struct stat about;
    sb_stamp stamp;
    char *text = sb_fuzz_text(bytes, n), *at = strchr(text, '@');
    if (stat(run, &about) != 0) abort();
    if (at) *at++ = 0;
    snprintf(facts, sizeof facts, "%lld %lld %lld %lld", (long long)about.st_size,
             (long long)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec,
             (long long)about.st_ctim.tv_sec * 1000000000 + about.st_ctim.tv_nsec, (long long)about.st_ino);
    snprintf(line, sizeof line, "%.900s%s%.900s", text, at ? facts : "", at ? at : "");
    sb_sha256_bytes(line, strlen(line), digest);
    FILE *out = fopen(path, "w");
    if (!out) abort();
    fprintf(out, "%.16s %s\n", digest, line);
    fclose(out);
    (void)sb_stamp_read(&stamp, path);
    free(text);
}

/* A list of stamps: texts, each behind its digest. What is read of it is written again and read as the same. */
static void fuzz_stamps(const uint8_t *bytes, size_t n)
{
    char digest[SB_SHA256_TEXT], results[SB_PATH_MAX], folder[SB_PATH_MAX], path[SB_PATH_MAX];
    sb_stamp stamp = {.hash = "f"};
    char *text = sb_fuzz_text(bytes, n);
    snprintf(results, sizeof results, "%s", sb_fuzz_path("results"));
    snprintf(folder, sizeof folder, "%.4000s/runs", results);
    snprintf(path, sizeof path, "%.4000s/stamps.ok", folder);
    if (sb_folder_make(folder) != SB_OK) abort();
    FILE *out = fopen(path, "w");
    if (!out) abort();
    for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest));) {
        sb_sha256_bytes(line, strlen(line), digest);
        fprintf(out, "%.16s %s\n", digest, line);
    }
    fclose(out);
    for (int i = 0; i < 2; i++) {
        sb_stamps *stamps = sb_stamps_open(results);
        if (i && !sb_stamps_find(stamps, stamp.hash)) abort();
        sb_stamps_keep(stamps, &stamp);
        sb_stamps_close(stamps);
    }
    unlink(path);
    free(text);
}

/* The end of a log, and what nvidia-smi and the kernel say of a machine. */
static void fuzz_lines(const uint8_t *bytes, size_t n)
{
    char text[SB_TAIL_BYTES], folder[SB_PATH_MAX];
    sb_host host;
    const char *path = sb_fuzz_put("cpuinfo", bytes, n);
    sb_tail_read(text, path, sb_fuzz_choice(&bytes, &n) % 8);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    sb_host_read(&host, folder);
    char *lines = sb_fuzz_text(bytes, n);
    sb_host_add_gpus(&host, lines);
    (void)sb_host_has_flag(&host, "avx2");
    free(lines);
}

const sb_fuzz_target sb_fuzz_targets[] = {
    {"matrix", fuzz_matrix, seed_matrix}, {"lock", fuzz_lock, NULL},     {"bundle", fuzz_bundle, NULL},
    {"image", fuzz_image, seed_image},    {"record", fuzz_record, NULL}, {"stamp", fuzz_stamp, NULL},
    {"stamps", fuzz_stamps, NULL},        {"lines", fuzz_lines, NULL},   {NULL, NULL, NULL},
};
