#include "core/file.h"
#include "core/text/plural.h"
#include "datasets/convert/clip.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* The order that names have by the numbers in them: frame2 before frame10, 00009 before 000010.
 *
 *     n = scandir(folder, &entry, is_visible, sb_names_compare);
 *     if (sb_names_doubt(entry[i - 1]->d_name, entry[i]->d_name)) ... the names do not settle it ...
 *
 * Runs of digits are compared as whole numbers of any length, all else byte by byte; zeros before a number count only
 * between names that are equal without them.
 */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A run of digits without the zeros before it. */
typedef struct number {
    const char *digits;
    size_t n;
    size_t n_zeros;
} number;

static number number_at(const char *text, size_t n)
{
    number found = {0};
    while (found.n_zeros < n && text[found.n_zeros] == '0') found.n_zeros++;
    found.digits = text + found.n_zeros;
    while (found.n_zeros + found.n < n && is_digit(found.digits[found.n])) found.n++;
    return found;
}

static int compare(number a, number b)
{
    if (a.n != b.n) return a.n < b.n ? -1 : 1;
    return memcmp(a.digits, b.digits, a.n);
}

int sb_names_order(const char *a, const char *b)
{
    int zeros = 0;
    for (const char *p = a, *q = b;;) {
        if (is_digit(*p) && is_digit(*q)) {
            const number left = number_at(p, strlen(p)), right = number_at(q, strlen(q));
            const int order = compare(left, right);
            if (order) return order;
            if (!zeros) zeros = (left.n_zeros > right.n_zeros) - (left.n_zeros < right.n_zeros);
            p = left.digits + left.n, q = right.digits + right.n;
        } else if (*p != *q || !*p) {
            return *p == *q ? zeros : (unsigned char)*p < (unsigned char)*q ? -1 : 1;
        } else {
            p++, q++;
        }
    }
}

int sb_names_compare(const struct dirent **a, const struct dirent **b)
{
    return sb_names_order((*a)->d_name, (*b)->d_name);
}

/* ---- doubts ---- */

/* What is left of a name: its numbers are read one by one, up to its ending. */
typedef struct rest {
    const char *at, *end;
    bool is_fraction; /* the number that was read last follows another and a point: 12.05 */
    size_t n_digits;  /* that it was written with */
} rest;

static rest rest_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return (rest){.at = name, .end = dot ? dot : name + strlen(name)};
}

static bool next_number(rest *r, number *found)
{
    const char *from = r->at;
    while (r->at < r->end && !is_digit(*r->at)) r->at++;
    if (r->at == r->end) return false;
    r->is_fraction = r->n_digits && r->at - from == 1 && (*from == '.' || *from == ',');
    *found = number_at(r->at, (size_t)(r->end - r->at));
    r->n_digits = found->n_zeros + found->n;
    r->at += r->n_digits;
    return true;
}

const char *sb_names_doubt(const char *a, const char *b)
{
    rest left = rest_of(a), right = rest_of(b);
    bool is_risen = false;
    for (int n = 0;; n++) {
        number before, after;
        const bool has_before = next_number(&left, &before), has_after = next_number(&right, &after);
        if (has_before != has_after) return "do not have equally many numbers";
        if (!has_before) return is_risen ? NULL : n ? "have the same numbers" : "have no numbers";
        if (left.is_fraction && right.is_fraction && left.n_digits != right.n_digits)
            return "have numbers with a point, which are taken as two whole numbers";
        const int order = compare(before, after);
        if (order > 0) return "have several numbers, or texts, that ask for different orders";
        is_risen = is_risen || order < 0;
    }
}

typedef enum media_kind { KIND_OTHER, KIND_VIDEO, KIND_IMAGE } media_kind;

static media_kind kind_of(const char *path)
{
    static const char *const images[] = {"png", "jpg", "jpeg", "bmp", "tif", "tiff", "ppm", "pgm", "webp"};
    static const char *const videos[] = {"mp4", "avi",  "mkv", "mov", "m4v", "webm", "mpg", "mpeg",
                                         "mts", "m2ts", "wmv", "flv", "ogv", "y4m",  "3gp"};
    const char *dot = strrchr(path, '.');
    if (!dot) return KIND_OTHER;
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        if (strcasecmp(dot + 1, images[i]) == 0) return KIND_IMAGE;
    for (size_t i = 0; i < sizeof videos / sizeof *videos; i++)
        if (strcasecmp(dot + 1, videos[i]) == 0) return KIND_VIDEO;
    return KIND_OTHER;
}

