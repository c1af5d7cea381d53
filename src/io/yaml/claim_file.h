/* A file of claims (docs/claims.md) as structs, for the code that judges claims and the code that registers them before
 * a run. Texts as written, NULL where absent; what they may say is checked while loading.
 *
 *     sb_claim_file *file;
 *     SB_TRY(sb_claim_file_load(&file, "paper/claims.yaml"));
 *     for (unsigned i = 0; i < file->n_claims; i++) sb_claim_digest(&file->claims[i], digest);
 *     sb_claim_file_free(file);
 *
 * Registration. What decides how a claim is judged is its rule: which cells, relation, metric, margin, number of seeds.
 * Its digest is the first 128 bits of the SHA-256 of that rule, a line "key=value" for each key that is there:
 *
 *     of.KEY, over.KEY (facts in the order of SB_SELECTOR_FACTS), each, relation, metric, margin, seeds, pool, across,
 *     relevant, replicates, pairs, effect, spread, fraction, family
 *
 * `seeds_added` is for a rule that was recorded without `seeds`: it judges alike, and is no part of the rule.
 *
 * Question, name, sentence and notes may be reworded later; the rule may not. Its author and whether it is counted are
 * not part of the rule, and neither are the studies that it names, because the runs record their settings. A run
 * records the digests of all claims that were registered when it began (train/run/run.h), as a text
 * (registration.h). */
#pragma once

#include "core/hash.h"
#include "core/rows/metrics.h"
#include "core/rows/setting.h"
#include "core/status.h"
#include "core/text/writer.h"
#include "io/run/registration.h"

/* The facts and metrics of another program's results (docs/any-program.md), which take the place of ours. */
enum { SB_CLAIM_FACTS = 24 };
typedef struct sb_claim_names {
    size_t n_facts, n_metrics;
    const char *fact[SB_CLAIM_FACTS], *const *metric; /* "study", names of axes; names of metrics [n_metrics] */
} sb_claim_names;

/* Which cells are meant: a value for each fact that matters, alternatives separated by '|', NULL for any. */
typedef struct sb_selector {
    char *setting[SB_N_SETTINGS], *device, *evidence;
    char *custom[SB_CLAIM_FACTS];     /* of another program's results alone: by names->fact */
    const struct sb_claim_names *names; /* NULL: the facts are ours */
} sb_selector;

/* FACT(key, member) for each fact. The cells of a condition differ in seed and ulp. The length of a run and its outputs
 * during training (the group RUN) are not columns. */
#define SB_SELECTOR_FACTS(FACT)                                                                                        \
    SB_SETTINGS(FACT, SB_SELECTOR_FACT, SB_SELECTOR_FACT, SB_SELECTOR_FACT, SB_SETTING_NONE)                           \
    FACT("device", device)                                                                                             \
    FACT("evidence", evidence)
#define SB_SELECTOR_FACT(FACT, ID, key, option, KIND, words, fallback, min, max, of, without, role, ...)               \
    SB_SELECTOR_##role(FACT, #key, setting[SB_SETTING_##ID])
#define SB_SELECTOR_LABEL(FACT, key, member)   FACT(key, member)
#define SB_SELECTOR_RECIPE(FACT, key, member)  FACT(key, member)
#define SB_SELECTOR_SETTING(FACT, key, member) FACT(key, member)
#define SB_SELECTOR_ARM(FACT, key, member)     FACT(key, member)
#define SB_SELECTOR_REPLICATE(FACT, key, member)

typedef enum sb_relation {
    SB_RELATION_GREATER,
    SB_RELATION_EQUIVALENT,
    SB_RELATION_NO_DIFFERENCE,
    SB_RELATION_SAME_BITS,
    SB_N_RELATIONS
} sb_relation;
extern const char *const sb_relation_name[SB_N_RELATIONS]; /* "greater", "equivalent", "no difference", "same bits" */

typedef struct sb_claim {
    char *name, *by, *text, *relation, *metric, *each, *family, *margin, *relevant, *seeds, *seeds_added, *replicates,
        *pairs, *effect, *spread, *pool, *fraction, *across, *orders, *why, *uncounted;
    sb_selector of, over;
} sb_claim;

typedef struct sb_claim_file {
    char *see;      /* the results that answer what these leave open for want of a GPU, "results/gpu"; NULL: none named */
    char *question; /* what the claims answer together, a plain line that ends with '?'; NULL: they name none */
    sb_claim *claims;
    unsigned n_claims;
    struct sb_custom_schema *custom; /* the schema of other names */
} sb_claim_file;
enum { SB_QUESTION_LENGTH = 160 }; /* characters, at most: it is a heading */

/* SB_E_USAGE with "PATH:LINE: ..." where the file makes no sense. A failed call leaves nothing to free. */
sb_status sb_claim_file_load(sb_claim_file **file, const char *path);
/* The same of a text that is part of the program, which `name` names. */
sb_status sb_claim_file_parse(sb_claim_file **file, const char *name, const char *text);
void sb_claim_file_free(sb_claim_file *file); /* NULL is fine */

/* The same for another program's results, whose names must outlive the file. Only keys of a claim about one comparison
 * are valid: no pool, across, orders, relevant. */
sb_status sb_claim_file_load_custom(sb_claim_file **file, const char *path, const sb_claim_names *names);

/* What the texts of a loaded claim mean. */
sb_relation sb_claim_relation(const sb_claim *claim);
sb_metric sb_claim_metric(const sb_claim *claim); /* SB_N_LOSSES: none of ours */
double sb_claim_margin(const sb_claim *claim);    /* a ratio above 1; 0: none of its own */
const char *sb_claim_seeds(const sb_claim *claim); /* numbers of starts that a side may have, "8" or "8|6"; NULL: any */
bool sb_claim_wants_seeds(const sb_claim *claim, size_t n); /* is it one of them, or any? */
/* Is it with this least and this largest number of runs of a start that it is to be judged? "4", or at least 4: ">=4". */
bool sb_claim_wants_replicates(const sb_claim *claim, size_t least, size_t most);
double sb_claim_fraction(const sb_claim *claim);            /* of all data sets, between 0 and 1; 0: not said */
double sb_claim_relevant(const sb_claim *claim);            /* the widest margin of an ensemble, a ratio; 0: not said */
/* What was planned: the power of a test with the first of `seeds`, for `effect` with the spread of pairs `spread`, both as
 * ratios above 1. */
bool sb_claim_is_planned(const sb_claim *claim, double *effect, double *spread, size_t *seeds);
/* In which settings of the recipe its arms may differ; none where it does not say so. SB_SETTING_UPDATES stands for
 * the number of updates, which another batch changes. */
void sb_claim_across(const sb_claim *claim, bool across[SB_N_SETTINGS]);

/* SB_E_MEMORY only. */
sb_status sb_claim_digest(const sb_claim *claim, char digest[SB_CLAIM_DIGEST]);

/* Closes lines that say something of a claim; digest: the first 128 bits of their SHA-256. SB_E_MEMORY only. */
sb_status sb_claim_close_digest(sb_writer *lines, const sb_claim *claim, char digest[SB_CLAIM_DIGEST]);

/* "NAME=DIGEST NAME.16=DIGEST ...", in the order of the file: of its rule, and of the 16 of these cells that it speaks of
 * (claim_cells.h), which are sorted. The caller frees. */
struct sb_named_cell;
sb_status sb_claim_file_register(const sb_claim_file *file, struct sb_named_cell *cell, size_t n, char **registration);
