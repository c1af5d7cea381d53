/* How the algorithms of the backend cudnn are chosen, declared once: the words of --cudnn-algorithm and of the matrix
 * key, and what ops/library/cudnn.c makes of them. The first is the default.
 *
 *     ROW(ID, name, api, RULE, MIB)
 *
 * ID    SB_CUDNN_ID
 * api   calls: one function for each kind of convolution, deprecated since cuDNN 9 (ops/library/cudnn_calls.c). graph:
 *       engines for a graph of operations, which took their place (ops/library/cudnn_graph.c)
 * RULE  DETERMINISTIC: the first that gives the same bits each time. GUESSED: the first of cuDNN's guess for each shape.
 *       TIMED: the fastest of its guess, measured at the first call for each shape
 * MIB   the most device memory that an algorithm may work in. 8: as the library of the study has it (Chainer's
 *       max_workspace_size). That is too little for the only deterministic weight gradient that cuDNN 9.19 has on an
 *       H200 for 192 to 768 channels of 15x20: where a choice is not the study's, it is what frameworks grant today
 */
#pragma once

/* The study's library took what is `heuristic` here; frameworks of today ask as `graph-heuristic` does. */
/* clang-format off */
#define SB_CUDNN_CHOICES(ROW)                                                                                          \
    ROW(DETERMINISTIC, "deterministic", calls, DETERMINISTIC, 256)                                                     \
    ROW(HEURISTIC, "heuristic", calls, GUESSED, 8)                                                                     \
    ROW(GRAPH_DETERMINISTIC, "graph-deterministic", graph, DETERMINISTIC, 256)                                         \
    ROW(GRAPH_HEURISTIC, "graph-heuristic", graph, GUESSED, 256)                                                              \
    ROW(GRAPH_TIMED, "graph-timed", graph, TIMED, 256)
/* clang-format on */

/* "deterministic|heuristic|...": the words of the option and of the matrix key. */
#define SB_CUDNN_CHOICE_WORD(ID, name, api, RULE, MIB) "|" name
#define SB_CUDNN_CHOICE_WORDS                          (&(SB_CUDNN_CHOICES(SB_CUDNN_CHOICE_WORD))[1])
