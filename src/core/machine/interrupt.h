/* Signals as two questions a loop asks between two steps of its work. */
#ifndef SB_CORE_INTERRUPT_H
#define SB_CORE_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM only set a flag, and SIGUSR1 asks for a checkpoint. A second SIGINT, from somebody who
 * waits at the terminal, ends the process at once. A second SIGTERM does not: a batch system sends one to every process
 * of a job, and their parents pass it on. */
void sb_interrupt_catch(void);

/* The signal that asked the process to stop, 0 if none did. */
int sb_interrupt_signal(void);

/* As if that signal had come: another process of the same job was asked to stop. */
void sb_interrupt_adopt(int signal_number);

/* True once after each SIGUSR1. */
bool sb_interrupt_checkpoint(void);

#endif
