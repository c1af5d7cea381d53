#define _POSIX_C_SOURCE 200809L
#include "verbs.h"

#include "container.h"
#include "image_lock.h"
#include "image_move.h"
#include "pins.h"
#include "process.h"

#include "core/options.h"
#include "core/plural.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct image_options { /* of all actions; each has the rows it needs */
    const char *engine, *lock, *base, *source, *file, *data, *folder;
} image_options;

#define ENGINE_OPTION                                                                                                  \
    SB_OPTION_CHOICE(image_options, engine, "--engine", "auto|podman|docker|apptainer", "auto",                        \
                     "whose images; auto: the first that is installed")
#define LOCK_OPTION SB_OPTION_TEXT(image_options, lock, "--lock", "FILE", SB_PINS_FILE, "the lock file")
#define FOLDER_OPTION                                                                                                  \
    SB_OPTION_TEXT_LETTER(image_options, folder, "--folder", 'o', "DIR", "containers", "archives are DIR/STACK.tar")

static const char stacks_help[] = "STACK: cpu, cuda-11.8, cuda-12.9, cuda-13 (containers/STACK.Containerfile).\n";

/* -- what all actions begin with -- */

typedef struct request {
    image_options options;
    const sb_container *container;
    const sb_stack *stack[SB_STACKS]; /* those named, in the order of the table */
    int n;
    bool help;
} request;

static sb_status take_stack(request *r, const char *name)
{
    const sb_stack *stack = sb_image_find(name);
    if (!stack)
        return sb_fail(SB_E_USAGE, "no software stack '%s'; there are cpu, cuda-11.8, cuda-12.9, cuda-13", name);
    for (int i = 0; i < r->n; i++)
        if (r->stack[i] == stack) return sb_fail(SB_E_USAGE, "stack '%s' is named twice", name);
    r->stack[r->n++] = stack;
    return SB_OK;
}

static sb_status begin(request *r, const sb_command *command, int argc, char **argv)
{
    sb_arguments arguments;
    *r = (request){0};
    SB_TRY(sb_options_parse(command, argc, argv, &r->options, &arguments, &r->help));
    if (r->help) return SB_OK;
    for (int i = 0; i < arguments.n; i++) SB_TRY(take_stack(r, arguments.item[i]));
    return sb_container_open(&r->container, r->options.engine);
}

/* Without names: the stacks of the lock. */
static sb_status take_locked(request *r, sb_pins **pins)
{
    SB_TRY(sb_pins_load(pins, r->options.lock));
    bool named = r->n > 0;
    for (uint32_t i = 0; !named && i < (*pins)->n_images; i++)
        r->stack[r->n++] = sb_image_find((*pins)->images[i].stack);
    for (int i = 0; i < r->n; i++) {
        if (sb_pins_image(*pins, r->stack[i])) continue;
        sb_pins_free(*pins);
        return sb_fail(SB_E_USAGE, "%s: names no image of stack %s", r->options.lock, r->stack[i]->name);
    }
    return SB_OK;
}

/* Print the command, run it, say how it ended if not well. */
static sb_status run_words(const sb_words *words)
{
    int end;
    char how[64], *text = sb_words_text(words, true);
    fprintf(stderr, "%s\n", text ? text : "");
    free(text);
    SB_TRY(sb_process_run(&end, words));
    if (end == 0) return SB_OK;
    sb_process_end_text(end, how, sizeof how);
    return sb_fail(SB_E_DIFFERS, "%s %s: %s", words->item[0], words->item[1], how);
}

/* -- build -- */

static sb_status build_stack(const request *r, const sb_stack *stack, const char *revision)
{
    sb_words words = {0};
    char id[SB_IMAGE_ID];
    sb_container_build build = {stack, r->options.source, revision, r->options.base};
    sb_status status = sb_container_build_words(&words, r->container, &build);
    if (status == SB_OK) status = run_words(&words);
    sb_words_free(&words);
    if (status == SB_OK) status = sb_container_image_id(id, r->container, stack, r->options.folder);
    if (status == SB_OK) printf("%s %s\n", stack->name, id);
    return status;
}

