/* One table per verb drives parsing, help, shown defaults, checked ranges, and the attributes of the run's log.
 *
 *     typedef struct train_options { const char *model, *output; long updates; bool quiet; } train_options;
 *     static const sb_option options[] = {
 *         SB_OPTION_CHOICE(train_options, model, "--model", "prednet|autoencoder", "prednet", "network to train"),
 *         SB_OPTION_NEEDED(train_options, output, "--output", 'o', "FILE", "run file"),
 *         SB_OPTION_INT(train_options, updates, "--updates", "N", "250", 1, 1e9, "optimizer steps"),
 *         SB_OPTION_FLAG(train_options, quiet, "--quiet", "no progress line"),
 *         SB_OPTION_END,
 *     };
 *     const sb_command sb_verb_train = {
 *         .program = "samebits",
 *         .verb = "train",
 *         .summary = "train a network",
 *         .options = options,
 *         .values_bytes = sizeof(train_options),
 *         .run = train,
 *     };
 *
 * core/command/program.h finds the command, parses and calls `run`. Values may be written `--lr 0.1` or `--lr=0.1`;
 * `--` ends the options. Misuse gives SB_E_USAGE and one sentence (core/command/usage.h).
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { SB_OPTION_LIST_MAX = 16 };

/* The default of an option that depends on others: the word for a choice that has no such word of its own, NaN, the
 * least whole number or an empty list in the field, until who knows the others fills it in. */
#define SB_OPTION_AUTO "auto"

typedef struct sb_size { /* WxH in pixels */
    int w, h;
} sb_size;

typedef struct sb_list { /* a,b,c */
    int n;
    int item[SB_OPTION_LIST_MAX];
} sb_list;

typedef struct sb_reals { /* a,b,c */
    int n;
    double item[SB_OPTION_LIST_MAX];
} sb_reals;

typedef struct sb_texts { /* the values of an option that may be given several times */
    int n;
    const char *item[SB_OPTION_LIST_MAX];
} sb_texts;

typedef enum sb_option_kind {
    SB_KIND_TEXT,   /* const char *: points into argv or at the default */
    SB_KIND_TEXTS,  /* sb_texts: each use of the option adds one */
    SB_KIND_CHOICE, /* const char *: one of the words of `choices`, separated by | */
    SB_KIND_INT,    /* long, in [min, max] */
    SB_KIND_REAL,   /* double, in [min, max] */
    SB_KIND_FLAG,   /* bool, no value */
    SB_KIND_SIZE,   /* sb_size, each side in [min, max] */
    SB_KIND_LIST,   /* sb_list, each item in [min, max] */
    SB_KIND_REALS,  /* sb_reals, each item in [min, max] */
} sb_option_kind;

typedef struct sb_option {
    const char *name; /* "--updates"; NULL ends the table */
    char letter;      /* 'o' for -o; 0 for none */
    sb_option_kind kind;
    size_t offset;           /* of the field in the verb's struct */
    const char *placeholder; /* what help shows for the value; for SB_KIND_CHOICE the words themselves */
    const char *fallback;    /* default as text; NULL: none (text NULL, numbers 0) */
    double min, max;
    const char *help; /* one line, lower case */
    bool is_needed;   /* the command makes no sense without it */
    size_t typed;     /* offset of a bool that becomes true where the option was typed; 0: there is none */
    bool has_lines;   /* its value may hold line ends and tabs */
} sb_option;

#define SB_OPTION_ROW(...)                                                                                             \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define SB_OPTION_TEXT(type, field, name, placeholder, fallback, help)                                                 \
    SB_OPTION_ROW(name, 0, SB_KIND_TEXT, offsetof(type, field), placeholder, fallback, 0, 0, help)
#define SB_OPTION_TEXT_LETTER(type, field, name, letter, placeholder, fallback, help)                                  \
    SB_OPTION_ROW(name, letter, SB_KIND_TEXT, offsetof(type, field), placeholder, fallback, 0, 0, help)
#define SB_OPTION_NEEDED(type, field, name, letter, placeholder, help)                                                 \
    SB_OPTION_ROW(name, letter, SB_KIND_TEXT, offsetof(type, field), placeholder, NULL, 0, 0, help, true)
/* A text of several lines. */
#define SB_OPTION_LINES(type, field, name, placeholder, fallback, help)                                                \
    SB_OPTION_ROW(name, 0, SB_KIND_TEXT, offsetof(type, field), placeholder, fallback, 0, 0, help, false, 0, true)
#define SB_OPTION_TEXTS_LETTER(type, field, name, letter, placeholder, help)                                           \
    SB_OPTION_ROW(name, letter, SB_KIND_TEXTS, offsetof(type, field), placeholder, NULL, 0, 0, help)
#define SB_OPTION_CHOICE(type, field, name, words, fallback, help)                                                     \
    SB_OPTION_ROW(name, 0, SB_KIND_CHOICE, offsetof(type, field), words, fallback, 0, 0, help)
