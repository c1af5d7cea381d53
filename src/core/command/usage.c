#include "core/command/usage.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *sb_usage_name(const sb_command *command, char text[SB_USAGE_NAME])
{
    snprintf(text, SB_USAGE_NAME, "%s%s%s", command->program, *command->verb ? " " : "", command->verb);
    return text;
}

sb_status sb_usage_unknown(const char *who, const char *kind, const sb_nearest *nearest, const char *see)
{
    char guess[160] = "";
    if (nearest->name) snprintf(guess, sizeof guess, ", did you mean '%.128s'?", nearest->name);
    return sb_fail(SB_E_USAGE, "%s%sunknown %s '%.128s'%s (see '%s')", who ? who : "", who ? ": " : "", kind,
                   nearest->word, guess, see);
}

sb_status sb_usage_needed(const sb_command *command, const char *name)
{
    char who[SB_USAGE_NAME], letter[3] = {'-', 0, 0};
    const sb_option *option = command->options;
    while (option->name && strcmp(option->name, name) != 0) option++;
    assert(option->name && "a needed option is one of the table");
    letter[1] = option->letter;
    sb_usage_name(command, who);
    return sb_fail(SB_E_USAGE, "%s: wants %s%s%s: %s (see '%s --help')", who, option->letter ? letter : option->name,
                   option->placeholder ? " " : "", option->placeholder ? option->placeholder : "", option->help, who);
}

static void describe(const sb_option *option, char *wanted, size_t size)
{
    const char *or_auto = sb_option_is_auto(option) ? " or " SB_OPTION_AUTO : "";
    switch (option->kind) {
    case SB_KIND_INT:
        snprintf(wanted, size, "a whole number in [%.0f, %.0f]%s", option->min, option->max, or_auto);
        break;
    case SB_KIND_REAL:
        snprintf(wanted, size, "a number in [%g, %g]%s", option->min, option->max, or_auto);
        break;
    case SB_KIND_SIZE:
        snprintf(wanted, size, "WIDTHxHEIGHT, each in [%.0f, %.0f]", option->min, option->max);
        break;
    case SB_KIND_LIST:
        snprintf(wanted, size, "at most %d whole numbers in [%.0f, %.0f] with commas", SB_OPTION_LIST_MAX,
                 option->min, option->max);
        break;
    case SB_KIND_REALS:
        snprintf(wanted, size, "at most %d numbers in [%g, %g] with commas", SB_OPTION_LIST_MAX, option->min,
                 option->max);
        break;
    case SB_KIND_TEXTS:
        snprintf(wanted, size, "at most %d values", SB_OPTION_LIST_MAX);
        break;
    default:
        snprintf(wanted, size, "one of %s", option->placeholder);
        break;
    }
}

sb_status sb_usage_value(const sb_command *command, const sb_option *option, const char *text)
{
    char who[SB_USAGE_NAME], wanted[256], guess[SB_NEAREST_GUESS] = "";
    describe(option, wanted, sizeof wanted);
    if (option->kind == SB_KIND_CHOICE) sb_nearest_guess(option->placeholder, text, guess);
    return sb_fail(SB_E_USAGE, "%s: %s wants %s, not '%.128s'%s", sb_usage_name(command, who), option->name, wanted,
                   text, guess);
}

sb_status sb_usage_wanted(const sb_command *command, const char *name, const char *wanted, const char *text)
{
    char who[SB_USAGE_NAME];
    return sb_fail(SB_E_USAGE, "%s: %s wants %s, not '%.128s'", sb_usage_name(command, who), name, wanted, text);
}

sb_status sb_usage_no_value(const sb_command *command, const sb_option *option)
{
    char who[SB_USAGE_NAME];
    return sb_fail(SB_E_USAGE, "%s: %s wants a value", sb_usage_name(command, who), option->name);
}

sb_status sb_usage_twice(const sb_command *command, const sb_option *option)
{
    char who[SB_USAGE_NAME];
    return sb_fail(SB_E_USAGE, "%s: %s is given twice; give it once", sb_usage_name(command, who), option->name);
}

sb_status sb_usage_no_flag(const sb_command *command, const sb_option *option)
{
    char who[SB_USAGE_NAME];
    return sb_fail(SB_E_USAGE, "%s: %s takes no value", sb_usage_name(command, who), option->name);
}

sb_status sb_usage_unexpected(const sb_command *command, const char *word)
{
    char who[SB_USAGE_NAME];
    sb_usage_name(command, who);
    return sb_fail(SB_E_USAGE, "%s: unexpected argument '%.128s' (see '%s --help')", who, word, who);
}

sb_status sb_usage_wants(const char *who, const char *what)
{
    return sb_fail(SB_E_USAGE, "%s: wants %s (see '%s --help')", who, what, who);
}
