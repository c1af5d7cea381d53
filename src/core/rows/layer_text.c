#include "core/rows/layer_text.h"

#include "core/command/options.h"
#include "core/text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    int least, most;
    const char *flags;
} words[SB_N_LAYERS] = {
#define ROW(id, word, least, most, flags) {word, least, most, flags},
    SB_LAYERS(ROW)};

enum { WORDS_MAX = 12, WORD = 16, WHY = 300 };

/* A layer as words. */
typedef struct layer_words {
    int n;
    char word[WORDS_MAX][WORD];
} layer_words;

/* ---- one layer ---- */

/* Digits, with one point at most between them: one spelling, and nothing that joins words. */
static bool is_number(const char *word)
{
    const size_t digits = strspn(word, "0123456789");
    const char *rest = word + digits;
    if (!digits || digits > 7) return false;
    return !*rest || (*rest == '.' && rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == 0);
}

/* Its number among the flags; -1: it is none. has_number: a number follows it. */
static int find_flag(const char *flags, const char *word, bool *has_number)
{
    const size_t length = strlen(word);
    for (int k = 0; *flags; k++) {
        const size_t n = strcspn(flags, "|");
        *has_number = n > 2 && flags[n - 2] == ' ';
        if (n - 2 * *has_number == length && strncmp(flags, word, length) == 0) return k;
        flags += n + (flags[n] == '|');
    }
    return -1;
}

static bool find_word(const char *word, sb_layer_line *layer)
{
    layer->activation = sb_activation_find(word);
    layer->id = SB_LAYER_activation;
    if (layer->activation < SB_N_ACTIVATIONS) return true;
    for (layer->id = 0; layer->id < SB_N_LAYERS; layer->id++)
        if (*word && strcmp(words[layer->id].word, word) == 0) return true;
    return false;
}

static bool say_numbers(const sb_layer_line *layer, const char *word, char why[WHY])
{
    static const char *const counts[] = {"no number", "one number", "two numbers"};
    const int least = words[layer->id].least, most = words[layer->id].most;
    snprintf(why, WHY, "%s wants %s%s%s%s, not %d", word, counts[least], most > least ? " or " : "",
             most > least ? counts[most] : "",
             layer->id == SB_LAYER_conv        ? " (channels and kernel)"
             : layer->id == SB_LAYER_embedding ? " (width and context)"
                                               : "",
             layer->n_numbers);
    return false;
}

/* What the words mean; false, with the reason: nothing. */
static bool read_layer(const layer_words *of, sb_layer_line *layer, char why[WHY])
{
    *layer = (sb_layer_line){0};
    if (!find_word(of->word[0], layer)) {
#define ALSO(id, word, ...) word ", "
        snprintf(why, WHY, "no layer is called '%s'; there are " SB_LAYERS_WITH_WORDS(ALSO) "%s", of->word[0],
                 SB_ACTIVATION_WORDS);
        return false;
    }
    const char *flags = words[layer->id].flags;
    int k = 1;
    for (; k < of->n && is_number(of->word[k]); k++)
        if (layer->n_numbers++ < SB_LAYER_NUMBERS) layer->number[k - 1] = strtod(of->word[k], NULL);
    if (layer->n_numbers < words[layer->id].least || layer->n_numbers > words[layer->id].most)
        return say_numbers(layer, of->word[0], why);
    for (; k < of->n; k++) {
        bool has_number;
        const int flag = find_flag(flags, of->word[k], &has_number);
        if (flag >= 0 && !(layer->flags & 1U << flag) &&
            (!has_number || (k + 1 < of->n && is_number(of->word[k + 1])))) {
            layer->flags |= 1U << flag;
            if (has_number) layer->value[flag] = strtod(of->word[++k], NULL);
            continue;
        }
        snprintf(why, WHY, "after %s only %s%s can follow, not '%s'", of->word[0],
                 *flags ? "numbers and " : "nothing more", flags, of->word[k]);
        return false;
    }
    return true;
}

/* ---- a network in one line ---- */

/* The words of the next layer; false: more or longer ones than any layer has. */
static bool take_words(const char **at, layer_words *of)
{
    const char *end = *at + strcspn(*at, "_");
    of->n = 0;
    for (const char *word = *at;; word++) {
        const size_t n = strcspn(word, "-_");
        if (of->n == WORDS_MAX || n >= WORD || n == 0) return false;
        memcpy(of->word[of->n], word, n);
        of->word[of->n++][n] = 0;
        word += n;
        if (word == end) break;
    }
    *at = *end ? end + 1 : NULL;
    return true;
}

