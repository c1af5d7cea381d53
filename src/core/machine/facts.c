#include "core/machine/facts.h"

#include "build_facts.h"
#include "core/machine/home.h"
#include "core/machine/self.h"
#include "core/machine/version.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

void sb_facts_add(sb_facts *facts, const char *name, const char *format, ...)
{
    if (facts->n == SB_FACTS_MAX) return;
    sb_fact *fact = &facts->fact[facts->n++];
    snprintf(fact->name, sizeof fact->name, "%s", name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fact->value, sizeof fact->value, format, arguments);
    va_end(arguments);
    sb_home_hide(fact->value);
}

const char *sb_facts_find(const sb_facts *facts, const char *name)
{
    for (int i = 0; i < facts->n; i++)
        if (strcmp(facts->fact[i].name, name) == 0) return facts->fact[i].value;
    return NULL;
}

/* The value after "KEY<separator>" on the first line of a file that starts with key, without surrounding space and
 * quotes; key "" takes the first line. False if there is none. */
static bool line_of(const char *path, const char *key, char separator, char *value, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file) return false;
    char line[1024];
    bool found = false;
    while (!found && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) != 0) continue;
        char *start = separator ? strchr(line, separator) : line;
        if (!start) continue;
        if (separator) start++;
        start += strspn(start, " \t\"");
        size_t length = strcspn(start, "\"\n");
        snprintf(value, size, "%.*s", (int)length, start);
        found = true;
    }
    fclose(file);
    return found;
}

static void add_line(sb_facts *facts, const char *name, const char *path, const char *key, char separator)
{
    char value[512];
    if (line_of(path, key, separator, value, sizeof value)) sb_facts_add(facts, name, "%s", value);
}

static void add_caches(sb_facts *facts)
{
    for (int i = 0; i < 5; i++) {
        char path[128], level[16], type[32], size[32], name[40];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", i);
        if (!line_of(path, "", 0, level, sizeof level)) return;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", i);
        if (!line_of(path, "", 0, type, sizeof type)) return;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        if (!line_of(path, "", 0, size, sizeof size)) return;
        snprintf(name, sizeof name, "cache_l%s%s", level, *type == 'D' ? "d" : *type == 'I' ? "i" : "");
        sb_facts_add(facts, name, "%s", size);
    }
}

static void add_instruction_sets(sb_facts *facts)
{
    static const char *const wanted[] = {"sse2",        "avx",      "avx2",  "fma", "avx512f", "avx512bw",
                                         "avx512_bf16", "amx_tile", "asimd", "sve", "sve2",    "i8mm"};
    char flags[4096], words[256] = "";
    if (!line_of("/proc/cpuinfo", "flags", ':', flags, sizeof flags) &&
        !line_of("/proc/cpuinfo", "Features", ':', flags, sizeof flags))
        return;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char *at = strstr(flags, wanted[i]);
        size_t length = strlen(wanted[i]);
        while (at && (isalnum((unsigned char)at[length]) || at[length] == '_')) at = strstr(at + length, wanted[i]);
        if (at) strcat(strcat(words, *words ? " " : ""), wanted[i]);
    }
    sb_facts_add(facts, "isa", "%s", words);
}

/* The kernel of Arm tells numbers in place of a name. Below an emulator the files describe the machine that it runs
 * on, whose CPU is another. */
static void add_cpu(sb_facts *facts)
{
    static const char file[] = "/proc/cpuinfo";
    char emulator[64], implementer[32], part[32];
    if (sb_self_is_emulated(emulator, sizeof emulator)) {
        sb_facts_add(facts, "cpu", "emulated by %s", emulator);
        return;
    }
    add_line(facts, "cpu", file, "model name", ':');
    if (line_of(file, "CPU implementer", ':', implementer, sizeof implementer) &&
        line_of(file, "CPU part", ':', part, sizeof part))
        sb_facts_add(facts, "cpu", SB_FACTS_CPU_OF_ARM, implementer, part);
    add_line(facts, "cpu_family", file, "cpu family", ':');
    add_line(facts, "cpu_model", file, "model\t", ':');
    add_instruction_sets(facts);
    add_caches(facts);
}

void sb_facts_machine(sb_facts *facts)
{
    struct utsname system;
    uname(&system);
    add_cpu(facts);
    sb_facts_add(facts, "cpus", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    sb_facts_add(facts, "memory_mib", "%ld", sysconf(_SC_PHYS_PAGES) / 1024 * (sysconf(_SC_PAGESIZE) / 1024));
    add_line(facts, "os", "/etc/os-release", "PRETTY_NAME=", '=');
    sb_facts_add(facts, "kernel", "%s %s", system.sysname, system.release);
    sb_facts_add(facts, "architecture", "%s", system.machine);
    const char *image = getenv("SAMEBITS_IMAGE");
    if (image) sb_facts_add(facts, "container", "%s", image);
}

void sb_facts_build(sb_facts *facts)
{
    sb_facts_add(facts, "version", "%s", SB_VERSION);
    sb_facts_add(facts, "revision", "%s", SB_REVISION);
#if defined(__clang__)
    sb_facts_add(facts, "compiler", "clang %s", __clang_version__);
#else
    sb_facts_add(facts, "compiler", "gcc %s", __VERSION__);
#endif
    sb_facts_add(facts, "flags", "%s", SB_FLAGS);
#ifdef SB_CUDA_COMPILER
    sb_facts_add(facts, "cuda_compiler", "%s", SB_CUDA_COMPILER);
    sb_facts_add(facts, "cuda_architectures", "%s", SB_CUDA_ARCHITECTURES);
    sb_facts_add(facts, "cuda_flags", "%s", SB_CUDA_FLAGS);
#endif
}

const char *sb_version(void)
{
    return SB_VERSION;
}

const char *sb_revision(void)
{
    return SB_REVISION;
}
