/* Where the content of a data set comes from: what the user typed, else what the catalog states of exactly this content,
 * else "unknown". A file's form and its name are no proof of its origin.
 *
 *     typedef struct values { const char *output; sb_origin_given given; } values;
 *     static const sb_option options[] = {..., SB_ORIGIN_OPTIONS(values), SB_OPTION_END};
 *     sb_origin_settle(&provenance, &v->given, entry, is_known, v->output);
 */
#ifndef SB_DATASETS_CATALOG_ORIGIN_H
#define SB_DATASETS_CATALOG_ORIGIN_H

#include "core/command/options.h"
#include "datasets/catalog/catalog.h"
#include "datasets/catalog/provenance.h"

typedef struct sb_origin_given {
    const char *name, *source, *url, *licence; /* NULL: not typed */
} sb_origin_given;

/* The rows of an option table for the member `given` of a verb's struct. */
#define SB_ORIGIN_OPTIONS(type)                                                                                        \
    SB_OPTION_TEXT(type, given.name, "--name", "NAME", NULL, "name of the data set; default: name of the output"),     \
        SB_OPTION_TEXT(type, given.source, "--source", "TEXT", NULL,                                                   \
                       "origin of the data; default: names of the inputs"),                                            \
        SB_OPTION_TEXT(type, given.url, "--url", "URL", NULL, "address of the origin"),                                \
        SB_OPTION_TEXT(type, given.licence, "--licence", "TEXT", NULL, "licence; default: 'unknown'")

/* Add the last part of an input's path to the list of them, "a.mp4, b.mp4", which begins as "". */
enum { SB_ORIGIN_INPUTS = 512 };
void sb_origin_add_input(char list[SB_ORIGIN_INPUTS], const char *path);

/* Does this content, images and labels of training and test, equal the content of the catalog's row? */
typedef struct sb_origin_half {
    const uint8_t *pixels, *labels;
    size_t n, image_bytes;
} sb_origin_half;
bool sb_origin_is(const sb_catalog_entry *entry, const sb_origin_half half[2]);

/* Set name, source, url and licence: as given, else of a known content as the row `entry` states them. Else the name
 * comes from the output, "unknown" where that is the row's; the source is `inputs`; and a line on stderr says so. entry:
 * the row that has this form; NULL: none has, and no line is needed. */
void sb_origin_settle(sb_provenance *provenance, const sb_origin_given *given, const sb_catalog_entry *entry,
                      bool is_known, const char *output, const char *inputs);

#endif
