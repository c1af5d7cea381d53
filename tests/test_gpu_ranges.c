/* The declared ranges of each kernel (ops/kernels/ranges.c) against the bytes that it touches: bytes outside of what it
 * writes stay, and what it writes does not depend on bytes outside of what it reads. */
#include "walked_machine.h"

#include "core/rows/optimizers.h"

/* Every kernel was compared at least once. */
static bool is_held[SB_KERNELS_N];

#define NAME(name) #name,
static const char *const names[] = {SB_KERNELS(NAME, NAME)};

/* Words that undeclared memory is filled with: a signaling NaN, which no operation returns, and a large number, which a
 * comparison does not hide. */
static const uint32_t poisons[] = {0xffa5a5a5u, 0x4b5a5a5au};
enum { POISONS = sizeof poisons / sizeof *poisons, READ = 1, WRITTEN = 2, PAGE = 4096 };

/* What a launch may do with each byte of an image: READ, WRITTEN. */
static uint8_t *uses_of(const walked *w, const sb_ranges *ranges)
{
    uint8_t *use = calloc(walked_bytes(w) + 1, 1);
    size_t first = 0;
    assert_non_null(use);
    for (int i = 0; i < w->n_blocks; first += walked_size(w, i++))
        for (int r = 0; r < ranges->n; r++) {
            const sb_range *of = &ranges->range[r];
            const char *at = of->at;
            if (at < w->block[i].at || at >= w->block[i].at + w->block[i].n_bytes) continue;
            const size_t offset = (size_t)(at - w->block[i].at);
            assert_true(offset + of->n_bytes <= walked_size(w, i));
            for (size_t b = 0; b < of->n_bytes; b++)
                use[first + offset + b] |= (uint8_t)((of->is_read ? READ : 0) | (of->is_written ? WRITTEN : 0));
        }
    return use;
}

static uint8_t poison_byte(uint32_t poison, size_t i)
{
    return (uint8_t)(poison >> i % 4 * 8);
}

/* All bytes have the use of the first: most pages are so, and are filled and compared whole. */
static bool is_uniform(const uint8_t *use, size_t n)
{
    return memcmp(use, use + 1, n - 1) == 0;
}

static size_t page_size(size_t at, size_t n)
{
    return n - at < PAGE ? n - at : PAGE;
}

static void fill_poison(char *at, size_t n, uint32_t poison)
{
    for (size_t i = 0; i < n && i < sizeof poison; i++) at[i] = (char)poison_byte(poison, i);
    for (size_t done = sizeof poison; done < n; done *= 2) memcpy(at + done, at, done < n - done ? done : n - done);
}

/* What is in n bytes when a kernel begins: as it was where the kernel may read, else the poison. */
static void poison_page(char *at, size_t n, const char *before, const uint8_t *use, uint32_t poison)
{
    if (!is_uniform(use, n))
        for (size_t i = 0; i < n; i++) at[i] = use[i] & READ ? before[i] : (char)poison_byte(poison, i);
    else if (*use & READ)
        memcpy(at, before, n);
    else
        fill_poison(at, n, poison);
}

/* The image after the kernel ran on memory whose undeclared bytes are poisoned; the caller's. */
static char *run_poisoned(walked *w, const char *before, const uint8_t *use, uint32_t poison, int kernel, sb_grid grid,
                          const void *args)
{
    const size_t n = walked_bytes(w);
    char *image = malloc(n + 1);
    assert_non_null(image);
    for (size_t i = 0; i < n; i += PAGE) poison_page(image + i, page_size(i, n), before + i, use + i, poison);
    walked_restore(w, image);
    assert_true(sb_kernels_walk(kernel, grid, args, SB_WALK_UP));
    walked_save(w, image);
    return image;
}

/* Of n bytes from `at` that have one use: true: hold_byte accepts all; false: it must look at each. */
static bool is_page_held(size_t at, size_t n, const uint8_t *use, const char *before, const char *after,
                         char *const poisoned[POISONS])
{
    char was[PAGE];
    const bool is_written = *use & WRITTEN;
    bool holds = is_written || memcmp(after + at, before + at, n) == 0;
    for (int p = 0; p < POISONS && holds; p++) {
        if (!is_written) poison_page(was, n, before + at, use, poisons[p]);
        holds = memcmp(poisoned[p] + at, is_written ? after + at : was, n) == 0;
    }
    return holds;
}

/* A byte that is written is the same in every run; one that may be written and is not is what it was, in every run. */
static void hold_byte(const char *name, size_t i, uint8_t use, const char *before, const char *after,
                      char *const poisoned[POISONS])
{
    if (!(use & WRITTEN) && after[i] != before[i]) fail_msg("%s writes byte %zu, which its row lacks", name, i);
    bool is_same = true, is_left = after[i] == before[i];
    for (int p = 0; p < POISONS; p++) {
        const char was = use & READ ? before[i] : (char)poison_byte(poisons[p], i);
        is_same = is_same && poisoned[p][i] == after[i];
        is_left = is_left && poisoned[p][i] == was;
    }
    if (!(use & WRITTEN ? is_same || is_left : is_left))
        fail_msg("%s: byte %zu depends on memory that its row does not have as read", name, i);
}

