/* flip_bytes FILE every | flip_bytes FILE random N SEED
 *
 * Changes one byte of the file at a time, in place, asks the library whether the file holds (inspect/verify/verify.h),
 * and puts the byte back. Each change must be noticed: exit code 1, and the places, where one is not. A random byte is
 * changed to another one at random; of every byte one bit is, which moves on from byte to byte. */
#include "core/command/options.h"
#include "core/file.h"
#include "core/random.h"
#include "inspect/verify/verify.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct flips {
    const char *path;
    char *content;
    size_t n_bytes, n_tried, n_silent;
    int fd;
} flips;

static bool holds(const char *path)
{
    sb_verified v;
    return sb_verify_file(path, &v) == SB_OK && v.verdict == SB_FILE_HOLDS;
}

/* A file whose kind is no longer known is not noticed either: a walk would pass it by. */
static bool is_noticed(const char *path)
{
    sb_verified v;
    return sb_verify_file(path, &v) == SB_OK && v.verdict == SB_FILE_FAILS;
}

static sb_status flip(flips *f, size_t at, unsigned char mask)
{
    const char changed = (char)(f->content[at] ^ mask);
    if (pwrite(f->fd, &changed, 1, (off_t)at) != 1) return sb_fail(SB_E_IO, "%s: cannot be changed", f->path);
    f->n_tried++;
    if (!is_noticed(f->path)) {
        f->n_silent++;
        printf("%s: byte %zu from %02x to %02x: nothing was noticed\n", f->path, at, (unsigned char)f->content[at],
               (unsigned char)changed);
    }
    if (pwrite(f->fd, &f->content[at], 1, (off_t)at) == 1) return SB_OK;
    return sb_fail(SB_E_IO, "%s: cannot be changed back", f->path);
}

static sb_status flip_every(flips *f)
{
    for (size_t at = 0; at < f->n_bytes; at++) SB_TRY(flip(f, at, (unsigned char)(1u << at % 8)));
    return SB_OK;
}

static sb_status flip_random(flips *f, long n, long seed)
{
    for (long i = 0; i < n; i++) {
        const sb_random4 r = sb_random_words((uint64_t)seed, 0, (uint64_t)i);
        const uint64_t place = (uint64_t)r.word[0] << 32 | r.word[1];
        SB_TRY(flip(f, (size_t)(place % f->n_bytes), (unsigned char)(1 + r.word[2] % 255)));
    }
    return SB_OK;
}

static sb_status run(int argc, char **argv)
{
    flips f = {.path = argc > 1 ? argv[1] : NULL};
    long n = 0, seed = 0;
    const bool every = argc == 3 && strcmp(argv[2], "every") == 0;
    if (!every && !(argc == 5 && sb_parse_int(argv[3], 1, 1e9, &n) && sb_parse_int(argv[4], 0, INT32_MAX, &seed)))
        return sb_fail(SB_E_USAGE, "flip_bytes FILE every|random N SEED");
    SB_TRY(sb_file_read(f.path, &f.content, &f.n_bytes));
    f.fd = open(f.path, O_RDWR);
    sb_status status = f.fd >= 0 && f.n_bytes ? SB_OK : sb_fail(SB_E_IO, "%s: cannot be opened, or empty", f.path);
    if (status == SB_OK && !holds(f.path)) status = sb_fail(SB_E_INTEGRITY, "%s: does not hold as it is", f.path);
    if (status == SB_OK) status = every ? flip_every(&f) : flip_random(&f, n, seed);
    if (status == SB_OK && !holds(f.path)) status = sb_fail(SB_E_INTEGRITY, "%s: does not hold afterwards", f.path);
    if (f.fd >= 0) close(f.fd);
    free(f.content);
    if (status != SB_OK) return status;
    printf("%s: %zu bytes, %zu flips, %zu silent", f.path, f.n_bytes, f.n_tried, f.n_silent);
    printf(every ? "\n" : ", seed %ld\n", seed);
    return f.n_silent ? sb_fail(SB_E_DIFFERS, "%s: %zu flips were not noticed", f.path, f.n_silent) : SB_OK;
}

int main(int argc, char **argv)
{
    sb_status status = run(argc, argv);
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}
