/* The table of kinds, and what most of them do. */
#include "net/layers/kind.h"

#include <stdio.h>
#include <string.h>

#define KIND(id, ...) &sb_layer_##id,
const sb_layer_kind *const sb_layer_kinds[SB_N_LAYERS] = {SB_LAYERS(KIND)};

int sb_layer_plan_gradient(sequential *s, step *t, int time, bool has_dx)
{
    if (!has_dx) return NO_PIECE;
    return sb_layer_has(t->row, SB_GRADIENT_IN_PLACE) && !sb_sequential_is_waiting(s, t->dy)
               ? t->dy
               : sb_sequential_add_map(s, t->in, time);
}

sb_status sb_layer_whole(const sb_layer_list *list, const char *what, double number, double least, double most,
                         int *value)
{
    if (number >= least && number <= most && number == (double)(long)number) {
        *value = (int)number;
        return SB_OK;
    }
    return sb_layer_refuse(list, list->n_rows, "%s wants a whole number in [%.0f, %.0f], not %g", what, least, most,
                           number);
}

/* ---- tensors ---- */

typedef struct tensor_name {
    char text[48];
} tensor_name;

static tensor_name name_of(const sb_layer_row *row, const char *what)
{
    tensor_name name;
    snprintf(name.text, sizeof name.text, "%s%s%s", row->name, strchr(row->name, '/') ? "_" : "/", what);
    return name;
}

sb_layer_param sb_layer_add_param(sequential *s, const sb_layer_row *row, const char *what, int rank, const size_t *dim)
{
    const size_t offset = sb_params_add(&s->net.params, 0, rank, dim, "%s", name_of(row, what).text);
    return (sb_layer_param){sb_net_at(s->net.weight, offset), sb_net_at(s->net.grad, offset)};
}

sb_layer_param sb_layer_add_scale(sequential *s, const sb_layer_row *row, int c)
{
    const sb_layer_param scale = sb_layer_add_param(s, row, "scale", 1, &(size_t){(size_t)c});
    sb_param *param = sb_params_last(&s->net.params);
    param->kind = SB_PARAM_SCALE, param->value = 1;
    return scale;
}

sb_layer_param sb_layer_add_shift(sequential *s, const sb_layer_row *row, int c)
{
    const sb_layer_param shift = sb_layer_add_param(s, row, "shift", 1, &(size_t){(size_t)c});
    sb_params_last(&s->net.params)->kind = SB_PARAM_SHIFT;
    return shift;
}

sb_real *sb_layer_add_state(sequential *s, sb_arena *arena, const sb_layer_row *row, const char *what,
                            sb_state_kind kind, int rank, const size_t *dim, double start)
{
    size_t n = 1;
    for (int i = 0; i < rank; i++) n *= dim[i];
    sb_real *memory = sb_arena_take(arena, n * sizeof *memory);
    sb_net_add_state(&s->net, kind, rank, dim, memory, start, "%s", name_of(row, what).text);
    return memory;
}
