#include "inspect/external/explain.h"

#include "core/size.h"

#include <string.h>

const char *const sb_cause_names[SB_CAUSES] = {
    "same bits",       "other initial weights", "other batch",    "other generator", "other input", "changed outside",
    "uninitialised",   "other argument",        "other operation", "other type",      "other result", "unstable",
};

/* ---- what a row has ---- */

static const sb_traced_op *row_at(const sb_explanation *e, int side, int64_t row)
{
    return &e->of[side]->row[row];
}

static const sb_traced_tensor *tensor_at(const sb_explanation *e, int side, int64_t tensor)
{
    return &e->of[side]->tensor[tensor];
}

static const char *word(const sb_explanation *e, int side, int64_t number)
{
    return sb_traced_word(e->of[side], number);
}

static bool is_written(const sb_traced_tensor *x)
{
    return x->flags & SB_TRACED_WRITTEN;
}

/* The one tensor that a row writes, generators left out; -1: none, or several. */
static int64_t only_written(const sb_traced_update *t, const sb_traced_op *row)
{
    int64_t only = -1;
    for (size_t k = row->first; k < row->first + row->n; k++) {
        if (!is_written(&t->tensor[k]) || sb_traced_is_generator(t, &t->tensor[k])) continue;
        if (only >= 0) return -1;
        only = (int64_t)k;
    }
    return only;
}

int64_t sb_explanation_counterpart(const sb_explanation *e, int side, const sb_traced_op *row, const sb_traced_tensor *x)
{
    for (size_t k = row->first; k < row->first + row->n; k++) {
        const sb_traced_tensor *y = tensor_at(e, side, (int64_t)k);
        if (is_written(y) == is_written(x) &&
            strcmp(word(e, side, y->role), word(e, !side, x->role)) == 0)
            return (int64_t)k;
    }
    const int64_t here = is_written(x) ? only_written(e->of[!side], row_at(e, !side, x->row)) : -1;
    return here >= 0 && tensor_at(e, !side, here) == x ? only_written(e->of[side], row) : -1;
}

static int64_t partner(const sb_explanation *e, int side, int64_t row)
{
    return side ? e->alignment.of_b[row] : e->alignment.of_a[row];
}

static bool differ(const sb_explanation *e, int64_t a, int64_t b)
{
    const sb_traced_tensor *x = tensor_at(e, 0, a), *y = tensor_at(e, 1, b);
    return !sb_hash_equal(x->hash, y->hash) || strcmp(word(e, 0, x->dtype), word(e, 1, y->dtype)) != 0;
}

/* ---- where a tensor comes from ---- */

typedef struct origin {
    int64_t writer; /* row; -1: not written in this update */
    int64_t tensor; /* as that row wrote it, or as it was read */
} origin;

static int64_t written_with(const sb_traced_update *t, const sb_traced_op *row, sb_hash hash)
{
    for (size_t k = row->first; k < row->first + row->n; k++)
        if (is_written(&t->tensor[k]) && sb_hash_equal(t->tensor[k].hash, hash)) return (int64_t)k;
    return -1;
}

/* Looks through copies that changed no bit. */
static origin origin_of(const sb_explanation *e, int side, int64_t tensor)
{
    const sb_traced_update *t = e->of[side];
    for (;;) {
        const sb_traced_tensor *x = &t->tensor[tensor];
        const int64_t writer = x->writer;
        if (writer < 0 || writer >= x->row) return (origin){writer == x->row && !is_written(x) ? -1 : writer, tensor};
        const sb_traced_op *row = &t->row[writer];
        if (!sb_traced_is_copy(t, row) || written_with(t, row, x->hash) < 0) return (origin){writer, tensor};
        int64_t source = -1;
        for (size_t k = row->first; source < 0 && k < row->first + row->n; k++)
            if (!is_written(&t->tensor[k]) && sb_hash_equal(t->tensor[k].hash, x->hash)) source = (int64_t)k;
        if (source < 0) return (origin){writer, tensor};
        tensor = source;
    }
}

static bool is_unpaired(const sb_explanation *e, int side, int64_t row)
{
    return row >= 0 && partner(e, side, row) < 0;
}

