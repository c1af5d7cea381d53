#include "matrix/verbs/matrix_session.h"

#include "matrix/data/data_source.h"
#include "matrix/engine/container.h"
#include "matrix/engine/engine.h"
#include "matrix/process/process.h"
#include "matrix/store/store.h"

#include "core/machine/environment.h"
#include "core/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- programs -- */

/* The first line a program says of itself; NULL: it is not there. The caller frees. */
static char *ask(const char *program, const char *word)
{
    char *answer;
    (void)sb_process_ask_words(&answer, program, word);
    if (answer) answer[strcspn(answer, "\n")] = 0;
    return answer;
}

static void add(sb_doctor *doctor, const char *section, const char *name, bool present, const char *text)
{
    sb_doctor_fact *more = realloc(doctor->fact, (doctor->n + 1) * sizeof *more);
    if (!more) {
        doctor->is_short = true;
        return;
    }
    doctor->fact = more;
    sb_doctor_fact *fact = &more[doctor->n++];
    *fact = (sb_doctor_fact){.section = section, .present = present};
    snprintf(fact->name, sizeof fact->name, "%s", name);
    snprintf(fact->text, sizeof fact->text, "%s", text);
}

static bool has_program(const char *name, char path[SB_PATH_MAX])
{
    sb_process_program(name, path);
    char *answer = strchr(path, '/') ? NULL : ask(path, "--help");
    bool found = answer || access(path, X_OK) == 0;
    free(answer);
    return found;
}

static bool add_tools(sb_doctor *doctor)
{
    static const struct {
        const char *name, *absent;
    } own[] = {{"samebits", "absent: nothing can be trained; make build"},
               {"samebits-data", "absent: no data set can be made; make build"},
               {"samebits-report", "absent: no tables and figures; make build"}};
    char path[SB_PATH_MAX];
    bool found[3];
    for (int i = 0; i < 3; i++) {
        found[i] = has_program(own[i].name, path);
        add(doctor, "tools", own[i].name, found[i], found[i] ? path : own[i].absent);
    }
    SB_FREED char *gnuplot = ask("gnuplot", "--version");
    add(doctor, "tools", "gnuplot", gnuplot, gnuplot ? gnuplot : "absent: no figures; make deps");
    return found[0];
}

/* The lines below "backends" of samebits info. */
static void add_backends(sb_doctor *doctor)
{
    SB_FREED char *answer = NULL;
    sb_argv argv = {0};
    sb_process_add_program(&argv, "samebits");
    sb_argv_add(&argv, "info");
    if (sb_process_ask(&answer, &argv) == SB_OK && strncmp(answer, "backends\n", 9) == 0) {
        char *end = strstr(answer, "\n\n"), *rest = answer + 9;
        if (end) *end = 0;
        for (char *line; (line = strsep(&rest, "\n"));) {
            line += strspn(line, " ");
            char *text = line + strcspn(line, " ");
            if (strncmp(line, "native's", 8) == 0) text = strchr(line, ':');
            if (!text || !*text) continue;
            *text++ = 0;
            text += strspn(text, " ");
            add(doctor, "backends", line, strncmp(text, "absent", 6) != 0, text);
        }
    }
}

static void add_engines(sb_doctor *doctor, const sb_cells *cells, const sb_selection *selection)
{
    const sb_container *container;
    for (int i = 0; (container = sb_container_at(i)); i++) {
        char *version = ask(sb_container_name(container), "--version");
        add(doctor, "engines", sb_container_name(container), version, version ? version : "absent");
        free(version);
    }
    char *slurm = ask("sbatch", "--version");
    add(doctor, "engines", "slurm", slurm, slurm ? slurm : "absent");
    free(slurm);

    char *said = NULL;
    size_t n_said;
    sb_engine *engine;
    FILE *talk = open_memstream(&said, &n_said);
    if (!talk) return;
    bool opened = sb_engine_open(&engine, cells->path, "auto", NULL, selection->item, selection->n, talk) == SB_OK;
    fclose(talk);
    said[strcspn(said, "\n")] = 0;
    add(doctor, "engines", "run would take", opened,
        !opened                             ? sb_message()
        : *said == 0                        ? "none: there is no lock file of images"
        : strncmp(said, "engine: ", 8) == 0 ? said + 8
                                            : said);
    if (opened) sb_engine_close(engine);
    free(said);
}

/* -- the machine -- */

static void add_rows(sb_doctor *doctor, const sb_hardware_table *table)
{
    char text[sizeof doctor->fact->text] = "";
    int used = 0;
    for (uint32_t i = 0; table->file && i < table->file->n && used < (int)sizeof text; i++)
        if (table->here[i])
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", used ? ", " : "",
                             table->file->hardware[i].name);
    add(doctor, "machine", "stands for", used > 0, used ? text : "no row of the hardware file");
}

static void add_number(sb_doctor *doctor, const char *name, long number)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", number);
    add(doctor, "machine", name, true, text);
}

/* The variables that may change bits or speed, and what each one does. */
static void add_environment(sb_doctor *doctor, const sb_host *host)
{
    for (size_t i = 0; i < sb_n_variables; i++) {
        const char *value = getenv(sb_variables[i].name);
        if (!value) continue;
        char text[sizeof doctor->fact->text], *clean = sb_text_clean(value, strlen(value), false);
        const bool is_foreign = strcmp(host->foreign, sb_variables[i].name) == 0;
        snprintf(text, sizeof text, "%.80s: %s%s", clean ? clean : "?", sb_variables[i].reason,
                 is_foreign ? "; not this CPU's own, so that openblas is emulated here, not measured: unset it" : "");
        sb_home_hide(text);
        add(doctor, "environment", sb_variables[i].name, true, text);
        free(clean);
    }
}

