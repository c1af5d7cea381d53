/* Fetching a file from a server that behaves well, and from ones that do not. */
#include "support.h"

#include "http_server.h"

#include "core/file.h"
#include "core/hash.h"
#include "core/machine/clock.h"
#include "datasets/fetch/fetch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { N_BYTES = 20000 };

typedef struct fixture {
    char folder[64], served[80], cache[80], path[120], part[120], url[80];
    char content[N_BYTES], sha256[SB_SHA256_TEXT];
    sb_catalog_file file;
    http_server server;
    sb_fetch_options options;
} fixture;

static void write_file(const char *path, const char *bytes, size_t n_bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n_bytes, file), n_bytes);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/samebits-fetch.XXXXXX");
    if (!f || !mkdtemp(f->folder)) return -1;
    snprintf(f->served, sizeof f->served, "%s/served", f->folder);
    snprintf(f->cache, sizeof f->cache, "%s/cache", f->folder);
    snprintf(f->path, sizeof f->path, "%s/data.bin", f->cache);
    snprintf(f->part, sizeof f->part, "%s/data.bin.part", f->cache);
    for (int i = 0; i < N_BYTES; i++) f->content[i] = (char)(i * 31 + i / 251);
    sb_sha256_bytes(f->content, N_BYTES, f->sha256);
    f->file = (sb_catalog_file){"data.bin", N_BYTES, f->sha256};
    f->options = (sb_fetch_options){.folder = f->cache, .retries = 3, .delay_s = 0.001, .timeout_s = 1};
    char served[120];
    snprintf(served, sizeof served, "%s/data.bin", f->served);
    assert_int_equal(sb_folder_make(f->served), SB_OK);
    assert_int_equal(sb_folder_make(f->cache), SB_OK);
    write_file(served, f->content, N_BYTES);
    setenv("no_proxy", "127.0.0.1", 1);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    char command[128];
    http_server_stop(&f->server);
    snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    int removed = system(command);
    free(f);
    return removed;
}

static void serve(fixture *f, http_fault fault)
{
    f->server = http_server_start(f->served, fault);
    assert_true(f->server.pid > 0);
    snprintf(f->url, sizeof f->url, "http://127.0.0.1:%d/", f->server.port);
    f->options.mirror[0] = f->url;
}

static sb_status fetch(fixture *f)
{
    return sb_fetch_file(&f->file, &f->options);
}

static void assert_fetched(const fixture *f)
{
    char sha256[SB_SHA256_TEXT];
    assert_int_equal(sb_sha256_file(f->path, sha256), SB_OK);
    assert_string_equal(sha256, f->sha256);
    assert_false(sb_file_exists(f->part));
}

static void assert_says(const char *text)
{
    if (!strstr(sb_message(), text)) fail_msg("'%s' is not in '%s'", text, sb_message());
}

static void whole_file_at_once(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NONE);
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
    assert_int_equal(*f->server.n_requests, 1);
    assert_int_equal(fetch(f), SB_OK); /* now from the cache */
    assert_int_equal(*f->server.n_requests, 1);
}

static void a_part_is_resumed(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NONE);
    write_file(f->part, f->content, 12345);
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
    assert_int_equal(*f->server.n_requests, 1);
}

static void a_whole_part_needs_no_server(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NOT_FOUND);
    write_file(f->part, f->content, N_BYTES);
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
    assert_int_equal(*f->server.n_requests, 0);
}

static void a_part_of_another_file_starts_again(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NONE);
    char *other = calloc(1, N_BYTES);
    assert_non_null(other);
    write_file(f->part, other, 5000);
    free(other);
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
    assert_int_equal(*f->server.n_requests, 2);
}

static void a_part_that_is_too_long_starts_again(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NONE);
    char *longer = calloc(1, N_BYTES + 1);
    assert_non_null(longer);
    memcpy(longer, f->content, N_BYTES);
    write_file(f->part, longer, N_BYTES + 1);
    free(longer);
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
}

