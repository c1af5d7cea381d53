#include "matrix/slurm/slurm.h"

#include "core/text/shell.h"

#include <math.h>
#include <unistd.h>

/* An option of sbatch, which takes single quotes as a shell does. */
static void print_option(sb_writer *script, const char *name, const char *value)
{
    if (value) sb_write(script, "#SBATCH --%s=%s\n", name, value);
}

/* In minutes. It need not be met: a task that runs out of it goes on in another turn. */
static void print_time(sb_writer *script, const sb_array *array)
{
    const double margin = 10 * 60; /* for a cold cache, and for nodes that differ */
    double minutes = array->seconds < 0 ? 24 * 60 : ceil((2 * array->seconds + margin) / 60);
    sb_write(script, "#SBATCH --time=%.0f\n", minutes);
}

static void print_options(sb_writer *script, const sb_array *array, const sb_slurm_settings *s, const char *log)
{
    char here[SB_PATH_MAX];
    print_option(script, "job-name", array->name);
    sb_write(script, "#SBATCH --array=0-%zu", array->n - 1);
    if (s->max_parallel) sb_write(script, "%%%ld", s->max_parallel);
    sb_write(script,
             array->ranks == 1 ? "\n#SBATCH --nodes=1 --ntasks=%ld --cpus-per-task=%ld\n"
                               : "\n#SBATCH --ntasks=%ld --cpus-per-task=%ld\n",
             array->ranks, array->cpus);
    print_option(script, "gres", *array->gres ? array->gres : NULL);
    print_option(script, "mem", s->memory);
    print_option(script, "time", s->time);
    if (!s->time) print_time(script, array);
    print_option(script, "partition", s->partition);
    print_option(script, "account", s->account);
    print_option(script, "chdir", getcwd(here, sizeof here));
    print_option(script, "output", log);
    sb_write(script, "#SBATCH --open-mode=append --requeue --signal=B:TERM@60\n");
}

/* What stands below the options and the variables list and run.
 *
 * Only a task that was told that its time is up is still RUNNING when its script gets to the end: one that was
 * preempted Slurm queues again itself, one that was cancelled is to stay away. The number of tries ends what would
 * never end, such as a time limit of a minute. */
static const sb_raw body = {
    "\n"
    "read -r _ hash name < <(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" -- \"$list\") || exit 2\n"
    "echo \"$(date '+%F %T') $name on $SLURMD_NODENAME, try $((${SLURM_RESTART_COUNT:-0} + 1)),\" \\\n"
    "    \"$SLURM_CPUS_PER_TASK CPUs, GPU ${CUDA_VISIBLE_DEVICES:-none}\"\n"
    "\n"
    "# Told to end, the runner makes a checkpoint and ends with 143; on SIGUSR1 it only makes one. Wait again.\n"
    "\"${run[@]}\" -n \"/$hash\" &\n"
    "runner=$!\n"
    "trap 'signalled=yes; kill -TERM \"$runner\"' TERM HUP USR2 XCPU\n"
    "trap 'signalled=yes; kill -USR1 \"$runner\"' USR1\n"
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
    "exit $code\n"};

sb_status sb_slurm_script(char **script, const sb_array *array, const sb_slurm_settings *settings)
{
    char list[SB_PATH_MAX], log[SB_PATH_MAX];
    SB_TRY(sb_array_file(list, settings->results, array, "cells.txt"));
    SB_TRY(sb_array_file(log, settings->results, array, "%a.log"));
    sb_writer *out = sb_writer_open(&sb_shell);
    sb_write(out,
             array->n == 1 ? "#!/bin/bash\n# Trains the %zu cell of %s, until it is complete.\n"
                           : "#!/bin/bash\n# Trains the %zu cells of %s, one a task, each until it is complete.\n",
             array->n, list);
    print_options(out, array, settings, log);
    sb_write(out, "\nlist=%s\nrun=(", list);
    sb_argv_write(out, settings->run);
    sb_write(out, ")\n");
    sb_write_raw(out, body);
    return sb_writer_close(out, "job.sh", script, NULL);
}
