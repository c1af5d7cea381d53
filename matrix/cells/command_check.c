#include "matrix/cells/matrix_check.h"

#include "matrix/cells/command.h"
#include "matrix/schema/matrix_schema.h"

#include "core/command/nearest.h"
#include "core/file.h"
#include "core/text/text.h"
#include "io/yaml/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PLACE = 128 };

/* -- the output and what is read from it -- */

static sb_status check_output(const char *path, const char *place, const sb_study *study)
{
    int n = 0;
    for (sb_output_kind output = 0; output < SB_N_OUTPUTS; output++) n += sb_command_has(study, sb_output_name(output));
    if (n == 1) return SB_OK;
    return sb_place_fail(path, place, "the command wants one place for its output, {run}, {csv} or {jsonl}, and has %s",
                         n ? "several" : "none");
}

static bool is_higher(const sb_measure *measure)
{
    return measure->better && strcmp(measure->better, "higher") == 0;
}

/* A table has one column of a name, for all studies. */
static sb_status check_direction(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study,
                                 const sb_measure *m)
{
    for (const sb_study *other = matrix->studies; other < study; other++)
        for (uint32_t i = 0; i < other->n_metrics; i++)
            if (strcmp(other->metrics[i].name, m->name) == 0 && is_higher(&other->metrics[i]) != is_higher(m))
                return sb_place_fail(path, place,
                                     "study '%s' says the opposite of which '%s' is better; give one of them "
                                     "another name",
                                     other->name, m->name);
    return SB_OK;
}

static sb_status check_measure(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study,
                               uint32_t index)
{
    const sb_measure *m = &study->metrics[index];
    bool is_taken = sb_setting_find(m->name) < SB_N_SETTINGS || sb_custom_names_taken(m->name);
    for (uint32_t i = 0; i < matrix->n_custom; i++) is_taken = is_taken || strcmp(m->name, matrix->custom[i]) == 0;
    for (uint32_t i = 0; i < index; i++) is_taken = is_taken || strcmp(m->name, study->metrics[i].name) == 0;
    if (!sb_custom_names_plain(m->name))
        return sb_place_fail(path, place, "a metric's name wants small letters, digits and '_', not '%.40s'", m->name);
    if (is_taken)
        return sb_place_fail(path, place, "'%s' is the name of an axis, a setting, a column or another metric, too",
                             m->name);
    if (m->better && strcmp(m->better, "lower") != 0 && strcmp(m->better, "higher") != 0)
        return sb_place_fail(path, place, "better wants lower or higher, not '%s'", m->better);
    return check_direction(path, place, matrix, study, m);
}

static sb_status check_measures(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study)
{
    char where[PLACE];
    if (!study->n_metrics)
        return sb_place_fail(path, place, "study '%s' has a command and no metrics: name the columns of its output",
                             study->name);
    if (study->n_metrics > SB_MEASURES_MAX)
        return sb_place_fail(path, place, "more than %d metrics in study '%s'", SB_MEASURES_MAX, study->name);
    for (uint32_t i = 0; i < study->n_metrics; i++) {
        snprintf(where, sizeof where, "%s/metrics/%u", place, i);
        SB_TRY(check_measure(path, where, matrix, study, i));
    }
    return SB_OK;
}

/* -- values and places -- */

static bool is_set(const sb_matrix *matrix, const sb_study *study, unsigned id)
{
    bool set = study->axes[id].n || study->options.value[id] || matrix->defaults.value[id];
    for (uint32_t i = 0; i < study->n_zip; i++) set = set || study->zip[i].value[id];
    for (uint32_t i = 0; i < study->n_include; i++) set = set || study->include[i].value[id];
    return set || (id == SB_SETTING_SEED && study->seeds) || (id == SB_SETTING_ULP && study->replicates > 1);
}

/* A value that the command does not get: runs of other names would be the same. Hardware is where it runs. */
static sb_status check_used(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study)
{
    for (unsigned id = SB_SETTING_STUDY + 1; id < SB_N_SETTINGS + matrix->n_custom; id++) {
        const char *key = sb_schema_key(matrix, id);
        char where[PLACE];
        if (id == SB_SETTING_HARDWARE || !is_set(matrix, study, id) || sb_command_has(study, key)) continue;
        snprintf(where, sizeof where, "%s/%s%s", place, study->axes[id].n ? "axes/" : "",
                 study->axes[id].n       ? key
                 : id == SB_SETTING_SEED ? "seeds"
                                         : "command");
        return sb_place_fail(path, where, "'%s' has values, and the command no place {%s} for them", key, key);
    }
    return SB_OK;
}

