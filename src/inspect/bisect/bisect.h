/* Why two runs differ: the first update, the first operation in it and the first number, and then which of the settings
 * that differ between the runs makes the difference, each tried alone. */
#ifndef SB_INSPECT_BISECT_H
#define SB_INSPECT_BISECT_H

#include "core/command/options.h"
#include "core/rows/setting.h"
#include "core/status.h"
#include "inspect/generations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct sb_bisect_options {
    const char *data;   /* the data set both learned from */
    const char *folder; /* traces and runs made on the way stay there; NULL: they go */
    bool quiet;
    bool json;       /* of the verb alone, as are */
    sb_texts nudged; /* traces of another program's runs that began with every weight moved by one rounding */
} sb_bisect_options;

/* Whose bits a trial gave. */
typedef enum sb_bisect_bits { SB_BITS_OF_A, SB_BITS_OF_B, SB_BITS_OF_NEITHER } sb_bisect_bits;

typedef struct sb_bisect_cause { /* a setting that differs between the runs */
    char name[32], value[2][64]; /* of A, of B */
    bool tried;                  /* each alone; the only one that differs is not */
    sb_bisect_bits in_a, in_b;   /* of A with B's setting, of B with A's */
} sb_bisect_cause;

enum { SB_BISECT_CAUSES = SB_N_SETTINGS };

typedef struct sb_bisect_facts { /* what was found, in addition to the sentences; starts with {0} */
    int64_t update;              /* the first that differs; 0: none is known to, unless: */
    bool other_differs;          /* something of another program differs, from that update on, which may be 0 */
    const char *part;            /* what differs first in it; NULL: not from run files */
    bool elsewhere[2];           /* the run does not come out here as it was recorded */
    const char *kind;            /* how the first operation differs; NULL: none was looked for */
    size_t n_operations, number; /* of that update; which of them, from 1; 0: none */
    char operation[160];
    sb_selection selection; /* of runs without gradients; of zeros: they have none */
    sb_bisect_cause cause[SB_BISECT_CAUSES];
    int n_causes;
    struct { /* of the operation of another program; NULL and "": it was not traced */
        const char *phase;
        char module[256], site[256], arguments[512];
        char tensors[1024]; /* or, of recordings, the first that differs */
        char side;          /* 'a', 'b'; 0: both */
        bool has_carried;   /* sketches were compared, and are not all the same */
        double carried;     /* over what rounding carries: at the first mark above the limit, else the largest */
        char carried_at[256];
    } other;
} sb_bisect_facts;

/* Two run files of the same network. Trains here what is needed of them: single updates, unless they part late, and
 * of runs without gradients all generations up to there. SB_OK: the same bits; SB_E_DIFFERS: out says where and why;
 * SB_E_USAGE: not the same network, or not their data set; SB_E_MISSING: one of them needs a backend that is not
 * here. */
sb_status sb_bisect_runs(const char *path_a, const char *path_b, const sb_bisect_options *options,
                         sb_bisect_facts *facts, FILE *out);

/* Two trace files of one update, made on two machines, say: the first operation that differs. Nothing is trained. */
sb_status sb_bisect_traces(const char *path_a, const char *path_b, sb_bisect_facts *facts, FILE *out);

#endif
