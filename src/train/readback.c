#include "train/readback.h"

#include "io/h5/h5_attribute.h"
#include "net/models.h"

#include <stdio.h>
#include <string.h>

/* ---- from /config ---- */

static void add(sb_readback *r, sb_setting_id id, const char *value)
{
    sb_readback_setting *item = &r->item[r->n++];
    item->setting = sb_settings_table[id].key;
    item->option = sb_settings_table[id].option;
    snprintf(item->value, SB_READBACK_WORD, "%s", value);
}

/* In files of schema 1 the choice of algorithms and TF32 stand only in the sentence that describes the kernels. */
static void find_in_kernel(sb_setting_id id, const char *kernel, char value[SB_READBACK_WORD])
{
    const char *algorithms = strstr(kernel, "algorithms ");
    if (id == SB_SETTING_TF32 && strstr(kernel, "TF32")) snprintf(value, SB_READBACK_WORD, "on");
    if (id == SB_SETTING_CUDNN_ALGORITHM && algorithms)
        snprintf(value, SB_READBACK_WORD, "%.*s", (int)strcspn(algorithms + 11, " ,"), algorithms + 11);
}

/* The ranks that added gradients as their engine does; any other number of them has the bits of one process. */
static sb_status read_ranks(sb_h5 *run, char value[SB_READBACK_WORD])
{
    char reduce[SB_READBACK_WORD] = "";
    const char *key = sb_settings_table[SB_SETTING_REDUCE].key;
    if (sb_h5_has(run, "config", key)) SB_TRY(sb_h5_attribute_text(run, "config", key, reduce, sizeof reduce));
    if (strcmp(reduce, "fast") != 0) return SB_OK;
    return sb_h5_attribute_text(run, "config", sb_settings_table[SB_SETTING_RANKS].key, value, SB_READBACK_WORD);
}

/* What makes it so again: of OpenBLAS the kernel type that it turned out to be, not the one that was asked for. The
 * instruction set of native changes no bit and is chosen anew. */
static sb_status read_value(sb_h5 *run, sb_setting_id id, char value[SB_READBACK_WORD])
{
    const sb_setting_row *setting = &sb_settings_table[id];
    char kernel[SB_READBACK_WORD];
    *value = 0;
    if (id == SB_SETTING_ISA) return SB_OK;
    if (id == SB_SETTING_RANKS) return read_ranks(run, value);
    if (id == SB_SETTING_BLAS_KERNEL) return sb_h5_get_text(run, "config", "kernel", value, SB_READBACK_WORD);
    if (setting->since == 1 || sb_h5_has(run, "config", setting->key))
        return sb_h5_attribute_text(run, "config", setting->key, value, SB_READBACK_WORD);
    SB_TRY(sb_h5_get_text(run, "config", "kernel", kernel, sizeof kernel));
    find_in_kernel(id, kernel, value);
    return SB_OK;
}

/* The names of a run's network, backend, arithmetic, optimizer and schedule, all of which this program has. */
static sb_status read_names(sb_h5 *run, char text[SB_N_OF][SB_READBACK_WORD], sb_setting_names *names)
{
    for (sb_setting_of of = SB_OF_ANY + 1; of < SB_N_OF; of++) {
        const sb_setting_row *setting = &sb_settings_table[sb_setting_chooser(of)];
        if (setting->since > 1 && !sb_h5_has(run, "config", setting->key))
            snprintf(text[of], SB_READBACK_WORD, "%s", sb_setting_absent(sb_setting_chooser(of), names));
        else
            SB_TRY(sb_h5_get_text(run, "config", setting->key, text[of], SB_READBACK_WORD));
        names->of[of] = text[of];
        if (of == SB_OF_NETWORK && !sb_setting_knows(of, text[of])) return sb_model_unknown(sb_h5_path(run), text[of]);
        if (!sb_setting_knows(of, text[of]))
            return sb_fail(SB_E_USAGE, "%s: a run with %s '%.64s', and this program knows %s", sb_h5_path(run),
                           setting->key, text[of], setting->words);
    }
    return SB_OK;
}

sb_status sb_readback_read(sb_readback *readback, sb_h5 *run)
{
    char precision[SB_READBACK_WORD], value[SB_READBACK_WORD], text[SB_N_OF][SB_READBACK_WORD];
    sb_setting_names names = {0};
    *readback = (sb_readback){0};
    SB_TRY(sb_h5_get_text(run, "config", "precision", precision, sizeof precision));
    if (strcmp(precision, SB_REAL_NAME) != 0)
        return sb_fail(SB_E_USAGE, "%s: is a run in %s, and this program computes in %s", sb_h5_path(run), precision,
                       SB_REAL_NAME);
    SB_TRY(read_names(run, text, &names));
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        const sb_setting_group group = sb_settings_table[id].group;
        if (group != SB_GROUP_LEARN && group != SB_GROUP_COMPUTE) continue;
        if (!sb_setting_applies(id, &names)) continue;
        SB_TRY(read_value(run, id, value));
        const bool is_default =
            sb_setting_is_unrecorded(id, &names) && sb_setting_agrees(id, value, sb_settings_table[id].without);
        if (*value && !is_default) add(readback, id, value);
    }
    return SB_OK;
}

const char *sb_readback_value(const sb_readback *readback, const char *setting)
{
    for (int i = 0; i < readback->n; i++)
        if (strcmp(readback->item[i].setting, setting) == 0) return readback->item[i].value;
    return NULL;
}

/* ---- to options ---- */

typedef struct holder { /* as a verb has it */
    sb_settings setup;
} holder;

sb_status sb_readback_options(const sb_readback *readback, const char *data, sb_settings *options)
{
    static const sb_option table[] = {SB_OPTIONS_DATA(holder) SB_OPTIONS_LEARN(holder) SB_OPTIONS_COMPUTE(holder)
                                          SB_OPTION_END};
    static const sb_command command = {
        .program = "samebits", .verb = "train", .summary = "", .options = table, .values_bytes = sizeof(holder)};
    char *argv[2 * SB_READBACK_SETTINGS + 2];
    int argc = 0;
    bool help;
    holder values = {0};
    sb_arguments arguments;
    argv[argc++] = "--data", argv[argc++] = (char *)data;
    for (int i = 0; i < readback->n; i++) {
        argv[argc++] = (char *)readback->item[i].option;
        argv[argc++] = (char *)readback->item[i].value;
    }
    SB_TRY(sb_options_parse(&command, argc, argv, &values, &arguments, &help));
    *options = values.setup;
    memset(options->typed, 0, sizeof options->typed); /* what a run recorded, no user typed */
    return SB_OK;
}

sb_status sb_readback_check_data(sb_h5 *run, const char *data, const char *digest)
{
    char recorded[SB_HASH_TEXT], name[SB_READBACK_WORD];
    SB_TRY(sb_h5_get_text(run, "config", "data_digest", recorded, sizeof recorded));
    if (strcmp(digest, recorded) == 0) return SB_OK;
    SB_TRY(sb_h5_get_text(run, "config", "data_name", name, sizeof name));
    if (strcmp(data, SB_MADE_TEXT) == 0)
        return sb_fail(SB_E_USAGE, "%s: learned from '%s' (digest %s); name its file with --data", sb_h5_path(run),
                       name, recorded);
    return sb_fail(SB_E_USAGE, "%s: learned from '%s' (digest %s), and %s is another data set (digest %s)",
                   sb_h5_path(run), name, recorded, data, digest);
}
