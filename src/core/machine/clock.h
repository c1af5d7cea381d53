/* Wall time, CPU time and memory of this process. */
#pragma once

#include <stddef.h>

double sb_clock_seconds(void);     /* monotonic wall clock; only differences mean anything */
double sb_clock_cpu_seconds(void); /* CPU time of all threads of the process */
size_t sb_peak_memory_bytes(void); /* largest resident size so far */
void sb_clock_date(char text[32]); /* now, UTC, ISO 8601; SOURCE_DATE_EPOCH if that is set */

/* "1 h 05 min", "4 min 30 s", "12 s": for people. */
void sb_duration_text(double seconds, char text[32]);
