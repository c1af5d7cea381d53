#include "data/images.h"

#include "core/random.h"
#include "core/size.h"

#include <stdlib.h>
#include <string.h>

enum { TRAINING, TRAINING_LABELS, TEST, TEST_LABELS };
enum { HOLD_OUT_SEED = 0 };

/* ---- the plan ---- */

/* Which of SB_NORMALS or SB_AUGMENT_FORMS has that name; the options take no others. */
static int find_word(const char *word, const char *const *words)
{
    int i = 0;
    while (strcmp(words[i], word) != 0) i++;
    return i;
}

bool sb_image_plan_of(const sb_settings *options, sb_image_plan *plan)
{
    const sb_settings resolved = sb_settings_resolved(options), *settings = &resolved;
#define NAME(ID, name) name,
    static const char *const normals[] = {SB_NORMALS(NAME)}, *const forms[] = {SB_AUGMENT_FORMS(NAME)};
#undef NAME
    const sb_setting_names names = sb_setting_names_of(settings);
#define HAS(ID) sb_setting_applies(SB_SETTING_##ID, &names)
    *plan = (sb_image_plan){
        .normal = HAS(NORMALISE) ? (sb_normal_kind)find_word(settings->normalise, normals) : SB_NORMAL_NONE,
        .augment = {.form = HAS(AUGMENT_FORM) ? (sb_augment_form)find_word(settings->augment_form, forms) : 0,
                    .crop = HAS(CROP) ? (int)settings->crop : 0,
                    .flip = HAS(FLIP) && strcmp(settings->flip, "on") == 0,
                    .cutout = HAS(CUTOUT) ? (int)settings->cutout : 0,
                    .brightness = HAS(BRIGHTNESS) ? settings->brightness : 0,
                    .contrast = HAS(CONTRAST) ? settings->contrast : 0,
                    .noise = HAS(NOISE) ? settings->noise : 0}};
    return HAS(NORMALISE);
#undef HAS
}

/* ---- bytes ---- */

/* [h][w][c] to [c][h][w], in place. */
static void separate_channels(sb_image_shape shape, uint8_t *image, uint8_t *room)
{
    const size_t pixels = (size_t)shape.h * (size_t)shape.w, channels = (size_t)shape.c;
    memcpy(room, image, pixels * channels);
    for (size_t c = 0; c < channels; c++)
        for (size_t i = 0; i < pixels; i++) image[c * pixels + i] = room[i * channels + c];
}

/* The largest of each 2x2, into a quarter of the place. */
static void halve(sb_image_shape from, const uint8_t *image, uint8_t *half)
{
    const size_t w = (size_t)from.w;
    for (int c = 0; c < from.c; c++)
        for (int i = 0; i + 1 < from.h; i += 2)
            for (int j = 0; j + 1 < from.w; j += 2) {
                const uint8_t *at = image + ((size_t)c * (size_t)from.h + (size_t)i) * w + j;
                const uint8_t above = at[0] > at[1] ? at[0] : at[1], below = at[w] > at[w + 1] ? at[w] : at[w + 1];
                *half++ = above > below ? above : below;
            }
}

/* As a network sees them: channel by channel, and with `halved` at half the size. */
static sb_status arrange(sb_image_shape shape, bool halved, size_t n, uint8_t *bytes)
{
    const size_t size = sb_image_elements(shape);
    const size_t size_out = halved ? (size_t)shape.c * (size_t)(shape.h / 2) * (size_t)(shape.w / 2) : size;
    SB_FREED uint8_t *room = sb_size_allocate(size, 1);
    if (!room) return sb_fail(SB_E_MEMORY, "not enough memory for an image");
    for (size_t i = 0; i < n; i++) {
        if (shape.c > 1) separate_channels(shape, bytes + i * size, room);
        if (halved) halve(shape, bytes + i * size, room);
        if (halved) memcpy(bytes + i * size_out, room, size_out);
    }
    return SB_OK;
}

static sb_status take(sb_images *images, int which, size_t n, size_t bytes_each)
{
    images->memory[which] = sb_size_allocate(n, bytes_each);
    return images->memory[which] ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for %zu images", n);
}

static sb_status read_training(sb_images *images, sb_dataset *dataset)
{
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    SB_TRY(take(images, TRAINING, facts->n, sb_image_elements(images->shape)));
    SB_TRY(sb_dataset_read(dataset, 0, facts->n, images->memory[TRAINING]));
    if (!facts->has_labels) return SB_OK;
    SB_TRY(take(images, TRAINING_LABELS, facts->n, 1));
    return sb_dataset_read_labels(dataset, 0, facts->n, images->memory[TRAINING_LABELS]);
}

static sb_status read_test(sb_images *images, sb_dataset *dataset)
{
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    if (!facts->n_test || !facts->has_test_labels) return SB_OK;
    SB_TRY(take(images, TEST, facts->n_test, sb_image_elements(images->shape)));
    SB_TRY(take(images, TEST_LABELS, facts->n_test, 1));
    SB_TRY(sb_dataset_read_test(dataset, 0, facts->n_test, images->memory[TEST]));
    return sb_dataset_read_test_labels(dataset, 0, facts->n_test, images->memory[TEST_LABELS]);
}