static void add_machine(sb_doctor *doctor, const sb_cells *cells)
{
    const sb_host *host = &cells->hardware.host;
    add(doctor, "machine", "cpu", *host->cpu, *host->cpu ? host->cpu : "unknown");
    add_number(doctor, "threads", sysconf(_SC_NPROCESSORS_ONLN));
    for (int i = 0; i < host->n_gpus; i++) add(doctor, "machine", "gpu", true, host->gpu[i]);
    if (!host->n_gpus) add(doctor, "machine", "gpu", false, "none");
    if (host->driver) add_number(doctor, "gpu driver", host->driver);
    add_rows(doctor, &cells->hardware);
}

static void add_disk(sb_doctor *doctor, const sb_matrix_session_options *options)
{
    const char *folders[] = {options->results, options->data};
    for (int i = 0; i < 2; i++) {
        char room_text[32], text[48];
        double room = sb_disk_free(folders[i]);
        sb_disk_text(room, room_text);
        snprintf(text, sizeof text, "%s free", room_text);
        add(doctor, "disk", folders[i], room >= 0, room < 0 ? "unknown" : text);
    }
}

/* -- data and cells -- */

static void add_data(sb_doctor *doctor, const sb_cells *cells, const sb_matrix_session_options *options)
{
    for (uint32_t i = 0; i < cells->matrix->n_data; i++) {
        char text[SB_PATH_MAX + 64];
        const sb_data_source *source = &cells->matrix->data[i];
        bool here = sb_data_source_find(source, options->data, options->mirror, text) != SB_DATA_SOURCE_WANTED;
        add(doctor, "data", source->name, here, text);
    }
}

/* Cells by evidence; those that could run but for their data count as absent, too. */
static void count_cells(sb_doctor *doctor, const sb_selection *selection, const sb_matrix_session_options *options)
{
    for (size_t i = 0; i < selection->n; i++) {
        const sb_cell *cell = selection->item[i];
        char text[SB_PATH_MAX + 64], why[SB_WHY];
        sb_evidence evidence = cell->evidence;
        snprintf(why, sizeof why, "%s", cell->why);
        if (evidence != SB_EVIDENCE_ABSENT && cell->data &&
            sb_data_source_find(cell->data, options->data, options->mirror, text) == SB_DATA_SOURCE_WANTED) {
            evidence = SB_EVIDENCE_ABSENT;
            snprintf(why, sizeof why, "the data set %.60s is not here and cannot be made", cell->data->name);
        }
        doctor->count[evidence]++;
        if (evidence == SB_EVIDENCE_ABSENT) sb_reasons_add(&doctor->reasons, why);
    }
}

/* -- for people -- */

static void print_cells(const sb_doctor *doctor, FILE *out)
{
    fprintf(out, "cells\n");
    for (sb_evidence e = 0; e < SB_N_EVIDENCES_OF_CELLS; e++)
        fprintf(out, "  %-16s %zu%s\n", sb_evidence_name[e], doctor->count[e],
                e == SB_EVIDENCE_EMULATED && doctor->count[e]
                    ? ", with the OpenBLAS kernel type and thread count of another CPU"
                    : "");
    const sb_reasons *reasons = &doctor->reasons;
    for (int i = 0; i < reasons->n; i++) fprintf(out, "    %5zu: %s\n", reasons->count[i], reasons->text[i]);
}

void sb_doctor_print(const sb_doctor *doctor, FILE *out)
{
    const char *section = "";
    for (size_t i = 0; i < doctor->n; i++) {
        const sb_doctor_fact *fact = &doctor->fact[i];
        if (strcmp(fact->section, section) != 0) fprintf(out, "%s\n", fact->section);
        section = fact->section;
        fprintf(out, "  %-16s %s\n", fact->name, fact->text);
    }
    print_cells(doctor, out);
}

/* -- all of it -- */

sb_status sb_doctor_examine(sb_doctor *doctor, const sb_matrix_session *w)
{
    const sb_cells *cells = w->cells;
    *doctor = (sb_doctor){.n_cells = w->selection.n, .is_commands = cells->matrix->has_commands};
    doctor->can_train = add_tools(doctor);
    if (doctor->can_train) add_backends(doctor);
    add_engines(doctor, cells, &w->selection);
    add_machine(doctor, cells);
    add_environment(doctor, &cells->hardware.host);
    add_disk(doctor, &w->options);
    add_data(doctor, cells, &w->options);
    count_cells(doctor, &w->selection, &w->options);
    return doctor->is_short ? sb_fail(SB_E_MEMORY, "not enough memory to look around") : SB_OK;
}

size_t sb_doctor_runnable(const sb_doctor *doctor)
{
    size_t n = 0;
    for (sb_evidence e = 0; e < SB_N_EVIDENCES_OF_RUNS; e++) n += doctor->count[e];
    return n;
}

sb_status sb_doctor_judge(const sb_doctor *doctor, const char *matrix)
{
    if (!doctor->can_train && !doctor->is_commands)
        return sb_fail(SB_E_MISSING, "samebits, the trainer, is not here: make build");
    if (sb_doctor_runnable(doctor)) return SB_OK;
    return sb_fail(SB_E_MISSING, "none of the %zu cells of %s can run here; 'make demo' can", doctor->n_cells, matrix);
}

void sb_doctor_free(sb_doctor *doctor)
{
    free(doctor->fact);
    *doctor = (sb_doctor){0};
}
