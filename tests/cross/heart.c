/* The arithmetic that must have the same bits everywhere, without the libraries around it: build_cross.sh compiles this for
 * each instruction set and architecture and holds the hashes that it prints against each other. */
#include "core/hash.h"
#include "core/random.h"
#include "core/sketch.h"
#include "ops/kernel_native.h"
#include "ops/math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 29, COLUMNS = 96, TERMS = 53, LINES = 5, STREAM = 1 };

static sb_real a[ROWS * TERMS], b[TERMS * COLUMNS], c[ROWS * COLUMNS];
static int32_t offset[TERMS];

static void print(const char *what, const void *numbers, size_t n, size_t bytes_each)
{
    char text[SB_HASH_TEXT];
    sb_hash_text(sb_hash_of(numbers, n, bytes_each), text);
    printf("%s %s\n", what, text);
}

static void draw(sb_real *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) x[i] = (sb_real)sb_random_normal(seed, STREAM, i);
}

/* The chain that order.h asks for. */
static sb_real chain(int row, int column)
{
    sb_real sum = 0;
    for (int k = 0; k < TERMS; k++) sum = SB_FMA(a[row * TERMS + k], b[k * COLUMNS + column], sum);
    return sum;
}

/* The product by tiles of so many rows and vectors, in two stretches, one by a table and one by steps, held against the
 * chains. */
static void multiply(int tile_rows, int tile_vecs)
{
    const int first = TERMS / 3, width = tile_vecs * SB_LANES;
    memset(c, 0xff, sizeof c);
    for (int row = 0; row < ROWS; row += tile_rows)
        for (int column = 0; column + width <= COLUMNS; column += width) {
            const sb_stretch stretch[] = {
                {first, a + row * TERMS, TERMS, 0, offset, b + column, COLUMNS},
                {TERMS - first, a + row * TERMS + first, TERMS, 1, NULL, b + first * COLUMNS + column, COLUMNS}};
            const int n_rows = ROWS - row < tile_rows ? ROWS - row : tile_rows;
            SB_KERNEL(n_rows, tile_vecs, 2, stretch, SB_FROM_ZERO, c + row * COLUMNS + column, COLUMNS);
        }
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS / width * width; column++)
            if (c[row * COLUMNS + column] != chain(row, column)) {
                printf("tile %dx%d: c[%d][%d] is %a, wanted %a\n", tile_rows, tile_vecs, row, column,
                       (double)c[row * COLUMNS + column], (double)chain(row, column));
                exit(1);
            }
}

/* A product whose rows lie side by side in a, their terms in lines that are summed apart, added to rows of a. */
static void multiply_lines(int rows, int vecs)
{
    const int n_k = TERMS / LINES, width = vecs * SB_LANES;
    const sb_lines lines = {LINES, n_k, n_k * COLUMNS};
    const sb_stretch stretch = {n_k, a, 1, 1, NULL, b, COLUMNS};
    memcpy(c, a, sizeof(sb_real) * (size_t)(rows * COLUMNS));
    SB_NATIVE(sb_kernel_lines)(rows, vecs, &stretch, &lines, c, COLUMNS);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < width; column++) {
            sb_real total = a[row * COLUMNS + column];
            for (int l = 0; l < LINES; l++) {
                sb_real sum = 0;
                for (int k = l * n_k; k < (l + 1) * n_k; k++)
                    sum = SB_FMA(a[row + k], b[k * COLUMNS + column], sum);
                total = total + sum;
            }
            if (c[row * COLUMNS + column] != total) exit(5);
        }
}

/* The first rows of a product, as chains over channels and, for each, its taps. */
static void multiply_taps(int rows, int vecs)
{
    enum { CHANNELS = 7, TAPS = 6 };
    int32_t a_tap[TAPS], b_tap[TAPS];
    for (int t = 0; t < TAPS; t++) a_tap[t] = t * rows, b_tap[t] = t * COLUMNS;
    const sb_taps taps = {CHANNELS, TAPS, a, TAPS * rows, a_tap, b, TAPS * COLUMNS, b_tap};
    SB_NATIVE(sb_kernel_taps)(rows, vecs, 1, &taps, SB_FROM_ZERO, c, COLUMNS);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < vecs * SB_LANES; column++) {
            sb_real sum = 0;
            for (int i = 0; i < CHANNELS; i++)
                for (int t = 0; t < TAPS; t++)
                    sum = SB_FMA(a[i * TAPS * rows + a_tap[t] + row], b[(i * TAPS + t) * COLUMNS + column], sum);
            if (c[row * COLUMNS + column] != sum) exit(6);
        }
}

/* Parts of vectors, and a transpose. */
static void move_lanes(void)
{
    sb_real part[SB_LANES + 1];
    sb_vec v[SB_LANES];
    for (int n = 1; n <= SB_LANES; n++) {
        for (int i = 0; i <= SB_LANES; i++) part[i] = -1;
        const sb_vec loaded = sb_vec_load_n(b, n);
        sb_vec_store_n(part, loaded, n);
        if (memcmp(part, b, (size_t)n * sizeof *part) != 0 || part[n] != -1) exit(2);
        sb_vec_store(part, loaded);
        for (int i = n; i < SB_LANES; i++)
            if (part[i] != 0) exit(3);
    }
    for (int i = 0; i < SB_LANES; i++) v[i] = sb_vec_load(b + i * SB_LANES);
    sb_vec_transpose(v);
    for (int i = 0; i < SB_LANES; i++) {
        sb_vec_store(part, v[i]);
        for (int j = 0; j < SB_LANES; j++)
            if (part[j] != b[j * SB_LANES + i]) exit(4);
    }
}

static void print_functions(void)
{
    enum { POINTS = 20001 };
    static sb_real y[3][POINTS];
    for (int i = 0; i < POINTS; i++) {
        const sb_real x = (sb_real)(i - POINTS / 2) / 100;
        y[0][i] = sb_exp(x), y[1][i] = sb_sigmoid(x), y[2][i] = sb_tanh(x / 10);
    }
    print("functions", y, 3 * POINTS, sizeof(sb_real));
}

static void print_sketch(void)
{
    static double bucket[SB_SKETCH_BUCKETS], x[SB_SKETCH_BUCKETS];
    for (int i = 0; i < SB_SKETCH_BUCKETS; i++) x[i] = sb_random_normal(3, STREAM, (uint64_t)i);
    print("normal", x, SB_SKETCH_BUCKETS, sizeof *x);
    for (uint64_t block = 0; block < 3; block++) sb_sketch_add(bucket, block, SB_SKETCH_BUCKETS - block, x);
    print("sketch", bucket, SB_SKETCH_BUCKETS, sizeof *bucket);
}

int main(void)
{
    draw(a, ROWS * TERMS, 1);
    draw(b, TERMS * COLUMNS, 2);
    for (int k = 0; k < TERMS; k++) offset[k] = k;
    for (int rows = 1; rows <= SB_TILE_ROWS; rows++)
        for (int vecs = 1; vecs <= SB_TILE_VECS; vecs++) multiply(rows, vecs);
    for (int rows = 1; rows <= SB_TILE_ROWS; rows++)
        for (int vecs = 1; vecs <= SB_TILE_VECS; vecs++) multiply_lines(rows, vecs), multiply_taps(rows, vecs);
    multiply(SB_TILE_ROWS, 1);
    print("product", c, ROWS * COLUMNS, sizeof *c);
    move_lanes();
    print_functions();
    print_sketch();
    return 0;
}