/* ---- parts ---- */

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Training, hold-out and test images: three lists of numbers, one after the other. */
static sb_status split(sb_images *images, size_t n, size_t n_test, size_t hold_out)
{
    const size_t n_train = n - hold_out;
    uint32_t *number = images->numbers = sb_size_allocate(n + n_test, sizeof *images->numbers);
    if (!number) return sb_fail(SB_E_MEMORY, "not enough memory for the order of %zu images", n);
    for (size_t i = 0; i < n; i++) number[i] = (uint32_t)i;
    if (hold_out) sb_random_permutation(HOLD_OUT_SEED, SB_STREAM_HOLD_OUT, 0, (uint32_t)n, number);
    qsort(number, n_train, sizeof *number, compare);
    qsort(number + n_train, hold_out, sizeof *number, compare);
    for (size_t i = 0; i < n_test; i++) number[n + i] = (uint32_t)i;
    const uint8_t *const *memory = (const uint8_t *const *)images->memory;
    images->part[SB_PART_TRAIN] = (sb_image_part){n_train, number, memory[TRAINING], memory[TRAINING_LABELS]};
    images->part[SB_PART_HOLD_OUT] =
        (sb_image_part){hold_out, number + n_train, memory[TRAINING], memory[TRAINING_LABELS]};
    images->part[SB_PART_TEST] = (sb_image_part){n_test, number + n, memory[TEST], memory[TEST_LABELS]};
    return SB_OK;
}

static void count_classes(sb_images *images, const sb_dataset_facts *facts)
{
    images->n_classes = facts->n_classes;
    for (size_t i = 0; i < facts->n && !facts->n_classes; i++)
        if (images->memory[TRAINING_LABELS][i] >= images->n_classes)
            images->n_classes = images->memory[TRAINING_LABELS][i] + 1;
}

/* A label of the test set that no training image has can be of no class. */
static sb_status check_test_labels(const sb_images *images, const sb_dataset_facts *facts)
{
    for (size_t i = 0; images->memory[TEST_LABELS] && i < facts->n_test; i++)
        if (images->memory[TEST_LABELS][i] >= images->n_classes)
            return sb_fail(SB_E_INTEGRITY, "label %zu of the test images is %d, and there are %d classes", i,
                           images->memory[TEST_LABELS][i], images->n_classes);
    return SB_OK;
}

/* ---- numbers ---- */

/* Sums of the bytes of each element over the training images; the caller frees. */
static int64_t *sum_elements(const sb_images *images)
{
    const sb_image_part *train = &images->part[SB_PART_TRAIN];
    const size_t size = sb_image_elements(images->shape);
    int64_t *sum = sb_size_allocate(size, sizeof *sum);
    for (size_t i = 0; sum && i < train->n; i++)
        for (size_t k = 0; k < size; k++) sum[k] += train->bytes[train->number[i] * size + k];
    return sum;
}

static sb_status open_normal(sb_images *images, sb_normal_kind kind)
{
    SB_FREED int64_t *sum = kind == SB_NORMAL_MEAN ? sum_elements(images) : NULL;
    if (kind == SB_NORMAL_MEAN && !sum) return sb_fail(SB_E_MEMORY, "not enough memory for a mean image");
    const sb_status status =
        sb_normal_open(&images->normal, kind, (size_t)images->shape.c,
                       (size_t)images->shape.h * (size_t)images->shape.w, sum, images->part[SB_PART_TRAIN].n);
    return status;
}

static sb_status check_plan(const sb_dataset_facts *facts, const sb_image_plan *plan)
{
    if (!facts->has_labels) return sb_fail(SB_E_USAGE, "the data set has no labels: there is nothing to classify");
    if (plan->normal != SB_NORMAL_MEAN) return SB_OK;
    if (facts->h < 2 || facts->w < 2)
        return sb_fail(SB_E_USAGE, "--normalise mean halves images, and these are %zux%zu", facts->w, facts->h);
    if (!plan->augment.crop && !plan->augment.flip) return SB_OK;
    return sb_fail(SB_E_USAGE, "--normalise mean takes a mean image away, which goes with neither --crop nor --flip");
}

static sb_status make_numbers(sb_images *images, sb_dataset *dataset, const sb_image_plan *plan, size_t n_test)
{
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    const bool halved = plan->normal == SB_NORMAL_MEAN;
    SB_TRY(arrange(images->shape, halved, facts->n, images->memory[TRAINING]));
    if (n_test) SB_TRY(arrange(images->shape, halved, n_test, images->memory[TEST]));
    if (halved) images->shape.h /= 2, images->shape.w /= 2;
    count_classes(images, facts);
    SB_TRY(check_test_labels(images, facts));
    return open_normal(images, plan->normal);
}

static sb_status open_images(sb_images *images, sb_dataset *dataset, const sb_image_plan *plan, size_t hold_out)
{
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    if (hold_out >= facts->n)
        return sb_fail(SB_E_USAGE, "--hold-out %zu leaves none of %zu images to learn from", hold_out, facts->n);
    if (plan) SB_TRY(check_plan(facts, plan));
    SB_TRY(read_training(images, dataset));
    if (plan) SB_TRY(read_test(images, dataset));
    const size_t n_test = images->memory[TEST] ? facts->n_test : 0;
    SB_TRY(split(images, facts->n, n_test, hold_out));
    return plan ? make_numbers(images, dataset, plan, n_test) : SB_OK;
}

sb_status sb_images_open(sb_images *images, sb_dataset *dataset, const sb_image_plan *plan, size_t hold_out)
{
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    *images = (sb_images){.shape = {(int)facts->c, (int)facts->h, (int)facts->w}};
    const sb_status status = open_images(images, dataset, plan, hold_out);
    if (status != SB_OK) sb_images_close(images);
    return status;
}

void sb_images_close(sb_images *images)
{
    for (int i = 0; i < 4; i++) free(images->memory[i]);
    free(images->numbers);
    sb_normal_close(&images->normal);
    *images = (sb_images){0};
}
