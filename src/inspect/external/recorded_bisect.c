#include "core/file.h"
#include "core/size.h"
#include "inspect/external/explain.h"
#include "inspect/external/recorded.h"
#include "io/seal.h"

#include <string.h>

bool sb_recorded_is_trace(const char *path)
{
    sb_seal seal;
    int64_t schema;
    if (!sb_seal_peek(path, &seal) || seal.kind != SB_SEAL_TRACE) return false;
    return sb_traced_schema(path, &schema) == SB_OK && schema == SB_TRACED_SCHEMA;
}

/* ---- traces ---- */

static void note(sb_bisect_facts *f, const sb_explanation *e)
{
    static const char *const phases[] = {"forward", "backward", "optimizer"};
    int64_t row;
    f->kind = sb_cause_names[e->cause];
    for (size_t i = 0; i < e->of[0]->n; i++) f->n_operations += !e->of[0]->row[i].mark;
    if (e->cause == SB_CAUSE_NONE) return;
    const int side = sb_explanation_row(e, &row);
    const sb_traced_update *t = e->of[side];
    const sb_traced_op *op = &t->row[row];
    f->update = t->update;
    f->other_differs = true;
    f->number = (size_t)row + 1;
    f->other.side = e->side == SB_BOTH ? 0 : (char)('a' + e->side);
    f->other.phase = phases[op->phase];
    snprintf(f->operation, sizeof f->operation, "%s", sb_traced_word(t, op->operation));
    snprintf(f->other.module, sizeof f->other.module, "%s", sb_traced_word(t, op->module));
    snprintf(f->other.site, sizeof f->other.site, "%s", sb_traced_word(t, op->site));
    snprintf(f->other.arguments, sizeof f->other.arguments, "%s", sb_traced_word(t, op->arguments));
    sb_explanation_names(e, f->other.tensors, sizeof f->other.tensors);
}

static sb_status explain(const char *path_a, const char *path_b, const sb_traced_update *a, const sb_traced_update *b,
                         sb_bisect_facts *facts, FILE *out)
{
    SB_OWNED(sb_explanation_free) sb_explanation e = {0};
    const sb_status status = sb_explain(a, b, &e);
    if (status == SB_E_USAGE) return sb_fail(status, "%s and %s: %.200s", path_a, path_b, sb_message());
    SB_TRY(status);
    note(facts, &e);
    sb_explanation_print(&e, out);
    if (e.cause == SB_CAUSE_NONE) return SB_OK;
    return sb_fail(SB_E_DIFFERS, "%s and %s differ: %s, %s", path_a, path_b, sb_cause_names[e.cause], facts->operation);
}

/* Traces of nudged runs of side a, one after the other. */
static sb_status read_all(sb_traced_update *traces, const char *const *paths, size_t n)
{
    for (size_t i = 0; i < n; i++) SB_TRY(sb_traced_read(&traces[i], paths[i]));
    return SB_OK;
}

static sb_status carry(const sb_traced_update *a, const sb_traced_update *b, const char *const *nudged, size_t n,
                       sb_bisect_facts *facts, FILE *out)
{
    sb_carried carried;
    SB_FREED sb_traced_update *traces = sb_size_allocate(n, sizeof *traces);
    if (!traces) return sb_fail(SB_E_MEMORY, "not enough memory for %zu traces", n);
    sb_status status = read_all(traces, nudged, n);
    if (status == SB_OK) status = sb_carried_compare(a, b, traces, n, &carried);
    if (status == SB_OK) {
        sb_carried_print(&carried, a, n, out);
        facts->other.has_carried = carried.tensor >= 0;
        facts->other.carried = carried.ratio;
        if (facts->other.has_carried)
            snprintf(facts->other.carried_at, sizeof facts->other.carried_at, "%s",
                     sb_traced_word(a, a->row[a->tensor[carried.tensor].row].operation));
    }
    for (size_t i = 0; i < n; i++) sb_traced_update_free(&traces[i]);
    return status;
}

sb_status sb_recorded_bisect_traces(const char *path_a, const char *path_b, const char *const *nudged, size_t n,
                                    sb_bisect_facts *facts, FILE *out)
{
    SB_OWNED(sb_traced_update_free) sb_traced_update a = {0}, b = {0};
    SB_TRY(sb_traced_read(&a, path_a));
    SB_TRY(sb_traced_read(&b, path_b));
    if (n) SB_TRY(carry(&a, &b, nudged, n, facts, out));
    return explain(path_a, path_b, &a, &b, facts, out);
}

/* ---- recordings ---- */

/* a.h5 -> a.u17.trace.h5 */
static void trace_path(const char *path, int64_t update, char trace[SB_PATH_MAX + 64])
{
    size_t n = strlen(path);
    if (n > 3 && strcmp(path + n - 3, ".h5") == 0) n -= 3;
    snprintf(trace, SB_PATH_MAX + 64, "%.*s.u%lld.trace.h5", (int)(n < SB_PATH_MAX ? n : SB_PATH_MAX - 1), path,
             (long long)update);
}

static void say_what_to_type(long long update, const char *a, const char *b, FILE *out)
{
    fprintf(out, "to find the operation, trace update %lld of both runs: in the program record(..., trace=%lld), or\n",
            update, update);
    fprintf(out, "  python -m samebits run --record RUN.h5 --trace %lld PROGRAM.py\n", update);
    fprintf(out, "and then compare the traces:\n  samebits bisect %s %s\n", a, b);
}

static sb_status look_closer(const sb_recorded_diff *d, sb_bisect_facts *facts, FILE *out)
{
    char a[SB_PATH_MAX + 64], b[SB_PATH_MAX + 64];
    const char *const part = facts->part;
    const int64_t update = facts->update;
    trace_path(d->of.path[0], update, a);
    trace_path(d->of.path[1], update, b);
    if (!sb_file_exists(a) || !sb_file_exists(b)) {
        say_what_to_type((long long)update, a, b, out);
        return SB_OK;
    }
    const sb_status status = sb_recorded_bisect_traces(a, b, NULL, 0, facts, out);
    facts->part = part;
    return status == SB_E_DIFFERS ? SB_OK : status;
}

static sb_status bisect(sb_recorded_diff *d, sb_bisect_facts *facts, FILE *out)
{
    facts->update = d->of.parting.update;
    facts->other_differs = d->of.differs;
    facts->part = d->of.parting.name;
    facts->kind = d->of.other.kind;
    snprintf(facts->other.tensors, sizeof facts->other.tensors, "%s", d->of.other.tensor);
    sb_recorded_print(d, out);
    const bool has_operation = d->of.differs && facts->update > 0 && strcmp(facts->part, "length") != 0;
    if (has_operation) SB_TRY(look_closer(d, facts, out));
    return sb_recorded_judge(d);
}

sb_status sb_recorded_bisect_runs(const char *path_a, const char *path_b, sb_bisect_facts *facts, FILE *out)
{
    SB_OWNED(sb_recorded_free) sb_recorded_diff d = {0};
    SB_TRY(sb_recorded_compare(&d, path_a, path_b));
    return bisect(&d, facts, out);
}
