/* The journal beside a run: what was written is read again, damage ends it, one process at a time; and training held
 * against a journal that says something else. */
#include "support.h"

#include "core/file.h"
#include "data_files.h"
#include "io/run/journal.h"
#include "train/run/run.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOURNAL "test_journal.h5.journal"
#define RUN     "test_journal.h5"
#define DATA    "test_journal_data.h5"

static sb_record record(int64_t update)
{
    sb_record r = {.update = update, .loss_last = 1.0 / (double)update, .loss_mean = 2, .seconds = 3, .has_link = 1};
    r.weights.byte[3] = (uint8_t)update;
    return r;
}

static const sb_hash experiment = {{1}}, other_experiment = {{2}};

/* The records that are there for an experiment, and whether those of another one were moved away. */
static size_t read_records(sb_journal *journal, sb_hash of, sb_record **got, bool *set_aside)
{
    size_t n;
    assert_int_equal(sb_journal_read(journal, of, got, &n, set_aside), SB_OK);
    return n;
}

static void write_records_of(sb_hash of, int64_t first, int64_t last)
{
    sb_journal *journal;
    sb_record *before;
    bool set_aside;
    assert_int_equal(sb_journal_open(&journal, JOURNAL), SB_OK);
    read_records(journal, of, &before, &set_aside);
    free(before);
    for (int64_t i = first; i <= last; i++) {
        sb_record r = record(i);
        assert_int_equal(sb_journal_add(journal, &r), SB_OK);
    }
    sb_journal_close(journal, false);
}

static void write_records(int64_t first, int64_t last)
{
    write_records_of(experiment, first, last);
}

/* Records 1 .. n, bit for bit; they are there until the run is done. */
static void expect_records_of(sb_hash of, int64_t n)
{
    sb_journal *journal;
    sb_record *got, last;
    bool set_aside;
    assert_int_equal(sb_journal_open(&journal, JOURNAL), SB_OK);
    assert_int_equal(read_records(journal, of, &got, &set_aside), n);
    assert_false(set_aside);
    assert_true(sb_journal_last(JOURNAL, &last));
    assert_int_equal(last.update, n);
    for (int64_t i = 0; i < n; i++) {
        sb_record wanted = record(i + 1);
        assert_memory_equal(&got[i], &wanted, sizeof wanted);
    }
    free(got);
    sb_journal_close(journal, false);
}

static void expect_records(int64_t n)
{
    expect_records_of(experiment, n);
}

static void change_byte(size_t at)
{
    char *content;
    size_t size;
    assert_int_equal(sb_file_read(JOURNAL, &content, &size), SB_OK);
    assert_true(at < size);
    content[at] ^= 0x10;
    assert_int_equal(sb_file_write(JOURNAL, content, size), SB_OK);
    free(content);
}

static size_t size_of_journal(void)
{
    char *content;
    size_t size;
    assert_int_equal(sb_file_read(JOURNAL, &content, &size), SB_OK);
    free(content);
    return size;
}

static void records_come_back(void **state)
{
    (void)state;
    write_records(1, 5);
    expect_records(5);
    write_records(6, 9); /* goes on behind them */
    expect_records(9);
}

static void nothing_counts_behind_damage(void **state)
{
    (void)state;
    write_records(1, 5);
    size_t each = size_of_journal() / 6; /* the head and five records */
    change_byte(3 * each + 40);
    expect_records(2);
    write_records(3, 4); /* what was damaged is cut off, so these are read again */
    expect_records(4);
    assert_int_equal(truncate(JOURNAL, (off_t)(5 * each - 1)), 0); /* killed while it wrote */
    expect_records(3);
}

static void an_empty_or_finished_journal_goes(void **state)
{
    (void)state;
    sb_journal *journal;
    assert_int_equal(sb_journal_open(&journal, JOURNAL), SB_OK);
    sb_journal_close(journal, false);
    assert_false(sb_file_exists(JOURNAL));
    write_records(1, 5);
    assert_int_equal(sb_journal_open(&journal, JOURNAL), SB_OK);
    sb_journal_close(journal, true);
    assert_false(sb_file_exists(JOURNAL));
}

static void damage_in_the_head_leaves_nothing(void **state)
{
    (void)state;
    sb_journal *journal;
    sb_record *got, last;
    bool set_aside;
    write_records(1, 5);
    change_byte(60);
    assert_int_equal(sb_journal_open(&journal, JOURNAL), SB_OK);
    assert_int_equal(read_records(journal, experiment, &got, &set_aside), 0);
    assert_false(set_aside);
    free(got);
    sb_journal_close(journal, false);
    assert_false(sb_file_exists(JOURNAL)); /* it was cut to nothing */
    assert_false(sb_journal_last(JOURNAL, &last));
}

