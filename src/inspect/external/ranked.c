#include "inspect/external/recorded.h"

#include "core/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool sb_ranked_is(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISDIR(file.st_mode);
}

sb_status sb_ranked_check(const char *path_a, const char *path_b)
{
    if (!sb_ranked_is(path_a)) SB_TRY(sb_file_check_input(path_a));
    return sb_ranked_is(path_b) ? SB_OK : sb_file_check_input(path_b);
}

/* NAME.r12.h5 -> 12; -1: another name */
static long rank_of(const char *name)
{
    const size_t n = strlen(name);
    const char *dot = n > 3 && strcmp(name + n - 3, ".h5") == 0 ? name + n - 3 : NULL;
    const char *digit = dot;
    while (digit && digit > name && strchr("0123456789", digit[-1])) digit--;
    if (!dot || digit == dot || dot - digit > 6 || digit < name + 2 || digit[-1] != 'r' || digit[-2] != '.') return -1;
    return strtol(digit, NULL, 10);
}

static int is_ranked(const struct dirent *entry)
{
    return rank_of(entry->d_name) >= 0;
}

static int by_rank(const struct dirent **a, const struct dirent **b)
{
    const long x = rank_of((*a)->d_name), y = rank_of((*b)->d_name);
    return (x > y) - (x < y);
}

static sb_status add_path(sb_text_list *paths, const char *folder, const char *name)
{
    char path[SB_PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (n < 0 || (size_t)n >= sizeof path) return sb_file_too_long(folder);
    return sb_text_list_add(paths, path, (size_t)n) ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", folder);
}

static sb_status list_ranks(sb_text_list *paths, const char *folder)
{
    struct dirent **entry;
    const int n = scandir(folder, &entry, is_ranked, by_rank);
    if (n < 0) return sb_fail(SB_E_IO, "%s: %s", folder, strerror(errno));
    sb_status status = n ? SB_OK : sb_fail(SB_E_USAGE, "%s: no recordings of ranks, NAME.r0.h5, NAME.r1.h5, ...", folder);
    for (int i = 0; status == SB_OK && i < n; i++) {
        if (rank_of(entry[i]->d_name) == i)
            status = add_path(paths, folder, entry[i]->d_name);
        else
            status = sb_fail(SB_E_USAGE, "%s: %.200s is there, and rank %d is missing or there twice; a folder holds the "
                             "ranks of one run", folder, entry[i]->d_name, i);
    }
    for (int i = 0; i < n; i++) free(entry[i]);
    free(entry);
    return status;
}

/* Of one update, a part after those that it follows from: another batch of one rank is another gradient of all. */
static int order_of(const char *part)
{
    static const char *const order[] = {"parameters", "batch",   "loss",  "gradient",
                                        "optimizer",  "weights", "state", "generator"};
    int i = 0;
    while (i < (int)(sizeof order / sizeof *order) && strcmp(order[i], part) != 0) i++;
    return i;
}

static bool is_earlier(const sb_diff *a, const sb_diff *b)
{
    if (!b->differs) return true;
    if (!a->differs) return false;
    const sb_parting *x = &a->parting, *y = &b->parting;
    return x->update != y->update ? x->update < y->update : order_of(x->name) < order_of(y->name);
}

/* Keeps the comparison of the rank whose difference comes first. */
static sb_status compare_rank(sb_ranked_diff *d, size_t rank)
{
    sb_recorded_diff one;
    const sb_status status = sb_recorded_compare(&one, d->path[0].item[rank], d->path[1].item[rank]);
    if (status == SB_OK && (rank == 0 || is_earlier(&one.of, &d->of.of))) {
        sb_recorded_free(&d->of);
        d->of = one;
        d->rank = rank;
    } else {
        sb_recorded_free(&one);
    }
    return status;
}

sb_status sb_ranked_compare(sb_ranked_diff *d, const char *folder_a, const char *folder_b)
{
    *d = (sb_ranked_diff){0};
    SB_TRY(list_ranks(&d->path[0], folder_a));
    SB_TRY(list_ranks(&d->path[1], folder_b));
    d->n = d->path[0].n;
    if (d->n != d->path[1].n)
        return sb_fail(SB_E_USAGE, "%s has %zu ranks and %s has %zu: other ranks have other batches", folder_a, d->n,
                       folder_b, d->path[1].n);
    for (size_t rank = 0; rank < d->n; rank++) SB_TRY(compare_rank(d, rank));
    return SB_OK;
}

void sb_ranked_free(sb_ranked_diff *d)
{
    sb_recorded_free(&d->of);
    sb_text_list_free(&d->path[0]);
    sb_text_list_free(&d->path[1]);
}
