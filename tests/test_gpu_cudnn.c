/* Which algorithm or engine computes a convolution where a card does not support the first one, or cuDNN fails on the
 * way: against a cuDNN that refuses on demand (support/fake_cuda_libraries.h). */
#include "fake_cuda_libraries.h"
#include "support.h"

#include "ops/library/cudnn.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN = 2, OUT = 3, H = 4, W = 5 };
static const sb_cudnn_shape shape = {1, IN, OUT, H, W, 3, 1};
static char workspace[64];    /* the stand-in only looks whether there is one */
static char *timed_workspace; /* but results that are timed go after it */
static fake_cudnn_state *fake;

static sb_cudnn *open_dnn(const char *choice, bool tf32)
{
    sb_cudnn *dnn;
    *fake = (fake_cudnn_state){.failing_call = -1};
    if (sb_cudnn_workspace(choice, &fake->limit) != SB_OK) fail_msg("%s", sb_message());
    const bool is_timed = choice && strcmp(choice, "graph-timed") == 0;
    if (is_timed && !timed_workspace) timed_workspace = calloc(1, fake->limit);
    void *memory = is_timed ? timed_workspace : workspace;
    assert_non_null(memory);
    if (sb_cudnn_open_library(&dnn, NULL, memory, choice, NULL, tf32) != SB_OK) fail_msg("%s", sb_message());
    return dnn;
}

static void close_dnn(sb_cudnn *dnn)
{
    sb_cudnn_close(dnn);
    assert_int_equal(fake->n_live, 0);
}

/* All ones: x [IN][H][W], w [OUT][IN][3][3], y [OUT][H][W]. */
static float x[IN * H * W], w[OUT * IN * 9], y[OUT * H * W];

static void fill(float *numbers, size_t n, float value)
{
    for (size_t i = 0; i < n; i++) numbers[i] = value;
}

/* The work on ones, and what went wrong. */
static const char *convolve(sb_cudnn *dnn, sb_cudnn_work work)
{
    fill(x, sizeof x / sizeof *x, 1), fill(w, sizeof w / sizeof *w, 1), fill(y, sizeof y / sizeof *y, 1);
    fake->used = fake->used_math = 0;
    const float *a[] = {x, w, x}, *b[] = {w, y, y};
    float *result[] = {y, x, w};
    return sb_cudnn_convolve(dnn, work, &shape, a[work], b[work], 1, result[work]);
}

/* What the work leaves at a place in the middle: the sum of the ones, and the one that was there. */
static void expect_computed(sb_cudnn_work work)
{
    const float wanted[] = {9 * IN + 1, 9 * OUT + 1, H * W + 1};
    const float got[] = {y[W + 1], x[W + 1], w[4]};
    assert_true(got[work] == wanted[work]);
}

enum { NO_MATH = -1, DEFAULT = 0, TENSOR_OP = 1, FMA = 3 };

/* Of the graph API: by which engine, without a math type. */
static void expect_algorithm(sb_cudnn *dnn, sb_cudnn_work work, int algorithm, int math)
{
    const char *words = convolve(dnn, work);
    if (words) fail_msg("%s", words);
    assert_int_equal(fake->used, 1u << algorithm);
    assert_int_equal(fake->used_math, math == NO_MATH ? 0 : 1u << math);
    expect_computed(work);
}

