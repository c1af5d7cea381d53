#include "record.h"

#include "words.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *to_json(const sb_factor_form *form, const char *text)
{
    if (form->kind == SB_FACTOR_INT) return json_integer(strtol(text, NULL, 10));
    if (form->kind == SB_FACTOR_REAL) return json_real(strtod(text, NULL));
    return json_string(text);
}

sb_status sb_record_make(char **record, const char *const value[SB_FACTOR_N], const char *data_make)
{
    *record = NULL;
    sb_words words = {0};
    sb_words_add_split(&words, data_make); /* a command line broken over several lines of YAML is still the same */
    char *make = words.lost ? NULL : sb_words_text(&words, false);
    json_t *object = json_object();
    bool whole = make && object && json_object_set_new(object, "data_make", json_string(make)) == 0;
    for (sb_factor factor = 0; whole && factor < SB_FACTOR_N; factor++) {
        const sb_factor_form *form = sb_factor_about(factor);
        if (!value[factor] || !form->recorded) continue;
        whole = json_object_set_new(object, form->key, to_json(form, value[factor])) == 0;
    }
    if (whole) *record = json_dumps(object, JSON_SORT_KEYS | JSON_COMPACT);
    json_decref(object);
    free(make);
    sb_words_free(&words);
    /* Texts that are not UTF-8 are the one other thing jansson refuses. */
    if (!*record) return sb_fail(SB_E_MEMORY, "a cell's record cannot be made: not enough memory, or not UTF-8");
    return SB_OK;
}
