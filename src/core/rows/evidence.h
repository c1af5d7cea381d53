/* What a number rests on, declared once: for cells and runs (matrix), tables (io/columns.h) and numbers (paper). The
 * later, the weaker; a number is as strong as the weakest run that it comes from.
 *
 *     measured    computed by the hardware that is named
 *     emulated    by another CPU, with that one's kernel type and number of threads
 *     imitated    by a CPU, with rules of a GPU (core/rows/arithmetics.h)
 *     absent      not at all, here: a cell without a run
 *     published   by others, who say so
 */
#pragma once

/* Of runs first. */
#define SB_EVIDENCES_OF_RUNS(ROW) ROW(MEASURED, "measured") ROW(EMULATED, "emulated") ROW(IMITATED, "imitated")
#define SB_EVIDENCES(ROW)         SB_EVIDENCES_OF_RUNS(ROW) ROW(ABSENT, "absent") ROW(PUBLISHED, "published")

typedef enum sb_evidence {
#define SB_EVIDENCE_ID(id, name) SB_EVIDENCE_##id,
    SB_EVIDENCES(SB_EVIDENCE_ID)
#undef SB_EVIDENCE_ID
        SB_N_EVIDENCES,
    SB_N_EVIDENCES_OF_RUNS = SB_EVIDENCE_ABSENT,
    SB_N_EVIDENCES_OF_CELLS = SB_EVIDENCE_PUBLISHED,
} sb_evidence;

extern const char *const sb_evidence_name[SB_N_EVIDENCES];

/* "measured|emulated|imitated" */
#define SB_EVIDENCE_WORD(id, name) "|" name
#define SB_EVIDENCE_WORDS          (&(SB_EVIDENCES_OF_RUNS(SB_EVIDENCE_WORD))[1])

static inline sb_evidence sb_evidence_weaker(sb_evidence a, sb_evidence b)
{
    return a > b ? a : b;
}
