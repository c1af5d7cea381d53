#include "paper/exchange/crate.h"

#include "core/hash.h"
#include "core/json.h"
#include "io/sums.h"

#include <string.h>

#define CRATE    "ro-crate-metadata.json"
#define DATACITE "datacite.json"
#define SPEC     "https://w3id.org/ro/crate/1.1"
#define PROFILE  "https://w3id.org/ro/wfrun/process/0.5"
#define LICENCE  "https://spdx.org/licenses/" SB_CITATION_LICENSE
#define ARTICLE  "https://arxiv.org/abs/2109.01451"

static const char *matrix_of(const sb_report *report)
{
    return report->condition.matrix ? report->condition.matrix : "a matrix that is not named";
}

/* Keywords of CITATION.cff stand in one text, separated by ", ". */
static void write_subjects(sb_writer *json)
{
    bool begun = false;
    size_t length;
    for (const char *at = SB_CITATION_KEYWORDS; *at; at += length + (at[length] ? 2 : 0), begun = true) {
        const char *comma = strstr(at, ", ");
        length = comma ? (size_t)(comma - at) : strlen(at);
        sb_write(json, "%s{\"subject\": \"%.*s\"}", begun ? ", " : "", (int)length, at);
    }
}

/* ---- the crate ---- */

static void write_root(sb_writer *json, const sb_archive *archive, const sb_report *report)
{
    sb_write(json,
             "  {\"@id\": \"./\", \"@type\": \"Dataset\",\n"
             "   \"name\": \"Results of %s\",\n"
             "   \"description\": \"Tables of %zu training runs of samebits: settings, losses, hashes of weights.\",\n"
             "   \"datePublished\": \"%s\", \"version\": \"%s\", \"keywords\": \"%s\",\n"
             "   \"license\": {\"@id\": \"" LICENCE "\"}, \"author\": {\"@id\": \"#authors\"},\n"
             "   \"publisher\": {\"@id\": \"#authors\"}, \"citation\": {\"@id\": \"" ARTICLE "\"},\n"
             "   \"conformsTo\": {\"@id\": \"" PROFILE "\"},\n   \"hasPart\": [",
             matrix_of(report), report->results.n_cells, SB_CITATION_DATE, SB_CITATION_VERSION, SB_CITATION_KEYWORDS);
    for (size_t i = 0; i < archive->n; i++) sb_write(json, "{\"@id\": \"%s\"}, ", archive->file[i].name);
    sb_write(json, "{\"@id\": \"" SB_SUMS_FILE "\"}],\n   \"mentions\": [");
    for (size_t i = 0; i < report->results.n_cells; i++)
        sb_write(json, "%s{\"@id\": \"#run-%s\"}", i ? ", " : "", report->results.cell[i].hash);
    sb_write(json, "]}");
}

/* The versions of the program that trained, as its run files say; without them none is named. */
static void write_program(sb_writer *json, const sb_machine_facts *facts)
{
    const char *const wanted[] = {"version", "revision"}, *const key[] = {"softwareVersion", "identifier"};
    sb_write(json, ",\n  {\"@id\": \"#samebits\", \"@type\": \"SoftwareApplication\", \"name\": \"samebits\",\n"
                   "   \"license\": {\"@id\": \"" LICENCE "\"}");
    for (int k = 0; k < 2; k++) {
        size_t n = 0;
        for (size_t i = 0; i < facts->n; i++) {
            if (strcmp(facts->fact[i].name, wanted[k]) != 0) continue;
            if (n++ == 0) sb_write(json, ", \"%s\": \"", key[k]);
            sb_write(json, "%s%s", n > 1 ? ", " : "", facts->fact[i].value);
        }
        if (n) sb_write(json, "\"");
    }
    sb_write(json, "}");
}

static void write_context(sb_writer *json, const sb_report *report)
{
    sb_write(json,
             ",\n  {\"@id\": \"" PROFILE
             "\", \"@type\": \"CreativeWork\", \"name\": \"Process Run Crate\", \"version\": \"0.5\"},\n"
             "  {\"@id\": \"" LICENCE "\", \"@type\": \"CreativeWork\", \"name\": \"%s\",\n"
             "   \"description\": \"The licence that CITATION.cff of samebits names.\"},\n"
             "  {\"@id\": \"" ARTICLE
             "\", \"@type\": \"ScholarlyArticle\", \"name\": \"The study that is reproduced\"},\n"
             "  {\"@id\": \"#authors\", \"@type\": \"Organization\", \"name\": \"%s\"}",
             SB_CITATION_LICENSE, SB_CITATION_AUTHOR);
    write_program(json, &report->facts);
    sb_write(json,
             ",\n  {\"@id\": \"#matrix\", \"@type\": \"CreativeWork\", \"name\": \"%s\",\n"
             "   \"description\": \"The matrix file that names the cells; samebits-matrix run trains them.\"}",
             matrix_of(report));
}

static const char *encoding_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".csv") == 0    ? "text/csv"
           : dot && strcmp(dot, ".json") == 0 ? "application/json"
                                              : "text/plain";
}

