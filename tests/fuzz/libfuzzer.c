/* The entry points that libFuzzer calls. SB_FUZZ_TARGET names the target, without it the program lists them. With
 * SB_FUZZ_SEEDS it writes the target's made seeds into that folder and ends. */
#include "target.h"

#include "core/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const sb_fuzz_target *target;

void sb_fuzz_seed(const char *name, const void *bytes, size_t n)
{
    char path[SB_PATH_MAX];
    snprintf(path, sizeof path, "%.3000s/made-%.100s", getenv("SB_FUZZ_SEEDS"), name);
    if (sb_file_write(path, bytes, n) == SB_OK) return;
    fprintf(stderr, "%s\n", sb_message());
    exit(1);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *name = getenv("SB_FUZZ_TARGET");
    for (target = sb_fuzz_targets; target->name; target++) {
        if (!name) puts(target->name);
        if (name && strcmp(target->name, name) == 0) break;
    }
    if (!target->name && name) fprintf(stderr, "no target '%s' here\n", name);
    if (!target->name) exit(name ? 2 : 0);
    if (!getenv("SB_FUZZ_SEEDS")) return 0;
    if (target->seeds) target->seeds();
    exit(0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    target->one(bytes, n);
    return 0;
}
