/* The three kinds of YAML file as structs: what a matrix file, a hardware file and a lock file (image.h) may say. The
 * only file of the matrix program that speaks libcyaml (io/yaml/yaml.h). Values are texts as written; cells.c and
 * hardware.c check what they mean.
 *
 *     hardware: hardware.yaml          # next to this file
 *     claims: ../paper/claims.yaml     # next to this file; may be absent. Each run records the claims as they stood
 *     data:
 *       - name: walk
 *         make: synth walk --size 48x32 --frames 800 --seed 1
 *     defaults: {lr: 0.001}
 *     studies:
 *       - name: prednet
 *         options: {model: prednet, data: walk, updates: 40, window: 20, channels: "3,8,16,32"}
 *         seeds: 3                     # 1, 2, 3; or an axis `seed: [4, 7]`
 *         replicates: 4                # runs of each cell: itself, and 3 more by the settings ulp or draw
 *         axes:
 *           target: [copy, shared]
 *         zip:                         # settings that advance together, one row each
 *           - {backend: native, hardware: any, threads: 2}
 *           - {backend: openblas, hardware: i5-4590, threads: 4, blas_kernel: Haswell}
 *         exclude:                     # every setting named must match (an extended regular expression, in full)
 *           - {target: shared, backend: native, reason: "..."}
 *         include:                     # more cells, on top of defaults and options
 *           - {backend: native, hardware: any, threads: 1, target: copy, seed: 1}
 *         require: [gpu, sm>=75, driver>=525]
 *         tags: [quick]
 *
 * A study of another program has a command in place of the network. Its axes, options and zip rows have any names, up to
 * SB_CUSTOM_MAX in a file; of the settings above it has seed, ulp, threads, hardware and data:
 *
 *     studies:
 *       - name: digits
 *         command: python3 train.py --seed {seed} --rate {rate} --csv {csv}
 *         environment: ['OMP_NUM_THREADS={threads}']
 *         files: [train.py]            # next to this file; their digests are in the record
 *         image: localhost/torch:2     # a container that it runs in; may be absent
 *         metrics: [{name: loss}, {name: accuracy, column: test_acc, better: higher}]
 *         seeds: 8
 *         axes: {rate: [0.1, 0.2], threads: [1, 2]}
 */
#pragma once

#include "core/rows/setting.h"
#include "core/status.h"
#include "matrix/process/process.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_value_list {
    char **item;
    uint32_t n;
} sb_value_list;

/* The values of a cell: of the settings, then of the names that a file of commands adds. */
enum { SB_CUSTOM_MAX = 16, SB_CUSTOM_NAME = 32, SB_N_VALUES = SB_N_SETTINGS + SB_CUSTOM_MAX };

typedef struct sb_row { /* one value for some settings, NULL for the others */
    char *value[SB_N_VALUES];
    char *reason; /* of an exclude, never NULL there; unused elsewhere */
} sb_row;

enum { SB_SEEDS_MAX = 100000, SB_REPLICATES_MAX = 1000, SB_MEASURES_MAX = 32 };

typedef struct sb_measure { /* a number that a command promises: the last one of a column */
    char *name;
    char *column; /* of its output; NULL: the name */
    char *better; /* "lower", "higher"; NULL: lower */
} sb_measure;

typedef struct sb_study {
    char *name;
    char *command; /* NULL: the trainer of samebits */
    char *image;   /* of the command; NULL: none */
    sb_value_list files, environment;
    sb_measure *metrics;
    uint32_t n_metrics;
    char *seeds_text, *replicates_text; /* as they are typed; NULL: absent */
    int64_t seeds;                      /* 0: the axis `seed` says them */
    int64_t replicates;                 /* runs of each cell; 0: one */
    sb_row options;
    sb_value_list axes[SB_N_VALUES];
    sb_row *zip, *exclude, *include;
    uint32_t n_zip, n_exclude, n_include;
    sb_value_list require, tags;
} sb_study;

typedef struct sb_data_source { /* a data set, and how samebits-data makes it */
    char *name;
    char *fetch; /* catalog name to fetch first, and names of its files ("public cup"); may be NULL */
    char *make;  /* arguments of samebits-data without -o: "synth walk --size 48x32"; part of the record */
    char *from;  /* folder below a --mirror DIR that holds the sources: handed to make as --from; may be NULL */
    char *hint;  /* what a person can do when it cannot be made; may be NULL */
} sb_data_source;

