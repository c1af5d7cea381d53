#include "paper/results/notes.h"

#include "core/machine/environment.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

sb_status sb_notes_add(sb_notes *notes, const char *format, ...)
{
    enum { NOTE_MAX = 1024 };
    char **grown = realloc(notes->text, (notes->n + 1) * sizeof *grown);
    if (!grown) return sb_fail(SB_E_MEMORY, "not enough memory for a note");
    notes->text = grown;
    char *text = malloc(NOTE_MAX);
    if (!text) return sb_fail(SB_E_MEMORY, "not enough memory for a note");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, NOTE_MAX, format, arguments);
    va_end(arguments);
    sb_home_hide(text); /* notes are for the page */
    notes->text[notes->n++] = text;
    return SB_OK;
}

void sb_notes_free(sb_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) free(notes->text[i]);
    free(notes->text);
    *notes = (sb_notes){0};
}
