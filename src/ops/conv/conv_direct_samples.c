/* Convolutions of a batch in the form `direct`, with samples as lanes: the chains of order.h, the same bits as the
 * products of conv_direct.c. No lane is empty whatever the channels are, and a tap that lies outside of the map, which
 * is zero, can be left out for all of a vector at once. */
#include "ops/conv/conv_direct.h"

/* A tile is a group of samples wide. This many groups are turned at a time: they stay in the second-level cache. */
enum { GROUP = SB_TILE_COLUMNS, AT_ONCE = 64 / GROUP };
_Static_assert(AT_ONCE > 0, "a group has at most 64 samples");

/* The source of the lanes: numbers of every sample, in rows with the stride `row`. */
typedef struct plane {
    const sb_real *x;
    int channels, w, h, pixel; /* `channels` of every `pixel` numbers are factors */
    size_t row, sample;
} plane;

static plane input_plane(const sb_term *term)
{
    const sb_conv_shape *s = &term->conv->shape;
    const int reach = reach_of(s), w = s->w + reach;
    return (plane){term->operand, s->in, w, s->h + reach, s->in, (size_t)w * s->in, input_pixels(s) * s->in};
}

/* dy without its border. */
static plane gradient_plane(const sb_term *term)
{
    const sb_conv_shape *s = &term->conv->shape;
    const int out = sb_conv_outputs(s), pixel = gradient_pixel(s), border = gradient_border(s);
    const size_t row = (size_t)(sb_conv_input_w(s) + reach_of(s)) * pixel;
    const sb_real *inner = (const sb_real *)term->operand + border * (row + pixel);
    return (plane){inner, out, s->w, s->h, pixel, row, gradient_pixels(s) * pixel};
}

/* Numbers of one sample. */
static size_t plane_size(const plane *p)
{
    return (size_t)p->h * p->w * p->pixel;
}

/* Elements of all that is turned at a time: whole groups. */
static size_t turned_size(const sb_conv_shape *shape)
{
    const sb_conv conv = {.shape = *shape};
    const sb_term term = {&conv, NULL};
    const plane x = input_plane(&term), dy = gradient_plane(&term);
    const size_t n = shape->n < AT_ONCE * GROUP ? (shape->n + GROUP - 1) / GROUP * GROUP : AT_ONCE * GROUP;
    return n * max_size(plane_size(&x), plane_size(&dy));
}

size_t SB_NATIVE(sb_direct_samples_scratch)(const sb_conv_shape *shape)
{
    return turned_size(shape) * sizeof(sb_real);
}

/* turned[group][k][GROUP]: number k of n samples from `first` on, and zeros to the end of the last vector. */
static void turn_samples(const plane *p, int first, int n, sb_real *turned)
{
    const int length = p->w * p->pixel;
#pragma omp for collapse(2) schedule(static)
    for (int lane = 0; lane < n; lane += SB_LANES)
        for (int y = 0; y < p->h; y++) {
            const sb_real *from = p->x + (size_t)(first + lane) * p->sample + y * p->row;
            sb_real *to = turned + (lane / GROUP * plane_size(p) + (size_t)y * length) * GROUP + lane % GROUP;
            for (int k = 0; k < length; k += SB_LANES)
                sb_vec_turn(from + k, p->sample, sb_lanes_at(lane, n), sb_lanes_at(k, length), to + (size_t)k * GROUP,
                            GROUP, SB_LANES);
        }
}

/* One product: kernel, taps that begin `border` above and left of a pixel, weights of c channels in tiles. */
typedef struct samples_product {
    plane plane;
    int kernel, border;
    const sb_real *tiles, *start;
    int n_k, c;
    sb_real *turned;
} samples_product;

/* Taps that meet the plane at a pixel of the result: offsets of their weights and of their numbers, relative to the
 * first. */
typedef struct met_taps {
    int n;
    size_t first;
    int32_t a[SB_KERNEL_MAX * SB_KERNEL_MAX], b[SB_KERNEL_MAX * SB_KERNEL_MAX];
} met_taps;

static met_taps taps_at(const samples_product *p, int y, int x)
{
    met_taps taps = {0};
    for (int v = 0; v < p->kernel; v++)
        for (int u = 0; u < p->kernel; u++) {
            const int down = y + v - p->border, right = x + u - p->border;
            if (down < 0 || down >= p->plane.h || right < 0 || right >= p->plane.w) continue;
            const size_t at = ((size_t)down * p->plane.w + right) * p->plane.pixel * GROUP;
            if (taps.n == 0) taps.first = at;
            taps.a[taps.n] = (v * p->kernel + u) * SB_TILE_ROWS;
            taps.b[taps.n++] = (int32_t)(at - taps.first);
        }
    return taps;
}

/* Does every tap of a row of the kernel meet the plane at column x? Two such pixels side by side meet the same ones. */
static bool meets_all(const samples_product *p, int x)
{
    return x >= p->border && x - p->border + p->kernel <= p->plane.w;
}

/* This many results of a sample are computed before they are turned: pixels side by side with all of their channels, or
 * some channels of one. */
enum { RUN = 256, RUN_TILES = RUN / SB_TILE_ROWS };

typedef struct run {
    int y, x, n_pixels, tile, n_tiles;
    int first, c; /* channels */
} run;

static void find_taps(const samples_product *p, const run *r, met_taps *taps)
{
    for (int i = 0; i < r->n_pixels; i++)
        if (i > 0 && meets_all(p, r->x + i - 1) && meets_all(p, r->x + i)) {
            taps[i] = taps[i - 1];
            taps[i].first += (size_t)p->plane.pixel * GROUP;
        } else {
            taps[i] = taps_at(p, r->y, r->x + i);
        }
}

