/* Is a golden file of this network? A file of another one would be reported as a deviation, which it is not. */
#include "inspect/check/check_parts.h"

#include "core/size.h"
#include "io/h5/h5_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

typedef struct search {
    sb_h5 *file;
    const sb_net *net;
    int n_found;
} search;

static const sb_param *find_param(const sb_net *net, const char *name)
{
    for (int p = 0; p < net->params.n; p++)
        if (strcmp(net->params.list[p].name, name) == 0) return &net->params.list[p];
    return NULL;
}

static bool is_frozen(const sb_net *net, const char *name)
{
    for (int i = 0; i < net->n_states; i++)
        if (net->state[i].kind == SB_STATE_FROZEN && strcmp(net->state[i].name, name) == 0) return true;
    return false;
}

static sb_status visit_start_weight(void *context, const char *name)
{
    search *s = context;
    char path[160];
    sb_h5_shape shape;
    const sb_param *param = find_param(s->net, name);
    if (!param && is_frozen(s->net, name)) return SB_OK; /* read with the states */
    if (!param)
        return sb_fail(SB_E_INTEGRITY, "%s: is of another network: it has a parameter %.64s, which %s has not",
                       sb_h5_path(s->file), name, s->net->model);
    snprintf(path, sizeof path, "init/%s", param->name);
    SB_TRY(sb_h5_shape_of(s->file, path, &shape));
    if (shape.n != param->n)
        return sb_fail(SB_E_INTEGRITY, "%s: is of another network: its parameter %s has %zu elements, not %zu",
                       sb_h5_path(s->file), name, shape.n, param->n);
    s->n_found++;
    return SB_OK;
}

sb_status sb_check_parameters(sb_h5 *file, const sb_net *net)
{
    search s = {.file = file, .net = net};
    SB_TRY(sb_h5_each_dataset(file, "init", visit_start_weight, &s));
    if (s.n_found == net->params.n) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: is of another network: it has %d parameters, and this %s has %d",
                   sb_h5_path(file), s.n_found, net->model, net->params.n);
}

/* ---- activations ---- */

static double relu(double x)
{
    return x > 0 ? x : 0;
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double identity(double x)
{
    return x;
}

static const struct activation {
    const char *name;
    double (*of)(double x);
} activations[] = {{"relu", relu}, {"sigmoid", sigmoid}, {"tanh", tanh}, {"no activation", identity}};
enum { N_ACTIVATIONS = sizeof activations / sizeof *activations };

/* The data of a probe: the initial weights of the file and its first batch. */
typedef struct probe {
    const sb_check_autoencoder_shape *shape;
    const sb_real *x;
    double *encoder_w, *encoder_b, *decoder_w, *decoder_b, *hidden;
} probe;

/* out[i] = activation(b[i] + sum over k of w[i][k] x[k]) */
static double layer_unit(const double *w, double b, int n, const double *x, const struct activation *a)
{
    double sum = b;
    for (int k = 0; k < n; k++) sum += w[k] * x[k];
    return a->of(sum);
}

/* The loss of the first batch with these activations. */
static double loss_with(const probe *p, const struct activation *first, const struct activation *second)
{
    const int inputs = p->shape->inputs, n_hidden = p->shape->hidden;
    double squares = 0, *x = p->hidden + n_hidden;
    for (int b = 0; b < p->shape->batch; b++) {
        for (int i = 0; i < inputs; i++) x[i] = p->x[(size_t)b * inputs + i];
        for (int k = 0; k < n_hidden; k++)
            p->hidden[k] = layer_unit(p->encoder_w + (size_t)k * inputs, p->encoder_b[k], inputs, x, first);
        for (int i = 0; i < inputs; i++) {
            double y = layer_unit(p->decoder_w + (size_t)i * n_hidden, p->decoder_b[i], n_hidden, p->hidden, second);
            squares += (y - x[i]) * (y - x[i]);
        }
    }
    return squares / ((double)p->shape->batch * inputs);
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-4 * fabs(b);
}

static sb_status find_activations(sb_h5 *file, const probe *p, double known)
{
    if (is_near(loss_with(p, &activations[0], &activations[0]), known)) return SB_OK;
    for (int i = 0; i < N_ACTIVATIONS; i++)
        for (int k = 0; k < N_ACTIVATIONS; k++)
            if (is_near(loss_with(p, &activations[i], &activations[k]), known))
                return sb_fail(SB_E_INTEGRITY,
                               "%s: is of another network: its losses are those of an autoencoder with %s after the "
                               "first layer and %s after the second; here both have relu",
                               sb_h5_path(file), activations[i].name, activations[k].name);
    return SB_OK;
}

static sb_status read_weights(sb_h5 *file, probe *p)
{
    const size_t inputs = (size_t)p->shape->inputs, hidden = (size_t)p->shape->hidden;
    SB_TRY(sb_h5_read(file, "init/encoder/w", SB_F64, inputs * hidden, p->encoder_w));
    SB_TRY(sb_h5_read(file, "init/decoder/w", SB_F64, inputs * hidden, p->decoder_w));
    SB_TRY(sb_h5_read(file, "init/encoder/b", SB_F64, hidden, p->encoder_b));
    return sb_h5_read(file, "init/decoder/b", SB_F64, inputs, p->decoder_b);
}

sb_status sb_check_activations(sb_h5 *file, const sb_check_autoencoder_shape *shape, const sb_real *inputs)
{
    const size_t n_inputs = (size_t)shape->inputs, n_hidden = (size_t)shape->hidden, n_weights = n_inputs * n_hidden;
    sb_h5_shape losses;
    SB_TRY(sb_h5_shape_of(file, "losses", &losses));
    double *room = sb_size_allocate(2 * n_weights + 2 * (n_inputs + n_hidden) + losses.n, sizeof *room);
    if (!room) return sb_fail(SB_E_MEMORY, "not enough memory");
    probe p = {.shape = shape, .x = inputs, .encoder_w = room, .decoder_w = room + n_weights};
    p.encoder_b = p.decoder_w + n_weights, p.decoder_b = p.encoder_b + n_hidden, p.hidden = p.decoder_b + n_inputs;
    double *known = p.hidden + n_hidden + n_inputs;
    sb_status status = read_weights(file, &p);
    if (status == SB_OK) status = sb_h5_read(file, "losses", SB_F64, losses.n, known);
    if (status == SB_OK && losses.n) status = find_activations(file, &p, known[0]);
    free(room);
    return status;
}
