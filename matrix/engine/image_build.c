#include "matrix/engine/container.h"

#include "matrix/process/process.h"

#include "core/file.h"

#include <stdlib.h>
#include <string.h>

#define TEMPLATE "containers/Containerfile.in"
#define LOCK     "containers/packages.lock"

/* -- the Containerfile -- */

/* Write what a name of the template stands for, of length n; false: nothing. */
static bool write_meaning(FILE *out, const char *name, size_t n, const sb_stack *stack)
{
    const struct {
        const char *name, *value;
        bool is_major; /* what stands before its first dot */
    } known[] = {{"STACK", stack->name, false},
                 {"CONTENTS", stack->contents, false},
                 {"COMPILER", stack->compiler, false},
                 {"CUBLAS", stack->cublas, false},
                 {"CUBLAS_MAJOR", stack->cublas ? strchr(stack->cublas, '-') + 1 : NULL, true},
                 {"CUDNN", stack->cudnn_part, false},
                 {"CUDNN_MAJOR", stack->cudnn, true},
                 {"PRESET", stack->compiler ? "cuda" : "cpu", false}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) != n || strncmp(known[i].name, name, n) != 0 || !known[i].value) continue;
        fprintf(out, "%.*s", (int)strcspn(known[i].value, known[i].is_major ? "." : ""), known[i].value);
        return true;
    }
    return false;
}

/* One line of n bytes with its names replaced; false: one has no meaning. */
static bool fill_line(FILE *out, const char *line, size_t n, const sb_stack *stack)
{
    const char *end = line + n;
    while (line < end) {
        const char *at = memchr(line, '@', (size_t)(end - line));
        const char *close = at ? memchr(at + 1, '@', (size_t)(end - at - 1)) : NULL;
        if (!close) break;
        fprintf(out, "%.*s", (int)(at - line), line);
        if (!write_meaning(out, at + 1, (size_t)(close - at - 1), stack)) return false;
        line = close + 1;
    }
    fprintf(out, "%.*s\n", (int)(end - line), line);
    return true;
}

sb_status sb_image_fill(char **text, const char *template, const char *path, const sb_stack *stack)
{
    const char *ours = stack->compiler ? "@cuda" : "@cpu", *others = stack->compiler ? "@cpu" : "@cuda";
    size_t size;
    int number = 1;
    bool known = true;
    FILE *out = open_memstream(text, &size);
    if (!out) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    for (const char *line = template; *line && known; number += known) {
        size_t n = strcspn(line, "\n");
        const char *next = line + n + (line[n] == '\n');
        if (strncmp(line, others, strlen(others)) != 0) {
            size_t mark = strncmp(line, ours, strlen(ours)) == 0 ? strlen(ours) : 0;
            if (mark && line[mark] == ' ') mark++;
            known = fill_line(out, line + mark, n - mark, stack);
        }
        line = next;
    }
    bool written = fclose(out) == 0;
    if (known && written) return SB_OK;
    free(*text);
    *text = NULL;
    return written ? sb_fail(SB_E_USAGE, "%s:%d: a name between @ that no row has", path, number)
                   : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
}

static sb_status write_containerfile(const sb_image_recipe *recipe, const char *folder, const sb_stack *stack)
{
    char path[SB_PATH_MAX], target[SB_PATH_MAX], *template, *text;
    snprintf(path, sizeof path, "%.*s/" TEMPLATE, SB_PATH_MAX - 64, recipe->source);
    snprintf(target, sizeof target, "%.*s/Containerfile", SB_PATH_MAX - 64, folder);
    SB_TRY(sb_file_read(path, &template, NULL));
    sb_status status = sb_image_fill(&text, template, path, stack);
    free(template);
    SB_TRY(status);
    status = sb_file_write(target, text, strlen(text));
    free(text);
    return status;
}

/* -- the steps -- */

