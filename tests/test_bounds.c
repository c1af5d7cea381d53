/* The tiles of the native backend are compiled without the address sanitizer and have what they touch checked as a whole
 * (ops/bounds.h). Every operand of every tile in turn is allocated one number too short, before it and behind it: the
 * sanitizer ends the program, as if it had seen the access. Built where there is an address sanitizer. */
#define _POSIX_C_SOURCE 200809L
#define SB_ISA          plain
#include "ops/kernel_native.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { ROWS = SB_TILE_ROWS, VECS = SB_TILE_VECS, WIDTH = SB_TILE_COLUMNS, K = 5, LINES = 2 };

typedef enum operand { A, B, C, A_OFFSET, B_OFFSET, OPERANDS } operand;

/* How many numbers each operand has, all used, and the offsets. */
typedef struct tile {
    const char *name;
    size_t n[OPERANDS];
    int32_t offset[2][K];
    void (*run)(void *const *of);
} tile;

static void run_chains(void *const *of)
{
    const sb_stretch stretch = {K, of[A], K, 0, of[A_OFFSET], of[B], WIDTH};
    SB_KERNEL(ROWS, VECS, 1, &stretch, SB_GO_ON, of[C], WIDTH);
}

static void run_steps(void *const *of)
{
    const sb_stretch stretch = {K, of[A], 1, ROWS, NULL, of[B], WIDTH};
    SB_KERNEL(ROWS, VECS, 1, &stretch, SB_GO_ON, of[C], WIDTH);
}

static void run_lines(void *const *of)
{
    const sb_stretch stretch = {K, of[A], 1, 1, NULL, of[B], WIDTH};
    SB_NATIVE(sb_kernel_lines)
    (ROWS, VECS, &stretch, &(sb_lines){LINES, K + ROWS - 1, K * WIDTH}, of[C], WIDTH);
}

static void run_taps(void *const *of)
{
    const sb_taps taps = {3, 2, of[A], 2 * ROWS, of[A_OFFSET], of[B], 2 * WIDTH, of[B_OFFSET]};
    SB_NATIVE(sb_kernel_taps)(ROWS, VECS, 1, &taps, SB_GO_ON, of[C], WIDTH);
}

static const tile tiles[] = {
    {"chains", {ROWS * K, K *WIDTH, ROWS *WIDTH, K, 0}, {{0, 2, 4, 1, 3}}, run_chains},
    {"steps", {ROWS * K, K *WIDTH, ROWS *WIDTH, 0, 0}, {{0}}, run_steps},
    {"lines", {LINES * (K + ROWS - 1), LINES *K *WIDTH, ROWS *WIDTH, 0, 0}, {{0}}, run_lines},
    {"taps", {ROWS * 6, 3 * 2 * WIDTH, ROWS *WIDTH, 2, 2}, {{ROWS, 0}, {WIDTH, 0}}, run_taps},
};

static size_t size_of(operand o)
{
    return o < A_OFFSET ? sizeof(sb_real) : sizeof(int32_t);
}

/* In a process of its own: the tile, with `shorter` numbers taken off one operand's end, or off its front. */
static int status_of(const tile *t, operand damaged, int shorter, bool front)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        void *of[OPERANDS];
        if (dup2(open("/dev/null", O_WRONLY), STDERR_FILENO) < 0) _exit(3);
        for (int o = 0; o < OPERANDS; o++) {
            size_t taken = o == (int)damaged ? (size_t)shorter : 0;
            char *p = t->n[o] ? calloc(t->n[o] - taken, size_of(o)) : NULL;
            if (o >= A_OFFSET && p)
                memcpy(p, t->offset[o - A_OFFSET] + (front ? taken : 0), (t->n[o] - taken) * size_of(o));
            of[o] = p && front ? p - taken * size_of(o) : p;
        }
        t->run(of);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void what_is_too_short_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        assert_int_equal(status_of(&tiles[i], A, 0, false), 0);
        for (int o = 0; o < OPERANDS; o++)
            for (int front = 0; tiles[i].n[o] > 0 && front < 2; front++) {
                int status = status_of(&tiles[i], o, 1, front);
                if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3))
                    fail_msg("%s: operand %d one number short %s passes", tiles[i].name, o,
                             front ? "before" : "behind");
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_too_short_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
