/* fake_results DIR: made-up results in the form that `samebits-matrix collect` writes, with run files, for the tests of
 * samebits-report and for looking at its figures. Losses fall as trainings do, vary sixfold between seeds, and the
 * shared target ends about EFFECT times as high. Nothing in here was measured. */
#include "core/command/options.h"
#include "core/file.h"
#include "core/random.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"
#include "io/sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fake_options {
    long settings, seeds, updates, schema;
    double effect, slower;
    bool autoencoder, no_runs;
    const char *fact;
} fake_options;

static const sb_option options[] = {
    SB_OPTION_INT(fake_options, settings, "--settings", "N", "2", 1, 8, "settings of PredNet"),
    SB_OPTION_INT(fake_options, seeds, "--seeds", "N", "5", 1, 1000, "seeds of each arm"),
    SB_OPTION_INT(fake_options, updates, "--updates", "N", "784", 5, 100000, "updates of each run"),
    SB_OPTION_INT(fake_options, schema, "--schema", "N", "1", 1, 99, "of the run files"),
    SB_OPTION_REAL(fake_options, effect, "--effect", "RATIO", "1.45", 0.1, 10, "loss shared over copy in the end"),
    SB_OPTION_REAL(fake_options, slower, "--slower", "RATIO", "1", 0.1, 10, "every run takes so many times as long"),
    SB_OPTION_FLAG(fake_options, autoencoder, "--autoencoder", "an autoencoder beside it, target copy only"),
    SB_OPTION_FLAG(fake_options, no_runs, "--no-runs", "no run files"),
    SB_OPTION_TEXT(fake_options, fact, "--fact", "FILE", NULL,
                   "one more of the machine: a line with its name, then its text"),
    SB_OPTION_END,
};
static const sb_command command = {.program = "fake_results",
                                   .verb = "",
                                   .summary = "made-up results",
                                   .arguments = "DIR",
                                   .options = options,
                                   .values_bytes = sizeof(fake_options),
                                   .min_arguments = 1,
                                   .max_arguments = 1};

typedef struct fake_setting {
    const char *study, *data, *backend, *arithmetic, *hardware, *evidence, *kernel;
    int threads;
} fake_setting;

static const fake_setting settings[] = {
    {"prednet", "walk", "native", "ordered", "here", "measured", "", 2},
    {"prednet", "walk", "openblas", "gemm", "i5-4590", "emulated", "Haswell", 4},
    {"prednet", "walk", "openblas", "gemm", "i7-6800k", "emulated", "Haswell", 1},
    {"prednet", "walk", "openblas", "gemm", "ryzen-5-3600", "emulated", "Zen", 6},
    {"prednet", "walk", "openblas", "gemm", "here", "measured", "SkylakeX", 2},
    {"prednet", "walk", "native-cuda", "ordered", "gtx-1080", "measured", "", 1},
    {"prednet", "walk", "cublas", "gemm", "gtx-1080", "measured", "", 1},
    {"prednet", "walk", "cudnn", "cudnn", "gtx-1080", "measured", "", 1},
};
static const fake_setting autoencoder = {"autoencoder", "mnist", "native", "ordered", "here", "measured", "", 2};

typedef struct cell {
    const fake_setting *setting;
    const char *fact; /* "NAME\nTEXT", or NULL */
    int place;        /* of the setting, for its own noise */
    bool shared;
    long seed, updates, schema;
    char name[256], run[128], hash[SB_SHA256_TEXT], weights[SB_HASH_TEXT];
    double *loss[2]; /* last, mean: [updates] */
    double final[2], slower;
} cell;

static double noise(const cell *c, int stream, long i)
{
    return sb_random_normal((uint64_t)c->seed, (uint32_t)stream, (uint64_t)i);
}

