#include "inspect/chain_file.h"

#include "core/file.h"
#include "inspect/links.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_copy.h"
#include "io/run/runfile.h"

/* Move the entries that stay to the front. */
static void thin(sb_links *links, long every)
{
    size_t n = 0;
    for (size_t i = 0; i < links->n; i++) {
        if (links->update[i] % every != 0 && i + 1 < links->n) continue;
        links->update[n] = links->update[i];
        for (int part = 0; part < SB_LINK_PARTS; part++) links->hash[part][n] = links->hash[part][i];
        n++;
    }
    links->n = n;
}

static sb_status copy_links(sb_h5 *run, sb_h5 *file, long every)
{
    sb_links links;
    SB_TRY(sb_h5_copy_attributes(run, file, "chain"));
    SB_TRY(sb_links_read(&links, run));
    thin(&links, every);
    sb_status status =
        links.n ? sb_links_write(&links, file) : sb_fail(SB_E_EMPTY, "%s: has no link of the hash chain", sb_h5_path(run));
    sb_links_free(&links);
    return status;
}

/* What the run file says of itself, and which one it was. */
static sb_status copy_origin(sb_h5 *run, sb_h5 *file)
{
    char digest[SB_HASH_TEXT];
    SB_TRY(sb_h5_copy_attributes(run, file, ""));
    SB_TRY(sb_h5_copy_attributes(run, file, "meta"));
    SB_TRY(sb_h5_get_text(run, "final", "digest", digest, sizeof digest));
    return sb_h5_set_text(file, "meta", "run_digest", digest);
}

static sb_status write_ends(sb_h5 *run, sb_h5 *file)
{
    sb_run_head head;
    sb_run_summary summary;
    SB_TRY(sb_runfile_head_of(run, &head, NULL));
    SB_TRY(sb_runfile_summary(run, &summary));
    SB_TRY(sb_runfile_write_head(file, &head));
    return sb_runfile_write_final(file, summary.peak_memory_bytes);
}

static sb_status write_file(sb_h5 *run, const char *path, long every)
{
#define LIST(group, ...) #group,
    static const char *const whole[] = {"config", "env", "train", "eval", "events", SB_RUN_LISTS(LIST)};
#undef LIST
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, path, SB_SEAL_CHAIN));
    sb_status status = copy_origin(run, file);
    for (size_t i = 0; status == SB_OK && i < sizeof whole / sizeof *whole; i++)
        status = sb_h5_copy_group(run, file, whole[i]);
    if (status == SB_OK) status = copy_links(run, file, every);
    if (status == SB_OK) status = sb_runfile_describe(file);
    if (status == SB_OK) status = write_ends(run, file);
    return sb_h5_finish(file, status);
}

sb_status sb_chain_file_write(const char *run_path, const char *path, long every)
{
    sb_h5 *run;
    SB_TRY(sb_file_check_apart(path, run_path));
    SB_TRY(sb_h5_open(&run, run_path, SB_SEAL_RUNS));
    sb_status status = sb_runfile_check(run);
    if (status == SB_OK) status = write_file(run, path, every);
    sb_h5_close(run);
    return status;
}
