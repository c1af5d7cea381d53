/* A transformer for text against its golden file: updates by AdamW from given initial weights, without clipping of the
 * gradient. */
#include "inspect/check/check_parts.h"

#include "io/h5/h5_attribute.h"
#include "io/h5/h5_layout.h"

#include <stdio.h>

static sb_status read_options(sb_check *c, sb_settings *options)
{
    static const struct {
        const char *attribute;
        sb_setting_id id;
    } known[] = {{"blocks", SB_SETTING_BLOCKS},         {"heads", SB_SETTING_HEADS},
                 {"width", SB_SETTING_WIDTH},           {"context", SB_SETTING_CONTEXT},
                 {"batch", SB_SETTING_BATCH},           {"tied", SB_SETTING_TIED},
                 {"activation", SB_SETTING_ACTIVATION}, {"optimizer", SB_SETTING_OPTIMIZER},
                 {"lr", SB_SETTING_LR},                 {"beta1", SB_SETTING_BETA1},
                 {"beta2", SB_SETTING_BETA2},           {"eps", SB_SETTING_EPS},
                 {"weight_decay", SB_SETTING_WEIGHT_DECAY}};
    options->model = "gpt", options->max_norm = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        SB_TRY(sb_check_option(c, "", known[i].attribute, known[i].id, options));
    return SB_OK;
}

/* tokens [updates][batch][context + 1] */
static sb_status read_tokens(sb_check *c, const sb_settings *options, int vocabulary, size_t *updates, uint8_t **tokens)
{
    static const sb_h5_row layout[] = {{"tokens", SB_H5_COUNTS, "u b t"}};
    sb_h5_dims dims;
    SB_TRY(sb_h5_check_layout(c->file, layout, 1, &dims));
    const size_t batch = dims.of['b' - 'a'], length = dims.of['t' - 'a'], most = SB_CHECK_UPDATES_MOST;
    *updates = dims.of['u' - 'a'];
    if (*updates < 1 || *updates > most || batch != (size_t)options->batch || length != (size_t)options->context + 1)
        return sb_fail(SB_E_INTEGRITY, "%s: /tokens are not of 1 to %d batches of %ld windows of %ld tokens",
                       sb_h5_path(c->file), SB_CHECK_UPDATES_MOST, options->batch, options->context + 1);
    const size_t n = *updates * batch * length;
    SB_TRY(sb_h5_read_new(c->file, "tokens", SB_U8, n, tokens));
    for (size_t i = 0; i < n; i++)
        if ((*tokens)[i] >= vocabulary)
            return sb_fail(SB_E_INTEGRITY, "%s: token %d is none of %d", sb_h5_path(c->file), (*tokens)[i], vocabulary);
    return SB_OK;
}

sb_status sb_check_gpt(sb_check *c, sb_settings *options, FILE *out)
{
    SB_FREED uint8_t *tokens = NULL;
    size_t updates;
    int64_t vocabulary;
    SB_TRY(read_options(c, options));
    SB_TRY(sb_h5_get_int(c->file, "", "vocabulary", &vocabulary));
    if (vocabulary < 2 || vocabulary > SB_VOCABULARY_MAX)
        return sb_fail(SB_E_INTEGRITY, "%s: has a vocabulary of %lld", sb_h5_path(c->file), (long long)vocabulary);
    SB_TRY(sb_setup_open_net(&c->setup, options, &(sb_data_shape){.n_classes = (int)vocabulary}));
    SB_TRY(sb_check_settle_classes(c));
    sb_check_forget(c);
    SB_TRY(read_tokens(c, options, (int)vocabulary, &updates, &tokens));
    SB_TRY(sb_check_updates(c, updates, (sb_window){.tokens = tokens, .n = (int)options->batch},
                            (size_t)(options->batch * (options->context + 1))));
    sb_check_report(c, "adamw", out);
    return sb_check_judge(c, "adamw");
}
