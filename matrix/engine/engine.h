/* How a cell becomes a process: on this machine as it is, or in a container of a locked image.
 *
 *     sb_engine *engine;
 *     SB_TRY(sb_engine_open(&engine, "demo.yaml", "auto", NULL, plan.item, plan.n, stderr));
 *     SB_TRY(sb_engine_train_argv(&argv, engine, cell, data, &store));
 *     sb_engine_close(engine);
 */
#pragma once

#include "matrix/cells/cells.h"
#include "matrix/process/process.h"
#include "matrix/store/store.h"

#include "core/status.h"

#include <stdio.h>

#define SB_ENGINE_NAMES "auto|none|podman|docker|apptainer"

typedef struct sb_engine sb_engine;

/* Choose how these n cells are run. `auto` is the first of podman, docker and apptainer that has the locked images that
 * the cells want and can start one, else `none`; where there is no lock it is `none`. lock names the lock file; NULL:
 * containers/matrix.lock if that is there. What was chosen, and why, is said on talk in one line. The caller closes.
 * Commands run in the image that their study names, or in none. matrix: the path of the matrix file, which outlives the
 * engine. SB_E_MISSING: the engine, its image or the lock file is not here; SB_E_INTEGRITY: a damaged lock, or another image
 * than the locked one. */
sb_status sb_engine_open(sb_engine **engine, const char *matrix, const char *name, const char *lock,
                         const sb_cell *const *cells, size_t n, FILE *talk);
void sb_engine_close(sb_engine *engine); /* NULL is fine */

/* Is the data set the locked one? SB_OK also where none is locked. Reads all of it. */
sb_status sb_engine_check_data(const sb_engine *engine, const char *path);

/* The whole command line that trains a cell on a data file, in the engine's own way. The caller frees argv, also after
 * a failure. SB_E_USAGE: a path that a container cannot be given. */
sb_status sb_engine_train_argv(sb_argv *argv, const sb_engine *engine, const sb_cell *cell, const char *data,
                               const sb_store *store);

/* The command that ends a cell's container at once, whose own process does not take it along; no arguments where the cell
 * is a process of ours. The caller frees argv, also after a failure. */
sb_status sb_engine_kill_argv(sb_argv *argv, const sb_engine *engine, const sb_cell *cell, const sb_store *store);

/* Was a cell's finished run made by the trainer that is locked? false, and a sentence in why, if its file names another
 * build id; true where none is locked. */
bool sb_engine_is_locked_run(const sb_engine *engine, const sb_cell *cell, const sb_store *store, char why[SB_WHY]);