/* Do all the numbers that the row wrote occur on the other side? Then it is another form of the same. */
static bool occurs_there(const sb_explanation *e, int side, int64_t row)
{
    const sb_traced_update *t = e->of[side], *there = e->of[!side];
    const sb_traced_op *op = &t->row[row];
    for (size_t k = op->first; k < op->first + op->n; k++) {
        bool found = false;
        if (!is_written(&t->tensor[k]) || sb_traced_is_generator(t, &t->tensor[k])) continue;
        for (size_t i = 0; !found && i < there->n_tensors; i++)
            found = sb_hash_equal(there->tensor[i].hash, t->tensor[k].hash);
        if (!found) return false;
    }
    return true;
}

/* Of the rows without a partner that feed this one, itself included, the earliest whose numbers the other side lacks;
 * -1: none. */
static int64_t earliest_feeder(const sb_explanation *e, int side, int64_t row)
{
    const sb_traced_update *t = e->of[side];
    SB_FREED bool *reached = sb_size_allocate((size_t)row + 1, sizeof *reached);
    int64_t found = -1;
    if (!reached) return row;
    reached[row] = true;
    for (int64_t i = row; i >= 0; i--) { /* writers come before readers */
        if (!reached[i]) continue;
        const sb_traced_op *op = &t->row[i];
        const bool is_copy = sb_traced_is_copy(t, op);
        if (!is_copy && !is_unpaired(e, side, i)) continue;
        if (!is_copy && !sb_class_is_fill(word(e, side, op->operation)) && !occurs_there(e, side, i)) found = i;
        for (size_t k = op->first; k < op->first + op->n; k++) {
            const sb_traced_tensor *x = &t->tensor[k];
            if (!is_written(x) && x->writer >= 0 && x->writer < i) reached[x->writer] = true;
        }
    }
    return found;
}

/* ---- causes ---- */

static void blame_pair(sb_explanation *e, sb_cause cause, int side)
{
    e->cause = cause;
    e->side = side;
    e->blamed[0] = e->row[0], e->blamed[1] = e->row[1];
}

static bool blame_feeders(sb_explanation *e, int64_t a, int64_t b)
{
    const int64_t found[2] = {is_unpaired(e, 0, a) ? earliest_feeder(e, 0, a) : -1,
                              is_unpaired(e, 1, b) ? earliest_feeder(e, 1, b) : -1};
    if (found[0] < 0 && found[1] < 0) return false;
    e->cause = SB_CAUSE_OTHER_OPERATION;
    e->blamed[0] = found[0], e->blamed[1] = found[1];
    e->side = found[1] >= 0 ? 1 : 0;
    return true;
}

/* The first row without a partner that draws random numbers before the pair, on a side. */
static int64_t extra_draw(const sb_explanation *e, int side, int64_t before)
{
    const sb_traced_update *t = e->of[side];
    for (int64_t i = 0; i < before; i++) {
        if (!is_unpaired(e, side, i)) continue;
        for (size_t k = t->row[i].first; k < t->row[i].first + t->row[i].n; k++)
            if (is_written(&t->tensor[k]) && sb_traced_is_generator(t, &t->tensor[k])) return i;
    }
    return -1;
}

static void follow_generator(sb_explanation *e)
{
    const int64_t a = extra_draw(e, 0, e->row[0]), b = extra_draw(e, 1, e->row[1]);
    const bool changed[2] = {tensor_at(e, 0, e->tensor[0])->flags & SB_TRACED_CHANGED,
                             tensor_at(e, 1, e->tensor[1])->flags & SB_TRACED_CHANGED};
    if (changed[0] != changed[1] || (a < 0 && b < 0)) {
        blame_pair(e, SB_CAUSE_OTHER_GENERATOR, changed[0] == changed[1] ? SB_BOTH : changed[1]);
        return;
    }
    e->cause = SB_CAUSE_OTHER_OPERATION;
    e->blamed[0] = a, e->blamed[1] = b;
    e->side = b >= 0;
}

