/* Archives from outside: what is unpacked, and everything that must not be, under both sets of rules. */
#include "support.h"

#include "core/file.h"
#include "io/archive.h"
#include "tar_maker.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const path = "test_archive.tar", *const folder = "test_archive", *const outside = "test_outside";

static sb_status all_fine(const char *unpacked)
{
    (void)unpacked;
    return SB_OK;
}

static sb_status never_fine(const char *unpacked)
{
    (void)unpacked;
    return sb_fail(SB_E_INTEGRITY, "not what it should be");
}

static const sb_archive_rules tree = {
    .top = "top", .what = "tree", .is_tree = true, .n_entries_max = 8, .n_bytes_max = LLONG_MAX, .check = all_fine};
static const sb_archive_rules flat = {
    .top = "top", .what = "bundle", .may_be_gzipped = true, .n_entries_max = 8, .n_bytes_max = 100, .check = all_fine};

static void write_tar(const tar_entry *entry, size_t n, bool ended)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    for (size_t i = 0; i < n; i++) tar_put(out, &entry[i]);
    if (ended) tar_end(out);
    assert_int_equal(fclose(out), 0);
}

static void expect_nothing_left(void)
{
    struct stat about;
    assert_int_not_equal(lstat(folder, &about), 0);
    assert_int_not_equal(lstat("test_archive.part", &about), 0);
    assert_int_not_equal(lstat(outside, &about), 0);
}

/* The archive is refused with this in its sentence, and nothing is left. */
static void expect_refused(const sb_archive_rules *rules, sb_status code, const char *why)
{
    sb_status status = sb_archive_unpack(path, rules, folder);
    if (status != code || !strstr(sb_message(), why))
        print_error("got %d: %s; wanted: %s\n", status, sb_message(), why);
    assert_int_equal(status, code);
    assert_non_null(strstr(sb_message(), why));
    expect_nothing_left();
}

static void expect_file(const char *name, const char *content, mode_t mode)
{
    char full[256], *text;
    struct stat about;
    snprintf(full, sizeof full, "%s/%s", folder, name);
    assert_int_equal(lstat(full, &about), 0);
    assert_true(S_ISREG(about.st_mode));
    assert_int_equal(about.st_mode & 07777, mode);
    assert_int_equal(about.st_uid, geteuid());
    assert_int_equal(sb_file_read(full, &text, NULL), SB_OK);
    assert_string_equal(text, content);
    free(text);
}

static int set_up(void **state)
{
    (void)state;
    umask(022);
    sb_folder_remove(folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sb_folder_remove(folder);
    unlink(path);
    return 0;
}

static void a_tree_of_plain_files(void **state)
{
    (void)state;
    const tar_entry entries[] = {{"top/", TAR_FOLDER, 0755},
                                 {"top/bin/", TAR_FOLDER, 0700},
                                 {"top/bin/program", .mode = 0755, .content = "#!"},
                                 {"top/a/b/c", .content = "deep"},
                                 {"top/empty"}};
    write_tar(entries, 5, true);
    assert_int_equal(sb_archive_unpack(path, &tree, folder), SB_OK);
    expect_file("bin/program", "#!", 0755);
    expect_file("a/b/c", "deep", 0644);
    expect_file("empty", "", 0644);
    assert_int_equal(sb_archive_unpack(path, &tree, folder), SB_E_USAGE); /* it is there already */
    expect_file("a/b/c", "deep", 0644);
}

/* setuid, setgid, sticky and for all to write: nothing of it comes out; a flat one has no programs either. */
static void modes_are_ours(void **state)
{
    (void)state;
    const tar_entry entries[] = {{"top/program", .mode = 07777, .content = "x"}, {"top/table", .mode = 06444}};
    write_tar(entries, 2, true);
    assert_int_equal(sb_archive_unpack(path, &tree, folder), SB_OK);
    expect_file("program", "x", 0755);
    expect_file("table", "", 0644);
    sb_folder_remove(folder);
    assert_int_equal(sb_archive_unpack(path, &flat, folder), SB_OK);
    expect_file("program", "x", 0644);
}

static void what_is_no_plain_file(void **state)
{
    (void)state;
    const tar_entry entries[] = {{"top/x", TAR_FIFO},
                                 {"top/x", TAR_DEVICE},
                                 {"top/x", TAR_LINK, .target = "/etc/passwd"},
                                 {"top/x", TAR_LINK, .target = "inside"},
                                 {"top/x", TAR_HARD_LINK, .target = "top/inside"},
                                 {"top/x", TAR_HARD_LINK, .target = "../test_outside"},
                                 {"top/x", TAR_SPARSE, .content = "1", .claimed = 1ull << 32}};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const tar_entry both[] = {{"top/inside", .content = "1"}, entries[i]};
        write_tar(both, 2, true);
        expect_refused(&tree, SB_E_INTEGRITY, "holds 'top/x', which is no plain file or folder of top");
        expect_refused(&flat, SB_E_INTEGRITY, "holds 'top/x', which is no plain file of top");
    }
}

