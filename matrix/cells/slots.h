/* Places for values in a text: "--seed {seed}" becomes "--seed 3". Braces around anything but a name are text, so that JSON
 * in a command stays what it is. */
#pragma once

enum { SB_SLOT_NAME = 40 };

/* The first place in the text, and its name; NULL: there is none. Its length is the name's plus two braces. */
const char *sb_slot_find(const char *text, char name[SB_SLOT_NAME]);

/* The value of a name; NULL: it has none, and its place stays as it is. */
typedef const char *sb_slot_value(void *context, const char *name);

/* The text with its values, from malloc; NULL: no memory. */
char *sb_slot_fill(const char *text, sb_slot_value *value, void *context);
