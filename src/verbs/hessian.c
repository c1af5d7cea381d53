#include "inspect/curvature/hessian.h"
#include "core/file.h"
#include "core/size.h"
#include "core/text/csv.h"
#include "core/text/json.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"
#include "train/evaluate.h"
#include "train/readback.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct hessian_values {
    sb_settings setup;
    long windows, steps, extremes;
    double tolerance, difference;
    const char *output;
    bool quiet, json;
} hessian_values;

static const sb_option options[] = {
    SB_OPTIONS_DATA(hessian_values) SB_OPTIONS_COMPUTE(hessian_values)
        SB_OPTION_INT(hessian_values, windows, "--windows", "N", "8", 1, 1e6,
                      "windows of the objective, evenly spaced over the windows of the training"),
    SB_OPTION_INT(hessian_values, steps, "--steps", "N", "60", 1, 1000,
                  "steps of Lanczos at most; each computes two gradients"),
    SB_OPTION_INT(hessian_values, extremes, "--extremes", "N", "3", 1, 20, "number of eigenvalues at each end"),
    SB_OPTION_REAL(hessian_values, tolerance, "--tolerance", "SHARE", "1e-3", 0, 1,
                   "stop when the error bounds are this share of the largest eigenvalue"),
    SB_OPTION_REAL(hessian_values, difference, "--difference", "SHARE", "1e-11", 1e-16, 1,
                   "step of the differences, relative to the norm of the weights"),
    SB_OPTION_TEXT_LETTER(hessian_values, output, "--output", 'o', "FILE.csv", NULL, "csv file of the results"),
    SB_OPTION_FLAG(hessian_values, quiet, "--quiet", "print no progress"),
    SB_OPTION_JSON(hessian_values),
    SB_OPTION_END,
};

static const char *const target_name[SB_N_TARGETS] = {[SB_TARGET_COPY] = "copy", [SB_TARGET_SHARED] = "shared"};
static const char *const meaning[SB_N_TARGETS] = {
    [SB_TARGET_COPY] = "each frame against its own target",
    [SB_TARGET_SHARED] = "each frame against the window's last target",
};

/* What the run file says of itself, and what was found at its weights, for either objective. */
typedef struct findings {
    const char *run;
    char target[16];
    int64_t seed, updates;
    size_t n_weights;
    double weight_norm;
    sb_hessian of[SB_N_TARGETS];
} findings;

/* ---- finding ---- */

static sb_status read_run(const char *path, const char *data, findings *found)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    sb_run_head head;
    bool has_tensors;
    char digest[SB_HASH_TEXT];
    found->run = path;
    SB_TRY(sb_dataset_digest_file(data, digest));
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    SB_TRY(sb_readback_check_data(file, data, digest));
    SB_TRY(sb_h5_attribute_text(file, "config", "target", found->target, sizeof found->target));
    SB_TRY(sb_h5_get_int(file, "config", "seed", &found->seed));
    SB_TRY(sb_runfile_head_of(file, &head, &has_tensors));
    found->updates = head.update;
    return SB_OK;
}

static sb_status find_both(sb_objective *objective, const sb_learner *learner, const hessian_values *values,
                           findings *found)
{
    const size_t n = found->n_weights = learner->net->params.total;
    const sb_hessian_options how = {.steps = (int)values->steps,
                                    .extremes = (int)values->extremes,
                                    .tolerance = values->tolerance,
                                    .difference = values->difference,
                                    .quiet = values->quiet};
    SB_FREED double *weight = sb_size_allocate(n, sizeof *weight);
    SB_FREED void *to_free = NULL;
    const sb_real *host;
    if (!weight) return sb_fail(SB_E_MEMORY, "not enough memory for %zu weights", n);
    SB_TRY(sb_learner_host_block(learner, learner->net->weight, &host, &to_free));
    for (size_t i = 0; i < n; i++) weight[i] = host[i];
    for (sb_target target = 0; target < SB_N_TARGETS; target++)
        SB_TRY(sb_hessian_at(objective, target, n, weight, &how, &found->of[target]));
    return SB_OK;
}

static sb_status find(hessian_values *values, const char *run, findings *found)
{
    SB_OWNED(sb_setup_close) sb_setup setup = {0};
    sb_objective *objective;
    SB_TRY(read_run(run, values->setup.data, found));
    SB_TRY(sb_evaluate_open(&setup, &values->setup, run, false));
    SB_TRY(sb_objective_open(&objective, &setup, values->windows, (long)found->updates));
    const sb_status status = find_both(objective, &setup.learner, values, found);
    sb_objective_close(objective);
    return status;
}

/* ---- for people ---- */

static void print_ends(const char *what, int n, const sb_hessian_end *end)
{
    printf("  %s", what);
    for (int i = 0; i < n; i++) printf("  %.6g +- %.2g", end[i].value, end[i].bound);
    putchar('\n');
}

