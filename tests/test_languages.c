/* What each language of a document makes of texts of others: nothing in them means anything there. */
#include "support.h"

#include "core/writer.h"
#include "paper/html_parts.h"
#include "paper/style.h"

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
    sb_style_text(script, "a, b'\nc, ", false);
    sb_style_text(script, "a, b'\nc, ", true);
    assert_int_equal(sb_writer_close(script, "it", &document, NULL), SB_OK);
    assert_string_equal(document, "set label 'it''s `id` \\' font ' ''; !id''a, b'''.\"\\n\".'c, '"
                                  "'a'.\"\\n\".'b'''.\"\\n\".'c'.\"\\n\".''");
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html),
        cmocka_unit_test(gnuplot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
