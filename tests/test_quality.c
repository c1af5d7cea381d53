/* Mean squared error and SSIM of two pictures: values of scikit-image 0.26 (structural_similarity with gaussian_weights=True,
 * sigma=1.5, use_sample_covariance=False, data_range=1; mean_squared_error), in float64. */
#include "support.h"

#include "io/quality.h"

#include <math.h>
#include <stdlib.h>

static uint8_t *make_picture(int h, int w, int c, int k)
{
    uint8_t *picture = malloc((size_t)h * w * c);
    assert_non_null(picture);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int i = 0; i < c; i++)
                picture[(y * w + x) * c + i] = (uint8_t)(x * x * k + y * 7 + x * y + i * 31 + k * k * 13);
    return picture;
}

static void values_of_scikit_image(void **state)
{
    (void)state;
    static const struct {
        int h, w, c, a, b, mix; /* mix: b is (3 a + b) / 4 */
        double ssim, mse;
    } row[] = {{11, 11, 1, 1, 2, 0, 0.45433846778897946, 0.11517324868693225},
               {32, 48, 3, 1, 2, 1, 0.9124522947591244, 0.010708701781366141},
               {20, 13, 3, 3, 3, 0, 1, 0},
               {17, 30, 3, 2, 5, 0, -0.10412126890970079, 0.1643899555977716}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sb_quality quality;
        const int n = row[i].h * row[i].w * row[i].c;
        uint8_t *a = make_picture(row[i].h, row[i].w, row[i].c, row[i].a);
        uint8_t *b = make_picture(row[i].h, row[i].w, row[i].c, row[i].b);
        for (int k = 0; row[i].mix && k < n; k++) b[k] = (uint8_t)((a[k] * 3 + b[k]) / 4);
        assert_int_equal(sb_quality_of(a, b, row[i].h, row[i].w, row[i].c, &quality), SB_OK);
        assert_float_equal(quality.ssim, row[i].ssim, 1e-11);
        assert_float_equal(quality.mse, row[i].mse, 1e-14);
        free(a);
        free(b);
    }
}

static void psnr_in_decibels(void **state)
{
    (void)state;
    assert_float_equal(sb_psnr(0.01), 20, 1e-12);
    assert_true(isinf(sb_psnr(0)));
}

static void a_picture_smaller_than_the_window(void **state)
{
    (void)state;
    const uint8_t bytes[10 * 40] = {0};
    sb_quality quality;
    assert_int_equal(sb_quality_of(bytes, bytes, 10, 40, 1, &quality), SB_E_USAGE);
    assert_string_equal(sb_message(), "SSIM wants pictures of at least 11x11, not 40x10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_scikit_image),
        cmocka_unit_test(psnr_in_decibels),
        cmocka_unit_test(a_picture_smaller_than_the_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