static void print_objective(const findings *found, sb_target target)
{
    const sb_hessian *h = &found->of[target];
    printf("objective %s: %s%s\n", target_name[target], meaning[target],
           strcmp(found->target, target_name[target]) == 0 ? "; what the run minimised" : "");
    printf("  loss %.6g  gradient %.6g  of single windows %.6g  curvature along it %.6g\n", h->objective.loss,
           h->objective.norm, h->objective.window_norm, h->along_gradient);
    print_ends("smallest eigenvalues", h->n_ends, h->smallest);
    print_ends("largest eigenvalues ", h->n_ends, h->largest);
    printf("  %d steps, %s; asymmetry %.2g; smallest and largest by finer differences %.6g %.6g\n", h->n_steps,
           h->converged ? "converged" : "not converged to the tolerance", h->asymmetry, h->smallest[0].value_finer,
           h->largest[0].value_finer);
}

static void print_found(const findings *found, const hessian_values *values)
{
    printf("%s: %lld updates, target %s, %zu weights; %ld windows, differences of %.3g\n", found->run,
           (long long)found->updates, found->target, found->n_weights, values->windows, found->of[SB_TARGET_COPY].h);
    for (sb_target target = 0; target < SB_N_TARGETS; target++) print_objective(found, target);
}

/* ---- for programs ---- */

static const sb_json_key keys[] = {
    {"run", SB_JSON_TEXT, "the run file"},
    {"target", SB_JSON_TEXT, "what it was trained with"},
    {"seed", SB_JSON_INTEGER, "of its initial weights"},
    {"updates", SB_JSON_INTEGER, "that it has"},
    {"weights", SB_JSON_INTEGER, "parameters of the network: rows of the Hessian"},
    {"windows", SB_JSON_INTEGER, "over which the objective is the mean"},
    {"difference", SB_JSON_REAL, "step of the differences"},
    {"objectives", SB_JSON_LIST, "the loss against each frame's own target, then against the window's last one"},
    {"objectives[].target", SB_JSON_TEXT, "copy or shared"},
    {"objectives[].minimised", SB_JSON_FLAG, "the run was trained with it"},
    {"objectives[].loss", SB_JSON_REAL, "mean over windows of the sum over frames"},
    {"objectives[].gradient", SB_JSON_REAL, "norm of its gradient"},
    {"objectives[].window_gradient", SB_JSON_REAL, "root mean square of the norms of single windows' gradients"},
    {"objectives[].along_gradient", SB_JSON_REAL, "curvature in the direction of the gradient; null: it is zero"},
    {"objectives[].steps", SB_JSON_INTEGER, "of Lanczos"},
    {"objectives[].converged", SB_JSON_FLAG, "all eigenvalues below are within the tolerance"},
    {"objectives[].asymmetry", SB_JSON_REAL, "Frobenius norm of the antisymmetric part of the projected Hessian"},
    {"objectives[].eigenvalues", SB_JSON_LIST, "the smallest ones, then the largest, the outermost first"},
    {"objectives[].eigenvalues[].end", SB_JSON_TEXT, "smallest or largest"},
    {"objectives[].eigenvalues[].value", SB_JSON_REAL, "the eigenvalue"},
    {"objectives[].eigenvalues[].bound", SB_JSON_REAL, "norm of the residual: an eigenvalue is no farther away"},
    {"objectives[].eigenvalues[].value_finer", SB_JSON_REAL, "the same by differences of a quarter of the step"},
    {"objectives[].eigenvalues[].cosine", SB_JSON_REAL, "between its vector and the gradient, without sign"},
    SB_JSON_END,
};

static void json_ends(sb_json *json, const char *name, int n, const sb_hessian_end *end)
{
    for (int i = 0; i < n; i++) {
        sb_json_object(json, NULL);
        sb_json_text(json, "end", name);
        sb_json_real(json, "value", end[i].value);
        sb_json_real(json, "bound", end[i].bound);
        sb_json_real(json, "value_finer", end[i].value_finer);
        sb_json_real(json, "cosine", end[i].cosine);
        sb_json_end(json);
    }
}

static void json_objective(sb_json *json, const findings *found, sb_target target)
{
    const sb_hessian *h = &found->of[target];
    sb_json_object(json, NULL);
    sb_json_text(json, "target", target_name[target]);
    sb_json_flag(json, "minimised", strcmp(found->target, target_name[target]) == 0);
    sb_json_real(json, "loss", h->objective.loss);
    sb_json_real(json, "gradient", h->objective.norm);
    sb_json_real(json, "window_gradient", h->objective.window_norm);
    sb_json_real(json, "along_gradient", h->along_gradient);
    sb_json_integer(json, "steps", h->n_steps);
    sb_json_flag(json, "converged", h->converged);
    sb_json_real(json, "asymmetry", h->asymmetry);
    sb_json_list(json, "eigenvalues");
    json_ends(json, "smallest", h->n_ends, h->smallest);
    json_ends(json, "largest", h->n_ends, h->largest);
    sb_json_end(json);
    sb_json_end(json);
}

