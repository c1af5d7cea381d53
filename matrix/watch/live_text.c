#include "matrix/watch/watch.h"

#include "core/machine/clock.h"
#include "core/screen/fields.h"
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

enum { CURVE_TEXT = 4 * SB_LIVE_CURVE + 1 };

static void write_curve(const sb_live_cell *c, char text[CURVE_TEXT])
{
    static const char *const blocks[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const letters[LEVELS] = {"_", ".", "-", "~", "=", "+", "*", "#"};
    const char *const *level = has_utf8() ? blocks : letters;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < c->n_curve; i++) {
        least = fmin(least, c->curve[i]);
        most = fmax(most, c->curve[i]);
    }
    *text = 0;
    for (int i = 0; i < c->n_curve; i++) {
        const double part = most > least ? (c->curve[i] - least) / (most - least) : 0;
        strcat(text, isfinite(part) ? level[(int)(part * (LEVELS - 1) + 0.5)] : "!");
    }
}

/* -- lines -- */

typedef struct widths {
    int columns, state, name; /* columns 0: no terminal, and whole lines */
} widths;

/* The rate leaves first, then the curve and the loss; the time left never does. */
static sb_fields fields_of(const sb_live_cell *c)
{
    char left[32], curve[CURVE_TEXT];
    sb_fields row = {0};
    if (c->update) sb_fields_add(&row, SB_FIELD_STAYS, c->total ? "%ld/%ld" : "%ld", c->update, c->total);
    if (c->update && c->n_curve) {
        write_curve(c, curve);
        sb_fields_add(&row, 1, "loss %.5f", c->loss);
        sb_fields_add(&row, 2, "%s", curve);
        if (c->rate > 0) sb_fields_add(&row, 3, c->rate < 100 ? "%.3g/s" : "%.0f/s", c->rate);
        if (c->left >= 0 && c->state == SB_STATE_RUNNING) {
            sb_duration_text(c->left, left);
            sb_fields_add(&row, SB_FIELD_STAYS, "%s left", left);
        }
    }
    sb_fields_add(&row, SB_FIELD_CUT, "%s", c->why);
    return row;
}

static void print_cell(const sb_live_cell *c, widths w, FILE *out)
{
    char text[64], name[1024], line[SB_FIELDS * SB_FIELD_TEXT];
    const char *word = sb_cell_state_word(c->state);
    const sb_fields row = fields_of(c);
    fputs(sb_screen_paint(text, sizeof text, sb_cell_state_role(c->state), word), out);
    fprintf(out, "%*s", w.state - (int)strlen(word), "");
    const int alone = w.columns ? w.columns - w.state : w.name; /* where no number follows */
    sb_fields_write_name(c->cell->name, row.n ? w.name : alone, name, sizeof name);
    sb_fields_write(&row, w.columns ? w.columns - w.state - w.name - 2 : 0, line, sizeof line);
    if (row.n)
        fprintf(out, "%s  %s\n", name, line);
    else
        fprintf(out, "%.*s\n", (int)strcspn(name, " "), name);
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

static size_t print_some(const sb_live *live, size_t most, widths w, FILE *out)
{
    size_t n = 0;
    for (int s = 0; s < SB_STATE_N; s++)
        for (const sb_live_cell *c = live->cell; c < live->cell + live->n && n < most; c++)
            if (c->state == by_interest[s]) print_cell(c, w, out), n++;
    return n;
}

enum { STATE_WIDTH = 17 };

static widths choose_widths(const sb_live *live, int columns)
{
    widths w = {.columns = columns ? columns - 1 : 0, .state = STATE_WIDTH};
    int least = 0, state = 0;
    for (const sb_live_cell *c = live->cell; c < live->cell + live->n; c++) {
        const sb_fields row = fields_of(c);
        const int length = (int)strlen(c->cell->name), word = (int)strlen(sb_cell_state_word(c->state));
        w.name = length > w.name ? length : w.name;
        state = word > state ? word : state;
        least = sb_fields_least(&row) > least ? sb_fields_least(&row) : least;
    }
    if (!columns) return w;
    if (columns < 80 && state + 2 < STATE_WIDTH) w.state = state + 2;
    w.name = sb_fields_name_width(w.columns - w.state, w.name, least);
    return w;
}

void sb_live_text(const sb_live *live, int rows, int columns, FILE *out)
{
    const widths w = choose_widths(live, columns);
    if (rows && (size_t)rows < live->n + 1) {
        const size_t shown = print_some(live, rows > 2 ? (size_t)rows - 2 : 0, w, out);
        fprintf(out, "and %zu more\n", live->n - shown);
    } else {
        for (const sb_live_cell *c = live->cell; c < live->cell + live->n; c++) print_cell(c, w, out);
    }
    print_sum(live, out);
}
