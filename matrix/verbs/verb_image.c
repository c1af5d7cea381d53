#include "matrix/verbs/verbs.h"

#include "matrix/engine/container.h"
#include "matrix/image/image.h"
#include "matrix/process/process.h"

#include "core/command/usage.h"
#include "core/text/plural.h"

#include <stdio.h>
#include <string.h>

typedef struct image_options { /* of all actions; each has the rows it needs */
    const char *engine, *lock, *base, *source, *file, *data, *folder, *mirror, *cache;
    bool offline;
} image_options;

#define ENGINE_OPTION                                                                                                  \
    SB_OPTION_CHOICE(image_options, engine, "--engine", "auto|podman|docker|apptainer", "auto",                        \
                     "engine that has the images; auto: the first that is installed")
#define FOLDER_OPTION                                                                                                  \
    SB_OPTION_TEXT_LETTER(image_options, folder, "--folder", 'o', "DIR", "containers", "archives are DIR/STACK.tar")

static const char stacks_help[] = "STACK: a name of 'samebits-matrix image list', or all.\n";

/* -- what all actions begin with -- */

typedef struct request {
    image_options options;
    const sb_container *container;
    const sb_stack *stack[SB_STACKS]; /* those named, in the order of the table */
    int n;
} request;

static sb_status take_stack(request *r, const char *name)
{
    const sb_stack *stack = sb_image_find(name);
    if (!stack) {
        sb_nearest nearest = sb_nearest_begin(name);
        for (int i = 0; i < SB_STACKS; i++) sb_nearest_offer(&nearest, sb_stacks[i].name);
        return sb_usage_unknown("samebits-matrix image", "software stack", &nearest,
                                "samebits-matrix image build --help");
    }
    for (int i = 0; i < r->n; i++)
        if (r->stack[i] == stack) return sb_fail(SB_E_USAGE, "stack '%s' is named twice", name);
    r->stack[r->n++] = stack;
    return SB_OK;
}

static sb_status begin(request *r, const sb_call *call)
{
    *r = (request){.options = *(const image_options *)call->values};
    const bool all = call->arguments.n == 1 && strcmp(call->arguments.item[0], "all") == 0;
    for (int i = 0; all && i < SB_STACKS; i++) SB_TRY(take_stack(r, sb_stacks[i].name));
    for (int i = 0; !all && i < call->arguments.n; i++) SB_TRY(take_stack(r, call->arguments.item[i]));
    return sb_container_open(&r->container, r->options.engine);
}

/* -- list -- */

static const sb_option list_options[] = {ENGINE_OPTION, FOLDER_OPTION, SB_OPTION_END};

/* Of cells that name no cudnn_version. */
static void choice_text(const sb_stack *stack, char *text, size_t size)
{
    if (!stack->sm_max)
        snprintf(text, size, "no card");
    else if (stack->first_to < 0)
        snprintf(text, size, "-");
    else if (stack->first_to >= SB_STACK_SM_MAX)
        snprintf(text, size, "newer");
    else
        snprintf(text, size, "up to %ld.%ld", stack->first_to / 10, stack->first_to % 10);
}

static void image_text(const sb_stack *stack, const sb_container *container, const char *folder, char *text,
                       size_t size)
{
    char id[SB_IMAGE_ID];
    long long n_bytes;
    snprintf(text, size, "not here");
    if (!container || sb_container_image_id(id, container, stack, folder) != SB_OK) return;
    if (sb_container_image_bytes(&n_bytes, container, stack, folder) == SB_OK)
        snprintf(text, size, "%.19s..., %.0f MB", id, (double)n_bytes / 1e6);
}

static sb_status image_list(const sb_call *call)
{
    const image_options *o = call->values;
    const sb_container *container;
    if (sb_container_open(&container, o->engine) != SB_OK) container = NULL;
    printf("%-20s  %-10s  %-9s  %-6s  %-6s  %s\n", "stack", "cards", "chosen", "driver", "cuDNN", "image");
    for (int i = 0; i < SB_STACKS; i++) {
        const sb_stack *stack = &sb_stacks[i];
        char cards[96], choice[64], driver[32] = "-", image[96];
        sb_image_cards(stack, cards, sizeof cards);
        choice_text(stack, choice, sizeof choice);
        image_text(stack, container, o->folder, image, sizeof image);
        if (stack->driver) snprintf(driver, sizeof driver, ">=%ld", stack->driver);
        printf("%-20s  %-10s  %-9s  %-6s  %-6s  %s\n", stack->name, cards, choice, driver,
               stack->cudnn ? stack->cudnn : "-", image);
    }
    return SB_OK;
}

