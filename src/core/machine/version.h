/* Which program this is. */
#pragma once

/* "0.2.0" */
const char *sb_version(void);

/* The revision of the sources it was built from: "f70eb48a1b2c", with "-dirty" after it where they were edited;
 * "unknown" where nothing says it. */
const char *sb_revision(void);
