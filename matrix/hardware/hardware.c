#include "matrix/hardware/hardware.h"

#include "core/command/options.h"
#include "io/yaml/place.h"
#include "matrix/process/process.h"

#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool matches(const char *expression, const char *text)
{
    regex_t regex;
    if (regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB) != 0) return false;
    bool found = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

/* -- requirements -- */

typedef struct requirement {
    const char *what; /* "sm" */
    long least, most;
} requirement;

static bool parse_requirement(const char *text, requirement *parsed)
{
    static const char *const counted[] = {"sm", "driver"};
    *parsed = (requirement){"gpu", 1, LONG_MAX};
    if (strcmp(text, "gpu") == 0) return true;
    for (int i = 0; i < 2; i++) {
        const char *relation = text + strlen(counted[i]);
        if (strncmp(text, counted[i], strlen(counted[i])) != 0) continue;
        parsed->what = counted[i];
        if (strncmp(relation, ">=", 2) == 0) return sb_parse_int(relation + 2, 1, 1e6, &parsed->least);
        if (strncmp(relation, "<=", 2) == 0) return sb_parse_int(relation + 2, 1, 1e6, &parsed->most);
    }
    return false;
}

bool sb_hardware_is_requirement(const char *text)
{
    requirement parsed;
    return parse_requirement(text, &parsed);
}

static bool meets(const sb_hardware_table *table, const char *text, char why[SB_WHY])
{
    requirement wanted;
    if (!parse_requirement(text, &wanted)) {
        snprintf(why, SB_WHY, "requirement '%s' is unknown", text);
        return false;
    }
    long here = strcmp(wanted.what, "gpu") == 0  ? table->host.n_gpus
                : strcmp(wanted.what, "sm") == 0 ? table->sm
                                                 : table->host.driver;
    if (here >= wanted.least && here <= wanted.most) return true;
    if (here)
        snprintf(why, SB_WHY, "needs %s, here is %ld", text, here);
    else
        snprintf(why, SB_WHY, "needs %s, here is none", text);
    return false;
}

static bool meets_all(const sb_hardware_table *table, const sb_value_list *require, char why[SB_WHY])
{
    for (uint32_t i = 0; i < require->n; i++)
        if (!meets(table, require->item[i], why)) return false;
    return true;
}

/* -- the table -- */

static bool has_gpu(const sb_hardware *row, const sb_host *host)
{
    for (int i = 0; i < host->n_gpus; i++)
        if (matches(row->gpu, host->gpu[i])) return true;
    return false;
}

static sb_status check_expression(const char *path, const char *place, const char *key, const char *expression)
{
    if (!expression) return SB_OK;
    char where[96];
    snprintf(where, sizeof where, "%s/%s", place, key);
    regex_t regex;
    int error = regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB);
    if (error) {
        char reason[128];
        regerror(error, &regex, reason, sizeof reason);
        return sb_place_fail(path, where, "%s is no regular expression: %s", key, reason);
    }
    regfree(&regex);
    return SB_OK;
}

static sb_status check_row(const char *path, const sb_hardware_file *file, uint32_t index)
{
    const sb_hardware *row = &file->hardware[index];
    char place[64], where[96], wanted[160];
    snprintf(place, sizeof place, "hardware/%u", index);
    if (!sb_setting_check(SB_SETTING_HARDWARE, row->name, wanted))
        return sb_place_fail(path, place, "name wants %s, not '%s'", wanted, row->name);
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(file->hardware[i].name, row->name) == 0)
            return sb_place_fail(path, place, "hardware '%s' is here twice", row->name);
    SB_TRY(check_expression(path, place, "cpu", row->cpu));
    SB_TRY(check_expression(path, place, "gpu", row->gpu));
    for (uint32_t i = 0; i < row->require.n; i++) {
        snprintf(where, sizeof where, "%s/require/%u", place, i);
        if (!sb_hardware_is_requirement(row->require.item[i]))
            return sb_place_fail(path, where, "require wants gpu, sm>=N, sm<=N, driver>=N or driver<=N, not '%s'",
                                 row->require.item[i]);
    }
    return SB_OK;
}

sb_status sb_hardware_load(sb_hardware_table *table, const char *path, const sb_host *host)
{
    *table = (sb_hardware_table){.host = *host};
    SB_TRY(sb_schema_load_hardware(path, &table->file));
    for (uint32_t i = 0; i < table->file->n; i++) SB_TRY(check_row(path, table->file, i));
    table->here = calloc(table->file->n, sizeof *table->here);
    if (!table->here) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    for (uint32_t i = 0; i < table->file->n; i++) {
        const sb_hardware *row = &table->file->hardware[i];
        table->here[i] = row->gpu ? has_gpu(row, host) : !row->cpu || matches(row->cpu, host->cpu);
        if (row->gpu && table->here[i] && row->sm > table->sm) table->sm = (long)row->sm;
    }
    return SB_OK;
}

