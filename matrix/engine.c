#include "engine.h"

#include "process.h"

#include <stdlib.h>
#include <string.h>

struct sb_engine {
    const char *name;
};

sb_status sb_engine_open(sb_engine **engine, const char *name, const char *lock, const sb_cell *const *cells, size_t n,
                         FILE *talk)
{
    (void)lock, (void)cells, (void)n, (void)talk;
    *engine = NULL;
    if (strcmp(name, "auto") != 0 && strcmp(name, "none") != 0)
        return sb_fail(SB_E_USAGE, "--engine wants one of " SB_ENGINE_NAMES ", not '%s'", name);
    *engine = calloc(1, sizeof **engine);
    if (!*engine) return sb_fail(SB_E_MEMORY, "not enough memory for an engine");
    (*engine)->name = "none";
    return SB_OK;
}

void sb_engine_close(sb_engine *engine)
{
    free(engine);
}

const char *sb_engine_name(const sb_engine *engine)
{
    return engine->name;
}

/* The words behind the program's name. */
static void add_training(sb_words *words, const sb_cell *cell, const char *data, const char *run)
{
    sb_words_add(words, "train");
    sb_words_add_pair(words, "--data", data);
    for (sb_factor factor = 0; factor < SB_FACTOR_N; factor++) {
        const char *option = sb_factor_about(factor)->option;
        if (option && cell->value[factor]) sb_words_add_pair(words, option, cell->value[factor]);
    }
    sb_words_add_pair(words, "--cell", cell->name);
    sb_words_add_pair(words, "--record", cell->record);
    sb_words_add_pair(words, "-o", run);
}

sb_status sb_engine_train_words(sb_words *words, const sb_engine *engine, const sb_cell *cell, const char *data,
                                const sb_store *store)
{
    (void)engine;
    char program[SB_PATH_MAX];
    sb_process_program("samebits", program);
    sb_words_add(words, program);
    add_training(words, cell, data, store->run);
    return sb_words_check(words);
}
