#include "backend/backend.h"
#include "core/machine/build_id.h"
#include "core/machine/environment.h"
#include "core/rows/arithmetics.h"
#include "inspect/engines.h"
#include "io/h5/h5.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>

/* Where a variable chooses, it is named. */
static void print_openblas(void)
{
    const char *own = sb_openblas_own_kernel();
    if (!own) return;
    sb_facts facts = {0};
    sb_backend_facts(&facts);
    printf("  openblas's kernels here: %s, because OPENBLAS_CORETYPE is set; this CPU's own: %s\n",
           sb_facts_find(&facts, "openblas_kernel"), *own ? own : "unknown");
}

static void print_backends(void)
{
    printf("backends\n");
    for (const sb_backend *backend = sb_backends; backend->name; backend++) {
        char why[256] = "";
        if (backend->available(why, sizeof why))
            printf("  %-11s %s\n", backend->name, backend->summary);
        else
            printf("  %-11s absent: %s\n", backend->name, why);
    }
    printf("  native's kernels here: %s\n", sb_isa_best());
    print_openblas();
    printf("\n");
}

static void print_arithmetics(void)
{
    printf("arithmetics of native; native-cuda has those without an imitation\n");
    for (const sb_arithmetic *a = sb_arithmetics; a->name; a++) printf("  %-17s %s\n", a->name, a->summary);
    printf("\n");
}

typedef struct info_options {
    bool engines;
    sb_texts convolutions;
} info_options;

static const sb_option options[] = {
    SB_OPTION_FLAG(info_options, engines, "--cudnn-engines",
                   "instead: csv of the engines that cuDNN offers for convolutions, with their times"),
    {"--convolution", 0, SB_KIND_TEXTS, offsetof(info_options, convolutions), "SHAPE", NULL, 0, 0,
     "for --cudnn-engines: NxINxOUTxHxWxKERNEL, may be repeated [PredNet's]"},
    SB_OPTION_END,
};

static sb_status info(const sb_call *call)
{
    const info_options *values = call->values;
    if (values->engines) return sb_engines_print(&values->convolutions);
    if (values->convolutions.n) return sb_fail(SB_E_USAGE, "samebits info: --convolution is for --cudnn-engines");
    SB_FREED sb_facts *facts = calloc(1, sizeof *facts);
    if (!facts) return sb_fail(SB_E_MEMORY, "not enough memory");
    char version[32];
    sb_h5_library_version(version, sizeof version);
    sb_facts_build(facts);
    sb_facts_add(facts, "hdf5", "%s", version);
    sb_backend_facts(facts);
    sb_facts_machine(facts);
    sb_environment_facts(facts);
    print_backends();
    print_arithmetics();
    sb_build_id_facts(facts); /* now that the backends have opened what they can */
    printf("facts\n");
    for (int i = 0; i < facts->n; i++) printf("  %-16s %s\n", facts->fact[i].name, facts->fact[i].value);
    return SB_OK;
}

const sb_command sb_verb_info = {
    .program = "samebits",
    .verb = "info",
    .summary = "print this machine, its backends (or why one is missing) and all versions",
    .options = options,
    .values_bytes = sizeof(info_options),
    .run = info,
};
