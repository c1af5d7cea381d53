#include "matrix/cells/matrix_check.h"

#include "io/yaml/place.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACE = 128 };

typedef struct rule {
    const sb_row *row;
    regex_t regex[SB_N_VALUES]; /* compiled where the row has a value */
    bool used;
} rule;

struct sb_excludes {
    const char *path;
    char place[PLACE / 2];
    uint32_t n; /* rules compiled so far */
    rule rule[];
};

/* The settings that are compiled when it fails are freed here, so that a rule is whole or empty. */
static sb_status compile_rule(rule *made, const sb_row *row, const char *path, const char *place)
{
    unsigned setting = 0;
    int n_named = 0;
    for (; setting < SB_N_VALUES; setting++) {
        if (!row->value[setting]) continue;
        char whole[512];
        int length = snprintf(whole, sizeof whole, "^(%s)$", row->value[setting]);
        if (length >= (int)sizeof whole || regcomp(&made->regex[setting], whole, REG_EXTENDED | REG_NOSUB) != 0) break;
        n_named++;
    }
    if (setting == SB_N_VALUES && n_named) {
        made->row = row;
        return SB_OK;
    }
    for (unsigned done = 0; done < setting; done++)
        if (row->value[done]) regfree(&made->regex[done]);
    if (setting == SB_N_VALUES) return sb_place_fail(path, place, "exclude names no factor: it would take every cell");
    return sb_place_fail(path, place, "exclude: '%s' is no regular expression", row->value[setting]);
}

sb_status sb_exclude_compile(sb_excludes **excludes, const sb_study *study, const char *path, const char *place)
{
    sb_excludes *made = calloc(1, sizeof *made + study->n_exclude * sizeof made->rule[0]);
    *excludes = made;
    if (!made) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    made->path = path;
    snprintf(made->place, sizeof made->place, "%s/exclude", place);
    for (; made->n < study->n_exclude; made->n++) {
        char where[PLACE];
        snprintf(where, sizeof where, "%s/%u", made->place, made->n);
        sb_status status = compile_rule(&made->rule[made->n], &study->exclude[made->n], path, where);
        if (status == SB_OK) continue;
        sb_exclude_free(made);
        *excludes = NULL;
        return status;
    }
    return SB_OK;
}

void sb_exclude_free(sb_excludes *excludes)
{
    for (uint32_t i = 0; excludes && i < excludes->n; i++)
        for (unsigned setting = 0; setting < SB_N_VALUES; setting++)
            if (excludes->rule[i].row->value[setting]) regfree(&excludes->rule[i].regex[setting]);
    free(excludes);
}

static bool takes(const rule *r, const char *const value[SB_N_VALUES])
{
    for (unsigned setting = 0; setting < SB_N_VALUES; setting++) {
        if (!r->row->value[setting]) continue;
        if (!value[setting] || regexec(&r->regex[setting], value[setting], 0, NULL, 0) != 0) return false;
    }
    return true;
}

const char *sb_exclude_reason(sb_excludes *excludes, const char *const value[SB_N_VALUES])
{
    for (uint32_t i = 0; i < excludes->n; i++) {
        if (!takes(&excludes->rule[i], value)) continue;
        excludes->rule[i].used = true;
        return excludes->rule[i].row->reason;
    }
    return NULL;
}

sb_status sb_exclude_check_used(const sb_excludes *excludes)
{
    for (uint32_t i = 0; i < excludes->n; i++) {
        char where[PLACE];
        snprintf(where, sizeof where, "%s/%u", excludes->place, i);
        if (!excludes->rule[i].used) return sb_place_fail(excludes->path, where, "this exclude matches no cell");
    }
    return SB_OK;
}
