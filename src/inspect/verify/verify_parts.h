/* Shared by the files of verification: the table of kinds. */
#pragma once

#include "inspect/verify/verify.h"

#include "core/file.h"
#include "io/seal.h"

typedef struct sb_subject {  /* a file: its name and its first bytes */
    const char *path, *name; /* name: the last part of the path */
    char folder[SB_PATH_MAX];
    bool has_seal;
    sb_seal seal;
} sb_subject;

typedef struct sb_kind_of_file {
    const char *name;
    bool (*is)(const struct sb_kind_of_file *kind, const sb_subject *subject);
    /* SB_OK: the file holds, and `said` is set. NULL: a file of this kind is not trusted */
    sb_status (*check)(const sb_subject *subject, char *said, size_t size);
    unsigned seal;      /* the kind of its seal; 0: no seal */
    const char *ending; /* the ending of its name; NULL: any name */
} sb_kind_of_file;

/* The first row that fits the file; the last row, with the name "", fits every file. */
const sb_kind_of_file *sb_verify_kind(const sb_subject *subject);
