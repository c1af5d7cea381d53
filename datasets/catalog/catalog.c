#define _POSIX_C_SOURCE 200809L
#include "datasets/catalog/catalog.h"

#include "core/command/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sb_catalog_entry catalog[] = {
    {
        .name = "mnist",
        .origin = SB_ORIGIN_NET,
        .kind = "images",
        .summary = "70,000 handwritten digits, 28x28; the autoencoder's data",
        .source = "Y. LeCun, C. Cortes, C. Burges: The MNIST database of handwritten digits",
        .url = "http://yann.lecun.com/exdb/mnist/",
        .licence = "CC BY-SA 3.0",
        .mirror = {"https://storage.googleapis.com/cvdf-datasets/mnist/",
                   "https://ossci-datasets.s3.amazonaws.com/mnist/"},
        .file =
            {{"train-images-idx3-ubyte.gz", 9912422,
              "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
             {"train-labels-idx1-ubyte.gz", 28881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
             {"t10k-images-idx3-ubyte.gz", 1648877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
             {"t10k-labels-idx1-ubyte.gz", 4542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}},
        .content = "f92bfa447dcd3cf099234465f2c9e43f",
        .content_test = 10000,
        .next = "samebits-data convert mnist -o mnist.h5",
    },
    {
        .name = "cifar10",
        .origin = SB_ORIGIN_NET,
        .kind = "images",
        .summary = "60,000 colour pictures of ten classes, 32x32",
        .source = "A. Krizhevsky: Learning multiple layers of features from tiny images, 2009",
        .url = "https://www.cs.toronto.edu/~kriz/cifar.html",
        .licence = "none stated",
        .mirror = {"https://www.cs.toronto.edu/~kriz/"},
        .file = {{"cifar-10-binary.tar.gz", 170052171,
                  "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"}},
        .content = "421b5bf24c40b198f2d85637b6ba0265",
        .content_test = 1000,
        .next = "samebits-data convert cifar10 -o cifar10.h5",
    },
    {
        .name = "fpsi",
        .origin = SB_ORIGIN_FOLDER,
        .kind = "video",
        .summary = "First-Person Social Interactions, eight head-camera videos of a theme park; the study's data",
        .source = "A. Fathi, J. Hodgins, J. Rehg: Social interactions: a first-person perspective, CVPR 2012",
        .url = "http://ai.stanford.edu/~alireza/Disney/",
        .licence = "research use",
        .file = {{"Denis_Day1_001.avi", 0, NULL},
                 {"Munehiko_Day1_002.avi", 0, NULL},
                 {"Munehiko_Day1_003.avi", 0, NULL},
                 {"Michael_Day2_002.avi", 0, NULL},
                 {"Michael_Day2_003.avi", 0, NULL},
                 {"Alin_Day1_001.avi", 0, NULL},
                 {"Alin_Day1_002.avi", 0, NULL},
                 {"Hussein_Day1_001.avi", 0, NULL}},
        .next = "samebits-data convert fpsi --from FOLDER -o fpsi.h5",
    },
    {
        .name = "walk",
        .origin = SB_ORIGIN_SYNTH,
        .kind = "video",
        .summary = "a first-person walk through streets and a park, made by integer arithmetic",
        .source = "samebits-data synth walk",
        .licence = "Apache-2.0",
        .next = "samebits-data synth walk -o walk.h5",
    },
    {
        .name = "motion",
        .origin = SB_ORIGIN_SYNTH,
        .kind = "video",
        .summary = "one picture that moves evenly, made by integer arithmetic",
        .source = "samebits-data synth motion",
        .licence = "Apache-2.0",
        .next = "samebits-data synth motion -o motion.h5",
    },
    {
        .name = "digits",
        .origin = SB_ORIGIN_SYNTH,
        .kind = "images",
        .summary = "handwritten-like digits, 28x28, made by integer arithmetic",
        .source = "samebits-data synth digits",
        .licence = "Apache-2.0",
        .next = "samebits-data synth digits -o digits.h5",
    },
    {
        .name = "shapes",
        .origin = SB_ORIGIN_SYNTH,
        .kind = "images",
        .summary = "ten kinds of coloured shapes, 32x32, made by integer arithmetic",
        .source = "samebits-data synth shapes",
        .licence = "Apache-2.0",
        .next = "samebits-data synth shapes -o shapes.h5",
    },
    {0},
};

const sb_catalog_entry *sb_catalog(void)
{
    return catalog;
}

sb_status sb_catalog_find(const char *name, const sb_catalog_entry **entry)
{
    sb_nearest nearest = sb_nearest_begin(name);
    for (*entry = catalog; (*entry)->name; ++*entry) {
        if (strcmp((*entry)->name, name) == 0) return SB_OK;
        sb_nearest_offer(&nearest, (*entry)->name);
    }
    return sb_usage_unknown("samebits-data", "data set", &nearest, "samebits-data list");
}

int64_t sb_catalog_bytes(const sb_catalog_entry *entry)
{
    int64_t n_bytes = 0;
    for (const sb_catalog_file *file = entry->file; file->name; file++) n_bytes += file->n_bytes;
    return n_bytes;
}

void sb_catalog_folder(const sb_catalog_entry *entry, const char *cache, char folder[SB_PATH_MAX])
{
    const char *variable = getenv("SAMEBITS_CACHE");
    if (!cache || !*cache) cache = variable && *variable ? variable : "cache";
    snprintf(folder, SB_PATH_MAX, "%s/%s", cache, entry->name);
}
