#include "datasets/convert/text_source.h"

#include "core/size.h"
#include "core/text/text.h"
#include "io/dataset.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEARNED_LEAST = 2 }; /* a token and the next one */

sb_status sb_text_source_append(sb_text_source *text, const char *path, const char *bytes, size_t n)
{
    assert(text->n_files < SB_TEXT_FILES);
    if (n > SB_SIZE_MAX - text->n || !sb_size_reserve(&text->bytes, &text->room, text->n + n, 1))
        return sb_fail(SB_E_MEMORY, "%s: not enough memory for the text", text->output);
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
    text->file[text->n_files].path = path;
    text->file[text->n_files++].end = text->n;
    return SB_OK;
}

void sb_text_source_free(sb_text_source *text)
{
    free(text->bytes);
    *text = (sb_text_source){.output = text->output};
}

static sb_status read_table(sb_characters *table, const sb_text_split *split)
{
    sb_dataset *dataset;
    SB_TRY(sb_dataset_open(&dataset, split->table));
    *table = sb_dataset_about(dataset)->characters;
    sb_dataset_close(dataset);
    if (table->n) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: no text, so it has no table of characters", split->table);
}

sb_status sb_text_split_settle(sb_text_split *split, bool is_given)
{
    sb_characters table;
    if (!split->table) return SB_OK;
    SB_TRY(read_table(&table, split));
    if (is_given && table.is_bytes != split->is_bytes)
        return sb_fail(SB_E_USAGE, "%s: its tokens are %s; --table goes with --as %s", split->table,
                       table.is_bytes ? "bytes" : "characters", table.is_bytes ? "bytes" : "characters");
    split->is_bytes = table.is_bytes;
    return SB_OK;
}

/* A file of a text; a text that comes from no file is one file, named as the output. */
typedef struct piece {
    const char *path, *bytes;
    size_t n;
} piece;

static int count_pieces(const sb_text_source *text)
{
    return text->n_files ? text->n_files : 1;
}

static piece piece_of(const sb_text_source *text, int i)
{
    if (text->n_files == 0) return (piece){text->output, text->bytes, text->n};
    const size_t begin = i ? text->file[i - 1].end : 0;
    return (piece){text->file[i].path, text->bytes + begin, text->file[i].end - begin};
}

/* A character that is cut by the end of its file does not continue in the next file. */
static sb_status check_encoding(const sb_text_source *text, bool has_table)
{
    for (int i = 0; i < count_pieces(text); i++) {
        const piece p = piece_of(text, i);
        const size_t n_whole = sb_characters_whole(p.bytes, p.n);
        char byte[32] = "";
        if (n_whole < p.n)
            snprintf(byte, sizeof byte, "byte %zu is ", n_whole + 1);
        else if (!sb_text_is_wide(p.bytes, p.n))
            continue;
        return sb_fail(SB_E_USAGE, "%s: %snot in UTF-8: %s%s", p.path, byte, sb_text_advice(p.bytes, p.n),
                       has_table ? "" : "; --as bytes takes any file");
    }
    return SB_OK;
}

static sb_status encode(const sb_text_source *text, const sb_characters *table, uint8_t *token, size_t *n)
{
    size_t n_more;
    *n = 0;
    for (int i = 0; i < count_pieces(text); i++) {
        const piece p = piece_of(text, i);
        SB_TRY(sb_characters_encode(table, p.path, p.bytes, p.n, token + *n, &n_more));
        *n += n_more;
    }
    return SB_OK;
}

static sb_status find_table(sb_characters *table, const sb_text_source *text, const sb_text_split *split)
{
    if (!split->is_bytes) SB_TRY(check_encoding(text, split->table != NULL));
    if (split->table) return read_table(table, split);
    return sb_characters_collect(table, text->output, text->bytes, text->n, split->is_bytes);
}

static sb_status split_tokens(const sb_text_source *text, const sb_text_split *split, size_t n, size_t *n_test)
{
    *n_test = split->hold_out < 0 ? sb_dataset_held_out(n) : (size_t)split->hold_out;
    if (*n_test <= n && n - *n_test >= LEARNED_LEAST) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: %zu character%s held out of %zu leave%s fewer than %d to learn from", text->output,
                   *n_test, *n_test == 1 ? "" : "s", n, *n_test == 1 ? "s" : "", LEARNED_LEAST);
}

static sb_status write_tokens(sb_h5 *file, const sb_characters *table, const uint8_t *token, size_t n, size_t n_test)
{
    const size_t n_learned = n - n_test;
    SB_TRY(sb_h5_write(file, "tokens", SB_U8, 1, &n_learned, token, SB_H5_PACKED));
    if (n_test) SB_TRY(sb_h5_write(file, "test_tokens", SB_U8, 1, &n_test, token + n_learned, SB_H5_PACKED));
    return sb_characters_write(table, file);
}

static sb_status write_file(const sb_text_source *text, const sb_text_split *split, const sb_provenance *provenance,
                            uint8_t *token)
{
    sb_characters table;
    size_t n, n_test;
    sb_h5 *file;
    SB_TRY(find_table(&table, text, split));
    SB_TRY(encode(text, &table, token, &n));
    SB_TRY(split_tokens(text, split, n, &n_test));
    SB_TRY(sb_h5_create(&file, text->output, SB_SEAL_DATA));
    sb_status status = write_tokens(file, &table, token, n, n_test);
    if (status == SB_OK) status = sb_provenance_write(file, provenance);
    SB_TRY(sb_h5_finish(file, status));
    fprintf(stderr, "%s: %zu tokens and %zu held-out token%s of %d %s\n", text->output, n - n_test, n_test,
            n_test == 1 ? "" : "s", table.n, table.is_bytes ? "bytes" : "characters");
    return SB_OK;
}

sb_status sb_text_source_write(const sb_text_source *text, const sb_text_split *split, const sb_provenance *provenance)
{
    SB_FREED uint8_t *token = sb_size_allocate(text->n, 1);
    if (!token) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the tokens", text->output);
    return write_file(text, split, provenance, token);
}
