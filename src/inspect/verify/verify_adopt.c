#include "inspect/verify/verify_parts.h"

#include "core/machine/guard.h"
#include "inspect/trace/trace_file.h"
#include "io/dataset.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"

#include <stdio.h>
#include <string.h>

typedef struct found { /* in a file of the first release */
    sb_seal_kind kind; /* SB_SEAL_FOREIGN: none of ours */
    char said[640];
} found;

static sb_status check_run(sb_h5 *file, found *f)
{
    sb_status status = sb_runfile_check(file);
    if (status == SB_OK) {
        f->kind = SB_SEAL_RUN;
        snprintf(
            f->said, sizeof f->said,
            "its digest holds, so that all outside /final is as on the day it was finished, and /final follows from "
            "it but for peak_memory_bytes");
    }
    if (status != SB_E_EMPTY) return status;
    f->kind = SB_SEAL_CHECKPOINT;
    snprintf(
        f->said, sizeof f->said,
        "a checkpoint of that release has no digest, so that nothing proves what is in it; going on, training holds "
        "weights and moments against the last link of its chain, if that is of its last update");
    return SB_OK;
}

static sb_status check_data(const char *path, found *f)
{
    sb_dataset *data;
    sb_hash digest;
    char text[SB_HASH_TEXT];
    SB_TRY(sb_dataset_open_unsealed(&data, path));
    sb_status status = sb_dataset_digest(data, &digest);
    sb_dataset_close(data);
    if (status != SB_OK) return status;
    sb_hash_text(digest, text);
    f->kind = SB_SEAL_DATA;
    snprintf(
        f->said, sizeof f->said,
        "every packed chunk passes its checksum, and nothing else proves what is in it; the digest of its content is "
        "%s, which must be the data_digest of the runs that learned from it",
        text);
    return SB_OK;
}

static sb_status check_trace(const char *path, found *f)
{
    sb_traced traced;
    SB_TRY(sb_trace_read_unsealed(&traced, path));
    sb_traced_free(&traced);
    f->kind = SB_SEAL_TRACE;
    snprintf(f->said, sizeof f->said, "its parts fit together, and nothing proves its numbers");
    return SB_OK;
}

static bool is_golden_file(sb_h5 *file)
{
    char format[32];
    return sb_h5_has(file, "", "format") && sb_h5_get_text(file, "", "format", format, sizeof format) == SB_OK &&
           strcmp(format, "samebits-golden") == 0;
}

/* Which of ours it is, by what only that one has. */
static sb_status look(void *context, void *result)
{
    const char *path = context;
    found *f = result;
    sb_h5 *file;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_FOREIGN));
    const bool is_run = sb_h5_has(file, "meta", "schema"), is_trace = sb_h5_has(file, "meta", "trace");
    const bool is_data = sb_h5_exists(file, "frames") || sb_h5_exists(file, "images");
    const bool is_golden = is_golden_file(file);
    sb_status status = is_run ? check_run(file, f) : SB_OK;
    sb_h5_close(file);
    if (is_run) return status;
    if (is_trace) return check_trace(path, f);
    if (is_data && !is_golden) return check_data(path, f);
    return sb_fail(SB_E_INTEGRITY, "%s: neither run, checkpoint, data set nor trace of samebits; nothing was changed",
                   path);
}

sb_status sb_verify_adopt(const char *path, sb_verified *verified)
{
    found f = {0};
    char copy[SB_PATH_MAX];
    *verified = (sb_verified){.kind = "", .verdict = SB_FILE_FAILS};
    if (snprintf(copy, sizeof copy, "%s", path) >= SB_PATH_MAX)
        return sb_fail(SB_E_USAGE, "%.80s...: path too long", path);
    if (!sb_seal_is_missing(path)) {
        sb_seal seal;
        SB_TRY(sb_seal_check(path, SB_SEAL_ANY, &seal));
        *verified = (sb_verified){.kind = sb_seal_kind_text(seal.kind), .verdict = SB_FILE_HOLDS};
        snprintf(verified->said, sizeof verified->said, "it had its seal before, which holds");
        return SB_OK;
    }
    SB_TRY(sb_guard_call(look, copy, path, &f, sizeof f));
    SB_TRY(sb_seal_adopt(path, f.kind));
    verified->kind = sb_seal_kind_text(f.kind);
    verified->verdict = SB_FILE_HOLDS;
    snprintf(verified->said, sizeof verified->said, "%s", f.said);
    return SB_OK;
}
