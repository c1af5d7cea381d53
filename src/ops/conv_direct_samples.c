/* Convolutions of a batch in the form `direct`, with samples as lanes: the chains of order.h, the same bits as the
 * products of conv_direct.c. No lane is empty whatever the channels are, and a tap that lies outside of the map, which
 * is zero, can be left out for all of a vector at once. */
#include "ops/conv_direct.h"

/* A tile is a group of samples wide. So many groups are turned at a time: they stay in the second-level cache. */
enum { GROUP = SB_TILE_COLUMNS, AT_ONCE = 64 / GROUP };
_Static_assert(AT_ONCE > 0, "a group has at most 64 samples");

/* What the lanes are loaded from: so many numbers of every sample, in rows that lie `row` apart. */
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
    const int out = sb_conv_outputs(s), pixel = sb_whole_vectors(out), border = gradient_border(s);
    const size_t row = (size_t)(sb_conv_input_w(s) + reach_of(s)) * pixel;
    const sb_real *inner = (const sb_real *)term->operand + border * (row + pixel);
    return (plane){inner, out, s->w, s->h, pixel, row, gradient_pixels(s) * pixel};
}

/* Numbers of one sample. */
static size_t plane_size(const plane *p)
{
    return (size_t)p->h * p->w * p->pixel;
}

size_t SB_NATIVE(sb_direct_samples_scratch)(const sb_conv_shape *shape)
{
    const sb_conv conv = {.shape = *shape};
    const sb_term term = {&conv, NULL};
    const plane x = input_plane(&term);
    const size_t dy = (size_t)shape->h * shape->w * sb_whole_vectors(sb_conv_outputs(shape));
    const size_t n = shape->n < AT_ONCE * GROUP ? (shape->n + GROUP - 1) / GROUP * GROUP : AT_ONCE * GROUP;
    return n * max_size(plane_size(&x), dy) * sizeof(sb_real);
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

/* One product: kernel, taps that begin `border` above and left of a pixel, in blocks of packed weights. */
typedef struct samples_product {
    plane plane;
    int kernel, border;
    const sb_real *blocks, *start;
    int n_k;
} samples_product;

/* Taps that meet the plane at pixel (y, x) of the result: where their weights lie, and their numbers, counted from
 * those of the first. */
typedef struct met_taps {
    int n;
    size_t first;
    int32_t a[SB_KERNEL_MAX * SB_KERNEL_MAX], b[SB_KERNEL_MAX * SB_KERNEL_MAX];
} met_taps;

static met_taps taps_at(const samples_product *p, int width, int y, int x)
{
    met_taps taps = {0};
    for (int v = 0; v < p->kernel; v++)
        for (int u = 0; u < p->kernel; u++) {
            const int down = y + v - p->border, right = x + u - p->border;
            if (down < 0 || down >= p->plane.h || right < 0 || right >= p->plane.w) continue;
            const size_t at = ((size_t)down * p->plane.w + right) * p->plane.pixel * GROUP;
            if (taps.n == 0) taps.first = at;
            taps.a[taps.n] = (v * p->kernel + u) * width;
            taps.b[taps.n++] = (int32_t)(at - taps.first);
        }
    return taps;
}

/* Rows of a tile, in blocks that are turned. */
enum { TURNED_ROWS = (SB_TILE_ROWS + SB_LANES - 1) / SB_LANES * SB_LANES };

/* Channels first .. first + n_rows of one pixel of a group. */
static void product_tile(const samples_product *p, const sb_real *turned, int first, int n_rows, int y, int x,
                         const sb_tensor *map)
{
    sb_real tile[TURNED_ROWS * GROUP];
    const int block = first / SB_TILE_COLUMNS * SB_TILE_COLUMNS, width = block_width(map->c, block);
    const int n_vecs = (map->n + SB_LANES - 1) / SB_LANES;
    const met_taps met = taps_at(p, width, y, x);
    const sb_taps taps = {.n_channels = p->plane.channels,
                          .n_taps = met.n,
                          .a = p->blocks + (size_t)block * p->n_k + first - block,
                          .a_channel = (ptrdiff_t)p->kernel * p->kernel * width,
                          .a_tap = met.a,
                          .b = turned + met.first,
                          .b_channel = GROUP,
                          .b_tap = met.b};
    for (int m = 0; p->start && m < n_rows; m++)
        for (int j = 0; j < GROUP; j += SB_LANES) sb_vec_store(tile + m * GROUP + j, sb_vec_all(p->start[first + m]));
    SB_NATIVE(sb_kernel_taps)
    (n_rows, n_vecs, &taps, p->start ? SB_GO_ON : SB_FROM_ZERO, tile, GROUP);
    const size_t sample = sb_tensor_sample(map);
    sb_real *to = map->x + ((size_t)y * map->w + x) * map->c + first;
    for (int lane = 0; lane < map->n; lane += SB_LANES)
        for (int m = 0; m < n_rows; m += SB_LANES) {
            const int rows = sb_lanes_at(m, n_rows);
            sb_vec_turn(tile + m * GROUP + lane, GROUP, rows, sb_lanes_at(lane, map->n), to + lane * sample + m, sample,
                        rows);
        }
}

/* Row y of one group: all of its pixels for one tile of a block of weights after another, tiles of nearly equal height. */
static void product_row(const samples_product *p, const sb_real *turned, int block, int y, const sb_tensor *map)
{
    const int columns = map->c - block < SB_TILE_COLUMNS ? map->c - block : SB_TILE_COLUMNS;
    const int n_tiles = (columns + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
    for (int i = 0; i < n_tiles; i++) {
        const int m = i * columns / n_tiles, n_rows = (i + 1) * columns / n_tiles - m;
        for (int x = 0; x < map->w; x++) product_tile(p, turned, block + m, n_rows, y, x, map);
    }
}

static void product(const samples_product *p, sb_real *turned, sb_tensor *map)
{
    for (int first = 0; first < map->n; first += AT_ONCE * GROUP) {
        const int n = map->n - first < AT_ONCE * GROUP ? map->n - first : AT_ONCE * GROUP;
        turn_samples(&p->plane, first, n, turned);
#pragma omp for collapse(3) schedule(dynamic)
        for (int lane = 0; lane < n; lane += GROUP)
            for (int y = 0; y < map->h; y++)
                for (int block = 0; block < map->c; block += SB_TILE_COLUMNS) {
                    sb_tensor group = *map;
                    group.x += (first + lane) * sb_tensor_sample(map);
                    group.n = n - lane < GROUP ? n - lane : GROUP;
                    product_row(p, turned + lane * plane_size(&p->plane), block, y, &group);
                }
    }
}

void SB_NATIVE(sb_direct_samples_forward)(const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    const factor f = forward_factor(term);
    const samples_product p = {input_plane(term), term->conv->shape.kernel, 0, f.blocks, bias, f.n_k};
    product(&p, term->conv->space.scratch, y);
}

void SB_NATIVE(sb_direct_samples_gradient)(const sb_term *term, sb_tensor *dx)
{
    const sb_conv_shape *shape = &term->conv->shape;
    const factor f = backward_factor(term);
    const samples_product p = {gradient_plane(term), shape->kernel, gradient_border(shape), f.blocks, NULL, f.n_k};
    product(&p, term->conv->space.scratch, dx);
}
