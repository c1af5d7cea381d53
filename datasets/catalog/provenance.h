/* What every data set file tells about itself: the attributes that io/dataset.h lists. */
#pragma once

#include "core/command/options.h"
#include "datasets/catalog/catalog.h"
#include "io/h5/h5.h"

/* The "HEX  FILE" lines of the files a data set was made from. */
typedef struct sb_sources {
    const char *output; /* the file that is made of them; the caller's */
    char *text;         /* grows; "" or NULL when there are none */
    size_t n_bytes;
    int n_files;
} sb_sources;

/* Hash a file (reads it whole) and add its line, with the last part of its path. SB_E_USAGE: it is the output. */
sb_status sb_sources_add(sb_sources *sources, const char *path);
void sb_sources_free(sb_sources *sources);

typedef struct sb_provenance {
    const char *name; /* NULL: taken from the path of the file, "out/clip.h5" -> "clip" */
    const char *kind; /* "video", "text" or "mnist" */
    const char *source, *url, *licence;
    const sb_sources *sources; /* NULL: made from nothing */
    const sb_command *command; /* the verb and the option values that are recorded; those that name places of this */
    const void *values;        /* machine (--output, --from, --cache) or do not touch the bytes (--threads) are not */
    const char *libraries;     /* "zlib 1.2.13, ..."; NULL for none; HDF5 and this program are added */
} sb_provenance;

/* The name that a data set gets from its file: the last part of the path, without ".h5", cut to size. */
void sb_provenance_name(const char *path, char *name, size_t size);

/* Write the attributes into the root of a file being created. */
sb_status sb_provenance_write(sb_h5 *file, const sb_provenance *provenance);

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