static void hold_bytes(const char *name, size_t n, const uint8_t *use, const char *before, const char *after,
                       char *const poisoned[POISONS])
{
    for (size_t at = 0; at < n; at += PAGE) {
        const size_t size = page_size(at, n);
        if (is_uniform(use + at, size) && is_page_held(at, size, use + at, before, after, poisoned)) continue;
        for (size_t i = at; i < at + size; i++) hold_byte(name, i, use[i], before, after, poisoned);
    }
}

static void hold(walked *w, int kernel, sb_grid grid, const void *args)
{
    sb_ranges ranges;
    if (w->update < w->last_update) {
        assert_true(sb_kernels_walk(kernel, grid, args, SB_WALK_UP));
        return;
    }
    char *before = walked_image(w), *poisoned[POISONS];
    sb_kernel_ranges(kernel, args, &ranges);
    uint8_t *use = uses_of(w, &ranges);
    assert_true(sb_kernels_walk(kernel, grid, args, SB_WALK_UP));
    char *after = walked_image(w);
    for (int p = 0; p < POISONS; p++) poisoned[p] = run_poisoned(w, before, use, poisons[p], kernel, grid, args);
    hold_bytes(names[kernel], walked_bytes(w), use, before, after, poisoned);
    walked_restore(w, after);
    is_held[kernel] = true;
    for (int p = 0; p < POISONS; p++) free(poisoned[p]);
    free(before), free(after), free(use);
}

/* ---- what is run ---- */

static void learn_by(const walked_network *of, int n, bool overlaps, bool is_cut, sb_gpu_forms forms)
{
    walked *w = walked_open(of->arithmetic);
    w->launch = hold, w->backend.gpu.forms = forms;
    walked_ops(w)->overlaps = overlaps;
    if (is_cut) walked_cut(w);
    walked_learn(w, of, n);
    walked_close(w);
}

static void learn(const walked_network *of, int n, bool overlaps, bool is_cut)
{
    learn_by(of, n, overlaps, is_cut, (sb_gpu_forms){0});
}

/* Compares the kernel of a tile alone. */
static void hold_tile(walked *w, int kernel, sb_grid grid, const void *args)
{
    const sb_domain_tile *tile = w->test;
    if (kernel == tile->kernel)
        hold(w, kernel, grid, args);
    else
        assert_true(sb_kernels_walk(kernel, grid, args, SB_WALK_UP));
}

static void learn_with_tile(const walked_network *of, sb_domain_tile_kind kind, const char *name)
{
    sb_domain_tile tile = *sb_domain_tile_for(kind, 1, 1, 1, 1, name);
    walked *w = walked_open(of->arithmetic);
    w->launch = hold_tile, w->test = &tile;
    w->backend.gpu.forms.tiles = true, w->backend.gpu.forms.tile = tile.name;
    walked_ops(w)->overlaps = true;
    walked_learn(w, of, 2);
    walked_close(w);
}

static void networks(void **state)
{
    (void)state;
    for (int i = 0; i < WALKED_NETWORKS; i++) learn(&walked_networks[i], 2, false, false);
    for (int i = 0; i < WALKED_PREDNETS; i++) learn(&walked_networks[i], 2, true, false);
    for (int i = 0; i < WALKED_RESNETS; i++) learn(&walked_networks[WALKED_RESNET + i], 2, true, true);
}

/* Networks whose convolutions and transforms have newer forms. */
static void newer_forms(void **state)
{
    (void)state;
    const sb_gpu_forms forms = {.pixels = true, .transforms = true};
    for (int i = 0; i < WALKED_PREDNETS; i++) learn_by(&walked_networks[i], 2, true, false, forms);
}

/* The layers that no network by name has; larger maps and channels, so that each size of a tile is chosen. */
static void other_layers_and_tiles(void **state)
{
    (void)state;
    static const walked_network of[] = {
        {"layers",
         "layers",
         "direct",
         "conv-6-3-groups-3-bias_groupnorm-2_gelu_averagepool-2_dropout-0.25_conv-20-3_norm_conv-24-3_dense-classes",
         "adam",
         {3, 10, 10, 4},
         4,
         {0}},
        {"wide", "layers", "winograd", "conv-8-3_conv-68-3_conv-40-3_dense-classes", "adam", {4, 20, 20, 3}, 4, {0}},
        {"wide, direct", "layers", "direct", "conv-44-3_conv-44-3_dense-classes", "adam", {3, 9, 9, 3}, 4, {0}},
        {"autoencoder", "autoencoder", "direct", NULL, "adam", {1, 5, 5, 0}, 1, {1, {7}}},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) learn(&of[i], 2, false, false);
}

