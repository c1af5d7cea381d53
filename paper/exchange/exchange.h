/* Results as one file, so that people exchange them: what samebits-matrix collect wrote, and what the run files say
 * about the machines. A gzipped tar with one folder:
 *
 *     samebits-results/SHA256SUMS         of the other files; `sha256sum -c` there holds
 *                      cells.csv curves.csv timing.csv distances.csv coverage.csv
 *                      claims.yaml        the claims of the study, where its matrix file names some
 *                      environment.csv    name, value, runs: /env of the run files, and how many have each value
 *                      ro-crate-metadata.json, datacite.json    what describes them (crate.c); not in older bundles
 *
 * Equal results are an equal file. Wherever a folder of results is read, a bundle is as good:
 *
 *     sb_exchange exchange;
 *     SB_TRY(sb_exchange_open(&exchange, path));          a folder as it is, a bundle unpacked
 *     ... exchange.folder ...
 *     sb_exchange_close(&exchange);
 */
#pragma once

#include "core/file.h"
#include "core/status.h"
#include "io/archive.h"
#include "paper/results/condition.h"
#include "paper/results/machine_facts.h"
#include "paper/results/results.h"

/* What a bundle is made of; nothing of it is owned. */
typedef struct sb_exchanged {
    const char *folder; /* of the collected tables */
    const char *author; /* who made the results; NULL: not known */
    const sb_results *table;
    const sb_condition *condition;
    const sb_machine_facts *facts;
} sb_exchanged;

/* Write collected results, the facts of their machines if there are any, and what describes them (crate.c).
 * Whether its tables are as collected is for the caller to know (condition.h): a bundle vouches for them. */
sb_status sb_exchange_pack(const sb_exchanged *results, const char *path);

/* Unpack into FOLDER, which must not be there yet, and appears only if every digest holds. SB_E_INTEGRITY: cut short,
 * changed, a file too many or too few, a path that leads elsewhere. */
sb_status sb_exchange_unpack(const char *path, const char *folder);

typedef struct sb_exchange {
    char folder[SB_PATH_MAX];    /* of the tables */
    char temporary[SB_PATH_MAX]; /* where a bundle was unpacked; "": nowhere */
} sb_exchange;

/* PATH is a folder of results, or a bundle. A failed call leaves nothing to close. */
sb_status sb_exchange_open(sb_exchange *exchange, const char *path);
void sb_exchange_close(sb_exchange *exchange);

/* What describes a bundle of results to archives and search engines: an RO-Crate 1.1 of the profile Process Run Crate
 * 0.5 (https://w3id.org/ro/wfrun/process), in which each run is an action of samebits, and the metadata that a DOI asks
 * for, in DataCite's JSON, schema 4.5. Both follow from the tables, the release and the author whom the caller names,
 * so that equal results have equal ones. */

/* Add ro-crate-metadata.json and datacite.json, which tell of the files that the archive has so far, to it. */
sb_status sb_crate_add(sb_archive *archive, const sb_exchanged *results);
