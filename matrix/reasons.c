#include "reasons.h"

#include <stdio.h>
#include <string.h>

void sb_reasons_add(sb_reasons *reasons, const char *why)
{
    int i = 0;
    while (i < reasons->n && strcmp(reasons->text[i], why) != 0) i++;
    if (i == SB_REASONS_MAX) i--;
    if (i == reasons->n)
        snprintf(reasons->text[reasons->n++], SB_WHY, "%s", i == SB_REASONS_MAX - 1 ? "other reasons" : why);
    reasons->count[i]++;
}