static void train(cell *c, const fake_options *o)
{
    double level = 0.004 * exp(0.35 * noise(c, 1, 0)), effect = o->effect * exp(0.08 * noise(c, 2, c->place));
    for (long i = 0; i < o->updates; i++) {
        double t = (double)i / (double)o->updates, scene = 0.35 * sin(21 * t) + 0.2 * sin(67 * t);
        double base = level * (1 + 14 * exp(-25 * t)) * exp(scene + 0.02 * noise(c, 10 + c->place, i));
        if (c->shared) base *= 1 + (effect - 1) * (1 - exp(-6 * t));
        c->loss[0][i] = base * exp(0.18 * sb_random_normal(99, 3, (uint64_t)i) + 0.05 * noise(c, 4, i));
        c->loss[1][i] = base * 1.04;
    }
    for (int m = 0; m < 2; m++) c->final[m] = sb_runfile_tail(c->loss[m], sizeof *c->loss[m], (size_t)o->updates);
}

static const double PEAK_MIB = 181.4; /* of every run */
enum { WINDOW = 20 };

enum { N_FRAMES = 10, H = 32, W = 48 };

/* A slope and a bright square that moves; the prediction is a step late and noisy. */
static void draw_frames(const cell *c, uint8_t *truth, uint8_t *predicted)
{
    for (int i = 0; i < N_FRAMES * H * W; i++) {
        int t = i / (H * W), y = i / W % H, x = i % W;
        double blur = 1 + (c->shared ? 2.5 : 0.5);
        int left = 4 + 3 * t;
        bool inside = x >= left && x < left + 10 && y >= 10 && y < 20;
        double edge = fmin(fmin(x - left + 2.5, left + 7.5 - x), fmin(y - 9.5, 19.5 - y)) / blur;
        double soft = 1 / (1 + exp(-2 * edge));
        for (int k = 0; k < 3; k++) {
            double ground = 40 + 3 * y + (k == 2 ? 50 : 0) + 20 * sin(0.4 * x + k);
            double error = 6 * noise(c, 5, 3L * i + k);
            truth[3 * i + k] = (uint8_t)(inside ? 235 - 40 * k : ground);
            double value = ground + soft * (235 - 40 * k - ground) + error;
            predicted[3 * i + k] = (uint8_t)fmin(fmax(value, 0), 255);
        }
    }
}

static sb_status write_prediction(sb_h5 *file, const cell *c)
{
    static uint8_t truth[N_FRAMES * H * W * 3], predicted[sizeof truth];
    int64_t frame[N_FRAMES];
    for (int i = 0; i < N_FRAMES; i++) frame[i] = 4990 + i;
    draw_frames(c, truth, predicted);
    const size_t dim[] = {N_FRAMES, H, W, 3};
    SB_TRY(sb_h5_write(file, "prediction/frame", SB_I64, 1, dim, frame, SB_H5_PLAIN));
    SB_TRY(sb_h5_write(file, "prediction/true", SB_U8, 4, dim, truth, SB_H5_PACKED));
    return sb_h5_write(file, "prediction/predicted", SB_U8, 4, dim, predicted, SB_H5_PACKED);
}

static sb_status write_fact(sb_h5 *file, const char *fact)
{
    char name[256];
    size_t n = fact ? strcspn(fact, "\n") : 0;
    if (!fact) return SB_OK;
    snprintf(name, sizeof name, "%.*s", (int)n, fact);
    return sb_h5_set_text(file, "env", name, fact + n + (fact[n] != 0));
}

static sb_status write_facts(sb_h5 *file, const cell *c)
{
    char threads[16];
    snprintf(threads, sizeof threads, "%d", c->setting->threads);
    SB_TRY(sb_h5_set_int(file, "meta", "schema", c->schema));
    SB_TRY(sb_h5_set_text(file, "meta", "cell", c->name));
    SB_TRY(sb_h5_set_text(file, "meta", "hash", c->hash));
    SB_TRY(sb_h5_set_text(file, "config", "channels", "3,8"));
    SB_TRY(sb_h5_set_text(file, "config", "lr", "0.001"));
    SB_TRY(sb_h5_set_text(file, "config", "target", c->shared ? "shared" : "copy"));
    SB_TRY(sb_h5_set_text(file, "config", "data_digest", "feedfeed"));
    SB_TRY(sb_h5_set_text(file, "env", "cpu", "Made-up CPU <8 cores> & caches"));
    SB_TRY(sb_h5_set_text(file, "env", "os", "Debian GNU/Linux 12"));
    SB_TRY(sb_h5_set_text(file, "env", "compiler", "gcc 12.2.0"));
    SB_TRY(write_fact(file, c->fact));
    return sb_h5_set_text(file, "env", "OMP_NUM_THREADS", threads);
}

