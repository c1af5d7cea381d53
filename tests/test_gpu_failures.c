/* What the GPU backends do when a call of the machine fails (backend/gpu.h says what they must): on a machine whose
 * calls fail on demand. tests/test_gpu_runtime.c is the same for the calls of CUDA's runtime. */
#include "host_machine.h"

#include <math.h>
#include <stdio.h>

enum { PIECES = 40, NEVER = -1 }; /* enough for a graph */

/* Counts down to the call that fails. */
typedef struct frail {
    sb_gpu_backend backend;
    int upload_fails, wait_fails, copy_fails, launch_fails, record_fails, repeat_fails, mark_fails, seconds_fail;
    size_t allocation_limit;
    bool recording;
    int n_done; /* pieces of work */
} frail;

static frail *frail_of(sb_gpu *gpu)
{
    return (frail *)gpu;
}

static bool is_due(int *left)
{
    return *left >= 0 && (*left)-- == 0;
}

static void fail_if(sb_gpu *gpu, int *left, const char *words)
{
    if (is_due(left)) gpu->failed(gpu, words);
}

static void upload(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    memcpy(to, from, n_bytes);
    fail_if(gpu, &frail_of(gpu)->upload_fails, "no upload");
}

static void wait(sb_gpu *gpu)
{
    fail_if(gpu, &frail_of(gpu)->wait_fails, "no wait");
}

static void copy(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    memcpy(to, from, n_bytes);
    fail_if(gpu, &frail_of(gpu)->copy_fails, "no copy");
}

static void launch(sb_gpu *gpu, int kernel, sb_grid grid, const void *args)
{
    (void)kernel, (void)grid, (void)args;
    fail_if(gpu, &frail_of(gpu)->launch_fails, "no launch");
}

static void *allocate(sb_gpu *gpu, size_t n_bytes)
{
    if (!frail_of(gpu)->allocation_limit || n_bytes <= frail_of(gpu)->allocation_limit)
        return host_allocate(gpu, n_bytes);
    sb_fail(SB_E_MEMORY, "not enough memory");
    return NULL;
}

static void record(sb_gpu *gpu)
{
    frail_of(gpu)->recording = true;
}

static void *record_end(sb_gpu *gpu)
{
    frail_of(gpu)->recording = false;
    fail_if(gpu, &frail_of(gpu)->record_fails, "no graph");
    return gpu;
}

static void repeat(sb_gpu *gpu, const sb_graph *graph)
{
    fail_if(gpu, &frail_of(gpu)->repeat_fails, "no repetition");
    sb_command_list_run(&graph->list, gpu, NULL);
}

static bool mark(sb_gpu *gpu, bool end)
{
    (void)end;
    return !is_due(&frail_of(gpu)->mark_fails);
}

static double seconds(sb_gpu *gpu)
{
    return is_due(&frail_of(gpu)->seconds_fail) ? -1 : 1;
}

static frail *open_frail(void)
{
    static sb_machine machine;
    frail *f = calloc(1, sizeof *f);
    assert_non_null(f);
    machine = host_machine();
    machine.upload = upload, machine.wait = wait, machine.copy = copy, machine.allocate = allocate;
    machine.record = record, machine.record_end = record_end, machine.repeat = repeat;
    machine.launch = launch, machine.mark = mark, machine.marked_seconds = seconds;
    f->upload_fails = f->wait_fails = f->copy_fails = f->record_fails = f->repeat_fails = NEVER;
    f->launch_fails = f->mark_fails = f->seconds_fail = NEVER;
    sb_gpu_open(&f->backend, &machine, &(sb_backend_options){.threads = 1});
    snprintf(f->backend.gpu.context.variant, sizeof f->backend.gpu.context.variant, "sm_0");
    return f;
}

static sb_ops *ops_of(frail *f)
{
    return &f->backend.gpu.context.ops;
}

typedef struct piece {
    long number, fails; /* fails: the number at which work fails */
} piece;

static void work(sb_gpu *gpu, const void *args)
{
    const piece *p = args;
    if (!frail_of(gpu)->recording) frail_of(gpu)->n_done++;
    if (p->number == p->fails) gpu->failed(gpu, "no such luck");
}

/* n pieces of work, each an operation of its own. */
static void put_pieces(frail *f, int n, long fails)
{
    static const char *const names[] = {"first", "second", "third"};
    for (int i = 0; i < n; i++) {
        sb_gpu *gpu = sb_gpu_begin(ops_of(f), i < 3 ? names[i] : "later", NULL);
        gpu->call(gpu, work, &(piece){i, fails}, sizeof(piece));
    }
}

static void expect_error(frail *f, const char *sentence)
{
    sb_status status = ops_of(f)->error(ops_of(f));
    assert_string_equal(sb_message(), sentence);
    assert_true(status == SB_E_IO || status == SB_E_MEMORY);
    assert_int_equal(ops_of(f)->error(ops_of(f)), SB_OK); /* told once */
}

