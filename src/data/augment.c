#include "data/augment.h"

#include "core/random.h"
#include "core/size.h"

#include <assert.h>
#include <stdlib.h>

enum { OPTIONS_KEPT = 200 };
enum { CROP, FLIP, CUTOUT };

/* Places along a side: of the corner of a crop, and of the corner of a square of `cutout`. */
static uint32_t crop_places(const sb_augment_plan *plan)
{
    return 2 * (uint32_t)plan->crop + 1;
}

static uint32_t cutout_places(const sb_augment_plan *plan, int side)
{
    return (uint32_t)(side - plan->cutout + 1);
}

/* Options of a transform; 0: it is not asked for. */
static uint32_t count_options(const sb_augment *a, int transform)
{
    const sb_augment_plan *plan = &a->plan;
    switch (transform) {
    case CROP:
        return plan->crop ? crop_places(plan) * crop_places(plan) : 0;
    case FLIP:
        return plan->flip ? 2 : 0;
    default:
        return plan->cutout ? cutout_places(plan, a->shape.w) * cutout_places(plan, a->shape.h) : 0;
    }
}

/* ---- opening ---- */

static sb_status check(const sb_augment_plan *plan, sb_image_shape shape)
{
    const int least = shape.h < shape.w ? shape.h : shape.w;
    if (plan->crop >= least)
        return sb_fail(SB_E_USAGE, "--crop %d wants images of more than %d pixels a side, not %dx%d", plan->crop,
                       plan->crop, shape.w, shape.h);
    if (plan->cutout <= least) return SB_OK;
    return sb_fail(SB_E_USAGE, "--cutout %d does not fit into images of %dx%d", plan->cutout, shape.w, shape.h);
}

static sb_status take_memory(sb_augment *a)
{
    size_t most = a->n;
    a->column = sb_size_allocate((size_t)a->shape.w, sizeof *a->column);
    bool taken = a->column != NULL;
    for (int i = 0; i < SB_TRANSFORMS && a->plan.form == SB_AUGMENT_GROUP; i++) {
        const uint32_t n_options = count_options(a, i);
        if (n_options > most) most = n_options;
        if (n_options) taken = (a->option[i] = sb_size_allocate(a->n, sizeof *a->option[i])) && taken;
    }
    if (a->plan.form == SB_AUGMENT_GROUP) taken = (a->drawn = sb_size_allocate(2 * most, sizeof *a->drawn)) && taken;
    return taken ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory to augment %zu images", a->n);
}

sb_status sb_augment_open(sb_augment *augment, const sb_augment_plan *plan, sb_image_shape shape, uint64_t seed,
                          size_t n)
{
    *augment = (sb_augment){.plan = *plan, .shape = shape, .seed = seed, .n = n, .epoch = -1};
    SB_TRY(check(plan, shape));
    const sb_status status = take_memory(augment);
    if (status != SB_OK) sb_augment_close(augment);
    return status;
}

void sb_augment_close(sb_augment *augment)
{
    for (int i = 0; i < SB_TRANSFORMS; i++) free(augment->option[i]);
    free(augment->drawn);
    free(augment->column);
    *augment = (sb_augment){0};
}

/* ---- what is drawn ---- */

/* Both the images and the options are permuted; the first options take one image more where they do not come out even. */
static void draw_groups(sb_augment *a, uint32_t stream, uint32_t n_options, uint32_t *option)
{
    const uint32_t n = (uint32_t)a->n, m = n_options < OPTIONS_KEPT ? n_options : OPTIONS_KEPT;
    uint32_t *image = a->drawn, *order = a->drawn + n;
    sb_random_permutation(a->seed, stream, 0, n, image);
    sb_random_permutation(a->seed, stream, 1, n_options, order);
    for (uint32_t o = 0, next = 0; o < m; o++)
        for (uint32_t k = 0; k < n / m + (o < n % m); k++) option[image[next++]] = order[o];
}

void sb_augment_begin(sb_augment *augment, long epoch)
{
    static const uint32_t stream[] = {SB_STREAM_GROUP_CROP, SB_STREAM_GROUP_FLIP, SB_STREAM_GROUP_CUTOUT};
    if (epoch == augment->epoch) return;
    augment->epoch = epoch;
    for (int i = 0; i < SB_TRANSFORMS; i++)
        if (augment->option[i])
            draw_groups(augment, stream[i] + (uint32_t)epoch, count_options(augment, i), augment->option[i]);
}

static void choose_in_groups(const sb_augment *a, size_t place, sb_choice *choice)
{
    const uint32_t across = crop_places(&a->plan), down = cutout_places(&a->plan, a->shape.h);
    if (a->option[CROP]) {
        choice->crop_x = (int)(a->option[CROP][place] / across);
        choice->crop_y = (int)(a->option[CROP][place] % across);
    }
    if (a->option[FLIP]) choice->flip = a->option[FLIP][place] == 0;
    if (a->option[CUTOUT]) {
        choice->cutout_x = (int)(a->option[CUTOUT][place] / down);
        choice->cutout_y = (int)(a->option[CUTOUT][place] % down);
    }
}

