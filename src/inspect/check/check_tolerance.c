/* Rounding: a sum of n terms is off by at most n epsilon of the sum of their sizes, in any order, and since the
 * roundings are independent by about sqrt(n) epsilon (N. Higham, Accuracy and Stability of Numerical Algorithms, 2.8).
 * Winograd's transforms make 3 (n + 50) of the n (ops/conv/winograd/winograd.h). Twice as much is allowed, for a value
 * passes through many sums.
 *
 * Of 21 networks (3 to 96 channels, 8x8 to 48x32 pixels) that the study's library computed in float32 and in float64,
 * 18 to 20 hold in each arithmetic, with at most 0.97 of what is allowed. In the others a sum cancels, mostly a bias's
 * gradient over the pixels, so that its largest element is small compared with its rounding. No default can allow for
 * that.
 */
#include "inspect/check/check_parts.h"

#include "io/h5/h5_attribute.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct arithmetic {
    const char *name;
    double factor, more_terms; /* of the bound: factor * (n + more_terms) epsilon */
} arithmetic;

static const arithmetic plain = {"plain sums in any order", 1, 0};
static const arithmetic winograd = {"winograd", 3, 50};
static const double passes = 2;

/* TF32 keeps 10 bits of each factor's fraction. */
static const double tf32_epsilon = 0x1p-10;

/* cuDNN chooses algorithms by itself; Winograd's are among them. */
static const arithmetic *arithmetic_of(const sb_settings *options)
{
    const sb_backend *backend = sb_backend_find(options->backend);
    if (strcmp(options->model, "prednet") != 0) return &plain; /* nothing to transform */
    if (strcmp(options->backend, "cudnn") == 0) return &winograd;
    if (!backend || !backend->in_written_order) return &plain;
    return sb_arithmetic_rules(options->arithmetic) & SB_RULE_WINOGRAD ? &winograd : &plain;
}

static bool has_arithmetic(const sb_settings *options)
{
    const sb_backend *backend = sb_backend_find(options->backend);
    return backend && backend->in_written_order;
}

double sb_check_tolerance(const sb_settings *options, bool file_is_double, double terms)
{
    const arithmetic *a = arithmetic_of(options);
    double epsilon = SB_H5_REAL == SB_F64 && file_is_double ? DBL_EPSILON : FLT_EPSILON;
    if (options->tf32 && strcmp(options->tf32, "on") == 0) epsilon = tf32_epsilon;
    if (has_arithmetic(options) && (sb_arithmetic_imitated(options->arithmetic) & SB_IMITATED_TF32))
        epsilon = tf32_epsilon;
    return passes * a->factor * sqrt(terms + a->more_terms) * epsilon;
}

/* dR_n sums over the four gates of its own layer and of the one below, and over ConvP_n. */
double sb_check_terms_prednet(const sb_list *channels, int w, int h, long window)
{
    double longest = (double)w * h * (double)window;
    for (int n = 0; n < channels->n; n++)
        longest = fmax(longest, 9.0 * (5 * channels->item[n] + (n > 0 ? 4 * channels->item[n - 1] : 0)));
    return longest;
}

sb_status sb_check_is_double(sb_h5 *file, bool *is_double)
{
    char dtype[16] = "f4";
    if (sb_h5_has(file, "", "dtype")) SB_TRY(sb_h5_get_text(file, "", "dtype", dtype, sizeof dtype));
    *is_double = strcmp(dtype, "f8") == 0;
    return SB_OK;
}

/* Batch norm divides by what may be a small difference, and a rounding in one layer affects all later layers. Of the
 * published files the two programs that made them, PyTorch and NumPy, agree to 1e-13 in double and to 5e-6 in float; a
 * float program that starts from a double file's weights was within 2e-5 of its gradients. */
double sb_check_tolerance_classes(bool file_is_double)
{
    if (SB_H5_REAL == SB_F64 && file_is_double) return 1e-11;
    return file_is_double ? 5e-5 : 2e-5;
}