static sb_status write_train(sb_h5 *file, const cell *c)
{
    const size_t n = (size_t)c->updates;
    SB_TRY(sb_h5_write(file, "train/loss_last", SB_F64, 1, &n, c->loss[0], SB_H5_PACKED));
    return sb_h5_write(file, "train/loss_mean", SB_F64, 1, &n, c->loss[1], SB_H5_PACKED);
}

static double seconds_of(const cell *c)
{
    return (double)c->updates * 0.21 * c->slower;
}

static double speed_of(const cell *c)
{
    return (double)(c->updates * WINDOW) / seconds_of(c);
}

static sb_status write_ends(sb_h5 *file, const cell *c)
{
    sb_run_head head;
    SB_TRY(sb_h5_set_real(file, "train", "seconds_total", seconds_of(c)));
    SB_TRY(sb_h5_set_real(file, "train", "cpu_seconds_total", seconds_of(c)));
    SB_TRY(sb_h5_set_int(file, "train", "loss_terms", c->updates * WINDOW));
    SB_TRY(sb_runfile_head_of(file, &head, NULL));
    if (!sb_hash_parse(c->weights, &head.weights)) return sb_fail(SB_E_USAGE, "%s: not a hash", c->weights);
    SB_TRY(sb_runfile_write_head(file, &head));
    return sb_runfile_write_final(file, PEAK_MIB * 1024 * 1024);
}

static sb_status write_run(const char *folder, const cell *c)
{
    char path[SB_PATH_MAX];
    sb_h5 *file;
    snprintf(path, sizeof path, "%s/%s", folder, c->run);
    SB_TRY(sb_h5_create(&file, path, SB_SEAL_RUN));
    sb_status status = write_facts(file, c);
    if (status == SB_OK && strcmp(c->setting->study, "prednet") == 0) status = write_prediction(file, c);
    if (status == SB_OK) status = write_train(file, c);
    if (status == SB_OK) status = write_ends(file, c);
    return sb_h5_finish(file, status);
}

static void name_cell(cell *c)
{
    const fake_setting *s = c->setting;
    snprintf(c->name, sizeof c->name, "%s/%s/%s/%s/%s/s%03ld", s->study, s->data, s->backend, s->hardware,
             c->shared ? "shared" : "copy", c->seed);
    sb_sha256_bytes(c->name, strlen(c->name), c->hash);
    sb_hash_text(sb_hash_of(c->name, strlen(c->name), 1), c->weights);
    snprintf(c->run, sizeof c->run, "runs/%.8s.h5", c->hash);
}

typedef struct files {
    FILE *cells, *curves, *timing;
} files;

static void write_rows(const files *out, const cell *c, const fake_options *o)
{
    const fake_setting *s = c->setting;
    fprintf(out->cells, "%s,%s,%s,%s,%s,%s,%s,%s,%d,%s,%s,%ld,0,1,%ld,%s,3 8,0,20,0.001,feedfeed,%.9g,%.9g,%s,%s\n",
            c->name, c->hash, s->study, s->data, s->backend, s->arithmetic, s->hardware, s->evidence, s->threads,
            s->kernel, c->shared ? "shared" : "copy", c->seed, o->updates, s->study, c->final[0], c->final[1],
            c->weights, c->run);
    fprintf(out->timing, "%s,%.9g,%.9g,%.9g\n", c->hash, seconds_of(c), speed_of(c), PEAK_MIB);
    for (long i = 0; i < o->updates; i++)
        fprintf(out->curves, "%s,%ld,%.9g,%.9g\n", c->hash, i + 1, c->loss[0][i], c->loss[1][i]);
}

static sb_status write_setting(const char *folder, const files *out, const fake_setting *setting, int place,
                               double *loss, const fake_options *o)
{
    bool both = strcmp(setting->study, "prednet") == 0;
    for (int shared = 0; shared < 1 + both; shared++)
        for (long seed = 1; seed <= o->seeds; seed++) {
            cell c = {.setting = setting,
                      .fact = o->fact,
                      .place = place,
                      .shared = shared,
                      .seed = seed,
                      .updates = o->updates,
                      .schema = o->schema,
                      .slower = o->slower};
            c.loss[0] = loss;
            c.loss[1] = loss + o->updates;
            name_cell(&c);
            train(&c, o);
            write_rows(out, &c, o);
            if (!o->no_runs) SB_TRY(write_run(folder, &c));
        }
    return SB_OK;
}

