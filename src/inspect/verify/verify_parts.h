/* What the files of verification share: the table of kinds. */
#ifndef SB_INSPECT_VERIFY_PARTS_H
#define SB_INSPECT_VERIFY_PARTS_H

#include "inspect/verify/verify.h"

#include "core/file.h"
#include "io/seal.h"

typedef struct sb_subject {  /* a file, as far as its name and its first bytes tell */
    const char *path, *name; /* name: the last part of the path */
    char folder[SB_PATH_MAX];
    bool has_seal;
    sb_seal seal;
} sb_subject;

typedef struct sb_kind_of_file {
    const char *name;
    bool (*is)(const struct sb_kind_of_file *kind, const sb_subject *subject);
    /* SB_OK, and what holds; NULL: nothing in such a file is believed */
    sb_status (*check)(const sb_subject *subject, char *said, size_t size);
    unsigned seal;      /* of this seal, 0: of none */
    const char *ending; /* or named so, NULL: no matter how */
} sb_kind_of_file;

/* The first row that fits; the last one, of name "", fits every file. */
const sb_kind_of_file *sb_verify_kind(const sb_subject *subject);

#endif