static bool is_named(const sb_explanation *e, int side, int64_t tensor, const char *beginning)
{
    return strncmp(word(e, side, tensor_at(e, side, tensor)->name), beginning, strlen(beginning)) == 0;
}

static bool is_fill(const sb_explanation *e, int side, int64_t row)
{
    return row >= 0 && sb_class_is_fill(word(e, side, row_at(e, side, row)->operation));
}

/* Other numbers that neither side wrote in this update. */
static void blame_given(sb_explanation *e)
{
    const sb_traced_op *row = row_at(e, 0, e->row[0]);
    const char *mark = row->mark ? word(e, 0, row->operation) : "";
    const bool other_type = strcmp(word(e, 0, tensor_at(e, 0, e->tensor[0])->dtype),
                                   word(e, 1, tensor_at(e, 1, e->tensor[1])->dtype)) != 0;
    if (strcmp(mark, "batch") == 0 || is_named(e, 0, e->tensor[0], "batch "))
        blame_pair(e, SB_CAUSE_OTHER_BATCH, SB_BOTH);
    else if (other_type && !row->mark)
        blame_pair(e, SB_CAUSE_OTHER_TYPE, SB_BOTH);
    else if (strcmp(mark, "weights before") == 0 && e->of[0]->update == 1)
        blame_pair(e, SB_CAUSE_OTHER_WEIGHTS, SB_BOTH);
    else
        blame_pair(e, SB_CAUSE_OTHER_INPUT, SB_BOTH);
}

/* Does the row overwrite an argument with such numbers? */
static bool is_overwriting(const sb_traced_update *t, int64_t row, sb_hash hash)
{
    const sb_traced_op *op = &t->row[row];
    const int64_t at = written_with(t, op, hash);
    return at >= 0 && strncmp(sb_traced_word(t, t->tensor[at].role), "result", 6) != 0;
}

/* On a side, the operation that overwrote in place, before they were read, the numbers that the other side reads; -1: none. */
static int64_t overwriter(const sb_explanation *e, int side)
{
    const sb_traced_update *t = e->of[side];
    const sb_traced_tensor *x = tensor_at(e, side, e->tensor[side]), *there = tensor_at(e, !side, e->tensor[!side]);
    if (x->writer < 0 || x->writer >= x->row || !is_overwriting(t, x->writer, x->hash)) return -1;
    for (size_t k = 0; k < t->row[x->writer].first; k++)
        if (sb_hash_equal(t->tensor[k].hash, there->hash)) return x->writer;
    return -1;
}

static bool blame_overwriter(sb_explanation *e)
{
    for (int side = 1; side >= 0; side--) {
        const int64_t row = overwriter(e, side);
        if (row < 0) continue;
        e->cause = SB_CAUSE_OTHER_OPERATION;
        e->blamed[side] = row, e->blamed[!side] = -1;
        e->side = side;
        return true;
    }
    return false;
}

/* Follow an input that differs, e->tensor, to where it comes from. */
static void follow(sb_explanation *e)
{
    const sb_traced_tensor *x = tensor_at(e, 0, e->tensor[0]), *y = tensor_at(e, 1, e->tensor[1]);
    const unsigned a = x->flags, b = y->flags;
    if (sb_traced_is_generator(e->of[0], x)) {
        follow_generator(e);
        return;
    }
    if ((a | b) & SB_TRACED_UNINITIALISED) {
        blame_pair(e, SB_CAUSE_UNINITIALISED, (a & b) & SB_TRACED_UNINITIALISED ? SB_BOTH : !(a & SB_TRACED_UNINITIALISED));
        return;
    }
    if ((a ^ b) & SB_TRACED_CHANGED) {
        blame_pair(e, SB_CAUSE_CHANGED_OUTSIDE, !(a & SB_TRACED_CHANGED));
        return;
    }
    const origin p = origin_of(e, 0, e->tensor[0]), q = origin_of(e, 1, e->tensor[1]);
    const bool is_backward = row_at(e, 0, e->row[0])->phase == SB_TRACED_BACKWARD;
    if (p.writer < 0 && q.writer < 0) {
        if (!is_backward || !blame_overwriter(e)) blame_given(e);
    } else if ((p.writer < 0 && is_fill(e, 1, q.writer)) || (q.writer < 0 && is_fill(e, 0, p.writer))) {
        blame_pair(e, SB_CAUSE_OTHER_INPUT, SB_BOTH);
    } else if (!blame_feeders(e, p.writer, q.writer) && !blame_overwriter(e)) {
        const bool same_writers = p.writer >= 0 && q.writer >= 0 && partner(e, 0, p.writer) == q.writer;
        blame_pair(e, same_writers ? SB_CAUSE_CHANGED_OUTSIDE : SB_CAUSE_OTHER_INPUT, SB_BOTH);
    }
}

