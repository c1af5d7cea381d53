#include "backend/command_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct stored {
    sb_gpu_work *work;
    sb_gpu_label label;
    size_t n_bytes; /* of the args after it, in whole entries' alignment */
} stored;

enum { ALIGN = 16 };

static size_t rounded(size_t n)
{
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

static bool reserve(sb_command_list *list, size_t n_bytes)
{
    if (n_bytes <= list->size) return true;
    size_t size = list->size ? list->size : 1 << 16;
    while (size < n_bytes) size *= 2;
    char *bytes = realloc(list->bytes, size);
    if (!bytes) return false;
    list->bytes = bytes, list->size = size;
    return true;
}

bool sb_command_list_add(sb_command_list *list, sb_gpu_work *work, const sb_gpu_label *label, const void *args,
                         size_t n_args, const void *more, size_t n_more)
{
    size_t head = rounded(sizeof(stored)), body = rounded(n_args + n_more);
    if (!reserve(list, list->used + head + body)) return false;
    char *at = list->bytes + list->used;
    memset(at, 0, head + body); /* lists are compared byte by byte */
    stored *e = (stored *)at;
    e->work = work, e->n_bytes = body;
    e->label.operation = label->operation;
    e->label.n = label->n, e->label.gates = label->gates, e->label.c = label->c, e->label.h = label->h,
    e->label.w = label->w;
    memcpy(at + head, args, n_args);
    if (n_more) memcpy(at + head + n_args, more, n_more);
    list->last = list->used;
    list->used += head + body;
    list->n++;
    return true;
}

void *sb_command_list_last(sb_command_list *list, sb_gpu_work *work)
{
    if (list->n == 0 || list->last == list->used) return NULL;
    stored *e = (stored *)(list->bytes + list->last);
    return e->work == work ? (char *)e + rounded(sizeof *e) : NULL;
}

void sb_command_list_take_back(sb_command_list *list)
{
    assert(list->n > 0 && list->last < list->used);
    list->used = list->last;
    list->n--;
}

bool sb_command_list_next(const sb_command_list *list, size_t *at, sb_list_entry *entry)
{
    if (*at >= list->used) return false;
    const stored *e = (const stored *)(list->bytes + *at);
    const size_t head = rounded(sizeof *e);
    *entry = (sb_list_entry){e->work, &e->label, list->bytes + *at + head};
    *at += head + e->n_bytes;
    return true;
}

void sb_list_entry_run(const sb_list_entry *entry, sb_gpu *gpu)
{
    gpu->label = *entry->label;
    entry->work(gpu, entry->args);
}

void sb_command_list_run(const sb_command_list *list, sb_gpu *gpu, void (*after_each)(sb_gpu *gpu))
{
    sb_list_entry entry;
    for (size_t at = 0; gpu->status == SB_OK && sb_command_list_next(list, &at, &entry);) {
        sb_list_entry_run(&entry, gpu);
        if (after_each && gpu->status == SB_OK) after_each(gpu);
    }
}

bool sb_command_list_same(const sb_command_list *a, const sb_command_list *b)
{
    return a->used == b->used && memcmp(a->bytes, b->bytes, a->used) == 0;
}

bool sb_command_list_copy(sb_command_list *to, const sb_command_list *from)
{
    if (!reserve(to, from->used)) return false;
    memcpy(to->bytes, from->bytes, from->used);
    to->used = from->used, to->n = from->n;
    return true;
}

void sb_command_list_free(sb_command_list *list)
{
    free(list->bytes);
    *list = (sb_command_list){0};
}
