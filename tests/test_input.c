/* The input pipeline: any mode, number of workers and depth gives the batches that the loader gives; errors come with
 * the batch that they belong to; closing ends everyone; and HDF5 may be used beside it. */
#include "support.h"

#include "backend/backend.h"
#include "data/input.h"
#include "data/resident.h"
#include "data_files.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 40, LENGTH = 8, SIDE = 6, UPDATES = 23 };

static const char *const images_path = "test_input_images.h5", *const video_path = "test_input_video.h5",
                  *const text_path = "test_input_text.h5";

/* ---- data ---- */

static void write_images(void)
{
    sb_h5 *file;
    const size_t dim[] = {N, SIDE, SIDE, 3}, n = N;
    uint8_t *bytes = data_bytes(N * SIDE * SIDE * 3, 19, 4), labels[N];
    for (int i = 0; i < N; i++) labels[i] = (uint8_t)(i % 7);
    assert_non_null(bytes);
    assert_int_equal(sb_h5_create(&file, images_path, SB_SEAL_DATA), SB_OK);
    assert_int_equal(sb_h5_write(file, "images", SB_U8, 4, dim, bytes, SB_H5_PACKED), SB_OK);
    assert_int_equal(sb_h5_write(file, "labels", SB_U8, 1, &n, labels, SB_H5_PLAIN), SB_OK);
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
    free(bytes);
}

static int set_up(void **state)
{
    (void)state;
    write_images();
    assert_int_equal(data_write_text(text_path, 200, 20, 5, 1), SB_OK);
    return data_write_video(video_path, 60, 4, 2, 3, (int64_t[]){0, 21, 33}, 1) != SB_OK;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(images_path) | unlink(video_path) | unlink(text_path);
}

static const sb_image_plan plan = {
    .normal = SB_NORMAL_CIFAR10,
    .augment = {.form = SB_AUGMENT_GROUP, .crop = 2, .flip = true, .cutout = 3, .noise = 0.1}};

typedef struct source {
    sb_dataset *dataset;
    sb_loader *loader;
} source;

/* Images as numbers, images as bytes, video, or text. */
enum { NUMBERS, BYTES, VIDEO, TEXT, N_KINDS };

static source open_source(int kind)
{
    source s;
    const sb_loader_plan of[] = {[NUMBERS] = {LENGTH, 4, 7, 3, &plan},
                                 [BYTES] = {.length = LENGTH, .n_shards = 2, .seed = 7},
                                 [VIDEO] = {.length = 4, .n_shards = 1, .seed = 7},
                                 [TEXT] = {.length = LENGTH, .n_shards = 2, .seed = 7, .context = 6}};
    static const char *const path_of[] = {[NUMBERS] = images_path, [BYTES] = images_path, [VIDEO] = video_path, [TEXT] = text_path};
    assert_int_equal(sb_dataset_open(&s.dataset, path_of[kind]), SB_OK);
    if (sb_loader_open(&s.loader, s.dataset, &of[kind]) != SB_OK) fail_msg("%s", sb_message());
    return s;
}

static void close_source(source *s)
{
    sb_loader_close(s->loader);
    sb_dataset_close(s->dataset);
}

/* ---- the same batches ---- */

static void expect_same(const source *s, const sb_input_plan *how, long first, const sb_batch *got)
{
    sb_batch wanted;
    assert_int_equal(sb_loader_batch(s->loader, first, 0, 1, &wanted), SB_OK);
    if (!sb_hash_equal(sb_batch_hash(got), sb_batch_hash(&wanted)) || got->n_shards != wanted.n_shards ||
        got->shard->n != wanted.shard->n || got->shard->reset != wanted.shard->reset)
        fail_msg("mode %d, %d workers, depth %d: another batch %ld", how->mode, how->workers, how->depth, first);
}

