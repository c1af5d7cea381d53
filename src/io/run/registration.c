#include "io/run/registration.h"

#include "core/hash.h"

#include <stdio.h>
#include <string.h>

void sb_registration_id(const char *registration, char id[SB_REGISTRATION_ID])
{
    char sha256[SB_SHA256_TEXT] = "";
    if (*registration) sb_sha256_bytes(registration, strlen(registration), sha256);
    snprintf(id, SB_REGISTRATION_ID, "%.12s", sha256);
}

bool sb_registration_next(const char **at, char name[SB_CLAIM_NAME], char digest[SB_CLAIM_DIGEST])
{
    const char *text = *at + strspn(*at, " ");
    const size_t n = strcspn(text, "="), n_digest = text[n] ? strspn(text + n + 1, "0123456789abcdef") : 0;
    if (n == 0 || n >= SB_CLAIM_NAME || n_digest != SB_CLAIM_DIGEST - 1) return false;
    memcpy(name, text, n);
    name[n] = 0;
    memcpy(digest, text + n + 1, n_digest);
    digest[n_digest] = 0;
    *at = text + n + 1 + n_digest;
    return **at == 0 || **at == ' ';
}

bool sb_registration_holds(const char *registration)
{
    char name[SB_CLAIM_NAME], digest[SB_CLAIM_DIGEST];
    while (sb_registration_next(&registration, name, digest)) continue;
    return !*registration;
}
