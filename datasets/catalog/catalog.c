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
        .summary = "60,000 color pictures of ten classes, 32x32",
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
        .name = "shakespeare",
        .origin = SB_ORIGIN_NET,
        .kind = "text",
        .summary = "40,000 lines of Shakespeare's plays, 65 characters; the text of many small language models",
        .source = "W. Shakespeare, selected by A. Karpathy for char-rnn, 2015",
        .url = "https://github.com/karpathy/char-rnn",
        .licence = "public domain",
        .mirror = {"https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/",
                   "https://raw.githubusercontent.com/karpathy/char-rnn/6f9487a6fe5b420b7ca9afb0d7c078e37c1d1b4e/data/"
                   "tinyshakespeare/"},
        .file = {{"input.txt", 1115394, "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed"}},
        .next = "samebits-data convert text -o shakespeare.h5",
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
        .name = "public",
        .origin = SB_ORIGIN_NET,
        .kind = "video",
        .summary = "a walk, a drive and a hand with a cup, 790 frames that anyone may use; six more videos by name",
        .source = "nine videos from public repositories, each with its own licence",
        .licence = "of each file",
        .file =
            {
                {.name = "01_walk_hero7.mp4",
                 .n_bytes = 4102689,
                 .sha256 = "1a0f5519f8479f313586f71e6cf3deb52b3a2e33e23943925b0c7896e0657158",
                 .address = "https://raw.githubusercontent.com/gopro/gpmf-parser/"
                            "35468344fca7a4005c2d45a0abfda77120efcd9d/samples/hero7.mp4",
                 .word = "walk",
                 .licence = "Apache-2.0 or MIT",
                 .n_frames = 352,
                 .frames = {"30ef8a9a428e4fd26a8a8f55b4bba266", "c73c66ca65e5b16259c7c461244f1618"}},
                {.name = "07_cups_game.mp4",
                 .n_bytes = 2543710,
                 .sha256 = "6320759eede8c82c7d43fe1cc569f3a389758ec37b2b1dc9e9b7b4ce4110ab13",
                 .address = "https://raw.githubusercontent.com/facebookresearch/sam2/"
                            "2b90b9f5ceec907a1c18123530e92e794ad901a4/demo/data/gallery/02_cups.mp4",
                 .word = "cups",
                 .licence = "Apache-2.0",
                 .is_extra = true,
                 .n_frames = 300,
                 .frames = {"ac93869c1e56d34bebe3612ab94dc137", "dda3f3da8aace1615c70205ae0eb03fc"}},
                {.name = "03_tallship.wmv",
                 .n_bytes = 4141440,
                 .sha256 = "0de4ef1d634612adf664939ad3081e21f040b980fac83dfb0246334b214a098d",
                 .address = "https://raw.githubusercontent.com/microsoft/Windows-classic-samples/"
                            "adf93f04125e0b5bd84ad0a9a073f7fea993a360/Samples/DirectCompositionLayeredChildWindow/cpp/"
                            "media/TallShip-medium.wmv",
                 .word = "ship",
                 .licence = "MIT",
                 .is_extra = true,
                 .n_frames = 906,
                 .cut = {399, 516, 662, 753, 897},
                 .frames = {"324809a9405d29dd8993b13954bd43cb", "1314f22729c914088df57eae30f85202"}},
                {.name = "02_highway_solidWhiteRight.mp4",
                 .n_bytes = 2641803,
                 .sha256 = "2d8e14b46fe89afbc8ad1f718685cf09b83e85a324095031c38186a9f0535417",
                 .address = "https://raw.githubusercontent.com/udacity/CarND-LaneLines-P1/"
                            "ce5681be7ef8140560c0e464ef2da611e40b4fc9/test_videos/solidWhiteRight.mp4",
                 .word = "highway",
                 .licence = "MIT",
                 .n_frames = 221,
                 .frames = {"c93360752d4908d0c5093393271f38ad", "ec9e91463c164db76c42f1a094dcb3e8"}},
                {.name = "08_blocks.mp4",
                 .n_bytes = 1808832,
                 .sha256 = "2868f2c62f5cfa28dabbe925fae95da7f896531630a0627e5edbc784ea42413d",
                 .address = "https://raw.githubusercontent.com/facebookresearch/sam2/"
                            "2b90b9f5ceec907a1c18123530e92e794ad901a4/demo/data/gallery/03_blocks.mp4",
                 .word = "blocks",
                 .licence = "Apache-2.0",
                 .is_extra = true,
                 .n_frames = 292,
                 .frames = {"9aaf5a025a56639224cb186cd8def29d", "6ae5824fb4de10caa3cd93e5fd42908b"}},
                {.name = "04_ladybug.wmv",
                 .n_bytes = 853574,
                 .sha256 = "e11f335f56d6df371f10dfdbada6bb55bbeb80324f0800096c2f4bae439bddfd",
                 .address = "https://raw.githubusercontent.com/microsoft/Windows-universal-samples/"
                            "534d40ae64cc6a0ad03b1f0c53236845125abeb2/SharedContent/media/Samples/ladybug.wmv",
                 .word = "ladybug",
                 .licence = "MIT",
                 .is_extra = true,
                 .n_frames = 301,
                 .frames = {"c98f30758521741a4bd8edb7209ce1d4", "c8637001daee928e016df10082d41f2c"}},
                {.name = "05_fishes.wmv",
                 .n_bytes = 1661574,
                 .sha256 = "fb794e2d01927f00ef417792fce3db67b9adbeb2d30b7fd4d9e30819326bf04b",
                 .address = "https://raw.githubusercontent.com/microsoft/Windows-universal-samples/"
                            "534d40ae64cc6a0ad03b1f0c53236845125abeb2/SharedContent/media/Samples/fishes.wmv",
                 .word = "fishes",
                 .licence = "MIT",
                 .is_extra = true,
                 .n_frames = 310,
                 .frames = {"fc80ac8a9188c9ca2ad9c9f2a46cf29f", "c5e6710fb91b32bbe7224cc08c8d4178"}},
                {.name = "09_coffee.mp4",
                 .n_bytes = 1177415,
                 .sha256 = "f9a439a8bf66910db3e2a9d9ea853bc24c760c8d4ca227f4c33051b1cef28c03",
                 .address = "https://raw.githubusercontent.com/facebookresearch/sam2/"
                            "2b90b9f5ceec907a1c18123530e92e794ad901a4/demo/data/gallery/04_coffee.mp4",
                 .word = "coffee",
                 .licence = "Apache-2.0",
                 .is_extra = true,
                 .n_frames = 287,
                 .frames = {"da267cb5e39a062c1ed1ff2c8e7e870d", "9cfdea067a4b17c74899a4f9d0ef3348"}},
                {.name = "06_cup.mp4",
                 .n_bytes = 1575951,
                 .sha256 = "37db9cee98f70b1458985a15ad2e5b0183e90e24c281b534afcf812e5986154f",
                 .address = "https://raw.githubusercontent.com/opencv/opencv/001a2c51958ebe332562df13e9630768b66def57/"
                            "doc/js_tutorials/js_assets/cup.mp4",
                 .word = "cup",
                 .licence = "Apache-2.0",
                 .n_frames = 217,
                 .frames = {"3ae6e60ee713b2467c9f4e5173aefac9", "14c76dc81b5a72cfb459bd9a748e328c"}},
            },
        .size = {{160, 120}, {48, 32}},
        .next = "samebits-data convert public -o public.h5",
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
        .summary = "ten kinds of colored shapes, 32x32, made by integer arithmetic",
        .source = "samebits-data synth shapes",
        .licence = "Apache-2.0",
        .next = "samebits-data synth shapes -o shapes.h5",
    },
    {
        .name = "text",
        .origin = SB_ORIGIN_SYNTH,
        .kind = "text",
        .summary = "a play in sentences of a small grammar, made by integer arithmetic",
        .source = "samebits-data synth text",
        .licence = "Apache-2.0",
        .next = "samebits-data synth text -o text.h5",
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
    for (const sb_catalog_file *file = entry->file; file->name; file++) n_bytes += file->is_extra ? 0 : file->n_bytes;
    return n_bytes;
}