/* choice, TF32, work, what the card does not support, what is then taken and by which math type */
static void the_next_one_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *choice;
        bool tf32;
        sb_cudnn_work work;
        unsigned refused;
        int algorithm, math;
    } cases[] = {{"deterministic", false, SB_CUDNN_FORWARD, 0, 1, FMA},
                 {"deterministic", true, SB_CUDNN_FORWARD, 0, 1, DEFAULT},
                 {"deterministic", false, SB_CUDNN_FORWARD, 1u << 1, 0, FMA},
                 {"deterministic", false, SB_CUDNN_FORWARD, 1u << 1 | 1u << 0, 2, FMA},
                 {"deterministic", false, SB_CUDNN_DATA, 1u << 1, 4, FMA},
                 {"deterministic", false, SB_CUDNN_DATA, 1u << 1 | 1u << 4, 5, FMA},
                 {"deterministic", false, SB_CUDNN_FILTER, 1u << 1, 5, FMA},
                 {"deterministic", true, SB_CUDNN_FILTER, 1u << 1 | 1u << 5, 6, DEFAULT},
                 {"heuristic", false, SB_CUDNN_FORWARD, 0, FAKE_GUESSED, FMA},
                 {"heuristic", false, SB_CUDNN_DATA, 1u << FAKE_GUESSED, 0, FMA},
                 {"heuristic", true, SB_CUDNN_FORWARD, 0, FAKE_ON_TENSOR_CORES, TENSOR_OP},
                 {"heuristic", true, SB_CUDNN_FORWARD, 1u << FAKE_ON_TENSOR_CORES, FAKE_GUESSED, DEFAULT},
                 {"graph-deterministic", false, SB_CUDNN_FORWARD, 0, FAKE_WINOGRAD, NO_MATH},
                 {"graph-deterministic", false, SB_CUDNN_DATA, 1u << FAKE_WINOGRAD, FAKE_PLAIN, NO_MATH},
                 {"graph-deterministic", false, SB_CUDNN_FILTER, 3u << FAKE_WINOGRAD, FAKE_FALLBACK, NO_MATH},
                 {"graph-deterministic", true, SB_CUDNN_FORWARD, 0, FAKE_TENSOR_CORES, NO_MATH},
                 {"graph-deterministic", true, SB_CUDNN_DATA, 1u << FAKE_TENSOR_CORES, FAKE_WINOGRAD, NO_MATH},
                 {"graph-heuristic", false, SB_CUDNN_FILTER, 0, FAKE_ATOMICS, NO_MATH},
                 {"graph-heuristic", false, SB_CUDNN_DATA, 1u << FAKE_ATOMICS, FAKE_WINOGRAD, NO_MATH},
                 {"graph-heuristic", false, SB_CUDNN_FORWARD, 7u << FAKE_ATOMICS, FAKE_FALLBACK_ATOMICS, NO_MATH},
                 {"graph-heuristic", true, SB_CUDNN_FORWARD, 0, FAKE_TENSOR_CORES, NO_MATH},
                 {"graph-heuristic", true, SB_CUDNN_FORWARD, 1u << FAKE_TENSOR_CORES, FAKE_ATOMICS, NO_MATH}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* asked for the memory, when it is to convolve, by the memory that it wants */
        for (int how = 0; how < 3; how++) {
            sb_cudnn *dnn = open_dnn(cases[i].choice, cases[i].tf32);
            *(how == 0 ? &fake->unsized : how == 1 ? &fake->unsupported : &fake->large) = cases[i].refused;
            expect_algorithm(dnn, cases[i].work, cases[i].algorithm, cases[i].math);
            const fake_cudnn_state chosen = *fake;
            expect_algorithm(dnn, cases[i].work, cases[i].algorithm, cases[i].math);
            assert_int_equal(fake->n_refused, chosen.n_refused); /* chosen once */
            assert_int_equal(fake->n_searches, chosen.n_searches);
            assert_int_equal(fake->n_live, chosen.n_live);
            assert_true(fake->n_searches <= (cases[i].math == NO_MATH ? 2 : 1));
            close_dnn(dnn);
        }
    }
}

