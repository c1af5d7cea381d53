/* The comparisons that the question asks for, found in whatever results there are:
 *
 *   buffer   the shared target over the copied one, within a setting
 *   CPU      with the copied target: a setting of one CPU over that of the reference CPU of its study
 *   GPU      with the copied target: a setting of a GPU over the reference, a CPU where the study has one
 *
 * The reference of a study is its first setting in the order of arms.h that ran with the copied target: CPUs before
 * GPUs, native before the libraries. Settings are of other hardware where the matrix file names another; two libraries
 * on one machine are no such comparison. Settings whose runs all have the same weights are in one contrast.
 *
 * Each is judged by verdict.h on the last-frame loss, with the margin of the one-ulp ensemble of its recipe. The
 * hardware contrasts of a study and kind are one family; a buffer contrast is one of its own, as none is chosen by its
 * outcome.
 */
#ifndef SB_PAPER_EFFECTS_CONTRAST_H
#define SB_PAPER_EFFECTS_CONTRAST_H

#include "core/status.h"
#include "paper/effects/arms.h"
#include "paper/effects/rank.h"
#include "paper/effects/verdict.h"
#include "paper/numbers/numbers.h"

#include <stddef.h>

typedef enum sb_contrast_kind { SB_CONTRAST_BUFFER, SB_CONTRAST_GPU, SB_CONTRAST_CPU, SB_N_CONTRASTS } sb_contrast_kind;

typedef struct sb_contrast {
    sb_contrast_kind kind;
    const sb_group *group;
    const sb_configuration *of_setting, *over_setting; /* the same one for the buffer */
    const sb_arm *of, *over;
    char names[192];   /* of the hardware: "i5-4590, i5-7600k" have the same bits; of the buffer: the setting */
    size_t n_settings; /* that the names name */
    sb_verdict verdict;
    char label[SB_NUMBER_LABEL]; /* of the ratio in the register */
} sb_contrast;

typedef struct sb_contrasts { /* {0} holds none */
    size_t n;
    sb_contrast *contrast; /* the studies by rank, kinds in the order above, settings as in their study */
} sb_contrasts;

/* Results, arms and ranking must outlive the contrasts. A failed call leaves nothing to free. */
sb_status sb_contrasts_judge(sb_contrasts *contrasts, const sb_ranking *ranking, const sb_results *results);
void sb_contrasts_free(sb_contrasts *contrasts);

/* The ratios of hardware contrasts into the register, as STUDY.SETTING.over-REFERENCE.copy.loss-last; those of the
 * buffer are there already (measures.h). */
sb_status sb_contrasts_add(sb_numbers *numbers, const sb_contrasts *contrasts);

/* The i-th ratio of a pair, of verdict.n; only of paired verdicts. *of and *over: its cells. */
double sb_contrast_pair(const sb_contrast *contrast, size_t i, const sb_result **of, const sb_result **over);

/* That of the weaker side. */
sb_evidence sb_contrast_evidence(const sb_contrast *contrast);

#endif
