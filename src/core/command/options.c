#include "core/command/options.h"

#include "core/command/usage.h"
#include "core/command/wrap.h"
#include "core/text/text.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 256 };

bool sb_parse_int(const char *text, double min, double max, long *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || (double)number < min || (double)number > max) return false;
    *value = number;
    return true;
}

bool sb_is_decimal(const char *text)
{
    return text[strspn(text, "+-.0123456789eE")] == 0;
}

/* A number that is not 0 as it is written, and 0 as a double. */
static bool is_too_small(const char *text, double number)
{
    return number == 0 && strcspn(text, "123456789") < strcspn(text, "eE");
}

bool sb_parse_real(const char *text, double min, double max, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !sb_is_decimal(text) || is_too_small(text, number)) return false;
    if (!isfinite(number) || number < min || number > max) return false;
    *value = number;
    return true;
}

static bool parse_size(const char *text, const sb_option *option, sb_size *size)
{
    char width[32];
    const char *x = strchr(text, 'x');
    if (!x || (size_t)(x - text) >= sizeof width) return false;
    memcpy(width, text, (size_t)(x - text));
    width[x - text] = 0;
    long w, h;
    if (!sb_parse_int(width, option->min, option->max, &w)) return false;
    if (!sb_parse_int(x + 1, option->min, option->max, &h)) return false;
    *size = (sb_size){(int)w, (int)h};
    return true;
}

/* The next item of a list with commas; *text moves after it, to NULL after the last one. */
static bool take_item(const char **text, char item[32])
{
    const size_t length = strcspn(*text, ",");
    if (length >= 32) return false;
    memcpy(item, *text, length);
    item[length] = 0;
    *text = (*text)[length] ? *text + length + 1 : NULL;
    return true;
}

static bool parse_list(const char *text, const sb_option *option, sb_list *list)
{
    char item[32];
    long value;
    for (list->n = 0; text; list->item[list->n++] = (int)value)
        if (list->n == SB_OPTION_LIST_MAX || !take_item(&text, item) ||
            !sb_parse_int(item, option->min, option->max, &value))
            return false;
    return true;
}

static bool parse_reals(const char *text, const sb_option *option, sb_reals *reals)
{
    char item[32];
    double value;
    for (reals->n = 0; text; reals->item[reals->n++] = value)
        if (reals->n == SB_OPTION_LIST_MAX || !take_item(&text, item) ||
            !sb_parse_real(item, option->min, option->max, &value))
            return false;
    return true;
}

static bool add_text(const char *text, sb_texts *texts)
{
    if (texts->n == SB_OPTION_LIST_MAX) return false;
    texts->item[texts->n++] = text;
    return true;
}

bool sb_option_is_choice(const char *words, const char *text)
{
    size_t length = strlen(text);
    for (const char *word = words; word; word = strchr(word, '|')) {
        if (*word == '|') word++;
        if (strcspn(word, "|") == length && strncmp(word, text, length) == 0) return true;
    }
    return false;
}

/* "auto" may also be a word of a choice, and then says what it says there. */
bool sb_option_is_auto(const sb_option *option)
{
    const sb_option_kind kind = option->kind;
    const bool may_be = kind == SB_KIND_REAL || kind == SB_KIND_INT || kind == SB_KIND_LIST || kind == SB_KIND_REALS ||
                        (kind == SB_KIND_CHOICE && !sb_option_is_choice(option->placeholder, SB_OPTION_AUTO));
    return may_be && option->fallback && strcmp(option->fallback, SB_OPTION_AUTO) == 0;
}

bool sb_option_has_auto(const sb_option *option, const void *values)
{
    const void *field = (const char *)values + option->offset;
    if (!sb_option_is_auto(option)) return false;
    if (option->kind == SB_KIND_REAL) return isnan(*(const double *)field);
    if (option->kind == SB_KIND_INT) return *(const long *)field == LONG_MIN;
    if (option->kind == SB_KIND_LIST) return ((const sb_list *)field)->n == 0;
    if (option->kind == SB_KIND_REALS) return ((const sb_reals *)field)->n == 0;
    const char *word = *(const char *const *)field;
    return !word || strcmp(word, SB_OPTION_AUTO) == 0;
}

