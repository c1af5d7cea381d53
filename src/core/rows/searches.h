/* How weights are found, declared once: by gradients, or by trying (train/evolve/population.h), and what a matrix file
 * may name.
 *
 *     ROW(id, name, settings)
 *
 * settings  the keys of the settings that not every search has, this one among them (core/rows/setting.h), with \0
 *           between them, and with =DEFAULT where the default of the setting is auto
 */
#pragma once

/* clang-format off */
#define SB_SEARCHES(ROW)                                                                                               \
    ROW(gradient, "gradient", "optimizer=adam\0lr=0.001\0schedule=constant")                                           \
    ROW(deep_ga, "deep-ga", "population\0truncation\0sigma\0elite\0fitness_batch\0noise_table")                        \
    ROW(random_search, "random-search", "population\0elite\0fitness_batch\0noise_table")
/* clang-format on */

/* "gradient|deep-ga|...": the words of the option and of the matrix key. */
#define SB_SEARCH_WORD(id, name, settings) "|" name
#define SB_SEARCH_WORDS (&(SB_SEARCHES(SB_SEARCH_WORD))[1])
