#include "core/command/options.h"
#include "datasets/catalog/catalog.h"
#include "datasets/verbs/verbs.h"

#include <stdio.h>
#include <sys/stat.h>

typedef struct values {
    const char *cache;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, cache, "--cache", "DIR", NULL, "cache folder; default: $SAMEBITS_CACHE, else 'cache'"),
    SB_OPTION_END,
};

static bool is_here(const sb_catalog_file *file, const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && (!file->n_bytes || about.st_size == file->n_bytes);
}

/* "yes", "no", "2 of 4": by presence and size; `fetch` checks the bytes. */
static void presence(const sb_catalog_entry *entry, const char *cache, char *text, size_t size)
{
    char folder[SB_PATH_MAX], path[SB_PATH_MAX + 80];
    sb_catalog_folder(entry, cache, folder);
    int n = 0, n_here = 0;
    for (const sb_catalog_file *file = entry->file; file->name; file++) {
        snprintf(path, sizeof path, "%s/%s", folder, file->name);
        n += !file->is_extra;
        n_here += !file->is_extra && is_here(file, path);
    }
    if (entry->origin == SB_ORIGIN_SYNTH)
        snprintf(text, size, "made");
    else if (n_here == 0 || n_here == n)
        snprintf(text, size, "%s", n_here ? "yes" : "no");
    else
        snprintf(text, size, "%d of %d", n_here, n);
}

static void size_text(const sb_catalog_entry *entry, char *text, size_t size)
{
    int64_t n_bytes = sb_catalog_bytes(entry);
    if (n_bytes)
        snprintf(text, size, "%.1f MB", (double)n_bytes / 1e6);
    else
        snprintf(text, size, "-");
}

static sb_status list_files(const sb_catalog_entry *entry, const char *cache)
{
    char folder[SB_PATH_MAX], path[SB_PATH_MAX + 80];
    sb_catalog_folder(entry, cache, folder);
    printf("%-8s  %9s  %-7s  %6s  %-17s  %s\n", "word", "size", "fetched", "frames", "licence", "file");
    for (const sb_catalog_file *file = entry->file; file->name; file++) {
        snprintf(path, sizeof path, "%s/%s", folder, file->name);
        printf("%-8s  %6.1f MB  %-7s  %6d  %-17s  %s\n", file->word ? file->word : "-", (double)file->n_bytes / 1e6,
               is_here(file, path) ? "yes" : "no", file->n_frames, file->licence ? file->licence : entry->licence,
               file->name);
    }
    return SB_OK;
}

static sb_status list(const sb_call *call)
{
    const values *v = call->values;
    const sb_catalog_entry *one;
    if (call->arguments.n) {
        SB_TRY(sb_catalog_find(call->arguments.item[0], &one));
        return list_files(one, v->cache);
    }
    printf("%-11s  %-6s  %9s  %-7s  %-12s  %s\n", "name", "kind", "size", "fetched", "licence", "what it is");
    for (const sb_catalog_entry *entry = sb_catalog(); entry->name; entry++) {
        char size[32], here[32];
        size_text(entry, size, sizeof size);
        presence(entry, v->cache, here, sizeof here);
        printf("%-11s  %-6s  %9s  %-7s  %-12s  %s\n", entry->name, entry->kind, size, here, entry->licence,
               entry->summary);
    }
    return SB_OK;
}

const sb_command sb_verb_list = {
    .program = "samebits-data",
    .verb = "list",
    .summary = "list the data sets that this program can fetch, and which are here",
    .arguments = "[NAME]",
    .options = options,
    .values_bytes = sizeof(values),
    .max_arguments = 1,
    .epilogue = "With a NAME: its files.\n",
    .run = list,
};
