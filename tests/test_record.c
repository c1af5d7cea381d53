/* libsamebits by its public header: hashes of views by any strides; recordings that are written, killed, resumed and
 * used wrongly; traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/hash.h"
#include "core/random.h"
#include "record/external_file.h"
#include "record/record_journal.h"
#include "record/traced.h"

#include "core/status.h"
#include "samebits.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH    "test_record.h5"
#define JOURNAL PATH ".journal"
#define TRACE   "test_record.trace.h5"

static int clean(void **state)
{
    (void)state;
    unlink(PATH);
    unlink(JOURNAL);
    unlink(TRACE);
    return 0;
}

/* ---- hashes ---- */

/* A plain loop: the elements in row-major order, in pieces of 64 KiB. */
static sb_hash plain(const sb_view *view, size_t bytes)
{
    size_t n = 1, at = 0;
    for (int i = 0; i < view->n_dims; i++) n *= (size_t)view->shape[i];
    uint8_t *dense = calloc(n + 1, bytes);
    for (size_t e = 0; e < n; e++) {
        int64_t place = 0;
        size_t rest = e;
        for (int i = view->n_dims - 1; i >= 0; i--) {
            place += (int64_t)(rest % (size_t)view->shape[i]) * view->strides[i];
            rest /= (size_t)view->shape[i];
        }
        memcpy(dense + at, (const uint8_t *)view->data + place * (int64_t)bytes, bytes);
        at += bytes;
    }
    sb_hash hash = sb_hash_of(dense, at, 1);
    if (at > 65536) {
        sb_hasher *all = sb_hasher_begin();
        for (size_t first = 0; first < at; first += 65536) {
            const size_t part = at - first < 65536 ? at - first : 65536;
            const sb_hash piece = sb_hash_of(dense + first, part, 1);
            sb_hasher_add(all, piece.byte, sizeof piece.byte, 1);
        }
        hash = sb_hasher_end(all);
    }
    free(dense);
    return hash;
}

static unsigned drawn;

static int64_t draw(int64_t most)
{
    drawn = drawn * 1664525u + 1013904223u;
    return (int64_t)(drawn >> 8) % most;
}

static void test_views(void **state)
{
    (void)state;
    static uint8_t memory[1 << 20];
    static const sb_dtype types[] = {SB_U8, SB_F16, SB_F32, SB_F64, SB_C128};
    static const size_t bytes[] = {1, 2, 4, 8, 16};
    for (size_t i = 0; i < sizeof memory; i++) memory[i] = (uint8_t)draw(256);
    for (int trial = 0; trial < 400; trial++) {
        int64_t shape[SB_DIMS_MAX], strides[SB_DIMS_MAX], first = 0, reach = 0;
        const int k = (int)draw(5), dims = (int)draw(5);
        for (int i = 0; i < dims; i++) {
            shape[i] = draw(trial % 4 ? 9 : 21);
            strides[i] = draw(23) - 11; /* negative, 0, and overlapping */
            if (shape[i] > 1 && strides[i] < 0) first -= strides[i] * (shape[i] - 1);
            if (shape[i] > 1 && strides[i] > 0) reach += strides[i] * (shape[i] - 1);
        }
        if ((size_t)(first + reach + 1) * bytes[k] > sizeof memory) continue;
        const sb_view view = {memory + first * (int64_t)bytes[k], types[k], dims, shape, strides};
        const sb_hash right = plain(&view, bytes[k]), got = sb_view_hash(&view);
        if (!sb_hash_equal(right, got)) fail_msg("trial %d: %d dimensions, type %d", trial, dims, (int)types[k]);
    }
}

static void test_large_views(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 211 };
    static float x[ROWS][COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++) (&x[0][0])[i] = (float)i * 0.25f;
    const sb_view turned = {x, SB_F32, 2, (int64_t[]){COLUMNS, ROWS}, (int64_t[]){1, COLUMNS}};
    const sb_view dense = {x, SB_F32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const sb_view same = {x, SB_F32, 2, (int64_t[]){ROWS, COLUMNS}, (int64_t[]){COLUMNS, 1}};
    assert_true(sb_hash_equal(sb_view_hash(&turned), plain(&turned, 4)));
    assert_true(sb_hash_equal(sb_view_hash(&dense), plain(&same, 4)));
    assert_true(sb_hash_equal(sb_numbers_hash(x, SB_F32, ROWS * COLUMNS), plain(&same, 4)));
}