static bool is_flagged(const sb_traced_tensor *x, const sb_traced_tensor *y)
{
    return (x->flags ^ y->flags) & SB_TRACED_UNINITIALISED;
}

/* The input to follow: before others one that was never written, whatever its numbers, or that changed outside; else the
 * first that differs. */
static bool find_input(sb_explanation *e)
{
    const sb_traced_op *a = row_at(e, 0, e->row[0]), *b = row_at(e, 1, e->row[1]);
    e->tensor[0] = e->tensor[1] = -1;
    for (size_t k = a->first; k < a->first + a->n; k++) {
        const sb_traced_tensor *x = tensor_at(e, 0, (int64_t)k);
        const int64_t other = is_written(x) ? -1 : sb_explanation_counterpart(e, 1, b, x);
        if (other < 0 || !(differ(e, (int64_t)k, other) || is_flagged(x, tensor_at(e, 1, other)))) continue;
        const bool flagged = (x->flags | tensor_at(e, 1, other)->flags) & (SB_TRACED_CHANGED | SB_TRACED_UNINITIALISED);
        if (e->tensor[0] < 0 || flagged) e->tensor[0] = (int64_t)k, e->tensor[1] = other;
        if (flagged) break;
    }
    return e->tensor[0] >= 0;
}

/* An input that one side alone has, such as a gradient of a parameter that the other does not train. */
static bool find_single(const sb_explanation *e, int side, int64_t *tensor)
{
    const sb_traced_op *row = row_at(e, side, e->row[side]), *other = row_at(e, !side, e->row[!side]);
    for (size_t k = row->first; k < row->first + row->n; k++) {
        const sb_traced_tensor *x = tensor_at(e, side, (int64_t)k);
        *tensor = (int64_t)k;
        if (!is_written(x) && sb_explanation_counterpart(e, !side, other, x) < 0) return true;
    }
    return false;
}

static bool blame_single(sb_explanation *e)
{
    int64_t tensor;
    for (int side = 1; side >= 0; side--) {
        if (!find_single(e, side, &tensor)) continue;
        const int64_t writer = origin_of(e, side, tensor).writer;
        e->tensor[side] = tensor;
        if (blame_feeders(e, side ? -1 : writer, side ? writer : -1)) return true;
        blame_pair(e, SB_CAUSE_OTHER_ARGUMENT, side);
        return true;
    }
    return false;
}

/* Zeros and ones are one class, and not the same operation. */
static bool other_name(const sb_explanation *e)
{
    return strcmp(word(e, 0, row_at(e, 0, e->row[0])->operation), word(e, 1, row_at(e, 1, e->row[1])->operation)) != 0;
}

static void judge_computation(sb_explanation *e)
{
    const sb_traced_op *a = row_at(e, 0, e->row[0]), *b = row_at(e, 1, e->row[1]);
    const sb_traced_tensor *x = sb_traced_result(e->of[0], a), *y = sb_traced_result(e->of[1], b);
    char class_a[SB_CLASS_TEXT], class_b[SB_CLASS_TEXT];
    sb_class_of(word(e, 0, a->operation), class_a);
    sb_class_of(word(e, 1, b->operation), class_b);
    if (strcmp(word(e, 0, a->arguments), word(e, 1, b->arguments)) != 0)
        blame_pair(e, SB_CAUSE_OTHER_ARGUMENT, SB_BOTH);
    else if (strcmp(class_a, class_b) != 0 || (is_fill(e, 0, e->row[0]) && other_name(e)))
        blame_pair(e, SB_CAUSE_OTHER_OPERATION, SB_BOTH);
    else if (x && y && strcmp(word(e, 0, x->dtype), word(e, 1, y->dtype)) != 0)
        blame_pair(e, SB_CAUSE_OTHER_TYPE, SB_BOTH);
    else
        blame_pair(e, SB_CAUSE_OTHER_RESULT, SB_BOTH);
}

