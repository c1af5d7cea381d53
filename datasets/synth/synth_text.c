#include "core/rows/made_text.h"
#include "core/size.h"
#include "datasets/convert/text_source.h"
#include "datasets/synth/synth.h"
#include "io/text_draw.h"

typedef struct values {
    const char *output;
    long n_characters, seed;
    sb_text_split split;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "text.h5", "data set file to write"),
    SB_OPTION_INT(values, n_characters, "--characters", "N", SB_OPTION_NUMBER(SB_MADE_TEXT_CHARACTERS), 100, 1000000000,
                  "length of the text"),
    SB_TEXT_HOLD_OUT_OPTION(values),
    SB_OPTION_INT(values, seed, "--seed", "N", SB_OPTION_NUMBER(SB_MADE_TEXT_SEED), 0, 2147483647, "seed of the words"),
    SB_OPTION_END,
};

static sb_status synth_text(const sb_call *call)
{
    const values *v = call->values;
    const size_t n = (size_t)v->n_characters;
    SB_OWNED(sb_text_source_free)
    sb_text_source text = {.output = v->output, .bytes = sb_size_allocate(n, 1), .n = n, .room = n};
    if (!text.bytes) return sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu characters", v->output, n);
    sb_text_draw((uint32_t)v->seed, n, text.bytes);
    return sb_text_source_write(&text, &v->split,
                                &(sb_provenance){.kind = "text",
                                                 .source = "samebits-data synth text",
                                                 .licence = "Apache-2.0",
                                                 .command = call->command,
                                                 .values = v});
}

const sb_command sb_verb_synth_text = {
    .program = "samebits-data",
    .verb = "synth text",
    .summary = "make a text of a small grammar, the same bytes everywhere",
    .options = options,
    .values_bytes = sizeof(values),
    .epilogue = "The program uses whole numbers only, so the same seed gives the same text on every machine.\n",
    .run = synth_text,
};
