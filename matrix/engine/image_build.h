/* From a stack's row to its image: the packages that go into it are fetched by their checksums, laid next to the
 * sources, and built by podman or docker as the stack's Containerfile says. */
#pragma once

#include "matrix/engine/container.h"

#include "core/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_image_recipe {
    const char *source;   /* a clone of samebits */
    const char *revision; /* of it */
    const char *base;     /* local image to build on; NULL: the base image of the Containerfile */
    const char *cache;    /* packages lie in CACHE/packages, what is built from in CACHE/context; NULL: $SAMEBITS_CACHE,
                             else "cache" */
    const char *mirror;   /* folder or address that has the packages; NULL: their own addresses */
    bool offline;         /* the cache and a mirror folder alone */
} sb_image_recipe;

/* Fill the template of a stack's Containerfile: the lines that begin with "@cuda " or "@cpu " are for stacks with or
 * without packages, and @NAME@ stands for what the row says. From malloc. SB_E_USAGE: the template has another name. */
sb_status sb_image_fill(char **text, const char *template, const char *path, const sb_stack *stack);

/* Fetch, lay out and build; the commands are said on talk. SB_E_MISSING: offline, and a package is not here, or an
 * engine that cannot build; SB_E_INTEGRITY: another file was offered; SB_E_USAGE: no clone of samebits; SB_E_DIFFERS: the
 * engine failed, and has said why. */
sb_status sb_image_build(const sb_image_recipe *recipe, const sb_container *container, const sb_stack *stack,
                         FILE *talk);
