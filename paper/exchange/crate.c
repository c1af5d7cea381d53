#include "paper/exchange/exchange.h"

#include "core/hash.h"
#include "io/sums.h"
#include "paper/files/json_tree.h"

#include <stdbool.h>
#include <string.h>

#define CRATE      "ro-crate-metadata.json"
#define DATACITE   "datacite.json"
#define SPEC       "https://w3id.org/ro/crate/1.1"
#define PROFILE    "https://w3id.org/ro/wfrun/process/0.5"
#define LICENCE    "https://spdx.org/licenses/" SB_CITATION_LICENSE
#define ARTICLE    "https://arxiv.org/abs/2109.01451"
#define SCHEMA     "http://schema.org/"

#define TO_BE_SAID "(:tba)" /* DataCite's word for what its publisher is to fill in */

/* A document under construction. What cannot be had, for want of memory, is missed at the end, not at each value. */
typedef struct tree {
    json_t *root;       /* the graph of a crate */
    const char *author; /* of the results; NULL: no one said */
    bool whole;
} tree;

/* json_t *value: taken. */
static void append(tree *t, json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) != 0) t->whole = false;
}

/* The texts of others, which need not be UTF-8; the formats of json_pack have an o for each. */
#define TEXT sb_json_tree_text

static json_t *reference(const char *prefix, const char *name)
{
    return json_pack("{s:o}", "@id", TEXT("%s%s", prefix, name));
}

static const char *matrix_of(const sb_exchanged *results)
{
    return results->condition->matrix ? results->condition->matrix : "a matrix that is not named";
}

static json_t *description_of(const sb_exchanged *results)
{
    return TEXT("Tables of %zu training runs of samebits: settings, losses, hashes of weights.",
                results->table->n_cells);
}

/* ---- the crate: each entity is one of its graph ---- */

static json_t *author_of(const tree *t)
{
    return t->author ? reference("#", "author") : NULL;
}

static void add_root(tree *t, const sb_archive *archive, const sb_exchanged *results)
{
    json_t *files = json_array(), *runs = json_array();
    for (size_t i = 0; i < archive->n; i++) append(t, files, reference("", archive->file[i].name));
    append(t, files, reference("", SB_SUMS_FILE));
    for (size_t i = 0; i < results->table->n_cells; i++)
        append(t, runs, reference("#run-", results->table->cell[i].hash));
    append(t, t->root,
           json_pack("{s:s, s:s, s:o, s:o, s:s, s:s, s:s, s:{s:s}, s:o*, s:o*, s:{s:s}, s:{s:s}, s:o, s:o}", "@id",
                     "./", "@type", "Dataset", "name", TEXT("Results of %s", matrix_of(results)), "description",
                     description_of(results), "datePublished", SB_CITATION_DATE, "version", SB_CITATION_VERSION,
                     "keywords", SB_CITATION_KEYWORDS, "license", "@id", LICENCE, "author", author_of(t), "publisher",
                     author_of(t), "citation", "@id", ARTICLE, "conformsTo", "@id", PROFILE, "hasPart", files,
                     "mentions", runs));
}

/* The values of a fact, one after the other; NULL: the run files do not say. */
static json_t *values_of(const sb_machine_facts *facts, const char *name)
{
    json_t *values = NULL;
    for (size_t i = 0; i < facts->n; i++) {
        if (strcmp(facts->fact[i].name, name) != 0) continue;
        json_t *longer =
            values ? TEXT("%s, %s", json_string_value(values), facts->fact[i].value) : TEXT("%s", facts->fact[i].value);
        json_decref(values);
        values = longer;
    }
    return values;
}

/* The versions of the program are of the one that trained, as its run files say; without them none is named. */
static void add_context(tree *t, const sb_exchanged *results)
{
    append(t, t->root,
           json_pack("{s:s, s:s, s:s, s:s}", "@id", PROFILE, "@type", "CreativeWork", "name", "Process Run Crate",
                     "version", "0.5"));
    append(t, t->root,
           json_pack("{s:s, s:s, s:s, s:s}", "@id", LICENCE, "@type", "CreativeWork", "name", SB_CITATION_LICENSE,
                     "description", "The licence that CITATION.cff of samebits names."));
    append(t, t->root,
           json_pack("{s:s, s:s, s:s}", "@id", ARTICLE, "@type", "ScholarlyArticle", "name",
                     "The study that is reproduced"));
    if (t->author)
        append(t, t->root,
               json_pack("{s:s, s:s, s:o}", "@id", "#author", "@type", "Organization", "name", TEXT("%s", t->author)));
    append(t, t->root,
           json_pack("{s:s, s:s, s:s, s:{s:s}, s:o*, s:o*}", "@id", "#samebits", "@type", "SoftwareApplication", "name",
                     "samebits", "license", "@id", LICENCE, "softwareVersion", values_of(results->facts, "version"),
                     "identifier", values_of(results->facts, "revision")));
    append(t, t->root,
           json_pack("{s:s, s:s, s:o, s:s}", "@id", "#matrix", "@type", "CreativeWork", "name",
                     TEXT("%s", matrix_of(results)), "description",
                     "The matrix file that names the cells; samebits-matrix run trains them."));
}

static const char *encoding_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot && strcmp(dot, ".csv") == 0) return "text/csv";
    if (dot && strcmp(dot, ".yaml") == 0) return "application/yaml";
    return dot && strcmp(dot, ".json") == 0 ? "application/json" : "text/plain";
}