static void where_none_is_left_it_is_said(void **state)
{
    (void)state;
    sb_cudnn *dnn = open_dnn("deterministic", false);
    fake->unsupported = ~0u;
    assert_string_equal(convolve(dnn, SB_CUDNN_DATA), "cuDNN has no deterministic algorithm for the data gradient that "
                                                      "works here within 256 MiB without TF32");
    assert_int_equal(fake->used, 0);
    fake->unsupported = 0;
    expect_algorithm(dnn, SB_CUDNN_DATA, 1, FMA); /* begins anew */
    close_dnn(dnn);
    dnn = open_dnn("heuristic", true);
    fake->unsized = ~0u;
    assert_string_equal(convolve(dnn, SB_CUDNN_FORWARD),
                        "cuDNN has no heuristic algorithm for the forward convolution that works here within 8 MiB");
    close_dnn(dnn);
    for (int how = 0; how < 4; how++) { /* neither mode lists any, or each is refused in one of three ways */
        dnn = open_dnn("graph-deterministic", false);
        unsigned *const sets[] = {&fake->unlisted, &fake->unsized, &fake->unsupported, &fake->large};
        *sets[how] = ~0u;
        assert_string_equal(convolve(dnn, SB_CUDNN_FILTER), "cuDNN has no graph-deterministic algorithm for the weight "
                                                            "gradient that works here within 256 MiB without TF32");
        assert_int_equal(fake->n_live, 1); /* the handle */
        *sets[how] = 0;
        expect_algorithm(dnn, SB_CUDNN_FILTER, FAKE_WINOGRAD, NO_MATH);
        close_dnn(dnn);
    }
}

/* Of the heuristic's modes the fallback is asked where the other has none that works, and also where it has none. */
static void a_mode_that_lists_nothing_gives_way(void **state)
{
    (void)state;
    enum { MODE_A = 3 };
    sb_cudnn *dnn = open_dnn("graph-heuristic", false);
    fake->unlisted = 1u << MODE_A;
    expect_algorithm(dnn, SB_CUDNN_FORWARD, FAKE_FALLBACK_ATOMICS, NO_MATH);
    close_dnn(dnn);
}

/* A window computed by one algorithm and the next by another would be a run that no setting describes. */
static void what_has_worked_is_kept(void **state)
{
    (void)state;
    sb_cudnn *dnn = open_dnn("deterministic", false);
    expect_algorithm(dnn, SB_CUDNN_FORWARD, 1, FMA);
    fake->unsupported = 1u << 1;
    assert_string_equal(convolve(dnn, SB_CUDNN_FORWARD), "cuDNN's convolution gives CUDNN_STATUS_NOT_SUPPORTED");
    fake->unsupported = 0;
    expect_algorithm(dnn, SB_CUDNN_FORWARD, 1, FMA);
    close_dnn(dnn);
    dnn = open_dnn("graph-deterministic", false);
    expect_algorithm(dnn, SB_CUDNN_FORWARD, FAKE_WINOGRAD, NO_MATH);
    fake->unsupported = 1u << FAKE_WINOGRAD;
    assert_string_equal(convolve(dnn, SB_CUDNN_FORWARD), "cuDNN's convolution gives CUDNN_STATUS_NOT_SUPPORTED");
    fake->unsupported = 0;
    expect_algorithm(dnn, SB_CUDNN_FORWARD, FAKE_WINOGRAD, NO_MATH);
    assert_int_equal(fake->n_searches, 1);
    close_dnn(dnn);
}

/* What is not about support is an error, not a reason to compute by something else. */
static void other_errors_are_told(void **state)
{
    (void)state;
    sb_cudnn *dnn = open_dnn("deterministic", false);
    fake->broken = 1u << 1;
    assert_string_equal(convolve(dnn, SB_CUDNN_FORWARD), "cuDNN's convolution gives CUDNN_STATUS_EXECUTION_FAILED");
    fake->broken = 0;
    expect_algorithm(dnn, SB_CUDNN_FORWARD, 1, FMA);
    close_dnn(dnn);
    dnn = open_dnn("graph-heuristic", false);
    fake->broken = 1u << FAKE_ATOMICS;
    assert_string_equal(convolve(dnn, SB_CUDNN_DATA), "cuDNN's convolution gives CUDNN_STATUS_EXECUTION_FAILED");
    assert_int_equal(fake->n_live, 1);
    fake->broken = 0;
    expect_algorithm(dnn, SB_CUDNN_DATA, FAKE_ATOMICS, NO_MATH);
    close_dnn(dnn);
}

/* Every call on the way to the first convolution, failing once: told, nothing half done is kept, and the next time all
 * is well. */
