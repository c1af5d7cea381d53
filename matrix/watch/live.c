#include "matrix/watch/watch.h"

#include "core/machine/clock.h"
#include "io/run/journal.h"

#include <stdlib.h>
#include <string.h>

sb_status sb_live_open(sb_live *live, const sb_selection *selection, const sb_looker *looker)
{
    *live = (sb_live){.n = selection->n, .looker = *looker};
    live->cell = calloc(selection->n + 1, sizeof *live->cell);
    if (!live->cell) return sb_fail(SB_E_MEMORY, "not enough memory to watch %zu cells", selection->n);
    for (size_t i = 0; i < selection->n; i++)
        live->cell[i] = (sb_live_cell){.cell = selection->item[i], .state = SB_STATE_MISSING, .left = -1};
    return SB_OK;
}

void sb_live_close(sb_live *live)
{
    free(live->cell);
    *live = (sb_live){0};
}

/* Losses, and how fast it is: a journal says how long each update took. */
static void sample(sb_live_cell *c, const sb_store *store)
{
    sb_record record[SB_LIVE_CURVE];
    double seconds = 0;
    const size_t n = sb_journal_sample(store->journal, SB_LIVE_CURVE, record);
    for (size_t i = 0; i < n; i++) {
        c->curve[i] = record[i].loss_last;
        seconds += record[i].seconds;
    }
    c->n_curve = (int)n;
    c->rate = seconds > 0 ? (double)n / seconds : 0;
}

static void look_closer(sb_live_cell *c, const char *results)
{
    sb_store store;
    sb_watch progress = {0};
    if (sb_store_locate(&store, results, c->cell) != SB_OK) return;
    sb_watch_look(&progress, c->cell, &store);
    c->update = progress.update;
    c->total = progress.total;
    c->loss = progress.loss;
    sample(c, &store);
    c->left = c->rate > 0 && c->total >= c->update ? (double)(c->total - c->update) / c->rate : -1;
}

static void look(sb_live_cell *c, sb_looker *looker)
{
    sb_store_look found;
    if (sb_cell_state_is_done(c->state)) return;
    sb_look(&found, looker, c->cell, SB_TRUST_STAMP);
    *c = (sb_live_cell){.cell = c->cell, .state = found.state, .left = -1};
    memcpy(c->why, found.why, sizeof c->why);
    if (sb_cell_state_is_done(found.state)) c->update = (long)found.stamp.updates;
    if (found.state == SB_STATE_COMPLETE) c->total = c->update;
    if (found.state == SB_STATE_RUNNING || found.state == SB_STATE_MISSING) look_closer(c, looker->results);
}

void sb_live_look(sb_live *live)
{
    const double began = sb_clock_seconds();
    memset(live->count, 0, sizeof live->count);
    for (sb_live_cell *c = live->cell; c < live->cell + live->n; c++) {
        look(c, &live->looker);
        live->count[c->state]++;
    }
    live->seconds = sb_clock_seconds() - began;
}