static void a_server_without_ranges_starts_again(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_IGNORE_RANGE);
    write_file(f->part, f->content, 12345);
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
}

static void a_broken_answer_is_taken_up(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_STOP_ONCE);
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
    assert_int_equal(*f->server.n_requests, 2);
}

static void a_busy_server_is_asked_again(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_BUSY_ONCE);
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
    assert_int_equal(*f->server.n_requests, 2);
}

static void a_server_that_always_stops_leaves_a_part(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_STOP);
    f->options.retries = 1;
    assert_int_equal(fetch(f), SB_E_IO);
    assert_says("the server stopped after 15000 of 20000 bytes");
    assert_says("--mirror");
    assert_false(sb_file_exists(f->path));
    char *part;
    size_t n_bytes;
    assert_int_equal(sb_file_read(f->part, &part, &n_bytes), SB_OK);
    assert_int_equal(n_bytes, 15000);
    assert_memory_equal(part, f->content, n_bytes);
    free(part);
    http_server_stop(&f->server);
    serve(f, HTTP_NONE); /* and a later run goes on from there */
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
}

static void a_silent_server_is_given_up(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_HANG);
    f->options.retries = 0;
    assert_int_equal(fetch(f), SB_E_IO);
    assert_says("the server stopped after 10000 of 20000 bytes");
    assert_false(sb_file_exists(f->path));
    assert_true(sb_file_exists(f->part));
}

/* A byte every tenth of a second is never silent, and would be followed for a quarter of an hour. */
static void a_dripping_server_is_given_up(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_DRIP);
    f->options.retries = 1;
    f->options.least_rate = 100;
    double began = sb_clock_seconds();
    assert_int_equal(fetch(f), SB_E_IO);
    assert_says("less than 100 bytes a second over 1 s; given up after 150");
    assert_int_equal(*f->server.n_requests, 2);
    assert_true(sb_clock_seconds() - began < 60);
    assert_true(sb_file_exists(f->part));
    http_server_stop(&f->server);
    serve(f, HTTP_NONE); /* and what came is not lost */
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
}

static void after_a_dripping_mirror_comes_the_next(void **state)
{
    fixture *f = *state;
    char good[80];
    serve(f, HTTP_NONE);
    http_server well = f->server;
    strcpy(good, f->url);
    serve(f, HTTP_DRIP);
    f->options.retries = 0;
    f->options.least_rate = 100;
    f->options.mirror[1] = good;
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
    http_server_stop(&well);
}

static void a_slow_server_is_waited_for(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_SLOW);
    f->options.retries = 0;
    f->options.least_rate = 1000;
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
}

static void not_found_names_the_address(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NOT_FOUND);
    assert_int_equal(fetch(f), SB_E_IO);
    assert_says("/data.bin: the server answers 404 (not found)");
    assert_says(f->url);
    assert_int_equal(*f->server.n_requests, 1); /* asking again would not help */
    assert_false(sb_file_exists(f->path) || sb_file_exists(f->part));
}

static void wrong_content_is_removed(void **state)
{
    fixture *f = *state;
    char wrong[N_BYTES], sha256[SB_SHA256_TEXT];
    for (int i = 0; i < N_BYTES; i++) wrong[i] = (char)(f->content[i] ^ 0x55);
    sb_sha256_bytes(wrong, N_BYTES, sha256);
    serve(f, HTTP_WRONG);
    assert_int_equal(fetch(f), SB_E_INTEGRITY);
    assert_says(sha256);
    assert_says(f->sha256);
    assert_false(sb_file_exists(f->path) || sb_file_exists(f->part));
}

static void another_size_is_another_file(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NONE);
    f->file.n_bytes = N_BYTES + 10;
    assert_int_equal(fetch(f), SB_E_INTEGRITY);
    assert_says("offers 20000 bytes, 20010 expected");
    f->file.n_bytes = N_BYTES - 10;
    assert_int_equal(fetch(f), SB_E_INTEGRITY);
    assert_says("offers 20000 bytes, 19990 expected");
    assert_false(sb_file_exists(f->path) || sb_file_exists(f->part));
}

