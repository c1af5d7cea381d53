#include "data/whitening.h"

#include "core/size.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 3, AREA = SIDE * SIDE, SWEEPS_MOST = 50 };

/* ---- sums of bytes ---- */

/* Element c * 9 + row * 3 + column of every patch of an image, element[d][patches]. */
static void spread(const sb_whitening_images *images, const uint8_t *image, int16_t *element)
{
    const int h = images->h, w = images->w;
    for (int c = 0; c < images->c; c++)
        for (int k = 0; k < AREA; k++)
            for (int y = 0; y + SIDE <= h; y++) {
                const uint8_t *row = image + ((size_t)c * h + y + k / SIDE) * w + k % SIDE;
                for (int x = 0; x + SIDE <= w; x++) *element++ = row[x];
            }
}

/* Below 2^31 for up to 2^15 of them. */
static int64_t sum_products(const int16_t *a, const int16_t *b, size_t n)
{
    enum { PIECE = 1 << 15 };
    int64_t sum = 0;
    for (size_t first = 0; first < n; first += PIECE) {
        const size_t last = n - first < PIECE ? n : first + PIECE;
        int32_t piece = 0;
        for (size_t i = first; i < last; i++) piece += a[i] * b[i];
        sum += piece;
    }
    return sum;
}

static int64_t sum_of(const int16_t *a, size_t n)
{
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i];
    return sum;
}

static size_t patches_of(const sb_whitening_images *images)
{
    return (size_t)(images->h - SIDE + 1) * (size_t)(images->w - SIDE + 1);
}

sb_status sb_whitening_sums(const sb_whitening_images *images, int64_t *first, int64_t *second)
{
    const size_t d = (size_t)AREA * (size_t)images->c, patches = patches_of(images);
    const size_t image_bytes = (size_t)images->c * (size_t)images->h * (size_t)images->w;
    assert(images->h >= SIDE && images->w >= SIDE && images->n > 0);
    SB_FREED int16_t *element = sb_size_allocate(d * patches, sizeof *element);
    if (!element) return sb_fail(SB_E_MEMORY, "not enough memory for the patches of an image");
    memset(first, 0, d * sizeof *first);
    memset(second, 0, d * d * sizeof *second);
    for (size_t n = 0; n < images->n; n++) {
        spread(images, images->bytes + (images->number ? images->number[n] : n) * image_bytes, element);
        for (size_t i = 0; i < d; i++) {
            first[i] += sum_of(element + i * patches, patches);
            for (size_t j = i; j < d; j++)
                second[i * d + j] += sum_products(element + i * patches, element + j * patches, patches);
        }
    }
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < i; j++) second[i * d + j] = second[j * d + i];
    return SB_OK;
}

sb_status sb_whitening_covariance(const sb_whitening_images *images, double *matrix)
{
    const size_t d = (size_t)AREA * (size_t)images->c;
    const double n = (double)(images->n * patches_of(images));
    int64_t *first = sb_size_allocate(d * (d + 1), sizeof *first), *second = first ? first + d : NULL;
    if (!first) return sb_fail(SB_E_MEMORY, "not enough memory for the patches of the images");
    sb_status status = sb_whitening_sums(images, first, second);
    for (size_t i = 0; i < d && status == SB_OK; i++)
        for (size_t j = i; j < d; j++) {
            const double mi = images->mean[i / AREA], mj = images->mean[j / AREA];
            const double above =
                (double)second[i * d + j] - mi * (double)first[j] - (double)first[i] * mj + n * mi * mj;
            matrix[i * d + j] = matrix[j * d + i] = above / (images->sd[i / AREA] * images->sd[j / AREA] * (n - 1));
        }
    free(first);
    return status;
}

/* ---- eigenvectors ---- */

/* Elements (k, p) and (k, q) of a matrix, rotated; `step` leads from one k to the next. */
static void rotate(size_t d, double *p, double *q, size_t step, double c, double s)
{
    for (size_t k = 0; k < d; k++, p += step, q += step) {
        const double a = *p, b = *q;
        *p = c * a - s * b;
        *q = s * a + c * b;
    }
}

/* Make element (p, q) zero; false: it is small enough to stay. vector has an eigenvector in each column. */
static bool rotate_pair(size_t d, double *matrix, double *vector, size_t p, size_t q)
{
    const double pq = matrix[p * d + q], pp = matrix[p * d + p], qq = matrix[q * d + q];
    if (fabs(pq) <= 0x1p-54 * sqrt(fabs(pp * qq))) return false;
    const double theta = (qq - pp) / (2 * pq);
    const double tangent = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(tangent * tangent + 1), s = c * tangent;
    rotate(d, matrix + p, matrix + q, d, c, s);
    rotate(d, matrix + p * d, matrix + q * d, 1, c, s);
    rotate(d, vector + p, vector + q, d, c, s);
    return true;
}

static void sweep_until_done(size_t d, double *matrix, double *vector)
{
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < SWEEPS_MOST; sweep++) {
        rotated = false;
        for (size_t p = 0; p < d; p++)
            for (size_t q = p + 1; q < d; q++) rotated |= rotate_pair(d, matrix, vector, p, q);
    }
}

/* Column k of vector as a row, with the sign that is agreed on. */
static void put_vector(size_t d, const double *vector, size_t k, double *row)
{
    size_t largest = 0;
    for (size_t i = 0; i < d; i++) {
        row[i] = vector[i * d + k];
        if (fabs(row[i]) > fabs(row[largest])) largest = i;
    }
    if (row[largest] >= 0) return;
    for (size_t i = 0; i < d; i++) row[i] = -row[i];
}

sb_status sb_whitening_eigen(int n, double *matrix, double *value, double *vector)
{
    const size_t d = (size_t)n;
    SB_FREED double *columns = sb_size_allocate(d * d, sizeof *columns);
    SB_FREED bool *taken = sb_size_allocate(d, sizeof *taken);
    if (columns && taken) {
        for (size_t i = 0; i < d; i++) columns[i * d + i] = 1;
        sweep_until_done(d, matrix, columns);
        for (size_t i = 0; i < d; i++) {
            size_t next = d;
            for (size_t k = 0; k < d; k++)
                if (!taken[k] && (next == d || matrix[k * d + k] > matrix[next * d + next])) next = k;
            taken[next] = true;
            value[i] = matrix[next * d + next];
            put_vector(d, columns, next, vector + i * d);
        }
    }
    const sb_status status =
        columns && taken ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for the eigenvectors of %dx%d", n, n);
    return status;
}

/* ---- filters ---- */

sb_status sb_whitening(const sb_whitening_images *images, double *value, double *vector)
{
    const size_t d = (size_t)AREA * (size_t)images->c;
    SB_FREED double *matrix = sb_size_allocate(d * d, sizeof *matrix);
    if (!matrix) return sb_fail(SB_E_MEMORY, "not enough memory for a covariance of %zux%zu", d, d);
    SB_TRY(sb_whitening_covariance(images, matrix));
    return sb_whitening_eigen((int)d, matrix, value, vector);
}

void sb_whitening_filters(int d, const double *value, const double *vector, double *w)
{
    for (int i = 0; i < d; i++)
        for (int k = 0; k < d; k++) w[i * d + k] = vector[i * d + k] / sqrt(value[i] + 0.01);
}