void sb_hardware_free(sb_hardware_table *table)
{
    sb_schema_free_hardware(table->file);
    free(table->here);
    *table = (sb_hardware_table){0};
}

const sb_hardware *sb_hardware_find(const sb_hardware_table *table, const char *name)
{
    for (uint32_t i = 0; i < table->file->n; i++)
        if (strcmp(table->file->hardware[i].name, name) == 0) return &table->file->hardware[i];
    return NULL;
}

/* -- evidence -- */

/* The instruction set an OpenBLAS kernel type cannot do without; asimd is what every AArch64 has and no other CPU. Types
 * not listed run on any CPU of their architecture. */
static const char *flag_of_kernel(const char *kernel)
{
    static const struct {
        const char *kernel, *flag;
    } needs[] = {
        {"Haswell", "avx2"},           {"Zen", "avx2"},        {"Excavator", "avx2"},   {"SkylakeX", "avx512bw"},
        {"Sandybridge", "avx"},        {"Bulldozer", "fma4"},  {"Piledriver", "fma4"},  {"Steamroller", "fma4"},
        {"Cooperlake", "avx512_bf16"}, {"ARMV8", "asimd"},     {"NeoverseN1", "asimd"}, {"NeoverseV1", "sve"},
        {"NeoverseN2", "sve"},         {"CortexA53", "asimd"}, {"CortexA55", "asimd"},  {"CortexA57", "asimd"},
        {"CortexA72", "asimd"},        {"CortexA73", "asimd"}, {"ThunderX", "asimd"},   {"Falkor", "asimd"},
        {"ThunderX2T99", "asimd"},     {"TSV110", "asimd"},    {"EMAG8180", "asimd"},   {"ThunderX3T110", "asimd"}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (strcasecmp(needs[i].kernel, kernel) == 0) return needs[i].flag;
    return NULL;
}

/* The instruction set that this CPU lacks for the cell's kernel type; NULL: none. */
static const char *lacks_flag(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS])
{
    const char *kernel = value[SB_SETTING_BLAS_KERNEL];
    const char *flag = strcmp(value[SB_SETTING_BACKEND], "openblas") == 0 && kernel ? flag_of_kernel(kernel) : NULL;
    return flag && !sb_host_has_flag(&table->host, flag) ? flag : NULL;
}

const char *sb_hardware_emulator(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS])
{
    return lacks_flag(table, value) ? sb_hardware_find(table, value[SB_SETTING_HARDWARE])->emulator : NULL;
}

static bool can_emulate(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS], char why[SB_WHY])
{
    if (strcmp(value[SB_SETTING_BACKEND], "openblas") != 0) return true;
    const char *kernel = value[SB_SETTING_BLAS_KERNEL];
    if (!kernel || !value[SB_SETTING_THREADS]) {
        snprintf(why, SB_WHY, "needs a %s: without blas_kernel and threads it cannot be emulated",
                 value[SB_SETTING_HARDWARE]);
        return false;
    }
    const char *flag = lacks_flag(table, value), *emulator = sb_hardware_emulator(table, value);
    char name[SB_PATH_MAX];
    const char *absent = emulator ? sb_process_absent(emulator, name) : NULL;
    if (!flag || (emulator && !absent)) return true;
    snprintf(why, SB_WHY, "needs a CPU with %s for the OpenBLAS kernel %s%s%.64s", flag, kernel,
             emulator ? ", or to emulate it " : "", emulator ? absent : "");
    return false;
}

long sb_hardware_sm(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS])
{
    if (!sb_backend_is_gpu(value[SB_SETTING_BACKEND])) return 0;
    const sb_hardware *row = sb_hardware_find(table, value[SB_SETTING_HARDWARE]);
    long sm = row->sm ? (long)row->sm : table->sm;
    return sm ? sm : LONG_MAX; /* a card that no row knows is a new one */
}

const sb_stack *sb_hardware_stack(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS],
                                  char why[SB_WHY])
{
    const bool chooses = strcmp(value[SB_SETTING_BACKEND], "cudnn") == 0;
    const long sm = sb_hardware_sm(table, value);
    return sb_image_stack_of(sm, chooses ? value[SB_SETTING_CUDNN_VERSION] : NULL, why, SB_WHY);
}

