#include "core/command/options.h"
#include "core/command/usage.h"
#include "core/size.h"
#include "core/text/plural.h"
#include "datasets/catalog/catalog.h"
#include "datasets/convert/convert.h"
#include "datasets/verbs/verbs.h"
#include "io/dataset.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct values {
    const char *digest;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, digest, "--digest", "HEX", NULL, "compare the content with this digest (of one file)"),
    SB_OPTION_END,
};

/* Labels, where there are images: one byte each, as many. */
static sb_status check_labels(sb_h5 *file, const char *images, const char *labels)
{
    sb_h5_shape of_images, of_labels;
    if (!sb_h5_exists(file, images)) return SB_OK;
    SB_TRY(sb_h5_shape_of(file, images, &of_images));
    SB_TRY(sb_h5_shape_of(file, labels, &of_labels));
    if (of_labels.rank == 1 && of_labels.n == of_images.dim[0]) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: /%s has %zu elements for the %zu of /%s", sb_h5_path(file), labels, of_labels.n,
                   of_images.dim[0], images);
}

static sb_status check_form(const char *path)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    static const char *const attributes[] = {"name",   "kind",      "source",  "url",     "licence",
                                             "sha256", "converter", "options", "software"};
    char text[4096];
    int64_t version;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_DATA));
    SB_TRY(sb_h5_get_text(file, "", "format", text, sizeof text));
    SB_TRY(sb_h5_get_int(file, "", "version", &version));
    if (strcmp(text, "samebits-dataset") != 0 || version != 1)
        return sb_fail(SB_E_INTEGRITY, "%s: form '%s' %lld, 'samebits-dataset' 1 expected", sb_h5_path(file), text,
                       (long long)version);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (!sb_h5_has(file, "", attributes[i]))
            return sb_fail(SB_E_INTEGRITY, "%s: attribute '%s' is absent", sb_h5_path(file), attributes[i]);
    SB_TRY(check_labels(file, "images", "labels"));
    return check_labels(file, "test_images", "test_labels");
}

static void print_facts(const char *path, const sb_dataset_facts *facts, const char *digest)
{
    printf("%s: %s, ", path, facts->name);
    if (facts->kind == SB_DATASET_VIDEO)
        printf("%zu frames of %zux%zu, %zu sequence%s", facts->n, facts->w, facts->h, facts->n_sequences,
               sb_plural(facts->n_sequences));
    else if (facts->kind == SB_DATASET_TEXT)
        printf("%zu tokens and %zu held-out token%s of %d %s", facts->n, facts->n_test, sb_plural(facts->n_test),
               facts->n_classes, facts->characters.is_bytes ? "bytes" : "characters");
    else
        printf("%zu image%s and %zu test image%s of %zux%zu", facts->n, sb_plural(facts->n), facts->n_test,
               sb_plural(facts->n_test), facts->w, facts->h);
    if (facts->kind == SB_DATASET_IMAGES && facts->c > 1) printf("x%zu", facts->c);
    if (facts->kind == SB_DATASET_IMAGES && facts->n_classes) printf(" of %d class%s", facts->n_classes, facts->n_classes == 1 ? "" : "es");
    printf(", digest %s\n", digest);
}

/* Each label is one of a class that has a name, if any has, and each token one of a character. */
static sb_status check_classes(sb_dataset *dataset)
{
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    const bool is_text = facts->kind == SB_DATASET_TEXT;
    SB_FREED uint8_t *labels = sb_size_allocate(facts->n > facts->n_test ? facts->n : facts->n_test, 1);
    if (!labels) return sb_fail(SB_E_MEMORY, "not enough memory for the labels");
    if (facts->has_labels) SB_TRY(sb_dataset_read_labels(dataset, 0, facts->n, labels));
    if (is_text) SB_TRY(sb_dataset_read(dataset, 0, facts->n, labels));
    if (is_text && facts->n_test) SB_TRY(sb_dataset_read_test(dataset, 0, facts->n_test, labels));
    if (facts->has_test_labels) SB_TRY(sb_dataset_read_test_labels(dataset, 0, facts->n_test, labels));
    return SB_OK;
}

static sb_status check_content(const char *path, const char *expected)
{
    SB_OWNED(sb_dataset_leave) sb_dataset *dataset = NULL;
    sb_hash digest;
    char hex[SB_HASH_TEXT];
    SB_TRY(sb_dataset_open(&dataset, path));
    SB_TRY(sb_dataset_digest(dataset, &digest));
    SB_TRY(check_classes(dataset));
    sb_hash_text(digest, hex);
    print_facts(path, sb_dataset_about(dataset), hex);
    if (expected && strcasecmp(hex, expected) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: its digest is %s, not %s: another content", path, hex, expected);
    return SB_OK;
}

static sb_status verify(const char *path, const char *expected)
{
    SB_TRY(check_form(path));
    SB_TRY(check_content(path, expected));
    return sb_known_frames_check(path, sb_catalog());
}

static bool is_digest(const char *text)
{
    return strlen(text) == SB_HASH_TEXT - 1 && strspn(text, "0123456789abcdefABCDEF") == SB_HASH_TEXT - 1;
}

static sb_status verify_all(const sb_call *call)
{
    const values *v = call->values;
    if (v->digest && call->arguments.n > 1)
        return sb_fail(SB_E_USAGE, "samebits-data verify: --digest wants one file, not %d", call->arguments.n);
    if (v->digest && !is_digest(v->digest))
        return sb_usage_wanted(call->command, "--digest", "32 hex digits", v->digest);
    sb_status status = SB_OK;
    char sentence[1024] = ""; /* of the last failure; main prints it, the earlier ones are printed here */
    for (int i = 0; i < call->arguments.n; i++) {
        sb_status one = verify(call->arguments.item[i], v->digest);
        if (one == SB_OK) continue;
        if (status != SB_OK) fprintf(stderr, "%s\n", sentence);
        snprintf(sentence, sizeof sentence, "%s", sb_message());
        status = one;
    }
    return status == SB_OK ? SB_OK : sb_fail(status, "%s", sentence);
}

const sb_command sb_verb_verify = {
    .program = "samebits-data",
    .verb = "verify",
    .summary = "check data set files and print their digests",
    .arguments = "FILE.h5...",
    .options = options,
    .values_bytes = sizeof(values),
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue = "The digest is the hash of the content; each run records it. Exit code 7: damaged, another digest,\n"
                "or frames of 'convert public' that another decoder made.\n",
    .run = verify_all,
};