static void test_sketches(void **state)
{
    (void)state;
    enum { N = 5003 };
    static float x[N];
    static double wide[N];
    double sketch[SB_SKETCH_NUMBERS], of_wide[SB_SKETCH_NUMBERS], squares = 0;
    for (int i = 0; i < N; i++) {
        wide[i] = x[i] = (float)i * 0.5f;
        squares += wide[i] * wide[i];
    }
    sb_numbers_sketch(x, SB_F32, N, sketch);
    sb_numbers_sketch(wide, SB_F64, N, of_wide);
    assert_memory_equal(sketch, of_wide, sizeof sketch);
    assert_true(sketch[0] == sqrt(squares)); /* each sum is exact */
    x[N - 1] += 1;
    sb_numbers_sketch(x, SB_F32, N, sketch);
    int differing = 0;
    for (int k = 1; k < SB_SKETCH_NUMBERS; k++) differing += fabs(sketch[k] - of_wide[k]) == 1;
    assert_int_equal(differing, 1); /* it is linear: a number that is larger by 1 moves one sum by 1 */
}

static void test_forms(void **state)
{
    (void)state;
    float a[3][2] = {{1, -0.0f}, {2, NAN}, {3, 4}}, b[3][2] = {{1, 0.0f}, {2, -NAN}, {3, 4}};
    const float c[3][2] = {{3, 4}, {1, -0.0f}, {2, NAN}};
    const int64_t shape[] = {3, 2};
    const sb_view x = {a, SB_F32, 2, shape, NULL}, y = {b, SB_F32, 2, shape, NULL}, z = {c, SB_F32, 2, shape, NULL};
    assert_false(sb_hash_equal(sb_view_hash(&x), sb_view_hash(&y)));
    assert_true(sb_hash_equal(sb_view_canonical(&x), sb_view_canonical(&y)));
    assert_false(sb_hash_equal(sb_view_hash(&x), sb_view_hash(&z)));
    assert_true(sb_hash_equal(sb_view_samples(&x), sb_view_samples(&z)));
    b[0][0] = 5;
    assert_false(sb_hash_equal(sb_view_canonical(&x), sb_view_canonical(&y)));
    assert_false(sb_hash_equal(sb_view_samples(&x), sb_view_samples(&y)));
}

static void test_bad_views(void **state)
{
    (void)state;
    static const sb_hash none;
    const float x = 1;
    const sb_view many = {&x, SB_F32, SB_DIMS_MAX + 1, NULL, NULL};
    const sb_view negative = {&x, SB_F32, 1, (int64_t[]){-1}, NULL};
    const sb_view typeless = {&x, SB_N_DTYPES, 0, NULL, NULL};
    const sb_view nowhere = {NULL, SB_F32, 1, (int64_t[]){3}, NULL};
    const sb_view empty = {NULL, SB_F32, 1, (int64_t[]){0}, NULL};
    assert_true(sb_hash_equal(sb_view_hash(&many), none));
    assert_true(sb_hash_equal(sb_view_hash(&negative), none));
    assert_true(sb_hash_equal(sb_view_hash(&typeless), none));
    assert_true(sb_hash_equal(sb_view_hash(&nowhere), none));
    assert_true(sb_hash_equal(sb_numbers_hash(NULL, SB_F32, 3), none));
    assert_false(sb_hash_equal(sb_view_hash(&empty), none));
}

/* ---- recordings ---- */

static void put(sb_recording *r, int64_t update, float weight, double loss)
{
    const sb_view w = {&weight, SB_F32, 0, NULL, NULL};
    assert_int_equal(sb_link_begin(r, update), SB_OK);
    assert_int_equal(sb_link_tensor(r, SB_WEIGHTS, 0, &w), SB_OK);
    if (update) {
        assert_int_equal(sb_link_tensor(r, SB_BATCH, 0, &w), SB_OK);
        assert_int_equal(sb_link_value(r, "loss", loss), SB_OK);
    }
    assert_int_equal(sb_link_end(r), SB_OK);
}

