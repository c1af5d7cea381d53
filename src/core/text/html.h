/* The language of HTML for sb_writer (core/text/writer.h): a %s is a text, between tags or between the quotes of an
 * attribute. */
#pragma once

#include "core/text/writer.h"

extern const sb_language sb_html;
