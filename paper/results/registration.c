#include "paper/results/results.h"

#include "core/text/writer.h"
#include "io/run/registration.h"
#include "paper/files/output.h"

#include <stdlib.h>
#include <string.h>

/* An id is made from all rows of its set, in their order: a claim that was put in, taken out or changed is noticed. */
static sb_status check_set(const sb_registrations *r, size_t first, size_t end)
{
    char *text, id[SB_REGISTRATION_ID];
    const sb_table *table = &r->table;
    sb_writer *out = sb_writer_open(&sb_lines);
    for (size_t row = first; row < end; row++)
        sb_write(out, "%s%s=%s", row > first ? " " : "", sb_table_text(table, row, r->claim),
                 sb_table_text(table, row, r->digest));
    SB_TRY(sb_writer_close(out, table->path, &text, NULL));
    sb_registration_id(text, id);
    free(text);
    if (strcmp(id, sb_table_text(table, first, r->id)) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: the claims of registration %s are not those that were collected",
                   table->path, sb_table_line(table, first), sb_table_text(table, first, r->id));
}

static sb_status check_sets(const sb_registrations *r)
{
    const sb_table *table = &r->table;
    for (size_t first = 0, end; first < table->n_rows; first = end) {
        for (end = first + 1; end < table->n_rows; end++)
            if (strcmp(sb_table_text(table, end, r->id), sb_table_text(table, first, r->id)) != 0) break;
        SB_TRY(check_set(r, first, end));
    }
    return SB_OK;
}

sb_status sb_registrations_read(sb_registrations *registrations, const char *folder)
{
    char path[SB_PATH_MAX];
    *registrations = (sb_registrations){0};
    SB_TRY(sb_path_join(path, folder, "%s", sb_columns_registrations.file));
    if (!sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_table_read(&registrations->table, path, &sb_columns_registrations));
    SB_TRY(sb_table_column(&registrations->table, "registration", &registrations->id));
    SB_TRY(sb_table_column(&registrations->table, "claim", &registrations->claim));
    SB_TRY(sb_table_column(&registrations->table, "digest", &registrations->digest));
    return check_sets(registrations);
}

void sb_registrations_free(sb_registrations *registrations)
{
    sb_table_free(&registrations->table);
    *registrations = (sb_registrations){0};
}

size_t sb_registrations_find(const sb_registrations *r, const char *id, const char *digest)
{
    for (size_t row = 0; *id && row < r->table.n_rows; row++)
        if (strcmp(sb_table_text(&r->table, row, r->id), id) == 0 &&
            strcmp(sb_table_text(&r->table, row, r->digest), digest) == 0)
            return row;
    return SB_NOT_REGISTERED;
}

/* In the row after the rule's: "NAME.16" after "NAME". */
bool sb_registrations_cells(const sb_registrations *r, size_t row, size_t *n, const char **cells)
{
    const sb_table *t = &r->table;
    if (row + 1 >= t->n_rows || strcmp(sb_table_text(t, row, r->id), sb_table_text(t, row + 1, r->id)) != 0)
        return false;
    const char *rule = sb_table_text(t, row, r->claim), *next = sb_table_text(t, row + 1, r->claim);
    const size_t length = strlen(rule);
    char *end;
    if (strchr(rule, '.') || strncmp(rule, next, length) != 0 || next[length] != '.') return false;
    *n = strtoul(next + length + 1, &end, 10);
    *cells = sb_table_text(t, row + 1, r->digest);
    return end > next + length + 1 && !*end;
}
