/* A sum whose parts all threads of a team find and one thread adds up, in their order: any number of threads gives the
 * same bits. By every thread of the team:
 *
 *     sb_parts mine, *parts = sb_parts_shared(&mine);
 *     for up to SB_PARTS parts at a time:
 *         omp for: parts->part[k] = ...
 *         sb_parts_add(parts, n);
 *     omp single: ... = parts->total
 *
 * The last of them, or any later barrier, comes before a thread leaves the function that `mine` belongs to.
 */
#ifndef SB_OPS_PARTS_H
#define SB_OPS_PARTS_H

enum { SB_PARTS = 1024 };

typedef struct sb_parts {
    double total, part[SB_PARTS];
} sb_parts;

/* One thread's, for all; its total is 0. */
static inline sb_parts *sb_parts_shared(sb_parts *mine)
{
#pragma omp single copyprivate(mine)
    mine->total = 0;
    return mine;
}

/* total += part[0] + ... part[n - 1], one after the other. */
static inline void sb_parts_add(sb_parts *parts, int n)
{
#pragma omp single
    for (int k = 0; k < n; k++) parts->total += parts->part[k];
}

#endif
