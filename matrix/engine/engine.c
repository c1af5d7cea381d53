#include "matrix/engine/engine.h"

#include "matrix/engine/container.h"
#include "matrix/image/image.h"
#include "matrix/process/process.h"
#include "matrix/store/program.h"

#include "io/h5/h5_attribute.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sb_engine {
    const char *matrix;            /* path of the matrix file */
    const sb_container *container; /* NULL: none */
    sb_image_lock *locked;         /* NULL: there is no lock */
    char lock[SB_PATH_MAX];
    char archives[SB_PATH_MAX]; /* the folder of the lock file */
};

/* -- opening -- */

/* The path from the root, its links resolved as far as it exists. */
static void absolute(char full[SB_PATH_MAX], const char *path)
{
    char here[SB_PATH_MAX];
    if (realpath(path, full)) return;
    if (*path == '/' || !getcwd(here, sizeof here) || strlen(here) + strlen(path) + 2 > SB_PATH_MAX) *here = 0;
    int room = SB_PATH_MAX - (int)strlen(here) - 2;
    snprintf(full, SB_PATH_MAX, "%s%s%.*s", here, *here ? "/" : "", room, path);
}

static sb_status open_lock(sb_engine *engine, const char *lock)
{
    if (!lock && !sb_file_exists(SB_IMAGE_LOCK_FILE)) return SB_OK;
    snprintf(engine->lock, sizeof engine->lock, "%s", lock ? lock : SB_IMAGE_LOCK_FILE);
    absolute(engine->archives, engine->lock);
    char *slash = strrchr(engine->archives, '/');
    if (slash) *slash = 0;
    return sb_image_lock_load(&engine->locked, engine->lock);
}

static sb_container_task image_task(const sb_engine *engine, const sb_stack *stack)
{
    const sb_locked_image *image = sb_image_lock_image(engine->locked, stack);
    return (sb_container_task){.stack = stack, .id = image ? image->id : NULL, .folder = engine->archives};
}

static sb_status check_stack(const sb_engine *engine, const sb_container *container, const sb_stack *stack)
{
    sb_container_task task = image_task(engine, stack);
    if (!task.id)
        return sb_fail(SB_E_MISSING,
                       "%s: names no image of stack %s (%s); 'samebits-matrix image build %s', then 'image lock'",
                       engine->lock, stack->name, stack->contents, stack->name);
    return sb_container_check(container, stack, task.id, engine->archives);
}

/* Does it have every image that the cells want, and can it start one? */
static sb_status try_container(const sb_engine *engine, const sb_container *container, const sb_cell *const *cells,
                               size_t n)
{
    const sb_stack *wanted = NULL;
    for (int i = 0; i < SB_STACKS; i++) {
        bool used = false;
        for (size_t k = 0; k < n && !used; k++) used = cells[k]->stack == &sb_stacks[i];
        if (!used) continue;
        wanted = &sb_stacks[i];
        SB_TRY(check_stack(engine, container, wanted));
    }
    if (!wanted) return SB_OK;
    sb_container_task task = image_task(engine, wanted);
    char *info;
    SB_TRY(sb_container_info(&info, container, &task));
    free(info);
    return SB_OK;
}

/* Prints the revision, because an image does not change with the sources. */
static void take(sb_engine *engine, const sb_container *container, const char *why, FILE *talk)
{
    engine->container = container;
    fprintf(talk, "engine: %s%s the images of %s, revision %s\n", sb_container_name(container), why, engine->lock,
            engine->locked->images[0].revision);
}

static sb_status choose_named(sb_engine *engine, const char *name, const sb_cell *const *cells, size_t n, FILE *talk)
{
    const sb_container *container = sb_container_find(name);
    if (!container) return sb_fail(SB_E_USAGE, "--engine wants one of " SB_ENGINE_NAMES ", not '%s'", name);
    if (!engine->locked)
        return sb_fail(SB_E_MISSING,
                       "--engine %s wants a lock file, and " SB_IMAGE_LOCK_FILE
                       " is not here; 'samebits-matrix image build cpu', then 'image lock'",
                       name);
    SB_TRY(try_container(engine, container, cells, n));
    take(engine, container, ", with", talk);
    return SB_OK;
}