static void names_that_lead_elsewhere(void **state)
{
    (void)state;
    static const char *const names[] = {"test_outside",
                                        "/test_outside",
                                        "../test_outside",
                                        "top/../test_outside",
                                        "top/../../x",
                                        "topx",
                                        "top/.hidden",
                                        "top/a/.hidden",
                                        "top//x",
                                        "top/./x",
                                        "top/a/../x",
                                        "top",
                                        "top/a\nb",
                                        "top/a\033[2Jb",
                                        "top/a\177",
                                        "./top/x",
                                        "top/a/../../../x",
                                        "top/..",
                                        ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_tar(&(tar_entry){names[i], .content = "x"}, 1, true);
        expect_refused(&tree, SB_E_INTEGRITY, "which is no plain file or folder of top");
        expect_refused(&flat, SB_E_INTEGRITY, "which is no plain file of top");
    }
    write_tar(&(tar_entry){"top/../test_outside", TAR_FOLDER}, 1, true);
    expect_refused(&tree, SB_E_INTEGRITY, "no plain file or folder");
    write_tar(&(tar_entry){"top/folder/", TAR_FOLDER}, 1, true);
    expect_refused(&flat, SB_E_INTEGRITY, "no plain file");
    write_tar(&(tar_entry){"top/folder/x"}, 1, true);
    expect_refused(&flat, SB_E_INTEGRITY, "no plain file");
}

static void nothing_twice(void **state)
{
    (void)state;
    const tar_entry pairs[][2] = {{{"top/a"}, {"top/a", .content = "x"}},
                                  {{"top/a"}, {"top/a/b"}},
                                  {{"top/a/b"}, {"top/a"}},
                                  {{"top/a"}, {"top/a/", TAR_FOLDER}},
                                  {{"top/a"}, {"top/a/b/", TAR_FOLDER}}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        write_tar(pairs[i], 2, true);
        expect_refused(&tree, SB_E_INTEGRITY, "there twice");
    }
}

static void sizes_and_numbers(void **state)
{
    (void)state;
    char hundred[101], name[9][16];
    memset(hundred, 'x', 100);
    hundred[100] = 0;
    const tar_entry large[] = {{"top/a", .content = hundred}, {"top/b", .content = "x"}};
    write_tar(large, 2, true);
    expect_refused(&flat, SB_E_INTEGRITY, "holds 'top/b', which is too large");
    write_tar(large, 1, true);
    assert_int_equal(sb_archive_unpack(path, &flat, folder), SB_OK);
    sb_folder_remove(folder);
    tar_entry many[9] = {{0}};
    for (int i = 0; i < 9; i++) {
        snprintf(name[i], sizeof name[i], "top/%d", i);
        many[i].name = name[i];
    }
    write_tar(many, 9, true);
    expect_refused(&tree, SB_E_INTEGRITY, "holds 'top/8', which is one too many");
    write_tar(&(tar_entry){"top/a", .content = "x", .claimed = 1ull << 32}, 1, true); /* 4 GiB in 1 KiB */
    expect_refused(&tree, SB_E_INTEGRITY, "no tree, or cut short");
    write_tar(&(tar_entry){"top/a", .content = "x", .claimed = 1000}, 1, false);
    expect_refused(&tree, SB_E_INTEGRITY, "no tree, or cut short");
}

