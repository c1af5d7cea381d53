#include "datasets/catalog/provenance.h"

#include "core/file.h"
#include "core/hash.h"
#include "core/machine/version.h"
#include "core/text/text.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the content of a data set comes from: what the user typed, else what the catalog states of exactly this content,
 * else "unknown". A file's form and its name are no proof of its origin.
 *
 *     typedef struct values { const char *output; sb_origin_given given; } values;
 *     static const sb_option options[] = {..., SB_ORIGIN_OPTIONS(values), SB_OPTION_END};
 *     sb_origin_settle(&provenance, &v->given, entry, is_known, v->output);
 */

#define UNKNOWN "unknown"

void sb_origin_add_input(char list[SB_ORIGIN_INPUTS], const char *path)
{
    const size_t used = strlen(list);
    size_t end = strlen(path), start;
    while (end > 1 && path[end - 1] == '/') end--;
    for (start = end; start > 0 && path[start - 1] != '/';) start--;
    snprintf(list + used, SB_ORIGIN_INPUTS - used, "%s%.*s", used ? ", " : "", (int)(end - start), path + start);
    sb_text_trim(list);
}

bool sb_origin_is(const sb_catalog_entry *entry, const sb_origin_half half[2])
{
    char hex[SB_HASH_TEXT];
    sb_hasher *hasher = entry->content && half[1].n >= entry->content_test ? sb_hasher_begin() : NULL;
    if (!hasher) return false;
    for (int i = 0; i < 2; i++) {
        const size_t n = i ? entry->content_test : half[i].n;
        sb_hasher_add(hasher, half[i].pixels, n * half[i].image_bytes, 1);
        sb_hasher_add(hasher, half[i].labels, n, 1);
    }
    sb_hash_text(sb_hasher_end(hasher), hex);
    return strcmp(hex, entry->content) == 0;
}

static const char *first_of(const char *given, const char *other)
{
    return given && *given ? given : other;
}

void sb_origin_settle(sb_provenance *provenance, const sb_origin_given *given, const sb_catalog_entry *entry,
                      bool is_known, const char *output, const char *inputs)
{
    char name[64];
    sb_provenance_name(output, name, sizeof name);
    const bool is_taken = entry && strcmp(name, entry->name) == 0; /* the default output is called as the row is */
    provenance->name = first_of(given->name, is_known ? entry->name : is_taken ? UNKNOWN : NULL);
    provenance->source = first_of(given->source, is_known ? entry->source : inputs);
    provenance->url = first_of(given->url, is_known ? entry->url : NULL);
    provenance->licence = first_of(given->licence, is_known ? entry->licence : UNKNOWN);
    if (!entry || is_known || (given->name && given->source && given->licence)) return;
    fprintf(stderr,
            "%s: not the content of %s, so its name, source and licence are not recorded; --name, --source, --url and "
            "--licence give others\n",
            output, entry->name);
}

/* An HDF5 attribute holds 64 KiB. A longer list (a folder of images) is recorded by the hash of its lines. */
enum { ATTRIBUTE_BYTES = 60000 };

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

sb_status sb_sources_add(sb_sources *sources, const char *path)
{
    char hex[SB_SHA256_TEXT];
    SB_TRY(sb_file_check_apart(sources->output, path));
    SB_TRY(sb_sha256_file(path, hex));
    char *name = sb_text_clean(last_part(path), strlen(last_part(path)), false);
    size_t line = strlen(hex) + 2 + (name ? strlen(name) : 0) + 1;
    char *grown = name ? realloc(sources->text, sources->n_bytes + line + 1) : NULL;
    if (grown) {
        sources->text = grown;
        snprintf(grown + sources->n_bytes, line + 1, "%s  %s\n", hex, name);
        sources->n_bytes += line;
        sources->n_files++;
    }
    free(name);
    return grown ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
}

void sb_sources_free(sb_sources *sources)
{
    free(sources->text);
    *sources = (sb_sources){0};
}

static sb_status write_sources(sb_h5 *file, const sb_sources *sources)
{
    if (!sources || !sources->text) return sb_h5_set_text(file, "", "sha256", "");
    if (sources->n_bytes <= ATTRIBUTE_BYTES) return sb_h5_set_text(file, "", "sha256", sources->text);
    char hex[SB_SHA256_TEXT], text[160];
    sb_sha256_bytes(sources->text, sources->n_bytes, hex);
    snprintf(text, sizeof text, "%s  (%d files: hash of their lines 'HEX  FILE', in order)\n", hex, sources->n_files);
    return sb_h5_set_text(file, "", "sha256", text);
}

static bool is_recorded(const sb_option *option)
{
    static const char *const places[] = {"--output", "--from",    "--cache", "--threads",
                                         "--name",   "--licence", "--url",   "--source"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(option->name, places[i]) == 0) return false;
    return true;
}

/* "--size 160x120 --drop-first": the values as they would be typed, defaults included. */
static void options_text(const sb_command *command, const void *values, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (const sb_option *option = command->options; option->name && used < size; option++) {
        char value[512];
        sb_option_text(option, values, value, sizeof value);
        bool flag = option->kind == SB_KIND_FLAG;
        if (!is_recorded(option) || !*value || (flag && strcmp(value, "no") == 0)) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", used ? " " : "", option->name, flag ? "" : " ",
                                 flag ? "" : value);
    }
}

void sb_provenance_name(const char *path, char *name, size_t size)
{
    snprintf(name, size, "%s", last_part(path));
    sb_text_trim(name);
    char *dot = strrchr(name, '.');
    if (dot && dot != name && strcmp(dot, ".h5") == 0) *dot = 0;
}

/* The attribute is UTF-8, whatever the text was typed as. */
static sb_status write_text(sb_h5 *file, const char *key, const char *text)
{
    SB_FREED char *clean = sb_text_clean(text ? text : "", text ? strlen(text) : 0, true);
    if (!clean) return sb_h5_fail_memory(file);
    return sb_h5_set_text(file, "", key, clean);
}

sb_status sb_provenance_write(sb_h5 *file, const sb_provenance *provenance)
{
    char name[64], converter[80], options[1024], hdf5[32], software[512];
    sb_provenance_name(sb_h5_path(file), name, sizeof name);
    if (provenance->name && *provenance->name) snprintf(name, sizeof name, "%s", provenance->name);
    sb_text_trim(name);
    snprintf(converter, sizeof converter, "%s %s", provenance->command->program, provenance->command->verb);
    options_text(provenance->command, provenance->values, options, sizeof options);
    sb_h5_library_version(hdf5, sizeof hdf5);
    snprintf(software, sizeof software, "samebits %s%s%s, HDF5 %s", sb_version(), provenance->libraries ? ", " : "",
             provenance->libraries ? provenance->libraries : "", hdf5);
    const char *pairs[][2] = {
        {"format", "samebits-dataset"}, {"name", name},           {"kind", provenance->kind},
        {"source", provenance->source}, {"url", provenance->url}, {"licence", provenance->licence},
        {"converter", converter},       {"options", options},     {"software", software},
    };
    SB_TRY(sb_h5_set_int(file, "", "version", 1));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) SB_TRY(write_text(file, pairs[i][0], pairs[i][1]));
    return write_sources(file, provenance->sources);
}
