/* The objective against differences of its own loss, and the ends of its Hessian's spectrum against the dense Hessian of
 * a small PredNet: column by column by differences of another step, with no Lanczos and no eigenvalues in it. */
#include "support.h"

#include "core/random.h"
#include "data_files.h"
#include "inspect/curvature/hessian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef SB_REAL_IS_DOUBLE
#error "differences need the float64 build"
#endif

enum { WINDOW = 3, FRAMES = 20, WINDOWS = 2, UPDATES = 6 };

/* Channels of the second layer, and the data. The small one has few weights, the other no layer that is mute. */
typedef struct form {
    const char *data;
    int side, channels;
} form;
static const form small = {"test_hessian_2.h5", 2, 1}, larger = {"test_hessian_8.h5", 8, 4};

/* A network after some updates, and its weights. */
typedef struct subject {
    sb_settings settings;
    sb_setup setup;
    sb_objective *objective;
    size_t n;
    double *weight;
} subject;

static void open_subject(subject *s, const form *of)
{
    *s = (subject){0};
    sb_settings_default(&s->settings);
    s->settings.data = of->data, s->settings.model = "prednet", s->settings.seed = 2, s->settings.threads = 1;
    s->settings.arithmetic = "direct";
    s->settings.channels = (sb_list){2, {3, of->channels}};
    s->settings.window = WINDOW;
    assert_int_equal(sb_setup_open(&s->setup, &s->settings), SB_OK);
    for (long update = 1; update <= UPDATES; update++) {
        sb_batch batch;
        sb_step_result result;
        assert_int_equal(sb_loader_batch(s->setup.loader, update, 0, 1, &batch), SB_OK);
        assert_int_equal(sb_learner_update(&s->setup.learner, batch.shard, update, SB_GRADIENT_KEPT, &result), SB_OK);
    }
    const sb_net *net = s->setup.learner.net;
    s->n = net->params.total;
    assert_non_null(s->weight = malloc(s->n * sizeof *s->weight));
    memcpy(s->weight, net->weight, s->n * sizeof *s->weight);
    assert_int_equal(sb_objective_open(&s->objective, &s->setup, WINDOWS, UPDATES), SB_OK);
}

static void close_subject(subject *s)
{
    sb_objective_close(s->objective);
    sb_setup_close(&s->setup);
    free(s->weight);
}

static double *gradient_at(subject *s, sb_target target, const double *weight, sb_objective_value *value)
{
    double *gradient = malloc(s->n * sizeof *gradient);
    assert_non_null(gradient);
    assert_int_equal(sb_objective_at(s->objective, target, weight, gradient, value), SB_OK);
    return gradient;
}

static double loss_at(subject *s, sb_target target, const double *weight)
{
    sb_objective_value value;
    free(gradient_at(s, target, weight, &value));
    return value.loss;
}

/* With either target the gradient of training is the exact gradient of a loss: along random directions, by differences
 * of two steps, extrapolated (Richardson). */
static void either_gradient_is_that_of_a_loss(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, &larger);
    double *place = malloc(s.n * sizeof *place), *direction = malloc(s.n * sizeof *direction), loss[SB_N_TARGETS];
    for (sb_target target = 0; target < SB_N_TARGETS; target++) {
        sb_objective_value value, again;
        double *gradient = gradient_at(&s, target, s.weight, &value);
        for (int k = 0; k < 3; k++) {
            double along = 0, difference[2];
            for (size_t i = 0; i < s.n; i++) {
                direction[i] = sb_random_normal(3, (uint32_t)k, i) / sqrt((double)s.n);
                along += direction[i] * gradient[i];
            }
            for (int half = 0; half < 2; half++) {
                const double h = half ? 5e-5 : 1e-4;
                double side[2];
                for (int sign = 0; sign < 2; sign++) {
                    for (size_t i = 0; i < s.n; i++) place[i] = s.weight[i] + (sign ? -h : h) * direction[i];
                    side[sign] = loss_at(&s, target, place);
                }
                difference[half] = (side[0] - side[1]) / (2 * h);
            }
            const double wanted = (4 * difference[1] - difference[0]) / 3;
            if (!(fabs(along - wanted) <= 1e-7 * value.norm))
                fail_msg("target %d, direction %d: gradient %a, differences %a", (int)target, k, along, wanted);
        }
        free(gradient);
        free(gradient_at(&s, target, s.weight, &again)); /* nothing is left behind by what came between */
        assert_true(again.loss == value.loss && again.norm == value.norm);
        assert_true(value.norm > 0 && value.norm <= value.window_norm);
        loss[target] = value.loss;
    }
    assert_true(loss[SB_TARGET_COPY] != loss[SB_TARGET_SHARED]);
    free(place), free(direction);
    close_subject(&s);
}

