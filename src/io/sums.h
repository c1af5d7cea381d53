/* A list of files with their SHA-256, in the form that sha256sum writes and checks: "DIGEST  NAME" a line. It lies
 * next to the files as SHA256SUMS; `sha256sum -c SHA256SUMS` there says the same as sb_sums_check.
 *
 *     sb_sums sums;
 *     SB_TRY(sb_sums_read(&sums, "results/demo/SHA256SUMS"));
 *     for (size_t i = 0; status == SB_OK && i < sums.n; i++)
 *         status = sb_sums_check(&sums, "results/demo", sums.item[i].name);
 *     sb_sums_free(&sums);
 */
#pragma once

#include "core/hash.h"
#include "core/status.h"
#include "core/text/writer.h"

#include <stddef.h>

#define SB_SUMS_FILE "SHA256SUMS"
enum { SB_SUMS_NAME = 256 };

typedef struct sb_sum {
    char digest[SB_SHA256_TEXT], name[SB_SUMS_NAME];
} sb_sum;

typedef struct sb_sums { /* {0} is an empty list */
    size_t n;
    sb_sum *item; /* in the order of the file */
} sb_sums;

/* One line of such a list, which is a document of sb_lines (core/text/writer.h), of a digest or of what it is the
 * digest of.
 */
void sb_sums_line(sb_writer *list, const char *name, const char *digest);
void sb_sums_write(sb_writer *list, const char *name, const void *content, size_t n_bytes);

/* SB_E_USAGE: no such file. SB_E_INTEGRITY: a line of another form, or a zero byte. A failed call leaves nothing to
 * free. */
sb_status sb_sums_read(sb_sums *sums, const char *path);

/* The same from the text of such a file, which ends in a NUL after n_bytes; path is for messages. */
sb_status sb_sums_parse(sb_sums *sums, const char *text, size_t n_bytes, const char *path);
void sb_sums_free(sb_sums *sums);

/* The digest of that name, NULL if it is not in the list. */
const char *sb_sums_find(const sb_sums *sums, const char *name);

/* Every file that FOLDER/SHA256SUMS names, and every table of results, or claims of theirs, that lies next to it
 * without being named: visit with the status of its check, whose sentence sb_message holds. A visit that is not SB_OK
 * ends the walk and is returned. SB_E_USAGE: there is no such list; SB_E_INTEGRITY: it is none. */
typedef sb_status sb_sums_visit(void *context, const char *name, sb_status status);
sb_status sb_sums_each(const char *folder, sb_sums_visit *visit, void *context);

/* SB_OK: FOLDER/NAME is as the list says. SB_E_INTEGRITY: it is not, is absent, or the list does not name it. */
sb_status sb_sums_check(const sb_sums *sums, const char *folder, const char *name);