static void store_auto(const sb_option *option, void *field)
{
    if (option->kind == SB_KIND_REAL)
        *(double *)field = NAN;
    else if (option->kind == SB_KIND_INT)
        *(long *)field = LONG_MIN;
    else if (option->kind == SB_KIND_LIST)
        ((sb_list *)field)->n = 0;
    else if (option->kind == SB_KIND_REALS)
        ((sb_reals *)field)->n = 0;
    else
        *(const char **)field = SB_OPTION_AUTO;
}

static bool store(const sb_option *option, const char *text, void *values)
{
    void *field = (char *)values + option->offset;
    if (sb_option_is_auto(option) && strcmp(text, SB_OPTION_AUTO) == 0) {
        store_auto(option, field);
        return true;
    }
    switch (option->kind) {
    case SB_KIND_TEXT:
        *(const char **)field = text;
        return true;
    case SB_KIND_TEXTS:
        return add_text(text, field);
    case SB_KIND_CHOICE:
        *(const char **)field = text;
        return sb_option_is_choice(option->placeholder, text);
    case SB_KIND_INT:
        return sb_parse_int(text, option->min, option->max, field);
    case SB_KIND_REAL:
        return sb_parse_real(text, option->min, option->max, field);
    case SB_KIND_FLAG:
        *(bool *)field = true;
        return true;
    case SB_KIND_SIZE:
        return parse_size(text, option, field);
    case SB_KIND_LIST:
        return parse_list(text, option, field);
    case SB_KIND_REALS:
        return parse_reals(text, option, field);
    }
    return false;
}

static const sb_option *find_option(const sb_command *command, const char *word, size_t length)
{
    for (const sb_option *option = command->options; option && option->name; option++) {
        if (strlen(option->name) == length && memcmp(option->name, word, length) == 0) return option;
        if (option->letter && length == 2 && word[0] == '-' && word[1] == option->letter) return option;
    }
    return NULL;
}

static void store_defaults(const sb_command *command, void *values)
{
    for (const sb_option *option = command->options; option && option->name; option++) {
        if (!option->fallback) continue;
        bool valid = store(option, option->fallback, values);
        assert(valid && "an option's default must pass its own check");
        (void)valid;
    }
}

static sb_status fail_unknown(const sb_command *command, const char *word, size_t length)
{
    char name[SB_USAGE_NAME], typed[128], see[SB_USAGE_NAME + 8];
    snprintf(typed, sizeof typed, "%.*s", (int)length, word);
    for (const sb_refused *other = command->refused; other && other->name; other++)
        if (strcmp(other->name, typed) == 0)
            return sb_fail(SB_E_USAGE, "%s: has no %s: %s", sb_usage_name(command, name), typed, other->why);
    sb_nearest nearest = sb_nearest_begin(typed);
    for (const sb_option *option = command->options; option && option->name; option++)
        sb_nearest_offer(&nearest, option->name);
    sb_nearest_offer(&nearest, "--help");
    snprintf(see, sizeof see, "%s --help", sb_usage_name(command, name));
    return sb_usage_unknown(name, "option", &nearest, see);
}

/* Help names files and folders so; other texts may be empty. */
static bool is_path(const sb_option *option)
{
    static const char *const first[] = {"FILE", "DIR", "FOLDER", "RUN.h5"};
    if (option->kind != SB_KIND_TEXT && option->kind != SB_KIND_TEXTS) return false;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (strncmp(option->placeholder, first[i], strlen(first[i])) == 0) return true;
    return false;
}

/* Elsewhere the last value counts, so that a script can add to a command line. */
static sb_status check_once(const sb_command *command, const sb_option *option, bool *given)
{
    const size_t row = (size_t)(option - command->options);
    assert(row < OPTIONS_MAX && "a command with more options needs more room");
    if (command->once && given[row] && option->kind != SB_KIND_FLAG && option->kind != SB_KIND_TEXTS)
        return sb_usage_twice(command, option);
    given[row] = true;
    return SB_OK;
}

