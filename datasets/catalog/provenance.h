/* What every data set file tells about itself: the attributes that io/dataset.h lists. */
#ifndef SB_DATASETS_CATALOG_PROVENANCE_H
#define SB_DATASETS_CATALOG_PROVENANCE_H

#include "core/command/options.h"
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
    const char *kind; /* "video" or "mnist" */
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

#endif
