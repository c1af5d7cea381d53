/* The file of a recording: HDF5 after a seal of kind `recording`, written and read whole.
 *
 *   /meta      attributes: schema (2), program (`external`), framework, recorder, hash, written, weights_kept (0), records
 *              (of the journal, that are in the file), incomplete (why, where the training did not reach its end)
 *   /config    attributes, all text: what the caller set
 *   /env       attributes: machine, environment, versions
 *   /train     update [n], seconds [n], a column [n] for each value: a row for each link but that of update 0
 *   /chain     update [k], absent [k] (bit p: part p was not given), batch, gradient, optimiser, weights, state, generator
 *              [k][16]: the hash of the hashes of the part's tensors in order
 *   /tensor/PART  names, update [q], hash [q][m][16]: of each tensor; 16 zero bytes where a link has fewer of them
 *   /batch     canonical, samples [q][m][16]: other hashes of the tensors of /tensor/batch
 *   /settings  update [s], text: what the optimizer was set to, each time that changed
 *   /found     update [f], kind, operation, site, tensor, module, text: a row for each finding
 *   /events    attributes 000, 001, ...
 *   /head      update, digest;  /final (complete): update, weights, digest
 *
 * A list of texts is a data set of bytes, each text with a NUL after it (h5_texts.h). */
#ifndef SB_RECORD_EXTERNAL_FILE_H
#define SB_RECORD_EXTERNAL_FILE_H

#include "core/status.h"
#include "record/external.h"

/* Written as PATH.part, sealed and renamed. */
sb_status sb_external_write(const sb_external *e, const char *path);

/* Read and check a recording: seal, form, digests, and that its parts fit. SB_E_INTEGRITY otherwise. With `own` the seal
 * alone proves the form: for a file of this very library, by a process that must not fork. A failed call leaves nothing
 * to free. */
sb_status sb_external_read(sb_external *e, const char *path, bool own);

/* The same with what its journal has in addition. */
sb_status sb_external_read_all(sb_external *e, const char *path);

/* Is that a recording, by its seal? Nothing is checked. */
bool sb_external_is(const char *path);

#endif
