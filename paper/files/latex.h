/* LaTeX documents: text of others in them, pictures for them, and their way to a PDF. The PDFs of unchanged input
 * repeat to the byte, in any folder: no date but SOURCE_DATE_EPOCH, the day of this version's release unless
 * the environment says otherwise. */
#pragma once

#include "core/status.h"
#include "core/text/writer.h"

/* Documents are written by a writer of this language (latex_text.c): in a %s no character means anything to LaTeX, and
 * none stops it; one that the paper's fonts lack stands as "[U+6F22]". A label of letters, digits, '.', '/' and single
 * dashes stays as it is, so that it can be part of a macro's name. */
extern const sb_language sb_latex;

/* FOLDER/NAME.svg as FOLDER/NAME.pdf, its text in the paper's font. SB_E_MISSING: rsvg-convert is not installed. */
sb_status sb_latex_picture(const char *folder, const char *name);

/* FOLDER/NAME.tex as FOLDER/NAME.pdf; what LaTeX writes next to it goes to FOLDER/build. SB_E_MISSING: latexmk or LaTeX
 * is not installed. SB_E_USAGE: the document has an error; the sentence is LaTeX's first, with file and line; no PDF of
 * before stays. */
sb_status sb_latex_build(const char *folder, const char *name);
