#define _POSIX_C_SOURCE 200809L
#include "matrix/process/argv.h"

#include "core/text/shell.h"

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

char *sb_words_text(const sb_words *words)
{
    size_t size = 1;
    for (int i = 0; i < words->n; i++) size += strlen(words->item[i]) + 1;
    char *text = malloc(size), *end = text;
    for (int i = 0; text && i < words->n; i++) {
        if (i) *end++ = ' ';
        size_t length = strlen(words->item[i]);
        memcpy(end, words->item[i], length);
        end += length;
    }
    if (text) *end = 0;
    return text;
}

void sb_words_write(sb_writer *shell, const sb_words *words)
{
    for (int i = 0; i < words->n; i++) sb_write(shell, i ? " %s" : "%s", words->item[i]);
}

sb_status sb_words_line(const sb_words *words, char **line)
{
    *line = NULL;
    SB_TRY(sb_words_check(words));
    sb_writer *shell = sb_writer_open(&sb_shell);
    sb_words_write(shell, words);
    return sb_writer_close(shell, words->n ? words->item[0] : "a command", line, NULL);
}

void sb_words_free(sb_words *words)
{
    for (int i = 0; i < words->n; i++) free(words->item[i]);
    *words = (sb_words){0};
}
