/* Signals as two questions a loop asks between two steps of its work. */
#ifndef SB_CORE_INTERRUPT_H
#define SB_CORE_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM only set a flag (a second one ends the process at once), and SIGUSR1 asks for a
 * checkpoint. */
void sb_interrupt_catch(void);

/* The signal that asked the process to stop, 0 if none did. */
int sb_interrupt_signal(void);

/* True once after each SIGUSR1. */
bool sb_interrupt_checkpoint(void);

#endif
