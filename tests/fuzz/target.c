#include "target.h"

#include "core/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sizes out of a file are refused where there is no memory for them. A handler that a child takes away stays. Little
 * that was freed is kept, and little of where it came from, which makes forking and allocating quick. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:quarantine_size_mb=8:malloc_context_size=12:handle_segv=2:handle_sigbus=2:"
           "handle_sigfpe=2:handle_sigill=2:handle_abort=2";
}

/* What the library loses over a file that it refuses is not ours to mend. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:H5\n";
}

static char scratch[256];
static pid_t owner;

/* A child that is forked by what is tested may end by exit, too. */
static void remove_scratch(void)
{
    if (getpid() == owner) sb_folder_remove(scratch);
}

/* In TMPDIR, else in memory, if the machine has such a folder. */
static void make_scratch(void)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder) folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(scratch, sizeof scratch, "%.200s/samebits-fuzz-XXXXXX", folder);
    if (!mkdtemp(scratch)) {
        perror(scratch);
        exit(1);
    }
    owner = getpid();
    atexit(remove_scratch);
}

const char *sb_fuzz_path(const char *name)
{
    enum { N = 16 };
    static char path[N][512];
    static int next;
    if (!*scratch) make_scratch();
    next = (next + 1) % N;
    snprintf(path[next], sizeof path[next], "%s/%.200s", scratch, name);
    return path[next];
}

const char *sb_fuzz_put(const char *name, const void *bytes, size_t n)
{
    const char *path = sb_fuzz_path(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    return path;
}

size_t sb_fuzz_part(const uint8_t **bytes, size_t *n, const uint8_t **part)
{
    static const char mark[] = "--- 8< ---\n";
    const size_t length = sizeof mark - 1;
    size_t at = 0;
    while (at + length <= *n && memcmp(*bytes + at, mark, length) != 0) at++;
    const size_t size = at + length <= *n ? at : *n, used = at + length <= *n ? at + length : *n;
    *part = *bytes;
    *bytes += used;
    *n -= used;
    return size;
}

char *sb_fuzz_text(const uint8_t *bytes, size_t n)
{
    char *text = malloc(n + 1);
    if (!text) abort();
    memcpy(text, bytes, n);
    text[n] = 0;
    return text;
}

const char *sb_fuzz_put_part(const char *name, const uint8_t **bytes, size_t *n)
{
    const uint8_t *part;
    size_t size = sb_fuzz_part(bytes, n, &part);
    return sb_fuzz_put(name, part, size);
}

uint8_t sb_fuzz_choice(const uint8_t **bytes, size_t *n)
{
    if (*n == 0) return 0;
    --*n;
    return *(*bytes)++;
}

FILE *sb_fuzz_nowhere(void)
{
    static FILE *out;
    if (!out) out = fopen("/dev/null", "w");
    if (!out) abort();
    return out;
}

void sb_fuzz_seed_file(const char *name, const char *path)
{
    char *content;
    size_t n;
    if (sb_file_read(path, &content, &n) != SB_OK) abort();
    sb_fuzz_seed(name, content, n);
    free(content);
}
