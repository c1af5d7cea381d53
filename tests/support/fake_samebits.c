/* A stand-in for the trainer in tests of samebits-matrix: the same options, a whole run file of invented losses, and
 * whatever misbehaviour the environment asks for. Each variable holds a part of a cell's name:
 *
 *   FAKE_FAIL     exit code 1 half-way        FAKE_UNABLE   exit code 4 at once
 *   FAKE_DIE      SIGKILL half-way, the first time (while there is no checkpoint yet)
 *   FAKE_LATE     SIGKILL when the run is whole, but the journal still there
 *   FAKE_DAMAGE   exit code 0, but the run file is cut short
 *   FAKE_HANG     go on, half-way by its journal, only when the file "go" is there
 *   FAKE_DEAF     half-way it does nothing any more, and ignores SIGINT and SIGTERM
 *   FAKE_DRIFT    the run made once more has other losses
 *   FAKE_JOURNAL  a file that gets a line for each start and end
 *   FAKE_CPU      the CPU in /env
 *   FAKE_SKETCH   sketches: after update u bucket 0 is u, and if the target is shared, the backend openblas, or ulp
 *                 set, bucket 1 is u / 2, bucket 2 u / 4, bucket 3 ulp u / 8
 */
#include "core/command/options.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/machine/interrupt.h"
#include "io/h5/h5_attribute.h"
#include "io/run/journal.h"
#include "io/run/runfile.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct train_options {
    const char *model, *data, *backend, *arithmetic, *blas_kernel, *target, *channels, *cell, *record, *claims, *output;
    long threads, seed, ulp, updates, epochs, batch, window, hidden, checkpoint_every;
    double lr;
    bool quiet;
} train_options;

static const sb_option options[] = {
    SB_OPTION_CHOICE(train_options, model, "--model", "prednet|autoencoder", "prednet", "network"),
    SB_OPTION_TEXT(train_options, data, "--data", "FILE", NULL, "data set"),
    SB_OPTION_CHOICE(train_options, backend, "--backend", "native|openblas", "native", "backend"),
    SB_OPTION_CHOICE(train_options, arithmetic, "--arithmetic", "direct|winograd", "direct", "arithmetic"),
    SB_OPTION_INT(train_options, threads, "--threads", "N", "1", 1, 1024, "threads"),
    SB_OPTION_TEXT(train_options, blas_kernel, "--blas-kernel", "NAME", NULL, "kernel type"),
    SB_OPTION_CHOICE(train_options, target, "--target", "copy|shared", "copy", "target"),
    SB_OPTION_INT(train_options, seed, "--seed", "N", "1", 0, 1e9, "seed"),
    SB_OPTION_INT(train_options, ulp, "--ulp", "N", "0", 0, 1e9, "ulp"),
    SB_OPTION_INT(train_options, updates, "--updates", "N", "0", 0, 1e9, "updates"),
    SB_OPTION_INT(train_options, epochs, "--epochs", "N", "0", 0, 1e9, "epochs"),
    SB_OPTION_INT(train_options, batch, "--batch", "N", "1", 1, 1e9, "batch"),
    SB_OPTION_INT(train_options, window, "--window", "N", "20", 1, 1e9, "window"),
    SB_OPTION_TEXT(train_options, channels, "--channels", "LIST", "3,8", "channels"),
    SB_OPTION_INT(train_options, hidden, "--hidden", "N", "64", 1, 1e9, "hidden"),
    SB_OPTION_REAL(train_options, lr, "--lr", "RATE", "0.001", 0, 1, "learning rate"),
    SB_OPTION_INT(train_options, checkpoint_every, "--checkpoint-every", "N", "0", 0, 1e9, "checkpoints"),
    SB_OPTION_TEXT(train_options, cell, "--cell", "NAME", NULL, "cell"),
    SB_OPTION_TEXT(train_options, record, "--record", "TEXT", NULL, "record"),
    SB_OPTION_TEXT(train_options, claims, "--claims", "TEXT", NULL, "registered claims"),
    SB_OPTION_FLAG(train_options, quiet, "--quiet", "no progress line"),
    SB_OPTION_TEXT_LETTER(train_options, output, "--output", 'o', "FILE", NULL, "run file"),
    SB_OPTION_END,
};
static const sb_command command = {.program = "samebits",
                                   .verb = "train",
                                   .summary = "a stand-in for tests",
                                   .options = options,
                                   .values_bytes = sizeof(train_options)};

static bool asked(const char *variable, const train_options *o)
{
    const char *part = getenv(variable);
    return part && *part && strstr(o->cell, part);
}

