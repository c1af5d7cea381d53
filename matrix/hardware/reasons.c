#include "matrix/hardware/hardware.h"

#include "core/text/plural.h"

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

void sb_reasons_print(const sb_reasons *reasons, const char *what, FILE *out)
{
    for (int i = 0; i < reasons->n; i++)
        fprintf(out, "%s for %zu cell%s: %s\n", what, reasons->count[i], sb_plural(reasons->count[i]),
                reasons->text[i]);
}
