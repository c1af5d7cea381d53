/* What the public header says where nothing of core is included: for test_record. */
#include "samebits.h"

#include <string.h>

int public_status(const char *name);
size_t public_hash_bytes(void);

int public_status(const char *name)
{
    static const struct {
        const char *name;
        int value;
    } statuses[] = {{"OK", SB_OK},           {"DIFFERS", SB_E_DIFFERS}, {"IO", SB_E_IO},
                    {"MEMORY", SB_E_MEMORY}, {"USAGE", SB_E_USAGE},     {"EMPTY", SB_E_EMPTY},
                    {"INTEGRITY", SB_E_INTEGRITY}, {"INTERRUPTED", SB_E_INTERRUPTED}};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (strcmp(statuses[i].name, name) == 0) return statuses[i].value;
    return -1;
}

size_t public_hash_bytes(void)
{
    return sizeof(sb_hash);
}
