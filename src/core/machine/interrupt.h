/* Signals as two questions a loop asks between two steps of its work. */
#pragma once

#include <stdbool.h>

/* From now on SIGINT and SIGTERM only set a flag. So do SIGHUP (unless it is ignored, as by nohup), SIGUSR2 and SIGXCPU,
 * by which terminals and batch systems say that the end is near: they count as SIGTERM. SIGUSR1 asks for a checkpoint; it
 * may be blocked until now. SIGPIPE is ignored: a reader that has read enough is no reason to stop. A second SIGINT ends the
 * process at once. A second SIGTERM does not: a batch system sends one to
 * every process of a job, and their parents pass it on. */
void sb_interrupt_catch(void);

/* SIGINT or SIGTERM, which asked the process to stop; 0 if none did. */
int sb_interrupt_signal(void);

/* As if that signal had come: another process of the same job was asked to stop. */
void sb_interrupt_adopt(int signal_number);

/* True once after each SIGUSR1. */
bool sb_interrupt_checkpoint(void);
