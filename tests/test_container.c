/* The words each engine is given, which stack a GPU wants, and what a lock file may say. */
#include "matrix/engine/container.h"
#include "matrix/image/image.h"
#include "matrix_files.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char id[] = "sha256:1111111111111111111111111111111111111111111111111111111111111111";

static void expect_argv(const char *engine, const char *stack, const char *wanted)
{
    sb_argv argv = {0};
    sb_container_task task = {.stack = sb_image_find(stack),
                              .id = id,
                              .folder = "/home/me/containers",
                              .name = "samebits-1a2b3c4d",
                              .data = "/data/walk 1.h5",
                              .output = "/home/me/runs/s001"};
    assert_int_equal(sb_container_run_argv(&argv, sb_container_find(engine), &task), SB_OK);
    char *text = sb_argv_text(&argv);
    assert_string_equal(text, wanted);
    free(text);
    sb_argv_free(&argv);
}

#define PATHS                                                                                                          \
    "--mount=type=bind,src=/data/walk 1.h5,dst=/data/walk 1.h5,ro "                                                    \
    "--mount=type=bind,src=/home/me/runs/s001,dst=/home/me/runs/s001 "
#define ONES "1111111111111111111111111111111111111111111111111111111111111111"

static void test_argv(void **state)
{
    (void)state;
    char wanted[2048], user[64], limits[128];
    const long long memory = (long long)sysconf(_SC_PHYS_PAGES) / 8 * 7 * sysconf(_SC_PAGESIZE);
    snprintf(limits, sizeof limits, "--pids-limit=1024 --memory=%lldb --memory-swap=%lldb", memory, memory);
    snprintf(user, sizeof user, "--user=%ld:%ld", (long)getuid(), (long)getgid());
    const char *podman_user = geteuid() == 0 ? user : "--userns=keep-id";
    static const char oci[] = "%s run --rm --pull=never --network=none --read-only --log-driver=none "
                              "--cap-drop=all --security-opt=no-new-privileges %s %s%s "
                              "--name=samebits-1a2b3c4d --env=SAMEBITS_IMAGE=sha256:" ONES " " PATHS "sha256:" ONES;
    snprintf(wanted, sizeof wanted, oci, "podman", limits, podman_user, "");
    expect_argv("podman", "cpu", wanted);
    snprintf(wanted, sizeof wanted, oci, "podman", limits, podman_user, " --device=nvidia.com/gpu=all");
    expect_argv("podman", "cuda-12.9", wanted);
    snprintf(wanted, sizeof wanted, oci, "docker", limits, user, "");
    expect_argv("docker", "cpu", wanted);
    snprintf(wanted, sizeof wanted, oci, "docker", limits, user, " --gpus=all");
    expect_argv("docker", "cuda-11.8", wanted);
    static const char apptainer[] =
        "apptainer exec --containall --no-home --no-privs --net --network=none%s "
        "--env=SAMEBITS_IMAGE=sha256:" ONES " " PATHS "docker-archive:/home/me/containers/%s.tar /samebits";
    snprintf(wanted, sizeof wanted, apptainer, "", "cpu");
    expect_argv("apptainer", "cpu", wanted);
    snprintf(wanted, sizeof wanted, apptainer, " --nv", "cuda-13");
    expect_argv("apptainer", "cuda-13", wanted);
}

/* What a run may depend on goes in; nothing else of this machine's environment does. */
static void test_environment(void **state)
{
    (void)state;
    sb_argv argv = {0};
    sb_container_task task = {.stack = sb_image_find("cpu"), .id = id, .folder = "/"};
    setenv("CUDA_VISIBLE_DEVICES", "1", 1);
    setenv("OMP_NUM_THREADS", "7", 1);
    assert_int_equal(sb_container_run_argv(&argv, sb_container_find("docker"), &task), SB_OK);
    char *text = sb_argv_text(&argv);
    assert_non_null(strstr(text, " --env=CUDA_VISIBLE_DEVICES=1 "));
    assert_null(strstr(text, "OMP_NUM_THREADS"));
    assert_null(strstr(text, "--mount"));
    free(text);
    sb_argv_free(&argv);
    unsetenv("CUDA_VISIBLE_DEVICES");
    unsetenv("OMP_NUM_THREADS");
}

