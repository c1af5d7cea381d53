#include "core/command/manual.h"

#include "core/command/nearest.h"
#include "core/command/usage.h"
#include "core/machine/version.h"
#include "core/text/json.h"

#include <ctype.h>
#include <string.h>

/* ---- the manual page ---- */

/* Text of a manual page: '\' and '-' have meanings of their own, '.' and ''' at the start of a line, too. */
static void write_roff(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'') fputs("\\&", out);
    for (const char *c = text; *c; c++) {
        if (*c == '\\')
            fputs("\\e", out);
        else if (*c == '-')
            fputs("\\-", out);
        else if (*c == '|')
            fputs("|\\:", out); /* a long list of words may go on in the next line */
        else
            fputc(*c, out);
        if (*c == '\n' && (c[1] == '.' || c[1] == '\'')) fputs("\\&", out);
    }
}

static void write_upper(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '-') fputc('\\', out);
        fputc(toupper((unsigned char)*c), out);
    }
}

/* Range and default, as --help has them. */
static void write_limits(FILE *out, const sb_option *option)
{
    const bool is_number = option->kind == SB_KIND_INT || option->kind == SB_KIND_REAL;
    if (is_number && option->max < 1e9) fprintf(out, "; from %g to %g", option->min, option->max);
    if (option->fallback && *option->fallback) {
        fputs("; default ", out);
        write_roff(out, option->fallback);
    }
    if (option->is_needed) fputs("; needed", out);
}

static void write_man_option(FILE *out, const sb_option *option)
{
    fputs(".TP\n", out);
    if (option->letter) fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB", out);
    write_roff(out, option->name);
    fputs("\\fR", out);
    if (option->placeholder && option->kind != SB_KIND_FLAG) {
        fputs(" \\fI", out);
        write_roff(out, option->placeholder);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    write_roff(out, option->help);
    write_limits(out, option);
    fputs(".\n", out);
}

static void write_man_verb(FILE *out, const sb_command *command)
{
    fprintf(out, ".SS %s %s", command->program, command->verb);
    if (command->options && command->options->name) fputs(" [options]", out);
    if (command->arguments) fprintf(out, " %s", command->arguments);
    fputc('\n', out);
    write_roff(out, command->summary);
    fputs(".\n", out);
    for (const sb_option *option = command->options; option && option->name; option++) write_man_option(out, option);
    if (!command->epilogue) return;
    fputs(".PP\n.nf\n", out);
    write_roff(out, command->epilogue);
    if (command->epilogue[strlen(command->epilogue) - 1] != '\n') fputc('\n', out);
    fputs(".fi\n", out);
}

static void write_man(const sb_program *program, FILE *out)
{
    fputs(".TH ", out);
    write_upper(out, program->name);
    fprintf(out, " 1 \"" SB_RELEASED "\" \"samebits %s\" \"User Commands\"\n.ad l\n.SH NAME\n", sb_version());
    write_roff(out, program->name);
    fputs(" \\- ", out);
    write_roff(out, program->summary);
    fputs("\n.SH SYNOPSIS\n\\fB", out);
    write_roff(out, program->name);
    fputs("\\fR \\fIverb\\fR [\\fIoptions\\fR]\n.SH VERBS\n", out);
    for (const sb_command *const *at = program->commands; *at; at++) write_man_verb(out, *at);
    fputs(".SH EXIT STATUS\n.nf\n", out);
    write_roff(out, sb_program_exit_codes);
    fputs(".fi\n.SH SEE ALSO\nThe manuals in docs/ of the sources.\n", out);
}

/* ---- completion ---- */

/* "image lock" as one word of a case: "image lock"; its first word for the list of verbs. */
static void write_words(FILE *out, const sb_command *command)
{
    for (const sb_option *option = command->options; option && option->name; option++) {
        if (option->letter) fprintf(out, "-%c ", option->letter);
        fprintf(out, "%s ", option->name);
    }
    fputs("--help", out);
}

static void write_choice(FILE *out, const sb_option *option)
{
    for (const char *c = option->placeholder; *c; c++) fputc(*c == '|' ? ' ' : *c, out);
}

/* The first words of all verbs, each once. */
static void write_verbs(FILE *out, const sb_program *program)
{
    const char *last = "";
    size_t last_length = 0;
    for (const sb_command *const *at = program->commands; *at; at++) {
        const size_t length = strcspn((*at)->verb, " ");
        if (length == last_length && strncmp(last, (*at)->verb, length) == 0) continue;
        last = (*at)->verb, last_length = length;
        fprintf(out, "%.*s ", (int)length, last);
    }
    fputs("help", out);
}

/* The second words of the verbs whose first is `group`. */
static void write_seconds(FILE *out, const sb_program *program, const char *group, size_t length)
{
    const char *separator = "";
    for (const sb_command *const *at = program->commands; *at; at++) {
        if (strncmp((*at)->verb, group, length) != 0 || (*at)->verb[length] != ' ') continue;
        fprintf(out, "%s%s", separator, (*at)->verb + length + 1);
        separator = " ";
    }
}

static void write_groups(FILE *out, const sb_program *program)
{
    const char *last = "";
    size_t last_length = 0;
    for (const sb_command *const *at = program->commands; *at; at++) {
        const size_t length = strcspn((*at)->verb, " ");
        if (!(*at)->verb[length] || (length == last_length && strncmp(last, (*at)->verb, length) == 0)) continue;
        last = (*at)->verb, last_length = length;
        fprintf(out, "    %.*s) [ $COMP_CWORD -gt 2 ] || words='", (int)length, last);
        write_seconds(out, program, last, length);
        fputs("' ;;\n", out);
    }
}

/* A function for bash, which zsh runs, too: what stands before the word being typed decides. */
static void write_bash(const sb_program *program, FILE *out)
{
    char function[64];
    snprintf(function, sizeof function, "_%s", program->name);
    for (char *c = function; *c; c++)
        if (*c == '-') *c = '_';
    fprintf(out,
            "# %s: completion, made by '%s help --format bash'\n%s()\n{\n"
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
            "    local verb=${COMP_WORDS[1]} two=\"${COMP_WORDS[1]} ${COMP_WORDS[2]-}\"\n"
            "    COMPREPLY=()\n    if [ $COMP_CWORD -eq 1 ]; then\n        words='",
            program->name, program->name, function);
    write_verbs(out, program);
    fputs("'\n        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n        return\n    fi\n    case $verb in\n",
          out);
    write_groups(out, program);
    fputs("    esac\n    case $two in\n", out);
    for (const sb_command *const *at = program->commands; *at; at++) {
        const bool of_two = strchr((*at)->verb, ' ') != NULL;
        fprintf(out, "    '%s'%s)\n        case $before in\n", (*at)->verb, of_two ? "" : "\\ *");
        for (const sb_option *option = (*at)->options; option && option->name; option++) {
            if (option->kind != SB_KIND_CHOICE) continue;
            fprintf(out, "        %s) words='", option->name);
            write_choice(out, option);
            fputs("' ;;\n", out);
        }
        fputs("        *) case $word in -*) words='", out);
        write_words(out, *at);
        fputs("' ;; esac ;;\n        esac ;;\n", out);
    }
    fprintf(out,
            "    esac\n    if [ -n \"$words\" ]; then\n        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
            "    else\n        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\ncomplete -o filenames -F %s %s\n",
            function, program->name);
}

static void write_zsh(const sb_program *program, FILE *out)
{
    fprintf(out, "#compdef %s\nautoload -U +X bashcompinit && bashcompinit\n", program->name);
    write_bash(program, out);
}

/* A text in single quotes. */
static void write_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (const char *c = text; *c; c++) fputs(*c == '\'' ? "\\'" : *c == '\\' ? "\\\\" : (char[]){*c, 0}, out);
    fputc('\'', out);
}