static void the_next_mirror_is_tried(void **state)
{
    fixture *f = *state;
    char absent[120];
    serve(f, HTTP_WRONG);
    snprintf(absent, sizeof absent, "%s/nothing-here", f->folder);
    assert_int_equal(sb_folder_make(absent), SB_OK);
    f->options.mirror[1] = absent;
    f->options.mirror[2] = f->served;
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
}

static void a_folder_is_a_mirror(void **state)
{
    fixture *f = *state;
    char odd[120], file[140];
    snprintf(odd, sizeof odd, "%s/with space & 100%%#", f->folder);
    snprintf(file, sizeof file, "%s/data.bin", odd);
    assert_int_equal(sb_folder_make(odd), SB_OK);
    write_file(file, f->content, N_BYTES);
    f->options.mirror[0] = odd;
    f->options.offline = true;
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
}

static void a_folder_that_is_not_there(void **state)
{
    fixture *f = *state;
    f->options.mirror[0] = "/no/such/folder";
    assert_int_equal(fetch(f), SB_E_USAGE);
    assert_string_equal(sb_message(), "/no/such/folder: No such file or directory");
    assert_false(sb_file_exists(f->part));
}

static void offline_never_asks(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NONE);
    f->options.offline = true;
    assert_int_equal(fetch(f), SB_E_MISSING);
    assert_says("--offline");
    assert_int_equal(*f->server.n_requests, 0);
}

static void nobody_listens(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NONE);
    http_server_stop(&f->server);
    f->options.retries = 1;
    assert_int_equal(fetch(f), SB_E_IO);
    assert_says("--mirror");
    assert_null(strstr(sb_message(), "make demo")); /* of what has no substitute */
    f->options.has_substitute = true;
    assert_int_equal(fetch(f), SB_E_IO);
    assert_says("make demo");
    assert_false(sb_file_exists(f->part));
}

static void a_wrong_file_in_the_cache_is_replaced(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NONE);
    write_file(f->path, "other", 5);
    assert_int_equal(fetch(f), SB_OK);
    assert_fetched(f);
}

static void two_at_once_do_not_mix(void **state)
{
    fixture *f = *state;
    serve(f, HTTP_NONE);
    int fd = open(f->part, O_RDWR | O_CREAT, 0666);
    assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
    assert_int_equal(fetch(f), SB_E_IO);
    assert_says("another samebits-data is fetching it");
    close(fd);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(whole_file_at_once),
        WITH_FIXTURE(a_part_is_resumed),
        WITH_FIXTURE(a_whole_part_needs_no_server),
        WITH_FIXTURE(a_part_of_another_file_starts_again),
        WITH_FIXTURE(a_part_that_is_too_long_starts_again),
        WITH_FIXTURE(a_server_without_ranges_starts_again),
        WITH_FIXTURE(a_broken_answer_is_taken_up),
        WITH_FIXTURE(a_busy_server_is_asked_again),
        WITH_FIXTURE(a_server_that_always_stops_leaves_a_part),
        WITH_FIXTURE(a_silent_server_is_given_up),
        WITH_FIXTURE(a_dripping_server_is_given_up),
        WITH_FIXTURE(after_a_dripping_mirror_comes_the_next),
        WITH_FIXTURE(a_slow_server_is_waited_for),
        WITH_FIXTURE(not_found_names_the_address),
        WITH_FIXTURE(wrong_content_is_removed),
        WITH_FIXTURE(another_size_is_another_file),
        WITH_FIXTURE(the_next_mirror_is_tried),
        WITH_FIXTURE(a_folder_is_a_mirror),
        WITH_FIXTURE(a_folder_that_is_not_there),
        WITH_FIXTURE(offline_never_asks),
        WITH_FIXTURE(nobody_listens),
        WITH_FIXTURE(a_wrong_file_in_the_cache_is_replaced),
        WITH_FIXTURE(two_at_once_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
