#define _POSIX_C_SOURCE 200809L
#include "datasets/fetch/list.h"

#include "core/command/options.h"
#include "core/file.h"
#include "core/text/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 5 };

static bool is_file_name(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+~-";
    return *text != '.' && *text != '-' && strspn(text, allowed) == strlen(text);
}

static bool is_address(const char *text)
{
    size_t n = strlen(text);
    return (strncmp(text, "https://", 8) == 0 || strncmp(text, "http://", 7) == 0) && text[n - 1] == '/';
}

/* What a line's words say; NULL, or what is wrong with them. */
static const char *read_words(sb_listed *file, char *const word[WORDS])
{
    long n_bytes;
    if (!sb_text_is_name(word[0])) return "PACKAGE wants a name";
    if (!sb_parse_int(word[1], 1, 1e15, &n_bytes)) return "BYTES wants a whole number";
    if (strlen(word[2]) != SB_SHA256_TEXT - 1 || strspn(word[2], "0123456789abcdef") != SB_SHA256_TEXT - 1)
        return "SHA256 wants 64 hex digits";
    if (!is_file_name(word[3]) || strlen(word[3]) >= sizeof file->name) return "FILE wants the name of a file";
    if (!is_address(word[4]) || strlen(word[4]) >= sizeof file->address) return "ADDRESS wants https://.../";
    file->n_bytes = n_bytes;
    snprintf(file->package, sizeof file->package, "%s", word[0]);
    snprintf(file->sha256, sizeof file->sha256, "%s", word[2]);
    snprintf(file->name, sizeof file->name, "%s", word[3]);
    snprintf(file->address, sizeof file->address, "%s", word[4]);
    return NULL;
}

/* Add what a line says, nothing if it says nothing; NULL, or what is wrong with it. */
static const char *add_line(sb_listing *listing, char *line)
{
    char *word[WORDS + 1];
    int n = 0;
    line[strcspn(line, "#")] = 0;
    for (char *rest = line; n <= WORDS && (word[n] = strtok_r(rest, " \t\r", &rest)); n++) continue;
    if (n == 0) return NULL;
    if (n != WORDS) return "wants PACKAGE BYTES SHA256 FILE ADDRESS";
    sb_listed *grown = realloc(listing->item, (listing->n + 1) * sizeof *grown);
    if (!grown) return "not enough memory";
    listing->item = grown;
    return read_words(&grown[listing->n++], word);
}

sb_status sb_listing_read(sb_listing *listing, const char *path)
{
    char *text;
    *listing = (sb_listing){0};
    if (!sb_file_exists(path)) return sb_fail(SB_E_USAGE, "%s: no such file", path);
    SB_TRY(sb_file_read(path, &text, NULL));
    const char *wrong = NULL;
    long number = 0;
    for (char *line = text; line && !wrong; number++) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        wrong = add_line(listing, line);
        line = end ? end + 1 : NULL;
    }
    free(text);
    if (!wrong) return SB_OK;
    sb_listing_free(listing);
    return sb_fail(SB_E_INTEGRITY, "%s:%ld: %s", path, number, wrong);
}

void sb_listing_free(sb_listing *listing)
{
    free(listing->item);
    *listing = (sb_listing){0};
}