/* What git says of the sources; "unknown" without git. The caller frees. */
static char *revision_of(const char *source)
{
    char *revision;
    sb_words words = {0};
    sb_words_add_split(&words, "git -C");
    sb_words_add(&words, source);
    sb_words_add_split(&words, "describe --always --dirty --abbrev=12");
    sb_status status = sb_process_ask(&revision, &words);
    sb_words_free(&words);
    return status == SB_OK ? revision : strdup("unknown");
}

static sb_status image_build(int argc, char **argv)
{
    static const sb_option options[] = {
        ENGINE_OPTION,
        SB_OPTION_TEXT(image_options, base, "--base", "IMAGE", NULL,
                       "build on this image, which is here (see containers/bootstrap.sh)"),
        SB_OPTION_TEXT(image_options, source, "--source", "DIR", ".", "a clone of samebits"),
        SB_OPTION_END,
    };
    static const sb_command command = {"samebits-matrix image",
                                       "build",
                                       "[STACK...]",
                                       "build images (else that of stack cpu) and print their ids",
                                       options,
                                       0,
                                       SB_STACKS,
                                       stacks_help};
    request r;
    SB_TRY(begin(&r, &command, argc, argv));
    if (r.help) return SB_OK;
    if (r.n == 0) SB_TRY(take_stack(&r, "cpu"));
    char *revision = revision_of(r.options.source);
    sb_status status = revision ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory");
    for (int i = 0; status == SB_OK && i < r.n; i++) status = build_stack(&r, r.stack[i], revision);
    free(revision);
    return status;
}

/* -- lock -- */

static sb_status image_lock(int argc, char **argv)
{
    static const sb_option options[] = {
        ENGINE_OPTION,
        LOCK_OPTION,
        FOLDER_OPTION,
        SB_OPTION_TEXT_LETTER(image_options, file, "--file", 'f', "FILE", NULL, "lock this matrix's data sets too"),
        SB_OPTION_TEXT(image_options, data, "--data", "DIR", "cache/data", "where they are"),
        SB_OPTION_END,
    };
    static const sb_command command = {"samebits-matrix image",
                                       "lock",
                                       "[STACK...]",
                                       "write the lock file: the images that are here (or those named)",
                                       options,
                                       0,
                                       SB_STACKS,
                                       stacks_help};
    request r;
    SB_TRY(begin(&r, &command, argc, argv));
    if (r.help) return SB_OK;
    sb_image_lock lock = {0};
    sb_status status = sb_image_lock_stacks(&lock, r.container, r.options.folder, r.stack, r.n);
    if (status == SB_OK && r.options.file) status = sb_image_lock_data(&lock, r.options.file, r.options.data);
    if (status == SB_OK) status = sb_pins_write(&lock.pins, r.options.lock);
    if (status == SB_OK)
        fprintf(stderr, "%s: %u image%s, %u data set%s\n", r.options.lock, lock.pins.n_images,
                sb_plural(lock.pins.n_images), lock.pins.n_data, sb_plural(lock.pins.n_data));
    sb_image_lock_free(&lock);
    return status;
}

/* -- verify -- */

static sb_status image_verify(int argc, char **argv)
{
    static const sb_option options[] = {
        ENGINE_OPTION,
        LOCK_OPTION,
        FOLDER_OPTION,
        SB_OPTION_TEXT(image_options, data, "--data", "DIR", "cache/data", "the locked data sets, as far as made"),
        SB_OPTION_END,
    };
    static const sb_command command = {
        "samebits-matrix image",
        "verify",
        "[STACK...]",
        "hold images and data sets against the lock",
        options,
        0,
        SB_STACKS,
        "exit codes: 0 all as locked, 4 an image or the engine is missing, 7 something differs\n"};
    request r;
    sb_pins *pins;
    SB_TRY(begin(&r, &command, argc, argv));
    if (r.help) return SB_OK;
    SB_TRY(take_locked(&r, &pins));
    sb_image_verdict verdict = {.out = stdout};
    for (int i = 0; i < r.n; i++)
        sb_image_verify(&verdict, r.container, sb_pins_image(pins, r.stack[i]), r.options.folder);
    for (uint32_t i = 0; i < pins->n_data; i++)
        sb_image_verify_data(&verdict, pins, r.options.lock, &pins->data[i], r.options.data);
    sb_pins_free(pins);
    if (verdict.differs)
        return sb_fail(SB_E_INTEGRITY, "%s: %d of what it locks differs", r.options.lock, verdict.differs);
    if (verdict.missing)
        return sb_fail(SB_E_MISSING, "%s: %d of its images are missing", r.options.lock, verdict.missing);
    return SB_OK;
}

