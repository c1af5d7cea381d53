#include "core/size.h"
#include "inspect/external/explain.h"

#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

bool sb_traced_is_generator(const sb_traced_update *t, const sb_traced_tensor *x)
{
    return strcmp(sb_traced_word(t, x->role), "generator") == 0 && *sb_traced_word(t, x->shape) == 0;
}

const sb_traced_tensor *sb_traced_result(const sb_traced_update *t, const sb_traced_op *row)
{
    for (size_t k = row->first; k < row->first + row->n; k++)
        if (t->tensor[k].flags & SB_TRACED_WRITTEN && !sb_traced_is_generator(t, &t->tensor[k])) return &t->tensor[k];
    return NULL;
}

bool sb_traced_is_copy(const sb_traced_update *t, const sb_traced_op *row)
{
    const sb_traced_tensor *result = sb_traced_result(t, row);
    if (row->mark || !result || !sb_class_is_copy(sb_traced_word(t, row->operation))) return false;
    for (size_t k = row->first; k < row->first + row->n; k++)
        if (!(t->tensor[k].flags & SB_TRACED_WRITTEN) && sb_hash_equal(t->tensor[k].hash, result->hash)) return true;
    return false;
}

typedef struct key {
    uint64_t whole;
    uint64_t close, rough; /* close: operation, phase and names written; rough: class and phase; 0 of marks */
} key;

static uint64_t number_of(const sb_bytes *b)
{
    const sb_hash hash = sb_hash_of(b->at, b->n, 1);
    uint64_t number;
    memcpy(&number, hash.byte, sizeof number);
    return number | 1; /* 0 is none */
}

static void add_names(sb_bytes *b, const sb_traced_update *t, const sb_traced_op *row)
{
    for (size_t k = row->first; k < row->first + row->n; k++) sb_bytes_add_text(b, sb_traced_word(t, t->tensor[k].name));
}

/* For each text of the trace: is it the name of a weight? NULL: memory was short. */
static bool *weights_of(const sb_traced_update *t)
{
    bool *is_weight = sb_size_allocate(t->text.n + 1, sizeof *is_weight);
    for (size_t i = 0; is_weight && i < t->n; i++) {
        const sb_traced_op *row = &t->row[i];
        if (!row->mark || strcmp(sb_traced_word(t, row->operation), "weights before") != 0) continue;
        for (size_t k = row->first; k < row->first + row->n; k++) is_weight[t->tensor[k].name] = true;
    }
    return is_weight;
}

/* The weights that a row reads: they tell the gradient of an input from the gradient of a weight. */
static void add_weights(sb_bytes *b, const sb_traced_update *t, const sb_traced_op *row, const bool *is_weight)
{
    for (size_t k = row->first; k < row->first + row->n; k++)
        if (is_weight[t->tensor[k].name] && !(t->tensor[k].flags & SB_TRACED_WRITTEN))
            sb_bytes_add_text(b, sb_traced_word(t, t->tensor[k].name));
}

static uint64_t close_of(const sb_traced_update *t, const sb_traced_op *row)
{
    sb_bytes b = {0};
    sb_bytes_add_text(&b, sb_traced_word(t, row->operation));
    sb_bytes_add_integer(&b, row->phase);
    for (size_t k = row->first; k < row->first + row->n; k++)
        if (t->tensor[k].flags & SB_TRACED_WRITTEN) sb_bytes_add_text(&b, sb_traced_word(t, t->tensor[k].name));
    const uint64_t number = b.failed ? 0 : number_of(&b);
    sb_bytes_free(&b);
    return number;
}