static void write_file(sb_writer *json, const sb_archive_file *file)
{
    char sha256[SB_SHA256_TEXT];
    sb_sha256_bytes(file->content, file->n_bytes, sha256);
    sb_write(json,
             ",\n  {\"@id\": \"%s\", \"@type\": \"File\", \"name\": \"%s\", \"encodingFormat\": \"%s\",\n"
             "   \"contentSize\": \"%zu\", \"sha256\": \"%s\"}",
             file->name, file->name, encoding_of(file->name), file->n_bytes, sha256);
}

static bool is_first_of_data(const sb_results *results, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(results->cell[i].data_digest, results->cell[at].data_digest) == 0) return false;
    return true;
}

static void write_data(sb_writer *json, const sb_cell *cell)
{
    sb_write(
        json,
        ",\n  {\"@id\": \"#data-%s\", \"@type\": \"CreativeWork\", \"name\": \"%s\", \"identifier\": \"%s\",\n"
        "   \"description\": \"The data set that runs learned from, by the digest of its content; not in the crate.\"}",
        cell->data_digest, cell->data, cell->data_digest);
}

static void write_run(sb_writer *json, const sb_cell *cell)
{
    sb_write(json,
             ",\n  {\"@id\": \"#run-%s\", \"@type\": \"CreateAction\", \"name\": \"%s\",\n"
             "   \"description\": \"%ld updates with seed %ld; its final weights have the hash %s.\",\n"
             "   \"instrument\": {\"@id\": \"#samebits\"}, \"agent\": {\"@id\": \"#authors\"},\n"
             "   \"object\": [{\"@id\": \"#data-%s\"}, {\"@id\": \"#matrix\"}],\n"
             "   \"result\": [{\"@id\": \"cells.csv\"}, {\"@id\": \"curves.csv\"}],\n"
             "   \"actionStatus\": {\"@id\": \"http://schema.org/CompletedActionStatus\"}}",
             cell->hash, cell->name, cell->updates, cell->seed, cell->weights, cell->data_digest);
}

/* Its own digest, and that of the list of digests, cannot stand in it; the list has its own. */
static void write_crate(sb_writer *json, const sb_archive *archive, const sb_report *report)
{
    sb_write(json, "{\"@context\": \"" SPEC "/context\",\n \"@graph\": [\n"
                   "  {\"@id\": \"" CRATE "\", \"@type\": \"CreativeWork\", \"about\": {\"@id\": \"./\"},\n"
                   "   \"conformsTo\": {\"@id\": \"" SPEC "\"}},\n");
    write_root(json, archive, report);
    write_context(json, report);
    for (size_t i = 0; i < archive->n; i++) write_file(json, &archive->file[i]);
    sb_write(json, ",\n  {\"@id\": \"" SB_SUMS_FILE "\", \"@type\": \"File\", \"name\": \"" SB_SUMS_FILE "\",\n"
                   "   \"encodingFormat\": \"text/plain\", \"description\": \"SHA-256 of all other files\"}");
    for (size_t i = 0; i < report->results.n_cells; i++)
        if (is_first_of_data(&report->results, i)) write_data(json, &report->results.cell[i]);
    for (size_t i = 0; i < report->results.n_cells; i++) write_run(json, &report->results.cell[i]);
    sb_write(json, "\n]}\n");
}

/* ---- DataCite ---- */

static void write_datacite(sb_writer *json, const sb_report *report)
{
    sb_write(json,
             "{\"schemaVersion\": \"http://datacite.org/schema/kernel-4\",\n"
             " \"types\": {\"resourceTypeGeneral\": \"Dataset\", \"resourceType\": \"Training runs\"},\n"
             " \"creators\": [{\"name\": \"%s\", \"nameType\": \"Organizational\"}],\n"
             " \"titles\": [{\"title\": \"Results of %s\"}],\n \"publisher\": \"%s\", \"publicationYear\": \"%.4s\",\n"
             " \"dates\": [{\"date\": \"%s\", \"dateType\": \"Issued\"}], \"language\": \"en\", \"version\": \"%s\",\n"
             " \"rightsList\": [{\"rights\": \"%s\", \"rightsUri\": \"" LICENCE "\"}],\n"
             " \"descriptions\": [{\"descriptionType\": \"Abstract\",\n"
             "  \"description\": \"Tables of %zu training runs of samebits: settings, losses, hashes of weights.\"}],\n"
             " \"relatedIdentifiers\": [{\"relatedIdentifier\": \"arXiv:2109.01451\", \"relatedIdentifierType\": "
             "\"arXiv\",\n"
             "  \"relationType\": \"References\"}],\n \"subjects\": [",
             SB_CITATION_AUTHOR, matrix_of(report), SB_CITATION_AUTHOR, SB_CITATION_DATE, SB_CITATION_DATE,
             SB_CITATION_VERSION, SB_CITATION_LICENSE, report->results.n_cells);
    write_subjects(json);
    sb_write(json, "]}\n");
}

static sb_status add(sb_archive *archive, sb_writer *json, const char *name)
{
    char *text;
    size_t n_bytes;
    SB_TRY(sb_writer_close(json, name, &text, &n_bytes));
    return sb_archive_add(archive, name, text, n_bytes);
}

sb_status sb_crate_add(sb_archive *archive, const sb_report *report)
{
    sb_writer *json = sb_writer_open(&sb_json_language);
    write_datacite(json, report);
    SB_TRY(add(archive, json, DATACITE));
    json = sb_writer_open(&sb_json_language);
    write_crate(json, archive, report);
    return add(archive, json, CRATE);
}