static sb_recording *begin(bool resume)
{
    sb_recording *r;
    const sb_recording_options options = {.program = "test", .resume = resume};
    assert_int_equal(sb_recording_open(&r, PATH, &options), SB_OK);
    return r;
}

/* What HDF5 reads from the environment is set while it starts, and is then as it was: another HDF5 of the process reads
 * it, too. The first test, for HDF5 starts once. */
static void test_environment(void **state)
{
    (void)state;
    setenv("HDF5_DRIVER", "core", 1);
    unsetenv("HDF5_USE_FILE_LOCKING");
    sb_recording *r = begin(false);
    put(r, 0, 1, 0);
    assert_int_equal(sb_recording_close(r, true), SB_OK);
    assert_string_equal(getenv("HDF5_DRIVER"), "core");
    assert_null(getenv("HDF5_USE_FILE_LOCKING"));
    unsetenv("HDF5_DRIVER");
    assert_int_equal(access(PATH, F_OK), 0);
    remove(PATH);
}

static void test_whole(void **state)
{
    (void)state;
    sb_recording *r = begin(false);
    sb_external e;
    assert_int_equal(sb_recording_setting(r, "lr", "0.1"), SB_OK);
    assert_int_equal(sb_recording_names(r, SB_WEIGHTS, 1, (const char *const[]){"w"}), SB_OK);
    for (int64_t u = 0; u < 5; u++) put(r, u, (float)u, 1.0 / (double)(u + 1));
    assert_int_equal(sb_recording_settings_at(r, 3, "group 0 lr = 0.1\ngroup 0 momentum = 0"), SB_OK);
    assert_int_equal(sb_recording_report(r, &(sb_report){.update = 2, .kind = "a kind", .text = "a \x1b[31mtext\n"}), SB_OK);
    assert_int_equal(sb_recording_close(r, true), SB_OK);
    assert_int_not_equal(access(JOURNAL, F_OK), 0);
    assert_int_equal(sb_external_read(&e, PATH, false), SB_OK);
    assert_int_equal(e.n_links, 5);
    assert_true(e.complete);
    assert_string_equal(sb_pairs_find(&e.config, "lr"), "0.1");
    assert_string_equal(e.names[SB_WEIGHTS].item[0], "w");
    assert_true(e.link[2].value[0] == 1.0 / 3 && e.link[0].absent >> SB_BATCH & 1 && !(e.link[1].absent >> SB_BATCH & 1));
    assert_non_null(e.link[1].canonical);
    assert_string_equal(e.change[0].text, "group 0 lr = 0.1\ngroup 0 momentum = 0");
    assert_null(strchr(e.found[0].text[SB_FOUND_TEXT], 27));
    sb_external_free(&e);
}

/* A training that failed before its first entry. */
static void test_without_links(void **state)
{
    (void)state;
    sb_recording *r = begin(false);
    sb_external e;
    assert_int_equal(sb_recording_settings_at(r, 1, "group 0 lr = 0.1"), SB_OK);
    assert_int_equal(sb_recording_report(r, &(sb_report){.update = 1, .kind = "a kind"}), SB_OK);
    assert_int_equal(sb_recording_close(r, false), SB_OK);
    assert_int_equal(sb_external_read(&e, PATH, false), SB_OK);
    assert_true(e.n_links == 0 && e.n_changes == 1 && e.n_found == 1);
    sb_external_free(&e);
}