static sb_status print_json(const sb_call *call, const findings *found)
{
    const hessian_values *values = call->values;
    sb_json json = sb_json_begin(call->command);
    sb_json_text(&json, "run", found->run);
    sb_json_text(&json, "target", found->target);
    sb_json_integer(&json, "seed", found->seed);
    sb_json_integer(&json, "updates", found->updates);
    sb_json_integer(&json, "weights", (int64_t)found->n_weights);
    sb_json_integer(&json, "windows", values->windows);
    sb_json_real(&json, "difference", found->of[SB_TARGET_COPY].h);
    sb_json_list(&json, "objectives");
    for (sb_target target = 0; target < SB_N_TARGETS; target++) json_objective(&json, found, target);
    sb_json_end(&json);
    return sb_json_print(&json, SB_OK);
}

/* A row for each eigenvalue. */
static void csv_ends(sb_writer *csv, const findings *found, const hessian_values *values, sb_target target,
                     const char *name, const sb_hessian_end *end)
{
    const sb_hessian *h = &found->of[target];
    for (int i = 0; i < h->n_ends; i++) {
        sb_write(csv, "%s,%lld,%lld,%s,%ld", found->target, (long long)found->seed, (long long)found->updates,
                 target_name[target], values->windows);
        sb_csv_real(csv, h->objective.loss, 9);
        sb_csv_real(csv, h->objective.norm, 9);
        sb_csv_real(csv, h->objective.window_norm, 9);
        sb_csv_real(csv, h->along_gradient, 9);
        sb_write(csv, ",%d,%s", h->n_steps, h->converged ? "yes" : "no");
        sb_csv_real(csv, h->h, 9);
        sb_csv_real(csv, h->asymmetry, 9);
        sb_write(csv, ",%s,%d", name, i + 1);
        sb_csv_real(csv, end[i].value, 9);
        sb_csv_real(csv, end[i].bound, 9);
        sb_csv_real(csv, end[i].value_finer, 9);
        sb_csv_real(csv, end[i].cosine, 9);
        sb_write_raw(csv, SB_RAW("\n"));
    }
}

static sb_status write_csv(const findings *found, const hessian_values *values)
{
    SB_FREED char *text = NULL;
    size_t n_text;
    sb_writer *csv = sb_writer_open(&sb_csv);
    sb_write_raw(csv, SB_RAW("target,seed,updates,objective,windows,loss,gradient,window_gradient,along_gradient,steps,"
                             "converged,difference,asymmetry,end,rank,eigenvalue,bound,eigenvalue_finer,cosine\n"));
    for (sb_target target = 0; target < SB_N_TARGETS; target++) {
        csv_ends(csv, found, values, target, "smallest", found->of[target].smallest);
        csv_ends(csv, found, values, target, "largest", found->of[target].largest);
    }
    SB_TRY(sb_writer_close(csv, values->output, &text, &n_text));
    return sb_file_write(values->output, text, n_text);
}

static sb_status check_output(const char *path, const char *run, const char *data)
{
    if (!path) return SB_OK;
    SB_TRY(sb_file_check_output(path));
    SB_TRY(sb_file_check_apart(path, run));
    return sb_file_check_apart(path, data);
}

static sb_status hessian(const sb_call *call)
{
    hessian_values *values = call->values;
    findings found = {0};
    if (sizeof(sb_real) < sizeof(double))
        return sb_fail(SB_E_USAGE, "samebits hessian: differences of gradients need float64: 'samebits-f64 hessian' "
                                   "takes the same arguments, and runs of either program");
    SB_TRY(check_output(values->output, call->arguments.item[0], values->setup.data));
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    SB_TRY(find(values, call->arguments.item[0], &found));
    if (values->output) SB_TRY(write_csv(&found, values));
    if (values->json) return print_json(call, &found);
    print_found(&found, values);
    return SB_OK;
}

const sb_command sb_verb_hessian = {
    .program = "samebits",
    .verb = "hessian",
    .summary = "compute the gradient and extreme eigenvalues of the Hessian at the end of a run (minimum or saddle)",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(hessian_values),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue =
        "There are two objectives at the same weights: 'copy', the true loss, and 'shared', each frame compared with "
        "the last\n"
        "frame of the window. Use the program samebits-f64; the run may be of either program.\n"
        "docs/mechanism.md explains the numbers.\n",
    .json = keys,
    .run = hessian,
};