static void any_step_may_fail(void **state)
{
    (void)state;
    static const struct {
        const char *choice;
        int algorithm, math;
        unsigned refused;
    } cases[] = {{"deterministic", 1, FMA, 0},
                 {"heuristic", FAKE_GUESSED, FMA, 0},
                 {"graph-heuristic", FAKE_ATOMICS, NO_MATH, 0},
                 {"graph-deterministic", FAKE_WINOGRAD, NO_MATH, 0},
                 {"graph-deterministic", FAKE_FALLBACK, NO_MATH, 3u << FAKE_WINOGRAD}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int call = 0, reached = 1; reached; call++) {
            sb_cudnn *dnn = open_dnn(cases[c].choice, false);
            fake->unsized = cases[c].refused;
            fake->failing_call = call;
            const char *words = convolve(dnn, SB_CUDNN_FORWARD);
            reached = fake->failing_call < 0;
            if (reached && (!words || !strstr(words, "CUDNN_STATUS_INTERNAL_ERROR")))
                fail_msg("%s, call %d: '%s'", cases[c].choice, call, words ? words : "");
            /* three descriptors, three times two for the works, math and search; of a graph many more */
            assert_true(reached || call > (cases[c].math == NO_MATH ? 60 : 12));
            if (reached && cases[c].math == NO_MATH) assert_int_equal(fake->n_live, 1);
            fake->failing_call = -1;
            expect_algorithm(dnn, SB_CUDNN_FORWARD, cases[c].algorithm, cases[c].math);
            close_dnn(dnn);
        }
}

/* Of both modes, by the clock, and only once; timed runs add nothing to the result. */
static void the_fastest_is_taken(void **state)
{
    (void)state;
    static const struct {
        int engine;
        const char *place;
    } cases[] = {{FAKE_ATOMICS, "A4"},
                 {FAKE_WINOGRAD, "A5"},
                 {FAKE_PLAIN, "A6"},
                 {FAKE_FALLBACK_ATOMICS, "F0"},
                 {FAKE_FALLBACK, "F1"}};
    static sb_facts facts;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_cudnn *dnn = open_dnn("graph-timed", false);
        char wanted[64];
        fake->slow = ~(1u << cases[i].engine);
        assert_null(convolve(dnn, SB_CUDNN_FILTER));
        expect_computed(SB_CUDNN_FILTER);
        assert_int_equal(fake->used, 1u << FAKE_ATOMICS | 1u << FAKE_WINOGRAD | 1u << FAKE_PLAIN |
                                         1u << FAKE_FALLBACK_ATOMICS | 1u << FAKE_FALLBACK);
        fake->slow = 0;
        expect_algorithm(dnn, SB_CUDNN_FILTER, cases[i].engine, NO_MATH);
        assert_int_equal(fake->n_searches, 2);
        facts.n = 0;
        sb_cudnn_facts(dnn, &facts);
        snprintf(wanted, sizeof wanted, "weights 1x2-3 5x4 %s e%d ", cases[i].place, cases[i].engine);
        const char *found = sb_facts_find(&facts, "cudnn_engines");
        if (!found || strncmp(found, wanted, strlen(wanted)) != 0 || !strstr(found, "us")) fail_msg("%s", found);
        close_dnn(dnn);
    }
}

/* Every call of a search by the clock, failing once. */
static void any_step_of_a_timed_search_may_fail(void **state)
{
    (void)state;
    bool is_reached = true;
    for (int call = 0; is_reached; call++) {
        sb_cudnn *dnn = open_dnn("graph-timed", false);
        fake->failing_call = call;
        const char *words = convolve(dnn, SB_CUDNN_FORWARD);
        is_reached = fake->failing_call < 0;
        if (is_reached && (!words || !strstr(words, "CUDNN_STATUS_INTERNAL_ERROR")))
            fail_msg("call %d: '%s'", call, words ? words : "");
        if (is_reached) assert_int_equal(fake->n_live, 1);
        fake->failing_call = -1;
        assert_null(convolve(dnn, SB_CUDNN_FORWARD));
        expect_computed(SB_CUDNN_FORWARD);
        close_dnn(dnn);
    }
}

