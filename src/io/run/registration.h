/* The claims that stood when a run began, as a text: "NAME=DIGEST NAME.16=DIGEST ...", with the digests of claim_file.h: of
 * the rule, and of the 16 cells that the claim spoke of. Older runs have the rules alone. */
#pragma once

#include <stdbool.h>

enum { SB_CLAIM_NAME = 64, SB_CLAIM_DIGEST = 33 };

/* The next entry from *at on, which moves after it; false at the end, or where what stands there is none. */
bool sb_registration_next(const char **at, char name[SB_CLAIM_NAME], char digest[SB_CLAIM_DIGEST]);

/* Is all of it entries? An empty text is. */
bool sb_registration_holds(const char *registration);

/* What it is called in tables: the first 12 digits of its SHA-256; "" of an empty one. */
enum { SB_REGISTRATION_ID = 13 };
void sb_registration_id(const char *registration, char id[SB_REGISTRATION_ID]);
