#include "inspect/links.h"

#include <math.h>
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

sb_status sb_losses_read(sb_losses *losses, sb_h5 *run)
{
    sb_h5_shape rows;
    *losses = (sb_losses){0};
    SB_TRY(sb_h5_shape_of(run, "train/loss_last", &rows));
    losses->n = rows.n;
    sb_status status = sb_h5_read_new(run, "train/loss_last", SB_F64, rows.n, &losses->last);
    if (status == SB_OK && sb_h5_exists(run, "train/loss_mean"))
        status = sb_h5_read_new(run, "train/loss_mean", SB_F64, rows.n, &losses->mean);
    if (status != SB_OK) sb_losses_free(losses);
    return status;
}

void sb_losses_free(sb_losses *losses)
{
    free(losses->last);
    free(losses->mean);
    *losses = (sb_losses){0};
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool sb_losses_hold(const sb_losses *losses, int64_t update, double last, double mean)
{
    return is_same(losses->last[update - 1], last) && (!losses->mean || is_same(losses->mean[update - 1], mean));
}

int64_t sb_losses_part(const sb_losses *a, const sb_losses *b)
{
    const int64_t n = (int64_t)(a->n < b->n ? a->n : b->n);
    const bool has_means = a->mean && b->mean;
    for (int64_t i = 0; i < n; i++)
        if (!is_same(a->last[i], b->last[i]) || (has_means && !is_same(a->mean[i], b->mean[i]))) return i + 1;
    return 0;
}

void sb_losses_parting_text(const sb_parting *parting, int64_t loss_update, char text[SB_LOSSES_TEXT])
{
    const sb_parting *p = parting;
    if (sb_parting_is_exact(p))
        snprintf(text, SB_LOSSES_TEXT, "first difference: update %lld, %s", (long long)p->update, p->name);
    else if (loss_update)
        snprintf(text, SB_LOSSES_TEXT,
                 "first entry of the chain that differs: %lld; recorded losses differ from update %lld",
                 (long long)p->update, (long long)loss_update);
    else
        snprintf(text, SB_LOSSES_TEXT, "first entry of the chain that differs: %lld; recorded losses do not differ",
                 (long long)p->update);
}
