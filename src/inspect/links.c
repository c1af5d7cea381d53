#include "inspect/links.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const names[SB_LINK_PARTS] = {"batch", "gradient", "weights", "optimizer"};

const char *sb_links_part_name(const sb_links *links, sb_link_part part)
{
    return links->is_of_generations && part == SB_LINK_GRADIENT ? "parents" : names[part];
}

enum { NAME_BYTES = 32 };

/* The data set of a part. */
static const char *part_path(sb_link_part part, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "chain/%s", part == SB_LINK_OPTIMIZER ? "optimiser" : names[part]);
    return name;
}

static sb_status read_links(sb_links *links, sb_h5 *run)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(run, "chain/update", &shape));
    links->n = shape.n;
    links->is_of_generations = sb_h5_exists(run, "evolution/best");
    SB_TRY(sb_h5_read_new(run, "chain/update", SB_I64, shape.n, &links->update));
    for (int part = 0; part < SB_LINK_PARTS; part++) {
        char name[NAME_BYTES];
        SB_TRY(sb_h5_read_new(run, part_path(part, name), SB_U8, shape.n * sizeof(sb_hash), &links->hash[part]));
    }
    return SB_OK;
}

sb_status sb_links_read(sb_links *links, sb_h5 *run)
{
    *links = (sb_links){0};
    sb_status status = read_links(links, run);
    if (status != SB_OK) sb_links_free(links);
    return status;
}

sb_status sb_links_write(const sb_links *links, sb_h5 *file)
{
    SB_TRY(sb_h5_write(file, "chain/update", SB_I64, 1, &links->n, links->update, SB_H5_PACKED));
    for (int part = 0; part < SB_LINK_PARTS; part++) {
        char name[NAME_BYTES];
        SB_TRY(sb_h5_write(file, part_path(part, name), SB_U8, 2, (size_t[]){links->n, sizeof(sb_hash)},
                           links->hash[part], SB_H5_PACKED));
    }
    return SB_OK;
}

void sb_links_free(sb_links *links)
{
    free(links->update);
    for (int part = 0; part < SB_LINK_PARTS; part++) free(links->hash[part]);
    *links = (sb_links){0};
}

bool sb_links_find(const sb_links *links, int64_t update, size_t *i)
{
    for (*i = 0; *i < links->n; ++*i)
        if (links->update[*i] == update) return true;
    return false;
}

sb_parting sb_links_part(const sb_links *a, const sb_links *b)
{
    sb_parting p = {0};
    for (size_t i = 0, j = 0; i < a->n && j < b->n; i++, j++) {
        while (i < a->n && j < b->n && a->update[i] != b->update[j]) a->update[i] < b->update[j] ? i++ : j++;
        if (i >= a->n || j >= b->n) break;
        p.compared++;
        p.last = a->update[i];
        for (int part = 0; part < SB_LINK_PARTS; part++) {
            if (sb_hash_equal(a->hash[part][i], b->hash[part][j])) continue;
            p.update = p.last;
            p.part = part;
            p.name = sb_links_part_name(a, p.part);
            return p;
        }
        p.same = p.last;
    }
    return p;
}
