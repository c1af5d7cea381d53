/* The claims that a matrix file names, and what every run registers of them. */
#ifndef SB_MATRIX_CELLS_CELLS_CLAIMS_H
#define SB_MATRIX_CELLS_CELLS_CLAIMS_H

#include "io/yaml/claim_file.h"
#include "matrix/cells/cells.h"

/* *file is the caller's; NULL where the matrix file names none, or is of commands. SB_E_USAGE: "PATH:LINE: ..." */
sb_status sb_cells_load_claims(const sb_cells *cells, sb_claim_file **file);

/* The digests of the rules, and of the cells that they speak of: into each cell that counts. */
sb_status sb_cells_register_claims(sb_cells *cells, const sb_claim_file *file);

/* Of a file of commands, whose claims may have any form: their SHA-256 into each cell. */
sb_status sb_cells_digest_claims(sb_cells *cells);

#endif
