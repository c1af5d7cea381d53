/* Is a golden file of this network? A file of another one would be reported as a deviation, which it is not. */
#include "inspect/check/check_parts.h"

#include "io/h5/h5_walk.h"

#include <string.h>

typedef struct search {
    sb_h5 *file;
    const sb_net *net;
    int n_found;
} search;

static const sb_param *find_param(const sb_net *net, const char *name)
{
    for (int p = 0; p < net->params.n; p++)
        if (strcmp(net->params.list[p].name, name) == 0) return &net->params.list[p];
    return NULL;
}

static bool is_frozen(const sb_net *net, const char *name)
{
    for (int i = 0; i < net->n_states; i++)
        if (net->state[i].kind == SB_STATE_FROZEN && strcmp(net->state[i].name, name) == 0) return true;
    return false;
}

static sb_status visit_start_weight(void *context, const char *name)
{
    search *s = context;
    char path[160];
    sb_h5_shape shape;
    const sb_param *param = find_param(s->net, name);
    if (!param && is_frozen(s->net, name)) return SB_OK; /* read with the states */
    if (!param)
        return sb_fail(SB_E_INTEGRITY, "%s: is of another network: it has a parameter %.64s, which %s has not",
                       sb_h5_path(s->file), name, s->net->model);
    snprintf(path, sizeof path, "init/%s", param->name);
    SB_TRY(sb_h5_shape_of(s->file, path, &shape));
    if (shape.n != param->n)
        return sb_fail(SB_E_INTEGRITY, "%s: is of another network: its parameter %s has %zu elements, not %zu",
                       sb_h5_path(s->file), name, shape.n, param->n);
    s->n_found++;
    return SB_OK;
}

sb_status sb_check_parameters(sb_h5 *file, const sb_net *net)
{
    search s = {.file = file, .net = net};
    SB_TRY(sb_h5_each_dataset(file, "init", visit_start_weight, &s));
    if (s.n_found == net->params.n) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: is of another network: it has %d parameters, and this %s has %d",
                   sb_h5_path(file), s.n_found, net->model, net->params.n);
}
