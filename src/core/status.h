/* Errors of the world (files, network, memory, devices) as a status and a sentence.
 *
 *     if (!file) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
 *     ...
 *     SB_TRY(sb_h5_open(&file, path, SB_SEAL_DATA));
 *
 * A function that fails calls sb_fail once, where the cause is known; callers pass the status up. main prints
 * sb_message() and exits with sb_exit_code(). Bugs are asserted, never reported this way.
 */
#ifndef SB_CORE_STATUS_H
#define SB_CORE_STATUS_H

typedef enum sb_status {
    SB_OK = 0,
    SB_E_DIFFERS,      /* a comparison found a difference */
    SB_E_IO,           /* a file, the network or the disk failed */
    SB_E_MEMORY,       /* not enough memory */
    SB_E_USAGE,        /* the command line or a file it names makes no sense */
    SB_E_PARTIAL,      /* some cells could not run */
    SB_E_MISSING,      /* hardware, driver, library or image is absent */
    SB_E_EMPTY,        /* nothing selected, nothing measured */
    SB_E_UNDETERMINED, /* too few runs for a verdict */
    SB_E_INTEGRITY,    /* a checksum, a lock or the form of a data file does not hold */
    SB_E_INTERRUPTED,  /* SIGINT or SIGTERM; the work done so far is safe */
} sb_status;

/* Remember the sentence (lower case, path first, what to try last) for this thread; returns code, so that a caller can
 * write `return sb_fail(...)`. A later call replaces the sentence. */
sb_status sb_fail(sb_status code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last sentence of this thread, "" if none. Valid until the next sb_fail of this thread. */
const char *sb_message(void);

/* The process exit code of a status: 0 holds, 1 differs or failed, 2 usage, 3 some cells could not run, 4 hardware or
 * image missing, 5 nothing selected or measured, 6 undetermined, 7 integrity, 130 or 143 interrupted. */
int sb_exit_code(sb_status status);

/* The status with which a program of ours ended: the first in sb_status that has this exit code, or `otherwise` where
 * none has. 130 and 143 count as none: the caller says which signal it was. */
sb_status sb_status_of_exit(int code, sb_status otherwise);

/* Frees the variable where its scope ends, on each way out. So SB_TRY may return while something is owned:
 *
 *     SB_OWNED(sb_table_free) sb_table rows = {0};     void sb_table_free(sb_table *), which may be called on {0}
 *     SB_FREED char *text = NULL;                      memory from malloc
 *     SB_TRY(sb_table_read(&rows, path, columns));
 *     SB_TRY(sb_file_read(path, &text, NULL));
 */
#define SB_OWNED(end) __attribute__((cleanup(end)))
#define SB_FREED      SB_OWNED(sb_freed)
void sb_freed(void *variable); /* frees what the variable points to; for SB_FREED alone */

/* Return early with the status of a failed call. Only where nothing is owned but by SB_OWNED variables. */
#define SB_TRY(call)                                                                                                   \
    do {                                                                                                               \
        sb_status sb_try_status_ = (call);                                                                             \
        if (sb_try_status_ != SB_OK) return sb_try_status_;                                                            \
    } while (0)

#endif