static void the_list_stops_at_the_first_failure(void **state)
{
    (void)state;
    for (int n = 3; n <= PIECES; n += PIECES - 3) { /* short, and of a length for graphs */
        frail *f = open_frail();
        put_pieces(f, n, 1);
        expect_error(f, "sm_0: second: no such luck");
        assert_int_equal(f->n_done, 2);
        put_pieces(f, n, NEVER);
        assert_int_equal(ops_of(f)->error(ops_of(f)), SB_OK);
        assert_int_equal(f->n_done, 2 + n);
        sb_backend_close(ops_of(f));
    }
}

static void put_after_a_failure_is_not_done(void **state)
{
    (void)state;
    frail *f = open_frail();
    float *x = ops_of(f)->allocate(ops_of(f), sizeof *x), got = 7;
    put_pieces(f, 3, 0);
    ops_of(f)->to_host(ops_of(f), &got, x, sizeof got);
    assert_true(got == 0);
    put_pieces(f, 3, NEVER);
    ops_of(f)->to_device(ops_of(f), x, &(float){3}, sizeof *x);
    expect_error(f, "sm_0: first: no such luck");
    assert_int_equal(f->n_done, 1);
    assert_true(*x == 0);
    ops_of(f)->release(ops_of(f), x);
    sb_backend_close(ops_of(f));
}

static void an_upload_has_its_own_name(void **state)
{
    (void)state;
    frail *f = open_frail();
    float *x = ops_of(f)->allocate(ops_of(f), sizeof *x);
    f->upload_fails = 0;
    ops_of(f)->to_device(ops_of(f), x, &(float){3}, sizeof *x);
    put_pieces(f, PIECES, NEVER);
    expect_error(f, "sm_0: upload of staged bytes: no upload");
    assert_true(f->n_done == 0 && *x == 0);
    ops_of(f)->release(ops_of(f), x);
    sb_backend_close(ops_of(f));
}

static void a_wait_has_its_own_name(void **state)
{
    (void)state;
    frail *f = open_frail();
    f->wait_fails = 0;
    put_pieces(f, 1, NEVER);
    expect_error(f, "sm_0: waiting for the device: no wait");
    sb_backend_close(ops_of(f));
}

/* What waits for room in the stage runs what was put down before; what follows is still its own operation. */
/* A copy or a fill inside an operation is the operation's, and so is what follows it. */
static void parts_of_an_operation_have_its_name(void **state)
{
    (void)state;
    frail *f = open_frail();
    float *x = ops_of(f)->allocate(ops_of(f), 8 * sizeof *x);
    assert_non_null(x);
    f->copy_fails = 0;
    ops_of(f)->map_store(ops_of(f), &(sb_tensor){1, 1, 1, 2, 2, x}, x + 4);
    expect_error(f, "sm_0: map_store on 1x1 channels of 2x2: no copy");
    f->copy_fails = 0;
    ops_of(f)->copy(ops_of(f), x + 4, x, 4);
    expect_error(f, "sm_0: copy: no copy");
    const sb_conv conv = {.shape = {1, 1, 1, 1, 4, 4, 3, 1, .upsampled = true}, .space.scratch = x};
    const sb_term term = {&conv, x};
    f->launch_fails = 0;
    ops_of(f)->conv_data_gradient(ops_of(f), 1, &term, &(sb_tensor){1, 1, 1, 2, 2, x});
    expect_error(f, "sm_0: conv_data_gradient on 1x1 channels of 2x2: no launch");
    ops_of(f)->release(ops_of(f), x);
    sb_backend_close(ops_of(f));
}

static void an_operation_keeps_its_name_when_the_stage_is_full(void **state)
{
    (void)state;
    enum { LARGE = 7 << 20 };
    frail *f = open_frail();
    uint8_t *bytes = calloc(LARGE, 1), *x = ops_of(f)->allocate(ops_of(f), LARGE);
    assert_true(bytes && x);
    f->copy_fails = 1;
    put_pieces(f, 1, NEVER);
    ops_of(f)->to_device(ops_of(f), x, bytes, LARGE);
    put_pieces(f, 1, NEVER);
    ops_of(f)->to_device(ops_of(f), x, bytes, LARGE);
    assert_int_equal(f->n_done, 2);
    expect_error(f, "sm_0: to_device: no copy");
    ops_of(f)->release(ops_of(f), x);
    free(bytes);
    sb_backend_close(ops_of(f));
}

static void a_clock_that_fails_stops_nothing(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        frail *f = open_frail();
        if (which < 2)
            f->mark_fails = 2 + which; /* the second list's beginning, its end */
        else
            f->seconds_fail = 1;
        for (int list = 0; list < 3; list++) {
            put_pieces(f, PIECES, NEVER);
            assert_int_equal(ops_of(f)->error(ops_of(f)), SB_OK);
            double passed = sb_backend_device_seconds(ops_of(f));
            assert_true(list == 0 ? passed == 1 : isnan(passed)); /* not one that is known to be short */
        }
        assert_int_equal(sb_gpu_graphs_made(ops_of(f)), 1);
        sb_backend_close(ops_of(f));
    }
}

