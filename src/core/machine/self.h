/* How this program is started again, by the program that started it: by the kernel, or by an emulator of another
 * machine's CPU (qemu-user), whose kernel cannot start it unless it was told how. And the programs next to it.
 *
 *     sb_self self;
 *     SB_TRY(sb_self_find(&self, argv));
 *     execv(self.path, self.argv);
 */
#pragma once

#include "core/file.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_self {
    char path[SB_PATH_MAX]; /* of the file that the kernel starts */
    char **argv;            /* its command line, NULL after it */
    char *before;           /* the emulator's words in it */
    char program[SB_PATH_MAX];
} sb_self;

/* This program with argv, whose first word is its name; its words stay the caller's. After a failure there is
 * nothing to free. */
sb_status sb_self_find(sb_self *self, char *const argv[]);
void sb_self_free(sb_self *self);

/* The path of the program of that name in the folder of this one. false: it is not there, and where this program's own
 * path is not known either, or is too long, `path` is the bare name. */
bool sb_self_neighbor(const char *name, char path[SB_PATH_MAX]);

/* Does an emulator of another machine's CPU run this program? Then its file's name, cut to size. */
bool sb_self_is_emulated(char *emulator, size_t size);

/* How many words of `kernel`, the command line as the kernel has it, an emulator put before the words of `own`, the
 * command line as this program has it: "qemu-aarch64 -cpu max" before "samebits info". Each is n bytes of words with a
 * NUL after each. 0 if `kernel` does not end like `own`, or if the kernel starts such programs through the emulator by
 * itself, whose last word then is the program's `path`. */
size_t sb_self_words_before(const char *kernel, size_t n_kernel, const char *own, size_t n_own, const char *path);