static sb_status choose_first(sb_engine *engine, const sb_cell *const *cells, size_t n, FILE *talk)
{
    if (!engine->locked) return SB_OK; /* nothing asks for containers: nothing to say */
    char reasons[1024] = "", differs[512] = "";
    const sb_container *container;
    for (int i = 0; (container = sb_container_at(i)); i++) {
        sb_status status = try_container(engine, container, cells, n);
        if (status == SB_OK) {
            take(engine, container, ", the first that starts", talk);
            return SB_OK;
        }
        size_t used = strlen(reasons);
        snprintf(reasons + used, sizeof reasons - used, "; %.*s", 300, sb_message());
        if (status == SB_E_INTEGRITY && !*differs) snprintf(differs, sizeof differs, "%.500s", sb_message());
    }
    /* A wrong image under the right name is an error; running without it would hide that. */
    if (*differs) return sb_fail(SB_E_INTEGRITY, "%s", differs);
    fprintf(talk, "engine: none%s\n", reasons);
    return SB_OK;
}

static sb_status choose(sb_engine *engine, const char *name, const sb_cell *const *cells, size_t n, FILE *talk)
{
    if (cells[0]->study->command) return sb_custom_image_choose(&engine->container, name, cells, n, talk);
    if (strcmp(name, "none") == 0) return SB_OK;
    return strcmp(name, "auto") == 0 ? choose_first(engine, cells, n, talk)
                                     : choose_named(engine, name, cells, n, talk);
}

sb_status sb_engine_open(sb_engine **engine, const char *matrix, const char *name, const char *lock,
                         const sb_cell *const *cells, size_t n, FILE *talk)
{
    *engine = calloc(1, sizeof **engine);
    if (!*engine) return sb_fail(SB_E_MEMORY, "not enough memory for an engine");
    (*engine)->matrix = matrix;
    sb_status status = open_lock(*engine, lock);
    if (status == SB_OK && n) status = choose(*engine, name, cells, n, talk);
    if (status == SB_OK) return SB_OK;
    sb_engine_close(*engine);
    *engine = NULL;
    return status;
}

void sb_engine_close(sb_engine *engine)
{
    if (!engine) return;
    sb_image_lock_free(engine->locked);
    free(engine);
}

sb_status sb_engine_check_data(const sb_engine *engine, const char *path)
{
    return engine->locked ? sb_image_lock_check_data(engine->locked, engine->lock, path) : SB_OK;
}

/* -- a cell's command line -- */

/* A command without an image is a process of this machine, whatever runs the others. */
static bool in_container(const sb_engine *engine, const sb_cell *cell)
{
    return engine->container && (!cell->study->command || cell->study->image);
}

/* The trainer is told paths as they are. A command runs in another folder, so that its paths begin at the root. */
static sb_status add_local(sb_argv *argv, const sb_engine *engine, const sb_cell *cell, const char *data,
                           const sb_store *store)
{
    const sb_cell_program *program = sb_cell_program_of(cell);
    const sb_command_paths given = {data, store->output, store->kept};
    char file[SB_PATH_MAX], output[SB_PATH_MAX], kept[SB_PATH_MAX];
    absolute(file, data);
    absolute(output, store->output);
    absolute(kept, store->kept);
    const sb_command_paths from_root = {cell->data ? file : NULL, output, kept};
    const sb_command_paths *paths = cell->study->command ? &from_root : &given;
    SB_TRY(program->add_start(argv, cell, engine->matrix, paths));
    program->add_argv(argv, cell, paths);
    return sb_argv_check(argv);
}

/* The path of a cell's run file from the root, in its folder. */
static sb_status locate_run(char run[SB_PATH_MAX], char folder[SB_PATH_MAX], const sb_store *store)
{
    const char *run_name = strrchr(store->run, '/') + 1;
    absolute(folder, store->folder);
    if (strlen(folder) + strlen(run_name) + 2 > SB_PATH_MAX) return sb_file_too_long(folder);
    snprintf(run, SB_PATH_MAX, "%.*s/%.64s", SB_PATH_MAX - 128, folder, run_name);
    return SB_OK;
}

enum { CONTAINER_NAME = 64 };

static void name_container(char name[CONTAINER_NAME], const sb_cell *cell, const char *run)
{
    char digest[SB_SHA256_TEXT];
    sb_sha256_bytes(run, strlen(run), digest);
    snprintf(name, CONTAINER_NAME, "samebits-%.*s-%.8s", SB_CELL_HASH_SHOWN, cell->hash, digest);
}

