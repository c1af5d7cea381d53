#include "train/recall.h"

#include "io/h5_attribute.h"

#include <stdio.h>
#include <string.h>

/* ---- from /config ---- */

/* Settings that are written as they are typed. */
static const struct {
    const char *setting, *option, *model; /* model: NULL for both networks */
    bool is_later;                        /* older files lack it: the option's default is what they were made with */
} plain[] = {
    {"model", "--model", NULL, false},
    {"backend", "--backend", NULL, false},
    {"threads", "--threads", NULL, false},
    {"target", "--target", NULL, false},
    {"seed", "--seed", NULL, false},
    {"ulp", "--ulp", NULL, true},
    {"lr", "--lr", NULL, false},
    {"channels", "--channels", "prednet", false},
    {"window", "--window", "prednet", false},
    {"hidden", "--hidden", "autoencoder", false},
    {"batch", "--batch", "autoencoder", false},
};

static sb_recalled_setting *add(sb_recalled *r, const char *setting, const char *option)
{
    sb_recalled_setting *item = &r->item[r->n++];
    item->setting = setting;
    item->option = option;
    return item;
}

static void add_text(sb_recalled *r, const char *setting, const char *option, const char *value)
{
    snprintf(add(r, setting, option)->value, SB_RECALL_WORD, "%s", value);
}

/* What a backend turned out to be, as the options that make it so again: OpenBLAS's kernel type, cuDNN's choice of
 * algorithms, TF32. The instruction set of native changes no bit and is chosen anew. */
static sb_status add_kernel(sb_recalled *r, sb_h5 *run, const char *backend)
{
    char kernel[SB_RECALL_WORD], arithmetic[SB_RECALL_WORD];
    SB_TRY(sb_h5_get_text(run, "config", "kernel", kernel, sizeof kernel));
    SB_TRY(sb_h5_get_text(run, "config", "arithmetic", arithmetic, sizeof arithmetic));
    const sb_backend *row = sb_backend_find(backend);
    if (row && row->in_written_order) add_text(r, "arithmetic", "--arithmetic", arithmetic);
    if (strcmp(backend, "openblas") == 0) add_text(r, "kernel", "--blas-kernel", kernel);
    const char *algorithms = strstr(kernel, "algorithms ");
    if (algorithms) {
        sb_recalled_setting *item = add(r, "algorithm", "--cudnn-algorithm");
        snprintf(item->value, sizeof item->value, "%.*s", (int)strcspn(algorithms + 11, " ,"), algorithms + 11);
    }
    if (strstr(kernel, "TF32")) add_text(r, "tf32", "--tf32", "on");
    return SB_OK;
}

sb_status sb_recall(sb_recalled *recalled, sb_h5 *run)
{
    char precision[SB_RECALL_WORD];
    *recalled = (sb_recalled){0};
    SB_TRY(sb_h5_get_text(run, "config", "precision", precision, sizeof precision));
    if (strcmp(precision, SB_REAL_NAME) != 0)
        return sb_fail(SB_E_USAGE, "%s: is a run in %s, and this program computes in %s", sb_h5_path(run), precision,
                       SB_REAL_NAME);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        const char *model = sb_recalled_value(recalled, "model");
        if (plain[i].model && strcmp(plain[i].model, model) != 0) continue;
        if (plain[i].is_later && !sb_h5_has(run, "config", plain[i].setting)) continue;
        sb_recalled_setting *item = add(recalled, plain[i].setting, plain[i].option);
        SB_TRY(sb_h5_get_text(run, "config", item->setting, item->value, sizeof item->value));
    }
    return add_kernel(recalled, run, sb_recalled_value(recalled, "backend"));
}

const char *sb_recalled_value(const sb_recalled *recalled, const char *setting)
{
    for (int i = 0; i < recalled->n; i++)
        if (strcmp(recalled->item[i].setting, setting) == 0) return recalled->item[i].value;
    return NULL;
}

/* ---- to options ---- */

typedef struct holder { /* as a verb has it */
    sb_setup_options setup;
} holder;

sb_status sb_recall_options(const sb_recalled *recalled, const char *data, sb_setup_options *options)
{
    static const sb_option table[] = {SB_SETUP_OPTIONS(holder), SB_OPTION_END};
    static const sb_command command = {
        .program = "samebits", .verb = "train", .summary = "", .options = table, .values_bytes = sizeof(holder)};
    char *argv[2 * SB_RECALL_SETTINGS + 2];
    int argc = 0;
    bool help;
    holder values = {0};
    sb_arguments arguments;
    argv[argc++] = "--data", argv[argc++] = (char *)data;
    for (int i = 0; i < recalled->n; i++) {
        argv[argc++] = (char *)recalled->item[i].option;
        argv[argc++] = (char *)recalled->item[i].value;
    }
    SB_TRY(sb_options_parse(&command, argc, argv, &values, &arguments, &help));
    *options = values.setup;
    return SB_OK;
}

sb_status sb_recall_digest(const char *data, char digest[SB_HASH_TEXT])
{
    sb_dataset *dataset;
    sb_hash hash;
    SB_TRY(sb_dataset_open(&dataset, data));
    sb_status status = sb_dataset_digest(dataset, &hash);
    sb_dataset_close(dataset);
    if (status == SB_OK) sb_hash_text(hash, digest);
    return status;
}

sb_status sb_recall_check_data(sb_h5 *run, const char *data, const char *digest)
{
    char recorded[SB_HASH_TEXT], name[SB_RECALL_WORD];
    SB_TRY(sb_h5_get_text(run, "config", "data_digest", recorded, sizeof recorded));
    if (strcmp(digest, recorded) == 0) return SB_OK;
    SB_TRY(sb_h5_get_text(run, "config", "data_name", name, sizeof name));
    return sb_fail(SB_E_USAGE, "%s: learned from '%s' (digest %s), and %s is another data set (digest %s)",
                   sb_h5_path(run), name, recorded, data, digest);
}
