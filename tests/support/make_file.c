/* Files for the command-line tests.
 *
 *     make_file video FILE WxH FRAMES SEED [START ...]       sequences start at 0 and at each START
 *     make_file images FILE SIDE IMAGES TEST_IMAGES SEED
 *     make_file empty FILE                                   an HDF5 file without a data set
 *     make_file sketches RUN_FILE                            prints update, hash and norm of each sketch
 *     make_file foreign RUN_FILE FILE UPDATE                 the run as of a machine with other gradients from there on
 *     make_file foreign_loss RUN_FILE FILE UPDATE            the same, with the loss of that update alone another
 *     make_file damage FILE DATASET INDEX VALUE              one number of an HDF5 file changed, and a seal made anew
 *     make_file frame FILE bundle|results                    a foreign tar or gzip put behind a seal of that kind
 *     make_file reseal FILE                                  the seal made anew over whatever the bytes are now
 */
#include "core/command/options.h"
#include "damage.h"
#include "data_files.h"
#include "foreign_run.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"

#include <stdio.h>
#include <string.h>

static long number(const char *text)
{
    long value = -1;
    if (!sb_parse_int(text, 0, 1e9, &value)) fprintf(stderr, "make_file: not a number: %s\n", text);
    return value;
}

static sb_status make_video(int argc, char **argv)
{
    int w = 0, h = 0;
    int64_t start[16] = {0};
    size_t n_starts = 1;
    if (sscanf(argv[1], "%dx%d", &w, &h) != 2) return sb_fail(SB_E_USAGE, "make_file: not a size: %s", argv[1]);
    for (int i = 4; i < argc && n_starts < 16; i++) start[n_starts++] = number(argv[i]);
    return data_write_video(argv[0], (size_t)number(argv[2]), (size_t)w, (size_t)h, n_starts, start,
                            (uint64_t)number(argv[3]));
}

static sb_status make_images(char **argv)
{
    return data_write_images(argv[0], (size_t)number(argv[2]), (size_t)number(argv[3]), (size_t)number(argv[1]),
                             (uint64_t)number(argv[4]));
}

static sb_status make_empty(const char *path)
{
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, path, SB_SEAL_DATA));
    return sb_h5_finish(file, sb_h5_set_text(file, "", "format", "samebits-dataset"));
}

static sb_status print_sketches(const char *path)
{
    sb_h5 *file;
    sb_run_sketches sketches;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    sb_status status = sb_runfile_sketches(file, &sketches);
    sb_h5_close(file);
    SB_TRY(status);
    for (size_t i = 0; i < sketches.n; i++) {
        char text[SB_HASH_TEXT];
        sb_hash_text(sb_hash_of(sketches.row[i], SB_SKETCH_BUCKETS, sizeof **sketches.row), text);
        printf("%lld %s %.6g\n", (long long)sketches.update[i], text, sb_sketch_distance(sketches.row[i], NULL));
    }
    sb_run_sketches_free(&sketches);
    return SB_OK;
}

static sb_status reseal(const char *path)
{
    sb_seal seal;
    if (!sb_seal_peek(path, &seal)) return sb_fail(SB_E_INTEGRITY, "%s: has no seal", path);
    return sb_seal_write(path, seal.kind);
}

static sb_status frame(const char *path, const char *kind_name)
{
    const sb_seal_kind kind = strcmp(kind_name, "bundle") == 0 ? SB_SEAL_BUNDLE : SB_SEAL_RESULTS;
    uint8_t head[SB_SEAL_FRAME_MAX];
    const size_t n_head = sb_seal_frame(kind, head);
    char *content;
    size_t n_bytes;
    SB_TRY(sb_file_read(path, &content, &n_bytes));
    FILE *out = fopen(path, "wb");
    bool written = out && fwrite(head, 1, n_head, out) == n_head && fwrite(content, 1, n_bytes, out) == n_bytes;
    written = out && fclose(out) == 0 && written;
    free(content);
    return written ? sb_seal_write(path, kind) : sb_fail(SB_E_IO, "%s: cannot be written", path);
}

int main(int argc, char **argv)
{
    sb_status status = sb_fail(SB_E_USAGE, "make_file video|images|empty|sketches|foreign|damage|reseal FILE ...");
    if (argc >= 6 && strcmp(argv[1], "video") == 0) status = make_video(argc - 2, argv + 2);
    if (argc == 7 && strcmp(argv[1], "images") == 0) status = make_images(argv + 2);
    if (argc == 3 && strcmp(argv[1], "empty") == 0) status = make_empty(argv[2]);
    if (argc == 3 && strcmp(argv[1], "sketches") == 0) status = print_sketches(argv[2]);
    if (argc == 5 && strcmp(argv[1], "foreign") == 0) status = foreign_run(argv[2], argv[3], number(argv[4]), 0);
    if (argc == 5 && strcmp(argv[1], "foreign_loss") == 0)
        status = foreign_run(argv[2], argv[3], INT64_MAX, number(argv[4]));
    if (argc == 6 && strcmp(argv[1], "damage") == 0)
        status = damage_number(argv[2], argv[2], argv[3], (size_t)number(argv[4]), strtod(argv[5], NULL));
    if (argc == 4 && strcmp(argv[1], "frame") == 0) status = frame(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "reseal") == 0) status = reseal(argv[2]);
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}
