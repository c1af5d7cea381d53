/* How a cell becomes a process: on this machine as it is, or in a container of a locked image.
 *
 *     sb_engine *engine;
 *     SB_TRY(sb_engine_open(&engine, "auto", NULL, plan.item, plan.n, stderr));
 *     SB_TRY(sb_engine_train_words(&words, engine, cell, data, &store));
 *     sb_engine_close(engine);
 */
#ifndef SB_MATRIX_ENGINE_H
#define SB_MATRIX_ENGINE_H

#include "cells.h"
#include "store.h"
#include "words.h"

#include "core/status.h"

#include <stdio.h>

#define SB_ENGINE_NAMES "auto|none"

typedef struct sb_engine sb_engine;

/* Choose how these cells are run, by name. lock is the lock file of the images, NULL: there is none. What was chosen is
 * said on talk, in one line, unless that is NULL. The caller closes. SB_E_USAGE: no such engine. */
sb_status sb_engine_open(sb_engine **engine, const char *name, const char *lock, const sb_cell *const *cells, size_t n,
                         FILE *talk);
void sb_engine_close(sb_engine *engine); /* NULL is fine */

const char *sb_engine_name(const sb_engine *engine);

/* The whole command line that trains a cell on a data file, in the engine's own way. The caller frees words, also after
 * a failure. */
sb_status sb_engine_train_words(sb_words *words, const sb_engine *engine, const sb_cell *cell, const char *data,
                                const sb_store *store);

#endif
