#include "datasets/catalog/catalog.h"
#include "datasets/catalog/provenance.h"
#include "datasets/convert/cifar.h"
#include "datasets/convert/convert.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <string.h>

typedef struct values {
    const char *from, *cache, *test_file, *output;
    long n_test;
    sb_origin_given given;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, from, "--from", "DIR", NULL, "folder of the archive, or of its .bin files; else the cache"),
    SB_OPTION_INT(values, n_test, "--test", "N", "10000", 1, SB_CIFAR_PART_RECORDS,
                  "the first N test images; fewer only where that is asked for"),
    SB_OPTION_TEXT(values, test_file, "--test-file", "NAME", "test_batch.bin", "the file of the test images"),
    SB_OPTION_TEXT(values, cache, "--cache", "DIR", NULL, "cache folder; default: $SAMEBITS_CACHE, else 'cache'"),
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "cifar10.h5", "data set file to write"),
    SB_ORIGIN_OPTIONS(values),
    SB_OPTION_END,
};

/* The training or the test half, a hundred images a chunk. */
static sb_status write_half(sb_h5 *file, const sb_cifar *cifar, int half)
{
    static const char *const names[2][2] = {{"images", "labels"}, {"test_images", "test_labels"}};
    const size_t dim[] = {100, SB_CIFAR_SIDE, SB_CIFAR_SIDE, SB_CIFAR_CHANNELS}, n = cifar->n[half];
    SB_TRY(sb_h5_create_rows(file, names[half][0], SB_U8, 4, dim));
    SB_TRY(sb_h5_append_rows(file, names[half][0], SB_U8, n, cifar->pixels[half]));
    return sb_h5_write(file, names[half][1], SB_U8, 1, &n, cifar->labels[half], SB_H5_PACKED);
}

/* The archive was compared with its SHA-256; of files the content tells. */
static bool is_entry(const sb_cifar *cifar, const sb_catalog_entry *entry)
{
    sb_origin_half half[2];
    for (int i = 0; i < 2; i++)
        half[i] = (sb_origin_half){cifar->pixels[i], cifar->labels[i], cifar->n[i], SB_CIFAR_IMAGE};
    return cifar->is_official || sb_origin_is(entry, half);
}

static sb_status write_all(sb_h5 *file, const sb_cifar *cifar, const values *v, const sb_catalog_entry *entry)
{
    const bool is_known = is_entry(cifar, entry);
    char inputs[SB_ORIGIN_INPUTS] = "";
    SB_OWNED(sb_sources_free) sb_sources sources = {.output = v->output};
    sb_provenance provenance = {
        .kind = "images", .sources = &sources, .command = &sb_verb_convert_cifar10, .values = v};
    for (int half = 0; half < 2; half++) SB_TRY(write_half(file, cifar, half));
    SB_TRY(sb_h5_set_text(file, "", "classes", is_known ? sb_cifar_classes : sb_cifar_class_numbers));
    for (int i = 0; i < cifar->n_sources; i++) {
        sb_origin_add_input(inputs, cifar->source[i]);
        SB_TRY(sb_sources_add(&sources, cifar->source[i]));
    }
    sb_origin_settle(&provenance, &v->given, entry, is_known, v->output, inputs);
    return sb_provenance_write(file, &provenance);
}

static sb_status convert(const values *v, const sb_catalog_entry *entry, sb_cifar *cifar)
{
    const sb_labels training = sb_labels_count(cifar->labels[0], cifar->n[0]);
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, v->output, SB_SEAL_DATA));
    SB_TRY(sb_h5_finish(file, write_all(file, cifar, v, entry)));
    sb_labels_say_empty(&training, SB_CIFAR_CLASSES, v->output, "training");
    fprintf(stderr, "%s: %zu images, and %zu of the %zu test images\n", v->output, cifar->n[0], cifar->n[1],
            (size_t)SB_CIFAR_PART_RECORDS);
    return SB_OK;
}

static sb_status convert_cifar10(const sb_call *call)
{
    const values *v = call->values;
    const sb_catalog_entry *entry;
    char folder[SB_PATH_MAX];
    SB_OWNED(sb_cifar_free) sb_cifar cifar = {0};
    SB_TRY(sb_catalog_find("cifar10", &entry));
    sb_catalog_folder(entry, v->cache, folder);
    if (strchr(v->test_file, '/'))
        return sb_fail(SB_E_USAGE, "samebits-data convert cifar10: --test-file wants the name of a file, not '%s'",
                       v->test_file);
    SB_TRY(sb_cifar_read(&cifar, v->from ? v->from : folder, v->test_file, (size_t)v->n_test, entry->file->sha256));
    return convert(v, entry, &cifar);
}

const sb_command sb_verb_convert_cifar10 = {
    .program = "samebits-data",
    .verb = "convert cifar10",
    .summary = "convert the binary version of CIFAR-10 into one data set, cifar10.h5",
    .options = options,
    .values_bytes = sizeof(values),
    .epilogue =
        "The archive has to be the official one, byte for byte. Files of another origin but of the same form work\n"
        "too, as .bin files: five of 10,000 training images each, and one of test images. They are not recorded as\n"
        "CIFAR-10: --name, --source, --url and --licence say what they are, and their classes are called 0 to 9.\n",
    .run = convert_cifar10,
};
