/* A line of fields for a terminal of any width: what does not fit leaves as whole fields, never as half a number.
 *
 *     sb_fields line = {0};
 *     sb_fields_add(&line, SB_FIELD_STAYS, "%ld/%ld", update, total);
 *     sb_fields_add(&line, 1, "loss %.5f", loss);
 *     sb_fields_add(&line, 2, "%.3g/s", rate);          leaves before the loss does
 *     sb_fields_write(&line, columns, text, sizeof text);
 */
#pragma once

#include <stddef.h>

enum {
    SB_FIELDS = 16,      /* the most of a line; more are not taken */
    SB_FIELD_TEXT = 256, /* bytes of a field with its 0 */
    SB_FIELD_STAYS = 0,
    SB_FIELD_CUT = -1, /* stays, and is cut at a blank where it does not fit: a sentence; the last field alone */
};

typedef struct sb_fields { /* {0} has none */
    size_t n;
    struct {
        int leaves; /* SB_FIELD_STAYS, SB_FIELD_CUT, or a rank: the highest leaves first */
        char text[SB_FIELD_TEXT];
    } field[SB_FIELDS];
} sb_fields;

/* An empty field takes no room. */
void sb_fields_add(sb_fields *fields, int leaves, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Columns of a text, in which marks of roles (screen.h) take none. */
int sb_fields_columns(const char *text);

/* Columns of the fields that stay, with the two blanks between them. */
int sb_fields_least(const sb_fields *fields);

/* The fields that fit `columns`, two blanks between them; columns 0: all of them. Those that stay are written even
 * where they do not fit. */
void sb_fields_write(const sb_fields *fields, int columns, char *line, size_t size);

/* The name of a row of a table whose numbers follow. Its width is `longest`, or less where a terminal of `columns` is
 * narrow: then `least` columns of numbers (sb_fields_least) and two blanks still fit after it. */
int sb_fields_name_width(int columns, int longest, int least);

/* The name in that width, with blanks after it; of a longer one the end after "..", where names differ most. */
void sb_fields_write_name(const char *name, int width, char *text, size_t size);