static key key_of(const sb_traced_update *t, const sb_traced_op *row, const bool *is_weight)
{
    char class[SB_CLASS_TEXT];
    sb_bytes b = {0};
    key k = {0};
    const sb_traced_tensor *result = sb_traced_result(t, row);
    sb_class_of(sb_traced_word(t, row->operation), class);
    sb_bytes_add_text(&b, row->mark ? sb_traced_word(t, row->operation) : class);
    sb_bytes_add_integer(&b, row->mark ? -1 : row->phase);
    if (!row->mark) {
        if (!b.failed) k.rough = number_of(&b);
        k.close = close_of(t, row);
        sb_bytes_add_text(&b, sb_traced_word(t, row->module));
        sb_bytes_add_text(&b, result ? sb_traced_word(t, result->shape) : "");
        if (row->phase == SB_TRACED_OPTIMIZER)
            add_names(&b, t, row);
        else
            add_weights(&b, t, row, is_weight);
    }
    if (!b.failed) k.whole = number_of(&b);
    sb_bytes_free(&b);
    return k;
}

/* The rows of a side that take part, in order. */
typedef struct side {
    size_t n;
    int64_t *row;
    key *key;
    int64_t *of; /* the place of its partner in the other side's list; -1: none */
} side;

static bool make_side(side *s, const sb_traced_update *t)
{
    s->row = sb_size_allocate(t->n, sizeof *s->row);
    s->key = sb_size_allocate(t->n, sizeof *s->key);
    s->of = sb_size_allocate(t->n, sizeof *s->of);
    bool *is_weight = weights_of(t);
    const bool fits = s->row && s->key && s->of && is_weight;
    for (size_t i = 0; fits && i < t->n; i++) {
        if (sb_traced_is_copy(t, &t->row[i])) continue;
        s->row[s->n] = (int64_t)i;
        s->key[s->n] = key_of(t, &t->row[i], is_weight);
        s->of[s->n++] = SB_ALIGN_NONE;
    }
    free(is_weight);
    return fits;
}

static void free_side(side *s)
{
    free(s->row);
    free(s->key);
    free(s->of);
}

static void pair(side *a, side *b, size_t i, size_t j)
{
    a->of[i] = (int64_t)j;
    b->of[j] = (int64_t)i;
}

/* ---- Myers' greedy search between two places ---- */

typedef struct range {
    size_t a, a_end, b, b_end;
} range;

enum { EDITS_MOST = 3000 };

/* Walk back through the furthest places of each number of edits, and pair what was passed without one. */
static void walk_back(side *a, side *b, const range *r, int64_t **furthest, int64_t edits)
{
    int64_t x = (int64_t)(r->a_end - r->a), y = (int64_t)(r->b_end - r->b);
    for (int64_t d = edits; d >= 0; d--) {
        const int64_t k = x - y, *v = furthest[d] + d; /* v[-d..d] of the round before this edit */
        const bool down = d > 0 && (k == -d || (k != d && v[k - 1] < v[k + 1]));
        const int64_t before_k = down ? k + 1 : k - 1, before_x = d ? v[before_k] : 0;
        const int64_t before_y = d ? before_x - before_k : 0, from_x = d ? (down ? before_x : before_x + 1) : 0;
        while (x > from_x && y > (d ? (down ? before_y + 1 : before_y) : 0))
            pair(a, b, r->a + (size_t)--x, r->b + (size_t)--y);
        x = before_x, y = before_y;
    }
}

/* furthest[d] has room for 2d + 1 numbers: how far the diagonals -d+1..d-1 came with d - 1 edits, for walk_back. */
static bool search(side *a, side *b, const range *r, int64_t **furthest)
{
    const int64_t n = (int64_t)(r->a_end - r->a), m = (int64_t)(r->b_end - r->b);
    const int64_t most = n + m < EDITS_MOST ? n + m : EDITS_MOST;
    int64_t *room = sb_size_allocate((size_t)(2 * most + 3), sizeof *room), *v = room ? room + most + 1 : NULL;
    bool found = false;
    for (int64_t d = 0; v && !found && d <= most; d++) {
        furthest[d] = sb_size_allocate((size_t)(2 * d + 1), sizeof **furthest);
        if (!furthest[d]) break;
        memcpy(furthest[d], v - d, (size_t)(2 * d + 1) * sizeof *v);
        for (int64_t k = -d; !found && k <= d; k += 2) {
            int64_t x = d == 0 ? 0 : (k == -d || (k != d && v[k - 1] < v[k + 1])) ? v[k + 1] : v[k - 1] + 1;
            while (x < n && x - k < m && a->key[r->a + (size_t)x].whole == b->key[r->b + (size_t)(x - k)].whole) x++;
            v[k] = x;
            if (x == n && x - k == m) {
                walk_back(a, b, r, furthest, d);
                found = true;
            }
        }
    }
    free(room);
    return found;
}

