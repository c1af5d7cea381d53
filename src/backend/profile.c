#include "backend/profile.h"

#include "core/machine/clock.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct sb_profile {
    sb_ops ops; /* first: the operations get it as their ops */
    sb_ops *inner;
    int n_rows;
    sb_profile_row row[SB_PROFILE_ROWS_MAX];
};

typedef struct extent {
    int channels, h, w;
} extent;

static const extent of_nothing = {0};

static extent of_tensor(const sb_tensor *x)
{
    return (extent){x->gates * x->c, x->h, x->w};
}

static extent of_conv(const sb_conv *conv)
{
    return (extent){sb_conv_outputs(&conv->shape), conv->shape.h, conv->shape.w};
}

static extent of_dense(const sb_dense *layer, int n)
{
    return (extent){layer->out, n, 1};
}

static double conv_flop(const sb_conv *conv)
{
    const sb_conv_shape *s = &conv->shape;
    return 2.0 * (double)sb_conv_weights(s) * s->n * s->h * s->w;
}

static double terms_flop(int n_terms, const sb_term *term)
{
    double flop = 0;
    for (int i = 0; i < n_terms; i++) flop += conv_flop(term[i].conv);
    return flop;
}

static double dense_flop(const sb_dense *layer, int n)
{
    return 2.0 * n * layer->in * layer->out;
}

/* `products` products of all pairs of positions j <= i, over all heads. */
static double attention_flop(const sb_tensor *y, int products)
{
    return (double)products * y->n * y->c * y->w * (y->w + 1.0);
}

static bool is_first_thread(void)
{
    return omp_get_thread_num() == 0;
}

static sb_profile_row *find_row(sb_profile *profile, const char *operation, extent s)
{
    for (int i = 0; i < profile->n_rows; i++) {
        sb_profile_row *row = &profile->row[i];
        if (strcmp(row->operation, operation) == 0 && row->channels == s.channels && row->h == s.h && row->w == s.w)
            return row;
    }
    sb_profile_row *row = &profile->row[profile->n_rows];
    if (profile->n_rows == SB_PROFILE_ROWS_MAX) return row - 1;
    if (++profile->n_rows == SB_PROFILE_ROWS_MAX)
        *row = (sb_profile_row){.operation = "others"};
    else
        *row = (sb_profile_row){operation, s.channels, s.h, s.w, 0, 0, 0};
    return row;
}

/* What a device has put down is done: reading nothing from it waits for that. */
static void wait_for_device(sb_ops *inner)
{
    char nothing;
    if (!inner->host_memory) inner->to_host(inner, &nothing, NULL, 0);
}

static void add_call(sb_profile *profile, const char *operation, extent s, double flop, double start)
{
    if (!is_first_thread()) return;
    wait_for_device(profile->inner);
    double end = sb_clock_seconds();
    sb_profile_row *row = find_row(profile, operation, s);
    row->calls++;
    row->seconds += end - start;
    row->flop += flop;
}

/* For each operation: the inner backend's, with the clock around it. */
#define TIMED(slot, pass, parameters, arguments, shape, flop, row, reads, writes)                                      \
    static void timed_##slot parameters                                                                                \
    {                                                                                                                  \
        sb_profile *profile = (sb_profile *)ops;                                                                       \
        const double start = is_first_thread() ? sb_clock_seconds() : 0;                                               \
        profile->inner->slot(profile->inner, UNPACKED arguments);                                                      \
        add_call(profile, #slot, shape, flop, start);                                                                  \
    }
#define UNPACKED(...) __VA_ARGS__

SB_SLOTS(TIMED)

sb_status sb_profile_open(sb_profile **opened, sb_ops *inner)
{
    sb_profile *profile = *opened = calloc(1, sizeof *profile);
    if (!profile) return sb_fail(SB_E_MEMORY, "not enough memory for a profile");
    profile->inner = inner;
    sb_ops *ops = &profile->ops;
    *ops = *inner;
#define FILL(slot, ...) ops->slot = timed_##slot;
    SB_SLOTS(FILL)
#undef FILL
    return SB_OK;
}

void sb_profile_close(sb_profile *profile)
{
    free(profile);
}

sb_ops *sb_profile_ops(sb_profile *profile)
{
    return &profile->ops;
}

const sb_profile_row *sb_profile_rows(const sb_profile *profile, int *n_rows)
{
    *n_rows = profile->n_rows;
    return profile->row;
}