/* A tile of channels of one pixel: c[channel][GROUP], from the numbers of a group. */
static void product_tile(const samples_product *p, const sb_real *turned, int tile, int n_vecs, const met_taps *met,
                         sb_real *c)
{
    const int first = sb_tile_begin(p->c, tile), n_rows = sb_tile_begin(p->c, tile + 1) - first;
    const sb_taps taps = {.n_channels = p->plane.channels,
                          .n_taps = met->n,
                          .a = p->tiles + (size_t)tile * SB_TILE_ROWS * p->n_k,
                          .a_channel = (ptrdiff_t)p->kernel * p->kernel * SB_TILE_ROWS,
                          .a_tap = met->a,
                          .b = turned + met->first,
                          .b_channel = GROUP,
                          .b_tap = met->b};
    for (int m = 0; p->start && m < n_rows; m++)
        for (int v = 0; v < n_vecs; v++) sb_vec_store(c + m * GROUP + v * SB_LANES, sb_vec_all(p->start[first + m]));
    SB_NATIVE(sb_kernel_taps)(n_rows, n_vecs, 1, &taps, p->start ? SB_GO_ON : SB_FROM_ZERO, c, GROUP);
}

/* The numbers of a run, one after the other in each sample, from [number][GROUP]. */
static void turn_run(const sb_real *from, int n, const sb_tensor *map, sb_real *to)
{
    const size_t sample = sb_tensor_sample(map);
    for (int lane = 0; lane < map->n; lane += SB_LANES)
        for (int k = 0; k < n; k += SB_LANES) {
            const int rows = sb_lanes_at(k, n);
            sb_vec_turn(from + (size_t)k * GROUP + lane, GROUP, rows, sb_lanes_at(lane, map->n), to + lane * sample + k,
                        sample, rows);
        }
}

/* A run of one group: all of its pixels for one tile after another. */
static void product_run(const samples_product *p, const sb_real *turned, const run *r, const sb_tensor *map)
{
    sb_real numbers[RUN * GROUP];
    met_taps taps[RUN];
    const int n_vecs = (map->n + SB_LANES - 1) / SB_LANES;
    find_taps(p, r, taps);
    for (int tile = r->tile; tile < r->tile + r->n_tiles; tile++)
        for (int i = 0; i < r->n_pixels; i++)
            product_tile(p, turned, tile, n_vecs, &taps[i],
                         numbers + (i * r->c + sb_tile_begin(p->c, tile) - r->first) * GROUP);
    turn_run(numbers, r->n_pixels * r->c, map, map->x + ((size_t)r->y * map->w + r->x) * map->c + r->first);
}

/* How a row of the result is cut into runs: first by channels, if one pixel has too many, then by pixels. */
typedef struct cut {
    int by_tiles, by_pixels;
} cut;

static cut cut_row(const sb_tensor *map)
{
    const int by_tiles = (sb_tiles_of(map->c) + RUN_TILES - 1) / RUN_TILES, pixels = by_tiles > 1 ? 1 : RUN / map->c;
    return (cut){by_tiles, (map->w + pixels - 1) / pixels};
}

/* Run number i of row y. */
static run run_of(const cut *of, const sb_tensor *map, int y, int i)
{
    const int n_tiles = sb_tiles_of(map->c), by_tile = i % of->by_tiles, by_pixel = i / of->by_tiles;
    run r = {.y = y, .x = by_pixel * map->w / of->by_pixels, .tile = by_tile * n_tiles / of->by_tiles};
    r.n_pixels = (by_pixel + 1) * map->w / of->by_pixels - r.x;
    r.n_tiles = (by_tile + 1) * n_tiles / of->by_tiles - r.tile;
    r.first = sb_tile_begin(map->c, r.tile);
    r.c = sb_tile_begin(map->c, r.tile + r.n_tiles) - r.first;
    return r;
}

static void product(const samples_product *p, sb_tensor *map)
{
    const cut of = cut_row(map);
    for (int first = 0; first < map->n; first += AT_ONCE * GROUP) {
        const int n = map->n - first < AT_ONCE * GROUP ? map->n - first : AT_ONCE * GROUP;
        turn_samples(&p->plane, first, n, p->turned);
#pragma omp for collapse(3) schedule(dynamic)
        for (int lane = 0; lane < n; lane += GROUP)
            for (int y = 0; y < map->h; y++)
                for (int i = 0; i < of.by_tiles * of.by_pixels; i++) {
                    const run r = run_of(&of, map, y, i);
                    sb_tensor group = *map;
                    group.x += (first + lane) * sb_tensor_sample(map);
                    group.n = n - lane < GROUP ? n - lane : GROUP;
                    product_run(p, p->turned + lane * plane_size(&p->plane), &r, &group);
                }
    }
}

/* With its memory in the scratch of a convolution. */
static samples_product product_of(const sb_conv *conv, plane from, int border, const factor *f, const sb_real *start,
                                  int c)
{
    return (samples_product){.plane = from,
                             .kernel = conv->shape.kernel,
                             .border = border,
                             .tiles = f->tiles,
                             .start = start,
                             .n_k = f->n_k,
                             .c = c,
                             .turned = conv->space.scratch};
}

void SB_NATIVE(sb_direct_samples_forward)(const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    const factor f = forward_factor(term);
    const samples_product p = product_of(term->conv, input_plane(term), 0, &f, bias, y->c);
    product(&p, y);
}

void SB_NATIVE(sb_direct_samples_gradient)(const sb_term *term, sb_tensor *dx)
{
    const factor f = backward_factor(term);
    const samples_product p =
        product_of(term->conv, gradient_plane(term), gradient_border(&term->conv->shape), &f, NULL, dx->c);
    product(&p, dx);
}
