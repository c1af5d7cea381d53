/* What a network tells of its gradient while its backward pass goes on: from each place it names to the end, the gradient is
 * the one that the pass leaves behind, and at last all of it is. An exchange between ranks (train/reduce/exchange.h)
 * reads it then. */
#include "expect.h"
#include "subjects.h"

#include "core/random.h"
#include "net/models.h"

enum { TOLD_MAX = 64, N = 6 };

typedef struct listener {
    const sb_net *net;
    int n_told;
    size_t first[TOLD_MAX];
    sb_real *tail[TOLD_MAX]; /* as it was then */
} listener;

static void listen(void *context, size_t first)
{
    listener *l = context;
    const size_t n = l->net->params.total - first;
#pragma omp barrier
#pragma omp master
    {
        assert_in_range(l->n_told, 0, TOLD_MAX - 1);
        l->first[l->n_told] = first;
        l->tail[l->n_told] = host_take(n);
        memcpy(l->tail[l->n_told++], l->net->grad + first, n * sizeof(sb_real));
    }
#pragma omp barrier
}

typedef struct example {
    const char *model, *rung;
    sb_list widths;
    sb_data_shape data;
    int n_least; /* so many layers learn */
} example;

static const example examples[] = {
    {"autoencoder", NULL, {0}, {1, 6, 5, 0}, 2},
    {"mlp", NULL, {2, {9, 7}}, {1, 6, 5, 10}, 3},
    {"lenet", NULL, {3, {3, 5, 11}}, {1, 28, 28, 10}, 4},
    {"resnet9", "4", {4, {4, 4, 6, 8}}, {3, 32, 32, 10}, 10},
    {"resnet9", "9", {4, {4, 4, 6, 8}}, {3, 32, 32, 10}, 10},
};

static sb_net *open_example(sb_ops *ops, const example *e)
{
    sb_settings settings;
    sb_net *net;
    sb_settings_default(&settings);
    settings.model = e->model, settings.batch = N, settings.groups = 1, settings.hidden = (sb_list){2, {9, 4}};
    if (e->widths.n) settings.widths = e->widths;
    if (e->rung) settings.rung = e->rung;
    if (sb_model_find(e->model)->open(&net, ops, &settings, &e->data) != SB_OK || sb_net_start(net, 1, 0) != SB_OK)
        fail_msg("%s: %s", e->model, sb_message());
    return net;
}

/* Values that no pass forms, so that a gradient of another pass cannot stand for this one's. */
static void spoil(sb_net *net)
{
    for (size_t i = 0; i < net->params.total; i++) net->grad[i] = (sb_real)NAN;
}

static void learn(sb_net *net, listener *l)
{
    enum { INPUTS_MAX = 3 * 32 * 32 };
    static sb_real values[N * INPUTS_MAX];
    static uint8_t labels[N];
    for (int i = 0; i < N * INPUTS_MAX; i++)
        values[i] = (sb_real)(sb_random_words(3, 0, (uint64_t)i).word[0] / 4294967296.0);
    for (int i = 0; i < N; i++) labels[i] = (uint8_t)i;
    const sb_window window = {.values = values, .labels = labels, .n = N, .learned = listen, .learned_context = l};
    sb_ops *ops = net->ops;
    IN_TEAM
    net->learn(net, &window, SB_TARGET_COPY);
}

static void what_is_told_stays(void **state)
{
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        const example *e = &examples[k];
        device d = device_open(*state, 3);
        if (!d.ops->host_memory) {
            device_close(&d);
            print_message("its gradients are not read during a pass\n");
            skip();
        }
        sb_net *net = open_example(d.ops, e);
        listener l = {.net = net};
        spoil(net);
        learn(net, &l);
        if (l.n_told < e->n_least) fail_msg("%s told of %d layers, wanted %d", e->model, l.n_told, e->n_least);
        assert_int_equal(l.first[l.n_told - 1], 0);
        for (int i = 0; i < l.n_told; i++) {
            if (i > 0 && l.first[i] >= l.first[i - 1]) fail_msg("%s: call %d goes back", e->model, i);
            expect_same_bits(e->model, net->params.total - l.first[i], l.tail[i], net->grad + l.first[i]);
            for (size_t j = l.first[i]; j < net->params.total; j++)
                if (net->grad[j] != net->grad[j]) fail_msg("%s: gradient %zu was not formed", e->model, j);
            free(l.tail[i]);
        }
        sb_net_close(net);
        device_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_told_stays)};
    return run_on_subjects("learned", tests, 1);
}
