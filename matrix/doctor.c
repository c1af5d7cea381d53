#define _POSIX_C_SOURCE 200809L
#include "doctor.h"

#include "container.h"
#include "disk.h"
#include "engine.h"
#include "process.h"
#include "reasons.h"
#include "supply.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- programs -- */

/* The first line a program says of itself; NULL: it is not there. The caller frees. */
static char *ask(const char *program, const char *word)
{
    char *answer = NULL;
    sb_words words = {0};
    sb_words_add(&words, program);
    sb_words_add(&words, word);
    if (sb_process_ask(&answer, &words) != SB_OK) answer = NULL;
    sb_words_free(&words);
    if (answer) answer[strcspn(answer, "\n")] = 0;
    return answer;
}

static void print_line(FILE *out, const char *name, const char *text)
{
    fprintf(out, "  %-16s %s\n", name, text);
}

static bool has_program(const char *name, char path[SB_PATH_MAX])
{
    sb_process_program(name, path);
    char *answer = strchr(path, '/') ? NULL : ask(path, "--help");
    bool found = answer || access(path, X_OK) == 0;
    free(answer);
    return found;
}

static bool print_tools(FILE *out)
{
    static const struct {
        const char *name, *absent;
    } own[] = {{"samebits", "absent: nothing can be trained; make build"},
               {"samebits-data", "absent: no data set can be made; make build"},
               {"samebits-report", "absent: no tables and figures; make build"}};
    char path[SB_PATH_MAX];
    bool found[3];
    fprintf(out, "tools\n");
    for (int i = 0; i < 3; i++) {
        found[i] = has_program(own[i].name, path);
        print_line(out, own[i].name, found[i] ? path : own[i].absent);
    }
    char *gnuplot = ask("gnuplot", "--version");
    print_line(out, "gnuplot", gnuplot ? gnuplot : "absent: no figures; make deps");
    free(gnuplot);
    return found[0];
}

/* The lines below "backends" of samebits info. */
static void print_backends(FILE *out)
{
    char program[SB_PATH_MAX], *answer = NULL;
    sb_words words = {0};
    sb_process_program("samebits", program);
    sb_words_add(&words, program);
    sb_words_add(&words, "info");
    if (sb_process_ask(&answer, &words) == SB_OK && strncmp(answer, "backends\n", 9) == 0) {
        char *end = strstr(answer, "\n\n");
        if (end) *end = 0;
        fprintf(out, "%s\n", answer);
    }
    free(answer);
    sb_words_free(&words);
}

static void print_engines(const sb_selection *selection, FILE *out)
{
    const sb_container *container;
    fprintf(out, "engines\n");
    for (int i = 0; (container = sb_container_at(i)); i++) {
        char *version = ask(sb_container_name(container), "--version");
        print_line(out, sb_container_name(container), version ? version : "absent");
        free(version);
    }
    char *slurm = ask("sbatch", "--version");
    print_line(out, "slurm", slurm ? slurm : "absent");
    free(slurm);

    char *said = NULL;
    size_t n_said;
    sb_engine *engine;
    FILE *talk = open_memstream(&said, &n_said);
    if (!talk) return;
    bool opened = sb_engine_open(&engine, "auto", NULL, selection->item, selection->n, talk) == SB_OK;
    fclose(talk);
    said[strcspn(said, "\n")] = 0;
    print_line(out, "run would take", !opened ? sb_message() : strncmp(said, "engine: ", 8) == 0 ? said + 8 : said);
    if (opened) sb_engine_close(engine);
    free(said);
}

/* -- the machine -- */

static void print_rows(const sb_hardware_table *table, FILE *out)
{
    const char *between = "";
    fprintf(out, "  %-16s ", "stands for");
    for (uint32_t i = 0; i < table->file->n; i++) {
        if (!table->here[i]) continue;
        fprintf(out, "%s%s", between, table->file->hardware[i].name);
        between = ", ";
    }
    fprintf(out, "%s\n", *between ? "" : "no row of the hardware file");
}