/* Where the search would take too long: each row with the next one of its key. */
static void pair_in_order(side *a, side *b, const range *r)
{
    size_t j = r->b;
    for (size_t i = r->a; i < r->a_end; i++)
        for (size_t at = j; at < r->b_end && at < j + 64; at++)
            if (a->key[i].whole == b->key[at].whole) {
                pair(a, b, i, at);
                j = at + 1;
                break;
            }
}

static bool pair_between(side *a, side *b, const range *r)
{
    SB_FREED int64_t **furthest = sb_size_allocate(EDITS_MOST + 1, sizeof *furthest);
    if (!furthest) return false;
    if (!search(a, b, r, furthest)) pair_in_order(a, b, r);
    for (size_t d = 0; d <= EDITS_MOST; d++) free(furthest[d]);
    return true;
}

/* ---- anchors: keys that occur once on both sides ---- */

typedef struct place {
    uint64_t key;
    size_t at;
} place;

static int by_key(const void *x, const void *y)
{
    const place *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static place *sorted(const side *s, size_t first, size_t end)
{
    place *list = sb_size_allocate(end - first, sizeof *list);
    for (size_t i = first; list && i < end; i++) list[i - first] = (place){s->key[i].whole, i};
    if (list) qsort(list, end - first, sizeof *list, by_key);
    return list;
}

static bool is_single(const place *list, size_t n, size_t i)
{
    return (i == 0 || list[i - 1].key != list[i].key) && (i + 1 == n || list[i + 1].key != list[i].key);
}

typedef struct anchor {
    size_t a, b;
    int64_t before; /* in the longest rising chain that ends here */
} anchor;

static int by_a(const void *x, const void *y)
{
    const anchor *p = x, *q = y;
    return p->a < q->a ? -1 : p->a > q->a;
}

static size_t find_anchors(const place *p, size_t n, const place *q, size_t m, anchor *list)
{
    size_t found = 0;
    for (size_t i = 0, j = 0; i < n && j < m;) {
        if (p[i].key < q[j].key) {
            i++;
        } else if (p[i].key > q[j].key) {
            j++;
        } else {
            if (is_single(p, n, i) && is_single(q, m, j)) list[found++] = (anchor){p[i].at, q[j].at, -1};
            const uint64_t here = p[i].key;
            while (i < n && p[i].key == here) i++;
            while (j < m && q[j].key == here) j++;
        }
    }
    qsort(list, found, sizeof *list, by_a);
    return found;
}

/* Pair the anchors of the longest chain that rises on both sides. */
static bool pair_rising(side *a, side *b, anchor *list, size_t n)
{
    SB_FREED int64_t *top = sb_size_allocate(n, sizeof *top); /* [length - 1]: the anchor with the least b that ends one */
    size_t length = 0;
    if (!top) return false;
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = length;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (list[top[middle]].b < list[i].b)
                low = middle + 1;
            else
                high = middle;
        }
        list[i].before = low ? top[low - 1] : -1;
        top[low] = (int64_t)i;
        if (low == length) length++;
    }
    for (int64_t i = length ? top[length - 1] : -1; i >= 0; i = list[i].before) pair(a, b, list[i].a, list[i].b);
    return true;
}

