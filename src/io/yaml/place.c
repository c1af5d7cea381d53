#include "io/yaml/place.h"

#include "core/file.h"
#include "core/text/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* The line from 1. Of bytes that are no text the parser knows the place in the file alone. */
static size_t line_of_problem(const yaml_parser_t *parser, const char *content, size_t n_bytes)
{
    size_t line = 1;
    if (parser->error != YAML_READER_ERROR) return parser->problem_mark.line + 1;
    for (size_t i = 0; i < n_bytes && i < parser->problem_offset; i++) line += content[i] == '\n';
    return line;
}

/* A file has one document: what another one says would count for nothing. */
static sb_status check_alone(const char *path, yaml_parser_t *parser)
{
    bool is_end = false, is_empty = true;
    size_t line = 0;
    while (!is_end && is_empty) {
        yaml_document_t more;
        if (!yaml_parser_load(parser, &more))
            return sb_fail(SB_E_USAGE, "%s:%zu: not YAML: %s", path, parser->problem_mark.line + 1,
                           parser->problem ? parser->problem : "unreadable");
        const yaml_node_t *root = yaml_document_get_root_node(&more);
        is_end = !root;
        is_empty = is_end || (root->type == YAML_SCALAR_NODE && root->data.scalar.length == 0);
        line = more.start_mark.line + 1;
        yaml_document_delete(&more);
    }
    if (is_empty) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s:%zu: a second document begins here; write each into a file of its own", path, line);
}

/* Read the whole document. SB_OK: it is the caller's to delete. */
static sb_status read_document(const char *path, yaml_document_t *document)
{
    char *content;
    size_t n_bytes;
    SB_TRY(sb_file_read(path, &content, &n_bytes));
    sb_status status = SB_OK;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        free(content);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)content, n_bytes);
    if (!yaml_parser_load(&parser, document)) {
        const bool is_encoding = parser.problem && strstr(parser.problem, "UTF-8");
        status = sb_fail(SB_E_USAGE, "%s:%zu: not YAML: %s%s%s", path, line_of_problem(&parser, content, n_bytes),
                         parser.problem ? parser.problem : "unreadable", is_encoding ? ": " : "",
                         is_encoding ? sb_text_advice(content, n_bytes) : "");
    } else if (!yaml_document_get_root_node(document)) {
        yaml_document_delete(document);
        status = sb_fail(SB_E_USAGE, "%s: empty", path);
    } else if ((status = check_alone(path, &parser)) != SB_OK) {
        yaml_document_delete(document);
    }
    yaml_parser_delete(&parser);
    free(content);
    return status;
}

/* Escapes between double quotes can bring in what YAML itself does not let a file hold. */
static sb_status check_text(const char *path, const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE) return SB_OK;
    const char *text = (const char *)node->data.scalar.value;
    size_t plain = sb_text_plain_length(text, true);
    if (plain == node->data.scalar.length) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s:%zu: a control character in the text '%.*s'", path, node->start_mark.line + 1,
                   plain < 40 ? (int)plain : 40, text);
}

sb_status sb_place_check(const char *path)
{
    yaml_document_t document;
    SB_TRY(read_document(path, &document));
    sb_status status = SB_OK;
    for (yaml_node_t *node = document.nodes.start; node < document.nodes.top && status == SB_OK; node++)
        status = check_text(path, node);
    yaml_document_delete(&document);
    return status;
}

static bool is_key(const yaml_node_t *node, const char *key, size_t length)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == length &&
           memcmp(node->data.scalar.value, key, length) == 0;
}

/* One step down from node: the value of a key or the item of a list; NULL: there is none. *line: the line on which it
 * begins. */
static yaml_node_t *step_down(yaml_document_t *document, yaml_node_t *node, const char *key, size_t length,
                              size_t *line)
{
    yaml_node_t *found = NULL;
    if (node->type == YAML_MAPPING_NODE) {
        for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
            yaml_node_t *name = yaml_document_get_node(document, pair->key);
            if (!is_key(name, key, length)) continue;
            found = yaml_document_get_node(document, pair->value);
            *line = name->start_mark.line;
        }
    } else if (node->type == YAML_SEQUENCE_NODE) {
        long index = strtol(key, NULL, 10);
        yaml_node_item_t *items = node->data.sequence.items.start;
        if (index < 0 || index >= node->data.sequence.items.top - items) return NULL;
        found = yaml_document_get_node(document, items[index]);
        *line = found->start_mark.line;
    }
    return found;
}

int sb_place_line(const char *path, const char *place)
{
    yaml_document_t document;
    if (read_document(path, &document) != SB_OK) return 1;
    yaml_node_t *node = yaml_document_get_root_node(&document);
    size_t line = node->start_mark.line;
    while (node && *place) {
        size_t length = strcspn(place, "/");
        node = step_down(&document, node, place, length, &line);
        place += length;
        place += *place == '/';
    }
    yaml_document_delete(&document);
    return (int)line + 1;
}

/* -- keys -- */

enum { PLACE_ROOM = 512 };

typedef struct walk {
    yaml_document_t *document;
    sb_place_take *take;
    void *context;
} walk;

static sb_status take_keys(const walk *w, const yaml_node_t *node, const char *place)
{
    if (node->type != YAML_MAPPING_NODE) return SB_OK;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = yaml_document_get_node(w->document, pair->key);
        char at[PLACE_ROOM];
        if (name->type != YAML_SCALAR_NODE) continue;
        const char *key = (const char *)name->data.scalar.value;
        snprintf(at, sizeof at, "%s%s%.100s", place, *place ? "/" : "", key);
        SB_TRY(w->take(w->context, at, key));
    }
    return SB_OK;
}

static sb_status walk_down(const walk *w, yaml_node_t *node, const char *place, const char *pattern);

/* Every item of a list. */
static sb_status walk_items(const walk *w, const yaml_node_t *list, const char *place, const char *pattern)
{
    if (list->type != YAML_SEQUENCE_NODE) return SB_OK;
    for (yaml_node_item_t *item = list->data.sequence.items.start; item < list->data.sequence.items.top; item++) {
        char at[PLACE_ROOM];
        snprintf(at, sizeof at, "%.400s/%ld", place, (long)(item - list->data.sequence.items.start));
        SB_TRY(walk_down(w, yaml_document_get_node(w->document, *item), at, pattern));
    }
    return SB_OK;
}

static sb_status walk_down(const walk *w, yaml_node_t *node, const char *place, const char *pattern)
{
    const size_t length = strcspn(pattern, "/");
    const char *rest = pattern + length + (pattern[length] == '/');
    size_t line = 0;
    char at[PLACE_ROOM];
    if (!*pattern) return take_keys(w, node, place);
    if (*pattern == '*') return walk_items(w, node, place, rest);
    yaml_node_t *next = step_down(w->document, node, pattern, length, &line);
    snprintf(at, sizeof at, "%.400s%s%.*s", place, *place ? "/" : "", (int)length, pattern);
    return next ? walk_down(w, next, at, rest) : SB_OK;
}

sb_status sb_place_keys(const char *path, const char *pattern, sb_place_take *take, void *context)
{
    yaml_document_t document;
    SB_TRY(read_document(path, &document));
    const walk w = {&document, take, context};
    sb_status status = walk_down(&w, yaml_document_get_root_node(&document), "", pattern);
    yaml_document_delete(&document);
    return status;
}

sb_status sb_place_fail(const char *path, const char *place, const char *format, ...)
{
    char sentence[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return sb_fail(SB_E_USAGE, "%s:%d: %s", path, sb_place_line(path, place), sentence);
}
