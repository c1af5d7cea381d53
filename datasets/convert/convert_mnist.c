#include "datasets/catalog/catalog.h"
#include "datasets/catalog/provenance.h"
#include "datasets/convert/idx.h"
#include "datasets/verbs/verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct values {
    const char *from, *cache, *output;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, from, "--from", "DIR", NULL, "folder of the four files; else the cache"),
    SB_OPTION_TEXT(values, cache, "--cache", "DIR", NULL, "the cache; else $SAMEBITS_CACHE, else 'cache'"),
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "mnist.h5", "data set file to write"),
    SB_OPTION_END,
};

/* The training or the test half: images and labels of one count. */
typedef struct set_half {
    const char *images_file, *labels_file, *images_name, *labels_name;
} set_half;

static const set_half halves[] = {
    {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "images", "labels"},
    {"t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz", "test_images", "test_labels"},
};

static sb_status read_file(const char *folder, const char *name, int rank, sb_idx *idx, sb_sources *sources)
{
    char path[SB_PATH_MAX];
    snprintf(path, sizeof path, "%.3900s/%s", folder, name);
    if (!sb_file_exists(path))
        return sb_fail(SB_E_USAGE, "%s: not there; run 'samebits-data fetch mnist', or name its folder with --from",
                       path);
    SB_TRY(sb_idx_read(idx, path, rank));
    return sb_sources_add(sources, path);
}

static sb_status write_half(sb_h5 *file, const set_half *half, const sb_idx *images, const sb_idx *labels)
{
    if (images->dim[0] != labels->dim[0])
        return sb_fail(SB_E_INTEGRITY, "%s holds %zu images, but %s %zu labels; they are not of one set",
                       half->images_file, images->dim[0], half->labels_file, labels->dim[0]);
    SB_TRY(sb_h5_write(file, half->images_name, SB_U8, 3, images->dim, images->bytes, SB_H5_PACKED));
    return sb_h5_write(file, half->labels_name, SB_U8, 1, labels->dim, labels->bytes, SB_H5_PACKED);
}

static sb_status convert_half(sb_h5 *file, const char *folder, const set_half *half, sb_sources *sources)
{
    sb_idx images = {0}, labels = {0};
    sb_status status = read_file(folder, half->images_file, 3, &images, sources);
    if (status == SB_OK) status = read_file(folder, half->labels_file, 1, &labels, sources);
    if (status == SB_OK) status = write_half(file, half, &images, &labels);
    sb_idx_free(&labels);
    sb_idx_free(&images);
    return status;
}

static sb_status convert(const values *v, const sb_catalog_entry *entry, const char *folder)
{
    char libraries[32];
    snprintf(libraries, sizeof libraries, "zlib %s", sb_idx_zlib_version());
    sb_sources sources = {.output = v->output};
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, v->output, SB_SEAL_DATA));
    sb_status status = SB_OK;
    for (int i = 0; i < 2 && status == SB_OK; i++) status = convert_half(file, folder, &halves[i], &sources);
    if (status == SB_OK)
        status = sb_provenance_write(file, &(sb_provenance){
                                               .name = entry->name,
                                               .kind = "mnist",
                                               .source = entry->source,
                                               .url = entry->url,
                                               .licence = entry->licence,
                                               .sources = &sources,
                                               .command = &sb_verb_convert_mnist,
                                               .values = v,
                                               .libraries = libraries,
                                           });
    sb_sources_free(&sources);
    return sb_h5_finish(file, status);
}

static sb_status convert_mnist(const sb_call *call)
{
    const values *v = call->values;
    const sb_catalog_entry *entry;
    char folder[SB_PATH_MAX];
    SB_TRY(sb_catalog_find("mnist", &entry));
    sb_catalog_folder(entry, v->cache, folder);
    SB_TRY(convert(v, entry, v->from ? v->from : folder));
    fprintf(stderr, "%s: written\n", v->output);
    return SB_OK;
}

const sb_command sb_verb_convert_mnist = {
    .program = "samebits-data",
    .verb = "convert mnist",
    .summary = "the four MNIST files into one data set, mnist.h5",
    .options = options,
    .values_bytes = sizeof(values),
    .epilogue =
        "Files of another origin but of the same form (Fashion-MNIST, EMNIST) work too, under the same four names.\n",
    .run = convert_mnist,
};
