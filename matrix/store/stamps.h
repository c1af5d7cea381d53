/* The stamps of all runs below a folder of results in one file, so that a look at ten thousand cells opens one file and
 * not ten thousand: what opening a file costs is what a file system that many machines share is slow at.
 *
 *     RESULTS/runs/stamps.ok    the lines of the stamps (stamp.h), in the order of their record hashes
 *
 * A line counts for exactly as much as the stamp next to its run: its own digest must hold, and size, times and inode
 * must be the file's. Like a stamp the list may be lost at any time, or lack some: they are read one by one then, and
 * are in it afterwards. It is written whole and renamed. Of two programs that write it at a time one wins; what the
 * other had found is found again.
 *
 *     sb_stamps *stamps = sb_stamps_open("results");
 *     const sb_stamp *stamp = sb_stamps_find(stamps, cell->hash);
 *     sb_stamps_close(stamps);
 */
#pragma once

#include "matrix/store/stamp.h"

typedef struct sb_stamps sb_stamps;

/* Read the list of that folder; without one, or a part of it, it begins without these. NULL: not enough memory; then it
 * is done without a list, and every function takes NULL for one. */
sb_stamps *sb_stamps_open(const char *results);

/* The stamp of that record's run; NULL: none. The list's own, until it changes. */
const sb_stamp *sb_stamps_find(const sb_stamps *stamps, const char *hash);

/* Put it in, in place of another of its record. */
void sb_stamps_keep(sb_stamps *stamps, const sb_stamp *stamp);

/* Take out what was found to be wrong, at once also of the file: a program that is killed must not leave it. */
void sb_stamps_drop(sb_stamps *stamps, const char *hash);

/* Write the list if it has changed, where that can be done, and free it. Says nothing: sb_message stays what it was. */
void sb_stamps_close(sb_stamps *stamps);
