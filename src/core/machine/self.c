#include "core/machine/self.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An emulator answers for its program where it asks about "self"; "thread-self" it leaves to the kernel. */
#define OWN(file)         "/proc/self/" file
#define THE_KERNELS(file) "/proc/thread-self/" file

/* The whole of a file whose size no one knows beforehand. NULL: not enough memory, or it cannot be read. */
static char *read_whole(const char *path, size_t *n_bytes)
{
    FILE *file = fopen(path, "rb");
    size_t room = 4096;
    char *bytes = file ? malloc(room) : NULL;
    *n_bytes = 0;
    while (bytes) {
        *n_bytes += fread(bytes + *n_bytes, 1, room - *n_bytes, file);
        if (*n_bytes < room) break;
        char *more = realloc(bytes, room *= 2);
        if (!more) free(bytes);
        bytes = more;
    }
    if (file) fclose(file);
    return bytes;
}

/* The CPU that a program is made for, and the order of its bytes. */
static bool read_machine(const char *path, unsigned char machine[3])
{
    unsigned char head[EI_NIDENT + 4];
    FILE *file = fopen(path, "rb");
    const bool is_read = file && fread(head, sizeof head, 1, file) == 1;
    if (file) fclose(file);
    if (!is_read || memcmp(head, ELFMAG, SELFMAG) != 0) return false;
    machine[0] = head[EI_DATA];
    memcpy(machine + 1, head + EI_NIDENT + 2, 2);
    return true;
}

/* Does the kernel run a program for another CPU in this one's place? */
static bool is_emulated(void)
{
    unsigned char own[3], kernels[3];
    return read_machine(OWN("exe"), own) && read_machine(THE_KERNELS("exe"), kernels) &&
           memcmp(own, kernels, sizeof own) != 0;
}

size_t sb_self_words_before(const char *kernel, size_t n_kernel, const char *own, size_t n_own, const char *path)
{
    if (n_kernel <= n_own || memcmp(kernel + n_kernel - n_own, own, n_own) != 0) return 0;
    const size_t n = n_kernel - n_own;
    if (kernel[n - 1] != 0) return 0;
    size_t n_words = 0, last = 0;
    for (size_t i = 0; i < n; i += strlen(kernel + i) + 1) last = i, n_words++;
    return strcmp(kernel + last, path) == 0 ? 0 : n_words;
}

static bool read_link(const char *link, char path[SB_PATH_MAX])
{
    const ssize_t n = readlink(link, path, SB_PATH_MAX - 1);
    path[n > 0 ? n : 0] = 0;
    return n > 0;
}

bool sb_self_neighbor(const char *name, char path[SB_PATH_MAX])
{
    char *slash = read_link(OWN("exe"), path) ? strrchr(path, '/') : NULL;
    if (!slash || strlen(name) >= SB_PATH_MAX - (size_t)(slash + 1 - path)) {
        snprintf(path, SB_PATH_MAX, "%s", name);
        return false;
    }
    strcpy(slash + 1, name);
    return access(path, X_OK) == 0;
}

bool sb_self_is_emulated(char *emulator, size_t size)
{
    char path[SB_PATH_MAX];
    if (!is_emulated() || !read_link(THE_KERNELS("exe"), path)) return false;
    snprintf(emulator, size, "%s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    return true;
}

/* An emulator's words into self->before, its path and the program's; how many words they are, 0: there is none. */
static size_t find_emulator(sb_self *self)
{
    size_t n_kernel, n_own, n_words = 0;
    if (!is_emulated() || !read_link(OWN("exe"), self->program) || !read_link(THE_KERNELS("exe"), self->path)) return 0;
    self->before = read_whole(THE_KERNELS("cmdline"), &n_kernel);
    char *own = read_whole(OWN("cmdline"), &n_own);
    if (self->before && own) n_words = sb_self_words_before(self->before, n_kernel, own, n_own, self->program);
    free(own);
    return n_words;
}

sb_status sb_self_find(sb_self *self, char *const argv[])
{
    size_t n = 0;
    *self = (sb_self){0};
    const size_t n_before = find_emulator(self);
    while (argv[n]) n++;
    self->argv = calloc(n_before + n + 1, sizeof *self->argv);
    if (!self->argv) {
        sb_self_free(self);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory to start it again", argv[0]);
    }
    char *word = self->before;
    for (size_t i = 0; i < n_before; i++, word += strlen(word) + 1) self->argv[i] = word;
    memcpy(self->argv + n_before, argv, n * sizeof *argv);
    if (n_before)
        self->argv[n_before] = self->program;
    else
        strcpy(self->path, OWN("exe"));
    return SB_OK;
}

void sb_self_free(sb_self *self)
{
    free(self->argv);
    free(self->before);
    *self = (sb_self){0};
}
