#include "core/size.h"
#include "datasets/catalog/catalog.h"
#include "datasets/catalog/provenance.h"
#include "datasets/convert/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct values {
    const char *from, *cache, *output;
    bool transpose;
    sb_origin_given given;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, from, "--from", "DIR", NULL, "folder of the four files; default: the cache"),
    SB_OPTION_FLAG(values, transpose, "--transpose", "swap rows and columns of each image (EMNIST needs this)"),
    SB_OPTION_TEXT(values, cache, "--cache", "DIR", NULL, "cache folder; default: $SAMEBITS_CACHE, else 'cache'"),
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "mnist.h5", "data set file to write"),
    SB_ORIGIN_OPTIONS(values),
    SB_OPTION_END,
};

/* The training or the test half: images and labels of one count. */
typedef struct set_half {
    const char *what, *images_file, *labels_file, *images_name, *labels_name;
} set_half;

static const set_half halves[] = {
    {"training", "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "images", "labels"},
    {"test", "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz", "test_images", "test_labels"},
};

/* What is in the four files. */
typedef struct content {
    sb_idx images[2], labels[2];
} content;

/* A file under its name; or unpacked: "NAME", and with a dot, "train-images.idx3-ubyte". */
static bool find_file(const char *folder, const char *name, char path[SB_PATH_MAX])
{
    const int n = (int)(strlen(name) - strlen(".gz")), before_idx = (int)(strstr(name, "-idx") - name);
    snprintf(path, SB_PATH_MAX, "%.3900s/%s", folder, name);
    if (sb_file_exists(path)) return true;
    char *unpacked = path + strlen(path) - strlen(name);
    unpacked[n] = 0;
    if (sb_file_exists(path)) return true;
    unpacked[before_idx] = '.';
    if (sb_file_exists(path)) return true;
    snprintf(path, SB_PATH_MAX, "%.3900s/%s", folder, name);
    return false;
}

static sb_status read_file(const char *folder, const char *name, int rank, sb_idx *idx, sb_sources *sources)
{
    char path[SB_PATH_MAX];
    if (!find_file(folder, name, path))
        return sb_fail(SB_E_MISSING, "%s: not there; run 'samebits-data fetch mnist', or name its folder with --from",
                       path);
    SB_TRY(sb_idx_read(idx, path, rank));
    return sb_sources_add(sources, path);
}

static sb_status read_half(content *c, int i, const char *folder, sb_sources *sources)
{
    const set_half *half = &halves[i];
    SB_TRY(read_file(folder, half->images_file, 3, &c->images[i], sources));
    SB_TRY(read_file(folder, half->labels_file, 1, &c->labels[i], sources));
    if (c->images[i].dim[0] == c->labels[i].dim[0]) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s holds %zu images, but %s %zu labels; they are not of one set", half->images_file,
                   c->images[i].dim[0], half->labels_file, c->labels[i].dim[0]);
}

static sb_status check_sizes(const content *c)
{
    const size_t *training = c->images[0].dim, *test = c->images[1].dim;
    if (training[1] == test[1] && training[2] == test[2]) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s holds images of %zux%zu, but %s of %zux%zu; both must have one size",
                   halves[0].images_file, training[2], training[1], halves[1].images_file, test[2], test[1]);
}

/* images [n][h][w] to [n][w][h] */
static sb_status transpose(sb_idx *images, const char *path)
{
    const size_t n = images->dim[0], h = images->dim[1], w = images->dim[2];
    uint8_t *turned = sb_size_allocate(n, h * w);
    if (!turned) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    for (size_t i = 0; i < n; i++)
        for (size_t y = 0; y < h; y++)
            for (size_t x = 0; x < w; x++) turned[(i * w + x) * h + y] = images->bytes[(i * h + y) * w + x];
    free(images->bytes);
    images->bytes = turned;
    images->dim[1] = w, images->dim[2] = h;
    return SB_OK;
}

static sb_status read_content(content *c, const values *v, const char *folder, sb_sources *sources)
{
    for (int i = 0; i < 2; i++) SB_TRY(read_half(c, i, folder, sources));
    SB_TRY(check_sizes(c));
    for (int i = 0; i < 2 && v->transpose; i++) SB_TRY(transpose(&c->images[i], v->output));
    return SB_OK;
}

