/* What computed a run whose sums a library orders, as a text of words: its name, its version, then its kernel type or the
 * device. Bits of two such runs are comparable where all of it is equal; nothing promises that they are equal then.
 *
 *     OpenBLAS 0.3.21 Haswell
 *     cuDNN 9.1.0 NVIDIA H100 80GB HBM3
 */
#pragma once

#include "core/status.h"
#include "io/h5/h5.h"

enum { SB_LIBRARY_TEXT = 256 };

/* Of an open run file or chain, by its /config and /env; "": its backend has a written order, or the file does not say. */
void sb_library_of_run(sb_h5 *run, char text[SB_LIBRARY_TEXT]);

/* Of OpenBLAS in the sealed files of a reference that was collected by a program whose cells.csv does not say: the version
 * from the first chain in REFERENCE/chains, the kernel type from the trace at that path. "": unknown. */
void sb_library_of_reference(const char *reference, const char *trace, char text[SB_LIBRARY_TEXT]);

/* Why runs of these two may have other bits, which nothing promised: "of another version: 0.3.26 here, 0.3.21 there". ""
 * where both are the same. */
void sb_library_reason(const char *here, const char *there, char reason[SB_LIBRARY_TEXT]);
