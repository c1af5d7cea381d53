#include "inspect/verify/verify_parts.h"

#include "core/text/plural.h"
#include "inspect/trace/trace_file.h"
#include "io/columns.h"
#include "io/dataset.h"
#include "io/h5/h5_attribute.h"
#include "io/run/journal.h"
#include "io/run/runfile.h"
#include "io/sums.h"
#include "record/external_file.h"
#include "record/record_journal.h"
#include "record/traced.h"

#include <stdio.h>
#include <string.h>

/* ---- how a file is recognized ---- */

static bool is_sealed(const sb_kind_of_file *kind, const sb_subject *s)
{
    return s->has_seal && s->seal.kind == kind->seal;
}

static bool ends_so(const sb_kind_of_file *kind, const sb_subject *s)
{
    const size_t length = strlen(s->name), ending = strlen(kind->ending);
    return length >= ending && strcmp(s->name + length - ending, kind->ending) == 0;
}

static bool is_named_so(const sb_kind_of_file *kind, const sb_subject *s)
{
    return strcmp(s->name, kind->ending) == 0;
}

/* Its seal is damaged or missing, or its name says that it should have one. */
static bool should_be_sealed(const sb_kind_of_file *kind, const sb_subject *s)
{
    return sb_seal_is_broken(s->path) || sb_seal_is_missing(s->path) || ends_so(kind, s);
}

static bool is_journal(const sb_kind_of_file *kind, const sb_subject *s)
{
    return ends_so(kind, s) || sb_journal_is(s->path);
}

static bool is_record_journal(const sb_kind_of_file *kind, const sb_subject *s)
{
    (void)kind;
    return sb_record_journal_is(s->path);
}

static bool has_sums(const sb_subject *s, sb_sums *sums)
{
    char path[SB_PATH_MAX];
    return snprintf(path, sizeof path, "%s/" SB_SUMS_FILE, s->folder) < SB_PATH_MAX && sb_file_exists(path) &&
           sb_sums_read(sums, path) == SB_OK;
}

/* Is the file named in the list in its folder, or is it a table that collect writes next to such a list? */
static bool is_table(const sb_kind_of_file *kind, const sb_subject *s)
{
    sb_sums sums;
    (void)kind;
    if (!has_sums(s, &sums)) return false;
    bool found = sb_sums_find(&sums, s->name) != NULL;
    sb_sums_free(&sums);
    return found || sb_columns_are_collected(s->name);
}

static bool is_any(const sb_kind_of_file *kind, const sb_subject *s)
{
    (void)kind, (void)s;
    return true;
}

/* ---- how it is checked ---- */

static sb_status check_run(const sb_subject *s, char *said, size_t size)
{
    sb_h5 *file;
    SB_TRY(sb_h5_open(&file, s->path, s->seal.kind));
    const bool adopted = sb_h5_seal(file)->adopted;
    char weights[SB_HASH_TEXT] = "";
    sb_h5_shape rows = {0};
    sb_status status = sb_runfile_check(file);
    if (status == SB_E_EMPTY) status = SB_OK; /* a checkpoint is whole, too */
    if (status == SB_OK) status = sb_h5_shape_of(file, "train/loss_last", &rows);
    if (status == SB_OK && sb_h5_has(file, "head", "weights"))
        status = sb_h5_get_text(file, "head", "weights", weights, sizeof weights);
    sb_h5_close(file);
    snprintf(said, size, "%zu update%s%s%s%s", rows.n, sb_plural(rows.n), *weights ? ", weights " : "", weights,
             adopted ? ", sealed when it was adopted" : "");
    return status;
}

static sb_status check_data(const sb_subject *s, char *said, size_t size)
{
    sb_dataset *data;
    sb_hash digest;
    char text[SB_HASH_TEXT];
    SB_TRY(sb_dataset_open(&data, s->path));
    sb_status status = sb_dataset_digest(data, &digest);
    sb_dataset_close(data);
    if (status != SB_OK) return status;
    sb_hash_text(digest, text);
    snprintf(said, size, "digest %s%s", text, s->seal.adopted ? ", sealed when it was adopted" : "");
    return SB_OK;
}

static sb_status check_recording(const sb_subject *s, char *said, size_t size)
{
    sb_external e;
    char weights[SB_HASH_TEXT] = "";
    SB_TRY(sb_external_read_all(&e, s->path));
    if (e.n_links) sb_hash_text(e.link[e.n_links - 1].part[SB_PART_WEIGHTS], weights);
    snprintf(said, size, "%zu entr%s, up to update %lld, weights %s%s", e.n_links, e.n_links == 1 ? "y" : "ies",
             (long long)sb_external_last(&e), weights, e.complete ? "" : ", incomplete");
    sb_external_free(&e);
    return SB_OK;
}

