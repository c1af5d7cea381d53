/* The claims that a matrix file names, and what every run registers of them. */
#pragma once

#include "io/yaml/claim_file.h"
#include "matrix/cells/cells.h"

/* *file is the caller's; NULL where the matrix file names none, or is of commands. SB_E_USAGE: "PATH:LINE: ..." */
sb_status sb_cells_load_claims(const sb_cells *cells, sb_claim_file **file);

/* The digests of the rules, and of the cells that they speak of: into each cell that counts. */
sb_status sb_cells_register_claims(sb_cells *cells, const sb_claim_file *file);

/* Of a file of commands: the SHA-256 of its claims into each cell. They may have any form; a file whose name ends with .yaml
 * is checked as claims about its axes and metrics (docs/claims.md). */
sb_status sb_cells_digest_claims(sb_cells *cells);

/* Does the matrix file name claims that reports judge? */
bool sb_cells_has_judged_claims(const sb_cells *cells);
