/* How alike two pictures are: mean squared error, PSNR and SSIM.
 *
 * PSNR = 10 log10(1 / mse) in dB, pixels in [0, 1]; infinite for equal pictures.
 *
 * SSIM (Wang, Bovik, Sheikh and Simoncelli, IEEE Transactions on Image Processing 13 (2004) 600-612, equation 13): at each pixel
 * whose 11x11 window lies in the picture, with a Gaussian window of standard deviation 1.5, C1 = 0.01^2 and C2 = 0.03^2; the mean
 * over these pixels and over channels. These are the settings of its authors, and of scikit-image's structural_similarity with
 * gaussian_weights=True, sigma=1.5, use_sample_covariance=False. */
#pragma once

#include "core/status.h"

#include <stdint.h>

enum { SB_SSIM_WINDOW = 11 }; /* pixels: a picture has at least that many in both directions */

typedef struct sb_quality {
    double mse, ssim;
} sb_quality;

double sb_psnr(double mse);

/* a, b: [h][w][c] bytes. SB_E_USAGE: smaller than the window; SB_E_MEMORY. */
sb_status sb_quality_of(const uint8_t *a, const uint8_t *b, int h, int w, int c, sb_quality *quality);
