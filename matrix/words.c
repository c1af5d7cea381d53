#define _POSIX_C_SOURCE 200809L
#include "words.h"

#include <stdlib.h>
#include <string.h>

static void take(sb_words *words, char *word)
{
    if (word && words->n < SB_WORDS_MAX) {
        words->item[words->n++] = word;
        return;
    }
    free(word);
    words->lost = true;
}

void sb_words_add(sb_words *words, const char *word)
{
    take(words, strdup(word));
}

void sb_words_add_pair(sb_words *words, const char *option, const char *value)
{
    sb_words_add(words, option);
    sb_words_add(words, value);
}

void sb_words_add_split(sb_words *words, const char *text)
{
    static const char blanks[] = " \t\r\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        size_t length = strcspn(text, blanks);
        take(words, strndup(text, length));
        text += length;
    }
}

sb_status sb_words_check(const sb_words *words)
{
    if (words->lost) return sb_fail(SB_E_MEMORY, "a command line has more than %d words", SB_WORDS_MAX);
    return SB_OK;
}

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
    return *word && word[strspn(word, plain)] == 0;
}

/* Append a word in single quotes, a quote inside it as '\''. */
static char *append_quoted(char *end, const char *word)
{
    *end++ = '\'';
    for (; *word; word++) {
        if (*word == '\'') {
            memcpy(end, "'\\''", 4);
            end += 4;
        } else {
            *end++ = *word;
        }
    }
    *end++ = '\'';
    return end;
}

char *sb_words_text(const sb_words *words, bool quoted)
{
    size_t size = 1;
    for (int i = 0; i < words->n; i++) size += 4 * strlen(words->item[i]) + 3;
    char *text = malloc(size), *end = text;
    for (int i = 0; text && i < words->n; i++) {
        if (i) *end++ = ' ';
        if (quoted && !is_plain(words->item[i])) {
            end = append_quoted(end, words->item[i]);
        } else {
            size_t length = strlen(words->item[i]);
            memcpy(end, words->item[i], length);
            end += length;
        }
    }
    if (text) *end = 0;
    return text;
}

void sb_words_free(sb_words *words)
{
    for (int i = 0; i < words->n; i++) free(words->item[i]);
    *words = (sb_words){0};
}