/* wanted: where the batches are read that they are compared with. */
static void run_beside(const source *s, const source *wanted, const sb_input_plan *how, long first, long last)
{
    sb_input *input;
    if (sb_input_open(&input, s->loader, how, first, last) != SB_OK) fail_msg("%s", sb_message());
    for (long update = first; update <= last; update++) {
        sb_batch batch;
        if (sb_input_take(input, &batch) != SB_OK) fail_msg("%s", sb_message());
        expect_same(wanted, how, how->mode == SB_INPUT_FAKE ? first : update, &batch);
    }
    const sb_input_times times = sb_input_take_times(input);
    assert_int_equal(times.n_batches, last - first + 1);
    assert_true(times.n_bytes > 0 && times.wait_s >= 0 && times.wait_workers_s >= 0);
    assert_true(times.queue_mean <= how->depth && times.queue_min <= times.queue_mean);
    assert_int_equal(sb_input_take_times(input).n_batches, 0);
    sb_input_close(input);
}

static void run_through(const source *s, const sb_input_plan *how, long first, long last)
{
    run_beside(s, s, how, first, last);
}

static void run_resident(const source *s, const source *wanted, long first)
{
    run_beside(s, wanted, &(sb_input_plan){.mode = SB_INPUT_RESIDENT}, first, UPDATES);
}

static void every_mode_gives_the_same_batches(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_KINDS; kind++) {
        source s = open_source(kind);
        run_through(&s, &(sb_input_plan){.mode = SB_INPUT_SYNC}, 1, UPDATES);
        run_through(&s, &(sb_input_plan){.mode = SB_INPUT_FAKE}, 5, UPDATES);
        source memory = open_source(kind); /* that the others are compared with reads its file */
        run_resident(&memory, &s, 1), run_resident(&memory, &s, 6);
        close_source(&memory);
        for (int workers = 1; workers <= 4; workers++)
            for (int depth = 1; depth <= 8; depth++) {
                const sb_input_plan how = {SB_INPUT_PREFETCH, workers, depth};
                run_through(&s, &how, workers == 2 ? 6 : 1, UPDATES); /* from a checkpoint, too */
            }
        close_source(&s);
    }
}

/* All bytes of the file become zeros, in place. */
static void scribble(const char *path)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    rewind(file);
    for (long i = 0; i < size; i++) assert_int_equal(fputc(0, file), 0);
    assert_int_equal(fclose(file), 0);
}

static sb_hash hash_of(sb_input *input)
{
    sb_batch batch;
    if (sb_input_take(input, &batch) != SB_OK) fail_msg("%s", sb_message());
    return sb_batch_hash(&batch);
}

/* Once it has begun, resident input needs no file: its bytes are gone, and the batches are what they were. */
static void resident_input_reads_no_file(void **state)
{
    (void)state;
    const sb_input_plan sync = {.mode = SB_INPUT_SYNC}, resident = {.mode = SB_INPUT_RESIDENT};
    for (int kind = 0; kind < N_KINDS; kind++) {
        source before = open_source(kind);
        sb_input *input;
        sb_hash wanted[UPDATES];
        assert_int_equal(sb_input_open(&input, before.loader, &sync, 1, UPDATES), SB_OK);
        for (int i = 0; i < UPDATES; i++) wanted[i] = hash_of(input);
        sb_input_close(input);
        close_source(&before); /* with all that the library keeps of the file */
        source s = open_source(kind);
        assert_int_equal(sb_input_open(&input, s.loader, &resident, 1, UPDATES), SB_OK);
        scribble(kind == VIDEO ? video_path : images_path);
        for (int i = 0; i < UPDATES; i++) assert_true(sb_hash_equal(hash_of(input), wanted[i]));
        sb_input_close(input);
        close_source(&s);
        assert_int_equal(set_up(NULL), 0);
    }
}

/* The test above can fail: what is read as it is needed sees that the bytes are gone. */
static void a_file_that_is_read_is_needed(void **state)
{
    (void)state;
    source s = open_source(VIDEO);
    sb_input *input;
    sb_batch batch;
    assert_int_equal(sb_input_open(&input, s.loader, &(sb_input_plan){.mode = SB_INPUT_SYNC}, 1, UPDATES), SB_OK);
    scribble(video_path);
    assert_int_equal(sb_input_take(input, &batch), SB_E_INTEGRITY);
    sb_input_close(input);
    close_source(&s);
    assert_int_equal(set_up(NULL), 0);
}