static void what_is_no_archive(void **state)
{
    (void)state;
    assert_int_equal(sb_file_write(path, "hello", 5), SB_OK);
    expect_refused(&tree, SB_E_INTEGRITY, "no tree, or cut short");
    unlink(path);
    expect_refused(&tree, SB_E_USAGE, "no such file");
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused(&tree, SB_E_USAGE, "no regular file");
    unlink(path);
    assert_int_equal(symlink("/dev/zero", path), 0);
    expect_refused(&flat, SB_E_USAGE, "no regular file");
    unlink(path);
    assert_int_equal(symlink(".", path), 0);
    expect_refused(&flat, SB_E_USAGE, "no regular file");
}

static void what_the_check_refuses_is_not_left(void **state)
{
    (void)state;
    sb_archive_rules rules = tree;
    rules.check = never_fine;
    write_tar(&(tar_entry){"top/a/b", .content = "x"}, 1, true);
    expect_refused(&rules, SB_E_INTEGRITY, "test_archive.tar: not what it should be");
}

static void one_member(void **state)
{
    (void)state;
    char *text;
    const tar_entry entries[] = {{"manifest.json", .content = "[]"},
                                 {"link", TAR_LINK, .target = "/etc/passwd"},
                                 {"pipe", TAR_FIFO},
                                 {"twice", .content = "1"},
                                 {"twice", .content = "2"},
                                 {"large", .content = "12345"}};
    write_tar(entries, 6, true);
    assert_int_equal(sb_archive_member(&text, path, "manifest.json", 4), SB_OK);
    assert_string_equal(text, "[]");
    free(text);
    static const char *const bad[] = {"link", "pipe", "twice", "large", "absent"};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(sb_archive_member(&text, path, bad[i], 4), SB_E_INTEGRITY);
        assert_null(text);
    }
}

/* Reading the first bytes of some members: what it says of the member `name`, of which n bytes are wanted. */
static sb_status read_some(const char *name, size_t n, char to[8], uint64_t *n_there)
{
    sb_archive_want want[] = {{.name = "first", .n_bytes = 1, .to = to + 7}, {.name = name, .n_bytes = n, .to = to}};
    const sb_status status = sb_archive_read(path, want, 2);
    *n_there = want[1].n_there;
    return status;
}

static void several_members(void **state)
{
    (void)state;
    char to[8] = "";
    uint64_t n_there;
    const tar_entry entries[] = {{"a", .content = "12345"},
                                 {"link", TAR_LINK, .target = "/etc/passwd"},
                                 {"pipe", TAR_FIFO},
                                 {"twice", .content = "1"},
                                 {"first", .content = "x"},
                                 {"twice", .content = "1"},
                                 {"folder/b", .content = "123456"}};
    write_tar(entries, 7, true);
    assert_int_equal(read_some("a", 3, to, &n_there), SB_OK);
    assert_memory_equal(to, "123\0\0\0\0x", 8);
    assert_int_equal(n_there, 5);
    assert_int_equal(read_some("folder/b", 6, to, &n_there), SB_OK);
    assert_memory_equal(to, "123456\0x", 8);
    static const char *const bad[] = {"link", "pipe", "twice", "absent"};
    for (int i = 0; i < 4; i++) assert_int_equal(read_some(bad[i], 0, to, &n_there), SB_E_INTEGRITY);
    assert_int_equal(read_some("a", 6, to, &n_there), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "test_archive.tar: its 'a' has 5 bytes, 6 expected");
    write_tar(entries, 7, false);
    assert_int_equal(truncate(path, 512 + 100), 0); /* within the first member */
    assert_int_equal(read_some("a", 3, to, &n_there), SB_E_INTEGRITY);
    unlink(path);
    assert_int_equal(read_some("a", 3, to, &n_there), SB_E_USAGE);
    write_tar(entries, 1, true);
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(a_tree_of_plain_files),
        WITH_FILE(modes_are_ours),
        WITH_FILE(what_is_no_plain_file),
        WITH_FILE(names_that_lead_elsewhere),
        WITH_FILE(nothing_twice),
        WITH_FILE(sizes_and_numbers),
        WITH_FILE(what_is_no_archive),
        WITH_FILE(what_the_check_refuses_is_not_left),
        WITH_FILE(one_member),
        WITH_FILE(several_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
