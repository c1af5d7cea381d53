/* Genomes, mutations and generations in float64: values that can be checked by hand, and six generations of the golden
 * file. In every build: weights that are rebuilt are the live ones, and threads change no bit. */
#include "support.h"

#include "backend/backend.h"
#include "core/random.h"
#include "io/h5/h5.h"
#include "net/models.h"
#include "train/evolve/population.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SB_REAL_IS_DOUBLE
#error "the golden file needs the float64 build"
#endif

enum { IMAGES = 40, INPUTS = 9, CLASSES = 4, WEIGHTS = 134, PLACES = 4096, N = 16, PARENTS = 4, GENERATIONS = 6 };
static const double tolerance = 1e-12;

/* ---- networks ---- */

typedef struct subject {
    sb_ops *ops;
    sb_net *net;
} subject;

/* A perceptron of 9, 7, 5 and 4 units. */
static subject open_subject(const char *isa, int threads)
{
    subject s;
    sb_settings settings;
    const sb_backend_options backend = {.threads = threads, .isa = isa, .arithmetic = "direct"};
    sb_settings_default(&settings);
    settings.model = "mlp", settings.batch = IMAGES, settings.widths = (sb_list){2, {7, 5}};
    settings = sb_settings_resolved(&settings);
    if (sb_backend_open(&s.ops, "native", &backend) != SB_OK) fail_msg("%s", sb_message());
    const sb_status status = sb_model_find("mlp")->open(&s.net, s.ops, &settings, &(sb_data_shape){1, 3, 3, CLASSES});
    if (status != SB_OK) fail_msg("%s", sb_message());
    assert_int_equal(s.net->params.total, WEIGHTS);
    return s;
}

static void close_subject(subject *s)
{
    sb_net_close(s->net);
    sb_backend_close(s->ops);
}

static const sb_population_plan plan = {.n = N, .truncation = PARENTS, .sigma = 0.02, .n_noise = PLACES, .seed = 21};

/* ---- the golden file ---- */

typedef struct golden {
    sb_h5 *file;
    double x[IMAGES * INPUTS];
    uint8_t label[IMAGES];
} golden;

static void get(sb_h5 *file, const char *name, sb_type type, size_t n, void *to)
{
    if (sb_h5_read(file, name, type, n, to) != SB_OK) fail_msg("%s", sb_message());
}

static golden open_golden(void)
{
    golden g;
    if (sb_h5_open(&g.file, SB_GOLDEN "/learning/ga_f8.h5", SB_SEAL_FOREIGN) != SB_OK) fail_msg("%s", sb_message());
    get(g.file, "x", SB_F64, IMAGES * INPUTS, g.x);
    get(g.file, "label", SB_U8, IMAGES, g.label);
    return g;
}

static sb_window window_of(const golden *g)
{
    return (sb_window){.values = g->x, .labels = g->label, .n = IMAGES, .n_batch = IMAGES};
}

static void hold_integers(const golden *g, int generation, const char *name, size_t n, const int64_t *got)
{
    char path[64];
    int64_t wanted[N];
    snprintf(path, sizeof path, "generation%d/%s", generation, name);
    get(g->file, path, SB_I64, n, wanted);
    for (size_t i = 0; i < n; i++)
        if (got[i] != wanted[i])
            fail_msg("%s[%zu] is %lld, wanted %lld", path, i, (long long)got[i], (long long)wanted[i]);
}

static void hold_losses(const golden *g, int generation, const double got[N])
{
    char path[64];
    double wanted[N];
    snprintf(path, sizeof path, "generation%d/loss", generation);
    get(g->file, path, SB_F64, N, wanted);
    for (int i = 0; i < N; i++)
        if (!(fabs(got[i] - wanted[i]) <= tolerance * wanted[i]))
            fail_msg("%s[%d] is %a, wanted %a", path, i, got[i], wanted[i]);
}

/* The elite draws a place too, which nothing is made of: there is none to hold. */
static void hold_generation(const golden *g, const sb_population *p)
{
    int64_t order[N], parent[N], place[N], wanted[N];
    double loss[N];
    const int generation = (int)p->generation;
    char path[64];
    for (int rank = 0; rank < N; rank++) {
        const sb_individual *i = &p->ranked[rank];
        order[rank] = i->number, parent[i->number] = i->parent, place[i->number] = i->place, loss[i->number] = i->loss;
    }
    snprintf(path, sizeof path, "generation%d/", generation);
    hold_integers(g, generation, "order", N, order);
    if (generation) {
        strcat(path, "parent");
        get(g->file, path, SB_I64, N, wanted);
        parent[0] = wanted[0];
        snprintf(path, sizeof path, "generation%d/offset", generation);
        get(g->file, path, SB_I64, N, wanted);
        assert_int_equal(place[0], -1);
        place[0] = wanted[0];
    }
    hold_integers(g, generation, "parent", N, parent);
    hold_integers(g, generation, "offset", N, place);
    hold_losses(g, generation, loss);
}