static void test_paths_that_no_engine_takes(void **state)
{
    (void)state;
    static const char *const bad[] = {"/data/a,b.h5", "/data/\"a\".h5", "/data/a\nb.h5"};
    for (int i = 0; i < 3; i++) {
        sb_argv argv = {0};
        sb_container_task task = {.stack = sb_image_find("cpu"), .id = id, .folder = "/", .data = bad[i]};
        assert_int_equal(sb_container_run_argv(&argv, sb_container_find("podman"), &task), SB_E_USAGE);
        sb_argv_free(&argv);
    }
}

/* The cards of the study and those after it: Maxwell to Turing, Ampere to Hopper, Blackwell. */
static void test_stacks(void **state)
{
    (void)state;
    static const struct {
        long sm;
        const char *stack;
    } wanted[] = {{0, "cpu"},        {50, "cuda-11.8"},        {52, "cuda-11.8"}, {61, "cuda-11.8"},
                  {75, "cuda-11.8"}, {80, "cuda-12.9"},        {90, "cuda-12.9"}, {100, "cuda-13"},
                  {120, "cuda-13"},  {__LONG_MAX__, "cuda-13"}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(sb_image_stack(wanted[i].sm)->name, wanted[i].stack);
    assert_null(sb_image_find("cuda"));
}

/* A cuDNN that a matrix names: of the card's own CUDA where that has it, and none where no library has code for the card.
 */
static void test_stacks_by_cudnn(void **state)
{
    (void)state;
    static const struct {
        long sm;
        const char *cudnn, *stack;
    } wanted[] = {{61, NULL, "cuda-11.8"},
                  {61, "any", "cuda-11.8"},
                  {61, "8", "cuda-11.8"},
                  {61, "8.9", "cuda-11.8"},
                  {61, "8.9.6", "cuda-11.8"},
                  {61, "8.9.7", "cuda-12.9-cudnn-8.9"},
                  {61, "8.5", "cuda-11.8-cudnn-8.5"},
                  {61, "9.10", "cuda-11.8-cudnn-9.10"},
                  {61, "9.1", NULL},
                  {61, "9.28", NULL},
                  {75, "9.28", "cuda-12.9-cudnn-9.28"},
                  {80, "8.5", "cuda-11.8-cudnn-8.5"},
                  {90, "8.5", NULL},
                  {90, "8.9", "cuda-12.9-cudnn-8.9"},
                  {90, "9.10", "cuda-12.9"},
                  {120, "9.28", "cuda-13"},
                  {120, "9.10", NULL},
                  {__LONG_MAX__, "8.5", "cuda-11.8-cudnn-8.5"},
                  {0, "8.5", "cpu"}};
    char why[SB_WHY];
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const sb_stack *stack = sb_image_stack_of(wanted[i].sm, wanted[i].cudnn, why, sizeof why);
        const char *got = stack ? stack->name : "none", *name = wanted[i].stack ? wanted[i].stack : "none";
        if (strcmp(got, name) != 0) fail_msg("%ld with %s: %s, not %s", wanted[i].sm, wanted[i].cudnn, got, name);
    }
    assert_null(sb_image_stack_of(61, "9.28", why, sizeof why));
    assert_string_equal(why,
                        "cuDNN 9.28 (stack cuda-12.9-cudnn-9.28) has code for compute capabilities 7.5 to 9.0, not "
                        "for 6.1");
    assert_null(sb_image_stack_of(61, "9.28.1", why, sizeof why));
    assert_string_equal(why, "cuDNN 9.28.1 (stack cuda-13) has code for compute capabilities from 7.5, not for 6.1");
    assert_null(sb_image_stack_of(61, "7.6", why, sizeof why));
    assert_string_equal(why, "no stack has cuDNN 7.6; 'samebits-matrix image list' names those that there are");
}

static void test_containerfiles(void **state)
{
    (void)state;
    static const char template[] = "# @STACK@\n@cuda\n@cuda FROM x AS @COMPILER@ # a@b\n@cpu y @PRESET@\n"
                                   "@cuda @CUBLAS@ @CUBLAS_MAJOR@ @CUDNN_MAJOR@\n";
    char *text;
    assert_int_equal(sb_image_fill(&text, template, "T", sb_image_find("cpu")), SB_OK);
    assert_string_equal(text, "# cpu\ny cpu\n");
    free(text);
    assert_int_equal(sb_image_fill(&text, template, "T", sb_image_find("cuda-11.8")), SB_OK);
    assert_string_equal(text, "# cuda-11.8\n\nFROM x AS nvcc-11.8 # a@b\ncublas-11.11 11 8\n");
    free(text);
    assert_int_equal(sb_image_fill(&text, "x\n@NAME@\n", "T", sb_image_find("cpu")), SB_E_USAGE);
    assert_string_equal(sb_message(), "T:2: a name between @ that no row has");
    assert_null(text);
    assert_int_equal(sb_image_fill(&text, "@COMPILER@\n", "T", sb_image_find("cpu")), SB_E_USAGE);
}

