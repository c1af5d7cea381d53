/* The dependences of a command list (backend/dependences.h). The list of an update runs in random orders that they
 * allow, with the same bits in all device memory. Each edge is needed: without it some order has other bits, in one of
 * four updates. In a single update two terms of a sum can change places and round to the same number. */
#include "walked_machine.h"

#include "backend/dependences.h"

#ifdef SB_SANITIZED /* an order has the memory of any other: few of them, and the edges of one network */
enum { SEEDS = 5, EDGES_OF = 1 };
#else
enum { SEEDS = 100, EDGES_OF = WALKED_NETWORKS };
#endif

/* A list of an update, and device memory before and after it. */
typedef struct recorded {
    const walked_network *of;
    walked *w;
    sb_list_entry *entry;
    sb_dependences order;
    char *before, *after;
    bool *changes;   /* [n]: does the entry change a byte? */
    bool *is_silent; /* [edges]: the bits were the same without it, in every update so far */
    bool drops_edges;
    int n_lists, n_edges;
} recorded;

static void run_in(recorded *r, const int *order)
{
    sb_gpu *gpu = &r->w->backend.gpu;
    walked_restore(r->w, r->before);
    for (int i = 0; i < r->order.n; i++) sb_list_entry_run(&r->entry[order[i]], gpu);
}

static int *numbers(int n)
{
    int *number = malloc(((size_t)n + 1) * sizeof *number);
    assert_non_null(number);
    return number;
}

/* ---- random orders ---- */

static bool is_ready(const sb_dependences *order, const bool *is_done, int i)
{
    for (int k = order->first[i]; k < order->first[i + 1]; k++)
        if (!is_done[order->before[k]]) return false;
    return true;
}

/* One of the entries that wait for nothing more, each as likely as any other, until all have run. */
static void random_order(const sb_dependences *order, uint64_t seed, int *result)
{
    bool *is_done = calloc((size_t)order->n, sizeof *is_done);
    int *ready = numbers(order->n);
    assert_non_null(is_done);
    for (int done = 0; done < order->n; done++) {
        int n = 0;
        for (int i = 0; i < order->n; i++)
            if (!is_done[i] && is_ready(order, is_done, i)) ready[n++] = i;
        assert_true(n > 0);
        result[done] = ready[sb_random_integer(sb_random_words(seed, 3, (uint64_t)done).word[0], (uint32_t)n)];
        is_done[result[done]] = true;
    }
    free(is_done), free(ready);
}

static void hold_random_orders(recorded *r)
{
    int *order = numbers(r->order.n);
    bool is_recorded = true;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        random_order(&r->order, seed, order);
        for (int i = 0; i < r->order.n; i++) is_recorded = is_recorded && order[i] == i;
        run_in(r, order);
        if (!walked_is(r->w, r->after)) fail_msg("%s, seed %d: other bits", r->of->name, (int)seed);
    }
    assert_false(is_recorded); /* the graph leaves a choice */
    free(order);
}

/* ---- edges ---- */

/* Mark all that i waits for, on the way without the edge to it from `without`. */
static void mark_needed(const sb_dependences *order, int i, int without, bool *is_needed)
{
    for (int k = order->first[i]; k < order->first[i + 1]; k++) {
        const int j = order->before[k];
        if (j == without || is_needed[j]) continue;
        is_needed[j] = true;
        mark_needed(order, j, -1, is_needed);
    }
}

/* The order in which i runs as early as it can once it no longer waits for j. False: it waits for j all the same. */
static bool early_order(const sb_dependences *order, int j, int i, int *result)
{
    bool *is_needed = calloc((size_t)order->n, sizeof *is_needed);
    int n = 0;
    assert_non_null(is_needed);
    mark_needed(order, i, j, is_needed);
    const bool is_free = !is_needed[j];
    for (int e = 0; e < i; e++)
        if (is_needed[e]) result[n++] = e;
    result[n++] = i;
    for (int e = 0; e < order->n; e++)
        if (e != i && !is_needed[e]) result[n++] = e;
    assert_int_equal(n, order->n);
    free(is_needed);
    return is_free;
}

/* A backward pass makes the operand of some convolutions again, with the bytes that are there. Nothing else may leave all
 * bytes as they are. */
static bool makes_again(const recorded *r, int i)
{
    return !r->changes[i] && strcmp(r->entry[i].label->operation, "conv_input") == 0;
}

