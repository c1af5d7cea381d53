/* json_keys FILE...: the keys in JSON documents, read by a library that did not write them: a line "PATH KIND" each, of
 * all files together, for sort -u. Kinds are those of docs/json.md; null for a null, number for a real. Exit code 1: a
 * file is no JSON document. */
#include <jansson.h>
#include <stdio.h>

static const char *kind_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "object";
    case JSON_ARRAY:
        return "list";
    case JSON_STRING:
        return "text";
    case JSON_INTEGER:
        return "integer";
    case JSON_REAL:
        return "number";
    case JSON_NULL:
        return "null";
    default:
        return "true or false";
    }
}

static void print_value(const char *path, json_t *value)
{
    char below[512];
    const char *key;
    json_t *part;
    size_t i;
    if (json_is_object(value)) json_object_foreach(value, key, part)
        {
            snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", key);
            printf("%s %s\n", below, kind_of(part));
            print_value(below, part);
        }
    if (json_is_array(value)) json_array_foreach(value, i, part)
        {
            snprintf(below, sizeof below, "%s[]", path);
            if (!json_is_object(part)) printf("%s %s\n", below, kind_of(part));
            print_value(below, part);
        }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        json_error_t error;
        json_t *document = json_load_file(argv[i], JSON_REJECT_DUPLICATES, &error);
        if (!document) {
            fprintf(stderr, "%s:%d: %s\n", argv[i], error.line, error.text);
            return 1;
        }
        print_value("", document);
        json_decref(document);
    }
    return 0;
}
