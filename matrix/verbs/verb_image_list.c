#include "matrix/verbs/verbs.h"

#include "matrix/engine/container.h"

#include <stdio.h>

typedef struct list_options {
    const char *engine, *folder;
} list_options;

static const sb_option options[] = {
    SB_OPTION_CHOICE(list_options, engine, "--engine", "auto|podman|docker|apptainer", "auto",
                     "engine that has the images; auto: the first that is installed"),
    SB_OPTION_TEXT_LETTER(list_options, folder, "--folder", 'o', "DIR", "containers", "archives are DIR/STACK.tar"),
    SB_OPTION_END,
};

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
    const list_options *o = call->values;
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
    .options = options,
    .values_bytes = sizeof(list_options),
    .epilogue = "cards: compute capabilities; chosen: cells without cudnn_version take the first row with their GPU.\n",
    .run = image_list,
};
