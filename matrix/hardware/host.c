#include "matrix/hardware/hardware.h"

#include "matrix/process/process.h"

#include "core/file.h"
#include "core/machine/facts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text after "KEY<blanks>:" of the first such line, without blanks around it; "" if there is none. */
static void read_value(const char *table, const char *key, char *value, size_t size)
{
    *value = 0;
    size_t length = strlen(key);
    for (const char *line = table; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) != 0) continue;
        const char *colon = line + length + strspn(line + length, " \t");
        if (*colon != ':') continue;
        colon += 1 + strspn(colon + 1, " \t");
        size_t end = strcspn(colon, "\n");
        while (end && (colon[end - 1] == ' ' || colon[end - 1] == '\t')) end--;
        snprintf(value, size, "%.*s", (int)end, colon);
        return;
    }
}

static void read_cpu(sb_host *host, const char *proc)
{
    char path[SB_PATH_MAX], flags[sizeof host->flags - 2], implementer[32], part[32], *table;
    snprintf(path, sizeof path, "%s/cpuinfo", proc);
    if (sb_file_read(path, &table, NULL) != SB_OK) return;
    read_value(table, "model name", host->cpu, sizeof host->cpu);
    read_value(table, "CPU implementer", implementer, sizeof implementer);
    read_value(table, "CPU part", part, sizeof part);
    if (*part) snprintf(host->cpu, sizeof host->cpu, SB_FACTS_CPU_OF_ARM, implementer, part);
    read_value(table, *part ? "Features" : "flags", flags, sizeof flags);
    snprintf(host->flags, sizeof host->flags, " %s ", flags);
    free(table);
}

/* The NVIDIA driver lists each card in gpus/ADDRESS/information and itself in version. */
static void read_gpus(sb_host *host, const char *proc)
{
    char path[SB_PATH_MAX], *table;
    snprintf(path, sizeof path, "%s/driver/nvidia/gpus", proc);
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char file[2 * SB_PATH_MAX];
        snprintf(file, sizeof file, "%s/%s/information", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && host->n_gpus < SB_HOST_GPUS && sb_file_read(file, &table, NULL) == SB_OK) {
            char *name = host->gpu[host->n_gpus];
            read_value(table, "Model", name, sizeof host->gpu[0]);
            host->n_gpus += *name != 0;
            free(table);
        }
        free(entries[i]);
    }
    if (n >= 0) free(entries);
    snprintf(path, sizeof path, "%s/driver/nvidia/version", proc);
    if (sb_file_read(path, &table, NULL) != SB_OK) return;
    /* "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat ...": the first word that begins with a digit */
    for (char *rest = table, *word; !host->driver && (word = strtok_r(rest, " \t\n", &rest));)
        if (*word >= '1' && *word <= '9') host->driver = strtol(word, NULL, 10);
    free(table);
}

void sb_host_read(sb_host *host, const char *proc)
{
    *host = (sb_host){0};
    read_cpu(host, proc);
    read_gpus(host, proc);
}

void sb_host_add_gpus(sb_host *host, char *lines)
{
    for (char *rest = lines, *line; (line = strtok_r(rest, "\n", &rest)) && host->n_gpus < SB_HOST_GPUS;) {
        char *comma = strrchr(line, ',');
        if (!comma) continue;
        snprintf(host->gpu[host->n_gpus++], sizeof host->gpu[0], "%.*s", (int)(comma - line), line);
        host->driver = strtol(comma + 1, NULL, 10);
    }
}

/* The value after "NAME<blanks>" among the facts of 'samebits info'. */
static void read_fact(const char *facts, const char *name, char value[64])
{
    char start[64];
    snprintf(start, sizeof start, "\n  %s ", name);
    const char *line = strstr(facts, start);
    *value = 0;
    if (!line) return;
    line += strlen(start);
    line += strspn(line, " ");
    snprintf(value, 64, "%.*s", (int)strcspn(line, "\n"), line);
}

/* Does the kernel type that OPENBLAS_CORETYPE names differ from this CPU's own? It does if the trainer cannot tell. */
static bool is_foreign_type(void)
{
    char *facts, kernel[64], own[64];
    sb_argv argv = {0};
    sb_process_add_program(&argv, "samebits");
    sb_argv_add(&argv, "info");
    if (sb_process_ask(&facts, &argv) != SB_OK) return true;
    read_fact(facts, "openblas_kernel", kernel);
    read_fact(facts, "openblas_kernel_own", own);
    free(facts);
    return !*own || strcmp(kernel, own) != 0;
}

/* What sb_hardware_evidence_of_run looks for in a run. The type comes last: a cell may name one, but no cell excuses the others. */
static void read_environment(sb_host *host)
{
    int i = 0;
    while (sb_host_variables[i]) i++;
    while (i-- > 0 && !*host->foreign)
        if (getenv(sb_host_variables[i]) && (i > 0 || is_foreign_type()))
            snprintf(host->foreign, sizeof host->foreign, "%s", sb_host_variables[i]);
}

const char *const sb_host_variables[] = {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_BLOCK_FACTOR", NULL};

void sb_host_here(sb_host *host)
{
    char *lines;
    sb_host_read(host, "/proc");
    read_environment(host);
    if (host->n_gpus) return;
    if (sb_process_ask_words(&lines, "nvidia-smi --query-gpu=name,driver_version --format=csv,noheader", NULL) == SB_OK)
        sb_host_add_gpus(host, lines);
    free(lines);
}

bool sb_host_has_flag(const sb_host *host, const char *flag)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", flag);
    return strstr(host->flags, word) != NULL;
}
