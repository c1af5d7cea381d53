#include "matrix/verbs/verbs.h"

#include "matrix/verbs/matrix_session.h"
#include "matrix/watch/watch.h"

#include "core/machine/interrupt.h"
#include "core/screen/screen.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sb_status text_of(const sb_live *live, int rows, int columns, char **text)
{
    size_t n_text;
    FILE *out = open_memstream(text, &n_text);
    if (!out) return sb_fail(SB_E_MEMORY, "not enough memory for a table");
    sb_live_text(live, rows, columns, out);
    return fclose(out) == 0 ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a table");
}

static sb_status print_once(const sb_live *live)
{
    char *text;
    int columns = 0, rows;
    if (isatty(STDOUT_FILENO) && sb_screen_is_terminal()) sb_screen_size(&columns, &rows);
    SB_TRY(text_of(live, 0, columns, &text));
    fputs(text, stdout);
    free(text);
    return SB_OK;
}

/* -- a terminal -- */

/* A look that takes long, such as at damaged files, is not taken every second. */
static void rest(const sb_live *live)
{
    const double seconds = fmax(1, 4 * live->seconds);
    const struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL); /* a signal ends it */
}

/* Drawn again and again; what was seen last stays on the screen. */
static sb_status draw(sb_live *live)
{
    char *text;
    int columns, rows;
    while (!sb_interrupt_signal()) {
        sb_live_look(live);
        sb_screen_size(&columns, &rows);
        SB_TRY(text_of(live, rows > 2 ? rows - 1 : 1, columns, &text));
        text[strlen(text) - 1] = 0; /* the last line end would cost a row */
        sb_screen_draw(text);
        free(text);
        rest(live);
    }
    sb_screen_clear();
    return print_once(live);
}

/* -- the verb -- */

static const sb_option options[] = {
    SB_SESSION_FILE,
    SB_SESSION_FILTER,
    SB_SESSION_RESULTS,
    SB_SESSION_DATA,
    SB_OPTION_FLAG(sb_matrix_session_options, once, "--once",
                   "print the table once; default if the output is no terminal"),
    SB_OPTION_END,
};

static sb_status show(const sb_matrix_session *w, sb_live *live)
{
    if (!w->options.once && isatty(STDOUT_FILENO) && sb_screen_is_terminal()) return draw(live);
    sb_live_look(live);
    return print_once(live);
}

static sb_status watch(const sb_call *call)
{
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    SB_OWNED(sb_live_close) sb_live live = {0};
    SB_TRY(sb_matrix_session_open(&w, call));
    const sb_looker looker = sb_matrix_session_looker(&w);
    SB_TRY(sb_live_open(&live, &w.selection, &looker));
    SB_TRY(show(&w, &live));
    return sb_interrupt_signal() == SIGTERM ? sb_fail(SB_E_INTERRUPTED, "terminated") : SB_OK;
}

const sb_command sb_verb_watch = {
    .program = "samebits-matrix",
    .verb = "watch",
    .summary = "show the cells of a study while they run: state, updates, loss, rate, time left",
    .options = options,
    .values_bytes = sizeof(sb_matrix_session_options),
    .epilogue = "FILTER: see 'samebits-matrix list --help'.\n"
                "It only reads, and may run in a second terminal or on another machine with the same folder.\n"
                "Ctrl-C ends it with exit code 0.\n",
    .run = watch,
};
