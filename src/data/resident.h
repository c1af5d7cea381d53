/* The images of a loader on a device, as bytes, so a batch sends nothing there but what is drawn for each
 * image, 32 bytes or so: the device crops, flips and normalises (ops->image_load), with the bits of data/augment.h.
 *
 *     if (sb_resident_can(loader, ops)) SB_TRY(sb_resident_open(&resident, loader, ops));
 *     window.store = sb_resident_store(resident);
 *     sb_resident_close(resident);
 */
#ifndef SB_DATA_RESIDENT_H
#define SB_DATA_RESIDENT_H

#include "data/loader.h"

typedef struct sb_resident sb_resident;

/* Is there a device, and are these images that it can make batches of? Noise is not drawn there, and video is not
 * loaded so. */
bool sb_resident_can(const sb_loader *loader, const sb_ops *ops);

/* SB_E_MEMORY: the device has too little memory; then nothing stays open. The operations outlive it. */
sb_status sb_resident_open(sb_resident **resident, const sb_loader *loader, sb_ops *ops);
void sb_resident_close(sb_resident *resident); /* NULL is fine */

const sb_image_store *sb_resident_store(const sb_resident *resident);

#endif
