/* What the benchmark counts and how it looks at operations; its times are nobody's business here. */
#include "support.h"

#include "backend/profile.h"
#include "inspect/bench/bench_case.h"
#include "inspect/bench/bench_parts.h"
#include "net/sequential/sequential_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_gflop(double flop, double gflop)
{
    if (fabs(flop * 1e-9 - gflop) > 0.005) fail_msg("%.4f GFLOP, wanted %.2f", flop * 1e-9, gflop);
}

/* The study's window: counted elsewhere, convolution by convolution. */
static void the_window_of_the_study(void **state)
{
    (void)state;
    const sb_prednet_shape shape = {4, {3, 48, 96, 192}, 160, 120, 20};
    const sb_flop flop = sb_flop_prednet(&shape);
    assert_gflop(flop.forward, 257.60);
    assert_gflop(flop.data_gradient, 254.48);
    assert_gflop(flop.weight_gradient, 257.01);
    assert_gflop(sb_flop_total(flop), 769.09);
}

/* Of 5 inputs, in batches of 3. */
static sb_flop autoencoder_flop(sb_list hidden)
{
    sb_settings settings;
    sb_layer_list list;
    sb_flop flop;
    sb_settings_default(&settings);
    settings.model = "autoencoder", settings.hidden = hidden;
    settings = sb_settings_resolved(&settings);
    assert_int_equal(sb_autoencoder_list(&list, &settings, &(sb_data_shape){1, 1, 5, 0}), SB_OK);
    assert_int_equal(sb_flop_layers(&list, 3, &flop), SB_OK);
    return flop;
}

/* One frame of one layer with 3 channels on 2x2 pixels, by hand: E 6 -> 12, R 3 -> 12 and P 3 -> 3 channels are 117
 * kernels of 9 taps at 4 places; of the data gradients only P's is wanted. */
static void one_frame_by_hand(void **state)
{
    (void)state;
    const sb_prednet_shape shape = {1, {3}, 2, 2, 1};
    const sb_flop flop = sb_flop_prednet(&shape);
    assert_true(flop.forward == 2.0 * 9 * 4 * 117);
    assert_true(flop.weight_gradient == 2.0 * 9 * 4 * 117);
    assert_true(flop.data_gradient == 2.0 * 9 * 4 * 9);
    const sb_flop dense = autoencoder_flop((sb_list){1, {2}});
    assert_true(dense.forward == 2 * 60 && dense.data_gradient == 60 && dense.weight_gradient == 2 * 60);
    const double deep = 3 * 2 * (5 * 4 + 4 * 2); /* products of the encoder, and of the decoder */
    const sb_flop deeper = autoencoder_flop((sb_list){2, {4, 2}});
    assert_true(deeper.forward == 2 * deep && deeper.weight_gradient == 2 * deep);
    assert_true(deeper.data_gradient == 2 * deep - 3 * 2 * 5 * 4);
}

/* A 3x3 convolution of 2 to 4 channels on 5x5, frozen, one of 1x1 to 3 channels, a 2x2 pool, a dense layer on 2x2: what
 * is frozen has no gradient, and the first that learns none of its data. */
static void layers_by_hand(void **state)
{
    (void)state;
    sb_layer_list list = {.model = "by hand", .input = {2, 5, 5}, .loss = &sb_loss_cross_entropy, .n_classes = 6};
    sb_flop flop;
    sb_layer_add(&list, (sb_layer_row){&sb_layer_conv, "a", .conv = {4, 3, 1, .is_frozen = true}});
    sb_layer_add(&list, (sb_layer_row){&sb_layer_conv, "b", .conv = {3, 1}});
    sb_layer_add(&list, (sb_layer_row){&sb_layer_pool, .window = 2});
    sb_layer_add(&list, (sb_layer_row){&sb_layer_dense, "c", .dense = {6}});
    assert_int_equal(sb_flop_layers(&list, 7, &flop), SB_OK);
    const double a = 9 * 2 * 4 * 25, b = 4 * 3 * 25, c = 3 * 4 * 6;
    assert_true(flop.forward == 7 * 2 * (a + b + c));
    assert_true(flop.weight_gradient == 7 * 2 * (b + c));
    assert_true(flop.data_gradient == 7 * 2 * c);
}

/* Queries, keys and values of 4 channels at 5 positions: 15 pairs of a position and one not after it, and two products for
 * each; of both operands there is a gradient. */
