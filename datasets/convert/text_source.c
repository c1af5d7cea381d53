#include "datasets/convert/text_source.h"

#include "core/size.h"
#include "io/dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEARNED_LEAST = 2 }; /* a token and the next one */

sb_status sb_text_source_append(sb_text_source *text, const char *bytes, size_t n)
{
    if (n > SB_SIZE_MAX - text->n || !sb_size_reserve(&text->bytes, &text->room, text->n + n, 1))
        return sb_fail(SB_E_MEMORY, "%s: not enough memory for the text", text->output);
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
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

static sb_status split_tokens(const sb_text_source *text, const sb_text_split *split, size_t n, size_t *n_test)
{
    *n_test = split->hold_out < 0 ? (n + 9) / 10 : (size_t)split->hold_out;
    if (*n_test <= n && n - *n_test >= LEARNED_LEAST) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: %zu characters held out of %zu leave fewer than %d to learn from", text->output,
                   *n_test, n, LEARNED_LEAST);
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
    if (split->table)
        SB_TRY(read_table(&table, split));
    else
        SB_TRY(sb_characters_collect(&table, text->output, text->bytes, text->n, split->is_bytes));
    SB_TRY(sb_characters_encode(&table, text->output, text->bytes, text->n, token, &n));
    SB_TRY(split_tokens(text, split, n, &n_test));
    SB_TRY(sb_h5_create(&file, text->output, SB_SEAL_DATA));
    sb_status status = write_tokens(file, &table, token, n, n_test);
    if (status == SB_OK) status = sb_provenance_write(file, provenance);
    SB_TRY(sb_h5_finish(file, status));
    fprintf(stderr, "%s: %zu tokens and %zu held-out tokens of %d %s\n", text->output, n - n_test, n_test, table.n,
            table.is_bytes ? "bytes" : "characters");
    return SB_OK;
}

sb_status sb_text_source_write(const sb_text_source *text, const sb_text_split *split, const sb_provenance *provenance)
{
    uint8_t *token = sb_size_allocate(text->n, 1);
    if (!token) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the tokens", text->output);
    const sb_status status = write_file(text, split, provenance, token);
    free(token);
    return status;
}