static sb_status choose(const sb_catalog_entry *entry, const char *word, bool chosen[SB_CATALOG_FILES])
{
    sb_nearest nearest = sb_nearest_begin(word);
    for (int i = 0; entry->file[i].name; i++) {
        const char *own = entry->file[i].word;
        if (strcmp(word, "all") != 0 && (!own || strcmp(word, own) != 0)) {
            if (own) sb_nearest_offer(&nearest, own);
            continue;
        }
        chosen[i] = true;
        if (own && strcmp(word, own) == 0) return SB_OK;
    }
    return strcmp(word, "all") == 0 ? SB_OK
                                    : sb_usage_unknown(entry->name, "file", &nearest, "samebits-data list public");
}

sb_status sb_catalog_choose(const sb_catalog_entry *entry, const sb_arguments *words, bool chosen[SB_CATALOG_FILES])
{
    for (int i = 0; i < SB_CATALOG_FILES; i++)
        chosen[i] = words->n == 0 && entry->file[i].name && !entry->file[i].is_extra;
    for (int i = 0; i < words->n; i++) SB_TRY(choose(entry, words->item[i], chosen));
    return SB_OK;
}

void sb_catalog_folder(const sb_catalog_entry *entry, const char *cache, char folder[SB_PATH_MAX])
{
    const char *variable = getenv("SAMEBITS_CACHE");
    if (!cache || !*cache) cache = variable && *variable ? variable : "cache";
    snprintf(folder, SB_PATH_MAX, "%s/%s", cache, entry->name);
}
