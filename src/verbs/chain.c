/* A chain file: a finished run without its weights. It has settings, environment, losses and the entries of the hash
 * chain, which is all that replay and diff read, in about a hundredth of the bytes. So runs can be published with their
 * results, and anyone with the data set can train them again and compare every entry.
 *
 * It has a run file's layout (io/run/runfile.h) without /param, the optimizer's states, /state, /prediction and
 * /sketch. Attribute run_digest of /meta is the digest of the run file. The hashes of /head were compared with the
 * run's tensors when the chain file was written; the digest of /head is of the chain file itself.
 */
#include "verbs/verbs.h"

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
    SB_OWNED(sb_links_free) sb_links links = {0};
    SB_TRY(sb_h5_copy_attributes(run, file, "chain"));
    SB_TRY(sb_links_read(&links, run));
    thin(&links, every);
    return links.n ? sb_links_write(&links, file)
                   : sb_fail(SB_E_EMPTY, "%s: has no entry of the hash chain", sb_h5_path(run));
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

/* Write the entries of all updates that are a multiple of `every`, and the last one. SB_E_EMPTY: the run is not
 * finished. SB_E_INTEGRITY: the run file is damaged. SB_E_USAGE: both paths are the same file, whose weights would be
 * lost. */
static sb_status write_chain(const char *run_path, const char *path, long every)
{
    SB_OWNED(sb_h5_leave) sb_h5 *run = NULL;
    SB_TRY(sb_file_check_apart(path, run_path));
    SB_TRY(sb_h5_open(&run, run_path, SB_SEAL_RUNS));
    SB_TRY(sb_runfile_check(run));
    return write_file(run, path, every);
}

typedef struct chain_options {
    const char *output;
    long every;
} chain_options;

static const sb_option options[] = {
    SB_OPTION_NEEDED(chain_options, output, "--output", 'o', "FILE", "output file"),
    SB_OPTION_INT(chain_options, every, "--every", "N", "1", 1, 1e9,
                  "keep the entries of each Nth update, and the last"),
    SB_OPTION_END,
};

static sb_status chain(const sb_call *call)
{
    const chain_options *values = call->values;
    return write_chain(call->arguments.item[0], values->output, values->every);
}

const sb_command sb_verb_chain = {
    .program = "samebits",
    .verb = "chain",
    .summary = "write a finished run without its weights, for publishing, replay and diff",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(chain_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "With the data set, 'samebits replay CHAIN.h5 --data FILE' trains the run again.\n",
    .run = chain,
};
