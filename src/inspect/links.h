/* The hash chain of a run, and where two chains diverge. */
#pragma once

#include "io/h5/h5.h"

#include "core/hash.h"

/* The hashes of an entry, in the order in which each is computed from the previous ones. */
typedef enum sb_link_part {
    SB_LINK_BATCH,
    SB_LINK_GRADIENT,
    SB_LINK_WEIGHTS,
    SB_LINK_OPTIMIZER,
    SB_LINK_PARTS
} sb_link_part;

typedef struct sb_links { /* {0} is empty */
    size_t n;
    int64_t *update;              /* [n], ascending */
    sb_hash *hash[SB_LINK_PARTS]; /* [n] each */
    bool is_of_generations;       /* of a run without gradients: SB_LINK_GRADIENT is then the hash of the parents'
                                   * genomes */
} sb_links;

/* "gradient", or "parents" */
const char *sb_links_part_name(const sb_links *links, sb_link_part part);

/* Read /chain of an open run file. A failed call leaves nothing to free. */
sb_status sb_links_read(sb_links *links, sb_h5 *run);
void sb_links_free(sb_links *links);

/* Write /chain of an open file; at least one entry. */
sb_status sb_links_write(const sb_links *links, sb_h5 *file);

/* Set *i to the entry of an update; false: there is none. */
bool sb_links_find(const sb_links *links, int64_t update, size_t *i);

typedef struct sb_parting {
    size_t compared;   /* entries that both have, up to the first that differs */
    int64_t last;      /* update of the last compared entry */
    int64_t update;    /* update of the first entry that differs; 0: none */
    int64_t same;      /* update of the last equal entry before it; 0: none, or the initial state */
    sb_link_part part; /* the first part that differs in it */
    const char *name;  /* name of that part */
} sb_parting;

sb_parting sb_links_part(const sb_links *a, const sb_links *b);
