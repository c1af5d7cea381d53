/* Archives out of a byte string: the bytes themselves, or a tar of what they say, so that a fuzzer need not find out
 * checksums. A composed one is a line an entry, "TYPE NAME CONTENT": TYPE a character as in tar_maker.h, CONTENT up to
 * the end of the line; a content "@sums" is the list of the digests of all entries before it. */
#pragma once

#include "target.h"

#include "core/file.h"
#include "io/seal.h"
#include "io/sums.h"
#include "tar_maker.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Names of entries are below `top`; a list of sums holds them without it. */
static inline void pack_entry(FILE *out, char **sums, size_t *n_sums, const char *top, char *line)
{
    char *name = strchr(line, ' '), *content = name ? strchr(name + 1, ' ') : NULL, path[512], *text, *grown;
    size_t n;
    if (!name) return;
    *name++ = 0;
    if (content) *content++ = 0;
    const bool is_sums = content && strcmp(content, "@sums") == 0;
    content = is_sums ? *sums : content ? content : "";
    snprintf(path, sizeof path, "%s/%.400s", top, name);
    tar_put(out, &(tar_entry){.name = path,
                              .type = line[0],
                              .content = content,
                              .target = "elsewhere",
                              .mode = line[1] == 'x' ? 0755 : 0});
    if (is_sums) return;
    sb_writer *list = sb_writer_open(&sb_lines);
    sb_sums_write(list, name, content, strlen(content));
    if (sb_writer_close(list, "sums", &text, &n) != SB_OK) return;
    if (!(grown = realloc(*sums, *n_sums + n + 1))) abort();
    memcpy(grown + *n_sums, text, n + 1);
    *sums = grown;
    *n_sums += n;
    free(text);
}

static inline void pack_tar(FILE *out, const char *top, const uint8_t *bytes, size_t n)
{
    size_t n_sums = 0;
    char *sums = calloc(1, 1), *text = sb_fuzz_text(bytes, n), *rest = NULL;
    if (!sums) abort();
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        pack_entry(out, &sums, &n_sums, top, line);
    free(text);
    free(sums);
    tar_end(out);
}

static inline void append(const char *path, const void *bytes, size_t n, bool is_gzipped)
{
    gzFile file = gzopen(path, is_gzipped ? "ab1" : "abT"); /* T: as it is */
    if (!file || (n && gzwrite(file, bytes, (unsigned)n) != (int)n) || gzclose(file) != Z_OK) abort();
}

/* Write the archive behind the frame of its kind, and seal it; SB_SEAL_FOREIGN: neither. The first byte says how the
 * others are meant. Returns the archive's path. */
static inline const char *pack(const char *file, sb_seal_kind kind, const char *top, const uint8_t *bytes, size_t n)
{
    uint8_t frame[SB_SEAL_FRAME_MAX];
    const bool is_results = kind == SB_SEAL_RESULTS;
    const char *path = sb_fuzz_put(file, frame, kind == SB_SEAL_FOREIGN ? 0 : sb_seal_frame(kind, frame));
    const uint8_t choice = sb_fuzz_choice(&bytes, &n) % 4;
    if (choice >= 2) {
        append(path, bytes, n, is_results && choice == 2);
    } else {
        char *tar;
        size_t n_tar;
        FILE *out = open_memstream(&tar, &n_tar);
        if (!out) abort();
        pack_tar(out, top, bytes, n);
        if (fclose(out) != 0) abort();
        append(path, tar, n_tar, is_results);
        free(tar);
    }
    if (kind != SB_SEAL_FOREIGN && sb_seal_write(path, kind) != SB_OK) abort();
    return path;
}
