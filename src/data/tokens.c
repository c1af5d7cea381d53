#include "data/tokens.h"

#include "core/random.h"
#include "core/size.h"
#include "core/text/plural.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static sb_status check_length(const sb_tokens *tokens, size_t n_train, size_t n_test, bool is_read_only)
{
    const size_t wanted = tokens->context + 1;
    assert(tokens->context > 0);
    if (n_train >= wanted || (is_read_only && n_test >= wanted)) return SB_OK;
    if (is_read_only)
        return sb_fail(SB_E_USAGE, "the data set has %zu tokens and %zu held-out tokens, in no part the %zu of one window",
                       n_train, n_test, wanted);
    if (n_train < 2)
        return sb_fail(SB_E_USAGE, "the data set has %zu token%s to learn from, not the %zu of one window", n_train,
                       sb_plural(n_train), wanted);
    return sb_fail(SB_E_USAGE, "the data set has %zu tokens to learn from, not the %zu of one window: choose a context of %zu or less",
                   n_train, wanted, n_train - 1);
}

static sb_status open_part(sb_tokens *tokens, sb_part part, size_t n)
{
    tokens->part[part].n = n;
    tokens->part[part].token = sb_size_allocate(n, 1);
    return tokens->part[part].token ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for %zu tokens", n);
}

sb_status sb_tokens_open(sb_tokens *tokens, sb_dataset *dataset, size_t context, bool is_read_only)
{
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    *tokens = (sb_tokens){.context = context};
    SB_TRY(check_length(tokens, facts->n, facts->n_test, is_read_only));
    sb_status status = open_part(tokens, SB_PART_TRAIN, facts->n);
    if (status == SB_OK) status = sb_dataset_read(dataset, 0, facts->n, tokens->part[SB_PART_TRAIN].token);
    if (status == SB_OK && facts->n_test) status = open_part(tokens, SB_PART_TEST, facts->n_test);
    if (status == SB_OK && facts->n_test)
        status = sb_dataset_read_test(dataset, 0, facts->n_test, tokens->part[SB_PART_TEST].token);
    if (status != SB_OK) sb_tokens_close(tokens);
    return status;
}

void sb_tokens_close(sb_tokens *tokens)
{
    for (int i = 0; i < SB_N_PARTS; i++) free(tokens->part[i].token);
    *tokens = (sb_tokens){0};
}

size_t sb_tokens_start(const sb_tokens *tokens, uint64_t seed, uint64_t number)
{
    const size_t n_places = tokens->part[SB_PART_TRAIN].n - tokens->context;
    return sb_random_integer(sb_random_words(seed, SB_STREAM_TOKENS, number).word[0], (uint32_t)n_places);
}

size_t sb_tokens_windows(const sb_tokens *tokens, sb_part part)
{
    const size_t n = tokens->part[part].n;
    return n ? (n - 1) / tokens->context : 0;
}

void sb_tokens_copy(const sb_tokens *tokens, sb_part part, size_t first, uint8_t *window)
{
    assert(first + tokens->context < tokens->part[part].n);
    memcpy(window, tokens->part[part].token + first, tokens->context + 1);
}
