#include "net/prednet/prednet_parts.h"

#include <stdio.h>

typedef struct known {
    const char *name;
    const sb_tensor *tensors; /* [n] */
    int n;
    bool is_of_frame; /* one for each frame; else of whatever frame is in work */
} known;

static bool name_in_layer(const prednet *p, int layer_number, const void *memory, char *text, size_t size)
{
    const layer *l = &p->layer[layer_number];
    const int frames = p->shape.window + 1;
    const known list[] = {
        {"P", l->p, frames, true},
        {"R", l->r, frames, true},
        {"cell", l->cell, frames, true},
        {"E", l->e, frames, true},
        {"gates", l->gates, frames, true},
        {"peepholes", &l->peephole, 1, false},
        {"gradient of the peepholes", &l->dpeephole, 1, false},
        {"ConvA's output", l->before_pool, SB_STEPS, false},
        {"A", l->a, SB_STEPS, false},
        {"gradient of E", l->de, SB_STEPS, false},
        {"gradient of A", l->da, SB_STEPS, false},
        {"gradient of P", l->dp, SB_STEPS, false},
        {"gradient of R", l->dr, SB_STEPS, false},
        {"gradient of the cell", &l->dcell, 1, false},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (int t = 0; t < list[i].n; t++) {
            if (!memory || memory != list[i].tensors[t].x) continue;
            int used = snprintf(text, size, "%s of layer %d", list[i].name, layer_number);
            if (list[i].is_of_frame) snprintf(text + used, size - (size_t)used, ", frame %d", t);
            return true;
        }
    return false;
}

bool sb_prednet_name(const sb_net *net, const void *memory, char *text, size_t size)
{
    const prednet *p = (const prednet *)net;
    for (int t = 0; t <= p->shape.window; t++)
        if (memory == p->frame[t].x) return snprintf(text, size, "frame %d", t) > 0;
    for (int n = 0; n < p->shape.n_layers; n++)
        if (name_in_layer(p, n, memory, text, size)) return true;
    return false;
}
