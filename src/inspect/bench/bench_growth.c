/* How time grows: three series around the shape of the options, one dimension at a time, with short windows so that
 * the large frames fit. */
#include "inspect/bench/bench_parts.h"

enum { SHORT_WINDOW = 5 };

/* A multiple of what the layers' pooling divides by, at least one. */
static int round_side(double side, int n_layers)
{
    const int step = 1 << (n_layers - 1);
    const int n = (int)(side / step + 0.5);
    return (n < 1 ? 1 : n) * step;
}

static long at_least_one(long n)
{
    return n < 1 ? 1 : n;
}

static sb_status add_sizes(sb_bench_state *state, const sb_settings *setup)
{
    static const double scales[] = {0.25, 0.5, 1, 1.5, 2};
    const sb_size full = state->options->size;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        const sb_size size = {round_side(scales[i] * full.w, setup->channels.n),
                              round_side(scales[i] * full.h, setup->channels.n)};
        SB_TRY(sb_bench_add_case(state, "growth-size", setup, size));
    }
    return SB_OK;
}

/* The colours stay. */
static sb_status add_channels(sb_bench_state *state, sb_settings setup)
{
    const sb_list full = setup.channels;
    for (int divisor = 4; divisor >= 1; divisor /= 2) {
        for (int n = 1; n < full.n; n++) setup.channels.item[n] = (int)at_least_one(full.item[n] / divisor);
        SB_TRY(sb_bench_add_case(state, "growth-channels", &setup, state->options->size));
    }
    return SB_OK;
}

static sb_status add_windows(sb_bench_state *state, sb_settings setup)
{
    const long full = setup.window;
    for (int divisor = 4; divisor >= 1; divisor /= 2) {
        setup.window = at_least_one(full / divisor);
        SB_TRY(sb_bench_add_case(state, "growth-window", &setup, state->options->size));
    }
    return SB_OK;
}

sb_status sb_bench_add_growth(sb_bench_state *state, const sb_settings *setup)
{
    sb_settings brief = *setup;
    if (brief.window > SHORT_WINDOW) brief.window = SHORT_WINDOW;
    SB_TRY(add_sizes(state, &brief));
    SB_TRY(add_channels(state, brief));
    return add_windows(state, *setup);
}
