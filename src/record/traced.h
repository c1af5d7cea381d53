/* A trace of one update of another program in memory: operations in order, and the tensors that each read and wrote.
 * Each text is stored once; rows and tensors refer to it by number.
 *
 * In the file, HDF5 after a seal of kind `trace`:
 *   /meta    attributes: program (`external`), trace (2), update, framework, hash
 *   /text    every text of the tables; number 0 is the empty text
 *   /row     operation, module, site, arguments, node [n] int64 (texts); phase, mark [n] uint8; forward_row, executions,
 *            other_results [n] int64; error [n] float64 (negative: not checked)
 *   /tensor  row, writer, role, name, dtype, shape, layout, device [m] int64; flags [m] uint8; hash [m][16] uint8
 *   /sketch  tensor [s] int64; numbers [s][17] float64: norm and count sketch of these tensors; absent: no tensor was
 *            sketched
 *   /kept    N: all numbers of tensor N of /tensor, float64, if requested
 *   /settings  settings of the optimizer, a text
 */
#pragma once

#include "core/status.h"
#include "record/external.h"

enum { SB_TRACED_WRITTEN = 1, SB_TRACED_CHANGED = 2, SB_TRACED_UNINITIALISED = 4, SB_TRACED_NO_HASH = 8 };
enum { SB_TRACED_FORWARD, SB_TRACED_BACKWARD, SB_TRACED_OPTIMIZER, SB_TRACED_PHASES };
enum { SB_TRACED_SCHEMA = 2, SB_TRACED_SKETCH = 17 };

typedef struct sb_traced_tensor {
    int64_t row, role, name, dtype, shape, layout, device; /* all except row are numbers of texts */
    int64_t writer;                                        /* the row that last wrote this memory; -1: none */
    unsigned flags;
    sb_hash hash;
    double *sketch; /* [SB_TRACED_SKETCH] or NULL */
    double *kept;   /* [n_kept] or NULL */
    size_t n_kept;
} sb_traced_tensor;

typedef struct sb_traced_op {
    int64_t operation, module, site, arguments, node; /* numbers of texts */
    int phase;
    bool mark;
    int64_t forward_row, executions, other_results;
    double error;
    size_t first, n; /* range of tensors */
} sb_traced_op;

typedef struct sb_traced_update { /* {0} is empty */
    int64_t update;
    char *framework, *settings;
    sb_text_list text;
    size_t n, room;
    sb_traced_op *row;
    size_t n_tensors, tensors_room;
    sb_traced_tensor *tensor;
    size_t *place, n_places; /* hash table of texts, while a trace is made */
} sb_traced_update;

/* The number of a text, which is added if new; -1: not enough memory. */
int64_t sb_traced_text(sb_traced_update *t, const char *text);

/* Copy a row and its tensors, which already have numbers of texts. Takes ownership of sketches and kept numbers, also
 * on failure. False: not enough memory. */
bool sb_traced_add(sb_traced_update *t, const sb_traced_op *row, const sb_traced_tensor *tensor, size_t n);

sb_status sb_traced_write(const sb_traced_update *t, const char *path);

/* Write or read /sketch and /kept of an open file. */
struct sb_h5;
sb_status sb_traced_write_numbers(struct sb_h5 *file, const sb_traced_update *t);
sb_status sb_traced_read_numbers(struct sb_h5 *file, sb_traced_update *t);

/* SB_E_INTEGRITY: not a trace of schema 2, or its parts do not fit each other. A failed call leaves nothing to free. */
sb_status sb_traced_read(sb_traced_update *t, const char *path);

/* The schema of a sealed trace file: 1: a trace of a samebits network; 2: this format. */
sb_status sb_traced_schema(const char *path, int64_t *schema);

void sb_traced_update_free(sb_traced_update *t);

/* The text with a number. */
static inline const char *sb_traced_word(const sb_traced_update *t, int64_t number)
{
    return t->text.item[number];
}
