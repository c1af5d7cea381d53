/* The curvature of what a training minimises: the extreme eigenvalues of the Hessian of an objective
 * (inspect/curvature/objective.h) at given weights. A small gradient with eigenvalues of both signs is a saddle.
 *
 *     SB_TRY(sb_hessian_at(objective, SB_TARGET_COPY, n, weight, &options, &hessian));
 *     printf("%g +- %g\n", hessian.smallest[0].value, hessian.smallest[0].bound);
 *
 * Products with the Hessian are central differences of gradients, (g(w + h v) - g(w - h v)) / 2h, v of norm 1. The
 * objective is smooth but for kinks (relu, clip, pool, |error|), millions of them in a few windows, and the Hessian is
 * that of the smooth piece in which the weights lie: h must be so small that no kink is crossed, since a difference
 * across one counts its jump as curvature; and not so small that rounding shows, about 1e-16 |g| / h. What is wrong for
 * either reason makes the products asymmetric, which `asymmetry` measures and the bounds contain, and makes another of
 * a smaller h, which `value_finer` shows. A PredNet of 224,460 weights whose norm is 28, four windows of 48x32: with
 * h = 3e-7 the asymmetry is 140, more than any eigenvalue; with 3e-10 it is 5e-6, with 3e-11 ten times that. With 0.03
 * kinks average out, and it is 0.1.
 */
#ifndef SB_INSPECT_HESSIAN_H
#define SB_INSPECT_HESSIAN_H

#include "inspect/curvature/objective.h"

enum { SB_HESSIAN_ENDS_MAX = 20 };

typedef struct sb_hessian_options {
    int steps;         /* of Lanczos, at most; each takes two gradients */
    int extremes;      /* eigenvalues wanted at each end, up to SB_HESSIAN_ENDS_MAX */
    double tolerance;  /* of their bounds, as a share of the largest absolute value */
    double difference; /* h as a share of the norm of the weights */
    bool quiet;
} sb_hessian_options;

typedef struct sb_hessian_end {
    double value, bound; /* |H x - value x| of its vector x of norm 1: an eigenvalue is no farther away */
    double value_finer;  /* x' H x with differences of a quarter of h */
    double cosine;       /* of the angle between x and the gradient, without its sign */
} sb_hessian_end;

typedef struct sb_hessian {
    sb_objective_value objective;
    int n_steps, n_ends;   /* n_ends: at each end; of a Hessian of few rows fewer than wanted */
    bool converged;        /* the wanted eigenvalues are within the tolerance */
    double h;              /* as used */
    double asymmetry;      /* Frobenius norm of the antisymmetric part, as projected onto the vectors of Lanczos */
    double along_gradient; /* g' H g / |g|^2; NaN: the gradient is zero */
    sb_hessian_end smallest[SB_HESSIAN_ENDS_MAX], largest[SB_HESSIAN_ENDS_MAX]; /* the outermost first */
} sb_hessian;

/* At weight[n], n the number of all parameters. */
sb_status sb_hessian_at(sb_objective *objective, sb_target target, size_t n, const double *weight,
                        const sb_hessian_options *options, sb_hessian *hessian);

/* y = H x, with differences of that size in the direction of x, whatever its norm. gradient: room for 2 n numbers. */
sb_status sb_hessian_product(sb_objective *objective, sb_target target, size_t n, const double *weight, double h,
                             const double *x, double *y, double *gradient);

#endif