static void test_wrong_use(void **state)
{
    (void)state;
    sb_recording *r = begin(false), *other;
    const sb_recording_options none = {0}, resume = {.resume = true};
    put(r, 0, 0, 0);
    put(r, 1, 1, 0);
    assert_int_equal(sb_recording_open(&other, PATH, &none), SB_E_USAGE);
    assert_int_equal(sb_recording_open(&other, PATH, &resume), SB_E_USAGE); /* locked by the first */
    assert_null(other);
    assert_int_equal(sb_link_end(r), SB_E_USAGE);
    assert_int_equal(sb_link_begin(r, -1), SB_E_USAGE);
    assert_int_equal(sb_link_begin(r, 1), SB_OK);
    assert_int_equal(sb_link_end(r), SB_E_USAGE); /* updates ascend */
    assert_int_equal(sb_link_value(r, "update", 1), SB_E_USAGE);
    assert_int_equal(sb_link_value(r, "../x", 1), SB_E_USAGE);
    assert_int_equal(sb_link_hash(r, SB_WEIGHTS, -1, (sb_hash){{1}}), SB_E_USAGE);
    assert_int_equal(sb_link_hash(r, SB_N_PARTS, 0, (sb_hash){{1}}), SB_E_USAGE);
    assert_int_equal(sb_recording_names(r, SB_WEIGHTS, 1, (const char *const[]){"w"}), SB_OK);
    assert_int_equal(sb_recording_names(r, SB_WEIGHTS, 1, (const char *const[]){"v"}), SB_E_USAGE);
    assert_int_equal(sb_recording_setting(r, "a/b", "1"), SB_E_USAGE);
    put(r, 2, 2, 0); /* usable all the same */
    assert_int_equal(sb_recording_close(r, true), SB_OK);
    assert_int_equal(sb_recording_open(&other, PATH, &none), SB_E_USAGE);
    assert_int_equal(sb_recording_open(&other, "no/such/folder/a.h5", &none), SB_E_IO);
    assert_int_equal(sb_recording_open(&other, "", &none), SB_E_USAGE);
    assert_int_equal(sb_recording_close(NULL, true), SB_OK);
}

static void test_resume(void **state)
{
    (void)state;
    const float one = 1, seven = 7;
    const sb_view w = {&one, SB_F32, 0, NULL, NULL}, v = {&seven, SB_F32, 0, NULL, NULL};
    unsigned parts;
    sb_external e;
    sb_recording *r = begin(false);
    assert_int_equal(sb_recording_names(r, SB_WEIGHTS, 1, (const char *const[]){"w"}), SB_OK);
    for (int64_t u = 0; u < 4; u++) put(r, u, (float)u, 0);
    assert_int_equal(sb_recording_close(r, false), SB_OK);
    r = begin(true);
    assert_int_equal(sb_recording_last(r), 3);
    assert_int_equal(sb_link_begin(r, 0), SB_OK);
    assert_int_equal(sb_link_tensor(r, SB_WEIGHTS, 0, &w), SB_OK);
    assert_int_equal(sb_recording_where(r), 1);
    assert_int_equal(sb_recording_resumed(r, 1, &parts), SB_OK);
    assert_int_equal(parts, 0);
    assert_int_equal(sb_recording_last(r), 1); /* later entries are cut off */
    put(r, 2, 9, 0);
    assert_int_equal(sb_link_begin(r, 0), SB_OK);
    assert_int_equal(sb_link_tensor(r, SB_WEIGHTS, 0, &v), SB_OK);
    assert_int_equal(sb_recording_resumed(r, 2, &parts), SB_E_DIFFERS);
    assert_int_equal(parts, 1u << SB_WEIGHTS);
    assert_int_equal(sb_recording_resumed(r, 9, &parts), SB_E_USAGE);
    assert_int_equal(sb_recording_close(r, true), SB_OK);
    assert_int_equal(sb_external_read(&e, PATH, false), SB_OK);
    assert_int_equal(e.n_links, 3);
    assert_int_equal(e.n_found, 1);
    assert_string_equal(e.found[0].text[SB_FOUND_TENSOR], "w");
    sb_external_free(&e);
}