static double *dense_hessian(subject *s, sb_target target, double h)
{
    const size_t n = s->n;
    double *hessian = calloc(n * n, sizeof *hessian), *place = malloc(n * sizeof *place);
    assert_true(hessian && place);
    memcpy(place, s->weight, n * sizeof *place);
    for (size_t i = 0; i < n; i++) {
        sb_objective_value value;
        place[i] = s->weight[i] + h;
        double *plus = gradient_at(s, target, place, &value);
        place[i] = s->weight[i] - h;
        double *minus = gradient_at(s, target, place, &value);
        place[i] = s->weight[i];
        for (size_t k = 0; k < n; k++) /* both halves of what is symmetric but for errors */
            hessian[i * n + k] += (plus[k] - minus[k]) / (4 * h), hessian[k * n + i] += (plus[k] - minus[k]) / (4 * h);
        free(plus), free(minus);
    }
    free(place);
    return hessian;
}

/* Is sign * A + shift * 1 positive definite? By Cholesky's factors. */
static bool is_positive(size_t n, const double *a, double sign, double shift)
{
    double *l = malloc(n * n * sizeof *l);
    bool positive = true;
    assert_non_null(l);
    for (size_t i = 0; positive && i < n; i++)
        for (size_t k = 0; positive && k <= i; k++) {
            double part[4] = {0}, sum = sign * a[i * n + k] + (i == k ? shift : 0);
            for (size_t j = 0; j < k; j++) part[j % 4] += l[i * n + j] * l[k * n + j];
            sum -= part[0] + part[1] + part[2] + part[3];
            positive = i != k || sum > 0;
            l[i * n + k] = i == k ? sqrt(sum) : sum / l[k * n + k];
        }
    free(l);
    return positive;
}

/* An end e of the spectrum: the dense matrix has no eigenvalue beyond it, but one within its bound. */
static void ends_are_those_of_the_dense_hessian(void **state)
{
    const sb_target target = *(const sb_target *)*state;
#ifdef SB_SANITIZED
    enum { COLUMNS_TOO = 0 }; /* thousands of gradients; the other build's numbers matter */
#else
    enum { COLUMNS_TOO = 1 };
#endif
    static const sb_hessian_options options = {
        .steps = 200, .extremes = 1, .tolerance = 1e-4, .difference = 1e-10, .quiet = true};
    subject s;
    sb_hessian found;
    open_subject(&s, &small);
    assert_int_equal(sb_hessian_at(s.objective, target, s.n, s.weight, &options, &found), SB_OK);
    const double smallest = found.smallest[0].value, largest = found.largest[0].value;
    const double scale = fmax(fabs(smallest), fabs(largest)), room = 3e-4 * scale;
    print_message("%zu weights, %d steps: %g +- %.1g, %g +- %.1g, asymmetry %.1g; finer %g %g\n", s.n, found.n_steps,
                  smallest, found.smallest[0].bound, largest, found.largest[0].bound, found.asymmetry,
                  found.smallest[0].value_finer, found.largest[0].value_finer);
    assert_true(found.converged && found.asymmetry <= room);
    assert_true(fabs(found.smallest[0].value_finer - smallest) <= room);
    assert_true(fabs(found.largest[0].value_finer - largest) <= room);
    assert_true(smallest <= found.along_gradient + room && found.along_gradient <= largest + room);
    double *dense = COLUMNS_TOO ? dense_hessian(&s, target, 1e-7) : NULL;
    if (!dense) return close_subject(&s);
    assert_true(is_positive(s.n, dense, 1, -(smallest - room)));
    assert_false(is_positive(s.n, dense, 1, -(smallest + room)));
    assert_true(is_positive(s.n, dense, -1, largest + room));
    assert_false(is_positive(s.n, dense, -1, largest - room));
    free(dense);
    close_subject(&s);
}

int main(void)
{
    static sb_target copy = SB_TARGET_COPY, shared = SB_TARGET_SHARED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_gradient_is_that_of_a_loss),
        cmocka_unit_test_prestate(ends_are_those_of_the_dense_hessian, &copy),
        cmocka_unit_test_prestate(ends_are_those_of_the_dense_hessian, &shared),
    };
    for (int i = 0; i < 2; i++) {
        const form *of = i ? &larger : &small;
        const size_t side = (size_t)of->side;
        if (data_write_video(of->data, FRAMES, side, side, 1, (const int64_t[]){0}, 3) != SB_OK) return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