typedef struct sb_matrix {
    bool has_commands;                 /* in each of its studies; else in none */
    char custom[SB_CUSTOM_MAX][SB_CUSTOM_NAME]; /* names that it adds, in the order of the file */
    uint32_t n_custom;
    char *hardware; /* path of the hardware file, relative to this one; NULL: a file of commands may have none */
    char *claims;   /* path of the claims that a run registers, relative to this one; may be NULL */
    sb_data_source *data;
    uint32_t n_data;
    sb_row defaults;
    sb_study *studies;
    uint32_t n_studies;
} sb_matrix;

typedef struct sb_hardware {
    char *name;
    char *cpu, *gpu; /* extended regular expressions of the model names, NULL: any CPU, no GPU */
    char *sm_text;   /* as it is typed; NULL: absent */
    int64_t sm;      /* compute capability of the GPU times ten: 61; 0 without one */
    char *gres;      /* what a cluster calls that GPU: "gpu:gtx1080:1"; NULL: as submit's --gres says */
    char *
        emulator; /* words that train on such a CPU where it is not here: "qemu-aarch64 samebits-aarch64"; may be NULL */
    sb_value_list require;
    char *note;
} sb_hardware;

typedef struct sb_hardware_file {
    sb_hardware *hardware;
    uint32_t n;
} sb_hardware_file;

typedef struct sb_locked_image {
    char *stack;    /* of image.h: "cpu" */
    char *id;       /* "sha256:" and 64 digits: of the image's configuration, which names the digest of every layer */
    char *build_id; /* of the trainer in it */
    char *revision; /* of the sources it was built from */
} sb_locked_image;

typedef struct sb_locked_data {
    char *file;   /* "walk-1a2b3c4d.h5" */
    char *digest; /* of its content: what run files call data_digest */
} sb_locked_data;

typedef struct sb_image_lock {
    sb_locked_image *images;
    uint32_t n_images;
    sb_locked_data *data;
    uint32_t n_data;
} sb_image_lock;

/* What value `id` of a cell is called, id < SB_N_SETTINGS + matrix->n_custom. */
const char *sb_schema_key(const sb_matrix *matrix, unsigned id);

/* Read and check against the schema. Missing file, bad YAML, unknown or doubled key, wrong type, missing key:
 * SB_E_USAGE, "PATH:LINE: ...". The caller frees. */
sb_status sb_schema_load_matrix(const char *path, sb_matrix **matrix);
/* Write the seeds a study only counts as its axis `seed`: "1", "2", ... */
sb_status sb_schema_spell_seeds(sb_study *study);
void sb_schema_free_matrix(sb_matrix *matrix); /* NULL is fine */

sb_status sb_schema_load_hardware(const char *path, sb_hardware_file **file);
void sb_schema_free_hardware(sb_hardware_file *file); /* NULL is fine */

sb_status sb_schema_load_image_lock(const char *path, sb_image_lock **locked);
void sb_schema_free_image_lock(sb_image_lock *locked); /* NULL is fine */

/* What a matrix file may ask of samebits-data: the verbs that make a data set, and their options that say what
 * is in it. Where files are written is the runner's to say, and a matrix file may be a stranger's.
 *
 *     SB_TRY(sb_make_argv_check("demo.yaml", "data/0/make", "synth walk --seed 1"));
 *     -> "demo.yaml:4: make: 'synth walk' takes --size, --frames, --sequences and --seed, not '-o'"
 */

/* SB_E_USAGE with the line: another verb, another option, or a value that is an option again. What the values mean is
 * checked by samebits-data. */
sb_status sb_make_argv_check(const char *path, const char *place, const char *make);

/* Is word i of such a command the path of a source? It is if it has a '/', unless it is an option, or the value of one
 * that takes no path: a URL and "GPL/MIT" are texts. */
bool sb_make_argv_is_source(const sb_argv *argv, int i);

/* The names that a matrix file of commands adds to the settings: of axes, options and zip rows. They are read before the
 * file as a whole, because its schema depends on them. */

typedef struct sb_custom_names {
    bool has_commands;
    char name[SB_CUSTOM_MAX][SB_CUSTOM_NAME];
    uint32_t n;
} sb_custom_names;

/* Does a file of commands have this setting of ours, too? seed, ulp, threads, hardware and data. */
bool sb_custom_names_share(unsigned id);

/* Has the name a meaning of its own, as a place in a command or a column of its table? */
bool sb_custom_names_taken(const char *name);

/* Is it a name that a place, an axis or a metric may have: small letters, digits and '_', a letter first, below SB_CUSTOM_NAME
 * bytes? */
bool sb_custom_names_plain(const char *name);

/* Of a file without commands there are none. SB_E_USAGE, "PATH:LINE: ...": a name that is no word, is that of another
 * setting, or is one too many. */
sb_status sb_custom_names_read(sb_custom_names *names, const char *path);
