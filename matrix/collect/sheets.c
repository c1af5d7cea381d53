#include "matrix/collect/sheets.h"

#include "core/text/csv.h"
#include "io/sums.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sb_status fail(const sb_sheet *sheet, int error)
{
    return sb_fail(SB_E_IO, "%s: %s", sheet->path, error ? strerror(error) : "cannot be written");
}

static sb_status begin(sb_sheets *sheets, const char *file, const sb_language *language)
{
    char part[SB_PATH_MAX];
    sb_sheet *sheet = &sheets->item[sheets->n];
    *sheet = (sb_sheet){.file = file};
    if (snprintf(sheet->path, SB_PATH_MAX, "%s/%s", sheets->folder, file) > SB_PATH_MAX - 8)
        return sb_file_too_long(sheets->folder);
    sb_file_part(sheet->path, part);
    sheet->out = fopen(part, "w");
    if (!sheet->out) return fail(sheet, errno);
    sheet->csv = sb_writer_on(sheet->out, language);
    sheets->n++;
    return SB_OK;
}

sb_status sb_sheets_open(sb_sheets *sheets, const char *folder, const char *const *files, int n)
{
    assert(n < SB_SHEETS_MAX);
    *sheets = (sb_sheets){.folder = folder, .made_folder = !sb_file_exists(folder)};
    SB_TRY(sb_folder_make(folder));
    for (int i = 0; i < n; i++) SB_TRY(begin(sheets, files[i], &sb_csv));
    return begin(sheets, SB_SUMS_FILE, &sb_lines);
}

sb_status sb_sheets_copy(sb_sheets *sheets, int i, const char *path)
{
    char *bytes;
    size_t n;
    SB_TRY(sb_file_read(path, &bytes, &n));
    fwrite(bytes, 1, n, sheets->item[i].out);
    free(bytes);
    return sb_sheets_check(sheets);
}

sb_status sb_sheets_check(const sb_sheets *sheets)
{
    int error = errno;
    for (int i = 0; i < sheets->n; i++)
        if (ferror(sheets->item[i].out)) return fail(&sheets->item[i], error);
    return SB_OK;
}

/* The last one holds the digests of those before it. */
static sb_status end(sb_sheets *sheets, int i, sb_status status)
{
    char part[SB_PATH_MAX], digest[SB_SHA256_TEXT];
    sb_sheet *sheet = &sheets->item[i];
    sb_status written = sb_writer_end(sheet->csv, sheet->path);
    if (status == SB_OK) status = written;
    bool failed = ferror(sheet->out);
    errno = 0;
    failed = fclose(sheet->out) != 0 || failed;
    if (status == SB_OK && failed) return fail(sheet, errno);
    if (status != SB_OK || i + 1 == sheets->n) return status;
    sb_file_part(sheet->path, part);
    SB_TRY(sb_sha256_file(part, digest));
    sb_sums_line(sheets->item[sheets->n - 1].csv, sheet->file, digest);
    return SB_OK;
}

sb_status sb_sheets_close(sb_sheets *sheets, sb_status status)
{
    char part[SB_PATH_MAX];
    for (int i = 0; i < sheets->n; i++) status = end(sheets, i, status);
    for (int i = 0; i < sheets->n; i++) {
        if (status == SB_OK) status = sb_file_commit(sheets->item[i].path);
        sb_file_part(sheets->item[i].path, part);
        if (status != SB_OK) unlink(part);
    }
    if (status != SB_OK && sheets->made_folder) rmdir(sheets->folder);
    sheets->n = 0;
    return status;
}

void sb_sheet_real(sb_writer *csv, double value)
{
    if (isnan(value))
        sb_write(csv, ",");
    else
        sb_write(csv, ",%.9g", value);
}

sb_status sb_sheets_drop(const char *folder, const char *file)
{
    char path[SB_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= SB_PATH_MAX) return sb_file_too_long(folder);
    if (unlink(path) == 0 || errno == ENOENT) return SB_OK;
    return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
}

sb_status sb_registration_sheet_note(sb_registration_sheet *written, const char *id, bool *is_new)
{
    *is_new = false;
    for (size_t i = 0; i < written->n; i++)
        if (strcmp(written->id[i], id) == 0) return SB_OK;
    char(*more)[SB_REGISTRATION_ID] = realloc(written->id, (written->n + 1) * sizeof *more);
    if (!more) return sb_fail(SB_E_MEMORY, "not enough memory for registered claims");
    written->id = more;
    snprintf(written->id[written->n++], SB_REGISTRATION_ID, "%s", id);
    *is_new = true;
    return SB_OK;
}

sb_status sb_registration_sheet_add(sb_registration_sheet *written, sb_writer *csv, const char *path,
                                    const char *claims, char id[SB_REGISTRATION_ID])
{
    char name[SB_CLAIM_NAME], digest[SB_CLAIM_DIGEST];
    bool is_new;
    sb_registration_id(claims, id);
    if (!*id) return SB_OK;
    if (!sb_registration_holds(claims))
        return sb_fail(SB_E_INTEGRITY, "%s: what it says of registered claims is none: '%.40s'", path, claims);
    SB_TRY(sb_registration_sheet_note(written, id, &is_new));
    while (is_new && sb_registration_next(&claims, name, digest)) sb_write(csv, "%s,%s,%s\n", id, name, digest);
    return SB_OK;
}

void sb_registration_sheet_free(sb_registration_sheet *written)
{
    free(written->id);
    *written = (sb_registration_sheet){0};
}
