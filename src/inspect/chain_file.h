/* A finished run without its weights, as a file of its own kind: settings, environment, losses and links of the hash
 * chain, all that replay and diff read, in about a hundredth of the bytes. So the runs of a published number can be
 * published with it, and anyone with the data set can train them again and compare every link.
 *
 *     SB_TRY(sb_chain_file_write("run.h5", "chain.h5", 10));
 *
 * It has a run file's layout (io/run/runfile.h) without /param, the optimizer's states, /state, /prediction and
 * /sketch. Attribute run_digest of /meta: the digest of the run file. /head's hashes are those of the run's tensors,
 * which were compared with them when it was written; its digest is that of this file.
 */
#ifndef SB_INSPECT_CHAIN_FILE_H
#define SB_INSPECT_CHAIN_FILE_H

#include "core/status.h"

/* Every link of an update that `every` divides, and the last one. SB_E_EMPTY: the run is not finished. SB_E_INTEGRITY:
 * it does not hold. SB_E_USAGE: both paths are one file, whose weights would be lost. */
sb_status sb_chain_file_write(const char *run_path, const char *path, long every);

#endif
