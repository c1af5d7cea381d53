#include "inspect/external/explain.h"

#include "core/size.h"
#include "core/text/plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_MOST = 200 }; /* over the unit of rounding: above it is more than rounding (python: Checker.MOST) */

static const char *const phases[] = {"forward", "backward", "optimizer"};

static const char *word(const sb_explanation *e, int side, int64_t number)
{
    return sb_traced_word(e->of[side], number);
}

/* ---- names ---- */

static void add_name(char *text, size_t size, const char *name)
{
    const size_t used = strlen(text), n = strlen(name);
    if (n == 0 || used + n + 3 > size) return;
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += n)
        if ((at == text || at[-1] == ' ') && (at[n] == 0 || at[n] == ',')) return;
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
}

/* Names of what a row reads and writes. */
static void add_row(const sb_explanation *e, int side, int64_t row, char *text, size_t size)
{
    const sb_traced_op *op = &e->of[side]->row[row];
    for (size_t k = op->first; k < op->first + op->n; k++)
        add_name(text, size, word(e, side, e->of[side]->tensor[k].name));
}

/* Does x read what a row wrote that the results have reached? The state of a generator leads nowhere. */
static bool reads_reached(const sb_traced_update *t, const sb_traced_tensor *x, const bool *reached)
{
    return !(x->flags & SB_TRACED_WRITTEN) && x->writer >= 0 && x->writer < x->row && reached[x->writer] &&
           !sb_traced_is_generator(t, x);
}

/* Of a row that the results have reached: the names of what it writes; of a mark: of what it reads of them. */
static void add_reached(const sb_explanation *e, int side, const sb_traced_op *op, const bool *reached, char *text,
                        size_t size)
{
    const sb_traced_update *t = e->of[side];
    for (size_t k = op->first; k < op->first + op->n; k++) {
        const sb_traced_tensor *x = &t->tensor[k];
        const bool is_written = x->flags & SB_TRACED_WRITTEN;
        if (sb_traced_is_generator(t, x)) continue;
        if (op->mark ? reads_reached(t, x, reached) : is_written) add_name(text, size, word(e, side, x->name));
    }
}

/* Names of what the results of a row go into first: of the first row after it that is computed from them and has a name. */
static void add_fed(const sb_explanation *e, int side, int64_t row, char *text, size_t size)
{
    const sb_traced_update *t = e->of[side];
    const size_t before = strlen(text);
    SB_FREED bool *reached = sb_size_allocate(t->n, sizeof *reached);
    if (!reached) return;
    reached[row] = true;
    for (size_t i = (size_t)row + 1; i < t->n && strlen(text) == before; i++) {
        const sb_traced_op *op = &t->row[i];
        bool is_reached = false;
        for (size_t k = op->first; k < op->first + op->n; k++)
            is_reached = is_reached || reads_reached(t, &t->tensor[k], reached);
        if (!is_reached) continue;
        add_reached(e, side, op, reached, text, size);
        reached[i] = true;
    }
}

void sb_explanation_names(const sb_explanation *e, char *text, size_t size)
{
    *text = 0;
    for (int side = 0; side < 2; side++)
        if (e->tensor[side] >= 0) add_name(text, size, word(e, side, e->of[side]->tensor[e->tensor[side]].name));
    for (int side = 1; side >= 0; side--)
        if (e->blamed[side] >= 0) {
            add_row(e, side, e->blamed[side], text, size);
            add_fed(e, side, e->blamed[side], text, size);
        }
}

/* ---- rows ---- */

static void print_row(const sb_explanation *e, int side, int64_t row, FILE *out)
{
    const sb_traced_op *op = &e->of[side]->row[row];
    fprintf(out, "%s, %s", word(e, side, op->operation), op->mark ? "a mark" : phases[op->phase]);
    if (*word(e, side, op->module)) fprintf(out, ", module %s", word(e, side, op->module));
    if (*word(e, side, op->node)) fprintf(out, ", %s", word(e, side, op->node));
    if (*word(e, side, op->site)) fprintf(out, ", %s", word(e, side, op->site));
    fprintf(out, "\n");
}

static void print_tensor(const sb_explanation *e, int side, const sb_traced_tensor *x, const char *said, FILE *out)
{
    const char *name = word(e, side, x->name), *layout = word(e, side, x->layout);
    fprintf(out, "  %-6s %s%s%s%s  %s %s%s%s  %s\n", x->flags & SB_TRACED_WRITTEN ? "writes" : "reads",
            word(e, side, x->role), *name ? " (" : "", name, *name ? ")" : "", word(e, side, x->dtype),
            word(e, side, x->shape), *layout ? " " : "", layout, said);
}