static void that_of_another_experiment_is_set_aside(void **state)
{
    (void)state;
    sb_journal *journal;
    sb_record *got;
    bool set_aside;
    write_records_of(other_experiment, 1, 3);
    size_t size = size_of_journal();
    assert_int_equal(sb_journal_open(&journal, JOURNAL), SB_OK);
    assert_int_equal(read_records(journal, experiment, &got, &set_aside), 0);
    assert_true(set_aside);
    free(got);
    sb_journal_close(journal, false);
    write_records(1, 2);
    expect_records(2);
    assert_int_equal(rename(JOURNAL ".old", JOURNAL), 0);
    assert_int_equal(size_of_journal(), size);
}

static void one_process_at_a_time(void **state)
{
    (void)state;
    sb_journal *journal;
    assert_int_equal(sb_journal_open(&journal, JOURNAL), SB_OK);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sb_journal *other;
        bool refused = sb_journal_open(&other, JOURNAL) == SB_E_USAGE &&
                       strcmp(sb_message(), RUN ": locked: another process is training this run") == 0;
        _exit(refused ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    sb_journal_close(journal, false);
    assert_int_equal(sb_journal_open(&journal, JOURNAL), SB_OK);
    sb_journal_close(journal, false);
}

static void a_folder_that_is_missing(void **state)
{
    (void)state;
    sb_journal *journal;
    assert_int_equal(sb_journal_open(&journal, "no/such/run.h5.journal"), SB_E_IO);
    assert_null(journal);
    assert_string_equal(sb_message(), "no/such/run.h5: No such file or directory");
}

/* ---- training held against it ---- */

static sb_status train(sb_run_outcome *outcome)
{
    sb_settings options;
    sb_settings_default(&options);
    options.model = "autoencoder", options.data = DATA, options.arithmetic = "direct";
    options.threads = 1, options.batch = 2, options.hidden = (sb_list){1, {3}};
    const sb_run_options run = {.output = RUN, .updates = 6, .chain_every = 1, .cell = "", .record = "", .quiet = true};
    sb_setup setup;
    SB_TRY(sb_setup_open(&setup, &options));
    sb_status status = sb_run_train(&setup, &run, outcome);
    sb_setup_close(&setup);
    return status;
}

/* The experiment that train() is, from the head of a journal whose run could not be written. */
static sb_hash experiment_of_training(void)
{
    sb_run_outcome outcome;
    sb_hash found;
    char *content;
    rmdir(RUN ".part"); /* of a test that was killed */
    assert_int_equal(mkdir(RUN ".part", 0777), 0);
    assert_int_equal(train(&outcome), SB_E_IO);
    assert_int_equal(rmdir(RUN ".part"), 0);
    assert_int_equal(sb_file_read(JOURNAL, &content, NULL), SB_OK);
    memcpy(&found, content + 8 + offsetof(sb_record, batch), sizeof found); /* behind the mark */
    free(content);
    unlink(JOURNAL);
    return found;
}

/* A whole record with another loss is another training: noticed, and kept as evidence until it is removed. */
static void another_record_is_noticed(void **state)
{
    (void)state;
    sb_run_outcome outcome;
    assert_int_equal(data_write_images(DATA, 20, 0, 4, 1), SB_OK);
    sb_hash training = experiment_of_training();
    write_records_of(training, 1, 3);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(train(&outcome), SB_E_INTEGRITY);
        assert_non_null(strstr(sb_message(), RUN ": update 1 differs from the update before the interruption"));
        assert_non_null(strstr(sb_message(), "remove " RUN ".journal to continue"));
        assert_false(sb_file_exists(RUN));
        expect_records_of(training, 3);
    }
    unlink(JOURNAL);
    assert_int_equal(train(&outcome), SB_OK);
    assert_int_equal(outcome.updates, 6);
    assert_true(sb_file_exists(RUN) && !sb_file_exists(JOURNAL));
    assert_int_equal(train(&outcome), SB_OK);
    assert_int_equal(outcome.end, SB_RUN_ALREADY);
    assert_false(sb_file_exists(JOURNAL));
}

static int remove_files(void **state)
{
    (void)state;
    unlink(JOURNAL), unlink(JOURNAL ".old"), unlink(RUN), unlink(DATA);
    return 0;
}

int main(void)
{
#define WITH_CLEAN_FOLDER(test) cmocka_unit_test_setup_teardown(test, remove_files, remove_files)
    const struct CMUnitTest tests[] = {
        WITH_CLEAN_FOLDER(records_come_back),
        WITH_CLEAN_FOLDER(nothing_counts_behind_damage),
        WITH_CLEAN_FOLDER(an_empty_or_finished_journal_goes),
        WITH_CLEAN_FOLDER(damage_in_the_head_leaves_nothing),
        WITH_CLEAN_FOLDER(that_of_another_experiment_is_set_aside),
        WITH_CLEAN_FOLDER(one_process_at_a_time),
        WITH_CLEAN_FOLDER(a_folder_that_is_missing),
        WITH_CLEAN_FOLDER(another_record_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
