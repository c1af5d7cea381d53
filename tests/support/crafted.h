/* Tables of crafted files: what a case puts into a good one, and why it is refused then. */
#pragma once

#include "craft.h"

#include "io/seal.h"

typedef struct crafted {
    const char *name;
    void (*put)(craft c);
    const char *why; /* in the sentence; NULL: the file is good */
} crafted;
#define CASE(put, why)                                                                                                 \
    {                                                                                                                  \
#put, put, why                                                                                                 \
    }

#define DIMS(...)                                                                                                      \
    (sizeof((hsize_t[]){__VA_ARGS__}) / sizeof(hsize_t)), (hsize_t[])                                                  \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define BYTES(name, ...)   craft_zeros(c, name, H5T_STD_U8LE, DIMS(__VA_ARGS__))
#define DOUBLES(name, ...) craft_zeros(c, name, H5T_IEEE_F64LE, DIMS(__VA_ARGS__))

/* Make `good` at path, let the case change it, and hold what `open` says against the case. */
static inline void expect_each(const char *path, const crafted *cases, size_t n, void (*good)(craft c),
                               sb_status (*open)(void), sb_seal_kind kind)
{
    for (size_t i = 0; i < n; i++) {
        craft c = craft_begin(path);
        good(c);
        if (cases[i].put) cases[i].put(c);
        craft_end(c);
        assert_int_equal(sb_seal_write(path, kind), SB_OK);
        sb_status status = open();
        if (status != (cases[i].why ? SB_E_INTEGRITY : SB_OK) || (cases[i].why && !strstr(sb_message(), cases[i].why)))
            fail_msg("%s: status %d, '%s'; wanted '%s'", cases[i].name, status, sb_message(),
                     cases[i].why ? cases[i].why : "");
    }
}
