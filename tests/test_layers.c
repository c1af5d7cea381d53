/* The list of layers into modules and links: a network of one level, by eye. */
#include "support.h"

#include "paper/figures/network_modules.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "test_layers.csv";

static sb_status read_text(sb_network_modules *layers, const char *rows)
{
    char text[2048];
    snprintf(text, sizeof text,
             "name,kind,inputs,in_channels,out_channels,height,width,kernel,activation,parameters\n%s", rows);
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
    sb_status status = sb_network_modules_read(layers, path);
    unlink(path);
    if (status != SB_OK) sb_network_modules_free(layers);
    return status;
}

static void rows_of_one_name_are_a_module(void **state)
{
    (void)state;
    sb_network_modules l;
    assert_int_equal(read_text(&l, "input,input,,3,3,8,16,,,0\n"
                                   "conv_a12,convolution,input,3,5,8,16,3x3,relu,140\n"
                                   "conv_a12/pooled,pooling,conv_a12,5,5,4,8,2x2,,0\n"
                                   "lstm12/input,convlstm gate,conv_a12/pooled lstm12/h@t-1,10,5,4,8,3x3,sigmoid,7\n"
                                   "lstm12/output,convlstm gate,conv_a12/pooled input@t-1,10,5,4,8,3x3,sigmoid,8\n"
                                   "lstm12/h,convlstm output,lstm12/output,10,5,4,8,,tanh,0\n"
                                   "lstm12/h/upsampled,upsampling,lstm12/h,5,5,8,16,2x2,,0\n"),
                     SB_OK);
    assert_int_equal(l.n_modules, 3);
    const sb_module *conv = &l.module[1], *lstm = &l.module[2];
    assert_string_equal(conv->name, "conv_a12");
    assert_true(conv->pooled && conv->level == 12 && conv->parameters == 140);
    assert_true(conv->channels == 5 && conv->height == 4 && conv->width == 8);
    assert_string_equal(lstm->kind, "convlstm gate");
    assert_int_equal(lstm->parameters, 15);
    assert_true(!lstm->pooled && lstm->height == 4);
    /* input -> conv, conv -> lstm once, the input of the step before -> lstm; lstm's own state is no link. */
    assert_int_equal(l.n_links, 3);
    assert_true(l.link[0].from == 0 && l.link[0].to == 1 && !l.link[0].late);
    assert_true(l.link[1].from == 1 && l.link[1].to == 2 && !l.link[1].late);
    assert_true(l.link[2].from == 0 && l.link[2].to == 2 && l.link[2].late);
    sb_network_modules_free(&l);
}

static void what_makes_no_sense(void **state)
{
    (void)state;
    sb_network_modules l;
    assert_int_equal(read_text(&l, "input,input,,3,3,8,16,,,0\na,dense,b,3,3,1,1,,,0\n"), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "test_layers.csv:3: a reads b, which is no layer"));
    assert_int_equal(read_text(&l, "input,input,,3,3,8,16,,,many\n"), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "test_layers.csv:2: parameters wants a whole number, not 'many'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_one_name_are_a_module),
        cmocka_unit_test(what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