/* A batch stays as it is until the next one is taken, however far the workers are. */
static void a_batch_stays_until_the_next(void **state)
{
    (void)state;
    source s = open_source(NUMBERS);
    const sb_input_plan how = {SB_INPUT_PREFETCH, 3, 2};
    sb_input *input;
    assert_int_equal(sb_input_open(&input, s.loader, &how, 1, UPDATES), SB_OK);
    for (long update = 1; update <= 6; update++) {
        sb_batch batch;
        assert_int_equal(sb_input_take(input, &batch), SB_OK);
        for (int i = 0; i < 3; i++) {
            usleep(2000);
            expect_same(&s, &how, update, &batch);
        }
    }
    sb_input_close(input);
    close_source(&s);
}

/* ---- images on a device ---- */

static sb_ops *open_backend(const char *name)
{
    sb_ops *ops;
    if (sb_backend_open(&ops, name, &(sb_backend_options){.threads = 2}) != SB_OK) fail_msg("%s", sb_message());
    return ops;
}

static source open_images(const char *path, const sb_image_plan *images)
{
    source s;
    const sb_loader_plan how = {
        .length = LENGTH, .n_shards = 2, .seed = 5, .hold_out = images ? 3 : 0, .images = images};
    assert_int_equal(sb_dataset_open(&s.dataset, path), SB_OK);
    if (sb_loader_open(&s.loader, s.dataset, &how) != SB_OK) fail_msg("%s", sb_message());
    return s;
}

/* What the operation makes of a shard's choices, against what the loader makes on the host. */
static void expect_images(sb_ops *ops, const sb_image_store *store, const sb_window *got, const sb_window *wanted)
{
    const size_t n = (size_t)got->n * (size_t)(store->c * store->h * store->w);
    sb_real *planes = ops->allocate(ops, n * sizeof *planes), *host = malloc(n * sizeof *host);
    assert_true(planes && host && got->choice && !got->values && !got->bytes && got->n == wanted->n);
    ops->image_load(ops, store, got->choice, got->n, planes);
    assert_int_equal(sb_ops_read(ops, host, planes, n * sizeof *host), SB_OK);
    for (size_t i = 0; i < n; i++) {
        const sb_real value = wanted->values ? wanted->values[i] : (sb_real)((float)wanted->bytes[i] / 255.0f);
        if (host[i] != value)
            fail_msg("%s: number %zu is %a, on the host %a", ops->name, i, (double)host[i], (double)value);
    }
    if (wanted->labels) assert_memory_equal(got->labels, wanted->labels, got->n);
    ops->release(ops, planes);
    free(host);
}

static void expect_batches_of_device(const source *s, sb_ops *native, sb_ops *device)
{
    const sb_input_plan how = {.mode = SB_INPUT_RESIDENT, .ops = device};
    sb_resident *on_native;
    sb_input *input;
    assert_true(sb_resident_can(s->loader, device) && !sb_resident_can(s->loader, native));
    assert_int_equal(sb_resident_open(&on_native, s->loader, native), SB_OK);
    assert_int_equal(sb_input_open(&input, s->loader, &how, 1, UPDATES), SB_OK);
    for (long update = 1; update <= UPDATES; update++) {
        sb_batch wanted, got;
        assert_int_equal(sb_loader_batch(s->loader, update, 0, 1, &wanted), SB_OK);
        assert_int_equal(sb_input_take(input, &got), SB_OK);
        assert_int_equal(got.n_shards, wanted.n_shards);
        for (int i = 0; i < got.n_shards; i++) {
            expect_images(device, got.shard[i].store, &got.shard[i], &wanted.shard[i]);
            expect_images(native, sb_resident_store(on_native), &got.shard[i], &wanted.shard[i]);
        }
        if (update % 3) continue;
        assert_int_equal(sb_input_hold(input, &got), SB_OK);
        assert_true(sb_hash_equal(sb_batch_hash(&got), sb_batch_hash(&wanted)));
    }
    sb_input_close(input);
    sb_resident_close(on_native);
}