static void hold_elite(const golden *g, int generation, const sb_genome *genome)
{
    int64_t place[GENERATIONS];
    assert_true(genome->n <= GENERATIONS);
    for (size_t i = 0; i < genome->n; i++) place[i] = genome->place[i];
    hold_integers(g, generation, "elite_genome", genome->n, place);
}

static void six_generations(void **state)
{
    (void)state;
    double wanted[WEIGHTS];
    golden g = open_golden();
    const sb_window window = window_of(&g);
    subject s = open_subject("auto", 2);
    sb_population p;
    if (sb_population_open(&p, s.ops, &s.net->params, &plan) != SB_OK) fail_msg("%s", sb_message());
    float *table = malloc(PLACES * sizeof *table);
    get(g.file, "table", SB_F32, PLACES, table);
    for (int i = 0; i < PLACES; i++) assert_true(p.decoder.noise[i] == table[i]);
    for (int generation = 0; generation < GENERATIONS; generation++) {
        if (sb_population_judge(&p, &s.net, 1, &window) != SB_OK) fail_msg("%s", sb_message());
        hold_generation(&g, &p);
        assert_int_equal(sb_population_advance(&p, 0), SB_OK);
        hold_elite(&g, generation, &p.elite.genome);
    }
    get(g.file, "elite_theta", SB_F64, WEIGHTS, wanted);
    for (int i = 0; i < WEIGHTS; i++)
        if (!(fabs(p.elite.weight[i] - wanted[i]) <= tolerance))
            fail_msg("weight %d is %a, wanted %a", i, p.elite.weight[i], wanted[i]);
    free(table);
    sb_population_close(&p);
    close_subject(&s);
    sb_h5_close(g.file);
}

/* ---- by hand ---- */

/* Two tensors of a first and of a last layer, a bias and the scale of a batch norm. */
static void weights_by_hand(void **state)
{
    (void)state;
    sb_params params = {0};
    sb_ops *ops;
    sb_decoder d;
    sb_genome genome = {0};
    double w[13];
    sb_params_add(&params, 0, 2, (size_t[]){1, 4}, "first/w");
    sb_params_add(&params, 0, 1, (size_t[]){1}, "first/b");
    sb_params_last(&params)->bound = 0.5; /* a start of gradients alone */
    sb_params_add(&params, 0, 1, (size_t[]){2}, "scale");
    sb_params_last(&params)->kind = SB_PARAM_SCALE, sb_params_last(&params)->value = 1;
    sb_params_add(&params, 0, 4, (size_t[]){1, 1, 2, 2}, "last/w");
    sb_params_add(&params, 0, 1, (size_t[]){2}, "last/b");
    assert_int_equal(sb_backend_open(&ops, "native", &(sb_backend_options){.threads = 2}), SB_OK);
    assert_int_equal(sb_decoder_open(&d, ops, &params, 16, 0.5), SB_OK);
    assert_int_equal(sb_decoder_places(&d), 4);
    for (int i = 0; i < 16; i++) d.noise[i] = i;
    assert_int_equal(sb_genome_add(&genome, 2), SB_OK);
    sb_decoder_rebuild(&d, &genome, w);
    const double start[13] = {1, 1.5, 2, 2.5, 0, 1, 1, .1 * 4.5, .1 * 5, .1 * 5.5, .1 * 6, 0, 0};
    for (int i = 0; i < 13; i++)
        if (!(fabs(w[i] - start[i]) < 1e-15)) fail_msg("weight %d is %g, wanted %g", i, w[i], start[i]);
    assert_int_equal(sb_genome_add(&genome, 0), SB_OK);
    sb_decoder_rebuild(&d, &genome, w);
    for (int i = 0; i < 13; i++) assert_true(w[i] == fma(0.5, i, start[i]) || fabs(w[i] - start[i] - i / 2.0) < 1e-15);
    sb_genome_free(&genome);
    sb_decoder_close(&d);
    assert_int_equal(sb_decoder_open(&d, ops, &params, 12, 0.5), SB_E_USAGE);
    assert_non_null(strstr(sb_message(), "13 weights"));
    sb_backend_close(ops);
}

