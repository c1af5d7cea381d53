/* Alignment of two traces and what is said of them: lists of operations made at random, with rows renamed, inserted,
 * removed and repeated, and one fault planted; the planted row has to be named, and without a fault none. */
#include "support.h"

#include "inspect/external/explain.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_MOST = 120 };

static unsigned drawn;

static unsigned draw(unsigned most)
{
    drawn = drawn * 1664525u + 1013904223u;
    return (drawn >> 8) % most;
}

/* A row of a chain: it reads what the row before it wrote, and a weight. */
typedef struct plan {
    char operation[24], module[16];
    unsigned seed; /* of its result */
    bool extra;    /* of the other side alone: it is a log, and feeds nothing */
    bool is_copy;
} plan;

static sb_hash hash_of(unsigned x, unsigned y)
{
    const unsigned both[2] = {x, y};
    return sb_hash_of(both, 2, sizeof *both);
}

static int64_t text(sb_traced_update *t, const char *words)
{
    return sb_traced_text(t, words);
}

static sb_traced_tensor tensor(sb_traced_update *t, const char *role, const char *name, bool written, int64_t writer,
                               sb_hash hash)
{
    return (sb_traced_tensor){.role = text(t, role), .name = text(t, name), .dtype = text(t, "float32"),
                              .shape = text(t, "[4]"), .flags = written ? SB_TRACED_WRITTEN : 0, .writer = writer,
                              .hash = hash};
}

/* fault_at: from that row on the results are other ones, with an argument (or without: another result). */
static void add_rows(sb_traced_update *t, const plan *rows, int n, int fault_at, bool argument)
{
    sb_hash last = hash_of(1, 1);
    int64_t writer = -1;
    bool faulty = false;
    for (int i = 0; i < n; i++) {
        const plan *p = &rows[i];
        faulty = faulty || i == fault_at;
        const sb_hash result = p->is_copy ? last : hash_of(p->seed, faulty ? 2 : 1);
        char name[32];
        snprintf(name, sizeof name, "%s.weight", p->module);
        const sb_traced_op op = {.operation = text(t, p->is_copy ? "clone" : p->operation), .module = text(t, p->module),
                                 .arguments = text(t, i == fault_at && argument ? "eps=1" : ""), .error = -1,
                                 .forward_row = -1};
        const sb_traced_tensor tensors[] = {tensor(t, "self", "", false, writer, last),
                                            tensor(t, "other", name, false, -1, hash_of(p->seed, 77)),
                                            tensor(t, "result", "", true, (int64_t)t->n, result)};
        assert_true(sb_traced_add(t, &op, tensors, 3));
        if (p->extra) continue;
        last = result;
        writer = (int64_t)t->n - 1;
    }
}

static int make_plan(plan *rows)
{
    static const char *const operations[] = {"mul", "add", "mm", "relu", "convolution", "sum"};
    const int n = 10 + (int)draw(ROWS_MOST / 2 - 10);
    for (int i = 0; i < n; i++) {
        rows[i] = (plan){.seed = draw(1u << 30)};
        snprintf(rows[i].operation, sizeof rows[i].operation, "%s", operations[draw(6)]);
        snprintf(rows[i].module, sizeof rows[i].module, "layer%u", draw(4) ? (unsigned)i / 3 : draw(3));
    }
    return n;
}

/* The other side: the same with copies and logs in between, and some rows under another backend's name. place[i]: where
 * row i came. */
static int make_other(const plan *rows, int n, plan *other, int *place)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        if (draw(8) == 0) other[m++] = (plan){.is_copy = true, .module = "layer0"};
        if (draw(12) == 0)
            other[m++] = (plan){.operation = "argmax", .module = "", .seed = draw(1u << 30), .extra = true};
        place[i] = m;
        other[m] = rows[i];
        if (strcmp(rows[i].operation, "convolution") == 0 && draw(2))
            strcpy(other[m].operation, "cudnn_convolution");
        else if (strcmp(rows[i].operation, "mul") == 0 && draw(2))
            strcpy(other[m].operation, "mul_");
        m++;
    }
    return m;
}

static void try_list(int trial)
{
    plan rows[ROWS_MOST], other[2 * ROWS_MOST];
    int place[ROWS_MOST];
    sb_traced_update a = {.update = 1}, b = {.update = 1};
    sb_explanation e;
    const int n = make_plan(rows), m = make_other(rows, n, other, place), kind = trial % 3;
    const int fault = kind ? (int)draw((unsigned)n) : -1;
    add_rows(&a, rows, n, -1, false);
    add_rows(&b, other, m, fault < 0 ? -1 : place[fault], kind == 1);
    assert_int_equal(sb_explain(&a, &b, &e), SB_OK);
    if (fault < 0 && e.cause != SB_CAUSE_NONE)
        fail_msg("trial %d: a false alarm, %s at row %lld", trial, sb_cause_names[e.cause], (long long)e.row[0]);
    if (fault >= 0 && (e.row[0] != fault || e.row[1] != place[fault]))
        fail_msg("trial %d: the fault is at row %d | %d, and %lld | %lld was named", trial, fault, place[fault],
                 (long long)e.row[0], (long long)e.row[1]);
    if (fault >= 0) assert_int_equal(e.cause, kind == 1 ? SB_CAUSE_OTHER_ARGUMENT : SB_CAUSE_OTHER_RESULT);
    sb_explanation_free(&e);
    sb_traced_update_free(&a);
    sb_traced_update_free(&b);
}