static bool is_entry(const content *c, const sb_catalog_entry *entry)
{
    sb_origin_half half[2];
    for (int i = 0; i < 2; i++)
        half[i] = (sb_origin_half){.pixels = c->images[i].bytes,
                                   .labels = c->labels[i].bytes,
                                   .n = c->images[i].dim[0],
                                   .image_bytes = c->images[i].dim[1] * c->images[i].dim[2]};
    return sb_origin_is(entry, half);
}

static void say_labels(const content *c, const char *path)
{
    sb_labels of[2];
    for (int i = 0; i < 2; i++) of[i] = sb_labels_count(c->labels[i].bytes, c->labels[i].n);
    const int n_numbers = of[0].n_numbers > of[1].n_numbers ? of[0].n_numbers : of[1].n_numbers;
    for (int i = 0; i < 2; i++) sb_labels_say_empty(&of[i], n_numbers, path, halves[i].what);
    fprintf(stderr, "%s: written, %zu images of %d classes and %zu test images of %d\n", path, c->images[0].dim[0],
            of[0].n_classes, c->images[1].dim[0], of[1].n_classes);
}

static sb_status write_content(sb_h5 *file, const content *c)
{
    for (int i = 0; i < 2; i++) {
        SB_TRY(sb_h5_write(file, halves[i].images_name, SB_U8, 3, c->images[i].dim, c->images[i].bytes, SB_H5_PACKED));
        SB_TRY(sb_h5_write(file, halves[i].labels_name, SB_U8, 1, c->labels[i].dim, c->labels[i].bytes, SB_H5_PACKED));
    }
    return SB_OK;
}

static sb_status write_origin(sb_h5 *file, const content *c, const values *v, const sb_catalog_entry *entry,
                              const char *folder, const sb_sources *sources)
{
    char libraries[32], inputs[SB_ORIGIN_INPUTS] = "";
    snprintf(libraries, sizeof libraries, "zlib %s", sb_idx_zlib_version());
    sb_origin_add_input(inputs, folder);
    sb_provenance provenance = {
        .kind = "mnist", .sources = sources, .command = &sb_verb_convert_mnist, .values = v, .libraries = libraries};
    sb_origin_settle(&provenance, &v->given, entry, is_entry(c, entry), v->output, inputs);
    return sb_provenance_write(file, &provenance);
}

static sb_status convert(const values *v, const sb_catalog_entry *entry, const char *folder, content *c)
{
    sb_sources sources = {.output = v->output};
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, v->output, SB_SEAL_DATA));
    sb_status status = read_content(c, v, folder, &sources);
    if (status == SB_OK) status = write_content(file, c);
    if (status == SB_OK) status = write_origin(file, c, v, entry, folder, &sources);
    sb_sources_free(&sources);
    return sb_h5_finish(file, status);
}

static sb_status convert_mnist(const sb_call *call)
{
    const values *v = call->values;
    const sb_catalog_entry *entry;
    char cached[SB_PATH_MAX];
    SB_TRY(sb_catalog_find("mnist", &entry));
    sb_catalog_folder(entry, v->cache, cached);
    content c = {0};
    sb_status status = convert(v, entry, v->from ? v->from : cached, &c);
    if (status == SB_OK) say_labels(&c, v->output);
    for (int i = 0; i < 2; i++) sb_idx_free(&c.images[i]), sb_idx_free(&c.labels[i]);
    return status;
}

const sb_command sb_verb_convert_mnist = {
    .program = "samebits-data",
    .verb = "convert mnist",
    .summary = "convert the four MNIST files into one data set, mnist.h5",
    .options = options,
    .values_bytes = sizeof(values),
    .epilogue =
        "Files in the same format (Fashion-MNIST, EMNIST) work too, under the same four names, packed or "
        "not.\nThey are not recorded as MNIST: "
        "describe them with --name, --source, --url and --licence. EMNIST needs --transpose.\n",
    .run = convert_mnist,
};
