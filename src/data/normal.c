#include "data/normal.h"

#include "core/size.h"

#include <assert.h>
#include <stdlib.h>

static const double cifar10_mean[] = {125.31, 122.95, 113.87}, cifar10_sd[] = {62.99, 62.09, 66.70};
static const double mnist_mean = 0.1307, mnist_sd = 0.3081;

static void fill_channel(sb_normal_kind kind, size_t c, sb_real *table)
{
    for (int byte = 0; byte < SB_NORMAL_BYTES; byte++) {
        const sb_real value = (sb_real)byte, share = value / 255;
        table[byte] = kind == SB_NORMAL_CIFAR10 ? (value - (sb_real)cifar10_mean[c]) / (sb_real)cifar10_sd[c]
                      : kind == SB_NORMAL_MNIST ? (share - (sb_real)mnist_mean) / (sb_real)mnist_sd
                                                : share;
    }
}

/* (byte - sum / n) / 255 */
static void fill_element(int64_t sum, size_t n_images, sb_real *table)
{
    const int64_t n = (int64_t)n_images;
    for (int byte = 0; byte < SB_NORMAL_BYTES; byte++)
        table[byte] = (sb_real)((double)(byte * n - sum) / (255.0 * (double)n));
}

static sb_status check_channels(sb_normal_kind kind, size_t c)
{
    static const struct {
        const char *word;
        size_t c;
    } of[] = {[SB_NORMAL_CIFAR10] = {"cifar10", 3}, [SB_NORMAL_MNIST] = {"mnist", 1}, [SB_NORMAL_MEAN] = {NULL, 0}};
    if (!of[kind].word || of[kind].c == c) return SB_OK;
    return sb_fail(SB_E_USAGE, "--normalise %s is for images of %zu channel%s, and these have %zu", of[kind].word,
                   of[kind].c, of[kind].c == 1 ? "" : "s", c);
}

sb_status sb_normal_open(sb_normal *normal, sb_normal_kind kind, size_t c, size_t pixels, const int64_t *sum,
                         size_t n_images)
{
    assert((kind == SB_NORMAL_MEAN) == (sum != NULL));
    *normal = (sb_normal){.n_tables = sum ? c * pixels : c, .per = sum ? 1 : pixels};
    SB_TRY(check_channels(kind, c));
    normal->table = sb_size_allocate(normal->n_tables, SB_NORMAL_BYTES * sizeof *normal->table);
    if (!normal->table) return sb_fail(SB_E_MEMORY, "not enough memory for %zu tables of bytes", normal->n_tables);
    for (size_t i = 0; i < normal->n_tables; i++) {
        if (sum)
            fill_element(sum[i], n_images, normal->table + i * SB_NORMAL_BYTES);
        else
            fill_channel(kind, i, normal->table + i * SB_NORMAL_BYTES);
    }
    return SB_OK;
}

void sb_normal_close(sb_normal *normal)
{
    free(normal->table);
    *normal = (sb_normal){0};
}

sb_status sb_normal_moments(sb_normal_kind kind, size_t c, double *mean, double *sd)
{
    SB_TRY(check_channels(kind, c));
    if (kind == SB_NORMAL_MEAN)
        return sb_fail(SB_E_USAGE, "--normalise mean takes a mean image away: patches of it are not whitened");
    for (size_t i = 0; i < c; i++) {
        mean[i] = kind == SB_NORMAL_CIFAR10 ? cifar10_mean[i] : kind == SB_NORMAL_MNIST ? 255 * mnist_mean : 0;
        sd[i] = kind == SB_NORMAL_CIFAR10 ? cifar10_sd[i] : kind == SB_NORMAL_MNIST ? 255 * mnist_sd : 255;
    }
    return SB_OK;
}
