/* The option table: every kind of value, its range, and the sentence for each kind of misuse. */
#include "support.h"

#include "core/command/options.h"

#include <string.h>

typedef struct values {
    const char *model, *output;
    long updates;
    double rate;
    bool quiet;
    sb_size size;
    sb_list channels;
    sb_texts names;
    double decay;
    sb_reals knots;
} values;

static const sb_option options[] = {
    SB_OPTION_CHOICE(values, model, "--model", "prednet|autoencoder", "prednet", "network"),
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", NULL, "run file"),
    SB_OPTION_INT(values, updates, "--updates", "N", "250", 1, 1000, "optimizer steps"),
    SB_OPTION_REAL(values, rate, "--lr", "RATE", "0.001", 0, 1, "learning rate"),
    SB_OPTION_FLAG(values, quiet, "--quiet", "no progress line"),
    SB_OPTION_SIZE(values, size, "--size", "160x120", 1, 4096, "frame size"),
    SB_OPTION_LIST(values, channels, "--channels", "3,48,96,192", 1, 4096, "channels"),
    SB_OPTION_TEXTS_LETTER(values, names, "--name", 'n', "FILTER", "cells to take; may be given again"),
    SB_OPTION_REAL(values, decay, "--decay", "RATE", SB_OPTION_AUTO, 0, 1, "what the optimizer has"),
    {"--knots", 0, SB_KIND_REALS, offsetof(values, knots), "T,T,...", NULL, 0, 100, "epochs"},
    SB_OPTION_END,
};
static const sb_command command = {.program = "samebits",
                                   .verb = "train",
                                   .summary = "train a network",
                                   .arguments = "DATA",
                                   .options = options,
                                   .values_bytes = sizeof(values),
                                   .max_arguments = 1};

static sb_status parse(values *v, sb_arguments *arguments, int argc, char **argv)
{
    bool help;
    *v = (values){0};
    return sb_options_parse(&command, argc, argv, v, arguments, &help);
}
#define PARSE(v, arguments, ...)                                                                                       \
    parse(v, arguments, (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]){__VA_ARGS__})

static void defaults_are_set(void **state)
{
    (void)state;
    values v;
    sb_arguments arguments;
    assert_int_equal(parse(&v, &arguments, 0, NULL), SB_OK);
    assert_string_equal(v.model, "prednet");
    assert_null(v.output);
    assert_int_equal(v.updates, 250);
    assert_true(v.rate == 0.001 && !v.quiet && v.size.w == 160 && v.size.h == 120);
    assert_int_equal(v.channels.n, 4);
    assert_int_equal(v.channels.item[3], 192);
}

static void both_spellings_and_letters(void **state)
{
    (void)state;
    values v;
    sb_arguments arguments;
    assert_int_equal(PARSE(&v, &arguments, "--updates=7", "-o", "run.h5", "data.h5", "--lr", "0.5"), SB_OK);
    assert_int_equal(v.updates, 7);
    assert_string_equal(v.output, "run.h5");
    assert_true(v.rate == 0.5);
    assert_int_equal(arguments.n, 1);
    assert_string_equal(arguments.item[0], "data.h5");
    assert_int_equal(PARSE(&v, &arguments, "--", "--updates"), SB_OK);
    assert_string_equal(arguments.item[0], "--updates");
}