/* -- lock files -- */

#define HEAD "images:\n  - stack: cpu\n    id: sha256:" ONES "\n    build_id: 1a2b3c4d\n    revision: abc-dirty\n"

static void write_text(const char *text)
{
    assert_int_equal(sb_file_write("test.lock", text, strlen(text)), SB_OK);
}

static void expect_refused(const char *text, const char *sentence)
{
    sb_image_lock *locked;
    write_text(text);
    assert_int_equal(sb_image_lock_load(&locked, "test.lock"), SB_E_INTEGRITY);
    assert_null(locked);
    if (!strstr(sb_message(), sentence)) fail_msg("'%s' is not in '%s'", sentence, sb_message());
    unlink("test.lock");
}

static void test_locks_refused(void **state)
{
    (void)state;
    expect_refused("images: [\n", "test.lock:2: not YAML");
    expect_refused("", "test.lock: empty");
    expect_refused("\x01\x02\x03", "test.lock:1: not YAML");
    expect_refused("images: []\n", "test.lock:1: ");
    expect_refused("images:\n  - stack: cpu\n", "test.lock:2: the key 'id' is missing here");
    expect_refused(HEAD "more: 1\n", "test.lock:6: unknown key 'more'");
    expect_refused(HEAD "  - {stack: cpu, id: sha256:" ONES ", build_id: 1a2b3c4d, revision: a}\n",
                   "test.lock:6: stack 'cpu' is here twice");
    expect_refused("images:\n  - {stack: gpu, id: sha256:" ONES ", build_id: 1a2b3c4d, revision: a}\n",
                   "test.lock:2: no software stack 'gpu'");
    expect_refused("images:\n  - stack: cpu\n    id: sha256:12\n    build_id: 1a2b3c4d\n    revision: a\n",
                   "test.lock:3: id wants sha256: and 64 digits, not 'sha256:12'; 'samebits-matrix image lock'");
    expect_refused("images:\n  - stack: cpu\n    id: sha256:" ONES "\n    build_id: what\n    revision: a\n",
                   "test.lock:4: build_id wants");
    expect_refused(HEAD "data:\n  - file: walk.h5\n    digest: 12\n", "test.lock:8: digest wants 32 hex");
    sb_image_lock *locked;
    assert_int_equal(sb_image_lock_load(&locked, "nowhere.lock"), SB_E_MISSING);
}

static void test_lock_round_trip(void **state)
{
    (void)state;
    sb_image_lock *locked, *again;
    write_text(HEAD "data:\n  - file: walk.h5\n    digest: 0123456789abcdef0123456789abcdef\n");
    assert_int_equal(sb_image_lock_load(&locked, "test.lock"), SB_OK);
    assert_string_equal(sb_image_lock_image(locked, sb_image_find("cpu"))->id, id);
    assert_null(sb_image_lock_image(locked, sb_image_find("cuda-13")));
    assert_non_null(sb_image_lock_data(locked, "some/where/walk.h5"));
    assert_null(sb_image_lock_data(locked, "walk.h"));
    assert_int_equal(sb_image_lock_write(locked, "test.lock"), SB_OK);
    assert_int_equal(sb_image_lock_load(&again, "test.lock"), SB_OK);
    assert_string_equal(again->images[0].build_id, "1a2b3c4d");
    assert_string_equal(again->images[0].revision, "abc-dirty");
    assert_string_equal(again->data[0].digest, locked->data[0].digest);
    sb_image_lock_free(again);
    sb_image_lock_free(locked);
    unlink("test.lock");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_argv),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_paths_that_no_engine_takes),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_stacks_by_cudnn),
        cmocka_unit_test(test_containerfiles),
        cmocka_unit_test(test_locks_refused),
        cmocka_unit_test(test_lock_round_trip),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
