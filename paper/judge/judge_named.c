#define _XOPEN_SOURCE 700
#include "paper/judge/judge.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Where a value ends: at ",;/ " and brackets, at "-tag-", at the end of a file's name, and before the next KEY=. */
static size_t value_length(const char *text)
{
    size_t n = 0;
    for (; text[n] && !strchr(",;/ |&()[]", text[n]); n++) {
        const char *next = text + n;
        if (strncmp(next, "-tag-", 5) == 0 || strcmp(next, ".csv") == 0 || strcmp(next, ".tsv") == 0) break;
        if (*next != '_' && *next != '-') continue;
        size_t word = 1;
        while (isalnum((unsigned char)next[word])) word++;
        if (word > 1 && (next[word] == '=' || next[word] == ':')) break;
    }
    return n;
}

char *sb_judge_named(const char *name, const char *key)
{
    const size_t n = strlen(key);
    for (const char *found = name; n && (found = strstr(found, key)); found++) {
        if (found > name && isalnum((unsigned char)found[-1])) continue;
        const char *value = found + n;
        if (*value != '=' && *value != ':') continue;
        value += 1 + (value[0] == ':' && value[1] == ' ');
        if (value_length(value)) return strndup(value, value_length(value));
    }
    return NULL;
}

bool sb_judge_heads(const char *heading, const char *metric, char name[SB_JUDGE_NAME])
{
    const size_t n = strlen(heading), n_metric = strlen(metric);
    if (n < n_metric + 4 || strcmp(heading + n - n_metric, metric) != 0) return false;
    if (strncmp(heading + n - n_metric - 3, " - ", 3) != 0) return false;
    snprintf(name, SB_JUDGE_NAME, "%.*s", (int)(n - n_metric - 3), heading);
    return true;
}