/* More engines than one fact has room for. */
static void all_engines_are_facts(void **state)
{
    (void)state;
    enum { SHAPES = 40 };
    static _Alignas(16) float zeros[SHAPES * 9];
    static sb_facts facts;
    sb_cudnn *dnn = open_dnn("graph-deterministic", false);
    for (int n = 1; n <= SHAPES; n++) {
        const sb_cudnn_shape thin = {1, 1, 1, 1, n, 3, 1};
        assert_null(sb_cudnn_convolve(dnn, SB_CUDNN_FORWARD, &thin, zeros, zeros, 0, zeros));
    }
    facts.n = 0;
    sb_cudnn_facts(dnn, &facts);
    assert_int_equal(facts.n, 3);
    int found = 0;
    for (int i = 0; i < facts.n; i++)
        for (const char *at = facts.fact[i].value; (at = strstr(at, "forward 1x1-1 ")); at++) found++;
    assert_int_equal(found, SHAPES);
    assert_non_null(strstr(facts.fact[2].value, "40x1 A5 e5"));
    assert_string_equal(facts.fact[2].name, "cudnn_engines_3");
    close_dnn(dnn);
}

/* Beta is part of a graph, and a plan holds for addresses as aligned as those that it was made for. */
static void a_plan_is_made_for_beta_and_for_the_alignment(void **state)
{
    (void)state;
    enum { HELD = 1 + 8 }; /* the handle; x, w, y, convolution, operation, graph, configuration, plan */
    static _Alignas(16) float aligned[OUT * H * W + 4];
    sb_cudnn *dnn = open_dnn("graph-deterministic", false);
    fill(x, sizeof x / sizeof *x, 1), fill(w, sizeof w / sizeof *w, 1);
    for (int round = 0; round < 2; round++)
        for (int at = 0; at < 3; at++) { /* 16, 4 and 8 bytes */
            fill(aligned, sizeof aligned / sizeof *aligned, NAN);
            assert_null(sb_cudnn_convolve(dnn, SB_CUDNN_FORWARD, &shape, x, w, 0, aligned + at));
            assert_true(aligned[at + W + 1] == 9 * IN && (at == 0 || isnan(aligned[at - 1])));
            assert_null(sb_cudnn_convolve(dnn, SB_CUDNN_FORWARD, &shape, x, w, 2, aligned + at));
            assert_true(aligned[at + W + 1] == 27 * IN && isnan(aligned[at + OUT * H * W]));
            if (round == 0) assert_int_equal(fake->n_searches, 2 * (at + 1));
        }
    assert_int_equal(fake->n_searches, 6);
    assert_int_equal(fake->n_live, 1 + 6 * (HELD - 1));
    close_dnn(dnn);
}

static void more_shapes_than_room_are_refused(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    static _Alignas(16) float zeros[MANY * 9];
    static const struct {
        const char *choice;
        int room;
    } cases[] = {{"deterministic", 512}, {"graph-deterministic", 768}};
    for (int c = 0; c < 2; c++) {
        sb_cudnn *dnn = open_dnn(cases[c].choice, false);
        const char *words = NULL;
        int n = 0;
        for (; !words && n < MANY; n++) {
            const sb_cudnn_shape thin = {1, 1, 1, 1, n + 1, 3, 1};
            words = sb_cudnn_convolve(dnn, SB_CUDNN_FORWARD, &thin, zeros, zeros, 0, zeros);
        }
        assert_int_equal(n, cases[c].room + 1);
        assert_string_equal(words, "more shapes of convolutions than there is room for");
        close_dnn(dnn);
    }
}