static sb_status check_other_trace(const sb_subject *s, char *said, size_t size)
{
    sb_traced_update t;
    SB_TRY(sb_traced_read(&t, s->path));
    snprintf(said, size, "%zu rows of update %lld", t.n, (long long)t.update);
    sb_traced_update_free(&t);
    return SB_OK;
}

static sb_status check_trace(const sb_subject *s, char *said, size_t size)
{
    sb_traced traced;
    int64_t schema;
    SB_TRY(sb_traced_schema(s->path, &schema));
    if (schema == SB_TRACED_SCHEMA) return check_other_trace(s, said, size);
    SB_TRY(sb_trace_read(&traced, s->path));
    snprintf(said, size, "%zu operations of update %lld", traced.n, (long long)traced.update);
    sb_traced_free(&traced);
    return SB_OK;
}

static sb_status check_seal(const sb_subject *s, char *said, size_t size)
{
    sb_seal seal;
    SB_TRY(sb_seal_check(s->path, SB_SEAL_ANY, &seal));
    snprintf(said, size, "%llu bytes", (unsigned long long)seal.n_bytes);
    return SB_OK;
}

static sb_status check_journal(const sb_subject *s, char *said, size_t size)
{
    size_t n;
    SB_TRY(sb_journal_check(s->path, &n));
    snprintf(said, size, "%zu record%s", n, sb_plural(n));
    return SB_OK;
}

static sb_status count_file(void *context, const char *name, sb_status status)
{
    (void)name;
    ++*(size_t *)context;
    return status;
}

static sb_status check_record_journal(const sb_subject *s, char *said, size_t size)
{
    size_t n;
    SB_TRY(sb_record_journal_check(s->path, &n));
    snprintf(said, size, "%zu record%s", n, sb_plural(n));
    return SB_OK;
}

static sb_status check_sums(const sb_subject *s, char *said, size_t size)
{
    size_t n = 0;
    SB_TRY(sb_sums_each(s->folder, count_file, &n));
    snprintf(said, size, "%zu file%s", n, sb_plural(n));
    return SB_OK;
}

static sb_status check_manifest(const sb_subject *s, char *said, size_t size)
{
    SB_OWNED(sb_sums_free) sb_sums sums = {0};
    SB_TRY(sb_sums_read(&sums, s->path));
    for (size_t i = 0; i < sums.n; i++) SB_TRY(sb_sums_check(&sums, s->folder, sums.item[i].name));
    snprintf(said, size, "%zu file%s", sums.n, sb_plural(sums.n));
    return SB_OK;
}

static sb_status check_table(const sb_subject *s, char *said, size_t size)
{
    sb_sums sums;
    if (!has_sums(s, &sums)) return sb_fail(SB_E_INTEGRITY, "%s: the " SB_SUMS_FILE " of its folder is gone", s->path);
    sb_status status = sb_sums_check(&sums, s->folder, s->name);
    sb_sums_free(&sums);
    snprintf(said, size, "as its " SB_SUMS_FILE " says");
    return status;
}

/* ---- the table ---- */

static const sb_kind_of_file kinds[] = {
    {"run", is_sealed, check_run, .seal = SB_SEAL_RUN},
    {"checkpoint", is_sealed, check_run, .seal = SB_SEAL_CHECKPOINT},
    {"run without its weights", is_sealed, check_run, .seal = SB_SEAL_CHAIN},
    {"data set", is_sealed, check_data, .seal = SB_SEAL_DATA},
    {"trace", is_sealed, check_trace, .seal = SB_SEAL_TRACE},
    {"recording", is_sealed, check_recording, .seal = SB_SEAL_RECORDING},
    {"bundle of a study", is_sealed, check_seal, .seal = SB_SEAL_BUNDLE},
    {"archive of results", is_sealed, check_seal, .seal = SB_SEAL_RESULTS},
    {"sealed file", should_be_sealed, check_seal, .ending = ".h5"},
    {"journal of a recording", is_record_journal, check_record_journal},
    {"journal", is_journal, check_journal, .ending = ".h5.journal"},
    {"digests of tables", is_named_so, check_sums, .ending = SB_SUMS_FILE},
    {"manifest of a bundle", is_named_so, check_manifest, .ending = "MANIFEST"},
    {"table", is_table, check_table},
    {"stamp", ends_so, NULL, .ending = ".ok"},
    {"reason of a failure", ends_so, NULL, .ending = ".failed"},
    {"lock", ends_so, NULL, .ending = ".lock"},
    {"log", ends_so, NULL, .ending = ".log"},
    {"", is_any, NULL},
};

const sb_kind_of_file *sb_verify_kind(const sb_subject *subject)
{
    const sb_kind_of_file *kind = kinds;
    while (!kind->is(kind, subject)) kind++;
    return kind;
}
