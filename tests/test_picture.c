/* What becomes of gnuplot's pictures. */
#include "support.h"

#include "core/file.h"
#include "paper/figures/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "test_picture.svg", part[] = "test_picture.svg.part";

static sb_status finish(const char *content, char **text)
{
    *text = NULL;
    assert_int_equal(sb_file_write(part, content, strlen(content)), SB_OK);
    sb_status status = sb_picture_finish(path);
    if (status == SB_OK) assert_int_equal(sb_file_read(part, text, NULL), SB_OK);
    unlink(part);
    return status;
}

static void a_picture_follows_the_scheme(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(finish("<svg>\n<title>Gnuplot</title><desc>x</desc><filter id='greybox'><feFlood/></filter>"
                            "<rect fill=\"#ffffff\"/><path stroke='rgb(  0, 114, 178)' fill = 'none'/>"
                            "<g color=\"black\" stroke=\"currentColor\"><text> 1 fill=me</text></g></svg>\n",
                            &text),
                     SB_OK);
    assert_non_null(
        strstr(text, "<svg>\n<style>@media (prefers-color-scheme:dark){\n[fill=\"#ffffff\"]{fill:#16181a}\n"));
    assert_non_null(strstr(text, "[stroke=\"#0072b2\"]{stroke:#56b4e9}\n"));
    assert_non_null(strstr(text, "}</style>\n<rect fill=\"#ffffff\"/><path stroke='#0072b2' fill = 'none'/>"
                                 "<g color=\"#000000\" stroke=\"currentColor\"><text> 1 fill=me</text></g></svg>\n"));
    assert_null(strstr(text, "Gnuplot"));
    free(text);
}

static void a_point_keeps_its_words(void **state)
{
    (void)state;
    char *text;
    static const char begin[] = "<svg><g onmousemove=\"gnuplot_svg.showHypertext(evt,'";
    static const char end[] = "')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>\n<use/></g></svg>";
    char content[512];
    snprintf(content, sizeof content, "%s%s%s", begin, "seed 3: 1.83 = 2/1.1; runs 0a over 0b", end);
    assert_int_equal(finish(content, &text), SB_OK);
    assert_string_equal(text,
                        "<svg><g class=\"tip\"><title>seed 3: 1.83 = 2/1.1; runs 0a over 0b</title>\n<use/></g></svg>");
    free(text);
    static const char *const bad[] = {"a');alert(1)//", "a<b", "a\"b", "a&quot;b", "a\\nb"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(content, sizeof content, "%s%s%s", begin, bad[i], end);
        assert_int_equal(finish(content, &text), SB_E_INTEGRITY);
    }
}

static void a_colour_without_a_twin_is_refused(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(finish("<svg><path stroke='rgb(148,   0, 211)'/></svg>", &text), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "#9400d3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_follows_the_scheme),
        cmocka_unit_test(a_point_keeps_its_words),
        cmocka_unit_test(a_colour_without_a_twin_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
