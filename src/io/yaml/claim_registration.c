/* The digest of a claim's rule, and the text by which a run registers all claims of a file. */
#include "io/yaml/claim_cells.h"
#include "io/yaml/claim_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_selector(sb_writer *rule, const char *side, const sb_selector *selector)
{
#define FACT(key, member)                                                                                              \
    if (selector->member) sb_write(rule, "%s." key "=%s\n", side, selector->member);
    SB_SELECTOR_FACTS(FACT)
#undef FACT
}

sb_status sb_claim_close_digest(sb_writer *lines, const sb_claim *claim, char digest[SB_CLAIM_DIGEST])
{
    char *text, sha256[SB_SHA256_TEXT];
    SB_TRY(sb_writer_close(lines, claim->name, &text, NULL));
    sb_sha256_bytes(text, strlen(text), sha256);
    free(text);
    snprintf(digest, SB_CLAIM_DIGEST, "%.*s", SB_CLAIM_DIGEST - 1, sha256);
    return SB_OK;
}

sb_status sb_claim_digest(const sb_claim *claim, char digest[SB_CLAIM_DIGEST])
{
    const struct {
        const char *key, *value;
    } keys[] = {{"each", claim->each},         {"relation", claim->relation}, {"metric", claim->metric},
                {"margin", claim->margin},     {"seeds", claim->seeds},       {"pool", claim->pool},
                {"across", claim->across},     {"relevant", claim->relevant}, {"replicates", claim->replicates},
                {"pairs", claim->pairs},       {"effect", claim->effect},     {"spread", claim->spread},
                {"fraction", claim->fraction}, {"family", claim->family}};
    sb_writer *rule = sb_writer_open(&sb_lines);
    write_selector(rule, "of", &claim->of);
    write_selector(rule, "over", &claim->over);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].value) sb_write(rule, "%s=%s\n", keys[i].key, keys[i].value);
    return sb_claim_close_digest(rule, claim, digest);
}

/* "NAME=DIGEST", and of the cells it speaks of "NAME.16=DIGEST", where that is short enough for a name. */
static sb_status register_claim(sb_writer *out, const sb_claim *claim, const sb_named_cell *cell, size_t n)
{
    char digest[SB_CLAIM_DIGEST], name[SB_CLAIM_NAME];
    size_t n_spoken;
    SB_TRY(sb_claim_digest(claim, digest));
    sb_write(out, "%s=%s", claim->name, digest);
    SB_TRY(sb_claim_cells(claim, cell, n, &n_spoken, digest));
    const int length = snprintf(name, sizeof name, "%s.%zu", claim->name, n_spoken);
    if (n_spoken && length < (int)sizeof name) sb_write(out, " %s=%s", name, digest);
    return SB_OK;
}

sb_status sb_claim_file_register(const sb_claim_file *file, sb_named_cell *cell, size_t n, char **registration)
{
    sb_status status = SB_OK;
    sb_writer *out = sb_writer_open(&sb_lines);
    n = sb_named_cells_sort(cell, n);
    for (unsigned i = 0; status == SB_OK && i < file->n_claims; i++) {
        sb_write(out, i ? " " : "");
        status = register_claim(out, &file->claims[i], cell, n);
    }
    sb_status closed = sb_writer_close(out, "claims", registration, NULL);
    if (status == SB_OK) return closed;
    if (closed == SB_OK) free(*registration);
    return status;
}
