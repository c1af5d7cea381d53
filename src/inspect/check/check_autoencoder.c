/* The autoencoder against its golden file. */
#include "inspect/check/check_parts.h"

#include "core/size.h"
#include "io/h5/h5_layout.h"

#include <math.h>
#include <stdlib.h>

static const sb_h5_row autoencoder_layout[] = {
    {"inputs", SB_H5_REALS, "u b i"},
    {"init/encoder/b", SB_H5_REALS, "h"},
    {"init/encoder/w", SB_H5_REALS, "h i"},
    {"losses", SB_H5_REALS, "u"},
};
enum { N_LAYOUT = sizeof autoencoder_layout / sizeof *autoencoder_layout };

sb_status sb_check_autoencoder(sb_check *c, sb_settings *options, FILE *out)
{
    sb_h5_dims dims;
    char batch[32], hidden[32];
    bool is_double = false;
    if (!sb_h5_exists(c->file, "init/encoder/b"))
        return sb_fail(SB_E_INTEGRITY, "%s: is of another network: it has no parameter encoder/b", sb_h5_path(c->file));
    SB_TRY(sb_h5_check_layout(c->file, autoencoder_layout, N_LAYOUT, &dims));
    const size_t updates = dims.of['u' - 'a'], inputs = dims.of['i' - 'a'], size = dims.of['b' - 'a'] * inputs;
    snprintf(batch, sizeof batch, "%zu", dims.of['b' - 'a']);
    snprintf(hidden, sizeof hidden, "%zu", dims.of['h' - 'a']);
    options->model = "autoencoder";
    if (!sb_setting_set(options, SB_SETTING_BATCH, batch) || !sb_setting_set(options, SB_SETTING_HIDDEN, hidden) ||
        inputs < 1 || inputs > SB_CHECK_INPUTS_MOST)
        return sb_fail(SB_E_INTEGRITY, "%s: no autoencoder has %zu inputs, %s hidden units and batches of %s",
                       sb_h5_path(c->file), inputs, hidden, batch);
    SB_TRY(sb_setup_open_net(&c->setup, options, &(sb_data_shape){1, 1, (int)inputs, 0}));
    SB_TRY(sb_check_is_double(c->file, &is_double));
    const double terms = fmax(fmax((double)inputs, options->hidden.item[0]), (double)options->batch);
    SB_TRY(sb_check_settle(c, sb_check_tolerance(options, is_double, terms)));
    SB_FREED sb_real *values = sb_size_allocate(updates * size, sizeof *values);
    if (!values) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_check_forget(c);
    SB_TRY(sb_h5_read(c->file, "inputs", SB_H5_REAL, updates * size, values));
    SB_TRY(sb_check_updates(c, updates, (sb_window){.values = values, .n = (int)options->batch}, size));
    sb_check_report(c, "copy", out);
    return sb_check_judge(c, "copy");
}
