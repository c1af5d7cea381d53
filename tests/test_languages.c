/* What each language of a document makes of texts of others: nothing in them means anything there. */
#include "support.h"

#include "core/text/csv.h"
#include "core/text/writer.h"
#include "paper/compare/compare.h"
#include "paper/figures/style.h"
#include "paper/files/latex.h"
#include "paper/page/page.h"

#include <stdlib.h>

static void assert_written(const sb_language *language, const char *text, const char *wanted)
{
    char *document;
    sb_writer *writer = sb_writer_open(language);
    sb_write(writer, "%s", text);
    assert_int_equal(sb_writer_close(writer, "it", &document, NULL), SB_OK);
    assert_string_equal(document, wanted);
    free(document);
}

static void html(void **state)
{
    (void)state;
    assert_written(&sb_html, "</p><script>&amp;\"'\n", "&lt;/p&gt;&lt;script&gt;&amp;amp;&quot;&#39;\n");
}

static void gnuplot(void **state)
{
    (void)state;
    char *document;
    assert_written(&sb_gnuplot, "a b-c_D9", "a_b-c_D9");
    assert_written(&sb_gnuplot, "`id`; !id\n@x \"$(id)\"", "_id____id__x____id__");
    sb_writer *script = sb_writer_open(&sb_gnuplot);
    sb_write(script, "set label '%s' font '%s'", "it's `id` \\", "\n'; !id");
    sb_style_text(script, "a, b'\nc, ");
    sb_style_words(script, "a \"`id`\" 5 %");
    assert_int_equal(sb_writer_close(script, "it", &document, NULL), SB_OK);
    assert_string_equal(document, "set label 'it''s `id` \\' font ' ''; !id''a, b'''.\"\\n\".'c, '\"a __id__ 5 %\"");
    free(document);
}

static void latex(void **state)
{
    (void)state;
    assert_written(&sb_latex, "\\input{x} #$%&_~^<>|\"",
                   "$\\backslash$input$\\{$x$\\}$ \\#$\\mathdollar$\\%\\&\\_$\\sim$\\^{}$<${}$>$$|$''");
    assert_written(&sb_latex, "[2ex] *", "{[}2ex{]} {*}");                       /* behind a line of a table */
    assert_written(&sb_latex, "a--b ---- ?` ``", "a-{}-b -{}-{}-{}- ?{}` `{}`"); /* no other signs out of two */
    assert_written(&sb_latex, "a\nb", "a b");
    assert_written(&sb_latex, "\xC3\xA9 \xE2\x89\xA4 \xE6\xBC\xA2 \xC3\x90", "\xC3\xA9 $\\le$ [U+6F22] [U+00D0]");
    assert_written(&sb_latex, "\xFF", "[U+FFFD]");
    assert_written(&sb_latex, "cpus.native.shared-over-copy/9", "cpus.native.shared-over-copy/9"); /* a macro's name */
}

static void csv(void **state)
{
    (void)state;
    assert_written(&sb_csv, "plain text", "plain text");
    assert_written(&sb_csv, "a,b", "\"a,b\"");
    assert_written(&sb_csv, "a\"b\nc\x01", "\"a\"\"b c\xEF\xBF\xBD\"");
}

static void markdown(void **state)
{
    (void)state;
    assert_written(&sb_markdown, "a|b`c`<i>[x](y) 1.4 [1.3, 1.5]\n*_~",
                   "a\\|b\\`c\\`\\<i\\>[x]\\(y) 1.4 [1.3, 1.5] \\*\\_\\~");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html), cmocka_unit_test(gnuplot),  cmocka_unit_test(latex),
        cmocka_unit_test(csv),  cmocka_unit_test(markdown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
