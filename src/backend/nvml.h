/* Facts of a device from the GPU driver's management library, libnvidia-ml.so.1 or the file named by SAMEBITS_NVML. It
 * is opened at run time. */
#pragma once

#include "core/machine/facts.h"

/* Add facts of the device on that PCI bus ("0000:01:00.0"): gpu_driver (the driver's version), gpu_mig (whether it is
 * divided into MIG instances), gpu_power_limit_w. Facts that the library or the device does not give are left out. */
void sb_nvml_facts(sb_facts *facts, const char *pci_bus);
