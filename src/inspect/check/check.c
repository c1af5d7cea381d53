#include "inspect/check/check.h"

#include "inspect/check/check_parts.h"
#include "io/h5/h5_attribute.h"

#include <stdlib.h>
#include <string.h>

/* Networks of which there are golden files. */
static const struct {
    const char *model;
    sb_status (*check)(sb_check *c, sb_settings *options, FILE *out);
} networks[] = {{"prednet", sb_check_prednet},
                {"autoencoder", sb_check_autoencoder},
                {"gpt", sb_check_gpt},
                {"lenet", sb_check_lenet},
                {"resnet9", sb_check_resnet9}};
enum { N_NETWORKS = sizeof networks / sizeof *networks };

static sb_status check_network(sb_check *c, sb_settings *options, FILE *out)
{
    char format[32] = "", model[32] = "";
    if (!sb_h5_has(c->file, "", "format") || sb_h5_get_text(c->file, "", "format", format, sizeof format) != SB_OK ||
        strcmp(format, "samebits-golden") != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: not a golden file of samebits", sb_h5_path(c->file));
    SB_TRY(sb_h5_get_text(c->file, "", "model", model, sizeof model));
    for (int i = 0; i < N_NETWORKS; i++)
        if (strcmp(networks[i].model, model) == 0) return networks[i].check(c, options, out);
    return sb_fail(SB_E_INTEGRITY, "%s: is of another network, '%s'; here there are prednet, autoencoder, gpt, "
                                   "lenet and resnet9", sb_h5_path(c->file), model);
}

sb_status sb_check_golden(const char *path, sb_settings options, double tolerance, FILE *out)
{
    sb_check c = {.tolerance = tolerance};
    sb_settings_default_group(&options, SB_GROUP_LEARN);
    options.optimizer = "adam", options.schedule = "constant",
    options.lr = 1e-3; /* what the golden files were made with */
    options.target = "copy", options.winograd_channels = 1;
    SB_TRY(sb_h5_open(&c.file, path, SB_SEAL_FOREIGN));
    sb_status status = check_network(&c, &options, out);
    if (status == SB_OK)
        fprintf(out, "%s: holds on %s (%s, %s), tolerance %.1e\n", path, options.backend,
                sb_backend_variant(c.setup.ops), SB_REAL_NAME, c.tolerance);
    sb_setup_close(&c.setup);
    sb_h5_close(c.file);
    free(c.known);
    free(c.got);
    free(c.host);
    return status;
}
