/* The frames that the catalog's videos have after conversion. Decoders of H.264 agree by its standard; decoders of
 * other formats, and scalers, need not, so that another build of libav could make other data of the same files.
 *
 *     SB_TRY(sb_known_frames_check("public.h5", sb_catalog()));
 *     -> public.h5: the frames of 05_fishes.wmv differ from the reference; made by ..., libavcodec 63.1.100, ...
 */
#ifndef SB_DATASETS_CONVERT_KNOWN_FRAMES_H
#define SB_DATASETS_CONVERT_KNOWN_FRAMES_H

#include "core/status.h"
#include "datasets/catalog/catalog.h"

/* Compare each video's frames in a data set with the hash that its row of the catalog states. SB_OK as well where nothing
 * can be compared: another converter, name or size. SB_E_INTEGRITY: the first video that differs, and the libraries. */
sb_status sb_known_frames_check(const char *path, const sb_catalog_entry *catalog);

#endif