static sb_status append(sb_media *media, const char *path, bool starts_sequence)
{
    sb_media_file *grown = realloc(media->file, ((size_t)media->n + 1) * sizeof *grown);
    if (grown) media->file = grown;
    char *copy = grown ? strdup(path) : NULL;
    if (!copy) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    media->file[media->n++] = (sb_media_file){copy, starts_sequence};
    return SB_OK;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* ---- what a folder's names leave open ---- */

enum { NAMED_MOST = 8 };

/* The names of what is not read, in one line. */
typedef struct ignored {
    int n;
    char names[1024];
} ignored;

static void ignore(ignored *list, const char *folder, const struct dirent *entry)
{
    char path[SB_PATH_MAX];
    struct stat about;
    const size_t used = strlen(list->names);
    if (list->n++ >= NAMED_MOST || used + strlen(entry->d_name) + 4 > sizeof list->names) return;
    const bool is_folder = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < SB_PATH_MAX &&
                           stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    snprintf(list->names + used, sizeof list->names - used, "%s%s%s", used ? ", " : "", entry->d_name,
             is_folder ? "/" : "");
}

static void say_ignored(const ignored *list, const char *folder)
{
    if (list->n)
        fprintf(stderr, "%s: ignored %d file%s, by name neither video nor image: %s%s; a file that is named is read\n",
                folder, list->n, sb_plural((size_t)list->n), list->names, list->n > NAMED_MOST ? ", ..." : "");
}

/* One line for the first pair of images, one after the other, whose order is not settled by the numbers in their names. */
static void say_order(const sb_media *media, int before, const char *folder)
{
    for (int i = before + 1; i < media->n; i++) {
        if (media->file[i].starts_sequence) continue;
        const char *a = strrchr(media->file[i - 1].path, '/') + 1, *b = strrchr(media->file[i].path, '/') + 1;
        const char *doubt = sb_names_doubt(a, b);
        if (!doubt) continue;
        fprintf(stderr, "%s: its names leave the order open: %s comes before %s, which %s\n", folder, a, b, doubt);
        return;
    }
}

/* ---- files ---- */

static sb_status add_entry(sb_media *media, const char *folder, const struct dirent *entry, ignored *list,
                           media_kind *last)
{
    char path[SB_PATH_MAX];
    const media_kind is = kind_of(entry->d_name), was = *last;
    if (is == KIND_OTHER) {
        ignore(list, folder, entry);
        return SB_OK;
    }
    *last = is;
    if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= SB_PATH_MAX) return sb_file_too_long(folder);
    SB_TRY(sb_file_check_input(path));
    return append(media, path, is == KIND_VIDEO || was != KIND_IMAGE);
}

static sb_status add_folder(sb_media *media, const char *folder)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, is_visible, sb_names_compare);
    if (n < 0) return sb_fail(SB_E_IO, "%s: %s", folder, strerror(errno));
    sb_status status = SB_OK;
    media_kind last = KIND_OTHER;
    ignored list = {0};
    int before = media->n;
    for (int i = 0; i < n; i++) {
        if (status == SB_OK) status = add_entry(media, folder, entry[i], &list, &last);
        free(entry[i]);
    }
    free(entry);
    SB_TRY(status);
    if (media->n == before)
        return sb_fail(SB_E_EMPTY, "%s: neither a video nor an image in this folder, by their names%s%s%s", folder,
                       list.n ? ": " : "", list.names, list.n ? "; a file that is named is read" : "");
    say_ignored(&list, folder);
    say_order(media, before, folder);
    return SB_OK;
}

sb_status sb_media_add(sb_media *media, const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return add_folder(media, path);
    SB_TRY(sb_file_check_input(path));
    /* Images named one by one are one sequence too. */
    bool image_before = media->n > 0 && kind_of(media->file[media->n - 1].path) == KIND_IMAGE;
    return append(media, path, !(image_before && kind_of(path) == KIND_IMAGE));
}

void sb_media_free(sb_media *media)
{
    for (int i = 0; i < media->n; i++) free(media->file[i].path);
    free(media->file);
    *media = (sb_media){0};
}
