#include "io/windows.h"

#include <assert.h>

static int64_t sequence_end(const sb_dataset_facts *facts, size_t i)
{
    return i + 1 < facts->n_sequences ? facts->sequence[i + 1] : (int64_t)facts->n;
}

/* A window ends where the number of frames seen is divisible by its length. Nothing predicts a sequence's first frame,
 * so that with windows of one frame none ends there: it would have no loss term. */
static long windows_without_term(int length)
{
    return length == 1;
}

/* A partial last one is left out. */
long sb_windows_count_in(const sb_dataset_facts *facts, int length, size_t sequence)
{
    long n = (long)((sequence_end(facts, sequence) - facts->sequence[sequence]) / length);
    return n > windows_without_term(length) ? n - windows_without_term(length) : 0;
}

long sb_windows_count(const sb_dataset_facts *facts, int length)
{
    long n = 0;
    for (size_t i = 0; i < facts->n_sequences; i++) n += sb_windows_count_in(facts, length, i);
    return n;
}

sb_frames sb_windows_place_in(const sb_dataset_facts *facts, int length, size_t sequence, long k)
{
    const bool reset = k == 0;
    k += windows_without_term(length);
    return (sb_frames){
        .first = facts->sequence[sequence] + k * length - (k > 0), .n = length - (k == 0), .reset = reset};
}

sb_frames sb_windows_place(const sb_dataset_facts *facts, int length, long update)
{
    const long n_windows = sb_windows_count(facts, length);
    assert(update >= 1 && n_windows > 0);
    long k = (update - 1) % n_windows;
    size_t i = 0;
    for (long n; k >= (n = sb_windows_count_in(facts, length, i)); i++) k -= n;
    return sb_windows_place_in(facts, length, i, k);
}
