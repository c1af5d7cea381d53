/* The few functions of NVML that are used, declared here so that no header of it is needed at build time. */
#include "backend/nvml.h"

#include "ops/library/library.h"

#include <stddef.h>

typedef void *device;
enum { SUCCESS = 0 };

typedef struct nvml {
    void *library;
    int (*start)(void);
    int (*shutdown)(void);
    int (*driver)(char *version, unsigned size);
    int (*find)(const char *pci_bus, device *found);
    int (*mig)(device, unsigned *current, unsigned *pending);
    int (*power_limit)(device, unsigned *milliwatts);
} nvml;

static sb_status load(nvml *n)
{
    static const char *const names[] = {"libnvidia-ml.so.1", NULL};
#define AT(member) (void (**)(void)) & n->member
    const sb_symbol symbols[] = {{"nvmlInit_v2", AT(start)},
                                 {"nvmlShutdown", AT(shutdown)},
                                 {"nvmlSystemGetDriverVersion", AT(driver)},
                                 {"nvmlDeviceGetHandleByPciBusId_v2", AT(find)},
                                 {"nvmlDeviceGetMigMode", AT(mig)},
                                 {"nvmlDeviceGetEnforcedPowerLimit", AT(power_limit)},
                                 {0}};
#undef AT
    return sb_library_open(&n->library, "NVML", "SAMEBITS_NVML", names, symbols, NULL, NULL);
}

static void add_facts(const nvml *n, sb_facts *facts, const char *pci_bus)
{
    char version[96];
    device at;
    unsigned now, later, milliwatts;
    if (n->driver(version, sizeof version) == SUCCESS) sb_facts_add(facts, "gpu_driver", "%s", version);
    if (n->find(pci_bus, &at) != SUCCESS) return;
    if (n->mig(at, &now, &later) == SUCCESS) sb_facts_add(facts, "gpu_mig", "%s", now ? "on" : "off");
    if (n->power_limit(at, &milliwatts) == SUCCESS)
        sb_facts_add(facts, "gpu_power_limit_w", "%u", (milliwatts + 500) / 1000);
}

void sb_nvml_facts(sb_facts *facts, const char *pci_bus)
{
    nvml n = {0};
    if (load(&n) != SB_OK) return;
    if (n.start() == SUCCESS) {
        add_facts(&n, facts, pci_bus);
        n.shutdown();
    }
    sb_library_close(n.library);
}
