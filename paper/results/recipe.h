/* What two runs have in common, and in what they differ.
 *
 *   recipe   what is trained and how: model, layer sizes, data, window, rate, batch, updates. Runs of different recipes
 *            are compared only by a claim that names the settings in which they differ.
 *   factor   what may differ between runs of one recipe. The machine is the one that computed: an emulated cell and one
 *            of hardware `any` ran on whatever was there, so that between those two kernel type and threads are the
 *            difference, not the name of a CPU.
 */
#pragma once

#include "paper/results/results.h"

#include <stddef.h>

typedef enum sb_factor {
    SB_FACTOR_BACKEND,
    SB_FACTOR_ARITHMETIC,
    SB_FACTOR_MACHINE,
    SB_FACTOR_KERNEL,
    SB_FACTOR_THREADS,
    SB_FACTOR_TARGET,
    SB_FACTOR_SEED,
    SB_FACTOR_ULP,
    SB_FACTOR_OTHER, /* any other setting of what computes: TF32, the choice of cuDNN's algorithms */
    SB_N_FACTORS
} sb_factor;

/* 0: no setting of the given role differs (core/rows/setting.h); else an order. */
int sb_recipe_compare_role(const sb_result *a, const sb_result *b, sb_setting_role role);

/* 0: the same recipe; else an order of recipes. */
int sb_recipe_compare(const sb_result *a, const sb_result *b);

/* The same data, and the same recipe but for these settings; with SB_SETTING_UPDATES among them the number of updates
 * may differ too. */
bool sb_recipe_same_across(const sb_result *a, const sb_result *b, const bool across[SB_N_SETTINGS]);

/* Nothing that is trained, on what, how long or by what computes it differs but perhaps this one setting; a DATA that
 * may differ is the data set. */
bool sb_recipe_differ_only(const sb_result *a, const sb_result *b, sb_setting_id id);

/* Bit 1 << factor for each factor in which two cells differ. */
unsigned sb_recipe_differ(const sb_result *a, const sb_result *b);

/* The same without what is a backend's own (arithmetic, kernel type, threads) where the backends differ. */
unsigned sb_recipe_differ_apart(const sb_result *a, const sb_result *b);

/* Are they runs of one study that differ in their seeds alone? */
bool sb_recipe_same_arm(const sb_result *a, const sb_result *b);

/* Of the runs of its study that differ from it in their seeds alone, and itself, the first in cells.csv. */
const sb_result *sb_recipe_first_of_arm(const sb_results *results, const sb_result *cell);

/* Which of the random orders of imitated atomics; "0" too where the table does not say. */
const char *sb_recipe_draw(const sb_result *cell);

/* Does its network classify images, or predict the next of a text's tokens? */
bool sb_recipe_classifies(const sb_result *cell);

/* What it classifies at its end: "test images classified", "held-out tokens predicted". */
const char *sb_recipe_classified(const sb_result *cell);

/* How large the network is, as its own setting says it: "3 8 16 32", "64"; "" where it has none such. */
const char *sb_recipe_units(const sb_result *cell);

/* What its loss is, in words. */
const char *sb_recipe_loss_words(const sb_result *cell);

/* What a metric of it is called: "last-frame loss" and "window-mean loss" of networks that see windows of frames, of
 * others "final loss"; "test error". */
const char *sb_recipe_metric_words(const sb_result *cell, sb_metric metric);

/* "prednet 3 8 16 32 on natural, 250 updates". */
void sb_recipe_text(const sb_result *cell, char *text, size_t size);

/* PredNet with the channels, and with the window, of the published study. */
bool sb_recipe_has_published_size(const sb_result *cell);
bool sb_recipe_has_published_window(const sb_result *cell);

/* By what a reader asks about first: 0 PredNet of the published size, 1 PredNet, 2 any other network. */
enum { SB_RECIPE_RANKS = 3 };
int sb_recipe_rank(const sb_result *cell);

/* GPU backends, by name. */
bool sb_recipe_on_gpu(const sb_result *cell);