static bool pair_anchors(side *a, side *b, const range *r)
{
    const size_t n = r->a_end - r->a, m = r->b_end - r->b;
    place *p = sorted(a, r->a, r->a_end), *q = sorted(b, r->b, r->b_end);
    SB_FREED anchor *list = sb_size_allocate(n < m ? n : m, sizeof *list);
    bool done = p && q && list;
    if (done) done = pair_rising(a, b, list, find_anchors(p, n, q, m, list));
    free(p);
    free(q);
    return done;
}

/* ---- all of it ---- */

/* The next stretch without pairs after *i and *j; false: none. */
static bool next_gap(const side *a, const side *b, range *r)
{
    while (r->a_end < a->n && a->of[r->a_end] >= 0 && a->of[r->a_end] == (int64_t)r->b_end) r->a_end++, r->b_end++;
    r->a = r->a_end;
    r->b = r->b_end;
    if (r->a >= a->n && r->b >= b->n) return false;
    while (r->a_end < a->n && a->of[r->a_end] < 0) r->a_end++;
    while (r->b_end < b->n && b->of[r->b_end] < 0) r->b_end++;
    return true;
}

static bool pair_gaps(side *a, side *b)
{
    range r = {0};
    while (next_gap(a, b, &r))
        if (r.a < r.a_end && r.b < r.b_end && !pair_between(a, b, &r)) return false;
    return true;
}

/* What is left between two pairs: renamed modules, other shapes. First the same operation that writes the same names, then
 * class and phase alone. */
static void pair_leftovers(side *a, side *b, bool closely)
{
    range r = {0};
    while (next_gap(a, b, &r)) {
        size_t j = r.b;
        for (size_t i = r.a; i < r.a_end; i++) {
            const uint64_t wanted = closely ? a->key[i].close : a->key[i].rough;
            for (size_t at = j; wanted && at < r.b_end; at++)
                if (wanted == (closely ? b->key[at].close : b->key[at].rough)) {
                    pair(a, b, i, at);
                    j = at + 1;
                    break;
                }
        }
    }
}

static bool pair_all(side *a, side *b)
{
    range all = {0, a->n, 0, b->n};
    while (all.a < all.a_end && all.b < all.b_end && a->key[all.a].whole == b->key[all.b].whole)
        pair(a, b, all.a++, all.b++);
    while (all.a < all.a_end && all.b < all.b_end && a->key[all.a_end - 1].whole == b->key[all.b_end - 1].whole)
        pair(a, b, --all.a_end, --all.b_end);
    if (all.a == all.a_end || all.b == all.b_end) return true;
    if (!pair_anchors(a, b, &all) || !pair_gaps(a, b)) return false;
    pair_leftovers(a, b, true);
    pair_leftovers(a, b, false);
    return true;
}

static int64_t *rows_of(const side *s, const side *other, size_t n)
{
    int64_t *of = sb_size_allocate(n, sizeof *of);
    for (size_t i = 0; of && i < n; i++) of[i] = SB_ALIGN_COPY;
    for (size_t i = 0; of && i < s->n; i++) of[s->row[i]] = s->of[i] < 0 ? SB_ALIGN_NONE : other->row[s->of[i]];
    return of;
}

sb_status sb_align(const sb_traced_update *a, const sb_traced_update *b, sb_alignment *alignment)
{
    side x = {0}, y = {0};
    *alignment = (sb_alignment){0};
    bool done = make_side(&x, a) && make_side(&y, b) && pair_all(&x, &y);
    if (done) {
        alignment->of_a = rows_of(&x, &y, a->n);
        alignment->of_b = rows_of(&y, &x, b->n);
        done = alignment->of_a && alignment->of_b;
    }
    for (size_t i = 0; done && i < x.n; i++) alignment->n_pairs += x.of[i] >= 0;
    free_side(&x);
    free_side(&y);
    if (done) return SB_OK;
    sb_alignment_free(alignment);
    return sb_fail(SB_E_MEMORY, "not enough memory to compare two traces");
}

void sb_alignment_free(sb_alignment *alignment)
{
    free(alignment->of_a);
    free(alignment->of_b);
    *alignment = (sb_alignment){0};
}