sb_status sb_layer_text_check(const char *line)
{
    char why[WHY];
    layer_words of;
    sb_layer_line layer;
    if (strlen(line) >= SB_LAYER_TEXT)
        return sb_fail(SB_E_USAGE, "a network of more than %d letters", SB_LAYER_TEXT - 1);
    for (int n = 1; line; n++) {
        if (n > SB_LAYER_TEXT_LAYERS) return sb_fail(SB_E_USAGE, "more than %d layers", SB_LAYER_TEXT_LAYERS);
        if (!take_words(&line, &of)) return sb_fail(SB_E_USAGE, "layer %d: not the words of a layer", n);
        if (!read_layer(&of, &layer, why)) return sb_fail(SB_E_USAGE, "layer %d: %s", n, why);
    }
    return SB_OK;
}

sb_layer_line sb_layer_text_next(const char **at)
{
    char why[WHY];
    layer_words of;
    sb_layer_line layer = {.id = SB_N_LAYERS};
    if (!take_words(at, &of) || !read_layer(&of, &layer, why)) *at = NULL;
    return layer;
}

/* ---- a file ---- */

bool sb_layer_text_is_file(const char *value)
{
    static const char ending[] = ".layers";
    const size_t n = strlen(value), m = sizeof ending - 1;
    return n > m && strcmp(value + n - m, ending) == 0;
}

/* The words of a line of a file, without its comment; none: an empty line. */
static bool split_line(char *line, layer_words *of, char why[WHY])
{
    char *rest = NULL;
    line[strcspn(line, "#")] = 0;
    of->n = 0;
    for (char *word = strtok_r(line, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
        if (of->n == WORDS_MAX || strlen(word) >= WORD) {
            snprintf(why, WHY, "no layer has %s", of->n == WORDS_MAX ? "so many words" : "words so long");
            return false;
        }
        strcpy(of->word[of->n++], word);
    }
    return true;
}

static sb_status append(sb_layer_text *text, const layer_words *of, int line)
{
    size_t used = strlen(text->text);
    if (text->n == SB_LAYER_TEXT_LAYERS)
        return sb_fail(SB_E_USAGE, "%s:%d: more than %d layers", text->path, line, SB_LAYER_TEXT_LAYERS);
    for (int k = 0; k < of->n && used < SB_LAYER_TEXT; k++)
        used += (size_t)snprintf(text->text + used, SB_LAYER_TEXT - used, "%s%s",
                                 k      ? "-"
                                 : used ? "_"
                                        : "",
                                 of->word[k]);
    if (used >= SB_LAYER_TEXT)
        return sb_fail(SB_E_USAGE, "%s:%d: in one line the network has more than %d letters", text->path, line,
                       SB_LAYER_TEXT - 1);
    text->line[text->n++] = line;
    return SB_OK;
}

/* A comment may be in any language; words are ASCII, and of another character the sentence says which one it is. */
static sb_status check_line(const char *path, int number, const char *line)
{
    const size_t n = strlen(line), n_words = strcspn(line, "#");
    uint32_t code = 0;
    for (size_t i = 0; i < n; i++)
        if (iscntrl((unsigned char)line[i]) && !strchr("\t\r", line[i]))
            return sb_fail(SB_E_USAGE, "%s:%d: holds a control character (byte %zu)", path, number, i + 1);
    for (size_t i = 0; i < n_words; i++) {
        if ((unsigned char)line[i] < 0x80) continue;
        const size_t n_bytes = sb_text_character(line + i, n - i, &code);
        if (!n_bytes)
            return sb_fail(SB_E_USAGE, "%s:%d: byte %zu is not in UTF-8: %s", path, number, i + 1,
                           sb_text_advice(line, n));
        return sb_fail(SB_E_USAGE, "%s:%d: '%.*s' (U+%04X) is in no word of a layer; comments begin with #", path,
                       number, (int)n_bytes, line + i, (unsigned)code);
    }
    return SB_OK;
}

static sb_status read_lines(sb_layer_text *text, char *content)
{
    int number = 0;
    for (char *line = content, *next; line; line = next) {
        char why[WHY];
        layer_words of;
        sb_layer_line layer;
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        number++;
        SB_TRY(check_line(text->path, number, line));
        const bool is_split = split_line(line, &of, why);
        if (is_split && of.n == 0) continue;
        if (!is_split || !read_layer(&of, &layer, why))
            return sb_fail(SB_E_USAGE, "%s:%d: %s", text->path, number, why);
        SB_TRY(append(text, &of, number));
    }
    return text->n ? SB_OK : sb_fail(SB_E_USAGE, "%s: has no layers", text->path);
}

sb_status sb_layer_text_read(sb_layer_text *text, const char *path)
{
    char *content;
    size_t n_bytes;
    *text = (sb_layer_text){0};
    if (strlen(path) >= sizeof text->path) return sb_file_too_long(path);
    strcpy(text->path, path);
    SB_TRY(sb_file_read(path, &content, &n_bytes));
    const bool is_text = strlen(content) == n_bytes; /* UTF-16 has zero bytes */
    const sb_status status = is_text
                                 ? read_lines(text, sb_text_after_mark(content))
                                 : sb_fail(SB_E_USAGE, "%s: not in UTF-8: %s", path, sb_text_advice(content, n_bytes));
    free(content);
    return status;
}