static sb_status check_environment(const char *path, const char *place, const sb_study *study)
{
    for (uint32_t i = 0; i < study->environment.n; i++) {
        const char *text = study->environment.item[i];
        char where[PLACE];
        const size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        snprintf(where, sizeof where, "%s/environment/%u", place, i);
        if (!n || text[n] != '=' || (*text >= '0' && *text <= '9'))
            return sb_place_fail(path, where, "environment wants NAME=value, not '%.60s'", text);
    }
    return SB_OK;
}

sb_status sb_command_check(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study)
{
    char where[PLACE];
    snprintf(where, sizeof where, "%s/command", place);
    if (!study->command)
        return sb_place_fail(path, place,
                             "study '%s' has no command, and another of this file has one; write a file for "
                             "each kind",
                             study->name);
    if (!study->command[strspn(study->command, " \n\t")]) return sb_place_fail(path, where, "the command is empty");
    SB_TRY(check_output(path, where, study));
    SB_TRY(check_measures(path, place, matrix, study));
    SB_TRY(check_environment(path, place, study));
    return check_used(path, place, matrix, study);
}

/* The names that a place can have, in a cell of these values. */
static bool has_value(const sb_matrix *matrix, const char *const value[SB_N_VALUES], const char *name)
{
    if (strcmp(name, "folder") == 0 || strcmp(name, sb_settings_table[SB_SETTING_ULP].key) == 0) return true;
    for (sb_output_kind output = 0; output < SB_N_OUTPUTS; output++)
        if (strcmp(name, sb_output_name(output)) == 0) return true;
    for (unsigned id = SB_SETTING_STUDY + 1; id < SB_N_SETTINGS + matrix->n_custom; id++)
        if (value[id] && strcmp(name, sb_schema_key(matrix, id)) == 0) return true;
    return false;
}

static sb_status check_text(const char *path, const char *place, const sb_matrix *matrix, const char *text,
                            const char *const value[SB_N_VALUES])
{
    char name[SB_SLOT_NAME];
    for (const char *at = text; (at = sb_slot_find(at, name)); at++) {
        if (has_value(matrix, value, name)) continue;
        sb_nearest nearest = sb_nearest_begin(name);
        for (unsigned id = SB_SETTING_STUDY + 1; id < SB_N_SETTINGS + matrix->n_custom; id++)
            if (value[id]) sb_nearest_offer(&nearest, sb_schema_key(matrix, id));
        return sb_place_fail(path, place, "the place {%s} has no value: no axis, option or zip row sets '%s'%s%s%s",
                             name, name, nearest.name ? ", did you mean {" : "", nearest.name ? nearest.name : "",
                             nearest.name ? "}?" : "");
    }
    return SB_OK;
}

sb_status sb_command_check_values(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study,
                                  const char *const value[SB_N_VALUES])
{
    char where[PLACE];
    if (!value[SB_SETTING_SEED]) return sb_place_fail(path, place, "its cells have no seed: set seeds, and use {seed}");
    for (unsigned id = 0; id < SB_N_SETTINGS + matrix->n_custom; id++)
        if (value[id] && sb_text_plain_length(value[id], false) < strlen(value[id]))
            return sb_place_fail(path, place, "a value of '%s' holds a line end or another control character",
                                 sb_schema_key(matrix, id));
    snprintf(where, sizeof where, "studies/%ld/command", (long)(study - matrix->studies));
    SB_TRY(check_text(path, where, matrix, study->command, value));
    for (uint32_t i = 0; i < study->environment.n; i++) {
        snprintf(where, sizeof where, "studies/%ld/environment/%u", (long)(study - matrix->studies), i);
        SB_TRY(check_text(path, where, matrix, study->environment.item[i], value));
    }
    return SB_OK;
}

sb_status sb_command_digest_files(char (**digest)[SB_SHA256_TEXT], const char *path, const char *place,
                                  const sb_study *study)
{
    char where[PLACE], file[SB_PATH_MAX];
    *digest = calloc(study->files.n + 1, sizeof **digest);
    if (!*digest) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    for (uint32_t i = 0; i < study->files.n; i++) {
        struct stat about;
        snprintf(where, sizeof where, "%s/files/%u", place, i);
        sb_file_beside(path, study->files.item[i], file);
        if (stat(file, &about) != 0) return sb_place_fail(path, where, "%s: no such file", file);
        if (!S_ISREG(about.st_mode)) return sb_place_fail(path, where, "%s: no file; name each file in it", file);
        SB_TRY(sb_sha256_file(file, (*digest)[i]));
    }
    return SB_OK;
}
