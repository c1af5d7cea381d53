#include "matrix/slurm/slurm.h"

#include "matrix/process/process.h"

#include "core/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sb_status sb_slurm_check(void)
{
    char *version;
    sb_status status = sb_process_ask_words(&version, "sbatch --version", NULL);
    free(version);
    if (status != SB_E_MISSING) return status;
    return sb_fail(SB_E_MISSING,
                   "sbatch: not found, so there is no Slurm on this machine; submit from a cluster's login "
                   "node, or see the scripts with --print");
}

/* "MaxArraySize            = 1001" among other lines. Tasks are numbered from 0, so that it is their number, too. */
sb_status sb_slurm_tasks_most(size_t *tasks_most)
{
    static const char name[] = "\nMaxArraySize";
    char *config = NULL, equals;
    unsigned long size = SB_ARRAY_TASKS;
    if (sb_process_ask_words(&config, "scontrol show config", NULL) == SB_OK) {
        const char *line = strstr(config, name);
        if (!line || sscanf(line + sizeof name - 1, " %c %lu", &equals, &size) != 2) size = SB_ARRAY_TASKS;
    }
    free(config);
    *tasks_most = size < SB_ARRAY_TASKS ? size : SB_ARRAY_TASKS;
    if (size) return SB_OK;
    return sb_fail(SB_E_MISSING, "this cluster takes no job arrays: MaxArraySize is 0 in its slurm.conf; ask its "
                                 "administrator, or run 'samebits-matrix run' in a job of your own");
}

/* -- submit -- */

/* Both files of the array's folder; script: the path of job.sh. */
static sb_status write_folder(char script[SB_PATH_MAX], const sb_array *array, const sb_slurm_settings *settings)
{
    char path[SB_PATH_MAX];
    SB_FREED char *text = NULL;
    SB_TRY(sb_array_file(path, settings->results, array, ""));
    SB_TRY(sb_folder_make(path));
    SB_TRY(sb_array_file(path, settings->results, array, "cells.txt"));
    SB_TRY(sb_file_write(path, array->list, strlen(array->list)));
    SB_TRY(sb_array_file(script, settings->results, array, "job.sh"));
    SB_TRY(sb_slurm_script(&text, array, settings));
    return sb_file_write(script, text, strlen(text));
}

sb_status sb_slurm_submit(char job[SB_SLURM_JOB], const sb_array *array, const sb_slurm_settings *settings)
{
    char script[SB_PATH_MAX], *answer;
    SB_TRY(write_folder(script, array, settings));
    SB_TRY(sb_process_ask_words(&answer, "sbatch --parsable", script));
    /* "123", or "123;cluster" where there are several */
    snprintf(job, SB_SLURM_JOB, "%.*s", (int)strcspn(answer, ";"), answer);
    free(answer);
    return SB_OK;
}

/* -- the queue -- */

typedef struct reader {
    sb_slurm_queue *queue;
    char *folder;                    /* real path of RESULTS/slurm */
    char script[SB_PATH_MAX], *list; /* the list that lies next to this script: squeue names the same many times */
} reader;

/* The list next to a script of ours; NULL where the script is not ours. */
static const char *list_of(reader *r, const char *script)
{
    size_t length = strlen(r->folder);
    if (strcmp(script, r->script) == 0) return r->list;
    free(r->list);
    r->list = NULL;
    snprintf(r->script, sizeof r->script, "%s", script);
    char *real = realpath(script, NULL), path[SB_PATH_MAX];
    char *slash = real ? strrchr(real, '/') : NULL;
    if (slash && strcmp(slash, "/job.sh") == 0 && strncmp(real, r->folder, length) == 0 && real[length] == '/') {
        snprintf(path, sizeof path, "%.*s/cells.txt", (int)(slash - real), real);
        if (sb_file_read(path, &r->list, NULL) != SB_OK) r->list = NULL;
    }
    free(real);
    return r->list;
}

static sb_status add_task(reader *r, const char *list, long index, bool running)
{
    sb_slurm_task task = {.running = running};
    char form[32];
    for (long i = 0; list && i < index; i++) {
        list = strchr(list, '\n');
        if (list) list++;
    }
    snprintf(form, sizeof form, "%%*d %%%ds", SB_SHA256_TEXT - 1);
    if (!list || sscanf(list, form, task.hash) != 1) return SB_OK;
    sb_slurm_task *grown = realloc(r->queue->item, (r->queue->n + 1) * sizeof *grown);
    if (!grown) return sb_fail(SB_E_MEMORY, "not enough memory for the queue");
    r->queue->item = grown;
    r->queue->item[r->queue->n++] = task;
    return SB_OK;
}

/* "17 PD /home/me/results/slurm/demo-cpu1-1a2b3c4d/job.sh": index in the array, state, script */
static sb_status read_line(reader *r, char *line)
{
    char *end, *state;
    long index = strtol(line, &end, 10);
    if (end == line || *end != ' ') return SB_OK; /* no array */
    state = end + 1;
    char *script = strchr(state, ' ');
    if (!script) return SB_OK;
    return add_task(r, list_of(r, script + 1), index, strncmp(state, "PD ", 3) != 0);
}

static int compare_tasks(const void *a, const void *b)
{
    return strcmp(((const sb_slurm_task *)a)->hash, ((const sb_slurm_task *)b)->hash);
}

/* "%K %t %o": the format that read_line parses. */
static sb_status read_tasks(reader *r)
{
    char *tasks, *rest = NULL;
    sb_status status = sb_process_ask_words(&tasks, "squeue --me --noheader --array --format", "%K %t %o");
    if (status == SB_E_MISSING) return SB_OK;
    SB_TRY(status);
    for (char *line = strtok_r(tasks, "\n", &rest); line && status == SB_OK; line = strtok_r(NULL, "\n", &rest))
        status = read_line(r, line);
    free(tasks);
    return status;
}

sb_status sb_slurm_queue_read(sb_slurm_queue *queue, const char *results)
{
    char path[SB_PATH_MAX];
    *queue = (sb_slurm_queue){0};
    snprintf(path, sizeof path, "%s/slurm", results);
    reader r = {.queue = queue, .folder = realpath(path, NULL)};
    if (!r.folder) return SB_OK; /* nothing was ever submitted */
    sb_status status = read_tasks(&r);
    if (queue->n) qsort(queue->item, queue->n, sizeof *queue->item, compare_tasks);
    free(r.list);
    free(r.folder);
    if (status != SB_OK) sb_slurm_queue_free(queue);
    return status;
}

const sb_slurm_task *sb_slurm_queue_find(const sb_slurm_queue *queue, const sb_cell *cell)
{
    sb_slurm_task key = {0};
    snprintf(key.hash, sizeof key.hash, "%s", cell->hash);
    return queue->n ? bsearch(&key, queue->item, queue->n, sizeof key, compare_tasks) : NULL;
}

void sb_slurm_queue_free(sb_slurm_queue *queue)
{
    free(queue->item);
    *queue = (sb_slurm_queue){0};
}