static void a_device_makes_the_same_batches(void **state)
{
    (void)state;
    static const char *const grey_path = "test_input_grey.h5";
    const sb_augment_plan all = {.crop = 2, .flip = true, .cutout = 3, .brightness = 0.3, .contrast = 0.2};
    sb_image_plan plans[] = {
        {SB_NORMAL_CIFAR10, all}, {SB_NORMAL_CIFAR10, all}, {SB_NORMAL_NONE, {.crop = 1}}, {.normal = SB_NORMAL_NONE}};
    plans[1].augment.form = SB_AUGMENT_GROUP;
    sb_ops *native = open_backend("native"), *device = open_backend("cuda-on-cpu");
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        source s = open_images(images_path, &plans[i]);
        expect_batches_of_device(&s, native, device);
        close_source(&s);
    }
    assert_int_equal(data_write_images(grey_path, N, 0, SIDE, 5), SB_OK);
    source grey = open_images(grey_path, NULL);
    expect_batches_of_device(&grey, native, device);
    close_source(&grey);
    unlink(grey_path);
    source noisy = open_source(NUMBERS), coloured = open_source(BYTES), video = open_source(VIDEO);
    assert_false(sb_resident_can(noisy.loader, device) || sb_resident_can(coloured.loader, device) ||
                 sb_resident_can(video.loader, device));
    close_source(&noisy), close_source(&coloured), close_source(&video);
    sb_backend_close(native), sb_backend_close(device);
}

/* ---- errors and ends ---- */

/* Random numbers are for 2^20 epochs: the batch behind the last of them cannot be made, and those before it can. */
static void an_error_comes_with_its_batch(void **state)
{
    (void)state;
    source s = open_source(BYTES);
    const long end = (1L << 20) * (N / LENGTH);
    for (int mode = SB_INPUT_SYNC; mode <= SB_INPUT_PREFETCH; mode++)
        for (int workers = 1; workers <= 4; workers++) {
            const sb_input_plan how = {mode, workers, 5};
            sb_input *input;
            sb_batch batch;
            assert_int_equal(sb_input_open(&input, s.loader, &how, end - 2, end + 100), SB_OK);
            for (long update = end - 2; update <= end; update++) {
                assert_int_equal(sb_input_take(input, &batch), SB_OK);
                expect_same(&s, &how, update, &batch);
            }
            for (int i = 0; i < 2; i++) {
                sb_fail(SB_OK, "nothing");
                assert_int_equal(sb_input_take(input, &batch), SB_E_USAGE);
                assert_string_equal(sb_message(),
                                    "update 5242881 is in epoch 1048576, and random numbers are for 1048576 epochs");
            }
            sb_input_close(input);
        }
    close_source(&s);
}

static void closing_ends_everyone(void **state)
{
    (void)state;
    source s = open_source(NUMBERS);
    for (int taken = 0; taken < 6; taken++)
        for (int workers = 1; workers <= 4; workers++) {
            sb_input *input;
            sb_batch batch;
            assert_int_equal(
                sb_input_open(&input, s.loader, &(sb_input_plan){SB_INPUT_PREFETCH, workers, 3}, 1, 1000000), SB_OK);
            for (int i = 0; i < taken; i++) assert_int_equal(sb_input_take(input, &batch), SB_OK);
            sb_input_close(input);
        }
    sb_input_close(NULL);
    close_source(&s);
}

/* ---- beside it ---- */