static void errors_have_cudnns_words(void **state)
{
    (void)state;
    static const char *const choices[] = {NULL, "graph-heuristic"};
    sb_cudnn *dnn;
    const sb_cudnn_shape flat = {.n = 1, .in = 3, .out = 2, .h = 0, .w = 4, .kernel = 3, .padding = 1};
    for (int c = 0; c < 2; c++) {
        dnn = open_dnn(choices[c], false);
        for (int i = 0; i < 200; i++) /* what cannot be described takes no room */
            assert_string_equal(sb_cudnn_convolve(dnn, SB_CUDNN_FORWARD, &flat, x, w, 0, y),
                                "cuDNN's description of a convolution gives CUDNN_STATUS_BAD_PARAM");
        close_dnn(dnn);
    }
    size_t n_bytes;
    assert_int_equal(sb_cudnn_open_library(&dnn, NULL, workspace, "fast", NULL, false), SB_E_USAGE);
    assert_int_equal(sb_cudnn_workspace("fast", &n_bytes), SB_E_USAGE);
    assert_string_equal(sb_message(), "unknown cudnn algorithm 'fast' (one of deterministic|heuristic|"
                                      "graph-deterministic|graph-heuristic|graph-timed)");
    assert_null(dnn);
    assert_int_equal(sb_cudnn_workspace(NULL, &n_bytes), SB_OK); /* deterministic */
    assert_int_equal(n_bytes, 256 << 20);
    assert_int_equal(sb_cudnn_workspace("heuristic", &n_bytes), SB_OK); /* as the study's library */
    assert_int_equal(n_bytes, 8 << 20);
}

/* A cuDNN without the graph API serves the other choices. */
static void a_graph_wants_its_functions(void **state)
{
    (void)state;
    char library[256];
    sb_cudnn *dnn;
    snprintf(library, sizeof library, "%s", getenv("SAMEBITS_CUDNN"));
    setenv("SAMEBITS_CUDNN", SB_FAKE_CUDNN_WITHOUT_GRAPHS, 1);
    for (int choice = 0; choice < SB_N_CUDNN_CHOICES; choice++) {
        const char *name = sb_cudnn_choice_name[choice];
        sb_status status = sb_cudnn_open_library(&dnn, NULL, workspace, name, NULL, false);
        assert_int_equal(status, strncmp(name, "graph", 5) == 0 ? SB_E_MISSING : SB_OK);
        if (status == SB_OK)
            sb_cudnn_close(dnn);
        else
            assert_string_equal(sb_message(), "cuDNN has no cudnnBackendCreateDescriptor; another version is needed");
    }
    setenv("SAMEBITS_CUDNN", library, 1);
}

/* The stand-in holds a caller to the order and the forms of the graph API. */
static void the_stand_in_refuses(void **state)
{
    (void)state;
    enum { TENSOR = 17, GRAPH = 15, TYPE = 901, OPERATIONS = 801, INT64 = 3, DATA_TYPE = 1, DESCRIPTOR = 15 };
    void *library = dlopen(getenv("SAMEBITS_CUDNN"), RTLD_NOW | RTLD_NOLOAD), *tensor, *graph, *stray = &tensor;
    int (*create)(int, void **), (*destroy)(void *), (*finalize)(void *);
    int (*set)(void *, int, int, int64_t, const void *), (*get)(void *, int, int, int64_t, int64_t *, void *);
    int64_t n;
    const int type = 0;
    *(void **)&create = dlsym(library, "cudnnBackendCreateDescriptor");
    *(void **)&destroy = dlsym(library, "cudnnBackendDestroyDescriptor");
    *(void **)&finalize = dlsym(library, "cudnnBackendFinalize");
    *(void **)&set = dlsym(library, "cudnnBackendSetAttribute");
    *(void **)&get = dlsym(library, "cudnnBackendGetAttribute");
    *fake = (fake_cudnn_state){.failing_call = -1};
    assert_int_not_equal(create(99, &tensor), 0);
    assert_int_equal(create(TENSOR, &tensor) | create(GRAPH, &graph), 0);
    assert_int_not_equal(set(tensor, TYPE, INT64, 1, &type), 0);
    assert_int_not_equal(set(tensor, TYPE, DATA_TYPE, 2, &type), 0);
    assert_int_not_equal(set(tensor, OPERATIONS, DESCRIPTOR, 1, &graph), 0);
    assert_int_not_equal(set(stray, TYPE, DATA_TYPE, 1, &type), 0);
    assert_int_not_equal(set(graph, OPERATIONS, DESCRIPTOR, 1, &tensor), 0); /* not finalized */
    assert_int_equal(set(tensor, TYPE, DATA_TYPE, 1, &type), 0);
    assert_int_not_equal(finalize(tensor), 0); /* sizes are missing */
    assert_int_not_equal(get(tensor, TYPE, DATA_TYPE, 1, &n, &n), 0);
    destroy(tensor), destroy(graph);
    assert_int_equal(fake->n_live, 0);
    dlclose(library);
}

