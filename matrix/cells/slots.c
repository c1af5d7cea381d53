#include "matrix/cells/slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sb_slot_find(const char *text, char name[SB_SLOT_NAME])
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz", more[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    for (const char *at = text; (at = strchr(at, '{')); at++) {
        const size_t n = strspn(at + 1, more);
        if (!n || n >= SB_SLOT_NAME || at[n + 1] != '}' || !strchr(first, at[1])) continue;
        memcpy(name, at + 1, n);
        name[n] = 0;
        return at;
    }
    return NULL;
}

char *sb_slot_fill(const char *text, sb_slot_value *value, void *context)
{
    char *filled = NULL, name[SB_SLOT_NAME];
    size_t n_filled;
    FILE *out = open_memstream(&filled, &n_filled);
    if (!out) return NULL;
    for (const char *slot; (slot = sb_slot_find(text, name)); text = slot + strlen(name) + 2) {
        const char *word = value(context, name);
        fwrite(text, 1, (size_t)(slot - text), out);
        if (word)
            fputs(word, out);
        else
            fprintf(out, "{%s}", name);
    }
    fputs(text, out);
    const int failed = ferror(out);
    if (fclose(out) == 0 && !failed) return filled;
    free(filled);
    return NULL;
}
