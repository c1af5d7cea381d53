/* The hash chain of a run, and where two chains part. */
#ifndef SB_INSPECT_LINKS_H
#define SB_INSPECT_LINKS_H

#include "io/h5/h5.h"

#include "core/hash.h"

/* What a link hashes, in the order in which one follows from the other. */
typedef enum sb_link_part {
    SB_LINK_BATCH,
    SB_LINK_GRADIENT,
    SB_LINK_WEIGHTS,
    SB_LINK_OPTIMIZER,
    SB_LINK_PARTS
} sb_link_part;

typedef struct sb_links { /* {0} holds none */
    size_t n;
    int64_t *update;              /* [n], ascending */
    sb_hash *hash[SB_LINK_PARTS]; /* [n] each */
    bool is_of_generations;       /* of a run without gradients, whose links have the genomes of parents there */
} sb_links;

/* "gradient", or "parents" */
const char *sb_links_part_name(const sb_links *links, sb_link_part part);

/* /chain of an open run file. A failed call leaves nothing to free. */
sb_status sb_links_read(sb_links *links, sb_h5 *run);
void sb_links_free(sb_links *links);

/* /chain of a file that is being written; at least one link. */
sb_status sb_links_write(const sb_links *links, sb_h5 *file);

/* The link of an update; false if there is none. */
bool sb_links_find(const sb_links *links, int64_t update, size_t *i);

typedef struct sb_parting {
    size_t compared;   /* links that both have, up to the first that differs */
    int64_t last;      /* update of the last link compared */
    int64_t update;    /* of the first that differs; 0: none */
    int64_t same;      /* of the last one before it that both have; 0: none, or the start */
    sb_link_part part; /* the first that differs in it */
    const char *name;  /* of that part */
} sb_parting;

sb_parting sb_links_part(const sb_links *a, const sb_links *b);

#endif
