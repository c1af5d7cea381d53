/* The images of a loader in device memory, as bytes. A batch then sends only the random choices to the device, about 32
 * bytes for each image. The device crops, flips and normalizes (ops->image_load), with the bits of data/augment.h.
 *
 *     if (sb_resident_can(loader, ops)) SB_TRY(sb_resident_open(&resident, loader, ops));
 *     window.store = sb_resident_store(resident);
 *     sb_resident_close(resident);
 */
#pragma once

#include "data/loader.h"

typedef struct sb_resident sb_resident;

/* Is the backend on a device that can make these batches? False for video and for augmentation with noise. */
bool sb_resident_can(const sb_loader *loader, const sb_ops *ops);

/* SB_E_MEMORY: the device has too little memory; then nothing stays open. ops must outlive it. */
sb_status sb_resident_open(sb_resident **resident, const sb_loader *loader, sb_ops *ops);
void sb_resident_close(sb_resident *resident); /* NULL does nothing */

const sb_image_store *sb_resident_store(const sb_resident *resident);
