#define _POSIX_C_SOURCE 200809L
#include "paper/results/machine_facts.h"

#include "io/h5/h5_attribute.h"
#include "io/h5/h5_walk.h"
#include "paper/files/path.h"
#include "paper/results/runs.h"

#include <stdlib.h>
#include <string.h>

static sb_status insert_fact(sb_machine_facts *facts, size_t place, const char *name, const char *value)
{
    sb_machine_fact *grown = realloc(facts->fact, (facts->n + 1) * sizeof *grown);
    if (!grown) return sb_fail(SB_E_MEMORY, "not enough memory for the facts of the machine");
    facts->fact = grown;
    sb_machine_fact fact = {strdup(name), strdup(value), 1};
    if (!fact.name || !fact.value) {
        free(fact.name);
        free(fact.value);
        return sb_fail(SB_E_MEMORY, "not enough memory for the facts of the machine");
    }
    memmove(&grown[place + 1], &grown[place], (facts->n - place) * sizeof *grown);
    grown[place] = fact;
    facts->n++;
    return SB_OK;
}

typedef struct env_walk {
    sb_h5 *file;
    sb_machine_facts *facts;
} env_walk;

static sb_status add_fact(void *context, const char *name)
{
    env_walk *walk = context;
    char value[8192];
    SB_TRY(sb_h5_attribute_text(walk->file, "env", name, value, sizeof value));
    size_t place = walk->facts->n;
    for (size_t i = 0; i < walk->facts->n; i++) {
        sb_machine_fact *fact = &walk->facts->fact[i];
        if (strcmp(fact->name, name) != 0) continue;
        place = i + 1;
        if (strcmp(fact->value, value) == 0) {
            fact->n_cells++;
            return SB_OK;
        }
    }
    return insert_fact(walk->facts, place, name, value);
}

/* The table read back: n_runs is the most runs that share a value. */
static sb_status read_table(sb_machine_facts *facts, const char *path)
{
    sb_table table;
    size_t name, value, runs;
    *facts = (sb_machine_facts){0};
    SB_TRY(sb_table_read(&table, path, &sb_columns_environment));
    sb_status status = sb_table_column(&table, "name", &name);
    if (status == SB_OK) status = sb_table_column(&table, "value", &value);
    if (status == SB_OK) status = sb_table_column(&table, "runs", &runs);
    for (size_t i = 0; status == SB_OK && i < table.n_rows; i++) {
        long n = 0;
        status = sb_table_int(&table, i, runs, &n);
        if (status == SB_OK)
            status = insert_fact(facts, facts->n, sb_table_text(&table, i, name), sb_table_text(&table, i, value));
        if (status != SB_OK) break;
        facts->fact[i].n_cells = n > 0 ? (size_t)n : 0;
        if (facts->fact[i].n_cells > facts->n_runs) facts->n_runs = facts->fact[i].n_cells;
    }
    sb_table_free(&table);
    if (status != SB_OK) sb_machine_facts_free(facts);
    return status;
}

static sb_status read_beside(sb_machine_facts *facts, const char *folder)
{
    char path[SB_PATH_MAX];
    SB_TRY(sb_path_join(path, folder, "%s", SB_ENVIRONMENT_FILE));
    return sb_file_exists(path) ? read_table(facts, path) : SB_OK;
}

sb_status sb_run_facts(sb_machine_facts *facts, const sb_results *results, const char *folder, sb_notes *notes)
{
    *facts = (sb_machine_facts){0};
    const char *first_absent = NULL;
    for (size_t i = 0; i < results->n_cells; i++) {
        const sb_result *cell = &results->cell[i];
        char path[SB_PATH_MAX];
        bool there;
        SB_TRY(sb_run_find(results, cell, path, &there));
        if (!there) {
            if (!first_absent) first_absent = *cell->run ? cell->run : cell->name;
            continue;
        }
        env_walk walk = {.facts = facts};
        SB_TRY(sb_h5_open(&walk.file, path, SB_SEAL_RUNS | SB_SEAL_CHECKED | SB_SEAL_AT_ONCE));
        sb_status status = sb_h5_each_attribute(walk.file, "env", add_fact, &walk);
        sb_h5_close(walk.file);
        SB_TRY(status);
        facts->n_runs++;
    }
    if (!first_absent) return SB_OK;
    if (facts->n_runs == 0) {
        return read_beside(facts, folder); /* that no run file is here, the grids of frames say */
    }
    return sb_notes_add(notes, "%zu of %zu run files are absent, the first is %s: the machines of these runs are not shown",
                        results->n_cells - facts->n_runs, results->n_cells, first_absent);
}

/* A value's lines as one, from malloc. */
static sb_status join_lines(const sb_machine_fact *fact, char **text)
{
    sb_writer *line = sb_writer_open(&sb_plain);
    for (const char *value = fact->value; *value;) {
        size_t n = strcspn(value, "\n");
        sb_write(line, value[n] ? "%.*s | " : "%.*s", (int)n, value);
        value += n + (value[n] != 0);
    }
    return sb_writer_close(line, fact->name, text, NULL);
}

sb_status sb_machine_facts_write(sb_writer *csv, const sb_machine_facts *facts)
{
    sb_columns_write(csv, &sb_columns_environment);
    for (size_t i = 0; i < facts->n; i++) {
        char *value;
        SB_TRY(join_lines(&facts->fact[i], &value));
        sb_write(csv, "%s,%s,%zu\n", facts->fact[i].name, value, facts->fact[i].n_cells);
        free(value);
    }
    return SB_OK;
}

void sb_machine_facts_free(sb_machine_facts *facts)
{
    for (size_t i = 0; i < facts->n; i++) {
        free(facts->fact[i].name);
        free(facts->fact[i].value);
    }
    free(facts->fact);
    *facts = (sb_machine_facts){0};
}