/* ---- bits ---- */

static void evolve(const golden *g, subject *s, int n_nets, sb_net **nets, const sb_population_plan *by,
                   sb_population *p)
{
    const sb_window window = window_of(g);
    if (sb_population_open(p, s->ops, &s->net->params, by) != SB_OK) fail_msg("%s", sb_message());
    double loss = INFINITY;
    for (int generation = 0; generation < 4; generation++) {
        assert_int_equal(sb_population_judge(p, nets, n_nets, &window), SB_OK);
        const bool is_better = p->ranked[0].loss < loss;
        if (by->truncation) assert_true(p->ranked[0].loss <= loss);
        if (is_better) loss = p->ranked[0].loss;
        assert_int_equal(sb_population_advance(p, by->truncation || is_better ? 0 : -1), SB_OK);
    }
}

/* By a team, and by two and three threads with a network each. */
static void threads_change_no_bit(void **state)
{
    (void)state;
    golden g = open_golden();
    subject team = open_subject("auto", 3), alone[3];
    sb_net *nets[3];
    sb_population p, q;
    for (int i = 0; i < 3; i++) alone[i] = open_subject("plain", 1), nets[i] = alone[i].net;
    for (long truncation = 0; truncation <= PARENTS; truncation += PARENTS) {
        sb_population_plan by = plan;
        by.truncation = truncation;
        evolve(&g, &team, 1, &team.net, &by, &p);
        for (int n = 1; n <= 3; n++) {
            evolve(&g, &alone[0], n, nets, &by, &q);
            assert_memory_equal(p.ranked, q.ranked, N * sizeof *p.ranked);
            assert_memory_equal(p.elite.weight, q.elite.weight, WEIGHTS * sizeof(sb_real));
            sb_population_close(&q);
        }
        sb_population_close(&p);
    }
    for (int i = 0; i < 3; i++) close_subject(&alone[i]);
    close_subject(&team);
    sb_h5_close(g.file);
}

static void rebuilt_weights_are_the_live_ones(void **state)
{
    (void)state;
    golden g = open_golden();
    subject s = open_subject("auto", 2);
    sb_real live[1 + PARENTS][WEIGHTS];
    sb_population p;
    evolve(&g, &s, 1, &s.net, &plan, &p);
    for (int k = 0; k <= PARENTS; k++) {
        sb_lineage *l = k ? &p.parent[k - 1] : &p.elite;
        memcpy(live[k], l->weight, sizeof *live);
        memset(l->weight, 0, sizeof *live);
    }
    sb_population_rebuild(&p);
    for (int k = 0; k <= PARENTS; k++)
        assert_memory_equal(live[k], k ? p.parent[k - 1].weight : p.elite.weight, sizeof *live);
    sb_population_close(&p);
    close_subject(&s);
    sb_h5_close(g.file);
}

/* What is no number comes last, and equal losses in the order of the individuals. */
static void order_of_losses(void **state)
{
    (void)state;
    golden g = open_golden();
    subject s = open_subject("auto", 1);
    const sb_window window = window_of(&g);
    sb_population p;
    assert_int_equal(sb_population_open(&p, s.ops, &s.net->params, &plan), SB_OK);
    for (int i = 0; i < PLACES; i += 700) p.decoder.noise[i] = NAN;
    assert_int_equal(sb_population_judge(&p, &s.net, 1, &window), SB_OK);
    int n_nan = 0;
    for (int i = 0; i + 1 < N; i++) {
        const sb_individual *a = &p.ranked[i], *b = &p.ranked[i + 1];
        n_nan += isnan(b->loss);
        assert_true(isnan(b->loss) ? !isnan(a->loss) || a->number < b->number : a->loss <= b->loss);
    }
    assert_true(n_nan > 0 && !isnan(p.ranked[0].loss));
    sb_population_close(&p);
    const sb_population_plan narrow = {.n = 3, .truncation = 4, .sigma = 0.02, .n_noise = PLACES, .seed = 21};
    assert_int_equal(sb_population_open(&p, s.ops, &s.net->params, &narrow), SB_E_USAGE);
    assert_non_null(strstr(sb_message(), "--population 3"));
    close_subject(&s);
    sb_h5_close(g.file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_by_hand),       cmocka_unit_test(six_generations),
        cmocka_unit_test(threads_change_no_bit), cmocka_unit_test(rebuilt_weights_are_the_live_ones),
        cmocka_unit_test(order_of_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