/* The option at argv[*at] and its value; *at moves to the last word that belongs to it. given: by row of the table. */
static sb_status take_option(const sb_command *command, int argc, char **argv, int *at, bool *given, void *values)
{
    const char *word = argv[*at];
    const size_t length = word[1] == '-' ? strcspn(word, "=") : strlen(word);
    const sb_option *option = find_option(command, word, length);
    if (!option) return fail_unknown(command, word, length);
    const char *text = word[length] == '=' ? word + length + 1 : NULL;
    if (option->kind == SB_KIND_FLAG && text) return sb_usage_no_flag(command, option);
    if (option->kind != SB_KIND_FLAG && !text) {
        if (*at + 1 == argc) return sb_usage_no_value(command, option);
        text = argv[++*at];
    }
    if (is_path(option) && !*text) return sb_usage_wanted(command, option->name, "a path", text);
    SB_TRY(check_once(command, option, given));
    if (!store(option, text, values)) return sb_usage_value(command, option, text);
    if (option->typed) *(bool *)((char *)values + option->typed) = true;
    return SB_OK;
}

static bool is_given(const sb_option *option, const void *values)
{
    const void *field = (const char *)values + option->offset;
    if (option->kind == SB_KIND_FLAG) return *(const bool *)field;
    assert(option->kind == SB_KIND_TEXT && "of other kinds nothing tells whether they were given");
    return *(const char *const *)field != NULL;
}

/* Is all there that the command cannot do without? */
static sb_status check_needed(const sb_command *command, const void *values, const sb_arguments *arguments)
{
    char name[SB_USAGE_NAME];
    if (arguments->n < command->min_arguments) return sb_usage_wants(sb_usage_name(command, name), command->arguments);
    for (const sb_option *option = command->options; option && option->name; option++)
        if (option->is_needed && !is_given(option, values)) return sb_usage_needed(command, option->name);
    return SB_OK;
}

/* Is argv[i] the value of an option that may hold several lines, or does it contain the option and such a value? */
static bool has_lines(const sb_command *command, char **argv, int i)
{
    const size_t length = strcspn(argv[i], "=");
    const sb_option *with = argv[i][length] ? find_option(command, argv[i], length) : NULL;
    const sb_option *before = i ? find_option(command, argv[i - 1], strlen(argv[i - 1])) : NULL;
    return (with && with->has_lines) || (before && before->has_lines);
}

static bool is_plain(const char *text, bool has_lines)
{
    for (size_t n; *text; text += n + (text[n] != 0)) {
        n = has_lines ? strcspn(text, "\n\r\t") : strlen(text);
        if (sb_text_has_control(text, n)) return false;
    }
    return true;
}

/* A word with a line end in it would be two lines of a list, a log or a script, whatever it stands for. */
static sb_status check_words(const sb_command *command, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        char name[SB_USAGE_NAME], shown[64];
        size_t n = strlen(argv[i]);
        if (is_plain(argv[i], has_lines(command, argv, i))) continue;
        char *clean = sb_text_clean(argv[i], n, false);
        snprintf(shown, sizeof shown, "%s", clean ? clean : "a word");
        free(clean);
        return sb_fail(SB_E_USAGE, "%s: '%s' holds a line end or another control character",
                       sb_usage_name(command, name), shown);
    }
    return SB_OK;
}

sb_status sb_options_parse(const sb_command *command, int argc, char **argv, void *values, sb_arguments *arguments,
                           bool *help)
{
    bool plain = false, given[OPTIONS_MAX] = {false};
    *arguments = (sb_arguments){0};
    *help = false;
    store_defaults(command, values);
    SB_TRY(check_words(command, argc, argv));
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (!plain && (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)) {
            sb_options_help(command, stdout);
            *help = true;
            return SB_OK;
        }
        if (!plain && strcmp(word, "--") == 0) {
            plain = true;
        } else if (plain || word[0] != '-' || !word[1]) {
            if (arguments->n == command->max_arguments) return sb_usage_unexpected(command, word);
            arguments->item[arguments->n++] = word;
        } else {
            SB_TRY(take_option(command, argc, argv, &i, given, values));
        }
    }
    return check_needed(command, values, arguments);
}

