#include "record/traced.h"

#include "core/size.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts, found by their hash ---- */

static size_t slot_of(const sb_traced_update *t, const char *text)
{
    const sb_hash hash = sb_hash_of(text, strlen(text), 1);
    uint64_t at;
    memcpy(&at, hash.byte, sizeof at);
    at %= t->n_places;
    while (t->place[at] && strcmp(t->text.item[t->place[at] - 1], text) != 0) at = (at + 1) % t->n_places;
    return (size_t)at;
}

static bool grow_places(sb_traced_update *t)
{
    if (2 * (t->text.n + 2) <= t->n_places) return true;
    free(t->place);
    t->n_places = 4 * t->text.n + 64;
    t->place = sb_size_allocate(t->n_places, sizeof *t->place);
    if (!t->place) t->n_places = 0;
    for (size_t i = 0; t->place && i < t->text.n; i++) t->place[slot_of(t, t->text.item[i])] = i + 1;
    return t->place != NULL;
}

int64_t sb_traced_text(sb_traced_update *t, const char *text)
{
    if (!grow_places(t)) return -1;
    if (t->text.n == 0) { /* number 0 is the empty one */
        const size_t empty = slot_of(t, "");
        if (!sb_text_list_add(&t->text, "", 0)) return -1;
        t->place[empty] = 1;
    }
    const size_t slot = slot_of(t, text);
    if (t->place[slot]) return (int64_t)t->place[slot] - 1;
    if (!sb_text_list_add(&t->text, text, strlen(text))) return -1;
    t->place[slot] = t->text.n;
    return (int64_t)t->text.n - 1;
}

/* ---- rows ---- */

static void free_numbers(const sb_traced_tensor *tensor, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(tensor[i].sketch);
        free(tensor[i].kept);
    }
}

bool sb_traced_add(sb_traced_update *t, const sb_traced_op *row, const sb_traced_tensor *tensor, size_t n)
{
    if (!sb_size_reserve(&t->row, &t->room, t->n + 1, sizeof *t->row) ||
        !sb_size_reserve(&t->tensor, &t->tensors_room, t->n_tensors + n, sizeof *t->tensor)) {
        free_numbers(tensor, n);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        t->tensor[t->n_tensors + i] = tensor[i];
        t->tensor[t->n_tensors + i].row = (int64_t)t->n;
    }
    t->row[t->n] = *row;
    t->row[t->n].first = t->n_tensors;
    t->row[t->n++].n = n;
    t->n_tensors += n;
    return true;
}

void sb_traced_update_free(sb_traced_update *t)
{
    free(t->framework);
    free(t->settings);
    sb_text_list_free(&t->text);
    free(t->row);
    free_numbers(t->tensor, t->n_tensors);
    free(t->tensor);
    free(t->place);
    *t = (sb_traced_update){0};
}
