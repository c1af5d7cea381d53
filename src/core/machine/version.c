#include "core/machine/version.h"

#include "build_facts.h"

const char *sb_version(void)
{
    return SB_VERSION;
}

const char *sb_revision(void)
{
    return SB_REVISION;
}