/* A process that is killed at any moment leaves a file that opens, is a prefix, and goes on. */
static void test_killed(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        clean(NULL);
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            sb_recording *r;
            const sb_recording_options options = {.program = "test", .checkpoint_seconds = 1e-4};
            const float w = 0.5f;
            const sb_view view = {&w, SB_F32, 0, NULL, NULL};
            if (sb_recording_open(&r, PATH, &options) != SB_OK) _exit(1);
            for (int64_t u = 0;; u++)
                if (sb_link_begin(r, u) != SB_OK || sb_link_tensor(r, SB_WEIGHTS, 0, &view) != SB_OK ||
                    sb_link_end(r) != SB_OK)
                    _exit(1);
        }
        usleep(3000 + (useconds_t)draw(40000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        sb_external e;
        if (access(PATH, F_OK) == 0) {
            assert_int_equal(sb_external_read_all(&e, PATH), SB_OK);
            for (size_t i = 0; i < e.n_links; i++) assert_int_equal(e.link[i].update, i);
            const int64_t last = sb_external_last(&e);
            sb_external_free(&e);
            sb_recording *r = begin(true);
            assert_int_equal(sb_recording_last(r), last);
            put(r, last + 1, 3, 0);
            assert_int_equal(sb_recording_close(r, true), SB_OK);
            assert_int_equal(sb_external_read(&e, PATH, false), SB_OK);
            assert_int_equal(sb_external_last(&e), last + 1);
            sb_external_free(&e);
        }
    }
}

/* A cut record is dropped, a damaged one ends the journal, and a journal is not applied twice. */
static void test_journal(void **state)
{
    (void)state;
    sb_recording *r = begin(false);
    struct stat whole;
    size_t n;
    sb_external e;
    for (int64_t u = 0; u < 4; u++) put(r, u, (float)u, 0);
    assert_int_equal(stat(JOURNAL, &whole), 0);
    assert_int_equal(sb_record_journal_check(JOURNAL, &n), SB_OK);
    assert_true(sb_record_journal_is(JOURNAL));
    assert_int_equal(sb_external_read_all(&e, PATH), SB_OK);
    assert_int_equal(sb_external_last(&e), 3);
    sb_external_free(&e);
    assert_int_equal(truncate(JOURNAL, whole.st_size - 5), 0);
    assert_int_equal(sb_record_journal_check(JOURNAL, &n), SB_OK);
    assert_int_equal(sb_external_read_all(&e, PATH), SB_OK);
    assert_int_equal(sb_external_last(&e), 2);
    sb_external_free(&e);
    FILE *file = fopen(JOURNAL, "r+b");
    fseek(file, (long)whole.st_size / 2, SEEK_SET);
    fputc(0x5a, file);
    fclose(file);
    assert_int_equal(sb_record_journal_check(JOURNAL, &n), SB_E_INTEGRITY);
    assert_int_equal(sb_external_read_all(&e, PATH), SB_OK);
    assert_true(sb_external_last(&e) < 2);
    sb_external_free(&e);
    (void)sb_recording_close(r, false);
}

/* Messages about the journal name the run file. */
static void test_journal_named(void **state)
{
    (void)state;
    sb_recording *r = begin(false), *other;
    assert_int_equal(sb_recording_open(&other, PATH, NULL), SB_E_USAGE);
    assert_string_equal(sb_message(), PATH ": another recording writes to this path; choose another path");
    put(r, 0, 1, 0);
    assert_int_equal(sb_recording_close(r, false), SB_OK);
    remove(PATH);
    FILE *file = fopen(JOURNAL, "w");
    fputs("another program's file", file);
    fclose(file);
    assert_int_equal(sb_recording_open(&r, PATH, NULL), SB_E_USAGE);
    assert_string_equal(sb_message(), PATH ": " JOURNAL " is not the journal of a recording; choose another path");
}