/* Is there a cuDNN of the version that the cell names for its card, and for the driver that is here? */
static bool has_cudnn(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS], char why[SB_WHY])
{
    const sb_stack *stack = sb_hardware_stack(table, value, why);
    if (!stack) return false;
    const char *version = value[SB_SETTING_CUDNN_VERSION];
    if (!version || !table->host.driver || table->host.driver >= stack->driver) return true;
    snprintf(why, SB_WHY, "cuDNN %s (stack %s) needs driver>=%ld, here is %ld", version, stack->name, stack->driver,
             table->host.driver);
    return false;
}

static bool has_launcher(const char *const value[SB_N_SETTINGS], char why[SB_WHY])
{
    char name[SB_PATH_MAX];
    const char *absent = sb_launcher_absent(value, name);
    if (!absent) return true;
    snprintf(why, SB_WHY, "needs %.64s for %s ranks", absent, value[SB_SETTING_RANKS]);
    return false;
}

/* Which CPU computes is all the same: the rules are a GPU's. */
static bool imitates(const char *const value[SB_N_SETTINGS])
{
    return strcmp(value[SB_SETTING_BACKEND], "native") == 0 && value[SB_SETTING_ARITHMETIC] &&
           sb_arithmetic_imitated(value[SB_SETTING_ARITHMETIC]);
}

bool sb_hardware_is_foreign(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS])
{
    if (!value[SB_SETTING_BACKEND]) return false; /* another program's */
    const bool names_type = value[SB_SETTING_BLAS_KERNEL] != NULL;
    const bool is_type = strcmp(table->host.foreign, sb_host_variables[0]) == 0;
    return strcmp(value[SB_SETTING_BACKEND], "openblas") == 0 && *table->host.foreign && !(is_type && names_type);
}

sb_evidence sb_hardware_evidence(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS],
                                 const sb_value_list *require, char why[SB_WHY])
{
    static char gpu[] = "gpu";
    char *gpu_item[] = {gpu};
    const sb_value_list needs_gpu = {gpu_item, 1};
    const sb_hardware *row = sb_hardware_find(table, value[SB_SETTING_HARDWARE]);
    *why = 0;
    if (!has_cudnn(table, value, why)) return SB_EVIDENCE_ABSENT;
    if (!meets_all(table, require, why) || !meets_all(table, &row->require, why)) return SB_EVIDENCE_ABSENT;
    if (sb_backend_is_gpu(value[SB_SETTING_BACKEND]) && !meets_all(table, &needs_gpu, why)) return SB_EVIDENCE_ABSENT;
    if (!has_launcher(value, why)) return SB_EVIDENCE_ABSENT;
    if (imitates(value)) return SB_EVIDENCE_IMITATED;
    if (table->here[row - table->file->hardware])
        return sb_hardware_is_foreign(table, value) ? SB_EVIDENCE_EMULATED : SB_EVIDENCE_MEASURED;
    if (row->gpu) {
        snprintf(why, SB_WHY, "needs a GPU like '%s'", row->gpu);
        return SB_EVIDENCE_ABSENT;
    }
    return can_emulate(table, value, why) ? SB_EVIDENCE_EMULATED : SB_EVIDENCE_ABSENT;
}

sb_evidence sb_hardware_evidence_of_command(const sb_hardware_table *table, const char *const value[SB_N_SETTINGS],
                                            const sb_value_list *require, char why[SB_WHY])
{
    const sb_hardware *row = value[SB_SETTING_HARDWARE] ? sb_hardware_find(table, value[SB_SETTING_HARDWARE]) : NULL;
    *why = 0;
    if (!meets_all(table, require, why) || (row && !meets_all(table, &row->require, why))) return SB_EVIDENCE_ABSENT;
    if (!row || table->here[row - table->file->hardware]) return SB_EVIDENCE_MEASURED;
    snprintf(why, SB_WHY, "needs a %s like '%s'", row->gpu ? "GPU" : "CPU", row->gpu ? row->gpu : row->cpu);
    return SB_EVIDENCE_ABSENT;
}

sb_evidence sb_hardware_evidence_of_run(const sb_hardware *row, const char *arithmetic, const char *cpu,
                                        const char *gpu, bool is_foreign)
{
    if (sb_arithmetic_imitated(arithmetic)) return SB_EVIDENCE_IMITATED;
    if (is_foreign) return SB_EVIDENCE_EMULATED;
    bool measured = row->gpu ? matches(row->gpu, gpu) : !row->cpu || matches(row->cpu, cpu);
    return measured ? SB_EVIDENCE_MEASURED : SB_EVIDENCE_EMULATED;
}