/* NVIDIA_TF32_OVERRIDE and CUBLAS_EMULATE_SINGLE_PRECISION: name, value, with TF32, refused */
static void an_environment_that_changes_the_arithmetic_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        bool tf32, refused;
    } cases[] = {{"NVIDIA_TF32_OVERRIDE", "0", false, false},
                 {"NVIDIA_TF32_OVERRIDE", "0", true, true},
                 {"NVIDIA_TF32_OVERRIDE", "1", false, true},
                 {"NVIDIA_TF32_OVERRIDE", "", false, true},
                 {"CUBLAS_EMULATE_SINGLE_PRECISION", "0", false, false},
                 {"CUBLAS_EMULATE_SINGLE_PRECISION", "0", true, false},
                 {"CUBLAS_EMULATE_SINGLE_PRECISION", "1", false, true},
                 {"CUBLAS_EMULATE_SINGLE_PRECISION", "1", true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_cudnn *dnn;
        setenv(cases[i].name, cases[i].value, 1);
        sb_status status = sb_cudnn_open_library(&dnn, NULL, workspace, NULL, NULL, cases[i].tf32);
        unsetenv(cases[i].name);
        assert_int_equal(status, cases[i].refused ? SB_E_USAGE : SB_OK);
        if (!cases[i].refused) {
            sb_cudnn_close(dnn);
            continue;
        }
        char wanted[128];
        snprintf(wanted, sizeof wanted, "%s=%s: with it cuDNN ", cases[i].name, cases[i].value);
        if (strncmp(sb_message(), wanted, strlen(wanted)) != 0 || !strstr(sb_message(), "; unset it"))
            fail_msg("%s", sb_message());
        assert_null(dnn);
    }
}

int main(void)
{
    unsetenv("NVIDIA_TF32_OVERRIDE"), unsetenv("CUBLAS_EMULATE_SINGLE_PRECISION");
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_next_one_is_taken),
                                       cmocka_unit_test(where_none_is_left_it_is_said),
                                       cmocka_unit_test(a_mode_that_lists_nothing_gives_way),
                                       cmocka_unit_test(what_has_worked_is_kept),
                                       cmocka_unit_test(other_errors_are_told),
                                       cmocka_unit_test(any_step_may_fail),
                                       cmocka_unit_test(the_fastest_is_taken),
                                       cmocka_unit_test(any_step_of_a_timed_search_may_fail),
                                       cmocka_unit_test(all_engines_are_facts),
                                       cmocka_unit_test(a_plan_is_made_for_beta_and_for_the_alignment),
                                       cmocka_unit_test(more_shapes_than_room_are_refused),
                                       cmocka_unit_test(errors_have_cudnns_words),
                                       cmocka_unit_test(a_graph_wants_its_functions),
                                       cmocka_unit_test(the_stand_in_refuses),
                                       cmocka_unit_test(an_environment_that_changes_the_arithmetic_is_refused)};
    /* once with the statuses of cuDNN 9, once with those of 8 */
    static const char *const libraries[] = {SB_FAKE_LIBRARIES, SB_FAKE_CUDNN_8};
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW);
        fake = library ? dlsym(library, "fake_cudnn") : NULL;
        if (!fake) return 1;
        setenv("SAMEBITS_CUDNN", libraries[i], 1);
        int n_failed = cmocka_run_group_tests_name(libraries[i], tests, NULL, NULL);
        if (n_failed) return n_failed;
    }
    return 0;
}
