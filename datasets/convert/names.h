/* The order that names have by the numbers in them: frame2 before frame10, 00009 before 000010.
 *
 *     n = scandir(folder, &entry, is_visible, sb_names_compare);
 *     if (sb_names_doubt(entry[i - 1]->d_name, entry[i]->d_name)) ... the names do not settle it ...
 *
 * Runs of digits are compared as whole numbers of any length, all else byte by byte; zeros before a number count only
 * between names that are equal without them.
 */
#ifndef SB_DATASETS_CONVERT_NAMES_H
#define SB_DATASETS_CONVERT_NAMES_H

#include <dirent.h>

/* As strcmp. */
int sb_names_order(const char *a, const char *b);

/* As scandir wants it. */
int sb_names_compare(const struct dirent **a, const struct dirent **b);

/* Why the order of two neighbors, a before b, is not settled by their numbers; NULL: it is. Endings such as .png do not
 * count. "have no numbers", "have the same numbers", ... */
const char *sb_names_doubt(const char *a, const char *b);

#endif