static void choose_alone(const sb_augment *a, size_t number, sb_choice *choice)
{
    const sb_augment_plan *plan = &a->plan;
    const uint32_t epoch = (uint32_t)a->epoch;
    const sb_random4 w = sb_random_words(a->seed, SB_STREAM_CROP + epoch, number);
    const sb_random4 v = sb_random_words(a->seed, SB_STREAM_CUTOUT + epoch, number);
    choice->crop_x = (int)sb_random_integer(w.word[0], crop_places(plan));
    choice->crop_y = (int)sb_random_integer(w.word[1], crop_places(plan));
    choice->flip = plan->flip && w.word[2] >> 31;
    choice->cutout_x = (int)sb_random_integer(v.word[0], cutout_places(plan, a->shape.w));
    choice->cutout_y = (int)sb_random_integer(v.word[1], cutout_places(plan, a->shape.h));
}

/* Uniform in (-reach, reach). */
static double spread(uint32_t word, double reach)
{
    return reach * (2 * ((word + 0.5) * 0x1p-32) - 1);
}

sb_choice sb_augment_choose(const sb_augment *augment, size_t place, size_t number)
{
    assert(augment->epoch >= 0 && place < augment->n);
    sb_choice choice = {.contrast = 1};
    if (augment->plan.form == SB_AUGMENT_GROUP)
        choose_in_groups(augment, place, &choice);
    else
        choose_alone(augment, number, &choice);
    if (augment->plan.brightness == 0 && augment->plan.contrast == 0) return choice;
    const sb_random4 w = sb_random_words(augment->seed, SB_STREAM_LIGHT + (uint32_t)augment->epoch, number);
    choice.brightness = spread(w.word[0], augment->plan.brightness);
    choice.contrast = 1 + spread(w.word[1], augment->plan.contrast);
    return choice;
}

/* ---- what is done ---- */

/* Place i of a side with a reflected border; the edge is not repeated. */
static int reflect(int i, int side)
{
    return i < 0 ? -i : i >= side ? 2 * side - 2 - i : i;
}

/* Crop, flip and normalise one channel. */
static void load_channel(const sb_augment *a, const sb_choice *choice, const uint8_t *channel, size_t first,
                         const sb_normal *normal, sb_real *x)
{
    const int h = a->shape.h, w = a->shape.w, crop = a->plan.crop;
    const sb_real *table = sb_normal_at(normal, first);
    const size_t step = normal->per == 1 ? SB_NORMAL_BYTES : 0; /* from the table of one element to the next */
    for (int i = 0; i < h; i++) {
        const uint8_t *row = channel + (size_t)reflect(i + choice->crop_y - crop, h) * (size_t)w;
        for (int j = 0; j < w; j++, table += step) *x++ = table[row[a->column[j]]];
    }
}

static void change_light(const sb_augment *a, const sb_choice *choice, sb_real *x)
{
    const size_t n = (size_t)a->shape.c * a->shape.h * a->shape.w;
    const sb_real c = (sb_real)choice->contrast, b = (sb_real)choice->brightness;
    for (size_t i = 0; i < n && a->plan.contrast != 0; i++) x[i] = c * x[i];
    for (size_t i = 0; i < n && a->plan.brightness != 0; i++) x[i] = x[i] + b;
}

static void add_noise(const sb_augment *a, size_t number, sb_real *x)
{
    const uint64_t n = (uint64_t)a->shape.c * (uint64_t)a->shape.h * (uint64_t)a->shape.w;
    const uint32_t stream = SB_STREAM_NOISE + (uint32_t)a->epoch;
    for (uint64_t i = 0; i < n; i++)
        x[i] = x[i] + (sb_real)(a->plan.noise * sb_random_normal(a->seed, stream, number * n + i));
}

static void cut_out(const sb_augment *a, const sb_choice *choice, sb_real *x)
{
    for (int c = 0; c < a->shape.c; c++)
        for (int i = choice->cutout_y; i < choice->cutout_y + a->plan.cutout; i++)
            for (int j = choice->cutout_x; j < choice->cutout_x + a->plan.cutout; j++)
                x[((size_t)c * a->shape.h + i) * a->shape.w + j] = 0;
}

/* The columns that a row's pixels come from, by the choice of its crop and flip. */
static void find_columns(const sb_augment *a, const sb_choice *choice)
{
    const int w = a->shape.w;
    for (int j = 0; j < w; j++)
        a->column[j] = reflect((choice->flip ? w - 1 - j : j) + choice->crop_x - a->plan.crop, w);
}

/* The choice that changes nothing has a crop in the middle, and no square. */
static bool is_plain(const sb_choice *choice)
{
    return choice->cutout_x < 0;
}

sb_choice sb_augment_plain(const sb_augment *augment, bool mirrored)
{
    return (sb_choice){
        .crop_x = augment->plan.crop, .crop_y = augment->plan.crop, .flip = mirrored, .cutout_x = -1, .contrast = 1};
}

void sb_augment_apply(const sb_augment *augment, const sb_choice *choice, size_t number, const uint8_t *image,
                      const sb_normal *normal, sb_real *x)
{
    const sb_augment_plan *plan = &augment->plan;
    const size_t pixels = (size_t)augment->shape.h * augment->shape.w;
    find_columns(augment, choice);
    for (int c = 0; c < augment->shape.c; c++) {
        const size_t first = (size_t)c * pixels;
        load_channel(augment, choice, image + first, first, normal, x + first);
    }
    if (is_plain(choice)) return;
    change_light(augment, choice, x);
    if (plan->noise != 0) add_noise(augment, number, x);
    cut_out(augment, choice, x);
}
