/* The engines that cuDNN offers for convolutions, each timed on this GPU. As a csv table, row by row:
 *
 *     convolution,shape,work,rank,list,engine,allowed,us,workspace,numerical,behavior,refusal
 *
 * shape      NxINxOUTxHxWxKERNEL, H and W of the result
 * work       forward, data or filter
 * rank       of the engine configuration in the lists of cuDNN's heuristic, the best first. graph-heuristic takes the
 *            first configuration that is allowed and runs
 * list       A, or fallback
 * allowed    1: graph-heuristic may take it, without TF32
 * us         microseconds of one run, the median of 5 graphs of 16 runs; empty: it does not run, or not in a graph
 * numerical, behavior   cuDNN's notes with '+' between them
 * refusal    why it has no time
 */
#pragma once

#include "core/command/options.h"
#include "core/status.h"

/* Print the table for convolutions, "NxINxOUTxHxWxKERNEL" each, with the padding that keeps the size; none: those of
 * PredNet at the published size, the most expensive first. SB_E_USAGE: a text is no convolution. SB_E_MISSING: no GPU or
 * no cuDNN is here. */
sb_status sb_engines_print(const sb_texts *convolutions);
