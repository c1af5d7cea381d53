/* When the list of work becomes a graph (backend/gpu.c), on a machine of this test that adds numbers and notes what it
 * is told: never on its first time, once on its second, and not where recording fails. */
#include "host_machine.h"

enum { PIECES = 40 }; /* enough for a graph */

typedef struct adder {
    sb_gpu_backend backend;
    bool recording, cannot_record, cannot_begin;
    int n_recorded, n_repeated, n_forgotten, n_marks;
} adder;

static adder *adder_of(sb_gpu *gpu)
{
    return (adder *)gpu;
}

static void copy(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    if (!adder_of(gpu)->recording) memcpy(to, from, n_bytes);
}

static void zero(sb_gpu *gpu, void *memory, size_t n_bytes)
{
    if (!adder_of(gpu)->recording) memset(memory, 0, n_bytes);
}

static double one_second(sb_gpu *gpu)
{
    assert_int_equal(adder_of(gpu)->n_marks % 2, 0); /* the list has begun and ended */
    return 1;
}

static bool mark(sb_gpu *gpu, bool end)
{
    assert_int_equal(adder_of(gpu)->n_marks++ % 2, end);
    return true;
}

static void record(sb_gpu *gpu)
{
    if (adder_of(gpu)->cannot_begin)
        gpu->failed(gpu, "operation not permitted");
    else
        adder_of(gpu)->recording = true;
}

static void *record_end(sb_gpu *gpu)
{
    adder_of(gpu)->recording = false;
    if (adder_of(gpu)->cannot_begin) return NULL;
    adder_of(gpu)->n_recorded++;
    return gpu;
}

static void repeat(sb_gpu *gpu, const sb_graph *graph)
{
    adder_of(gpu)->n_repeated++;
    sb_command_list_run(&graph->list, gpu, NULL);
}

static void forget(sb_gpu *gpu, sb_graph *graph)
{
    adder_of(gpu)->n_forgotten++;
    graph->graph = NULL;
}

typedef struct addition {
    double *to;
    double value;
} addition;

static void add(sb_gpu *gpu, const void *args)
{
    const addition *a = args;
    if (!adder_of(gpu)->recording)
        *a->to += a->value;
    else if (adder_of(gpu)->cannot_record)
        gpu->failed(gpu, "operation not permitted when stream is capturing");
}

static adder *open_adder(void)
{
    static sb_machine machine;
    adder *a = calloc(1, sizeof *a);
    assert_non_null(a);
    machine = host_machine();
    machine.upload = machine.download = machine.copy = copy, machine.zero = zero;
    machine.mark = mark, machine.marked_seconds = one_second;
    machine.record = record, machine.record_end = record_end, machine.repeat = repeat, machine.forget = forget;
    sb_gpu_open(&a->backend, &machine, &(sb_backend_options){.threads = 1});
    return a;
}

/* One window: PIECES times value. */
static void window(adder *a, double *to, double value)
{
    sb_ops *ops = &a->backend.gpu.context.ops;
    sb_gpu *gpu = sb_gpu_begin(ops, "addition", NULL);
    for (int i = 0; i < PIECES; i++) gpu->call(gpu, add, &(addition){to, value}, sizeof(addition));
    assert_int_equal(ops->error(ops), SB_OK);
}

static void close_adder(adder *a)
{
    sb_backend_close(&a->backend.gpu.context.ops);
}

static void a_list_is_a_graph_from_its_second_time_on(void **state)
{
    (void)state;
    adder *a = open_adder();
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        window(a, &sum, 1);
        assert_true(sum == (i + 1) * PIECES);
        assert_int_equal(a->n_recorded, i > 0);
        assert_int_equal(a->n_repeated, i);
        assert_true(sb_backend_device_seconds(&a->backend.gpu.context.ops) ==
                    i + 1); /* one of each list, by its clock */
    }
    close_adder(a);
}

static void many_lists_make_room_for_each_other(void **state)
{
    (void)state;
    adder *a = open_adder();
    double sum = 0;
    for (int list = 0; list < SB_GRAPHS + 2; list++)
        for (int i = 0; i < 3; i++) window(a, &sum, 1 << list);
    assert_true(sum == 3.0 * PIECES * ((1 << (SB_GRAPHS + 2)) - 1));
    assert_int_equal(a->n_recorded, SB_GRAPHS + 2);
    assert_int_equal(a->n_forgotten, 2);
    close_adder(a);
}

static void what_cannot_be_recorded_is_done_one_by_one(void **state)
{
    (void)state;
    for (int begin = 0; begin < 2; begin++) {
        adder *a = open_adder();
        double sum = 0;
        a->cannot_begin = begin, a->cannot_record = !begin;
        for (int i = 0; i < 3; i++) window(a, &sum, 1);
        assert_true(sum == 3 * PIECES);
        assert_int_equal(a->n_repeated, 0);
        assert_int_equal(a->n_recorded, begin ? 0 : 1); /* not tried again */
        assert_int_equal(a->n_forgotten, a->n_recorded);
        assert_int_equal(sb_gpu_graphs_made(&a->backend.gpu.context.ops), 0);
        close_adder(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_list_is_a_graph_from_its_second_time_on),
                                       cmocka_unit_test(many_lists_make_room_for_each_other),
                                       cmocka_unit_test(what_cannot_be_recorded_is_done_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