static void test_planted_faults(void **state)
{
    (void)state;
    for (int trial = 0; trial < 1000; trial++) try_list(trial);
}

/* An operation that one side alone executes is named where it matters, and by its first row that the other side lacks. */
static void test_inserted(void **state)
{
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        plan rows[ROWS_MOST], other[ROWS_MOST + 1];
        sb_traced_update a = {.update = 1}, b = {.update = 1};
        sb_explanation e;
        const int n = make_plan(rows), at = 1 + (int)draw((unsigned)n - 1);
        memcpy(other, rows, (size_t)at * sizeof *rows);
        other[at] = (plan){.operation = "clamp_", .module = "odd", .seed = 5};
        memcpy(other + at + 1, rows + at, (size_t)(n - at) * sizeof *rows);
        add_rows(&a, rows, n, -1, false);
        add_rows(&b, other, n + 1, at, false);
        assert_int_equal(sb_explain(&a, &b, &e), SB_OK);
        if (e.cause != SB_CAUSE_OTHER_OPERATION || e.blamed[1] != at)
            fail_msg("trial %d: row %d was inserted, and %s at row %lld was named", trial, at, sb_cause_names[e.cause],
                     (long long)e.blamed[1]);
        sb_explanation_free(&e);
        sb_traced_update_free(&a);
        sb_traced_update_free(&b);
    }
}

/* In backward: a product, half of it, and their sum; in place, the half is in the memory of the product. A batch that a copy
 * overwrote is read last. */
static void add_overwriting(sb_traced_update *t, bool in_place, bool is_copied)
{
    const sb_hash product = hash_of(1, 1), half = hash_of(1, 2), batch = hash_of(2, 1), other = hash_of(2, 2);
    const sb_traced_op mm = {.operation = text(t, "mm"), .phase = SB_TRACED_BACKWARD, .error = -1, .forward_row = -1};
    sb_traced_op mul = mm, copy = mm, add = mm;
    mul.operation = text(t, in_place ? "mul_" : "mul"), copy.operation = text(t, "copy_"), add.operation = text(t, "add");
    assert_true(sb_traced_add(t, &mm, (sb_traced_tensor[]){tensor(t, "self", "batch 0", false, -1, batch),
                                                           tensor(t, "result", "", true, 0, product)}, 2));
    assert_true(sb_traced_add(t, &mul, (sb_traced_tensor[]){tensor(t, "self", "", false, 0, product),
                                                            tensor(t, in_place ? "self" : "result", "", true, 1, half)}, 2));
    if (is_copied)
        assert_true(sb_traced_add(t, &copy, (sb_traced_tensor[]){tensor(t, "src", "", false, -1, other),
                                                                 tensor(t, "self", "batch 0", true, 2, other)}, 2));
    const sb_hash sum = hash_of(3, in_place + 2 * is_copied);
    assert_true(sb_traced_add(t, &add, (sb_traced_tensor[]){
                                  tensor(t, "self", "", false, in_place ? 1 : 0, in_place ? half : product),
                                  tensor(t, "other", "batch 0", false, is_copied ? 2 : -1, is_copied ? other : batch),
                                  tensor(t, "result", "", true, (int64_t)t->n, sum)}, 3));
}

static void try_overwriting(bool in_place, bool is_copied, const char *operation)
{
    sb_traced_update a = {.update = 1}, b = {.update = 1};
    sb_explanation e;
    add_overwriting(&a, false, false);
    add_overwriting(&b, in_place, is_copied);
    assert_int_equal(sb_explain(&a, &b, &e), SB_OK);
    assert_int_equal(e.cause, SB_CAUSE_OTHER_OPERATION);
    assert_true(e.side == 1 && e.blamed[0] == -1);
    assert_string_equal(sb_traced_word(&b, b.row[e.blamed[1]].operation), operation);
    sb_explanation_free(&e);
    sb_traced_update_free(&a);
    sb_traced_update_free(&b);
}

static void test_overwriting(void **state)
{
    (void)state;
    try_overwriting(true, false, "mul_");
    try_overwriting(false, true, "copy_");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_planted_faults), cmocka_unit_test(test_inserted),
                                       cmocka_unit_test(test_overwriting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
