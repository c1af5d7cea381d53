/* A chain file: a finished run without its weights. It has settings, environment, losses and the entries of the hash
 * chain, which is all that replay and diff read, in about a hundredth of the bytes. So runs can be published with their
 * results, and anyone with the data set can train them again and compare every entry.
 *
 *     SB_TRY(sb_chain_file_write("run.h5", "chain.h5", 10));
 *
 * It has a run file's layout (io/run/runfile.h) without /param, the optimizer's states, /state, /prediction and
 * /sketch. Attribute run_digest of /meta is the digest of the run file. The hashes of /head were compared with the
 * run's tensors when the chain file was written; the digest of /head is of the chain file itself.
 */
#ifndef SB_INSPECT_CHAIN_FILE_H
#define SB_INSPECT_CHAIN_FILE_H

#include "core/status.h"

/* Write the entries of all updates that are a multiple of `every`, and the last one. SB_E_EMPTY: the run is not
 * finished. SB_E_INTEGRITY: the run file is damaged. SB_E_USAGE: both paths are the same file, whose weights would be
 * lost. */
sb_status sb_chain_file_write(const char *run_path, const char *path, long every);

#endif