static void judge(sb_explanation *e)
{
    const int64_t others[2] = {row_at(e, 0, e->row[0])->other_results, row_at(e, 1, e->row[1])->other_results};
    const bool other_input = find_input(e);
    if (other_input)
        follow(e);
    else if (others[0] || others[1])
        blame_pair(e, SB_CAUSE_UNSTABLE, others[0] && others[1] ? SB_BOTH : others[1] > 0);
    else if (!blame_single(e))
        judge_computation(e);
}

/* ---- the first pair that differs ---- */

/* Of an operation its results count, of a mark what it reads; the state of a generator is no result. */
static bool pair_differs(const sb_explanation *e, int64_t a, int64_t b)
{
    const sb_traced_op *x = row_at(e, 0, a), *y = row_at(e, 1, b);
    size_t n[2] = {0};
    for (size_t k = y->first; k < y->first + y->n; k++) n[1] += is_written(tensor_at(e, 1, (int64_t)k)) != x->mark;
    for (size_t k = x->first; k < x->first + x->n; k++) {
        const sb_traced_tensor *t = tensor_at(e, 0, (int64_t)k);
        const int64_t other = sb_explanation_counterpart(e, 1, y, t);
        if (!is_written(t) && other >= 0 && is_flagged(t, tensor_at(e, 1, other))) return true;
        if (is_written(t) == x->mark) continue;
        n[0]++;
        if (!sb_traced_is_generator(e->of[0], t) && (other < 0 || differ(e, (int64_t)k, other))) return true;
    }
    return x->mark && n[0] != n[1];
}

/* A row that the other side executes too and that is unstable, where nothing differs. */
static bool find_unstable(sb_explanation *e)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < e->of[side]->n; i++) {
            if (!e->of[side]->row[i].other_results) continue;
            const int64_t other = partner(e, side, (int64_t)i);
            e->row[side] = (int64_t)i, e->row[!side] = other < 0 ? -1 : other;
            blame_pair(e, SB_CAUSE_UNSTABLE, side);
            return true;
        }
    return false;
}

static void count_unpaired(sb_explanation *e)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < e->of[side]->n; i++)
            e->unpaired[side] += !e->of[side]->row[i].mark && partner(e, side, (int64_t)i) == SB_ALIGN_NONE;
}

sb_status sb_explain(const sb_traced_update *a, const sb_traced_update *b, sb_explanation *e)
{
    *e = (sb_explanation){.of = {a, b}, .row = {-1, -1}, .blamed = {-1, -1}, .tensor = {-1, -1}, .side = SB_BOTH};
    if (a->update != b->update)
        return sb_fail(SB_E_USAGE, "traces of two updates, %lld and %lld", (long long)a->update, (long long)b->update);
    SB_TRY(sb_align(a, b, &e->alignment));
    count_unpaired(e);
    for (size_t i = 0; i < a->n; i++) {
        const int64_t other = e->alignment.of_a[i];
        if (other < 0 || !pair_differs(e, (int64_t)i, other)) continue;
        e->row[0] = (int64_t)i, e->row[1] = other;
        judge(e);
        return SB_OK;
    }
    (void)find_unstable(e);
    return SB_OK;
}

void sb_explanation_free(sb_explanation *e)
{
    sb_alignment_free(&e->alignment);
}

int sb_explanation_row(const sb_explanation *e, int64_t *row)
{
    const int side = e->side == SB_BOTH ? (e->blamed[1] >= 0) : e->side;
    const int shown = e->blamed[side] >= 0 ? side : !side;
    *row = e->blamed[shown];
    return shown;
}