static void print_machine(const sb_cells *cells, FILE *out)
{
    const sb_host *host = &cells->hardware.host;
    char text[64];
    fprintf(out, "machine\n");
    print_line(out, "cpu", *host->cpu ? host->cpu : "unknown");
    snprintf(text, sizeof text, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    print_line(out, "threads", text);
    for (int i = 0; i < host->n_gpus; i++) print_line(out, "gpu", host->gpu[i]);
    if (!host->n_gpus) print_line(out, "gpu", "none");
    if (host->driver) {
        snprintf(text, sizeof text, "%ld", host->driver);
        print_line(out, "gpu driver", text);
    }
    print_rows(&cells->hardware, out);
}

static void print_disk(const sb_doctor_settings *settings, FILE *out)
{
    const char *folders[] = {settings->results, settings->data};
    fprintf(out, "disk\n");
    for (int i = 0; i < 2; i++) {
        char text[32];
        double room = sb_disk_free(folders[i]);
        sb_disk_text(room, text);
        fprintf(out, "  %-16s %s%s\n", folders[i], room < 0 ? "unknown" : text, room < 0 ? "" : " free");
    }
}

/* -- data and cells -- */

static void print_data(const sb_cells *cells, const sb_doctor_settings *settings, FILE *out)
{
    fprintf(out, "data\n");
    for (uint32_t i = 0; i < cells->matrix->n_data; i++) {
        char text[SB_PATH_MAX + 64];
        sb_supply_find(&cells->matrix->data[i], settings->data, settings->mirror, text);
        print_line(out, cells->matrix->data[i].name, text);
    }
}

/* Cells by evidence; those that could run but for their data count as absent, too. Returns how many can run. */
static size_t print_cells(const sb_selection *selection, const sb_doctor_settings *settings, FILE *out)
{
    size_t count[3] = {0};
    sb_reasons reasons = {0};
    for (size_t i = 0; i < selection->n; i++) {
        const sb_cell *cell = selection->item[i];
        char text[SB_PATH_MAX + 64], why[SB_WHY];
        sb_evidence evidence = cell->evidence;
        snprintf(why, sizeof why, "%s", cell->why);
        if (evidence != SB_ABSENT &&
            sb_supply_find(cell->data, settings->data, settings->mirror, text) == SB_SUPPLY_WANTED) {
            evidence = SB_ABSENT;
            snprintf(why, sizeof why, "the data set %.60s is not here and cannot be made", cell->data->name);
        }
        count[evidence]++;
        if (evidence == SB_ABSENT) sb_reasons_add(&reasons, why);
    }
    fprintf(out, "cells\n");
    for (sb_evidence e = SB_MEASURED; e <= SB_ABSENT; e++)
        fprintf(out, "  %-16s %zu%s\n", sb_evidence_word(e), count[e],
                e == SB_EMULATED && count[e] ? ", with the OpenBLAS kernel type and thread count of another CPU" : "");
    for (int i = 0; i < reasons.n; i++) fprintf(out, "    %5zu: %s\n", reasons.count[i], reasons.text[i]);
    return count[SB_MEASURED] + count[SB_EMULATED];
}

sb_status sb_doctor_examine(const sb_cells *cells, const sb_selection *selection, const sb_doctor_settings *settings,
                            FILE *out)
{
    bool can_train = print_tools(out);
    if (can_train) print_backends(out);
    print_engines(selection, out);
    print_machine(cells, out);
    print_disk(settings, out);
    print_data(cells, settings, out);
    size_t runnable = print_cells(selection, settings, out);
    if (!can_train) return sb_fail(SB_E_MISSING, "samebits, the trainer, is not here: make build");
    if (!runnable)
        return sb_fail(SB_E_MISSING, "none of the %zu cells of %s can run here; 'make demo' can", selection->n,
                       cells->path);
    fprintf(out, "%zu of %zu cells of %s can run here\n", runnable, selection->n, cells->path);
    return SB_OK;
}