static void write_fish_option(FILE *out, const sb_command *command, const sb_option *option)
{
    fprintf(out, "complete -c %s -n '__fish_seen_subcommand_from %.*s' -l %s", command->program,
            (int)strcspn(command->verb, " "), command->verb, option->name + 2);
    if (option->letter) fprintf(out, " -s %c", option->letter);
    if (option->kind != SB_KIND_FLAG) fputs(" -r", out);
    if (option->kind == SB_KIND_CHOICE) {
        fputs(" -f -a '", out);
        write_choice(out, option);
        fputc('\'', out);
    }
    fputs(" -d ", out);
    write_quoted(out, option->help);
    fputc('\n', out);
}

static void write_fish(const sb_program *program, FILE *out)
{
    fprintf(out, "# %s: completion, made by '%s help --format fish'\n", program->name, program->name);
    for (const sb_command *const *at = program->commands; *at; at++) {
        const size_t length = strcspn((*at)->verb, " ");
        fprintf(out, "complete -c %s -f -n __fish_use_subcommand -a %.*s -d ", program->name, (int)length, (*at)->verb);
        write_quoted(out, (*at)->summary);
        fputc('\n', out);
        if ((*at)->verb[length])
            fprintf(out, "complete -c %s -f -n '__fish_seen_subcommand_from %.*s' -a %s\n", program->name, (int)length,
                    (*at)->verb, (*at)->verb + length + 1);
        for (const sb_option *option = (*at)->options; option && option->name; option++)
            write_fish_option(out, *at, option);
    }
}

/* ---- by name ---- */

/* ---- the keys of --json ---- */

static void write_keys(const sb_program *program, FILE *out)
{
    for (const sb_command *const *at = program->commands; *at; at++) {
        if (!(*at)->json) continue;
        fprintf(out, "\n### %s %s\n\n| key | kind | what |\n|---|---|---|\n", program->name, (*at)->verb);
        for (const sb_json_key *key = (*at)->json; key->path; key++)
            fprintf(out, "| `%s` | %s | %s |\n", key->path, sb_json_kind_name[key->kind], key->help);
    }
}

sb_status sb_manual_write(const sb_program *program, const char *format, FILE *out)
{
    static const struct {
        const char *name;
        void (*write)(const sb_program *program, FILE *out);
    } formats[] = {
        {"man", write_man}, {"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}, {"keys", write_keys}};
    sb_nearest nearest = sb_nearest_begin(format);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        sb_nearest_offer(&nearest, formats[i].name);
        if (strcmp(formats[i].name, format) != 0) continue;
        formats[i].write(program, out);
        return SB_OK;
    }
    char who[SB_USAGE_NAME], see[SB_USAGE_NAME + 8];
    snprintf(who, sizeof who, "%s help", program->name);
    snprintf(see, sizeof see, "%s --help", program->name);
    return sb_usage_unknown(who, "format", &nearest, see);
}