/* Of a row whose numbers were kept on both sides: by how much they differ. */
static void print_kept(const sb_traced_tensor *x, const sb_traced_tensor *y, FILE *out)
{
    size_t n = 0, at = 0;
    double largest = -1;
    if (!y || !x->kept || !y->kept || x->n_kept != y->n_kept) return;
    for (size_t i = 0; i < x->n_kept; i++) {
        const double a = x->kept[i], b = y->kept[i], d = fabs(a - b);
        if (memcmp(&a, &b, sizeof a) == 0) continue;
        n++;
        if (!(d <= largest)) largest = d, at = i;
    }
    fprintf(out, "    %zu of %zu numbers differ", n, x->n_kept);
    if (n) fprintf(out, "; the largest difference is %.9g, at number %zu: %.17g | %.17g", largest, at, x->kept[at], y->kept[at]);
    fprintf(out, "\n");
}

static void print_pair(const sb_explanation *e, FILE *out)
{
    const sb_traced_op *a = &e->of[0]->row[e->row[0]], *b = &e->of[1]->row[e->row[1]];
    for (size_t k = a->first; k < a->first + a->n; k++) {
        const sb_traced_tensor *x = &e->of[0]->tensor[k];
        const int64_t other = sb_explanation_counterpart(e, 1, b, x);
        const sb_traced_tensor *y = other < 0 ? NULL : &e->of[1]->tensor[other];
        char said[256];
        const bool same = y && sb_hash_equal(x->hash, y->hash);
        snprintf(said, sizeof said, "%s", !y ? "on side a alone" : same ? "the same bits" : "other numbers");
        if (y && strcmp(word(e, 0, x->dtype), word(e, 1, y->dtype)) != 0)
            snprintf(said, sizeof said, "other numbers: dtype %.60s | %.60s", word(e, 0, x->dtype), word(e, 1, y->dtype));
        else if (y && strcmp(word(e, 0, x->layout), word(e, 1, y->layout)) != 0)
            snprintf(said, sizeof said, "%s: layout %.60s | %.60s", same ? "the same bits" : "other numbers",
                     *word(e, 0, x->layout) ? word(e, 0, x->layout) : "dense",
                     *word(e, 1, y->layout) ? word(e, 1, y->layout) : "dense");
        print_tensor(e, 0, x, said, out);
        print_kept(x, y, out);
    }
}

static void print_arguments(const sb_explanation *e, FILE *out)
{
    const char *a = word(e, 0, e->of[0]->row[e->row[0]].arguments), *b = word(e, 1, e->of[1]->row[e->row[1]].arguments);
    if (strcmp(a, b) == 0) {
        if (*a) fprintf(out, "  arguments: %s\n", a);
    } else {
        fprintf(out, "  arguments: %s | %s\n", *a ? a : "(defaults)", *b ? b : "(defaults)");
    }
}

/* Do both sides execute what is blamed, and one of them in place? */
static bool is_of_both(const sb_explanation *e)
{
    const int side = e->blamed[1] >= 0;
    return e->blamed[side] != e->row[side] && (side ? e->alignment.of_b : e->alignment.of_a)[e->blamed[side]] >= 0;
}

/* A row of one side alone, or one that works in place there alone, with all that it reads and writes. */
static void print_blamed(const sb_explanation *e, int side, FILE *out)
{
    char fed[512] = "";
    const int64_t row = e->blamed[side];
    if (row < 0) return;
    const sb_traced_op *op = &e->of[side]->row[row];
    fprintf(out, "side %c %s: ", "ab"[side], is_of_both(e) ? "overwrites what is read later" : "alone executes");
    print_row(e, side, row, out);
    if (*word(e, side, op->arguments)) fprintf(out, "  arguments: %s\n", word(e, side, op->arguments));
    for (size_t k = op->first; k < op->first + op->n; k++) print_tensor(e, side, &e->of[side]->tensor[k], "", out);
    add_fed(e, side, row, fed, sizeof fed);
    if (*fed) fprintf(out, "  its result goes into: %s\n", fed);
}

/* ---- what it says ---- */

static const char *whose(const sb_explanation *e)
{
    return e->side == 0 ? "on side a " : e->side == 1 ? "on side b " : "";
}

static void print_rounding(const sb_explanation *e, FILE *out)
{
    const double a = e->of[0]->row[e->row[0]].error, b = e->of[1]->row[e->row[1]].error;
    if (a < 0 && b < 0) {
        fprintf(out, "whether rounding explains the difference was not checked\n");
        return;
    }
    const bool is_more = a > ERROR_MOST || b > ERROR_MOST;
    if (a >= 0 && b >= 0)
        fprintf(out, "error over what rounding explains: a %.3g, b %.3g: %s\n", a, b,
                is_more ? "more than rounding" : "within rounding");
    else
        fprintf(out, "error over what rounding explains: %c %.3g%s; side %c was not checked\n", a >= 0 ? 'a' : 'b',
                a >= 0 ? a : b, is_more ? ": more than rounding" : "", a >= 0 ? 'b' : 'a');
}

