#include "backend/tape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    sb_gpu_work *work;
    sb_gpu_label label;
    size_t n_bytes; /* of the args behind it, in whole entries' alignment */
} entry;

enum { ALIGN = 16 };

static size_t rounded(size_t n)
{
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

static bool reserve(sb_tape *tape, size_t n_bytes)
{
    if (n_bytes <= tape->size) return true;
    size_t size = tape->size ? tape->size : 1 << 16;
    while (size < n_bytes) size *= 2;
    char *bytes = realloc(tape->bytes, size);
    if (!bytes) return false;
    tape->bytes = bytes, tape->size = size;
    return true;
}

bool sb_tape_add(sb_tape *tape, sb_gpu_work *work, const sb_gpu_label *label, const void *args, size_t n_args,
                 const void *more, size_t n_more)
{
    size_t head = rounded(sizeof(entry)), body = rounded(n_args + n_more);
    if (!reserve(tape, tape->used + head + body)) return false;
    char *at = tape->bytes + tape->used;
    memset(at, 0, head + body); /* lists are compared byte by byte */
    entry *e = (entry *)at;
    e->work = work, e->n_bytes = body;
    e->label.operation = label->operation;
    e->label.n = label->n, e->label.gates = label->gates, e->label.c = label->c, e->label.h = label->h,
    e->label.w = label->w;
    memcpy(at + head, args, n_args);
    if (n_more) memcpy(at + head + n_args, more, n_more);
    tape->last = tape->used;
    tape->used += head + body;
    tape->n++;
    return true;
}

void *sb_tape_last(sb_tape *tape, sb_gpu_work *work)
{
    if (tape->n == 0 || tape->last == tape->used) return NULL;
    entry *e = (entry *)(tape->bytes + tape->last);
    return e->work == work ? (char *)e + rounded(sizeof *e) : NULL;
}

void sb_tape_take_back(sb_tape *tape)
{
    assert(tape->n > 0 && tape->last < tape->used);
    tape->used = tape->last;
    tape->n--;
}

void sb_tape_run(const sb_tape *tape, sb_gpu *gpu, void (*after_each)(sb_gpu *gpu))
{
    size_t head = rounded(sizeof(entry));
    for (const char *at = tape->bytes, *end = at + tape->used; at < end && gpu->status == SB_OK;) {
        const entry *e = (const entry *)at;
        gpu->label = e->label;
        e->work(gpu, at + head);
        if (after_each && gpu->status == SB_OK) after_each(gpu);
        at += head + e->n_bytes;
    }
}

bool sb_tape_same(const sb_tape *a, const sb_tape *b)
{
    return a->used == b->used && memcmp(a->bytes, b->bytes, a->used) == 0;
}

bool sb_tape_copy(sb_tape *to, const sb_tape *from)
{
    if (!reserve(to, from->used)) return false;
    memcpy(to->bytes, from->bytes, from->used);
    to->used = from->used, to->n = from->n;
    return true;
}

void sb_tape_free(sb_tape *tape)
{
    free(tape->bytes);
    *tape = (sb_tape){0};
}
