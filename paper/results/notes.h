/* The notes of the report about its gaps: one sentence for each omission. They go to stderr and onto the page. */
#ifndef SB_PAPER_RESULTS_NOTES_H
#define SB_PAPER_RESULTS_NOTES_H

#include "core/status.h"

#include <stddef.h>

typedef struct sb_notes { /* {0} is an empty list */
    size_t n;
    char **text; /* the list's */
} sb_notes;

sb_status sb_notes_add(sb_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sb_notes_free(sb_notes *notes);

#endif
