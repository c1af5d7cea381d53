#include "matrix/collect/sheets.h"

#include "core/file.h"
#include "io/h5/h5_attribute.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whose version the fact of /env is, and what else its bits depend on. */
static const struct library {
    const char *backend, *name, *fact, *group, *device;
} libraries[] = {
    {"openblas", "OpenBLAS", "openblas", "config", "kernel"},
    {"cublas", "cuBLAS", "cublas", "env", "gpu"},
    {"cudnn", "cuDNN", "cudnn", "env", "gpu"},
};
enum { N_LIBRARIES = sizeof libraries / sizeof *libraries, WORD = 64 };

static void attribute(sb_h5 *file, const char *group, const char *name, char text[SB_LIBRARY_TEXT])
{
    *text = 0;
    if (sb_h5_has(file, group, name) && sb_h5_attribute_text(file, group, name, text, SB_LIBRARY_TEXT) != SB_OK)
        *text = 0;
}

/* "OpenBLAS 0.3.21 NO_LAPACKE ..." and "0.3.21": the first word that begins with a digit. */
static void version_in(const char *fact, char version[WORD])
{
    *version = 0;
    for (const char *word = fact; *word; word += strcspn(word, " "), word += *word == ' ')
        if (*word >= '0' && *word <= '9') {
            snprintf(version, WORD, "%.*s", (int)strcspn(word, " "), word);
            return;
        }
}

static void write_text(const struct library *library, const char *fact, const char *device, char text[SB_LIBRARY_TEXT])
{
    char version[WORD];
    version_in(fact, version);
    snprintf(text, SB_LIBRARY_TEXT, *version ? "%s %s%s%.160s" : "", library->name, version, *device ? " " : "",
             device);
}

void sb_library_of_run(sb_h5 *run, char text[SB_LIBRARY_TEXT])
{
    char backend[SB_LIBRARY_TEXT], fact[SB_LIBRARY_TEXT], device[SB_LIBRARY_TEXT];
    attribute(run, "config", "backend", backend);
    *text = 0;
    for (int i = 0; i < N_LIBRARIES; i++) {
        if (strcmp(backend, libraries[i].backend) != 0) continue;
        attribute(run, "env", libraries[i].fact, fact);
        attribute(run, libraries[i].group, libraries[i].device, device);
        write_text(&libraries[i], fact, device, text);
    }
}

/* -- of a reference -- */

static int is_h5(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);
    return n > 3 && strcmp(entry->d_name + n - 3, ".h5") == 0;
}

/* The first file of a folder in the order of names; false: there is none. */
static bool first_file(const char *folder, char path[SB_PATH_MAX])
{
    struct dirent **entry;
    const int n = scandir(folder, &entry, is_h5, alphasort);
    const bool found = n > 0 && snprintf(path, SB_PATH_MAX, "%s/%s", folder, entry[0]->d_name) < SB_PATH_MAX;
    for (int i = 0; i < n; i++) free(entry[i]);
    if (n >= 0) free(entry);
    return found;
}

/* "" where the file is not there, or not as it was written. */
static void read_attribute(const char *path, unsigned kinds, const char *group, const char *name,
                           char text[SB_LIBRARY_TEXT])
{
    sb_h5 *file;
    *text = 0;
    if (!sb_file_exists(path) || sb_h5_open(&file, path, kinds) != SB_OK) return;
    attribute(file, group, name, text);
    sb_h5_close(file);
}

void sb_library_of_reference(const char *reference, const char *trace, char text[SB_LIBRARY_TEXT])
{
    char folder[SB_PATH_MAX], path[SB_PATH_MAX], fact[SB_LIBRARY_TEXT], kernel[SB_LIBRARY_TEXT];
    *text = 0;
    if (snprintf(folder, sizeof folder, "%s/chains", reference) >= SB_PATH_MAX || !first_file(folder, path)) return;
    read_attribute(path, SB_SEAL_LINKS, "env", libraries[0].fact, fact);
    read_attribute(trace, SB_SEAL_TRACE, "meta", "kernel", kernel);
    write_text(&libraries[0], fact, kernel, text);
}

/* -- two of them -- */

/* The second word, and what is after it. */
static void take_apart(const char *text, char version[WORD], const char **device)
{
    const char *rest = text + strcspn(text, " ");
    rest += *rest == ' ';
    snprintf(version, WORD, "%.*s", (int)strcspn(rest, " "), rest);
    rest += strcspn(rest, " ");
    *device = rest + (*rest == ' ');
}

void sb_library_reason(const char *here, const char *there, char reason[SB_LIBRARY_TEXT])
{
    char version[2][WORD];
    const char *device[2];
    take_apart(here, version[0], &device[0]);
    take_apart(there, version[1], &device[1]);
    *reason = 0;
    if (!*version[0] || !*version[1])
        snprintf(reason, SB_LIBRARY_TEXT, "of an unknown version %s", *version[0] ? "there" : "here");
    else if (strcmp(version[0], version[1]) != 0)
        snprintf(reason, SB_LIBRARY_TEXT, "of another version: %s here, %s there", version[0], version[1]);
    else if (*device[0] && *device[1] && strcmp(device[0], device[1]) != 0)
        snprintf(reason, SB_LIBRARY_TEXT, "of another %s: %.80s here, %.80s there",
                 strncmp(here, "OpenBLAS", 8) == 0 ? "kernel type" : "GPU", device[0], device[1]);
}
