/* The curvature of the training objective: the extreme eigenvalues of its Hessian at given weights,
 * and that objective. A small gradient with eigenvalues of both signs means a saddle.
 *
 *     SB_TRY(sb_hessian_at(objective, SB_TARGET_COPY, n, weight, &options, &hessian));
 *     printf("%g +- %g\n", hessian.smallest[0].value, hessian.smallest[0].bound);
 *
 * Products with the Hessian are central differences of gradients, (g(w + h v) - g(w - h v)) / 2h, v of norm 1. The
 * objective is smooth except for kinks (relu, clip, pool, |error|), millions of them in a few windows. The Hessian is
 * taken in the smooth piece around the weights. h must be so small that no kink is crossed, because a difference across
 * a kink counts its jump as curvature. It must be large enough for rounding, which adds an error of about 1e-16 |g| /
 * h. Both errors make the products asymmetric, which `asymmetry` measures and the bounds include. They also change the
 * result with h, which `value_finer` shows. A PredNet of 224,460 weights whose norm is 28, four windows of 48x32: with
 * h = 3e-7 the asymmetry is 140, more than any eigenvalue; with 3e-10 it is 5e-6, with 3e-11 5e-5. With h = 0.03 kinks
 * average out, and it is 0.1.
 */
#pragma once

#include "train/setup.h"

/* The training objective as a function of the weights alone, and its gradient: the sum of a window's losses, as mean
 * over some fixed windows.
 *
 *     SB_TRY(sb_objective_open(&objective, setup, 16, 250));
 *     SB_TRY(sb_objective_at(objective, SB_TARGET_SHARED, weight, gradient, &value));
 *     sb_objective_close(objective);
 *
 * The windows are evenly spaced among the first updates. Each begins with the state that the network reaches
 * from the beginning of the sequence with the weights at the time of the open. That state is constant, except P_n, n >
 * 0, of its last step: these are computed from R_n with the current weights, as training's gradient requires
 * (sb_window.predict_again). So the gradient equals the one of training, and is exact for both targets: with `copy` for
 * losses by each frame's own target, with `shared` for losses by the window's last frame.
 */

typedef struct sb_objective_value {
    double loss;        /* mean over windows of the sum over the window's steps */
    double norm;        /* of the gradient */
    double window_norm; /* root mean square of the norms of the single windows' gradients */
} sb_objective_value;

typedef struct sb_objective sb_objective;

/* The setup must outlive it. SB_E_USAGE: the network does not learn from video, or the first n_updates updates have
 * fewer than n_windows windows. */
sb_status sb_objective_open(sb_objective **objective, sb_setup *setup, long n_windows, long n_updates);
void sb_objective_close(sb_objective *objective); /* NULL does nothing */

/* Value and gradient[total] at weight[total], both in the order of the parameters. The network has these weights
 * afterwards. */
sb_status sb_objective_at(sb_objective *objective, sb_target target, const double *weight, double *gradient,
                          sb_objective_value *value);

enum { SB_HESSIAN_ENDS_MAX = 20 };

typedef struct sb_hessian_options {
    int steps;         /* most steps of Lanczos; each computes two gradients */
    int extremes;      /* eigenvalues wanted at each end, up to SB_HESSIAN_ENDS_MAX */
    double tolerance;  /* of the bounds, as a share of the largest absolute eigenvalue */
    double difference; /* h as a share of the norm of the weights */
    bool quiet;
} sb_hessian_options;

typedef struct sb_hessian_end {
    double value, bound; /* bound: |H x - value x| for its vector x of norm 1; an eigenvalue is within this distance */
    double value_finer;  /* x' H x with differences of a quarter of h */
    double cosine;       /* absolute cosine of the angle between x and the gradient */
} sb_hessian_end;

typedef struct sb_hessian {
    sb_objective_value objective;
    int n_steps, n_ends;   /* n_ends: eigenvalues at each end, fewer than wanted if the Hessian has few rows */
    bool converged;        /* the wanted eigenvalues are within the tolerance */
    double h;              /* the one used */
    double asymmetry;      /* Frobenius norm of the antisymmetric part, as projected onto the vectors of Lanczos */
    double along_gradient; /* g' H g / |g|^2; NaN: the gradient is zero */
    sb_hessian_end smallest[SB_HESSIAN_ENDS_MAX], largest[SB_HESSIAN_ENDS_MAX]; /* the outermost first */
} sb_hessian;

/* The extreme eigenvalues at weight[n], the n numbers of all parameters. */
sb_status sb_hessian_at(sb_objective *objective, sb_target target, size_t n, const double *weight,
                        const sb_hessian_options *options, sb_hessian *hessian);

/* y = H x, by differences of size h in the direction of x; x may have any norm. gradient: memory for 2 n numbers. */
sb_status sb_hessian_product(sb_objective *objective, sb_target target, size_t n, const double *weight, double h,
                             const double *x, double *y, double *gradient);