static void attention_by_hand(void **state)
{
    (void)state;
    sb_layer_list list = {.model = "by hand", .input = {2, 1, 5}, .loss = &sb_loss_cross_entropy, .n_classes = 6};
    sb_flop flop;
    sb_layer_add(&list, (sb_layer_row){&sb_layer_conv, "a", .conv = {12, 1}});
    sb_layer_add(&list, (sb_layer_row){&sb_layer_attention, .heads = 2});
    sb_layer_add(&list, (sb_layer_row){&sb_layer_dense, "b", .dense = {6}});
    assert_int_equal(sb_flop_layers(&list, 7, &flop), SB_OK);
    const double a = 2 * 12 * 5, attention = 15 * 2 * 4, b = 4 * 5 * 6;
    assert_true(flop.forward == 7 * 2 * (a + attention + b));
    assert_true(flop.weight_gradient == 7 * 2 * (a + b));
    assert_true(flop.data_gradient == 7 * 2 * (2 * attention + b));
}

static sb_bench_case make_case(const char *study, const char *backend, const char *model, long batch)
{
    sb_settings setup;
    sb_settings_default(&setup);
    setup.model = model, setup.backend = backend, setup.arithmetic = "direct", setup.threads = 2;
    setup.window = 4, setup.batch = batch, setup.hidden = (sb_list){1, {8}}, setup.channels = (sb_list){3, {3, 4, 6}};
    sb_bench_case c;
    const sb_bench_network *network = sb_bench_network_find(model);
    sb_size size = {16, 8};
    if (network) {
        sb_bench_network_settings(network, &setup);
        size = (sb_size){network->data.w, network->data.h};
        if (strcmp(model, "resnet9") == 0) setup.widths = (sb_list){4, {2, 3, 4, 5}};
    }
    const sb_status status = sb_bench_case_make(&c, study, &setup, size);
    if (status != SB_OK) fail_msg("%s", sb_message());
    return c;
}

/* One window of a case; with_profile: through the profile, whose rows are added up by what they count. */
static sb_hash run_window(const sb_bench_case *c, bool with_profile, sb_flop *flop, long *adam_calls)
{
    sb_bench_trial trial;
    sb_profile *profile = NULL;
    sb_hash hash = {0};
    assert_int_equal(sb_bench_trial_open(&trial, c), SB_OK);
    /* Afresh: how many batches warm it up depends on the clock. */
    assert_int_equal(sb_learner_start(&trial.setup.learner, (uint64_t)c->setup.seed, 0), SB_OK);
    trial.update = 0;
    sb_ops *plain = trial.setup.learner.net->ops;
    if (with_profile) {
        assert_int_equal(sb_profile_open(&profile, plain), SB_OK);
        trial.setup.learner.net->ops = sb_profile_ops(profile);
    }
    assert_int_equal(sb_bench_trial_window(&trial), SB_OK);
    trial.setup.learner.net->ops = plain;
    assert_int_equal(sb_learner_weights_hash(&trial.setup.learner, &hash), SB_OK);
    int n_rows = 0;
    const sb_profile_row *row = with_profile ? sb_profile_rows(profile, &n_rows) : NULL;
    for (int i = 0; i < n_rows; i++) {
        assert_true(row[i].calls > 0 && row[i].seconds > 0);
        if (strstr(row[i].operation, "_forward")) flop->forward += row[i].flop;
        if (strstr(row[i].operation, "_data_gradient")) flop->data_gradient += row[i].flop;
        if (strstr(row[i].operation, "_weight_gradient")) flop->weight_gradient += row[i].flop;
        if (strcmp(row[i].operation, "adam") == 0) *adam_calls += row[i].calls;
    }
    sb_profile_close(profile);
    sb_bench_trial_close(&trial);
    return hash;
}

