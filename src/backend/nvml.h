/* What the GPU driver's management library knows of a device: libnvidia-ml.so.1, or what SAMEBITS_NVML names, opened at
 * run time. */
#ifndef SB_BACKEND_NVML_H
#define SB_BACKEND_NVML_H

#include "core/machine/facts.h"

/* Facts of the device on that PCI bus ("0000:01:00.0"): gpu_driver (the driver's own version), gpu_mig (whether it is
 * cut into instances), gpu_power_limit_w. What the library or the device does not tell is left out. */
void sb_nvml_facts(sb_facts *facts, const char *pci_bus);

#endif
