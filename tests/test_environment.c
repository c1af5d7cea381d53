/* What is recorded of the environment: variables by their exact names, and nothing that says whose machine it is. */
#include "support.h"

#include "core/machine/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void set(const char *name, const char *value)
{
    assert_int_equal(setenv(name, value, 1), 0);
}

static void every_variable_of_the_table_and_no_other(void **state)
{
    (void)state;
    static sb_facts facts;
    char *nothing[] = {NULL};
    environ = nothing;
    facts.n = 0;
    sb_environment_facts(&facts);
    assert_int_equal(facts.n, 0);
    for (size_t i = 0; i < sb_n_variables; i++) {
        char name[sizeof facts.fact[0].name];
        assert_true(*sb_variables[i].reason);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(sb_variables[i].name, sb_variables[k].name);
        set(sb_variables[i].name, "a=1:b");
        facts.n = 0;
        sb_environment_facts(&facts);
        assert_int_equal(facts.n, i + 1);
        assert_true(snprintf(name, sizeof name, "env_%s", sb_variables[i].name) < (int)sizeof name);
        assert_string_equal(sb_facts_find(&facts, name), "a=1:b");
    }
    assert_true(facts.n < SB_FACTS_MAX / 2);
    static const char *const others[] = {"NVIDIA_API_KEY", "SAMEBITS_TOKEN", "CUDA_HOME",  "CUDA_VISIBLE_DEVICES_X",
                                         "OMP_",           "OPENBLAS_KEY",   "CUDNN_PATH", "CUBLAS_LOGDEST_DBG"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) set(others[i], "secret");
    facts.n = 0;
    sb_environment_facts(&facts);
    assert_int_equal(facts.n, sb_n_variables);
}

static void values_hold_no_path(void **state)
{
    (void)state;
    static sb_facts facts;
    char *nothing[] = {NULL};
    environ = nothing;
    set("SAMEBITS_CUDNN", "/home/anna/lib/libcudnn.so.9");
    set("OMP_PLACES", "{0:4}\n\x1B[2J\xFF");
    facts.n = 0;
    sb_environment_facts(&facts);
    assert_string_equal(sb_facts_find(&facts, "env_SAMEBITS_CUDNN"), "libcudnn.so.9");
    assert_string_equal(sb_facts_find(&facts, "env_OMP_PLACES"), "{0:4} \xEF\xBF\xBD[2J\xEF\xBF\xBD");
}

static void home_is_hidden(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"/home/anna", "~"},
        {"/home/anna/x /home/anna/y", "~/x ~/y"},
        {"-I/home/anna/x=.", "-I~/x=."},
        {"-I/data/anna/x", "-I/data/~/x"},
        {"'/home/anna': no", "'~': no"},
        {"file:///home/anna/x", "file://~/x"},
        {"/home/annabel/x", "/home/annabel/x"},
        {"/data/home/anna/x", "/data/home/~/x"},
        {"/data/anna/anna/x", "/data/~/~/x"},
        {"/data/anna", "/data/~"},
        {"/data/susanna/anna.h5", "/data/susanna/anna.h5"},
        {"anna/x of anna", "anna/x of anna"},
        {"a/anna/x", "a/anna/x"},
        {"", ""},
    };
    set("HOME", "/home/anna/");
    set("USER", "anna");
    unsetenv("LOGNAME");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        strcpy(text, cases[i].text);
        sb_home_hide(text);
        assert_string_equal(text, cases[i].wanted);
    }
    static const char *const homes[] = {"", "/", "anna", "//"};
    unsetenv("USER");
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        char text[] = "/home/anna/x";
        set("HOME", homes[i]);
        sb_home_hide(text);
        assert_string_equal(text, "/home/anna/x");
    }
}

static void facts_are_for_others(void **state)
{
    (void)state;
    static sb_facts facts;
    set("HOME", "/home/anna");
    sb_facts_add(&facts, "flags", "%s", "-O3 -I/home/anna/include");
    assert_string_equal(sb_facts_find(&facts, "flags"), "-O3 -I~/include");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variable_of_the_table_and_no_other),
        cmocka_unit_test(values_hold_no_path),
        cmocka_unit_test(home_is_hidden),
        cmocka_unit_test(facts_are_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