/* -- save and load -- */

/* Move each of the locked images by its archive; `done` is what then became of it, before the archive's path. */
static sb_status move_locked(const sb_command *command, int argc, char **argv,
                             sb_status (*move)(const sb_container *, const sb_pinned_image *, const char *folder),
                             const char *done)
{
    request r;
    sb_pins *pins;
    SB_TRY(begin(&r, command, argc, argv));
    if (r.help) return SB_OK;
    SB_TRY(take_locked(&r, &pins));
    sb_status status = SB_OK;
    for (int i = 0; status == SB_OK && i < r.n; i++) {
        const char *stack = r.stack[i]->name, *folder = r.options.folder;
        status = move(r.container, sb_pins_image(pins, r.stack[i]), folder);
        if (status == SB_OK) fprintf(stderr, "%s: %s %s/%s.tar\n", stack, done, folder, stack);
    }
    sb_pins_free(pins);
    return status;
}

static const sb_option move_options[] = {ENGINE_OPTION, LOCK_OPTION, FOLDER_OPTION, SB_OPTION_END};

static sb_status image_save(int argc, char **argv)
{
    static const sb_command command = {"samebits-matrix image",
                                       "save",
                                       "[STACK...]",
                                       "write the locked images into archives",
                                       move_options,
                                       0,
                                       SB_STACKS,
                                       stacks_help};
    return move_locked(&command, argc, argv, sb_image_save, "saved as");
}

static sb_status image_load(int argc, char **argv)
{
    static const sb_command command = {"samebits-matrix image",
                                       "load",
                                       "[STACK...]",
                                       "take the locked images out of archives, if they are those of the lock",
                                       move_options,
                                       0,
                                       SB_STACKS,
                                       stacks_help};
    return move_locked(&command, argc, argv, sb_image_load, "loaded, as locked, from");
}

/* -- the verb -- */

static const struct {
    const char *name;
    sb_status (*run)(int argc, char **argv);
    const char *summary;
} actions[] = {
    {"build", image_build, "build an image from its Containerfile"},
    {"lock", image_lock, "write down which images (and data sets) are here"},
    {"verify", image_verify, "hold those that are here against the lock"},
    {"save", image_save, "write the locked images into archives"},
    {"load", image_load, "take them out again"},
};

static void print_help(FILE *out)
{
    fprintf(out, "usage: samebits-matrix image ACTION [STACK...] [options]\nthe images that cells run in\n\n");
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        fprintf(out, "  %-8s %s\n", actions[i].name, actions[i].summary);
    fprintf(out, "\n%s'samebits-matrix image ACTION --help' lists an action's options.\n", stacks_help);
}

sb_status sb_verb_image(int argc, char **argv)
{
    if (argc < 1) {
        print_help(stderr);
        return sb_fail(SB_E_USAGE, "samebits-matrix image: wants an action");
    }
    if (strcmp(argv[0], "-h") == 0 || strcmp(argv[0], "--help") == 0) {
        print_help(stdout);
        return SB_OK;
    }
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, argv[0]) == 0) return actions[i].run(argc - 1, argv + 1);
    return sb_fail(SB_E_USAGE, "samebits-matrix image: unknown action '%s' (see 'samebits-matrix image --help')",
                   argv[0]);
}