/* The counter against what the network really asks for, and the profile against no profile. */
static void the_profile_sees_what_is_counted(void **state)
{
    (void)state;
    static const struct {
        const char *study, *backend, *model;
        long batch;
    } cases[] = {{"prednet", "native", "prednet", 1},   {"prednet", "openblas", "prednet", 1},
                 {"inference", "native", "prednet", 1}, {"autoencoder", "native", "autoencoder", 7},
                 {"resnet9", "native", "resnet9", 2},   {"resnet9-evaluation", "openblas", "resnet9", 2},
                 {"lenet", "native", "lenet", 3},       {"lenet-evaluation", "native", "lenet", 3},
                 {"mlp", "openblas", "mlp", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sb_bench_case c = make_case(cases[i].study, cases[i].backend, cases[i].model, cases[i].batch);
        sb_flop flop = {0};
        long adam_calls = 0;
        const sb_hash with = run_window(&c, true, &flop, &adam_calls), without = run_window(&c, false, NULL, NULL);
        char text[2][SB_HASH_TEXT];
        sb_hash_text(with, text[0]), sb_hash_text(without, text[1]);
        assert_string_equal(text[0], text[1]);
        if (sb_flop_total(flop) != c.flop)
            fail_msg("%s on %s: %.0f forward, %.0f and %.0f backward seen, %.0f together counted", cases[i].study,
                     cases[i].backend, flop.forward, flop.data_gradient, flop.weight_gradient, c.flop);
        assert_int_equal(adam_calls, !c.network && sb_bench_case_learns(&c));
    }
}

/* The operations are the last members of sb_ops, from `zero` on, and nothing but functions. */
static void every_slot_is_timed(void **state)
{
    (void)state;
    sb_ops *inner;
    sb_profile *profile;
    assert_int_equal(sb_backend_open(&inner, "native", &(sb_backend_options){.threads = 1}), SB_OK);
    assert_int_equal(sb_profile_open(&profile, inner), SB_OK);
    for (size_t at = offsetof(sb_ops, zero); at < sizeof *inner; at += sizeof inner->zero)
        assert_memory_not_equal((char *)inner + at, (char *)sb_profile_ops(profile) + at, sizeof inner->zero);
    sb_profile_close(profile);
    sb_backend_close(inner);
}

static void spreads(void **state)
{
    (void)state;
    sb_series series = {0};
    assert_true(sb_series_spread(&series).median == 0);
    sb_series_add(&series, 3), sb_series_add(&series, 10), sb_series_add(&series, -1);
    sb_spread odd = sb_series_spread(&series);
    assert_true(odd.median == 3 && odd.min == -1 && odd.max == 10);
    sb_series_add(&series, 4);
    assert_true(sb_series_spread(&series).median == 3.5);
}

/* The pattern moves by whole pixels, and differs from place to place. */
static void frames_move(void **state)
{
    (void)state;
    enum { W = 40, H = 24, DX = 3, DY = 1 };
    uint8_t *frames = sb_bench_frames(2, W, H);
    assert_non_null(frames);
    int n_values = 0;
    bool seen[256] = {0};
    for (int y = 0; y < H - DY; y++)
        for (int i = 0; i < (W - DX) * 3; i++) {
            const uint8_t value = frames[(size_t)(y + DY) * W * 3 + i + DX * 3];
            assert_int_equal(frames[((size_t)H + y) * W * 3 + i], value);
            n_values += !seen[value];
            seen[value] = true;
        }
    assert_true(n_values > 64);
    free(frames);
}

static void digits_are_mostly_black(void **state)
{
    (void)state;
    enum { N = 50 * 28 * 28 };
    uint8_t *images = sb_bench_digits(50, 28, 28);
    assert_non_null(images);
    int n_ink = 0;
    for (int i = 0; i < N; i++) n_ink += images[i] > 0;
    if (n_ink < N / 10 || n_ink > N * 3 / 10) fail_msg("%d of %d pixels are not black", n_ink, N);
    free(images);
}

/* Windows of 2 and 0.3 s, by hand: one of each to warm up, then until 0.5 s have passed; ceilings of 0.4 s before. */
static void the_forecast_adds_up(void **state)
{
    (void)state;
    const sb_bench_options options = {.rounds = 5};
    static sb_bench_state bench;
    bench = (sb_bench_state){.options = &options, .n_cases = 2, .n_memory = 1};
    bench.cases[0].flop = bench.memory[0].flop = 2e9;
    bench.cases[1].flop = 0.3e9;
    const double seconds = 5 * (0.4 + 2 + 2) + 5 * (0.4 + 0.3 + 2 * 0.3) + 2 + 2;
    assert_true(fabs(sb_bench_forecast(&bench, 1e-9, 0.5, 0.4) - seconds) < 1e-9);
}

/* ---- kernels of a GPU ---- */

static sb_bench_path small_path(void)
{
    sb_settings setup;
    sb_settings_default(&setup);
    setup.window = 3, setup.channels = (sb_list){2, {3, 4}}, setup.arithmetic = "direct", setup.backend = "cuda-on-cpu";
    return (sb_bench_path){sb_settings_resolved(&setup), NULL, {16, 8}};
}

/* Ranges of the same sizes, in the same order. */
static bool are_alike(const sb_ranges *a, const sb_ranges *b)
{
    bool is_alike = a->n == b->n && a->flop == b->flop;
    for (int i = 0; is_alike && i < a->n; i++)
        is_alike = a->range[i].n_bytes == b->range[i].n_bytes && a->range[i].is_read == b->range[i].is_read &&
                   a->range[i].is_written == b->range[i].is_written;
    return is_alike;
}

/* Each launch of the list is one of exactly one kernel. */
static sb_status expect_distinct(void *context, sb_ops *ops)
{
    sb_bench_kernels *kernels = context;
    const sb_command_list *list = sb_gpu_last_list(ops);
    assert_int_equal(sb_bench_kernels_of(kernels, list), SB_OK);
    sb_path_launch *launch = sb_path_launches(list);
    int n_launches = 0;
    assert_non_null(launch);
    for (int k = 0; k < kernels->n; k++) n_launches += kernels->kernel[k].launches;
    assert_int_equal(n_launches, list->n);
    for (int i = 0; i < list->n; i++) {
        int n_same = 0;
        for (int k = 0; k < kernels->n; k++) {
            const sb_path_launch *of = &kernels->kernel[k].launch;
            n_same += of->kernel == launch[i].kernel && memcmp(&of->grid, &launch[i].grid, sizeof of->grid) == 0 &&
                      are_alike(&of->ranges, &launch[i].ranges);
        }
        assert_int_equal(n_same, 1);
    }
    free(launch);
    return SB_OK;
}

static void kernels_of_a_list(void **state)
{
    (void)state;
    sb_bench_kernels kernels = {.path = small_path()};
    sb_ops *ops;
    assert_int_equal(sb_gpu_plan_open(&ops, &(sb_backend_options){.threads = 1, .arithmetic = "direct"}, 132, false),
                     SB_OK);
    assert_int_equal(sb_path_record(&kernels.path, ops, expect_distinct, &kernels), SB_OK);
    sb_backend_close(ops);
    assert_true(kernels.n > 20);
    free(kernels.kernel);
}

/* Where kernels are walked a graph has nothing to repeat: the way is the same, the time is of nothing. */
static void kernels_are_measured_by_a_walker(void **state)
{
    (void)state;
    enum { ROUNDS = 2 };
    sb_bench_kernels kernels = {.path = small_path()};
    if (sb_bench_kernels_measure(&kernels, 0, ROUNDS) != SB_OK) fail_msg("%s", sb_message());
    assert_true(kernels.n > 20);
    for (int k = 0; k < kernels.n; k++) {
        assert_int_equal(kernels.kernel[k].us.n, ROUNDS);
        assert_true(kernels.kernel[k].launch.us >= 0 && kernels.kernel[k].launch.us < 1e6);
    }
    free(kernels.kernel);
}

/* Two rows of one kernel and grid: each launch has the time of its own work. Without that column both have the mean. */
static void times_are_of_the_same_work(void **state)
{
    (void)state;
    static const char name[] = "test_bench_times.csv";
    static char memory[2][1 << 20];
    sb_path_launch launch[2] = {{.kernel = SB_KERNEL_sb_relu_backward, .grid = {7, 1, 1}},
                                {.kernel = SB_KERNEL_sb_relu_backward, .grid = {7, 1, 1}}};
    sb_path_sources sources;
    for (int i = 0; i < 2; i++) sb_ranges_add(&launch[i].ranges, memory[i], (size_t)(i + 1) << 19, true, false);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "# a table\nkernel,grid,threads,registers,launches,us,flop,bytes,more\n"
                  "sb_relu_backward,7x1x1,256,0,3,0.5,0,524288,x\nsb_relu_backward,7x1x1,256,0,1,40,0,1048576,x\n");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(sb_path_set_times(name, 2, launch, 2, launch, &sources), SB_OK);
    assert_int_equal(sources.measured, 2);
    assert_true(fabs(launch[0].us - 0.5) < 1e-9 && fabs(launch[1].us - 40) < 1e-9);
    remove(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_window_of_the_study),
        cmocka_unit_test(one_frame_by_hand),
        cmocka_unit_test(layers_by_hand),
        cmocka_unit_test(attention_by_hand),
        cmocka_unit_test(the_profile_sees_what_is_counted),
        cmocka_unit_test(every_slot_is_timed),
        cmocka_unit_test(spreads),
        cmocka_unit_test(frames_move),
        cmocka_unit_test(digits_are_mostly_black),
        cmocka_unit_test(the_forecast_adds_up),
        cmocka_unit_test(kernels_of_a_list),
        cmocka_unit_test(kernels_are_measured_by_a_walker),
        cmocka_unit_test(times_are_of_the_same_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
