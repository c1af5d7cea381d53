#include "io/h5/h5_attribute.h"
#include "io/run/runfile_parts.h"

#include <math.h>
#include <string.h>

/* ---- what it is ---- */

/* The seal says what the file is for; a file of the first release, before it is adopted, has none. */
static sb_status check_kind(sb_h5 *file, bool is_finished)
{
    const sb_seal *seal = sb_h5_seal(file);
    if (!seal->kind || is_finished == (seal->kind != SB_SEAL_CHECKPOINT)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: sealed as a %s, but it has %s /final", sb_h5_path(file),
                   sb_seal_kind_text(seal->kind), is_finished ? "a" : "no");
}

static sb_status check_schema(sb_h5 *file)
{
    int64_t schema;
    if (!sb_h5_has(file, "meta", "schema"))
        return sb_fail(SB_E_INTEGRITY, "%s: not a run file of samebits", sb_h5_path(file));
    SB_TRY(sb_h5_get_int(file, "meta", "schema", &schema));
    if (sb_runfile_reads(schema)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: run file of schema %lld, this program reads schemas 1 to %d", sb_h5_path(file),
                   (long long)schema, SB_RUN_SCHEMA);
}

/* ---- digests and entries of the chain ---- */

/* The hash that an attribute holds as text is this one. */
static sb_status check_hash(sb_h5 *file, const char *group, const char *name, sb_hash computed, const char *what)
{
    char recorded[SB_HASH_TEXT], text[SB_HASH_TEXT];
    SB_TRY(sb_h5_get_text(file, group, name, recorded, sizeof recorded));
    sb_hash_text(computed, text);
    if (strcmp(recorded, text) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: changed after it was written: the hash of %s is %s, and /%s says %s",
                   sb_h5_path(file), what, text, group, recorded);
}

static sb_status check_digest(sb_h5 *file, const char *group)
{
    sb_hash digest;
    SB_TRY(sb_runfile_digest(file, &digest));
    return check_hash(file, group, "digest", digest, "its content");
}

static sb_status check_head(sb_h5 *file, const sb_run_head *head)
{
    int64_t update;
    SB_TRY(sb_h5_get_int(file, "head", "update", &update));
    if (update != head->update)
        return sb_fail(SB_E_INTEGRITY, "%s: changed after it was written: it has %lld rows, and /head says %lld",
                       sb_h5_path(file), (long long)head->update, (long long)update);
    SB_TRY(check_hash(file, "head", "weights", head->weights, "its weights"));
    SB_TRY(check_hash(file, "head", "optimiser", head->optimizer, "the moments of the optimizer"));
    return check_hash(file, "head", "state", head->state, "the carried state");
}

/* One column of the chain at its last entry. */
static sb_status check_link(sb_h5 *file, const char *name, size_t n, sb_hash computed, const char *what)
{
    sb_hash link;
    SB_TRY(sb_h5_read_rows(file, name, SB_U8, n - 1, 1, sizeof link.byte, link.byte));
    if (sb_hash_equal(link, computed)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY,
                   "%s: changed after it was written: %s differ from the last entry of its hash "
                   "chain",
                   sb_h5_path(file), what);
}

static sb_status check_links(sb_h5 *file, const sb_run_head *head)
{
    sb_h5_shape shape;
    int64_t last;
    if (!sb_h5_exists(file, "chain/update")) return SB_OK;
    SB_TRY(sb_h5_shape_of(file, "chain/update", &shape));
    if (shape.rank != 1 || shape.n == 0) return SB_OK;
    SB_TRY(sb_h5_read_rows(file, "chain/update", SB_I64, shape.n - 1, 1, 1, &last));
    if (last != head->update) return SB_OK;
    SB_TRY(check_link(file, "chain/weights", shape.n, head->weights, "its weights"));
    return check_link(file, "chain/optimiser", shape.n, head->optimizer, "the moments of the optimizer");
}

sb_status sb_runfile_check_tensors(sb_h5 *file, const sb_run_head *head)
{
    if (sb_h5_has(file, "head", "update")) SB_TRY(check_head(file, head));
    return check_links(file, head);
}

/* Of a run without its weights: their hash in /head equals the one in the last entry, if that is of the last update.
 */
static sb_status check_without_tensors(sb_h5 *file)
{
    static const struct {
        const char *column, *name;
    } links[] = {{"chain/weights", "weights"}, {"chain/optimiser", "optimiser"}};
    sb_h5_shape shape;
    int64_t last, update;
    SB_TRY(sb_h5_shape_of(file, "chain/update", &shape));
    if (shape.rank != 1 || shape.n == 0) return sb_fail(SB_E_INTEGRITY, "%s: has no link", sb_h5_path(file));
    SB_TRY(sb_h5_read_rows(file, "chain/update", SB_I64, shape.n - 1, 1, 1, &last));
    SB_TRY(sb_h5_get_int(file, "head", "update", &update));
    for (size_t i = 0; last == update && i < sizeof links / sizeof *links; i++) {
        sb_hash link;
        SB_TRY(sb_h5_read_rows(file, links[i].column, SB_U8, shape.n - 1, 1, sizeof link.byte, link.byte));
        SB_TRY(check_hash(file, "head", links[i].name, link, "the last link"));
    }
    return SB_OK;
}

/* ---- /final ---- */

static sb_status fail_final(sb_h5 *file, const char *name)
{
    return sb_fail(SB_E_INTEGRITY, "%s: changed after it was finished: /final's %s does not follow from the rest of it",
                   sb_h5_path(file), name);
}

/* NaN, as the losses of a training that diverged may be, is the same as NaN. */
static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static sb_status check_final(sb_h5 *file)
{
    sb_run_summary recorded, computed = {0};
    SB_TRY(check_digest(file, "final"));
    SB_TRY(sb_runfile_summary(file, &recorded));
    SB_TRY(sb_runfile_final_of(file, &computed));
    if (recorded.updates != computed.updates) return fail_final(file, "updates");
    if (recorded.diverged != computed.diverged) return fail_final(file, "diverged");
    if (*computed.weights && strcmp(recorded.weights, computed.weights) != 0) return fail_final(file, "weights");
    for (size_t i = 0; i < SB_RUN_FINALS; i++)
        if (!sb_run_finals[i].is_measured && !is_same(*sb_run_final_at(&recorded, i), *sb_run_final_at(&computed, i)))
            return fail_final(file, sb_run_finals[i].name);
    return SB_OK;
}

sb_status sb_runfile_check(sb_h5 *file)
{
    const bool is_finished = sb_h5_has(file, "final", "digest"), has_head = sb_h5_has(file, "head", "update");
    const sb_seal *seal = sb_h5_seal(file);
    sb_run_head head;
    bool has_tensors;
    SB_TRY(check_schema(file));
    SB_TRY(sb_runfile_check_layout(file));
    SB_TRY(check_kind(file, is_finished));
    if (!has_head && seal->kind && !seal->adopted)
        return sb_fail(SB_E_INTEGRITY, "%s: changed after it was written: it has no /head", sb_h5_path(file));
    SB_TRY(sb_runfile_head_of(file, &head, &has_tensors));
    if (has_tensors) SB_TRY(sb_runfile_check_tensors(file, &head));
    if (seal->kind == SB_SEAL_CHAIN) SB_TRY(check_without_tensors(file));
    if (has_head) SB_TRY(check_digest(file, "head"));
    if (is_finished) return check_final(file);
    return sb_fail(SB_E_EMPTY, "%s: not finished; the same 'samebits train' command continues it", sb_h5_path(file));
}
