/* replay CORPUS: each target's made seeds, each file of CORPUS/TARGET and no bytes at all, once through it. A test as
 * any other: it fails by crashing, or by taking too long. */
#include "target.h"

#include "core/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sb_fuzz_target *target;
static size_t n_done;

/* In memory of just that size, so that a sanitizer sees a step past the end. */
void sb_fuzz_seed(const char *name, const void *bytes, size_t n)
{
    uint8_t *exact = malloc(n ? n : 1);
    if (!exact) abort();
    memcpy(exact, bytes, n);
    fprintf(stderr, "%s: %s\n", target->name, name);
    target->one(exact, n);
    free(exact);
    n_done++;
}

static void replay_folder(const char *folder)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[SB_PATH_MAX];
        snprintf(path, sizeof path, "%.3000s/%s", folder, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.') sb_fuzz_seed_file(entry[i]->d_name, path);
        free(entry[i]);
    }
    if (n >= 0) free(entry);
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    for (target = sb_fuzz_targets; target->name; target++) {
        char folder[SB_PATH_MAX];
        snprintf(folder, sizeof folder, "%.3000s/%s", argv[1], target->name);
        n_done = 0;
        if (target->seeds) target->seeds();
        replay_folder(folder);
        printf("%s: %zu inputs\n", target->name, n_done);
        if (n_done == 0) {
            fprintf(stderr, "%s: no corpus\n", folder);
            return 1;
        }
        sb_fuzz_seed("nothing", "", 0);
    }
    return 0;
}
