#include "inspect/curvature/hessian.h"

#include "core/screen/progress.h"
#include "core/size.h"
#include "inspect/curvature/lanczos.h"

#include <math.h>
#include <stdlib.h>

enum { FINER = 4, SEED = 1 };

typedef struct work {
    sb_objective *objective;
    sb_target target;
    size_t n;
    const double *weight;
    double h;
    double *gradient; /* [n], at the weights */
    double *x, *y;    /* [n] */
    double *room;     /* [2 n], of a product */
    sb_progress progress;
    double n_products;
} work;

/* ---- products ---- */

/* The gradient at weight + distance * x. */
static sb_status gradient_beside(sb_objective *objective, sb_target target, size_t n, const double *weight,
                                 double distance, const double *x, double *place, double *gradient)
{
    sb_objective_value value;
    for (size_t i = 0; i < n; i++) place[i] = weight[i] + distance * x[i];
    return sb_objective_at(objective, target, place, gradient, &value);
}

sb_status sb_hessian_product(sb_objective *objective, sb_target target, size_t n, const double *weight, double h,
                             const double *x, double *y, double *gradient)
{
    const double distance = h / sb_vector_norm(n, x);
    SB_TRY(gradient_beside(objective, target, n, weight, distance, x, gradient + n, y));
    SB_TRY(gradient_beside(objective, target, n, weight, -distance, x, gradient + n, gradient));
    for (size_t i = 0; i < n; i++) y[i] = (y[i] - gradient[i]) / (2 * distance);
    return SB_OK;
}

static sb_status product(void *context, const double *x, double *y)
{
    work *w = context;
    SB_TRY(sb_hessian_product(w->objective, w->target, w->n, w->weight, w->h, x, y, w->room));
    sb_progress_show(&w->progress, ++w->n_products, "products with the Hessian of %s",
                     w->target == SB_TARGET_SHARED ? "shared" : "copy");
    return SB_OK;
}

/* ---- what is told of it ---- */

static sb_status describe_end(work *w, const sb_lanczos *lanczos, int i, sb_hessian_end *end)
{
    const double norm = sb_vector_norm(w->n, w->gradient);
    sb_lanczos_vector(lanczos, i, w->x);
    SB_TRY(sb_hessian_product(w->objective, w->target, w->n, w->weight, w->h / FINER, w->x, w->y, w->room));
    *end = (sb_hessian_end){.value = lanczos->value[i], .bound = lanczos->bound[i]};
    end->value_finer = sb_vector_dot(w->n, w->x, w->y);
    end->cosine = fabs(sb_vector_dot(w->n, w->x, w->gradient)) / norm;
    return SB_OK;
}

static sb_status describe(work *w, const sb_lanczos *lanczos, int wanted, sb_hessian *hessian)
{
    const int n = lanczos->n_steps;
    hessian->n_steps = n, hessian->converged = lanczos->converged, hessian->asymmetry = lanczos->asymmetry;
    hessian->n_ends = wanted < n ? wanted : n;
    for (int i = 0; i < hessian->n_ends; i++) {
        SB_TRY(describe_end(w, lanczos, i, &hessian->smallest[i]));
        SB_TRY(describe_end(w, lanczos, n - 1 - i, &hessian->largest[i]));
    }
    hessian->along_gradient = NAN;
    if (hessian->objective.norm == 0) return SB_OK;
    SB_TRY(sb_hessian_product(w->objective, w->target, w->n, w->weight, w->h, w->gradient, w->y, w->room));
    hessian->along_gradient = sb_vector_dot(w->n, w->gradient, w->y) / pow(hessian->objective.norm, 2);
    return SB_OK;
}

static sb_status run(work *w, const sb_hessian_options *options, sb_hessian *hessian)
{
    sb_lanczos lanczos;
    const sb_lanczos_plan plan = {.n = w->n,
                                  .steps = options->steps,
                                  .extremes = options->extremes,
                                  .tolerance = options->tolerance,
                                  .seed = SEED,
                                  .product = product,
                                  .context = w};
    SB_TRY(sb_objective_at(w->objective, w->target, w->weight, w->gradient, &hessian->objective));
    SB_TRY(sb_lanczos_run(&lanczos, &plan));
    sb_status status = describe(w, &lanczos, options->extremes, hessian);
    sb_lanczos_free(&lanczos);
    return status;
}

sb_status sb_hessian_at(sb_objective *objective, sb_target target, size_t n, const double *weight,
                        const sb_hessian_options *options, sb_hessian *hessian)
{
    work w = {.objective = objective, .target = target, .n = n, .weight = weight};
    *hessian = (sb_hessian){.h = options->difference * sb_vector_norm(n, weight)};
    w.h = hessian->h;
    w.gradient = sb_size_allocate(n, 5 * sizeof *w.gradient);
    if (!w.gradient) return sb_fail(SB_E_MEMORY, "not enough memory for gradients of %zu numbers", n);
    w.x = w.gradient + n, w.y = w.x + n, w.room = w.y + n;
    w.progress = sb_progress_begin("hessian", options->steps);
    w.progress.quiet = options->quiet;
    sb_status status = run(&w, options, hessian);
    sb_progress_end(&w.progress);
    free(w.gradient);
    return status;
}