static sb_status write_results(const char *folder, const files *out, const fake_options *o)
{
    double *loss = malloc(2 * (size_t)o->updates * sizeof *loss);
    if (!loss) return sb_fail(SB_E_MEMORY, "not enough memory");
    fputs("name,hash,study,data,backend,arithmetic,hardware,evidence,threads,blas_kernel,target,seed,ulp,batch,updates,"
          "model,channels,hidden,window,lr,data_digest,loss_last,loss_mean,weights,run\n",
          out->cells);
    fputs("hash,update,loss_last,loss_mean\n", out->curves);
    fputs("hash,seconds,frames_per_second,peak_mib\n", out->timing);
    sb_status status = SB_OK;
    for (int i = 0; status == SB_OK && i < o->settings; i++)
        status = write_setting(folder, out, &settings[i], i, loss, o);
    if (status == SB_OK && o->autoencoder) status = write_setting(folder, out, &autoencoder, 8, loss, o);
    free(loss);
    return status;
}

static FILE *open_table(const char *folder, const char *name)
{
    char path[SB_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "w");
}

static sb_status write_coverage(const char *folder, size_t n_cells)
{
    char path[SB_PATH_MAX], text[256];
    snprintf(path, sizeof path, "%s/coverage.csv", folder);
    int n = snprintf(text, sizeof text,
                     "what,value,why\nmatrix,made-up.yaml,\nrun_schema,%d,\ncells,%zu,\nselected,%zu,\ncomplete,%zu,\n",
                     SB_RUN_SCHEMA, n_cells, n_cells, n_cells);
    return sb_file_write(path, text, (size_t)n);
}

static sb_status write_sums(const char *folder)
{
    static const char *const tables[] = {"cells.csv", "curves.csv", "timing.csv", "coverage.csv"};
    char path[SB_PATH_MAX], *text;
    size_t n_bytes;
    sb_writer *list = sb_writer_open(&sb_lines);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, tables[i]);
        SB_TRY(sb_file_read(path, &text, &n_bytes));
        sb_sums_write(list, tables[i], text, n_bytes);
        free(text);
    }
    snprintf(path, sizeof path, "%s/%s", folder, SB_SUMS_FILE);
    SB_TRY(sb_writer_close(list, path, &text, &n_bytes));
    sb_status status = sb_file_write(path, text, n_bytes);
    free(text);
    return status;
}

static sb_status write_folder(const char *folder, const fake_options *o)
{
    char path[SB_PATH_MAX];
    snprintf(path, sizeof path, "%s/runs", folder);
    SB_TRY(sb_folder_make(path));
    files out = {open_table(folder, "cells.csv"), open_table(folder, "curves.csv"), open_table(folder, "timing.csv")};
    bool opened = out.cells && out.curves && out.timing;
    sb_status status = opened ? write_results(folder, &out, o) : sb_fail(SB_E_IO, "%s: cannot write", folder);
    if (opened && (fclose(out.cells) != 0 || fclose(out.curves) != 0 || fclose(out.timing) != 0))
        status = sb_fail(SB_E_IO, "%s: cannot write", folder);
    size_t n_cells = (size_t)(o->seeds * (2 * o->settings + o->autoencoder));
    if (status == SB_OK) status = write_coverage(folder, n_cells);
    return status == SB_OK ? write_sums(folder) : status;
}

static sb_status run(int argc, char **argv)
{
    fake_options o = {0};
    sb_arguments arguments;
    bool help;
    SB_TRY(sb_options_parse(&command, argc - 1, argv + 1, &o, &arguments, &help));
    if (help) return SB_OK;
    char *fact = NULL;
    size_t n_fact;
    if (o.fact) SB_TRY(sb_file_read(o.fact, &fact, &n_fact));
    o.fact = fact;
    sb_status status = write_folder(arguments.item[0], &o);
    free(fact);
    return status;
}

int main(int argc, char **argv)
{
    sb_status status = run(argc, argv);
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}
