#include "datasets/catalog/origin.h"

#include "core/hash.h"
#include "core/text/text.h"

#include <stdio.h>
#include <string.h>

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
