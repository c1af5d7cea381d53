#include "io/quality.h"

#include "core/size.h"

#include <math.h>

enum { RADIUS = SB_SSIM_WINDOW / 2, N_MAPS = 5 };

double sb_psnr(double mse)
{
    return 10 * log10(1 / mse);
}

static void fill_window(double window[SB_SSIM_WINDOW])
{
    double sum = 0;
    for (int i = -RADIUS; i <= RADIUS; i++) sum += window[i + RADIUS] = exp(-i * i / (2 * 1.5 * 1.5));
    for (int i = 0; i < SB_SSIM_WINDOW; i++) window[i] /= sum;
}

/* What is averaged over a window: both pictures, their squares and their product. */
static void products(double x, double y, double map[N_MAPS])
{
    map[0] = x, map[1] = y, map[2] = x * x, map[3] = y * y, map[4] = x * y;
}

/* The window over row y of one channel, along the row: sum [pixels whose window lies in it][N_MAPS] */
static void filter_row(const uint8_t *a, const uint8_t *b, int w, int c, const double *window, double (*sum)[N_MAPS])
{
    for (int x = 0; x + SB_SSIM_WINDOW <= w; x++) {
        for (int m = 0; m < N_MAPS; m++) sum[x][m] = 0;
        for (int i = 0; i < SB_SSIM_WINDOW; i++) {
            double map[N_MAPS];
            products(a[(x + i) * c] / 255.0, b[(x + i) * c] / 255.0, map);
            for (int m = 0; m < N_MAPS; m++) sum[x][m] += window[i] * map[m];
        }
    }
}

static double similarity(const double mean[N_MAPS])
{
    static const double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
    const double a = mean[0], b = mean[1];
    const double var_a = mean[2] - a * a, var_b = mean[3] - b * b, covariance = mean[4] - a * b;
    return (2 * a * b + c1) * (2 * covariance + c2) / ((a * a + b * b + c1) * (var_a + var_b + c2));
}

/* The sum over the pixels of one channel; row [h][w] is space. */
static double sum_channel(const uint8_t *a, const uint8_t *b, int h, int w, int c, double (*row)[N_MAPS])
{
    double window[SB_SSIM_WINDOW], sum = 0;
    fill_window(window);
    for (int y = 0; y < h; y++)
        filter_row(a + (size_t)y * w * c, b + (size_t)y * w * c, w, c, window, row + (size_t)y * w);
    for (int y = 0; y + SB_SSIM_WINDOW <= h; y++)
        for (int x = 0; x + SB_SSIM_WINDOW <= w; x++) {
            double mean[N_MAPS] = {0};
            for (int i = 0; i < SB_SSIM_WINDOW; i++)
                for (int m = 0; m < N_MAPS; m++) mean[m] += window[i] * row[(size_t)(y + i) * w + x][m];
            sum += similarity(mean);
        }
    return sum;
}

sb_status sb_quality_of(const uint8_t *a, const uint8_t *b, int h, int w, int c, sb_quality *quality)
{
    if (h < SB_SSIM_WINDOW || w < SB_SSIM_WINDOW)
        return sb_fail(SB_E_USAGE, "SSIM wants pictures of at least %dx%d, not %dx%d", SB_SSIM_WINDOW, SB_SSIM_WINDOW,
                       w, h);
    SB_FREED double(*row)[N_MAPS] = sb_size_allocate((size_t)h * (size_t)w, sizeof *row);
    if (!row) return sb_fail(SB_E_MEMORY, "not enough memory for a picture");
    const size_t n = (size_t)h * w * c;
    double squares = 0, sum = 0;
    for (size_t i = 0; i < n; i++) squares += (a[i] - b[i]) / 255.0 * ((a[i] - b[i]) / 255.0);
    for (int k = 0; k < c; k++) sum += sum_channel(a + k, b + k, h, w, c, row);
    const int pixels = (h - SB_SSIM_WINDOW + 1) * (w - SB_SSIM_WINDOW + 1);
    *quality = (sb_quality){squares / (double)n, sum / ((double)pixels * c)};
    return SB_OK;
}
