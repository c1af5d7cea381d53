#define _POSIX_C_SOURCE 200809L
#include "slurm.h"

#include "words.h"

#include "core/plural.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* One word for the shell or for sbatch, which both take single quotes. */
static void print_word(FILE *out, const char *before, const char *word, const char *after)
{
    sb_words words = {0};
    sb_words_add(&words, word);
    char *text = words.lost ? NULL : sb_words_text(&words, true);
    fprintf(out, "%s%s%s", before, text ? text : "", after);
    free(text);
    sb_words_free(&words);
}

static void print_option(FILE *out, const char *name, const char *value)
{
    char before[64];
    snprintf(before, sizeof before, "#SBATCH --%s=", name);
    if (value) print_word(out, before, value, "\n");
}

/* In minutes. It need not be met: a task that runs out of it goes on in another turn. */
static void print_time(FILE *out, const sb_array *array)
{
    const double margin = 10 * 60; /* for a cold cache, and for nodes that differ */
    double minutes = array->seconds < 0 ? 24 * 60 : ceil((2 * array->seconds + margin) / 60);
    fprintf(out, "#SBATCH --time=%.0f\n", minutes);
}

static void print_options(FILE *out, const sb_array *array, const sb_slurm_settings *s, const char *log)
{
    char here[SB_PATH_MAX];
    print_option(out, "job-name", array->name);
    fprintf(out, "#SBATCH --array=0-%zu", array->n - 1);
    if (s->max_parallel) fprintf(out, "%%%ld", s->max_parallel);
    fprintf(out, "\n#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=%ld\n", array->cpus);
    print_option(out, "gres", *array->gres ? array->gres : NULL);
    print_option(out, "mem", s->memory);
    print_option(out, "time", s->time);
    if (!s->time) print_time(out, array);
    print_option(out, "partition", s->partition);
    print_option(out, "account", s->account);
    print_option(out, "chdir", getcwd(here, sizeof here));
    print_option(out, "output", log);
    fputs("#SBATCH --open-mode=append --requeue --signal=B:TERM@60\n", out);
}

/* What stands below the options and the variables list and run.
 *
 * Only a task that was told that its time is up is still RUNNING when its script gets to the end: one that was
 * preempted Slurm queues again itself, one that was cancelled is to stay away. The number of tries ends what would
 * never end, such as a time limit of a minute. */
static const char body[] =
    "\n"
    "read -r _ hash name < <(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" \"$list\") || exit 2\n"
    "echo \"$(date '+%F %T') $name on $SLURMD_NODENAME, try $((${SLURM_RESTART_COUNT:-0} + 1)),\" \\\n"
    "    \"$SLURM_CPUS_PER_TASK CPUs, GPU ${CUDA_VISIBLE_DEVICES:-none}\"\n"
    "\n"
    "# On SIGTERM the runner makes a checkpoint and ends with 143; until then wait again.\n"
    "\"${run[@]}\" -n \"/$hash\" &\n"
    "runner=$!\n"
    "trap 'signalled=yes; kill -TERM \"$runner\"' TERM\n"
    "signalled=yes\n"
    "while [ \"$signalled\" ]; do\n"
    "    signalled=\n"
    "    wait \"$runner\"\n"
    "    code=$?\n"
    "done\n"
    "\n"
    "# Out of time, but not preempted (Slurm queues it again) or cancelled: one more try.\n"
    "if [ $code = 143 ] && [ \"${SLURM_RESTART_COUNT:-0}\" -lt 100 ] &&\n"
    "    [ \"$(squeue -h -j \"$SLURM_JOB_ID\" -o %T)\" = RUNNING ]; then\n"
    "    scontrol requeue \"$SLURM_JOB_ID\"\n"
    "fi\n"
    "exit $code\n";

sb_status sb_slurm_script(char **script, const sb_array *array, const sb_slurm_settings *settings)
{
    char list[SB_PATH_MAX], log[SB_PATH_MAX];
    size_t size;
    SB_TRY(sb_array_file(list, settings->results, array, "cells.txt"));
    SB_TRY(sb_array_file(log, settings->results, array, "%a.log"));
    *script = NULL;
    FILE *out = open_memstream(script, &size);
    if (!out) return sb_fail(SB_E_MEMORY, "not enough memory for a job script");
    fprintf(out, "#!/bin/bash\n# Trains the %zu cell%s of %s, one a task, each until it is complete.\n", array->n,
            sb_plural(array->n), list);
    print_options(out, array, settings, log);
    print_word(out, "\nlist=", list, "\n");
    fprintf(out, "run=(%s)\n%s", settings->run, body);
    if (fclose(out) == 0) return SB_OK;
    free(*script);
    return sb_fail(SB_E_MEMORY, "not enough memory for a job script");
}
