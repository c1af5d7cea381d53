/* Where two traces part, and that a trace file gives back what went in. */
#include "inspect/bisect/divergence.h"

#include "support.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 3 };

static sb_hash hash_of(int n)
{
    return sb_hash_of(&n, 1, sizeof n);
}

static sb_trace_tensor tensor(const char *role, const char *name, bool written, int n)
{
    sb_trace_tensor t = {.written = written, .c = 2, .h = 3, .w = 4, .hash = hash_of(n)};
    snprintf(t.role, sizeof t.role, "%s", role);
    snprintf(t.name, sizeof t.name, "%s", name);
    return t;
}

/* Three operations that read what the one before wrote. */
static sb_traced traced_of(sb_trace_row row[ROWS])
{
    static const char *const operations[ROWS] = {"conv_forward", "lstm_forward", "adam"};
    for (int i = 0; i < ROWS; i++) {
        row[i] = (sb_trace_row){.n = 2};
        snprintf(row[i].operation, sizeof row[i].operation, "%s", operations[i]);
        row[i].tensor[0] = tensor("x", i ? "" : "E of layer 1, frame 3", false, i);
        row[i].tensor[1] = tensor("y", "R of layer 1, frame 3", true, i + 1);
    }
    return (sb_traced){.update = 7, .backend = "native", .kernel = "plain", .n = ROWS, .row = row};
}

static void parts_at(sb_divergence_kind kind, size_t at, const sb_traced *a, const sb_traced *b)
{
    const sb_divergence d = sb_divergence_find(a, b);
    assert_int_equal(d.kind, kind);
    assert_int_equal(d.row, at);
}

static void the_first_is_found(void **state)
{
    (void)state;
    sb_trace_row rows_a[ROWS], rows_b[ROWS];
    const sb_traced a = traced_of(rows_a);
    sb_traced b = traced_of(rows_b);
    parts_at(SB_SAME_BITS, ROWS, &a, &b);
    rows_b[2].tensor[1].hash = hash_of(99);
    parts_at(SB_OTHER_RESULT, 2, &a, &b);
    rows_b[1].tensor[0].hash = hash_of(98); /* in front of it, and an input */
    parts_at(SB_OTHER_INPUT, 1, &a, &b);
    rows_b[0].tensor[1].w = 5;
    parts_at(SB_OTHER_OPERATION, 0, &a, &b);
    b = traced_of(rows_b);
    b.n = 2;
    parts_at(SB_OTHER_OPERATION, 2, &a, &b);
}

static void operations_have_names(void **state)
{
    (void)state;
    sb_trace_row rows[ROWS];
    char text[160];
    traced_of(rows);
    sb_divergence_operation(&rows[0], text, sizeof text);
    assert_string_equal(text, "conv_forward, R of layer 1, frame 3"); /* what it writes, not what it reads */
    rows[0].tensor[1].written = false;
    sb_divergence_operation(&rows[0], text, sizeof text);
    assert_string_equal(text, "conv_forward, E of layer 1, frame 3");
}

static void numbers_are_told_apart(void **state)
{
    (void)state;
    enum { N = 24 };
    sb_real x[N], y[N];
    for (int i = 0; i < N; i++) x[i] = y[i] = (sb_real)0.5;
    sb_real up = (sb_real)(0.5 + (sizeof up == 4 ? 0x1p-24 : 0x1p-53));
    y[17] = up, y[23] = (sb_real)(up + (sizeof up == 4 ? 0x1p-23 : 0x1p-52));
    sb_trace_row rows_a[ROWS], rows_b[ROWS];
    const sb_traced a = traced_of(rows_a), b = traced_of(rows_b);
    rows_b[1].tensor[1].hash = hash_of(50);
    rows_a[1].tensor[1].numbers = x, rows_b[1].tensor[1].numbers = y;
    char text[2000] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    const sb_divergence d = sb_divergence_find(&a, &b);
    sb_divergence_print(&d, &a, &b, out);
    fclose(out);
    assert_non_null(strstr(text, "number 2: lstm_forward"));
    assert_non_null(strstr(text, "2 of 24 differ"));
    assert_non_null(strstr(text, "(3 ulp)"));
    assert_non_null(strstr(text, "channel 1, row 1, column 1: 0.5 (0x1p-1) | "));
    assert_non_null(strstr(text, "the same numbers went in and others came out"));
}

static void a_file_gives_it_back(void **state)
{
    (void)state;
    const char *path = "test_divergence.h5";
    sb_real numbers[24];
    for (int i = 0; i < 24; i++) numbers[i] = (sb_real)i / 7;
    sb_trace_row rows[ROWS];
    sb_traced a = traced_of(rows), back;
    a.gradient = hash_of(1000), a.weights = hash_of(1001);
    rows[1].tensor[1].numbers = numbers;
    assert_int_equal(sb_trace_write(&a, path), SB_OK);
    assert_true(sb_trace_is(path));
    assert_int_equal(sb_trace_read(&back, path), SB_OK);
    parts_at(SB_SAME_BITS, ROWS, &a, &back);
    assert_int_equal(back.update, 7);
    assert_string_equal(back.backend, "native");
    assert_string_equal(back.kernel, "plain");
    assert_true(sb_hash_equal(back.gradient, a.gradient) && sb_hash_equal(back.weights, a.weights));
    assert_string_equal(back.row[0].tensor[0].name, "E of layer 1, frame 3");
    assert_memory_equal(back.row[1].tensor[1].numbers, numbers, sizeof numbers);
    assert_null(back.row[1].tensor[0].numbers);
    sb_traced_free(&back);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_found),
        cmocka_unit_test(operations_have_names),
        cmocka_unit_test(numbers_are_told_apart),
        cmocka_unit_test(a_file_gives_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
