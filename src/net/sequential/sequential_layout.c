/* Where everything of a network of layers lies: its parameters and states with their names, and one block of memory. */
#include "net/layers/kind.h"
#include "net/losses/loss.h"

/* All device memory, in one order: sb_sequential_lay_out says how often it runs, and for what. */
static void lay_out(sequential *s, sb_arena *arena)
{
    sb_net *net = &s->net;
    const size_t n_bytes = net->params.total * sizeof(sb_real);
    net->weight = sb_arena_take(arena, n_bytes);
    net->grad = sb_arena_take(arena, n_bytes);
    net->loss = sb_arena_take(arena, (size_t)s->list.loss->n_terms * sizeof(double));
    net->norm2 = sb_arena_take(arena, sizeof(double));
    net->params = (sb_params){0};
    net->n_states = 0;
    for (int i = 0; i < s->n_steps; i++) {
        step *t = &s->step[i];
        t->first_param = net->params.total;
        if (t->row->kind->lay_out) t->row->kind->lay_out(s, arena, t);
        t->end_param = net->params.total;
    }
    char *pieces = sb_arena_take(arena, s->pieces_bytes);
    for (int i = 0; i < s->n_pieces; i++) s->piece[i].memory = pieces ? pieces + s->piece[i].offset : NULL;
    if (s->list.loss->lay_out) s->list.loss->lay_out(s, arena);
}

/* The first round names the parameters, the second counts with their total, the third points. */
sb_status sb_sequential_lay_out(sequential *s)
{
    sb_arena arena = {0};
    lay_out(s, &arena);
    arena.used = 0;
    lay_out(s, &arena);
    arena.size = arena.used;
    s->memory = arena.base = s->net.ops->allocate(s->net.ops, arena.used);
    arena.used = 0;
    if (!arena.base) return SB_E_MEMORY;
    lay_out(s, &arena);
    return SB_OK;
}

sb_tensor sb_sequential_map(const sequential *s, int number, sb_map_size size, int n)
{
    return (sb_tensor){n, 1, size.c, size.h, size.w, s->piece[number].memory};
}

sb_tensor sb_sequential_outputs(const sequential *s, int n)
{
    return sb_sequential_map(s, s->outputs, s->step[s->n_steps - 1].out, n);
}

sb_tensor sb_sequential_samples(const sb_tensor *map, int first, int n)
{
    sb_tensor part = *map;
    part.n = n;
    part.x += (size_t)first * sb_tensor_sample(map);
    return part;
}