/* On a full disk nothing of the record that failed is left. */
static void test_journal_full(void **state)
{
    (void)state;
    sb_recording *r = begin(false);
    struct stat before, after;
    struct rlimit limit, small;
    put(r, 0, 1, 0);
    assert_int_equal(stat(JOURNAL, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = (struct rlimit){(rlim_t)before.st_size + 8, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const sb_status status = sb_recording_event(r, "there is no room for this sentence");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(status, SB_E_IO);
    assert_non_null(strstr(sb_message(), PATH ": cannot use its journal: "));
    assert_int_equal(stat(JOURNAL, &after), 0);
    assert_int_equal(after.st_size, before.st_size);
    assert_int_equal(sb_recording_event(r, "there is room again"), SB_OK);
    assert_int_equal(sb_recording_close(r, true), SB_OK);
}

/* ---- traces ---- */

static void test_trace(void **state)
{
    (void)state;
    sb_tracing *t;
    sb_traced_update read;
    const sb_tracing_tensor tensors[] = {
        {.role = "self", .name = "0.weight", .dtype = "float32", .shape = "[2, 3]", .layout = "", .device = "cpu",
         .flags = SB_TENSOR_CHANGED, .writer = -1, .hash = {{7}}},
        {.role = "result", .name = NULL, .dtype = "float32", .shape = "[2, 3]", .flags = SB_TENSOR_WRITTEN, .writer = 0,
         .hash = {{8}}},
    };
    const sb_tracing_row row = {.operation = "mul", .module = "0", .site = "a.py:3 main", .phase = SB_BACKWARD,
                                .forward_row = -1, .error = -1, .executions = 5, .other_results = 1, .n = 2,
                                .tensor = tensors};
    sb_tracing_row wrong = row;
    assert_int_equal(sb_tracing_open(&t, TRACE, 4, "test"), SB_OK);
    assert_int_equal(sb_tracing_settings(t, "group 0 lr = 0.5"), SB_OK);
    assert_int_equal(sb_tracing_row_add(t, &row), SB_OK);
    wrong.forward_row = 5;
    assert_int_equal(sb_tracing_row_add(t, &wrong), SB_E_USAGE);
    assert_int_equal(sb_tracing_close(t, true), SB_OK);
    assert_int_equal(sb_tracing_open(&t, TRACE, 4, "test"), SB_E_USAGE); /* it is there */
    assert_int_equal(sb_traced_read(&read, TRACE), SB_OK);
    assert_int_equal(read.n, 1);
    assert_int_equal(read.update, 4);
    assert_string_equal(sb_traced_word(&read, read.row[0].operation), "mul");
    assert_int_equal(read.row[0].phase, SB_TRACED_BACKWARD);
    assert_int_equal(read.row[0].other_results, 1);
    assert_int_equal(read.tensor[0].flags, SB_TRACED_CHANGED);
    assert_string_equal(sb_traced_word(&read, read.tensor[1].name), "");
    assert_string_equal(read.settings, "group 0 lr = 0.5");
    sb_traced_update_free(&read);
    unlink(TRACE);
    assert_int_equal(sb_tracing_open(&t, TRACE, 4, "test"), SB_OK);
    assert_int_equal(sb_tracing_close(t, true), SB_E_EMPTY);
}

/* The public header's own form of the types of core. */
int public_status(const char *name);
size_t public_hash_bytes(void);

static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int value;
    } statuses[] = {{"OK", SB_OK},           {"DIFFERS", SB_E_DIFFERS}, {"IO", SB_E_IO},
                    {"MEMORY", SB_E_MEMORY}, {"USAGE", SB_E_USAGE},     {"EMPTY", SB_E_EMPTY},
                    {"INTEGRITY", SB_E_INTEGRITY}, {"INTERRUPTED", SB_E_INTERRUPTED}};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        assert_int_equal(public_status(statuses[i].name), statuses[i].value);
    assert_int_equal(public_hash_bytes(), sizeof(sb_hash));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_large_views),
        cmocka_unit_test(test_sketches),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_bad_views),
        cmocka_unit_test_setup_teardown(test_whole, clean, clean),
        cmocka_unit_test_setup_teardown(test_without_links, clean, clean),
        cmocka_unit_test_setup_teardown(test_wrong_use, clean, clean),
        cmocka_unit_test_setup_teardown(test_resume, clean, clean),
        cmocka_unit_test_setup_teardown(test_killed, clean, clean),
        cmocka_unit_test_setup_teardown(test_journal, clean, clean),
        cmocka_unit_test_setup_teardown(test_journal_named, clean, clean),
        cmocka_unit_test_setup_teardown(test_journal_full, clean, clean),
        cmocka_unit_test_setup_teardown(test_trace, clean, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