static void print_cause(const sb_explanation *e, FILE *out)
{
    static const char *const text[] = {/* %s: whose it is, and of an operation what one side does */
        [SB_CAUSE_OTHER_WEIGHTS] = "other initial weights: the weights differ before the first update\n",
        [SB_CAUSE_OTHER_BATCH] = "other batch: the update learned from other data\n",
        [SB_CAUSE_OTHER_GENERATOR] = "other generator: the state of the random number generator %sis another one, and "
                                     "no operation of the update made it\n",
        [SB_CAUSE_OTHER_INPUT] = "other input: it was given other numbers, which no operation that differs wrote\n",
        [SB_CAUSE_CHANGED_OUTSIDE] = "changed outside: the numbers %schanged between two operations, and no operation "
                                     "did it. Run it with watch\n",
        [SB_CAUSE_UNINITIALISED] = "uninitialised: %sit reads memory that no operation had written\n",
        [SB_CAUSE_OTHER_ARGUMENT] = "other argument: the same operation on the same numbers, with another argument\n",
        [SB_CAUSE_OTHER_OPERATION] = "other operation: one side %s what the other does not\n",
        [SB_CAUSE_OTHER_TYPE] = "other type: the same operation on another number type (dtype)\n",
        [SB_CAUSE_OTHER_RESULT] = "other result: the same operation on the same numbers computes something else\n",
        [SB_CAUSE_UNSTABLE] = "unstable: executed again on the same numbers, it gives other bits\n",
    };
    const bool is_operation = e->cause == SB_CAUSE_OTHER_OPERATION;
    fprintf(out, text[e->cause], !is_operation ? whose(e) : is_of_both(e) ? "overwrites" : "executes");
    if (e->cause == SB_CAUSE_OTHER_RESULT) print_rounding(e, out);
}

/* Rows of a side whose error is above rounding; the first is named. */
static void print_errors(const sb_explanation *e, int side, FILE *out)
{
    const sb_traced_update *t = e->of[side];
    size_t n = 0;
    int64_t first = -1;
    for (size_t i = 0; i < t->n; i++)
        if (t->row[i].error > ERROR_MOST && n++ == 0) first = (int64_t)i;
    if (!n) return;
    fprintf(out, "side %c: %zu operation%s err%s by more than rounding explains; the first, by a factor of %.3g: ", "ab"[side],
            n, sb_plural(n), n == 1 ? "s" : "", t->row[first].error);
    print_row(e, side, first, out);
}

/* Inputs of a side that changed while no operation wrote them; the first is named. Holds whatever the other side's bits are. */
static void print_changed(const sb_explanation *e, int side, FILE *out)
{
    const sb_traced_update *t = e->of[side];
    size_t n = 0;
    const sb_traced_tensor *first = NULL;
    for (size_t k = 0; k < t->n_tensors; k++)
        if (t->tensor[k].flags & SB_TRACED_CHANGED && n++ == 0) first = &t->tensor[k];
    if (!n) return;
    const char *name = word(e, side, first->name);
    fprintf(out, "side %c: %zu input%s changed while no operation wrote them; the first is %s%s%s%s of ", "ab"[side], n,
            sb_plural(n), word(e, side, first->role), *name ? " (" : "", name, *name ? ")" : "");
    print_row(e, side, first->row, out);
}

static size_t operations(const sb_traced_update *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) n += !t->row[i].mark;
    return n;
}

void sb_explanation_print(const sb_explanation *e, FILE *out)
{
    fprintf(out, "update %lld: %zu | %zu operations, %zu | %zu of them without a partner\n", (long long)e->of[0]->update,
            operations(e->of[0]), operations(e->of[1]), e->unpaired[0], e->unpaired[1]);
    if (e->cause == SB_CAUSE_NONE) {
        fprintf(out, "the same bits in all operations that both sides execute\n");
    } else {
        const int side = e->row[0] >= 0 ? 0 : 1;
        fprintf(out, "the first that differs: ");
        print_row(e, side, e->row[side], out);
        if (e->row[0] >= 0 && e->row[1] >= 0) {
            print_pair(e, out);
            print_arguments(e, out);
        }
        if (e->cause == SB_CAUSE_OTHER_OPERATION && e->blamed[0] != e->row[0]) print_blamed(e, 0, out);
        if (e->cause == SB_CAUSE_OTHER_OPERATION && e->blamed[1] != e->row[1]) print_blamed(e, 1, out);
        print_cause(e, out);
    }
    for (int side = 0; side < 2; side++) {
        print_errors(e, side, out);
        print_changed(e, side, out);
    }
    (void)sb_settings_print(e->of[0]->settings, e->of[1]->settings, out);
}
