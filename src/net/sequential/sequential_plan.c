/* From rows to steps, and where their maps and gradients lie: pieces of memory by the times at which they are needed.
 * What a kind says its backward pass reads again is kept so long; all other maps are gone with the step that reads them.
 */
#include "net/layers/kind.h"
#include "net/losses/loss.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- pieces ---- */

int sb_sequential_add_piece(sequential *s, size_t n_bytes, int time)
{
    assert(s->n_pieces < PIECES_MAX);
    s->piece[s->n_pieces] = (piece){.n_bytes = n_bytes, .first = time, .last = time};
    return s->n_pieces++;
}

void sb_sequential_need(sequential *s, int number, int time)
{
    piece *p = &s->piece[number];
    if (time > p->last) p->last = time;
}

static size_t map_bytes(const sequential *s, sb_map_size size)
{
    return (size_t)s->form.batch * size.c * size.h * size.w * sizeof(sb_real);
}

int sb_sequential_add_map(sequential *s, sb_map_size size, int time)
{
    return sb_sequential_add_piece(s, map_bytes(s, size), time);
}

static bool meet(const piece *a, const piece *b)
{
    return a->first <= b->last && b->first <= a->last;
}

static size_t aligned(size_t n_bytes)
{
    return (n_bytes + SB_ARENA_ALIGN - 1) / SB_ARENA_ALIGN * SB_ARENA_ALIGN;
}

static int by_size(const void *a, const void *b)
{
    const piece *p = *(piece *const *)a, *q = *(piece *const *)b;
    if (p->n_bytes != q->n_bytes) return p->n_bytes < q->n_bytes ? 1 : -1;
    return p < q ? -1 : 1;
}

/* Past the end of the first placed piece that p would overlap at this offset; the offset itself if there is none. */
static size_t past_overlap(piece *const *placed, int n, const piece *p, size_t offset)
{
    for (int i = 0; i < n; i++) {
        const piece *other = placed[i];
        if (meet(p, other) && offset < other->offset + aligned(other->n_bytes) &&
            other->offset < offset + aligned(p->n_bytes))
            return other->offset + aligned(other->n_bytes);
    }
    return offset;
}

/* The largest first, each at the lowest place that is free while it is needed. */
static void place_pieces(sequential *s)
{
    piece *order[PIECES_MAX];
    for (int i = 0; i < s->n_pieces; i++) order[i] = &s->piece[i];
    qsort(order, (size_t)s->n_pieces, sizeof *order, by_size);
    for (int i = 0; i < s->n_pieces; i++) {
        size_t offset = 0, next;
        while ((next = past_overlap(order, i, order[i], offset)) != offset) offset = next;
        order[i]->offset = offset;
        if (offset + aligned(order[i]->n_bytes) > s->pieces_bytes)
            s->pieces_bytes = offset + aligned(order[i]->n_bytes);
    }
}

/* ---- steps ---- */

static void make_steps(sequential *s, const sb_map_size *size)
{
    const sb_layer_list *list = &s->list;
    for (int i = 0; i < list->n_rows; i++) {
        step *t = &s->step[s->n_steps++];
        *t = (step){.row = &list->row[i],
                    .number = i + 1,
                    .in = i ? size[i - 1] : list->input,
                    .out = size[i],
                    .dy = NO_PIECE,
                    .dx = NO_PIECE};
        for (int k = 0; k < STEP_PIECES; k++) t->piece[k] = NO_PIECE;
        if (t->row->kind->takes_activation && i + 1 < list->n_rows && list->row[i + 1].kind == &sb_layer_activation)
            t->activation = &list->row[++i];
    }
}

/* Does anything learn in the steps before i? */
static bool learns_before(const sequential *s, int i)
{
    while (--i >= 0)
        if (sb_layer_has(s->step[i].row, SB_LEARNS)) return true;
    return false;
}

sb_status sb_sequential_refuse(const sequential *s, const step *t, sb_status status)
{
    char why[512];
    if (status != SB_E_USAGE) return status;
    snprintf(why, sizeof why, "%s", sb_message());
    return sb_layer_refuse(&s->list, t->number - 1, "%s", why);
}

/* ---- passes ---- */

/* In place where nothing later reads the input. */
static sb_status plan_forward(sequential *s)
{
    int x = s->input;
    for (step *t = s->step; t < s->step + s->n_steps; t++) {
        const int time = sb_sequential_time_forward(s, t), again = sb_layer_has(t->row, SB_LEARNS)
                                                                       ? sb_sequential_time_learn(s, t)
                                                                       : sb_sequential_time_backward(s, t);
        t->x = x;
        sb_sequential_need(s, x, sb_layer_has(t->row, SB_READS_INPUT_AGAIN) ? again : time);
        if (t->row->kind->plan) SB_TRY(t->row->kind->plan(s, t, time));
        if (sb_layer_has(t->row, SB_PASSES) || (sb_layer_has(t->row, SB_IN_PLACE) && s->piece[x].last == time))
            t->y = x;
        else
            t->y = sb_sequential_add_map(s, t->out, time);
        if (sb_layer_has(t->row, SB_READS_OUTPUT_AGAIN)) sb_sequential_need(s, t->y, again);
        x = t->y;
    }
    s->outputs = x;
    sb_sequential_need(s, x, time_of_end(s));
    return SB_OK;
}

bool sb_sequential_is_waiting(const sequential *s, int gradient)
{
    for (int i = 0; i < s->n_waiting; i++)
        if (s->waiting[i] == gradient) return true;
    return false;
}

static void plan_backward(sequential *s)
{
    int gradient = s->doutputs = sb_sequential_add_map(s, s->step[s->n_steps - 1].out, time_of_loss(s));
    for (int i = s->n_steps - 1; i >= 0; i--) {
        step *t = &s->step[i];
        const int time = sb_sequential_time_backward(s, t);
        const bool has_dx = learns_before(s, i);
        if (!sb_layer_has(t->row, SB_LEARNS) && !has_dx) return;
        t->dy = gradient;
        sb_sequential_need(s, gradient, sb_layer_has(t->row, SB_LEARNS) ? sb_sequential_time_learn(s, t) : time);
        gradient = t->dx =
            (t->row->kind->plan_backward ? t->row->kind->plan_backward : sb_layer_plan_gradient)(s, t, time, has_dx);
        if (!has_dx) return;
    }
}

sb_status sb_sequential_plan(sequential *s, const sb_map_size *size)
{
    s->n_steps = s->n_pieces = s->n_waiting = 0, s->pieces_bytes = 0;
    make_steps(s, size);
    s->input = sb_sequential_add_map(s, s->list.input, 0);
    s->planes = sb_sequential_reads_tokens(s) || s->list.input.h * s->list.input.w == 1
                    ? s->input
                    : sb_sequential_add_map(s, s->list.input, 0);
    if (s->list.loss->target == SB_LOSS_OF_INPUT) sb_sequential_need(s, s->input, time_of_loss(s));
    SB_TRY(plan_forward(s));
    s->other_outputs = NO_PIECE;
    if (s->list.loss->target == SB_LOSS_OF_LABELS) {
        s->other_outputs = sb_sequential_add_map(s, s->step[s->n_steps - 1].out, 0);
        sb_sequential_need(s, s->other_outputs, time_of_end(s));
    }
    plan_backward(s);
    place_pieces(s);
    return SB_OK;
}
