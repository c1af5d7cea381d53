/* A trace of one update of another program in memory: operations in order, and what each read and wrote. Texts are kept
 * once; rows and tensors have their numbers.
 *
 * In the file, HDF5 after a seal of kind `trace`:
 *   /meta    attributes: program (`external`), trace (2), update, framework, hash
 *   /text    every text of the tables; number 0 is the empty one
 *   /row     operation, module, site, arguments, node [n] int64 (texts); phase, mark [n] uint8; forward_row, executions,
 *            other_results [n] int64; error [n] float64 (negative: not checked)
 *   /tensor  row, writer, role, name, dtype, shape, layout, device [m] int64; flags [m] uint8; hash [m][16] uint8
 *   /sketch  tensor [s] int64; numbers [s][17] float64: norm and count sketch of these tensors; absent: none was sketched
 *   /kept    N: all numbers of tensor N of /tensor, float64, where they were asked for
 *   /settings  what the optimizer was set to, a text
 */
#ifndef SB_RECORD_TRACED_H
#define SB_RECORD_TRACED_H

#include "core/status.h"
#include "record/external.h"

enum { SB_TRACED_WRITTEN = 1, SB_TRACED_CHANGED = 2, SB_TRACED_UNINITIALISED = 4, SB_TRACED_NO_HASH = 8 };
enum { SB_TRACED_FORWARD, SB_TRACED_BACKWARD, SB_TRACED_OPTIMIZER, SB_TRACED_PHASES };
enum { SB_TRACED_SCHEMA = 2, SB_TRACED_SKETCH = 17 };

typedef struct sb_traced_tensor {
    int64_t row, role, name, dtype, shape, layout, device; /* all but the row are texts */
    int64_t writer;                                        /* row that wrote this memory last; -1: none */
    unsigned flags;
    sb_hash hash;
    double *sketch; /* [SB_TRACED_SKETCH] or NULL */
    double *kept;   /* [n_kept] or NULL */
    size_t n_kept;
} sb_traced_tensor;

typedef struct sb_traced_op {
    int64_t operation, module, site, arguments, node; /* texts */
    int phase;
    bool mark;
    int64_t forward_row, executions, other_results;
    double error;
    size_t first, n; /* tensors */
} sb_traced_op;

typedef struct sb_traced_update { /* {0} is empty */
    int64_t update;
    char *framework, *settings;
    sb_text_list text;
    size_t n, room;
    sb_traced_op *row;
    size_t n_tensors, tensors_room;
    sb_traced_tensor *tensor;
    size_t *place, n_places; /* of texts by their hash, while a trace is made */
} sb_traced_update;

/* The number of a text, added where it is new; -1: memory was short. */
int64_t sb_traced_text(sb_traced_update *t, const char *text);

/* Copy a row and its tensors, whose texts have their numbers by now; takes their sketches and kept numbers, also when it
 * fails. false: memory was short. */
bool sb_traced_add(sb_traced_update *t, const sb_traced_op *row, const sb_traced_tensor *tensor, size_t n);

sb_status sb_traced_write(const sb_traced_update *t, const char *path);

/* /sketch and /kept, to an open file and from it. */
struct sb_h5;
sb_status sb_traced_write_numbers(struct sb_h5 *file, const sb_traced_update *t);
sb_status sb_traced_read_numbers(struct sb_h5 *file, sb_traced_update *t);

/* SB_E_INTEGRITY: not such a trace, or its parts do not fit. A failed call leaves nothing to free. */
sb_status sb_traced_read(sb_traced_update *t, const char *path);

/* The schema of a sealed trace file: 1, of networks of samebits, or 2. */
sb_status sb_traced_schema(const char *path, int64_t *schema);

void sb_traced_update_free(sb_traced_update *t);

/* A text by its number. */
static inline const char *sb_traced_word(const sb_traced_update *t, int64_t number)
{
    return t->text.item[number];
}

#endif