/* In a container both paths are the real ones from the root: there a relative one or a link would lead nowhere. */
static sb_status add_contained(sb_argv *argv, const sb_engine *engine, const sb_cell *cell, const char *data,
                               const sb_store *store)
{
    char file[SB_PATH_MAX], folder[SB_PATH_MAX], run[SB_PATH_MAX], name[CONTAINER_NAME];
    if (cell->emulator)
        return sb_fail(SB_E_MISSING, "%s: trains below '%s', which images have not; choose --engine none", cell->name,
                       cell->emulator);
    if (sb_launcher_ranks(cell->value) > 1)
        return sb_fail(SB_E_MISSING, "%s: trains with %s ranks, for which images have no MPI; choose --engine none",
                       cell->name, cell->value[SB_SETTING_RANKS]);
    absolute(file, data);
    SB_TRY(locate_run(run, folder, store));
    name_container(name, cell, run);
    sb_container_task task = image_task(engine, cell->stack);
    task.name = name;
    task.data = file;
    task.output = folder;
    SB_TRY(sb_container_run_argv(argv, engine->container, &task));
    sb_cell_program_of(cell)->add_argv(argv, cell, &(sb_command_paths){file, run, NULL});
    return sb_argv_check(argv);
}

/* A command in the image of its study. */
static sb_status add_command(sb_argv *argv, const sb_engine *engine, const sb_cell *cell, const char *data,
                             const sb_store *store)
{
    char file[SB_PATH_MAX], folder[SB_PATH_MAX], run[SB_PATH_MAX], work[SB_PATH_MAX], output[SB_PATH_MAX],
        kept[SB_PATH_MAX], name[CONTAINER_NAME];
    sb_argv environment = {0};
    absolute(file, data);
    SB_TRY(locate_run(run, folder, store));
    absolute(output, store->output);
    absolute(kept, store->kept);
    SB_TRY(sb_command_folder(work, engine->matrix));
    name_container(name, cell, run);
    const sb_command_paths paths = {cell->data ? file : NULL, output, kept};
    sb_command_environment(&environment, cell, &paths);
    const sb_container_task task = {.id = cell->study->image,
                                    .name = name,
                                    .data = paths.data,
                                    .output = folder,
                                    .work = work,
                                    .environment = &environment,
                                    .without_gpu = !cell->wants_gpu};
    sb_status status = sb_container_run_argv(argv, engine->container, &task);
    sb_argv_free(&environment);
    SB_TRY(status);
    sb_cell_program_of(cell)->add_argv(argv, cell, &paths);
    return sb_argv_check(argv);
}

sb_status sb_engine_train_argv(sb_argv *argv, const sb_engine *engine, const sb_cell *cell, const char *data,
                               const sb_store *store)
{
    if (!in_container(engine, cell)) return add_local(argv, engine, cell, data, store);
    return (cell->study->command ? add_command : add_contained)(argv, engine, cell, data, store);
}

sb_status sb_engine_kill_argv(sb_argv *argv, const sb_engine *engine, const sb_cell *cell, const sb_store *store)
{
    char folder[SB_PATH_MAX], run[SB_PATH_MAX], name[CONTAINER_NAME];
    if (!in_container(engine, cell)) return SB_OK;
    SB_TRY(locate_run(run, folder, store));
    name_container(name, cell, run);
    return sb_container_kill_argv(argv, engine->container, name);
}

/* -- afterwards -- */

bool sb_engine_is_locked_run(const sb_engine *engine, const sb_cell *cell, const sb_store *store, char why[SB_WHY])
{
    char build_id[SB_SHA256_TEXT] = "none";
    const bool is_locked = engine->locked && cell->stack && !cell->emulator && sb_launcher_ranks(cell->value) == 1;
    const sb_locked_image *image = is_locked ? sb_image_lock_image(engine->locked, cell->stack) : NULL;
    sb_h5 *file;
    *why = 0;
    if (!image || sb_h5_open(&file, store->run, SB_SEAL_RUNS) != SB_OK) return true;
    if (sb_h5_has(file, "env", "build_id")) (void)sb_h5_get_text(file, "env", "build_id", build_id, sizeof build_id);
    sb_h5_close(file);
    if (strcmp(build_id, image->build_id) == 0) return true;
    snprintf(why, SB_WHY, "the trainer's build id is %.40s, the lock says %.40s", build_id, image->build_id);
    return false;
}
