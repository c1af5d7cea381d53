#include "paper/exchange/crate.h"

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
static void set(tree *t, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) t->whole = false;
}

static void append(tree *t, json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) != 0) t->whole = false;
}

static json_t *reference(const char *prefix, const char *name)
{
    return json_pack("{s:o}", "@id", sb_json_tree_text("%s%s", prefix, name));
}

/* An entity of the crate, which the graph owns. */
static json_t *add_entity(tree *t, const char *prefix, const char *name, const char *type)
{
    json_t *entity = json_pack("{s:o, s:s}", "@id", sb_json_tree_text("%s%s", prefix, name), "@type", type);
    append(t, t->root, entity);
    return entity;
}

static const char *matrix_of(const sb_exchanged *results)
{
    return results->condition->matrix ? results->condition->matrix : "a matrix that is not named";
}

static json_t *description_of(const sb_exchanged *results)
{
    return sb_json_tree_text("Tables of %zu training runs of samebits: settings, losses, hashes of weights.",
                             results->table->n_cells);
}

/* ---- the crate ---- */

static void add_root(tree *t, const sb_archive *archive, const sb_exchanged *results)
{
    json_t *root = add_entity(t, "", "./", "Dataset"), *files = json_array(), *runs = json_array();
    set(t, root, "name", sb_json_tree_text("Results of %s", matrix_of(results)));
    set(t, root, "description", description_of(results));
    set(t, root, "datePublished", sb_json_tree_text("%s", SB_CITATION_DATE));
    set(t, root, "version", sb_json_tree_text("%s", SB_CITATION_VERSION));
    set(t, root, "keywords", sb_json_tree_text("%s", SB_CITATION_KEYWORDS));
    set(t, root, "license", reference("", LICENCE));
    if (t->author) {
        set(t, root, "author", reference("#", "author"));
        set(t, root, "publisher", reference("#", "author"));
    }
    set(t, root, "citation", reference("", ARTICLE));
    set(t, root, "conformsTo", reference("", PROFILE));
    for (size_t i = 0; i < archive->n; i++) append(t, files, reference("", archive->file[i].name));
    append(t, files, reference("", SB_SUMS_FILE));
    set(t, root, "hasPart", files);
    for (size_t i = 0; i < results->table->n_cells; i++)
        append(t, runs, reference("#run-", results->table->cell[i].hash));
    set(t, root, "mentions", runs);
}

/* The values of a fact, one after the other; NULL: the run files do not say. */
static json_t *values_of(const sb_machine_facts *facts, const char *name)
{
    json_t *values = NULL;
    for (size_t i = 0; i < facts->n; i++) {
        if (strcmp(facts->fact[i].name, name) != 0) continue;
        json_t *longer = values ? sb_json_tree_text("%s, %s", json_string_value(values), facts->fact[i].value)
                                : sb_json_tree_text("%s", facts->fact[i].value);
        json_decref(values);
        values = longer;
    }
    return values;
}

/* The versions of the program that trained, as its run files say; without them none is named. */
static void add_program(tree *t, const sb_machine_facts *facts)
{
    json_t *program = add_entity(t, "#", "samebits", "SoftwareApplication");
    set(t, program, "name", sb_json_tree_text("samebits"));
    set(t, program, "license", reference("", LICENCE));
    json_t *version = values_of(facts, "version"), *revision = values_of(facts, "revision");
    if (version) set(t, program, "softwareVersion", version);
    if (revision) set(t, program, "identifier", revision);
}

static void add_context(tree *t, const sb_exchanged *results)
{
    json_t *profile = add_entity(t, "", PROFILE, "CreativeWork"), *licence = add_entity(t, "", LICENCE, "CreativeWork"),
           *article = add_entity(t, "", ARTICLE, "ScholarlyArticle");
    set(t, profile, "name", sb_json_tree_text("Process Run Crate"));
    set(t, profile, "version", sb_json_tree_text("0.5"));
    set(t, licence, "name", sb_json_tree_text("%s", SB_CITATION_LICENSE));
    set(t, licence, "description", sb_json_tree_text("The licence that CITATION.cff of samebits names."));
    set(t, article, "name", sb_json_tree_text("The study that is reproduced"));
    if (t->author) set(t, add_entity(t, "#", "author", "Organization"), "name", sb_json_tree_text("%s", t->author));
    add_program(t, results->facts);
    json_t *matrix = add_entity(t, "#", "matrix", "CreativeWork");
    set(t, matrix, "name", sb_json_tree_text("%s", matrix_of(results)));
    set(t, matrix, "description",
        sb_json_tree_text("The matrix file that names the cells; samebits-matrix run trains them."));
}

static const char *encoding_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot && strcmp(dot, ".csv") == 0) return "text/csv";
    if (dot && strcmp(dot, ".yaml") == 0) return "application/yaml";
    return dot && strcmp(dot, ".json") == 0 ? "application/json" : "text/plain";
}

