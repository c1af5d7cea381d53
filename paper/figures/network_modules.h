/* The modules of a network, from the list that 'samebits layers' prints (src/verbs/layers.c): what belongs to one
 * name up to its first slash, and which module reads which. */
#pragma once

#include "core/status.h"
#include "io/table.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_module {
    char name[48];          /* "lstm3", of the rows lstm3/input, lstm3/forget, ... */
    const char *kind;       /* of its first row: "convlstm gate" */
    const char *kernel;     /* of its first row: "3x3" or "" */
    const char *activation; /* the same */
    bool pooled;
    long channels, height, width; /* of what others read at its own resolution */
    long parameters;
    int level; /* the number at the end of the name, else 0 */
} sb_module;

typedef struct sb_module_link {
    size_t from, to; /* modules */
    bool late;       /* what is read is of the step before */
} sb_module_link;

typedef struct sb_network_modules {
    size_t n_modules, n_links;
    sb_module *module;    /* in the order of a forward step */
    sb_module_link *link; /* each once, none from a module to itself */
    sb_table table;       /* what the modules' texts point into */
} sb_network_modules;

/* SB_E_INTEGRITY: a row makes no sense, or reads what is not there. The caller frees, also after a failure. */
sb_status sb_network_modules_read(sb_network_modules *layers, const char *path);
void sb_network_modules_free(sb_network_modules *layers);