static void note(const char *word, const train_options *o)
{
    char line[512];
    const char *journal = getenv("FAKE_JOURNAL");
    int fd = journal ? open(journal, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    int n = snprintf(line, sizeof line, "%s %s\n", word, o->cell);
    if (fd < 0) return;
    if (write(fd, line, (size_t)n) != n) perror(journal);
    close(fd);
}

static sb_status write_meta(sb_h5 *file, const train_options *o)
{
    char hash[SB_SHA256_TEXT];
    const char *cpu = getenv("FAKE_CPU");
    sb_sha256_bytes(o->record, strlen(o->record), hash);
    SB_TRY(sb_h5_set_int(file, "meta", "schema", SB_RUN_SCHEMA));
    SB_TRY(sb_h5_set_text(file, "meta", "cell", o->cell));
    SB_TRY(sb_h5_set_text(file, "meta", "record", o->record));
    SB_TRY(sb_h5_set_text(file, "meta", "hash", hash));
    if (o->claims) SB_TRY(sb_h5_set_text(file, "meta", "claims", o->claims));
    SB_TRY(sb_h5_set_int(file, "config", "batch", o->batch));
    SB_TRY(sb_h5_set_text(file, "config", "arithmetic", o->arithmetic));
    SB_TRY(sb_h5_set_real(file, "config", "lr", o->lr));
    SB_TRY(sb_h5_set_text(file, "config", "model", "prednet"));
    SB_TRY(sb_h5_set_text(file, "config", "channels", "3,8"));
    SB_TRY(sb_h5_set_int(file, "config", "threads", o->threads));
    return sb_h5_set_text(file, "env", "cpu", cpu ? cpu : "Fake CPU");
}

static sb_status write_losses(sb_h5 *file, const train_options *o, long n)
{
    const size_t dim[] = {(size_t)n};
    int64_t *update = calloc((size_t)n + 1, sizeof *update);
    double *loss = calloc((size_t)n + 1, sizeof *loss);
    if (!update || !loss) return sb_fail(SB_E_MEMORY, "not enough memory");
    bool drifts = asked("FAKE_DRIFT", o) && strstr(o->output, ".again.");
    for (long i = 0; i < n; i++) {
        update[i] = i + 1;
        loss[i] = 1.0 / (double)(i + o->seed + 1 + drifts);
    }
    sb_status status = sb_h5_write(file, "train/update", SB_I64, 1, dim, update, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_write(file, "train/loss_last", SB_F64, 1, dim, loss, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_write(file, "train/loss_mean", SB_F64, 1, dim, loss, SB_H5_PLAIN);
    free(loss);
    free(update);
    return status;
}

static sb_status write_sketches(sb_h5 *file, const train_options *o, long n)
{
    const size_t dim[] = {(size_t)n + 1, SB_SKETCH_BUCKETS};
    const int64_t n_weights = 5000;
    int64_t *update = calloc(dim[0], sizeof *update);
    double(*row)[SB_SKETCH_BUCKETS] = calloc(dim[0], sizeof *row);
    if (!update || !row) return sb_fail(SB_E_MEMORY, "not enough memory");
    for (long u = 0; u <= n; u++) {
        update[u] = u;
        row[u][0] = (double)u;
        row[u][1] = strcmp(o->target, "shared") == 0 ? u / 2.0 : 0;
        row[u][2] = strcmp(o->backend, "openblas") == 0 ? u / 4.0 : 0;
        row[u][3] = (double)(o->ulp * u) / 8;
    }
    sb_status status = sb_h5_write(file, "sketch/weights", SB_I64, 1, (size_t[]){1}, &n_weights, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_write(file, "sketch/update", SB_I64, 1, dim, update, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_write(file, "sketch/row", SB_F64, 2, dim, row, SB_H5_PACKED);
    free(row);
    free(update);
    return status;
}

/* The weights of a stand-in are known by the digest of all the rest. */
static sb_status write_ends(sb_h5 *file, const train_options *o, long n)
{
    sb_run_head head;
    SB_TRY(sb_h5_set_real(file, "train", "seconds_total", 1.5));
    SB_TRY(sb_h5_set_real(file, "train", "cpu_seconds_total", 1.25));
    SB_TRY(sb_h5_set_int(file, "train", "loss_terms", 150));
    SB_TRY(sb_runfile_head_of(file, &head, NULL));
    SB_TRY(sb_runfile_digest(file, &head.weights));
    SB_TRY(sb_runfile_write_head(file, &head));
    return n == o->updates ? sb_runfile_write_final(file, 3 * 1024 * 1024) : SB_OK;
}

/* A checkpoint holds the first n updates and no /final. */
static sb_status write_run(const train_options *o, long n)
{
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, o->output, n == o->updates ? SB_SEAL_RUN : SB_SEAL_CHECKPOINT));
    sb_status status = write_meta(file, o);
    if (status == SB_OK) status = write_losses(file, o, n);
    if (status == SB_OK && asked("FAKE_SKETCH", o)) status = write_sketches(file, o, n);
    if (status == SB_OK) status = write_ends(file, o, n);
    return sb_h5_finish(file, status);
}

/* The journal of the first n updates, which a watcher can read. */
static sb_status write_journal(const train_options *o, long n)
{
    char path[SB_PATH_MAX];
    sb_journal *journal;
    sb_record *before;
    size_t n_before;
    bool set_aside;
    snprintf(path, sizeof path, "%s.journal", o->output);
    SB_TRY(sb_journal_open(&journal, path));
    sb_status status = sb_journal_read(journal, (sb_hash){{0}}, &before, &n_before, &set_aside);
    free(before);
    for (long i = 1; status == SB_OK && i <= n; i++) {
        sb_record record = {.update = i, .loss_last = 0.125};
        status = sb_journal_add(journal, &record);
    }
    sb_journal_close(journal, false);
    return status;
}

static void remove_journal(const train_options *o)
{
    char path[SB_PATH_MAX];
    snprintf(path, sizeof path, "%s.journal", o->output);
    unlink(path);
}

static sb_status hang(const train_options *o)
{
    const struct timespec rest = {.tv_nsec = 10000000};
    SB_TRY(write_journal(o, o->updates / 2));
    while (!sb_file_exists("go")) {
        if (sb_interrupt_signal()) {
            SB_TRY(write_run(o, o->updates / 2));
            return sb_fail(SB_E_INTERRUPTED, "%s: stopped at a checkpoint", o->output);
        }
        if (sb_interrupt_checkpoint()) {
            puts("asked for a checkpoint");
            fflush(stdout);
        }
        nanosleep(&rest, NULL);
    }
    return SB_OK;
}

static sb_status be_deaf(const train_options *o)
{
    SB_TRY(write_run(o, o->updates / 2));
    SB_TRY(write_journal(o, o->updates / 2));
    for (;;) pause();
}

static sb_status train(const train_options *o)
{
    bool resumed = sb_file_exists(o->output);
    if (!sb_file_exists(o->data)) return sb_fail(SB_E_USAGE, "%s: no such file", o->data);
    if (asked("FAKE_UNABLE", o)) return sb_fail(SB_E_MISSING, "no such backend here");
    printf("%s %s\n", resumed ? "resumed" : "started", o->cell);
    fflush(stdout);
    if (asked("FAKE_HANG", o)) SB_TRY(hang(o));
    if (asked("FAKE_DEAF", o)) SB_TRY(be_deaf(o));
    if (asked("FAKE_FAIL", o)) return sb_fail(SB_E_IO, "%s: invented failure", o->output);
    if (!resumed && asked("FAKE_DIE", o)) {
        SB_TRY(write_run(o, o->updates / 2));
        raise(SIGKILL);
    }
    if (asked("FAKE_LATE", o)) SB_TRY(write_journal(o, o->updates));
    SB_TRY(write_run(o, o->updates));
    if (asked("FAKE_LATE", o)) raise(SIGKILL);
    remove_journal(o);
    if (asked("FAKE_DAMAGE", o) && truncate(o->output, 3000) != 0) perror(o->output);
    return SB_OK;
}

/* `samebits diff A B`: do the files say the same weights? */
static sb_status diff(const char *a, const char *b)
{
    char weights[2][SB_HASH_TEXT];
    for (int i = 0; i < 2; i++) {
        sb_h5 *file;
        SB_TRY(sb_h5_open(&file, i ? b : a, SB_SEAL_RUN));
        sb_status status = sb_h5_get_text(file, "final", "weights", weights[i], sizeof weights[i]);
        sb_h5_close(file);
        if (status != SB_OK) return status;
    }
    if (strcmp(weights[0], weights[1]) == 0) return puts("same bits"), SB_OK;
    return sb_fail(SB_E_DIFFERS, "%s differs from %s", b, a);
}

static int compare(const char *a, const char *b)
{
    sb_status status = diff(a, b);
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}

int main(int argc, char **argv)
{
    train_options o = {0};
    sb_arguments arguments;
    bool help;
    sb_interrupt_catch();
    if (argc == 4 && strcmp(argv[1], "diff") == 0) return compare(argv[2], argv[3]);
    if (argc < 2 || strcmp(argv[1], "train") != 0) return 2;
    sb_status status = sb_options_parse(&command, argc - 2, argv + 2, &o, &arguments, &help);
    if (status == SB_OK && !o.epochs == !o.updates) status = sb_fail(SB_E_USAGE, "updates or epochs");
    if (o.epochs) o.updates = 10 * o.epochs;
    if (status == SB_OK) {
        note("begin", &o);
        status = train(&o);
        note("end", &o);
    }
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}