static void a_graph_that_fails_costs_time_only(void **state)
{
    (void)state;
    frail *f = open_frail();
    f->record_fails = 0;
    for (int list = 1; list <= 3; list++) {
        put_pieces(f, PIECES, NEVER);
        assert_int_equal(ops_of(f)->error(ops_of(f)), SB_OK);
        assert_int_equal(f->n_done, list * PIECES);
    }
    assert_int_equal(sb_gpu_graphs_made(ops_of(f)), 0);
    sb_backend_close(ops_of(f));
}

static void a_repetition_that_fails_is_an_error(void **state)
{
    (void)state;
    frail *f = open_frail();
    f->repeat_fails = 1;
    for (int list = 1; list <= 2; list++) {
        put_pieces(f, PIECES, NEVER);
        assert_int_equal(ops_of(f)->error(ops_of(f)), SB_OK);
    }
    put_pieces(f, PIECES, NEVER);
    expect_error(f, "sm_0: the graph of a window (SAMEBITS_CUDA_SYNC=1 names the operation): no repetition");
    assert_int_equal(f->n_done, 2 * PIECES);
    sb_backend_close(ops_of(f));
}

static void one_by_one_every_piece_is_waited_for(void **state)
{
    (void)state;
    setenv("SAMEBITS_CUDA_SYNC", "1", 1);
    frail *f = open_frail();
    float *x = ops_of(f)->allocate(ops_of(f), sizeof *x);
    ops_of(f)->to_device(ops_of(f), x, &(float){3}, sizeof *x);
    assert_int_equal(ops_of(f)->error(ops_of(f)), SB_OK);
    f->wait_fails = 3; /* upload, to_device, first, second */
    ops_of(f)->to_device(ops_of(f), x, &(float){3}, sizeof *x);
    put_pieces(f, PIECES, NEVER);
    expect_error(f, "sm_0: second: no wait");
    assert_int_equal(f->n_done, 2);
    f->wait_fails = 0;
    ops_of(f)->to_device(ops_of(f), x, &(float){3}, sizeof *x);
    expect_error(f, "sm_0: upload of staged bytes: no wait");
    ops_of(f)->release(ops_of(f), x);
    sb_backend_close(ops_of(f));
    unsetenv("SAMEBITS_CUDA_SYNC");
}

/* Also where the work itself fails, long after it was put down. */
static void samples_are_told(void **state)
{
    (void)state;
    frail *f = open_frail();
    sb_gpu *gpu = sb_gpu_begin(ops_of(f), "first", &(sb_tensor){5, 1, 2, 3, 4, NULL});
    gpu->call(gpu, work, &(piece){0, 0}, sizeof(piece));
    expect_error(f, "sm_0: first on 1x2 channels of 3x4, 5 samples: no such luck");
    sb_backend_close(ops_of(f));
}

static void short_memory_is_told_as_that_of_its_operation(void **state)
{
    (void)state;
    frail *f = open_frail();
    float *x = ops_of(f)->allocate(ops_of(f), sizeof *x);
    f->allocation_limit = 1 << 10;
    ops_of(f)->to_device(ops_of(f), x, &(float){3}, sizeof *x);
    expect_error(f, "sm_0: to_device: not enough memory");
    ops_of(f)->norm2(ops_of(f), 1, x, NULL);
    expect_error(f, "sm_0: norm2: not enough memory");
    f->allocation_limit = 0;
    ops_of(f)->to_device(ops_of(f), x, &(float){3}, sizeof *x);
    assert_int_equal(ops_of(f)->error(ops_of(f)), SB_OK);
    assert_true(*x == 3);
    ops_of(f)->release(ops_of(f), x);
    sb_backend_close(ops_of(f));
}

int main(void)
{
    unsetenv("SAMEBITS_CUDA_SYNC");
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_list_stops_at_the_first_failure),
                                       cmocka_unit_test(samples_are_told),
                                       cmocka_unit_test(put_after_a_failure_is_not_done),
                                       cmocka_unit_test(an_upload_has_its_own_name),
                                       cmocka_unit_test(a_wait_has_its_own_name),
                                       cmocka_unit_test(parts_of_an_operation_have_its_name),
                                       cmocka_unit_test(an_operation_keeps_its_name_when_the_stage_is_full),
                                       cmocka_unit_test(a_clock_that_fails_stops_nothing),
                                       cmocka_unit_test(a_graph_that_fails_costs_time_only),
                                       cmocka_unit_test(a_repetition_that_fails_is_an_error),
                                       cmocka_unit_test(one_by_one_every_piece_is_waited_for),
                                       cmocka_unit_test(short_memory_is_told_as_that_of_its_operation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
