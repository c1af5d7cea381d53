/* Pictures that come into the page from files: drawings do, whatever could act does not. */
#include "support.h"

#include "core/file.h"
#include "paper/page/page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "test_html_svg.svg";

static sb_status inline_picture(const char *content, char **text)
{
    *text = NULL;
    assert_int_equal(sb_file_write(path, content, strlen(content)), SB_OK);
    sb_writer *page = sb_writer_open(&sb_html);
    sb_status status = sb_page_svg(page, path, "p-", "wide", "<label>");
    unlink(path);
    if (status == SB_OK) return sb_writer_close(page, path, text, NULL);
    sb_writer_drop(page);
    return status;
}

static void a_drawing_gets_names_of_its_own(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(
        inline_picture(
            "<?xml version='1.0'?>\n<svg viewBox='0 0 1 1'>\n<title>x<script></title><desc></desc>"
            "<defs><circle id='dot' r='1' fill = '#ff0000'/></defs>"
            "<use xlink:href='#dot'/><g fill=\"url(#dot)\" stroke='a url(#dot)'><text>a &lt;b&gt; &amp; &#8722;"
            "\xC3\xA9</text></g></svg>\n",
            &text),
        SB_OK);
    assert_string_equal(text, "<svg class=\"wide\" role=\"img\" aria-label=\"&lt;label&gt;\" viewBox='0 0 1 1'>\n"
                              "<defs><circle id='p-dot' r='1' fill='#ff0000'/></defs><use href='#p-dot'/>"
                              "<g fill=\"url(#p-dot)\" stroke='a url(#p-dot)'><text>a &lt;b&gt; &amp; &#8722;"
                              "\xC3\xA9</text></g></svg>");
    free(text);
}

static void points_keep_their_words_and_colours_go(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(
        inline_picture("<svg viewBox='0 0 1 1'><style>@media (prefers-color-scheme:dark){\n[fill=\"#000000\"]"
                       "{fill:#ffffff}\n}</style><title>gnuplot</title>"
                       "<g class=\"tip\"><title>seed 1: 2 &amp; 3</title><use href='#dot'/></g>"
                       "<g class='x'><title>no</title></g></svg>",
                       &text),
        SB_OK);
    assert_string_equal(text, "<svg class=\"wide\" role=\"group\" aria-label=\"&lt;label&gt;\" viewBox='0 0 1 1'>"
                              "<g role=\"img\" class=\"tip\"><title>seed 1: 2 &amp; 3</title><use href='#p-dot'/></g>"
                              "<g class='x'></g></svg>");
    free(text);
}

static void nothing_else_comes_in(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "<html>",
        "<svg",
        "<svg>",
        "<svg><g></svg>",
        "<svg></g></svg>",
        "<svg><script>alert(1)</script></svg>",
        "<svg><SCRIPT/></svg>",
        "<svg><style>*{}</style></svg>",
        "<svg><g class=\"tip\"><title>a<script>alert(1)</script></title></g></svg>",
        "<svg><g class=\"tip\"><title>a &evil; b</title></g></svg>",
        "<svg><a href='#x'/></svg>",
        "<svg><image href='#x'/></svg>",
        "<svg><foreignObject/></svg>",
        "<svg><animate/></svg>",
        "<svg><filter/></svg>",
        "<svg><g filter='url(#x)'/></svg>",
        "<svg><set/></svg>",
        "<svg onload='alert(1)'></svg>",
        "<svg><g onclick='x'/></svg>",
        "<svg><g style='x'/></svg>",
        "<svg><use href='http://x/'/></svg>",
        "<svg><use href='javascript:alert(1)'/></svg>",
        "<svg><use xlink:href=' #x'/></svg>",
        "<svg><g fill='url(http://x/)'/></svg>",
        "<svg><g fill='URL'/><g fill=x/></svg>",
        "<svg><g fill='<'/></svg>",
        "<svg><g fill='&x;'/></svg>",
        "<svg><g fill='a/></svg>",
        "<svg><g fill/></svg>",
        "<svg><g / ></svg>",
        "<svg><!-- --></svg>",
        "<svg><![CDATA[<b>]]></svg>",
        "<svg><?xml?></svg>",
        "<svg><text>&nbsp;</text></svg>",
        "<svg><text>a & b</text></svg>",
        "<svg><text>&#x3c;</text></svg>",
        "<svg><title><script></svg>",
        "<svg></svg><script>alert(1)</script>",
        "<svg></svg>alert",
        "<svg><text>\x01</text></svg>",
        "<svg><text>\xC0\xBC</text></svg>",
        "<svg><text>\xFF</text></svg>",
        "<svg><aVeryLongNameOfAnElementThatNobodyKnows/></svg>",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text;
        if (inline_picture(bad[i], &text) != SB_E_INTEGRITY) fail_msg("taken: %s", bad[i]);
        assert_non_null(strstr(sb_message(), "test_html_svg.svg: not a picture in SVG"));
    }
}

static void depth_has_an_end(void **state)
{
    (void)state;
    char deep[1024] = "<svg>", *text;
    for (int i = 0; i < 64; i++) strcat(deep, "<g>");
    assert_int_equal(inline_picture(deep, &text), SB_E_INTEGRITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drawing_gets_names_of_its_own),
        cmocka_unit_test(points_keep_their_words_and_colours_go),
        cmocka_unit_test(nothing_else_comes_in),
        cmocka_unit_test(depth_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