/* Its own digest, and the digest of the list of digests, cannot be in the crate; the list has its own. */
static void add_files(tree *t, const sb_archive *archive)
{
    for (size_t i = 0; i < archive->n; i++) {
        char sha256[SB_SHA256_TEXT];
        const char *name = archive->file[i].name;
        sb_sha256_bytes(archive->file[i].content, archive->file[i].n_bytes, sha256);
        append(t, t->root,
               json_pack("{s:o, s:s, s:o, s:s, s:o, s:s}", "@id", TEXT("%s", name), "@type", "File", "name",
                         TEXT("%s", name), "encodingFormat", encoding_of(name), "contentSize",
                         TEXT("%zu", archive->file[i].n_bytes), "sha256", sha256));
    }
    append(t, t->root,
           json_pack("{s:s, s:s, s:s, s:s, s:s}", "@id", SB_SUMS_FILE, "@type", "File", "name", SB_SUMS_FILE,
                     "encodingFormat", encoding_of(SB_SUMS_FILE), "description", "SHA-256 of all other files"));
}

static bool is_first_of_data(const sb_results *results, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(results->cell[i].data_digest, results->cell[at].data_digest) == 0) return false;
    return true;
}

static json_t *data_of(const sb_result *cell)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:s}", "@id", TEXT("#data-%s", cell->data_digest), "@type", "CreativeWork",
                     "name", TEXT("%s", cell->data), "identifier", TEXT("%s", cell->data_digest), "description",
                     "The data set that runs learned from, by the digest of its content; not in the crate.");
}

static json_t *run_of(const tree *t, const sb_result *cell)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:{s:s}, s:o*, s:[o, {s:s}], s:[{s:s}, {s:s}], s:s}", "@id",
                     TEXT("#run-%s", cell->hash), "@type", "CreateAction", "name", TEXT("%s", cell->name),
                     "description",
                     TEXT("%ld updates with seed %ld; its final weights have the hash %s.", cell->updates, cell->seed,
                          cell->weights),
                     "instrument", "@id", "#samebits", "agent", author_of(t), "object",
                     reference("#data-", cell->data_digest), "@id", "#matrix", "result", "@id", "cells.csv", "@id",
                     "curves.csv", "actionStatus", SCHEMA "CompletedActionStatus");
}

/* The context of RO-Crate 1.1 has no term for a digest; schema.org has. */
static json_t *crate_of(tree *t, const sb_archive *archive, const sb_exchanged *results)
{
    append(t, t->root,
           json_pack("{s:s, s:s, s:{s:s}, s:{s:s}}", "@id", CRATE, "@type", "CreativeWork", "about", "@id", "./",
                     "conformsTo", "@id", SPEC));
    add_root(t, archive, results);
    add_context(t, results);
    add_files(t, archive);
    for (size_t i = 0; i < results->table->n_cells; i++)
        if (is_first_of_data(results->table, i)) append(t, t->root, data_of(&results->table->cell[i]));
    for (size_t i = 0; i < results->table->n_cells; i++) append(t, t->root, run_of(t, &results->table->cell[i]));
    return json_pack("{s:[s, {s:s}], s:O}", "@context", SPEC "/context", "sha256", SCHEMA "sha256", "@graph", t->root);
}

/* ---- DataCite ---- */

/* Keywords of CITATION.cff are in one text, separated by ", ". */
static json_t *subjects(tree *t)
{
    json_t *list = json_array();
    size_t length;
    for (const char *at = SB_CITATION_KEYWORDS; *at; at += length + (at[length] ? 2 : 0)) {
        const char *comma = strstr(at, ", ");
        length = comma ? (size_t)(comma - at) : strlen(at);
        append(t, list, json_pack("{s:o}", "subject", TEXT("%.*s", (int)length, at)));
    }
    return list;
}

static json_t *datacite_of(tree *t, const sb_exchanged *results)
{
    const char *author = t->author ? t->author : TO_BE_SAID;
    return json_pack(
        "{s:s, s:{s:s, s:s}, s:[{s:o}], s:[{s:o}], s:{s:o}, s:o, s:[{s:s, s:s}], s:s, s:s, s:[{s:s, s:s}], "
        "s:[{s:s, s:o}], s:[{s:s, s:s, s:s}], s:o}",
        "schemaVersion", "http://datacite.org/schema/kernel-4", "types", "resourceTypeGeneral", "Dataset",
        "resourceType", "Training runs", "creators", "name", TEXT("%s", author), "titles", "title",
        TEXT("Results of %s", matrix_of(results)), "publisher", "name", TEXT("%s", author), "publicationYear",
        TEXT("%.4s", SB_CITATION_DATE), "dates", "date", SB_CITATION_DATE, "dateType", "Issued", "language", "en",
        "version", SB_CITATION_VERSION, "rightsList", "rights", SB_CITATION_LICENSE, "rightsUri", LICENCE,
        "descriptions", "descriptionType", "Abstract", "description", description_of(results), "relatedIdentifiers",
        "relatedIdentifier", "arXiv:2109.01451", "relatedIdentifierType", "arXiv", "relationType", "References",
        "subjects", subjects(t));
}

/* Takes the document. */
static sb_status add(sb_archive *archive, const tree *t, json_t *document, const char *name)
{
    char *content;
    size_t n_bytes;
    sb_writer *out = sb_writer_open(&sb_json_tree);
    sb_json_tree_write(out, document);
    if (!t->whole) sb_writer_fail(out);
    SB_TRY(sb_writer_close(out, name, &content, &n_bytes));
    return sb_archive_add(archive, name, content, n_bytes);
}

sb_status sb_crate_add(sb_archive *archive, const sb_exchanged *results)
{
    tree cite = {.author = results->author, .whole = true}, crate = {json_array(), results->author, true};
    sb_status status = add(archive, &cite, datacite_of(&cite, results), DATACITE);
    if (status == SB_OK) status = add(archive, &crate, crate_of(&crate, archive, results), CRATE);
    json_decref(crate.root);
    return status;
}
