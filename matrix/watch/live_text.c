#include "matrix/watch/live.h"

#include "core/machine/clock.h"
#include "core/screen/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- a curve in one line -- */

enum { LEVELS = 8 };

/* Does the terminal show UTF-8? As programs are told, by the first of these variables that is set (locale(7)). */
static bool has_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return strstr(value, "UTF-8") || strstr(value, "utf8");
    }
    return false;
}

static void print_curve(const sb_live_cell *c, FILE *out)
{
    static const char *const blocks[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const letters[LEVELS] = {"_", ".", "-", "~", "=", "+", "*", "#"};
    const char *const *level = has_utf8() ? blocks : letters;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < c->n_curve; i++) {
        least = fmin(least, c->curve[i]);
        most = fmax(most, c->curve[i]);
    }
    for (int i = 0; i < c->n_curve; i++) {
        const double part = most > least ? (c->curve[i] - least) / (most - least) : 0;
        fputs(isfinite(part) ? level[(int)(part * (LEVELS - 1) + 0.5)] : "!", out);
    }
}

/* -- lines -- */

static void print_state(const sb_live_cell *c, FILE *out)
{
    char text[64];
    const char *word = sb_cell_state_word(c->state);
    fputs(sb_screen_paint(text, sizeof text, sb_cell_state_role(c->state), word), out);
    fprintf(out, "%*s", 17 - (int)strlen(word), "");
}

static void print_progress(const sb_live_cell *c, FILE *out)
{
    char left[32];
    fprintf(out, "  %ld", c->update);
    if (c->total) fprintf(out, "/%ld", c->total);
    if (!c->n_curve) return;
    fprintf(out, "  loss %.5f  ", c->loss);
    print_curve(c, out);
    if (c->rate > 0) fprintf(out, c->rate < 100 ? "  %.3g/s" : "  %.0f/s", c->rate);
    if (c->left < 0 || c->state != SB_STATE_RUNNING) return;
    sb_duration_text(c->left, left);
    fprintf(out, "  %s left", left);
}

static void print_cell(const sb_live_cell *c, int width, FILE *out)
{
    print_state(c, out);
    fprintf(out, "%-*s", c->update || *c->why ? width : 0, c->cell->name);
    if (c->update) print_progress(c, out);
    if (*c->why) fprintf(out, "  %s", c->why);
    fputc('\n', out);
}

static void print_sum(const sb_live *live, FILE *out)
{
    const char *between = "";
    fprintf(out, "%zu cells: ", live->n);
    for (sb_cell_state state = 0; state < SB_STATE_N; state++) {
        if (!live->count[state]) continue;
        fprintf(out, "%s%zu %s", between, live->count[state], sb_cell_state_word(state));
        between = ", ";
    }
    fputc('\n', out);
}

/* What is worth a line first, where not all have one. */
static const sb_cell_state by_interest[SB_STATE_N] = {
    SB_STATE_RUNNING, SB_STATE_FAILED,   SB_STATE_DIVERGED,     SB_STATE_MISSING,
    SB_STATE_STALE,   SB_STATE_COMPLETE, SB_STATE_DATA_MISSING, SB_STATE_HARDWARE_MISSING,
};

static size_t print_some(const sb_live *live, size_t most, int width, FILE *out)
{
    size_t n = 0;
    for (int s = 0; s < SB_STATE_N; s++)
        for (const sb_live_cell *c = live->cell; c < live->cell + live->n && n < most; c++)
            if (c->state == by_interest[s]) print_cell(c, width, out), n++;
    return n;
}

void sb_live_text(const sb_live *live, int rows, FILE *out)
{
    int width = 0;
    for (const sb_live_cell *c = live->cell; c < live->cell + live->n; c++) {
        const int length = (int)strlen(c->cell->name);
        width = length > width ? length : width;
    }
    if (rows && (size_t)rows < live->n + 1) {
        const size_t shown = print_some(live, rows > 2 ? (size_t)rows - 2 : 0, width, out);
        fprintf(out, "and %zu more\n", live->n - shown);
    } else {
        for (const sb_live_cell *c = live->cell; c < live->cell + live->n; c++) print_cell(c, width, out);
    }
    print_sum(live, out);
}
