/* A sum whose parts are computed by all threads of a team and added by one thread, in their order, so any number of
 * threads gives the same bits. Every thread of the team calls:
 *
 *     sb_parts mine, *parts = sb_parts_shared(&mine);
 *     for up to SB_PARTS parts at a time:
 *         omp for: parts->part[k] = ...
 *         sb_parts_add(parts, n);
 *     omp single: ... = parts->total
 *
 * A barrier, such as the one of the last `single`, must come before a thread leaves the function with the variable
 * `mine`.
 */
#pragma once

enum { SB_PARTS = 1024 };

typedef struct sb_parts {
    double total, part[SB_PARTS];
} sb_parts;

/* The variable of one thread, shared by all, with total 0. */
static inline sb_parts *sb_parts_shared(sb_parts *mine)
{
#pragma omp single copyprivate(mine)
    mine->total = 0;
    return mine;
}

/* Add part[0], ... part[n - 1] to total, one after the other. */
static inline void sb_parts_add(sb_parts *parts, int n)
{
#pragma omp single
    for (int k = 0; k < n; k++) parts->total += parts->part[k];
}