/* The range of a number, its default, or that it must be given. */
static void print_limits(const sb_option *option, FILE *out)
{
    if (option->kind == SB_KIND_INT || option->kind == SB_KIND_REAL) {
        if (option->max < 1e9)
            fprintf(out, " (%g to %g)", option->min, option->max);
        else if (option->min != 0)
            fprintf(out, " (at least %g)", option->min);
    }
    if (option->fallback && *option->fallback) fprintf(out, " [%s]", option->fallback);
    if (option->is_needed) fprintf(out, " (needed)");
}

bool sb_option_set(const sb_option *option, const char *text, void *values)
{
    return store(option, text, values);
}

enum { HELP_COLUMN = 34 };

static void print_option(const sb_option *option, FILE *out)
{
    char letter[5] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    const int width =
        fprintf(out, "  %s%s %s", letter, option->name, option->kind == SB_KIND_FLAG ? "" : option->placeholder);
    if (width > HELP_COLUMN + 2)
        fprintf(out, "\n  %-*s " SB_WRAP_HERE "%s", HELP_COLUMN, "", option->help);
    else
        fprintf(out, "%*s " SB_WRAP_HERE "%s", HELP_COLUMN + 2 - width, "", option->help);
    print_limits(option, out);
    fputc('\n', out);
}

static void print_help(const sb_command *command, FILE *out)
{
    char name[SB_USAGE_NAME];
    const bool has_options = command->options && command->options->name;
    fprintf(out, "usage: %s%s%s%s\n%s\n", sb_usage_name(command, name), has_options ? " [options]" : "",
            command->arguments ? " " : "", command->arguments ? command->arguments : "", command->summary);
    if (has_options) fprintf(out, "\noptions:\n");
    for (const sb_option *option = command->options; option && option->name; option++) print_option(option, out);
    if (command->epilogue) fprintf(out, "\n%s", command->epilogue);
}

void sb_options_help(const sb_command *command, FILE *out)
{
    char *text = NULL;
    size_t n_bytes;
    FILE *memory = open_memstream(&text, &n_bytes);
    if (!memory) return;
    print_help(command, memory);
    if (fclose(memory) == 0) sb_wrap(out, text, sb_wrap_columns(out));
    free(text);
}

void sb_option_text(const sb_option *option, const void *values, char *text, size_t size)
{
    const void *field = (const char *)values + option->offset;
    *text = 0;
    if (sb_option_has_auto(option, values)) {
        snprintf(text, size, SB_OPTION_AUTO);
        return;
    }
    switch (option->kind) {
    case SB_KIND_TEXT:
    case SB_KIND_CHOICE:
        snprintf(text, size, "%s", *(const char *const *)field ? *(const char *const *)field : "");
        break;
    case SB_KIND_INT:
        snprintf(text, size, "%ld", *(const long *)field);
        break;
    case SB_KIND_REAL:
        snprintf(text, size, "%.17g", *(const double *)field);
        break;
    case SB_KIND_FLAG:
        snprintf(text, size, "%s", *(const bool *)field ? "yes" : "no");
        break;
    case SB_KIND_SIZE:
        snprintf(text, size, "%dx%d", ((const sb_size *)field)->w, ((const sb_size *)field)->h);
        break;
    case SB_KIND_TEXTS: {
        const sb_texts *texts = field;
        size_t used = 0;
        for (int i = 0; i < texts->n && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", texts->item[i]);
        break;
    }
    case SB_KIND_LIST: {
        const sb_list *list = field;
        size_t used = 0;
        for (int i = 0; i < list->n && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%d", i ? "," : "", list->item[i]);
        break;
    }
    case SB_KIND_REALS: {
        const sb_reals *reals = field;
        size_t used = 0;
        for (int i = 0; i < reals->n && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%.17g", i ? "," : "", reals->item[i]);
        break;
    }
    }
}