/* A default that has a name, SB_OPTION_NUMBER(SB_PATIENCE), as the text that a row wants. */
#define SB_OPTION_NUMBER(name)   SB_OPTION_DIGITS(name)
#define SB_OPTION_DIGITS(number) #number
#define SB_OPTION_INT(type, field, name, placeholder, fallback, min, max, help)                                        \
    SB_OPTION_ROW(name, 0, SB_KIND_INT, offsetof(type, field), placeholder, fallback, min, max, help)
#define SB_OPTION_INT_LETTER(type, field, name, letter, placeholder, fallback, min, max, help)                         \
    SB_OPTION_ROW(name, letter, SB_KIND_INT, offsetof(type, field), placeholder, fallback, min, max, help)
#define SB_OPTION_REAL(type, field, name, placeholder, fallback, min, max, help)                                       \
    SB_OPTION_ROW(name, 0, SB_KIND_REAL, offsetof(type, field), placeholder, fallback, min, max, help)
#define SB_OPTION_FLAG(type, field, name, help)                                                                        \
    SB_OPTION_ROW(name, 0, SB_KIND_FLAG, offsetof(type, field), NULL, NULL, 0, 0, help)
#define SB_OPTION_SIZE(type, field, name, fallback, min, max, help)                                                    \
    SB_OPTION_ROW(name, 0, SB_KIND_SIZE, offsetof(type, field), "WxH", fallback, min, max, help)
#define SB_OPTION_LIST(type, field, name, fallback, min, max, help)                                                    \
    SB_OPTION_ROW(name, 0, SB_KIND_LIST, offsetof(type, field), "N,N,...", fallback, min, max, help)
/* Of every verb that has sb_command.json; its struct has a field `bool json`. */
#define SB_OPTION_JSON(type) SB_OPTION_FLAG(type, json, "--json", "print one JSON document (docs/json.md)")
#define SB_OPTION_END        SB_OPTION_ROW(0)

typedef struct sb_arguments { /* the plain arguments, in order; they point into argv */
    int n;
    const char *item[64];
} sb_arguments;

typedef struct sb_command sb_command;
typedef struct sb_json_key sb_json_key; /* core/text/json.h */

typedef struct sb_call { /* what the command line asks of a command */
    const sb_command *command;
    void *values; /* the command's own struct, filled; it is gone when run returns */
    sb_arguments arguments;
    char **argv; /* the whole command line, for a process that has to start itself again */
} sb_call;

typedef struct sb_refused { /* an option of another verb, and what a user who types it here wants to know */
    const char *name, *why;
} sb_refused;

struct sb_command {
    const char *program;      /* "samebits" */
    const char *verb;         /* "train", "synth walk"; "" for a program without verbs */
    const char *summary;      /* one line, for the list of verbs */
    const char *arguments;    /* what help shows for the plain arguments: "A.h5 B.h5"; NULL: it takes none */
    const sb_option *options; /* NULL: it has none */
    size_t values_bytes;      /* of the struct that the options are fields of */
    int min_arguments, max_arguments;
    const char *epilogue;      /* details, examples, exit codes; may be NULL */
    const sb_refused *refused; /* ended by a row without a name; may be NULL */
    const sb_json_key *json;   /* the keys of --json; NULL: the verb has no such option */
    sb_status (*run)(const sb_call *call);
    bool once; /* an option with one value is refused when it is given twice; else the last value counts */
};

/* A text whose placeholder begins with FILE, DIR, FOLDER or RUN.h5 is a path, which cannot be empty.
 * Fill `values` (the verb's struct) with defaults, then with argv[0 .. argc-1], which starts after the verb. `-h` and
 * `--help` print the help to stdout and set *help; nothing else is checked then. */
sb_status sb_options_parse(const sb_command *command, int argc, char **argv, void *values, sb_arguments *arguments,
                           bool *help);

/* Give one row of an option table a value that does not come from a command line but must be one that could: false, and
 * the value is undefined, unless it is in the option's range. text must outlive values where the option is a text. */
bool sb_option_set(const sb_option *option, const char *text, void *values);

void sb_options_help(const sb_command *command, FILE *out);

/* The value of one option as text, the way it would be typed; written into `text`. */
void sb_option_text(const sb_option *option, const void *values, char *text, size_t size);

/* Is it a real number whose default depends on other options? */
bool sb_option_is_auto(const sb_option *option);

/* Is the value of such an option still to be filled in? */
bool sb_option_has_auto(const sb_option *option, const void *values);

/* Is text one of the words, "prednet|autoencoder"? */
bool sb_option_is_choice(const char *words, const char *text);

/* Whole numbers and reals the strict way: the whole text must be one, in decimal, inside [min, max]. A real that is not 0
 * as text must not be 0 as a number. */
bool sb_parse_int(const char *text, double min, double max, long *value);
bool sb_parse_real(const char *text, double min, double max, double *value);

/* Has the text no character that a decimal number cannot have? strtod alone also reads "0x10", "inf" and " 1". */
bool sb_is_decimal(const char *text);
