/* The good files that edits begin from, small, and what in them edits choose from. */
#pragma once

#include "io/seal.h"
#include "train/setup.h"

#include <stddef.h>

typedef enum sb_template_kind {
    SB_TEMPLATE_VIDEO,
    SB_TEMPLATE_IMAGES,
    SB_TEMPLATE_TEXT,
    SB_TEMPLATE_RUN,
    SB_TEMPLATE_CHECKPOINT,
    SB_TEMPLATE_TRACE,
    SB_TEMPLATE_PREDNET,
    SB_TEMPLATE_AUTOENCODER,
    SB_TEMPLATE_LABELLED,
    SB_TEMPLATE_EVOLUTION,
    SB_TEMPLATE_RECORDING,
    SB_TEMPLATE_OTHER_TRACE,
    SB_N_TEMPLATES
} sb_template_kind;

typedef struct sb_template {
    const char *const *names; /* data sets, and attributes as GROUP@NAME */
    size_t n_names;
    sb_seal_kind kind;
    char *content; /* of the file */
    size_t n_bytes;
} sb_template;

/* Made when one is asked for the first time. */
const sb_template *sb_template_of(sb_template_kind kind);

/* How RUN (of four updates) and CHECKPOINT (of two) were trained on IMAGES; data is to be filled in. */
sb_settings sb_template_settings(void);

/* How EVOLUTION, a checkpoint of two generations, was found on LABELLED. */
sb_settings sb_template_evolution(void);