/* Upsampled maps, and sums that go on. */
static void every_tile(void **state)
{
    (void)state;
    static const walked_network of = {"tiles", "prednet", "winograd", NULL, "adam", {3, 8, 8, 0}, 2, {3, {3, 4, 6}}};
    for (sb_domain_tile_kind kind = SB_DOMAIN_FORWARD; kind <= SB_DOMAIN_WEIGHT; kind++)
        for (int i = 0; i < sb_domain_tiles_count(kind); i++) learn_with_tile(&of, kind, sb_domain_tiles_name(kind, i));
}

static void optimizers(void **state)
{
    (void)state;
    for (int i = 0; i < SB_N_OPTIMIZERS; i++) {
        const walked_network of = {sb_optimizers[i].name, "mlp",        "direct", NULL,
                                   sb_optimizers[i].name, {1, 4, 4, 3}, 3,        {2, {6, 5}}};
        learn(&of, 3, false, false);
    }
}

/* Memory of n numbers, which are random. */
static sb_real *take(walked *w, size_t n, uint32_t stream)
{
    sb_real *x = walked_allocate(&w->backend.gpu, n * sizeof *x);
    fill_block(x, n, FILL_RANDOM, 9, stream);
    return x;
}

/* Operations of evaluations, inputs and searches, and kernels that cuBLAS's products need. */
static void single_kernels(void **state)
{
    (void)state;
    enum { N = 200, IMAGES = 3, SIDE = 4 };
    walked *w = walked_open("direct");
    sb_ops *ops = walked_ops(w);
    w->launch = hold;
    sb_gpu *gpu = sb_gpu_begin(ops, "single", NULL);
    sb_real *a = take(w, 9 * N, 0), *b = take(w, 9 * N, 1), *c = take(w, 9 * N, 2);
    ops->mutate(ops, N, 0.5, a, b, c);
    ops->average(ops, N, 0.25, a, b);
    sb_norm norm = {.c = 4,
                    .groups = 2,
                    .eps = 1e-5,
                    .rate = 0.1,
                    .scale = a,
                    .shift = a + 8,
                    .scale_grad = b,
                    .shift_grad = b + 8,
                    .running_mean = a + 16,
                    .running_var = c};
    norm.space = walked_allocate(gpu, sb_norm_size(&norm));
    for (int i = 0; i < 8; i++) norm.running_var[i] = 1 + (sb_real)i;
    sb_tensor x = {2, 1, 4, 3, 3, a + 40}, y = {2, 1, 4, 3, 3, b + 40};
    ops->norm_evaluate(ops, &norm, &x, &y);
    SB_GPU_EACH(gpu, sb_copy_rows, 5 * 6, .from = a, .to = c, .columns = 6, .from_pitch = 7, .to_pitch = 9);
    SB_GPU_EACH(gpu, sb_spread_bias, 2 * 3 * 5, .bias = a, .y = c, .channels = 3, .pixels = 5);
    SB_GPU_EACH(gpu, sb_columns, 2 * 9 * 16, .x = a, .to = b, .h = 4, .w = 4, .in_h = 4, .in_w = 4, .shrink = 1,
                .kernel = 3, .padding = 1, .stride = 1, .dilation = 1);
    SB_GPU_EACH(gpu, sb_fold, 2 * 4, .columns = b, .dx = c, .h = 4, .w = 4, .in_h = 4, .in_w = 4, .shrink = 1,
                .kernel = 3, .padding = 1, .stride = 1, .dilation = 1);
    uint8_t *bytes = walked_allocate(gpu, IMAGES * 3 * SIDE * SIDE);
    for (int i = 0; i < IMAGES * 3 * SIDE * SIDE; i++) bytes[i] = (uint8_t)(37 * i);
    const sb_image_store store = {.bytes = bytes,
                                  .table = take(w, 3 * 256, 3),
                                  .n = IMAGES,
                                  .c = 3,
                                  .h = SIDE,
                                  .w = SIDE,
                                  .has_contrast = 1,
                                  .cutout = 2};
    const sb_image_choice choice[2] = {{.number = 2, .x0 = -1, .flip = 1, .contrast = 2}, {.y0 = 1, .contrast = 1}};
    ops->image_load(ops, &store, choice, 2, c);
    ops->error_forward(ops, &x, &y, &(sb_tensor){2, 1, 8, 3, 3, c});
    if (ops->error(ops) != SB_OK) fail_msg("%s", sb_message());
    for (int i = 0; i < w->n_blocks; i++)
        if (w->block[i].at != w->backend.stage) free(w->block[i].at);
    w->n_blocks = 0;
    walked_close(w);
}

static void every_kernel_was_compared(void **state)
{
    (void)state;
    for (int kernel = 0; kernel < SB_KERNELS_N; kernel++)
        if (!is_held[kernel]) print_error("not compared: %s\n", names[kernel]);
    for (int kernel = 0; kernel < SB_KERNELS_N; kernel++) assert_true(is_held[kernel]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks),   cmocka_unit_test(newer_forms), cmocka_unit_test(other_layers_and_tiles),
        cmocka_unit_test(every_tile), cmocka_unit_test(optimizers),  cmocka_unit_test(single_kernels),
        cmocka_unit_test(every_kernel_was_compared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