static void misuse_is_one_sentence(void **state)
{
    (void)state;
    values v;
    sb_arguments arguments;
    struct {
        char *word, *value;
        const char *sentence;
    } cases[] = {
        {"--lr", "2", "samebits train: --lr wants a number in [0, 1], not '2'"},
        {"--lr", "nan", "samebits train: --lr wants a number in [0, 1], not 'nan'"},
        {"--lr", "0x1p-3", "samebits train: --lr wants a number in [0, 1], not '0x1p-3'"},
        {"--lr", "0.5x", "samebits train: --lr wants a number in [0, 1], not '0.5x'"},
        {"--lr", " 0.5", "samebits train: --lr wants a number in [0, 1], not ' 0.5'"},
        {"--lr", "1e-400", "samebits train: --lr wants a number in [0, 1], not '1e-400'"},
        {"--knots", "1,0x2", "samebits train: --knots wants at most 16 numbers in [0, 100] with commas, not '1,0x2'"},
        {"--updates", "12x", "samebits train: --updates wants a whole number in [1, 1000], not '12x'"},
        {"--updates", "0", "samebits train: --updates wants a whole number in [1, 1000], not '0'"},
        {"--model", "pred",
         "samebits train: --model wants one of prednet|autoencoder, not 'pred', did you mean 'prednet'?"},
        {"--model", "lstm", "samebits train: --model wants one of prednet|autoencoder, not 'lstm'"},
        {"--model", "prednet|autoencoder",
         "samebits train: --model wants one of prednet|autoencoder, not 'prednet|autoencoder'"},
        {"--size", "160", "samebits train: --size wants WIDTHxHEIGHT, each in [1, 4096], not '160'"},
        {"--channels", "3,,4",
         "samebits train: --channels wants at most 16 whole numbers in [1, 4096] with commas, not '3,,4'"},
        {"--decay", "2", "samebits train: --decay wants a number in [0, 1] or auto, not '2'"},
        {"--lr", "auto", "samebits train: --lr wants a number in [0, 1], not 'auto'"},
        {"--knots", "0,,1", "samebits train: --knots wants at most 16 numbers in [0, 100] with commas, not '0,,1'"},
        {"--knots", "1,101", "samebits train: --knots wants at most 16 numbers in [0, 100] with commas, not '1,101'"},
        {"--knots", "0,", "samebits train: --knots wants at most 16 numbers in [0, 100] with commas, not '0,'"},
        {"--qiet", "x",
         "samebits train: unknown option '--qiet', did you mean '--quiet'? (see 'samebits train --help')"},
        {"--verbose", "x", "samebits train: unknown option '--verbose' (see 'samebits train --help')"},
        {"--updaets=7", "x",
         "samebits train: unknown option '--updaets', did you mean '--updates'? (see 'samebits train --help')"},
        {"--quiet=yes", "x", "samebits train: --quiet takes no value"},
        {"-o", "", "samebits train: --output wants a path, not ''"},
        {"--output=", "x", "samebits train: --output wants a path, not ''"},
        {"a", "b", "samebits train: unexpected argument 'b' (see 'samebits train --help')"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(PARSE(&v, &arguments, cases[i].word, cases[i].value), SB_E_USAGE);
        assert_string_equal(sb_message(), cases[i].sentence);
    }
    assert_int_equal(PARSE(&v, &arguments, "--updates"), SB_E_USAGE);
    assert_string_equal(sb_message(), "samebits train: --updates wants a value");
}

static void an_option_may_be_given_several_times(void **state)
{
    (void)state;
    values v;
    sb_arguments arguments;
    assert_int_equal(PARSE(&v, &arguments, "-n", "a", "--name=b", "--updates", "7", "-n", "c"), SB_OK);
    assert_int_equal(v.names.n, 3);
    assert_string_equal(v.names.item[1], "b");
    assert_string_equal(v.names.item[2], "c");
    assert_int_equal(PARSE(&v, &arguments, "--name", ""), SB_OK); /* an empty text; only a path may not be one */
    char *many[2 * SB_OPTION_LIST_MAX + 2];
    for (int i = 0; i < SB_OPTION_LIST_MAX + 1; i++) {
        many[2 * i] = "-n";
        many[2 * i + 1] = "x";
    }
    assert_int_equal(parse(&v, &arguments, 2 * SB_OPTION_LIST_MAX + 2, many), SB_E_USAGE);
    assert_string_equal(sb_message(), "samebits train: --name wants at most 16 values, not 'x'");
}

static void text_is_what_one_would_type(void **state)
{
    (void)state;
    values v;
    sb_arguments arguments;
    char text[64];
    assert_int_equal(PARSE(&v, &arguments, "--channels", "3,8,16,32", "--size", "48x32", "-n", "a", "-n", "b",
                           "--knots", "0,2.5,18"),
                     SB_OK);
    const char *wanted[] = {"prednet", "", "250", "0.001", "no", "48x32", "3,8,16,32", "a b", "auto", "0,2.5,18"};
    for (int i = 0; options[i].name; i++) {
        sb_option_text(&options[i], &v, text, sizeof text);
        if (i != 3) assert_string_equal(text, wanted[i]);
    }
    char *seventeen[] = {"--knots", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"};
    assert_int_equal(parse(&v, &arguments, 2, seventeen), SB_E_USAGE);
    assert_int_equal(PARSE(&v, &arguments, "--knots=3", "--decay=0.5"), SB_OK);
    assert_true(v.knots.n == 1 && v.knots.item[0] == 3 && v.decay == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_set),
        cmocka_unit_test(both_spellings_and_letters),
        cmocka_unit_test(misuse_is_one_sentence),
        cmocka_unit_test(an_option_may_be_given_several_times),
        cmocka_unit_test(text_is_what_one_would_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