static json_t *add_file(tree *t, const char *name)
{
    json_t *file = add_entity(t, "", name, "File");
    set(t, file, "name", sb_json_tree_text("%s", name));
    set(t, file, "encodingFormat", sb_json_tree_text("%s", encoding_of(name)));
    return file;
}

/* Its own digest, and the digest of the list of digests, cannot be in the crate; the list has its own. */
static void add_files(tree *t, const sb_archive *archive)
{
    for (size_t i = 0; i < archive->n; i++) {
        char sha256[SB_SHA256_TEXT];
        json_t *file = add_file(t, archive->file[i].name);
        sb_sha256_bytes(archive->file[i].content, archive->file[i].n_bytes, sha256);
        set(t, file, "contentSize", sb_json_tree_text("%zu", archive->file[i].n_bytes));
        set(t, file, "sha256", sb_json_tree_text("%s", sha256));
    }
    set(t, add_file(t, SB_SUMS_FILE), "description", sb_json_tree_text("SHA-256 of all other files"));
}

static bool is_first_of_data(const sb_results *results, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(results->cell[i].data_digest, results->cell[at].data_digest) == 0) return false;
    return true;
}

static void add_data(tree *t, const sb_result *cell)
{
    json_t *data = add_entity(t, "#data-", cell->data_digest, "CreativeWork");
    set(t, data, "name", sb_json_tree_text("%s", cell->data));
    set(t, data, "identifier", sb_json_tree_text("%s", cell->data_digest));
    set(t, data, "description",
        sb_json_tree_text("The data set that runs learned from, by the digest of its content; not in the crate."));
}

static void add_run(tree *t, const sb_result *cell)
{
    json_t *run = add_entity(t, "#run-", cell->hash, "CreateAction");
    set(t, run, "name", sb_json_tree_text("%s", cell->name));
    set(t, run, "description",
        sb_json_tree_text("%ld updates with seed %ld; its final weights have the hash %s.", cell->updates, cell->seed,
                          cell->weights));
    set(t, run, "instrument", reference("#", "samebits"));
    if (t->author) set(t, run, "agent", reference("#", "author"));
    set(t, run, "object", json_pack("[o, o]", reference("#data-", cell->data_digest), reference("#", "matrix")));
    set(t, run, "result", json_pack("[o, o]", reference("", "cells.csv"), reference("", "curves.csv")));
    set(t, run, "actionStatus", sb_json_tree_text(SCHEMA "CompletedActionStatus"));
}

/* The context of RO-Crate 1.1 has no term for a digest; schema.org has. */
static json_t *crate_of(tree *t, const sb_archive *archive, const sb_exchanged *results)
{
    json_t *self = add_entity(t, "", CRATE, "CreativeWork");
    set(t, self, "about", reference("", "./"));
    set(t, self, "conformsTo", reference("", SPEC));
    add_root(t, archive, results);
    add_context(t, results);
    add_files(t, archive);
    for (size_t i = 0; i < results->table->n_cells; i++)
        if (is_first_of_data(results->table, i)) add_data(t, &results->table->cell[i]);
    for (size_t i = 0; i < results->table->n_cells; i++) add_run(t, &results->table->cell[i]);
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
        append(t, list, json_pack("{s:o}", "subject", sb_json_tree_text("%.*s", (int)length, at)));
    }
    return list;
}

static json_t *datacite_of(tree *t, const sb_exchanged *results)
{
    json_t *cite = json_object();
    set(t, cite, "schemaVersion", sb_json_tree_text("http://datacite.org/schema/kernel-4"));
    set(t, cite, "types", json_pack("{s:s, s:s}", "resourceTypeGeneral", "Dataset", "resourceType", "Training runs"));
    set(t, cite, "creators", json_pack("[{s:o}]", "name", sb_json_tree_text("%s", t->author ? t->author : TO_BE_SAID)));
    set(t, cite, "titles", json_pack("[{s:o}]", "title", sb_json_tree_text("Results of %s", matrix_of(results))));
    set(t, cite, "publisher", json_pack("{s:o}", "name", sb_json_tree_text("%s", t->author ? t->author : TO_BE_SAID)));
    set(t, cite, "publicationYear", sb_json_tree_text("%.4s", SB_CITATION_DATE));
    set(t, cite, "dates", json_pack("[{s:s, s:s}]", "date", SB_CITATION_DATE, "dateType", "Issued"));
    set(t, cite, "language", sb_json_tree_text("en"));
    set(t, cite, "version", sb_json_tree_text("%s", SB_CITATION_VERSION));
    set(t, cite, "rightsList", json_pack("[{s:s, s:s}]", "rights", SB_CITATION_LICENSE, "rightsUri", LICENCE));
    set(t, cite, "descriptions",
        json_pack("[{s:s, s:o}]", "descriptionType", "Abstract", "description", description_of(results)));
    set(t, cite, "relatedIdentifiers",
        json_pack("[{s:s, s:s, s:s}]", "relatedIdentifier", "arXiv:2109.01451", "relatedIdentifierType", "arXiv",
                  "relationType", "References"));
    set(t, cite, "subjects", subjects(t));
    return cite;
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