/* The trainer writes checkpoints while workers read video: HDF5 is called by one thread at a time. */
static void files_are_written_beside_it(void **state)
{
    (void)state;
    source s = open_source(VIDEO);
    const sb_input_plan how = {SB_INPUT_PREFETCH, 3, 4};
    sb_input *input;
    assert_int_equal(sb_input_open(&input, s.loader, &how, 1, UPDATES), SB_OK);
    for (long update = 1; update <= UPDATES; update++) {
        sb_batch batch;
        sb_h5 *file;
        sb_hash digest;
        const double numbers[] = {1, 2, (double)update};
        assert_int_equal(sb_input_take(input, &batch), SB_OK);
        assert_int_equal(sb_h5_create(&file, "test_input_run.h5", SB_SEAL_RUN), SB_OK);
        assert_int_equal(sb_h5_write(file, "a/b", SB_F64, 1, (size_t[]){3}, numbers, SB_H5_PACKED), SB_OK);
        assert_int_equal(sb_h5_set_int(file, "a", "update", update), SB_OK);
        assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
        assert_int_equal(sb_h5_open(&file, "test_input_run.h5", SB_SEAL_RUN), SB_OK);
        sb_h5_close(file);
        assert_int_equal(sb_dataset_digest(s.dataset, &digest), SB_OK);
        expect_same(&s, &how, update, &batch);
    }
    sb_input_close(input);
    close_source(&s);
    unlink("test_input_run.h5");
}

typedef struct reader {
    sb_h5 *file;
    const char *name;
    size_t row;
    sb_hash wanted;
    int n_wrong;
} reader;

static void *read_rows(void *context)
{
    reader *r = context;
    uint8_t bytes[N * SIDE * SIDE * 3];
    for (int i = 0; i < 200; i++) {
        const bool read = sb_h5_read_rows(r->file, r->name, SB_U8, 0, N, r->row, bytes) == SB_OK;
        r->n_wrong += !read || !sb_hash_equal(sb_hash_of(bytes, N * r->row, 1), r->wanted);
    }
    return NULL;
}

/* A handle keeps the data set that it read last open: two threads that read two of them through one handle. */
static void one_handle_serves_two_threads(void **state)
{
    (void)state;
    sb_h5 *file;
    pthread_t thread[2];
    uint8_t bytes[N * SIDE * SIDE * 3];
    reader r[] = {{.name = "images", .row = SIDE * SIDE * 3}, {.name = "labels", .row = 1}};
    assert_int_equal(sb_h5_open(&file, images_path, SB_SEAL_DATA), SB_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sb_h5_read(file, r[i].name, SB_U8, N * r[i].row, bytes), SB_OK);
        r[i].wanted = sb_hash_of(bytes, N * r[i].row, 1);
        r[i].file = file;
    }
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&thread[i], NULL, read_rows, &r[i]), 0);
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(r[0].n_wrong + r[1].n_wrong, 0);
    sb_h5_close(file);
}

static void modes_have_names(void **state)
{
    (void)state;
    for (int is_video = 0; is_video < 2; is_video++) {
        assert_int_equal(sb_input_mode_of("sync", is_video), SB_INPUT_SYNC);
        assert_int_equal(sb_input_mode_of("prefetch", is_video), SB_INPUT_PREFETCH);
        assert_int_equal(sb_input_mode_of("resident", is_video), SB_INPUT_RESIDENT);
        assert_int_equal(sb_input_mode_of("fake", is_video), SB_INPUT_FAKE);
    }
    assert_int_equal(sb_input_mode_of("auto", true), SB_INPUT_SYNC);
    assert_int_equal(sb_input_mode_of("auto", false), SB_INPUT_RESIDENT);
    assert_string_equal(SB_INPUT_WORDS, "auto|sync|prefetch|resident|fake");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_gives_the_same_batches),
        cmocka_unit_test(resident_input_reads_no_file),
        cmocka_unit_test(a_file_that_is_read_is_needed),
        cmocka_unit_test(a_batch_stays_until_the_next),
        cmocka_unit_test(a_device_makes_the_same_batches),
        cmocka_unit_test(an_error_comes_with_its_batch),
        cmocka_unit_test(closing_ends_everyone),
        cmocka_unit_test(files_are_written_beside_it),
        cmocka_unit_test(one_handle_serves_two_threads),
        cmocka_unit_test(modes_have_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
