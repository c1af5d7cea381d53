#include "datasets/convert/fpsi.h"

#include "core/file.h"
#include "core/text/plural.h"
#include "core/text/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SEQUENCES "sequence_list.txt"
#define FRAMES    "train_list.txt"

static sb_status join(char path[SB_PATH_MAX], const char *folder, const char *name)
{
    if (snprintf(path, SB_PATH_MAX, "%s/%s", folder, name) < SB_PATH_MAX) return SB_OK;
    return sb_file_too_long(folder);
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool has(const char *folder, const char *name)
{
    char path[SB_PATH_MAX];
    return join(path, folder, name) == SB_OK && sb_file_exists(path);
}

/* -- lists -- */

/* Names in lists are paths from where the scripts were run, on another machine: looked for below the folder itself, and
 * next to the list by their last part; never elsewhere. */
static sb_status resolve(char path[SB_PATH_MAX], const char *root, const char *list, int line, const char *name)
{
    char beside[SB_PATH_MAX];
    const char *last = strrchr(name, '/'), *end = strrchr(list, '/');
    bool leads_out = *name == '/' || strstr(name, "..");
    SB_TRY(join(path, root, name));
    if (!leads_out && sb_file_exists(path)) return SB_OK;
    snprintf(beside, sizeof beside, "%.*s", (int)(end - list), list);
    SB_TRY(join(path, beside, last ? last + 1 : name));
    if (sb_file_exists(path)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:%d: names %s, which is neither in %s nor next to the list", list, line, name,
                   root);
}

typedef sb_status each_path(sb_media *media, const char *root, const char *path, bool is_first);

/* The first word of each line that has one. */
static sb_status read_list(sb_media *media, const char *root, const char *list, each_path *add)
{
    SB_FREED char *text = NULL;
    char path[SB_PATH_MAX];
    SB_TRY(sb_file_check_input(list));
    SB_TRY(sb_file_read(list, &text, NULL));
    int line = 1, n = 0;
    for (char *at = sb_text_after_mark(text); *at; line++) {
        char *next = at + strcspn(at, "\n");
        if (*next) *next++ = 0;
        at += strspn(at, " \t\r");
        at[strcspn(at, " \t\r")] = 0;
        if (*at) {
            SB_TRY(resolve(path, root, list, line, at));
            SB_TRY(add(media, root, path, n++ == 0));
        }
        at = next;
    }
    return n ? SB_OK : sb_fail(SB_E_INTEGRITY, "%s: an empty list", list);
}

static sb_status add_frame(sb_media *media, const char *root, const char *path, bool is_first)
{
    (void)root;
    SB_TRY(sb_media_add(media, path));
    if (is_first) media->file[media->n - 1].starts_sequence = true;
    return SB_OK;
}

static sb_status add_list(sb_media *media, const char *root, const char *path, bool is_first)
{
    (void)is_first;
    return read_list(media, root, path, add_frame);
}

/* -- folders -- */

/* What one folder holds: the frames that its list names, else its images or videos. SB_E_EMPTY: neither. */
static sb_status add_sequence(sb_media *media, const char *root, const char *folder)
{
    char list[SB_PATH_MAX];
    int before = media->n;
    SB_TRY(join(list, folder, FRAMES));
    if (sb_file_exists(list)) return add_list(media, root, list, true);
    SB_TRY(sb_media_add(media, folder));
    media->file[before].starts_sequence = true;
    return SB_OK;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Each subfolder that holds something. The only one may be what an archive packed everything into: *inner. */
static sb_status add_subfolders(sb_media *media, const char *folder, int *n_sequences, char inner[SB_PATH_MAX])
{
    struct dirent **entry;
    int n = scandir(folder, &entry, is_visible, sb_names_compare), n_folders = 0;
    if (n < 0) return sb_fail(SB_E_IO, "%s: %s", folder, strerror(errno));
    sb_status status = SB_OK;
    char path[SB_PATH_MAX];
    for (int i = 0; i < n; i++) {
        if (status == SB_OK) status = join(path, folder, entry[i]->d_name);
        free(entry[i]);
        if (status != SB_OK || !is_folder(path)) continue;
        status = add_sequence(media, folder, path);
        *n_sequences += status == SB_OK;
        if (status == SB_E_EMPTY) status = SB_OK;
        if (n_folders++ == 0) strcpy(inner, path);
    }
    free(entry);
    if (n_folders != 1) *inner = 0;
    return status;
}

static sb_status add_folder(sb_media *media, const char *folder, char order[SB_FPSI_ORDER])
{
    char list[SB_PATH_MAX], inner[SB_PATH_MAX];
    int n_sequences = 0;
    SB_TRY(join(list, folder, SEQUENCES));
    if (sb_file_exists(list)) {
        snprintf(order, SB_FPSI_ORDER, "in the order of " SEQUENCES);
        return read_list(media, folder, list, add_list);
    }
    sb_status status = add_sequence(media, folder, folder);
    snprintf(order, SB_FPSI_ORDER, has(folder, FRAMES) ? "as " FRAMES " has them" : "by their numbers");
    if (status != SB_E_EMPTY) return status;
    SB_TRY(add_subfolders(media, folder, &n_sequences, inner));
    snprintf(order, SB_FPSI_ORDER, "from %d folder%s by name, as there is no " SEQUENCES, n_sequences,
             sb_plural((size_t)n_sequences));
    return n_sequences || !*inner ? SB_OK : add_folder(media, inner, order);
}

sb_status sb_fpsi_selection(sb_media *media, const char *folder, bool *found, char order[SB_FPSI_ORDER])
{
    *found = false;
    *order = 0;
    if (!folder || !is_folder(folder)) return SB_OK;
    sb_status status = add_folder(media, folder, order);
    *found = status == SB_OK && media->n > 0;
    return status;
}
