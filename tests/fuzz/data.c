/* What samebits-data reads itself: the IDX files of MNIST, the lists of a selection of frames, and texts. Videos and pictures
 * are libav's to read. */
#include "target.h"

#include "datasets/convert/convert.h"
#include "datasets/convert/fpsi.h"
#include "io/characters.h"

#include "core/file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* The first byte says the rank, and whether the others are still to be packed. */
static void fuzz_idx(const uint8_t *bytes, size_t n)
{
    sb_idx idx;
    const uint8_t choice = sb_fuzz_choice(&bytes, &n);
    const char *path = sb_fuzz_put("idx.gz", bytes, n);
    if (choice & 8) {
        gzFile file = gzopen(path, "wb1");
        if (!file || (n && gzwrite(file, bytes, (unsigned)n) != (int)n) || gzclose(file) != Z_OK) abort();
    }
    if (sb_idx_read(&idx, path, choice % 3 + 1) == SB_OK) sb_idx_free(&idx);
}

static void seed_idx(void)
{
    static const uint8_t labels[] = {8, 0, 0, 8, 1, 0, 0, 0, 3, 7, 2, 9};
    static const uint8_t images[] = {2, 0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4};
    sb_fuzz_seed("labels", labels, sizeof labels);
    sb_fuzz_seed("images", images, sizeof images);
}

/* The list of sequences and the lists of frames of two, as parts. */
static void fuzz_selection(const uint8_t *bytes, size_t n)
{
    static const char *const made[] = {"fpsi", "fpsi/a", "fpsi/b"};
    static const char *const lists[] = {"fpsi/sequence_list.txt", "fpsi/a/train_list.txt", "fpsi/b/train_list.txt"};
    char folder[SB_PATH_MAX], order[SB_FPSI_ORDER];
    sb_media media = {0};
    bool found;
    for (int i = 0; i < 3; i++)
        if (sb_folder_make(sb_fuzz_path(made[i])) != SB_OK) abort();
    snprintf(folder, sizeof folder, "%s", sb_fuzz_path("fpsi"));
    sb_fuzz_put("fpsi/a/frame_0.jpg", "", 0);
    sb_fuzz_put("fpsi/b/frame_10.jpg", "", 0);
    sb_fuzz_put("fpsi/b/frame_2.jpg", "", 0);
    for (int i = 0; i < 3; i++) {
        const uint8_t *part;
        size_t size = sb_fuzz_part(&bytes, &n, &part);
        if (size) sb_fuzz_put(lists[i], part, size);
    }
    (void)sb_fpsi_selection(&media, folder, &found, order);
    sb_media_free(&media);
    sb_folder_remove(folder);
}

/* The first byte says what a character is. Tokens become the text that they were made of. */
static void fuzz_text(const uint8_t *bytes, size_t n)
{
    sb_characters table;
    const bool is_bytes = sb_fuzz_choice(&bytes, &n) % 2;
    uint8_t *token = malloc(n + 1);
    char *back = malloc(n + SB_CHARACTER_BYTES);
    size_t n_tokens = 0, used = 0;
    if (!token || !back) abort();
    if (sb_characters_collect(&table, "text", (const char *)bytes, n, is_bytes) == SB_OK) {
        if (sb_characters_encode(&table, "text", (const char *)bytes, n, token, &n_tokens) != SB_OK) abort();
        for (size_t i = 0; i < n_tokens; i++) used += sb_characters_text(&table, token[i], back + used);
        if (used != n || memcmp(back, bytes, n) != 0) abort();
    }
    free(back);
    free(token);
}

static void seed_text(void)
{
    sb_fuzz_seed("utf-8", (const uint8_t *)"\0a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 11);
    sb_fuzz_seed("bytes", (const uint8_t *)"\1a\xC3\xFF", 4);
}

const sb_fuzz_target sb_fuzz_targets[] = {{"idx", fuzz_idx, seed_idx},
                                          {"selection", fuzz_selection, NULL},
                                          {"text", fuzz_text, seed_text},
                                          {NULL, NULL, NULL}};