/* Did the bits stay the same in an order that the edge from j to i forbids? */
static bool is_silent(recorded *r, int j, int i, int *order)
{
    if (!early_order(&r->order, j, i, order)) fail_msg("%s: the edge from %d to %d is implied", r->of->name, j, i);
    run_in(r, order);
    if (!walked_is(r->w, r->after) || makes_again(r, i) || makes_again(r, j)) return false;
    print_message("%s: without the edge from %d (%s) to %d (%s) this update has the same bits\n", r->of->name, j,
                  r->entry[j].label->operation, i, r->entry[i].label->operation);
    return true;
}

/* In the first update all edges, then those that had no effect in all updates before. */
static void hold_edges(recorded *r)
{
    int *order = numbers(r->order.n);
    if (!r->is_silent) r->is_silent = calloc((size_t)r->order.first[r->order.n] + 1, sizeof *r->is_silent);
    assert_non_null(r->is_silent);
    for (int i = 0; i < r->order.n; i++)
        for (int k = r->order.first[i]; k < r->order.first[i + 1]; k++)
            if (r->n_lists == 0 || r->is_silent[k]) r->is_silent[k] = is_silent(r, r->order.before[k], i, order);
    free(order);
}

static void hold_none_silent(const recorded *r)
{
    for (int k = 0; k < r->n_edges; k++)
        if (r->is_silent[k]) fail_msg("%s: edge %d has no effect on the bits", r->of->name, k);
}

/* ---- the list of an update ---- */

static void run_recorded(recorded *r)
{
    r->after = walked_image(r->w);
    r->changes = calloc((size_t)r->order.n, sizeof *r->changes);
    assert_non_null(r->changes);
    for (int i = 0; i < r->order.n; i++) {
        sb_list_entry_run(&r->entry[i], &r->w->backend.gpu);
        r->changes[i] = !walked_is(r->w, r->after);
        if (r->changes[i]) walked_save(r->w, r->after);
    }
}

static void hold_list(walked *w, const sb_command_list *list)
{
    recorded *r = w->test;
    size_t at = 0;
    assert_true(sb_dependences_of(&r->order, list));
    r->entry = calloc((size_t)list->n, sizeof *r->entry);
    assert_non_null(r->entry);
    for (int i = 0; sb_command_list_next(list, &at, &r->entry[i]); i++)
        if (i + 1 == list->n) break;
    r->before = walked_image(w);
    run_recorded(r);
    if (r->drops_edges)
        hold_edges(r);
    else
        hold_random_orders(r);
    walked_restore(w, r->after);
    print_message("%s: %d entries, %d edges\n", r->of->name, list->n, r->order.first[list->n]);
    r->n_lists++, r->n_edges = r->order.first[list->n];
    free(r->before), free(r->after), free(r->entry), free(r->changes);
    sb_dependences_free(&r->order);
}

static void hold_network(const walked_network *of, bool drops_edges, bool overlaps, bool is_cut)
{
    recorded r = {.of = of, .w = walked_open(of->arithmetic), .drops_edges = drops_edges};
    walked_ops(r.w)->overlaps = overlaps;
    if (is_cut) walked_cut(r.w);
    r.w->test = &r, r.w->repeat = hold_list;
    walked_learn(r.w, of, drops_edges ? 6 : 3);
    assert_true(r.n_lists > 0);
    if (drops_edges) hold_none_silent(&r);
    walked_close(r.w);
    free(r.is_silent);
}

static void hold_networks(bool drops_edges)
{
    const int n = drops_edges ? EDGES_OF : WALKED_NETWORKS;
    for (int i = 0; i < n; i++) hold_network(&walked_networks[i], drops_edges, false, false);
    for (int i = 0; i < n && i < WALKED_PREDNETS; i++) hold_network(&walked_networks[i], drops_edges, true, false);
    if (n == WALKED_NETWORKS) hold_network(&walked_networks[WALKED_RESNET + 1], drops_edges, true, true);
}

static void any_allowed_order_has_the_same_bits(void **state)
{
    (void)state;
    hold_networks(false);
}

static void every_edge_is_needed(void **state)
{
    (void)state;
    hold_networks(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_allowed_order_has_the_same_bits),
                                       cmocka_unit_test(every_edge_is_needed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
