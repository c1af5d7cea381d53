/* What describes a bundle of results to archives and search engines: an RO-Crate 1.1 of the profile Process Run Crate
 * 0.5 (https://w3id.org/ro/wfrun/process), in which each run is an action of samebits, and the metadata that a DOI asks
 * for, in DataCite's JSON, schema 4.5. Both follow from the tables, the release and the author whom the caller names,
 * so that equal results have equal ones. */
#ifndef SB_PAPER_EXCHANGE_CRATE_H
#define SB_PAPER_EXCHANGE_CRATE_H

#include "io/archive.h"
#include "paper/exchange/exchange.h"

/* Add ro-crate-metadata.json and datacite.json, which tell of the files that the archive has so far, to it. */
sb_status sb_crate_add(sb_archive *archive, const sb_exchanged *results);

#endif
