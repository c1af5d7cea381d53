#include "matrix/image/image.h"

#include "core/hash.h"
#include "io/archive.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBER_MAX = 16 << 20 }; /* of the descriptions in an image archive, which are a few KiB */

#define STACK(...) {__VA_ARGS__},
const sb_stack sb_stacks[SB_STACKS] = {SB_STACK_ROWS(STACK)};

const sb_stack *sb_image_stack(long sm)
{
    for (int i = 0; i < SB_STACKS; i++)
        if (sm <= sb_stacks[i].first_to) return &sb_stacks[i];
    return &sb_stacks[SB_STACKS - 1];
}

static bool has_cudnn(const sb_stack *stack, const char *version)
{
    size_t n = strlen(version);
    return stack->cudnn && strncmp(stack->cudnn, version, n) == 0 && (!stack->cudnn[n] || stack->cudnn[n] == '.');
}

void sb_image_cards(const sb_stack *stack, char *text, size_t size)
{
    if (!stack->sm_max)
        snprintf(text, size, "-");
    else if (stack->sm_max >= SB_STACK_SM_MAX)
        snprintf(text, size, "from %ld.%ld", stack->sm_min / 10, stack->sm_min % 10);
    else
        snprintf(text, size, "%ld.%ld to %ld.%ld", stack->sm_min / 10, stack->sm_min % 10, stack->sm_max / 10,
                 stack->sm_max % 10);
}

/* Why none of the stacks with that cuDNN serves the card; of several stacks the one whose cards begin earliest. */
static void explain(long sm, const char *cudnn, char *why, size_t size)
{
    const sb_stack *oldest = NULL;
    char cards[96];
    for (int i = 0; i < SB_STACKS; i++)
        if (has_cudnn(&sb_stacks[i], cudnn) && (!oldest || sb_stacks[i].sm_min < oldest->sm_min))
            oldest = &sb_stacks[i];
    if (!oldest) {
        snprintf(why, size, "no stack has cuDNN %.32s; 'samebits-matrix image list' names those that there are", cudnn);
        return;
    }
    sb_image_cards(oldest, cards, sizeof cards);
    snprintf(why, size, "cuDNN %.32s (stack %s) has code for compute capabilities %s, not for %ld.%ld", cudnn,
             oldest->name, cards, sm / 10, sm % 10);
}

const sb_stack *sb_image_stack_of(long sm, const char *cudnn, char *why, size_t size)
{
    const sb_stack *own = sb_image_stack(sm), *found = NULL;
    if (sm == 0 || !cudnn || strcmp(cudnn, "any") == 0) return own;
    for (int i = 0; i < SB_STACKS; i++) {
        const sb_stack *stack = &sb_stacks[i];
        if (!has_cudnn(stack, cudnn) || (sm <= SB_STACK_SM_MAX && (sm < stack->sm_min || sm > stack->sm_max))) continue;
        if (strcmp(stack->cublas, own->cublas) == 0) return stack;
        if (!found || sm > SB_STACK_SM_MAX) found = stack;
    }
    if (!found && why) explain(sm, cudnn, why, size);
    return found;
}

const sb_stack *sb_image_find(const char *name)
{
    for (int i = 0; i < SB_STACKS; i++)
        if (strcmp(sb_stacks[i].name, name) == 0) return &sb_stacks[i];
    return NULL;
}

void sb_image_tag(const sb_stack *stack, char tag[SB_IMAGE_TAG])
{
    snprintf(tag, SB_IMAGE_TAG, "localhost/samebits:%s", stack->name);
}

sb_status sb_image_archive(char path[SB_PATH_MAX], const sb_stack *stack, const char *folder)
{
    if (snprintf(path, SB_PATH_MAX, "%s/%s.tar", folder, stack->name) > SB_PATH_MAX - 16)
        return sb_file_too_long(folder);
    return SB_OK;
}

/* manifest.json, [{"Config": NAME}], and the configuration that it names, as it is in the archive. */
sb_status sb_image_archive_id(char id[SB_IMAGE_ID], const char *path)
{
    char *text, digest[SB_SHA256_TEXT];
    if (!sb_file_exists(path)) return sb_fail(SB_E_MISSING, "%s: no such file", path);
    SB_TRY(sb_archive_member(&text, path, "manifest.json", MEMBER_MAX));
    json_t *manifest = json_loads(text, 0, NULL);
    free(text);
    const char *name = json_string_value(json_object_get(json_array_get(manifest, 0), "Config"));
    const sb_status status =
        name ? sb_archive_member(&text, path, name, MEMBER_MAX)
             : sb_fail(SB_E_INTEGRITY, "%s: no image archive: its manifest.json names no configuration", path);
    json_decref(manifest);
    SB_TRY(status);
    sb_sha256_bytes(text, strlen(text), digest);
    snprintf(id, SB_IMAGE_ID, "sha256:%s", digest);
    free(text);
    return SB_OK;
}