const sb_command sb_verb_image_list = {
    .program = "samebits-matrix",
    .verb = "image list",
    .summary = "list the stacks: their GPUs, their cuDNN, and whether their images are here",
    .options = list_options,
    .values_bytes = sizeof(image_options),
    .epilogue = "cards: compute capabilities; chosen: cells without cudnn_version take the first row with their GPU.\n",
    .run = image_list,
};

/* -- build -- */

static sb_status build_stack(const request *r, const sb_stack *stack, const char *revision)
{
    const image_options *o = &r->options;
    char id[SB_IMAGE_ID];
    const sb_image_recipe recipe = {o->source, revision, o->base, o->cache, o->mirror, o->offline};
    SB_TRY(sb_image_build(&recipe, r->container, stack, stderr));
    SB_TRY(sb_container_image_id(id, r->container, stack, o->folder));
    printf("%s %s\n", stack->name, id);
    return SB_OK;
}

/* What the sources say of themselves; "unknown" if nothing. The caller frees. */
static char *revision_of(const char *source)
{
    char *revision, script[SB_PATH_MAX];
    snprintf(script, sizeof script, "%.*s/cmake/revision.sh", SB_PATH_MAX - 32, source);
    return sb_process_ask_words(&revision, "sh", script) == SB_OK ? revision : strdup("unknown");
}

static const sb_option build_options[] = {
    ENGINE_OPTION,
    SB_OPTION_TEXT(image_options, base, "--base", "IMAGE", NULL,
                   "base image on this machine (see containers/bootstrap.sh)"),
    SB_OPTION_TEXT(image_options, source, "--source", "DIR", ".", "a clone of samebits"),
    SB_OPTION_TEXT(image_options, mirror, "--mirror", "DIR|URL", NULL,
                   "folder or address to search first for packages of containers/packages.lock"),
    SB_OPTION_FLAG(image_options, offline, "--offline", "use the cache and a --mirror folder, no network"),
    SB_OPTION_TEXT(image_options, cache, "--cache", "DIR", NULL,
                   "cache of packages; default: $SAMEBITS_CACHE, else "
                   "'cache'"),
    SB_OPTION_END,
};

static sb_status image_build(const sb_call *call)
{
    request r;
    SB_TRY(begin(&r, call));
    if (r.n == 0) SB_TRY(take_stack(&r, "cpu"));
    SB_FREED char *revision = revision_of(r.options.source);
    if (revision && strcmp(revision, "unknown") == 0)
        fprintf(stderr,
                "%s: the revision of these sources is unknown, and so it is in what the image's runs record; "
                "'sh cmake/revision.sh' there says why\n",
                r.options.source);
    SB_TRY(revision ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory"));
    for (int i = 0; i < r.n; i++) SB_TRY(build_stack(&r, r.stack[i], revision));
    return SB_OK;
}

const sb_command sb_verb_image_build = {
    .program = "samebits-matrix",
    .verb = "image build",
    .summary = "build images (default: of the stack cpu) and print their ids",
    .arguments = "[STACK...]",
    .options = build_options,
    .values_bytes = sizeof(image_options),
    .max_arguments = SB_STACKS,
    .epilogue = stacks_help,
    .run = image_build,
};

/* -- lock -- */

static const sb_option lock_options[] = {
    ENGINE_OPTION,
    SB_OPTION_TEXT(image_options, lock, "--lock", "FILE", SB_IMAGE_LOCK_FILE, "the lock file"),
    FOLDER_OPTION,
    SB_OPTION_TEXT_LETTER(image_options, file, "--file", 'f', "FILE", NULL,
                          "also lock the data sets of this matrix file"),
    SB_OPTION_TEXT(image_options, data, "--data", "DIR", "cache/data", "folder of these data sets"),
    SB_OPTION_END,
};

static sb_status image_lock(const sb_call *call)
{
    request r;
    SB_TRY(begin(&r, call));
    SB_OWNED(sb_image_lock_drop) sb_image_lock lock = {0};
    SB_TRY(sb_image_lock_add_stacks(&lock, r.container, r.options.folder, r.stack, r.n));
    if (r.options.file) SB_TRY(sb_image_lock_add_data(&lock, r.options.file, r.options.data));
    SB_TRY(sb_image_lock_write(&lock, r.options.lock));
    fprintf(stderr, "%s: %u image%s, %u data set%s\n", r.options.lock, lock.n_images, sb_plural(lock.n_images),
            lock.n_data, sb_plural(lock.n_data));
    return SB_OK;
}

const sb_command sb_verb_image_lock = {
    .program = "samebits-matrix",
    .verb = "image lock",
    .summary = "write the lock file with the images that are here (or the named ones)",
    .arguments = "[STACK...]",
    .options = lock_options,
    .values_bytes = sizeof(image_options),
    .max_arguments = SB_STACKS,
    .epilogue = stacks_help,
    .run = image_lock,
};
