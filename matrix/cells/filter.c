#include "matrix/cells/filter.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

typedef enum pattern_kind { PATTERN_NAME, PATTERN_HASH, PATTERN_REGEX } pattern_kind;

typedef struct pattern {
    pattern_kind kind;
    const char *text;
    regex_t regex; /* of PATTERN_REGEX */
} pattern;

static bool is_hash(const char *text)
{
    size_t n = text[0] == '/' ? strspn(text + 1, "0123456789abcdef") : 0;
    return n > 0 && !text[n + 1];
}

static bool is_name(const char *text, const sb_cell *cells, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(cells[i].name, text) == 0) return true;
    return false;
}

static bool has_hash(const sb_cell *cell, const char *digits)
{
    return strncmp(cell->hash, digits, strlen(digits)) == 0;
}

/* Some first digits of a hash mean the one cell whose hash begins so. */
static sb_status check_unique(const char *text, const sb_cell *cells, size_t n)
{
    char examples[3 * 24] = "";
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (!has_hash(&cells[i], text + 1)) continue;
        size_t used = strlen(examples);
        if (found++ < 3) snprintf(examples + used, sizeof examples - used, "%s/%.12s", used ? ", " : "", cells[i].hash);
    }
    if (found < 2) return SB_OK;
    return sb_fail(SB_E_USAGE, "samebits-matrix: the hashes of %zu cells begin with '%s' (%s%s); write more digits",
                   found, text, examples, found > 3 ? ", ..." : "");
}

static sb_status compile(pattern *made, const char *text, const sb_cell *cells, size_t n)
{
    *made = (pattern){.kind = PATTERN_REGEX, .text = text};
    if (!*text)
        return sb_fail(SB_E_USAGE, "samebits-matrix: an empty filter would match every cell; leave it out to mean all");
    if (is_hash(text)) made->kind = PATTERN_HASH;
    if (is_name(text, cells, n)) made->kind = PATTERN_NAME;
    if (made->kind == PATTERN_HASH) return check_unique(text, cells, n);
    if (made->kind != PATTERN_REGEX) return SB_OK;
    int error = regcomp(&made->regex, text, REG_EXTENDED | REG_NOSUB);
    if (!error) return SB_OK;
    char reason[128];
    regerror(error, &made->regex, reason, sizeof reason);
    return sb_fail(SB_E_USAGE, "samebits-matrix: filter '%s' is no regular expression: %s", text, reason);
}

static bool matches(const pattern *p, const sb_cell *cell)
{
    switch (p->kind) {
    case PATTERN_NAME:
        return strcmp(cell->name, p->text) == 0;
    case PATTERN_HASH:
        return has_hash(cell, p->text + 1);
    case PATTERN_REGEX:
        return regexec(&p->regex, cell->name, 0, NULL, 0) == 0;
    }
    return false;
}

/* Keep the cells for which "one of the texts matches" is `wanted`. */
static sb_status keep(sb_selection *selection, const sb_texts *texts, bool wanted, const sb_cell *cells, size_t n)
{
    pattern patterns[SB_OPTION_LIST_MAX];
    sb_status status = SB_OK;
    int n_patterns = 0;
    while (status == SB_OK && n_patterns < texts->n) {
        status = compile(&patterns[n_patterns], texts->item[n_patterns], cells, n);
        n_patterns += status == SB_OK;
    }
    size_t kept = 0;
    for (size_t i = 0; status == SB_OK && i < selection->n; i++) {
        bool found = false;
        for (int k = 0; !found && k < n_patterns; k++) found = matches(&patterns[k], selection->item[i]);
        if (found == wanted) selection->item[kept++] = selection->item[i];
    }
    for (int k = 0; k < n_patterns; k++)
        if (patterns[k].kind == PATTERN_REGEX) regfree(&patterns[k].regex);
    if (status == SB_OK) selection->n = kept;
    return status;
}

static bool has_tag(const sb_cell *cell, const char *tag)
{
    for (uint32_t i = 0; i < cell->study->tags.n; i++)
        if (strcmp(cell->study->tags.item[i], tag) == 0) return true;
    return false;
}

static void keep_tag(sb_selection *selection, const char *tag)
{
    size_t kept = 0;
    for (size_t i = 0; i < selection->n; i++)
        if (has_tag(selection->item[i], tag)) selection->item[kept++] = selection->item[i];
    selection->n = kept;
}

static void say_left_out(FILE *talk, const char *option, const sb_texts *texts, size_t before, size_t after)
{
    if (!talk) return;
    for (int i = 0; i < texts->n; i++) fprintf(talk, "%s%s '%s'", i ? " " : "", option, texts->item[i]);
    fprintf(talk, ": %zu of %zu cells left out\n", before - after, before);
}

static sb_status select_from(sb_selection *selection, const sb_cell *cells, size_t n, const sb_filter *filter,
                             FILE *talk)
{
    *selection = (sb_selection){malloc((n + 1) * sizeof *selection->item), n};
    if (!selection->item) return sb_fail(SB_E_MEMORY, "not enough memory to select cells");
    for (size_t i = 0; i < n; i++) selection->item[i] = &cells[i];
    sb_status status = SB_OK;
    if (filter->names.n) {
        status = keep(selection, &filter->names, true, cells, n);
        if (status == SB_OK) say_left_out(talk, "-n", &filter->names, n, selection->n);
    }
    for (int i = 0; status == SB_OK && i < filter->excludes.n; i++) {
        const sb_texts one = {1, {filter->excludes.item[i]}};
        size_t before = selection->n;
        status = keep(selection, &one, false, cells, n);
        if (status == SB_OK) say_left_out(talk, "-x", &one, before, selection->n);
    }
    for (int i = 0; status == SB_OK && i < filter->tags.n; i++) {
        const sb_texts one = {1, {filter->tags.item[i]}};
        size_t before = selection->n;
        keep_tag(selection, filter->tags.item[i]);
        say_left_out(talk, "-t", &one, before, selection->n);
    }
    if (status != SB_OK) sb_selection_free(selection);
    return status;
}

sb_status sb_filter_select(sb_selection *selection, const sb_cells *cells, const sb_filter *filter, FILE *talk)
{
    SB_TRY(select_from(selection, cells->item, cells->n, filter, talk));
    if (selection->n) return SB_OK;
    sb_selection_free(selection);
    return sb_fail(SB_E_EMPTY, "%s: no cell selected; 'samebits-matrix list -f %s' shows all %zu", cells->path,
                   cells->path, cells->n);
}

sb_status sb_filter_select_excluded(sb_selection *selection, const sb_cells *cells, const sb_filter *filter)
{
    return select_from(selection, cells->excluded, cells->n_excluded, filter, NULL);
}

void sb_selection_free(sb_selection *selection)
{
    free(selection->item);
    *selection = (sb_selection){0};
}