/* Say the command, run it; a failure is a sentence of how it ended. That of a program of ours keeps its exit code. */
static sb_status run_step(sb_argv *argv, sb_status made, bool is_ours, FILE *talk)
{
    char how[64];
    int end = 0;
    if (made == SB_OK) made = sb_process_run_shown(&end, argv, talk);
    if (made == SB_OK && end != 0) {
        sb_process_end_text(end, how, sizeof how);
        made = sb_fail(is_ours ? sb_process_status(end) : SB_E_DIFFERS, "%s %s: %s", argv->item[0],
                       argv->n > 1 ? argv->item[1] : "", how);
    }
    sb_argv_free(argv);
    return made;
}

static void add_packages(sb_argv *argv, const sb_stack *stack)
{
    if (!stack->compiler) return;
    sb_argv_add(argv, stack->compiler);
    sb_argv_add(argv, stack->cublas);
    sb_argv_add(argv, stack->cudnn_part);
}

static sb_status fetch_packages(const sb_image_recipe *recipe, const char *cache, const sb_stack *stack, FILE *talk)
{
    char lock[SB_PATH_MAX];
    sb_argv argv = {0};
    if (!stack->compiler) return SB_OK;
    snprintf(lock, sizeof lock, "%.*s/" LOCK, SB_PATH_MAX - 64, recipe->source);
    sb_process_add_program(&argv, "samebits-data");
    sb_argv_add(&argv, "fetch");
    sb_argv_add_pair(&argv, "--list", lock);
    sb_argv_add_pair(&argv, "--cache", cache);
    if (recipe->mirror) sb_argv_add_pair(&argv, "--mirror", recipe->mirror);
    if (recipe->offline) sb_argv_add(&argv, "--offline");
    add_packages(&argv, stack);
    return run_step(&argv, sb_argv_check(&argv), true, talk);
}

static sb_status lay_out(const sb_image_recipe *recipe, const char *cache, const char *folder, const sb_stack *stack,
                         FILE *talk)
{
    char script[SB_PATH_MAX], packages[SB_PATH_MAX];
    sb_argv argv = {0};
    snprintf(script, sizeof script, "%.*s/containers/context.sh", SB_PATH_MAX - 64, recipe->source);
    snprintf(packages, sizeof packages, "%.*s/packages", SB_PATH_MAX - 64, cache);
    sb_argv_add_pair(&argv, "sh", script);
    sb_argv_add_pair(&argv, recipe->source, folder);
    sb_argv_add(&argv, packages);
    add_packages(&argv, stack);
    SB_TRY(run_step(&argv, sb_argv_check(&argv), false, talk));
    return write_containerfile(recipe, folder, stack);
}

static sb_status check_source(const char *source)
{
    char path[SB_PATH_MAX];
    snprintf(path, sizeof path, "%.*s/" TEMPLATE, SB_PATH_MAX - 64, source);
    if (sb_file_exists(path)) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: no such file; --source wants the folder of a clone of samebits", path);
}

sb_status sb_image_build(const sb_image_recipe *recipe, const sb_container *container, const sb_stack *stack,
                         FILE *talk)
{
    const char *set = getenv("SAMEBITS_CACHE");
    const char *cache = recipe->cache ? recipe->cache : set && *set ? set : "cache";
    char folder[SB_PATH_MAX];
    sb_argv argv = {0}, strip = {0};
    if (snprintf(folder, sizeof folder, "%s/context/%s", cache, stack->name) > SB_PATH_MAX - 64)
        return sb_file_too_long(cache);
    const sb_container_build build = {stack, folder, recipe->revision, recipe->base};
    SB_TRY(check_source(recipe->source));
    sb_status can_build = sb_container_build_argv(&argv, container, &build);
    if (can_build == SB_OK) can_build = fetch_packages(recipe, cache, stack, talk);
    if (can_build == SB_OK) can_build = lay_out(recipe, cache, folder, stack, talk);
    sb_status status = run_step(&argv, can_build, false, talk);
    if (status == SB_OK) status = sb_container_strip_argv(&strip, container, &build);
    if (strip.n) status = run_step(&strip, status, false, talk);
    if (status == SB_OK) sb_folder_remove(folder);
    return status;
}
