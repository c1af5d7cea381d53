/* The data sets this program knows: one row each, with addresses, sizes, checksums and licence. To add one, add a row
 * to catalog.c. */
#pragma once

#include "core/command/options.h"
#include "core/file.h"
#include "core/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sb_origin {
    SB_ORIGIN_NET,    /* fetched from mirrors */
    SB_ORIGIN_FOLDER, /* no download: a folder the user fills */
    SB_ORIGIN_SYNTH,  /* made here */
} sb_origin;

enum { SB_CATALOG_MIRRORS = 4, SB_CATALOG_FILES = 9, SB_CATALOG_CUTS = 6, SB_CATALOG_SIZES = 2 };

typedef struct sb_catalog_file {
    const char *name; /* NULL ends the list */
    int64_t n_bytes;  /* 0 and NULL where they are not known: files the user brings */
    const char *sha256;
    const char *address;      /* of this file alone, tried after the mirrors; NULL: none */
    const char *word;         /* by which a user asks for it, "cups"; NULL: files are not chosen one by one */
    const char *licence;      /* where it differs from the row's */
    bool is_extra;            /* fetched and converted only where it is named */
    int n_frames;             /* of a video; 0: not stated */
    int cut[SB_CATALOG_CUTS]; /* frames of it, after the first, where a new shot begins; 0 ends them */
    const char *frames[SB_CATALOG_SIZES]; /* hash of its converted frames at each of the row's sizes */
} sb_catalog_file;

typedef struct sb_catalog_entry {
    const char *name; /* "mnist"; NULL ends the catalog */
    sb_origin origin;
    const char *kind;    /* "images", "text", "video" */
    const char *summary; /* what it is, one line */
    const char *source;  /* who made it, for citation */
    const char *url;     /* where a person reads about it */
    const char *licence;
    const char *mirror[SB_CATALOG_MIRRORS]; /* folder addresses that end in /, in the order tried */
    sb_catalog_file file[SB_CATALOG_FILES + 1];
    /* The digest of the data set that is made of the files, with n_test of its test images; NULL: it is not known.
     * This alone tells whether files of the same form and names are these. */
    const char *content;
    size_t content_test;
    sb_size size[SB_CATALOG_SIZES]; /* of frames whose hashes the files have; {0} ends them */
    const char *next;               /* the command that comes next */
} sb_catalog_entry;

/* All rows, ended by one whose name is NULL. */
const sb_catalog_entry *sb_catalog(void);

/* The row of that name, or SB_E_USAGE. */
sb_status sb_catalog_find(const char *name, const sb_catalog_entry **entry);

/* The bytes of its files, without the extra ones; 0 where nothing is fetched. */
int64_t sb_catalog_bytes(const sb_catalog_entry *entry);

/* Which files are meant: chosen[i] is of file i. No words: all but the extra ones; "all"; else those named by their words,
 * whatever the order. SB_E_USAGE: no such word. */
sb_status sb_catalog_choose(const sb_catalog_entry *entry, const sb_arguments *words, bool chosen[SB_CATALOG_FILES]);

/* The folder of a data set's files: CACHE/NAME. cache NULL: $SAMEBITS_CACHE, else "cache". */
void sb_catalog_folder(const sb_catalog_entry *entry, const char *cache, char folder[SB_PATH_MAX]);
