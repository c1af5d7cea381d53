/* What the shorter tables of rows become: names, and the functions that find a row. */
#include "core/rows/activations.h"
#include "core/rows/arithmetics.h"
#include "core/rows/backends.h"
#include "core/rows/evidence.h"
#include "core/rows/optimizers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *const sb_evidence_name[SB_N_EVIDENCES] = {
#define EVIDENCE(id, name) name,
    SB_EVIDENCES(EVIDENCE)};

const char *const sb_activation_name[SB_N_ACTIVATIONS] = {
#define ACTIVATION(id, name) name,
    SB_ACTIVATIONS(ACTIVATION)};

sb_activation sb_activation_find(const char *name)
{
    sb_activation id = 0;
    while (id < SB_N_ACTIVATIONS && strcmp(sb_activation_name[id], name) != 0) id++;
    return id;
}

/* ---- what computes ---- */

const sb_arithmetic sb_arithmetics[] = {
#define ARITHMETIC(id, name, rules, settings, summary) {name, summary, rules},
    SB_ARITHMETICS(ARITHMETIC){0}};

const sb_arithmetic *sb_arithmetic_find(const char *name)
{
    if (!name) return sb_arithmetics;
    for (const sb_arithmetic *a = sb_arithmetics; a->name; a++)
        if (strcmp(a->name, name) == 0) return a;
    return NULL;
}

unsigned sb_arithmetic_rules(const char *name)
{
    const sb_arithmetic *found = sb_arithmetic_find(name);
    return found ? found->rules : 0;
}

unsigned sb_arithmetic_imitated(const char *name)
{
    return sb_arithmetic_rules(name) & SB_IMITATED_ALL;
}

enum { CPU, GPU, WRITTEN, LIBRARY };

static const struct backend_row {
    const char *name;
    int device, order;
} backend_rows[] = {
#define BACKEND(id, name, device, order, ...) {name, device, order},
    SB_BACKENDS(BACKEND)};

static const struct backend_row *find_backend(const char *name)
{
    for (size_t i = 0; i < sizeof backend_rows / sizeof *backend_rows; i++)
        if (strcmp(backend_rows[i].name, name) == 0) return &backend_rows[i];
    return NULL;
}

bool sb_backend_is_gpu(const char *name)
{
    const struct backend_row *row = find_backend(name);
    return row && row->device == GPU;
}

bool sb_backend_is_written(const char *name)
{
    const struct backend_row *row = find_backend(name);
    return row && row->order == WRITTEN;
}

/* ---- optimizers ---- */

#define STATE(state)                                         #state,
#define ROW(A, id, name, title, states, kind, one, settings) {name, title, SB_##kind, SB_STATES_##id, {states NULL}},
const sb_optimizer_row sb_optimizers[SB_N_OPTIMIZERS + 1] = {
    SB_OPTIMIZERS(ROW, STATE, ){"none", "no optimizer", SB_ELEMENTWISE, 0, {NULL}}};

#define FITS(A, id, ...) static_assert(SB_STATES_##id <= SB_STATES_MAX_OF_OPTIMIZER, "room for the states of " #id);
SB_OPTIMIZERS(FITS, SB_NO_STATE, )

sb_optimizer_id sb_optimizer_find(const char *name)
{
    sb_optimizer_id id = 0;
    while (id < SB_N_OPTIMIZERS && strcmp(sb_optimizers[id].name, name) != 0) id++;
    return id;
}

void sb_optimizer_group(sb_optimizer_id id, int state, char group[SB_OPTIMIZER_GROUP])
{
    snprintf(group, SB_OPTIMIZER_GROUP, "%s/%s", sb_optimizers[id].name, sb_optimizers[id].state[state]);
}
