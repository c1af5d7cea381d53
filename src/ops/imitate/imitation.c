#include "ops/imitate/imitate.h"

#include "core/random.h"
#include "ops/subnormal.h"

#include <assert.h>
#include <stdlib.h>

static bool make_room(sb_imitation *imitation, size_t n_bytes)
{
    if (n_bytes <= imitation->room) return true;
    void *orders = realloc(imitation->orders, n_bytes);
    if (!orders) {
        imitation->lost = true;
        return false;
    }
    imitation->orders = orders;
    imitation->room = n_bytes;
    return true;
}

static uint64_t key_of(uint64_t seed, uint64_t index)
{
    const sb_random4 words = sb_random_words(seed, SB_STREAM_TERM_ORDER, index);
    return (uint64_t)words.word[0] << 32 | words.word[1];
}

static void order(const sb_context *context, uint32_t operation, int word, uint32_t n, uint32_t *index)
{
    const sb_imitates *of = &context->imitation->of;
    if (!(of->set & SB_IMITATED_ATOMICS)) {
        for (uint32_t i = 0; i < n; i++) index[i] = i;
        return;
    }
    const uint64_t run = key_of(of->seed, of->draw);
    const uint64_t key = key_of(run, (uint64_t)context->update << 32 | operation);
    sb_random_permutation(key, SB_STREAM_TERM_ORDER, word, n, index);
}

/* The places of terms that are numbered one stretch after the other. */
static void find_places(const int *n_k, uint32_t n, const uint32_t *index, sb_place *place)
{
    for (uint32_t i = 0; i < n; i++) {
        int32_t stretch = 0, k = (int32_t)index[i];
        while (k >= n_k[stretch]) k -= n_k[stretch++];
        place[i] = (sb_place){stretch, k};
    }
}

/* The barrier: others may still read the orders of the operation before. */
sb_orders sb_imitation_draw(sb_ops *ops, int n_stretches, const int *n_k, int n_second)
{
    sb_context *context = sb_context_of(ops);
    sb_imitation *imitation = context->imitation;
    size_t n = 0;
    for (int s = 0; s < n_stretches; s++) n += (size_t)n_k[s];
    assert(n + (size_t)n_second < (size_t)1 << 28 && "an order of more terms than a sum of this program has");
#pragma omp barrier
#pragma omp single
    {
        const uint32_t operation = context->operation++;
        if (make_room(imitation, n * sizeof(sb_place) + (n + (size_t)n_second) * sizeof(uint32_t))) {
            uint32_t *index = (uint32_t *)((sb_place *)imitation->orders + n);
            order(context, operation, 0, (uint32_t)n, index);
            order(context, operation, 1, (uint32_t)n_second, index + n);
            find_places(n_k, (uint32_t)n, index, imitation->orders);
        }
    }
    if (imitation->lost) return (sb_orders){0};
    const sb_place *place = imitation->orders;
    const uint32_t *index = (const uint32_t *)(place + n);
    return (sb_orders){.first = index, .second = index + n, .place = place, .n_first = (uint32_t)n};
}

static sb_status error(sb_ops *ops)
{
    sb_imitation *imitation = sb_context_of(ops)->imitation;
    if (!imitation->lost) return SB_OK;
    imitation->lost = false;
    return sb_fail(SB_E_MEMORY, "not enough memory for the order of a sum");
}

sb_status sb_imitation_open(sb_ops *ops, const sb_imitates *of, sb_imitation_fill *fill)
{
    if ((of->set & SB_IMITATED_FLUSH) && !sb_subnormal_has_mode())
        return sb_fail(SB_E_MISSING, "this CPU has no mode in which subnormal numbers are zero");
    sb_imitation *imitation = calloc(1, sizeof *imitation);
    if (!imitation) return sb_fail(SB_E_MEMORY, "not enough memory for a backend");
    imitation->of = *of;
    sb_context_of(ops)->imitation = imitation;
    ops->error = error;
    fill(ops, of->set);
    return SB_OK;
}

void sb_imitation_close(sb_imitation *imitation)
{
    if (imitation) free(imitation->orders);
    free(imitation);
}
