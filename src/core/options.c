#include "core/options.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool sb_parse_int(const char *text, double min, double max, long *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || (double)number < min || (double)number > max) return false;
    *value = number;
    return true;
}

bool sb_parse_real(const char *text, double min, double max, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number) || number < min || number > max) return false;
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

static bool parse_list(const char *text, const sb_option *option, sb_list *list)
{
    list->n = 0;
    while (list->n < SB_OPTION_LIST_MAX) {
        char item[32];
        size_t length = strcspn(text, ",");
        long value;
        if (length >= sizeof item) return false;
        memcpy(item, text, length);
        item[length] = 0;
        if (!sb_parse_int(item, option->min, option->max, &value)) return false;
        list->item[list->n++] = (int)value;
        if (!text[length]) return true;
        text += length + 1;
    }
    return false;
}

static bool add_text(const char *text, sb_texts *texts)
{
    if (texts->n == SB_OPTION_LIST_MAX) return false;
    texts->item[texts->n++] = text;
    return true;
}

static bool is_choice(const char *text, const char *words)
{
    size_t length = strlen(text);
    for (const char *word = words; word; word = strchr(word, '|')) {
        if (*word == '|') word++;
        if (strncmp(word, text, length) == 0 && (word[length] == '|' || !word[length])) return true;
    }
    return false;
}

static bool store(const sb_option *option, const char *text, void *values)
{
    void *field = (char *)values + option->offset;
    switch (option->kind) {
    case SB_KIND_TEXT:
        *(const char **)field = text;
        return true;
    case SB_KIND_TEXTS:
        return add_text(text, field);
    case SB_KIND_CHOICE:
        *(const char **)field = text;
        return is_choice(text, option->placeholder);
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
    }
    return false;
}

static const char *program_name(const sb_command *command, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", command->program, *command->verb ? " " : "", command->verb);
    return text;
}

static sb_status fail_value(const sb_command *command, const sb_option *option, const char *text)
{
    char name[64], wanted[160];
    switch (option->kind) {
    case SB_KIND_INT:
        snprintf(wanted, sizeof wanted, "a whole number in [%.0f, %.0f]", option->min, option->max);
        break;
    case SB_KIND_REAL:
        snprintf(wanted, sizeof wanted, "a number in [%g, %g]", option->min, option->max);
        break;
    case SB_KIND_SIZE:
        snprintf(wanted, sizeof wanted, "WIDTHxHEIGHT, each in [%.0f, %.0f]", option->min, option->max);
        break;
    case SB_KIND_LIST:
        snprintf(wanted, sizeof wanted, "whole numbers in [%.0f, %.0f] with commas", option->min, option->max);
        break;
    case SB_KIND_TEXTS:
        snprintf(wanted, sizeof wanted, "at most %d values", SB_OPTION_LIST_MAX);
        break;
    default:
        snprintf(wanted, sizeof wanted, "one of %s", option->placeholder);
        break;
    }
    return sb_fail(SB_E_USAGE, "%s: %s wants %s, not '%s'", program_name(command, name, sizeof name), option->name,
                   wanted, text);
}

static const sb_option *find_option(const sb_command *command, const char *word, size_t length)
{
    for (const sb_option *option = command->options; option && option->name; option++) {
        if (strlen(option->name) == length && memcmp(option->name, word, length) == 0) return option;
        if (option->letter && length == 2 && word[0] == '-' && word[1] == option->letter) return option;
    }
    return NULL;
}

sb_status sb_options_parse(const sb_command *command, int argc, char **argv, void *values, sb_arguments *arguments,
                           bool *help)
{
    char name[64];
    program_name(command, name, sizeof name);
    *arguments = (sb_arguments){0};
    *help = false;
    for (const sb_option *option = command->options; option && option->name; option++) {
        if (!option->fallback) continue;
        bool valid = store(option, option->fallback, values);
        assert(valid && "an option's default must pass its own check");
        (void)valid;
    }
    bool plain = false;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (!plain && (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)) {
            sb_options_help(command, stdout);
            *help = true;
            return SB_OK;
        }
        if (!plain && strcmp(word, "--") == 0) {
            plain = true;
            continue;
        }
        if (plain || word[0] != '-' || !word[1]) {
            if (arguments->n == command->max_arguments)
                return sb_fail(SB_E_USAGE, "%s: unexpected argument '%s' (see '%s --help')", name, word, name);
            arguments->item[arguments->n++] = word;
            continue;
        }
        size_t length = word[1] == '-' ? strcspn(word, "=") : strlen(word);
        const sb_option *option = find_option(command, word, length);
        if (!option)
            return sb_fail(SB_E_USAGE, "%s: unknown option '%.*s' (see '%s --help')", name, (int)length, word, name);
        const char *text = word[length] == '=' ? word + length + 1 : NULL;
        if (option->kind == SB_KIND_FLAG && text)
            return sb_fail(SB_E_USAGE, "%s: %s takes no value", name, option->name);
        if (option->kind != SB_KIND_FLAG && !text) {
            if (i + 1 == argc) return sb_fail(SB_E_USAGE, "%s: %s wants a value", name, option->name);
            text = argv[++i];
        }
        if (!store(option, text, values)) return fail_value(command, option, text);
    }
    if (arguments->n < command->min_arguments)
        return sb_fail(SB_E_USAGE, "%s: wants %s (see '%s --help')", name, command->arguments, name);
    return SB_OK;
}

void sb_options_help(const sb_command *command, FILE *out)
{
    char name[64];
    fprintf(out, "usage: %s %s%s%s\n%s\n", program_name(command, name, sizeof name),
            command->options && command->options->name ? "[options]" : "", *command->arguments ? " " : "",
            command->arguments, command->summary);
    if (command->options && command->options->name) fprintf(out, "\noptions:\n");
    for (const sb_option *option = command->options; option && option->name; option++) {
        char left[80];
        if (option->letter)
            snprintf(left, sizeof left, "-%c, %s %s", option->letter, option->name,
                     option->kind == SB_KIND_FLAG ? "" : option->placeholder);
        else
            snprintf(left, sizeof left, "    %s %s", option->name,
                     option->kind == SB_KIND_FLAG ? "" : option->placeholder);
        fprintf(out, "  %-34s %s", left, option->help);
        if (option->kind == SB_KIND_INT || option->kind == SB_KIND_REAL) {
            if (option->max < 1e9)
                fprintf(out, " (%g to %g)", option->min, option->max);
            else if (option->min != 0)
                fprintf(out, " (at least %g)", option->min);
        }
        if (option->fallback && *option->fallback) fprintf(out, " [%s]", option->fallback);
        fputc('\n', out);
    }
    if (command->epilogue) fprintf(out, "\n%s", command->epilogue);
}

void sb_option_text(const sb_option *option, const void *values, char *text, size_t size)
{
    const void *field = (const char *)values + option->offset;
    *text = 0;
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
    }
}
