#include "paper/results/machine_facts.h"

#include "io/h5/h5_attribute.h"
#include "io/h5/h5_walk.h"
#include "paper/results/rows.h"
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

typedef struct fact_row {
    const char *name, *value;
    long runs;
} fact_row;

static const sb_row_column columns[] = {
    {"name", sb_field_text, offsetof(fact_row, name)},
    {"value", sb_field_text, offsetof(fact_row, value)},
    {"runs", sb_field_int, offsetof(fact_row, runs)},
    {0},
};

/* The table read back: n_runs is the most runs that share a value. */
static sb_status read_beside(sb_machine_facts *facts, const char *folder)
{
    SB_OWNED(sb_rows_free) sb_rows rows = {0};
    SB_TRY(sb_rows_read(&rows, folder, &sb_columns_environment, NULL, columns, sizeof(fact_row)));
    for (size_t i = 0; i < rows.n; i++) {
        const fact_row *row = (const fact_row *)rows.row + i;
        const size_t n = row->runs > 0 ? (size_t)row->runs : 0;
        SB_TRY(insert_fact(facts, facts->n, row->name, row->value));
        facts->fact[i].n_cells = n;
        if (n > facts->n_runs) facts->n_runs = n;
    }
    return SB_OK;
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
        SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
        SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS | SB_SEAL_CHECKED | SB_SEAL_AT_ONCE));
        SB_TRY(sb_h5_each_attribute(file, "env", add_fact, &(env_walk){file, facts}));
        facts->n_runs++;
    }
    if (!first_absent) return SB_OK;
    if (facts->n_runs == 0) {
        return read_beside(facts, folder); /* that no run file is here, the grids of frames say */
    }
    return sb_notes_add(notes,
                        "%zu of %zu run files are absent, the first is %s: the machines of these runs are not shown",
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
