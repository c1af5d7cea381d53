#include "core/hash.h"
#include "core/size.h"
#include "core/status.h"
#include "datasets/catalog/catalog.h"
#include "datasets/convert/clip.h"
#include "datasets/convert/convert.h"
#include "io/dataset.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the file says of its making. */
typedef struct origin {
    char converter[80], software[512], sha256[4096];
} origin;

static sb_status read_origin(const char *path, origin *o)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_DATA));
    SB_TRY(sb_h5_get_text(file, "", "converter", o->converter, sizeof o->converter));
    SB_TRY(sb_h5_get_text(file, "", "software", o->software, sizeof o->software));
    return sb_h5_get_text(file, "", "sha256", o->sha256, sizeof o->sha256);
}

/* The row that states the frames of such a data set, and which of its sizes this is; NULL: none. */
static const sb_catalog_entry *find_row(const sb_catalog_entry *catalog, const sb_dataset_facts *facts, int *size)
{
    const sb_catalog_entry *entry = catalog;
    while (entry->name && strcmp(entry->name, facts->name) != 0) entry++;
    for (*size = 0; entry->name && *size < SB_CATALOG_SIZES && entry->size[*size].w; ++*size)
        if ((size_t)entry->size[*size].w == facts->w && (size_t)entry->size[*size].h == facts->h) return entry;
    return NULL;
}

static sb_status hash_frames(sb_dataset *dataset, size_t first, size_t n, char hex[SB_HASH_TEXT])
{
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    const size_t n_bytes = facts->h * facts->w * facts->c;
    SB_FREED uint8_t *frame = sb_size_allocate(n_bytes, 1);
    sb_hasher *hasher = sb_hasher_begin();
    sb_status status = frame && hasher ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a frame");
    for (size_t i = 0; i < n && status == SB_OK; i++) {
        status = sb_dataset_read(dataset, first + i, 1, frame);
        sb_hasher_add(hasher, frame, n_bytes, 1);
    }
    if (hasher) sb_hash_text(sb_hasher_end(hasher), hex);
    return status;
}

/* The row's files that the data set was made of, one after the other. */
static sb_status check_files(sb_dataset *dataset, const char *path, const sb_catalog_entry *entry, int size,
                             const origin *o)
{
    const size_t n_frames = sb_dataset_about(dataset)->n;
    size_t first = 0;
    for (const sb_catalog_file *file = entry->file; file->name; first += file->n_frames, file++) {
        char hex[SB_HASH_TEXT] = "";
        while (file->name && !strstr(o->sha256, file->sha256)) file++;
        if (!file->name) break;
        if (first + file->n_frames <= n_frames) SB_TRY(hash_frames(dataset, first, (size_t)file->n_frames, hex));
        if (strcmp(hex, file->frames[size]) != 0)
            return sb_fail(SB_E_INTEGRITY, "%s: the frames of %s differ from the reference; made by %s", path,
                           file->name, o->software);
    }
    return SB_OK;
}

sb_status sb_known_frames_check(const char *path, const sb_catalog_entry *catalog)
{
    origin o;
    SB_OWNED(sb_dataset_leave) sb_dataset *dataset = NULL;
    int size;
    SB_TRY(read_origin(path, &o));
    SB_TRY(sb_dataset_open(&dataset, path));
    const sb_catalog_entry *entry = find_row(catalog, sb_dataset_about(dataset), &size);
    const char *name = strrchr(o.converter, ' ');
    const bool is_comparable = entry && name && strcmp(name + 1, entry->name) == 0;
    return is_comparable ? check_files(dataset, path, entry, size, &o) : SB_OK;
}

typedef struct values {
    const char *from, *cache, *output;
    sb_size size;
    long threads;
    bool any_frames;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, from, "--from", "FOLDER", NULL, "folder with the videos; default: CACHE/public"),
    SB_OPTION_TEXT(values, cache, "--cache", "DIR", NULL, "cache folder; default: $SAMEBITS_CACHE, else 'cache'"),
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "public.h5", "data set file to write"),
    SB_OPTION_SIZE(values, size, "--size", "160x120", 1, 8192,
                   "size of the frames; the middle of each video is cut to this shape"),
    SB_OPTION_INT(values, threads, "--threads", "N", "1", 1, 64,
                  "threads of the decoder; they do not change the pixels"),
    SB_OPTION_FLAG(values, any_frames, "--any-frames",
                   "write frames that differ from the reference's too, as public-other"),
    SB_OPTION_END,
};

/* The files in the row's order, and where their shots begin. The caller frees media. */
typedef struct selection {
    sb_media media;
    sb_list starts;
    char licence[160];
} selection;

static void add_shots(selection *s, const sb_catalog_file *file, int first)
{
    s->starts.item[s->starts.n++] = first;
    for (int i = 0; i < SB_CATALOG_CUTS && file->cut[i]; i++) s->starts.item[s->starts.n++] = first + file->cut[i];
}

static void add_licence(selection *s, const char *licence)
{
    const size_t used = strlen(s->licence);
    if (!strstr(s->licence, licence))
        snprintf(s->licence + used, sizeof s->licence - used, "%s%s", used ? "; " : "", licence);
}

static sb_status add_file(selection *s, const sb_catalog_file *file, const char *folder, int first)
{
    char path[SB_PATH_MAX], hex[SB_SHA256_TEXT];
    if (snprintf(path, sizeof path, "%s/%s", folder, file->name) >= SB_PATH_MAX) return sb_file_too_long(folder);
    if (!sb_file_exists(path))
        return sb_fail(SB_E_MISSING, "%s: not here; 'samebits-data fetch public %s' downloads it", path, file->word);
    SB_TRY(sb_sha256_file(path, hex));
    if (strcmp(hex, file->sha256) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: its sha256 is %s, %s expected: another file", path, hex, file->sha256);
    SB_TRY(sb_media_add(&s->media, path));
    add_shots(s, file, first);
    add_licence(s, file->licence);
    return SB_OK;
}

static sb_status select_files(selection *s, const sb_catalog_entry *entry, const sb_arguments *words,
                              const char *folder)
{
    bool chosen[SB_CATALOG_FILES];
    int first = 0;
    SB_TRY(sb_catalog_choose(entry, words, chosen));
    for (int i = 0; i < SB_CATALOG_FILES; i++) {
        if (!chosen[i]) continue;
        SB_TRY(add_file(s, &entry->file[i], folder, first));
        first += entry->file[i].n_frames;
    }
    return SB_OK;
}

static sb_status write_frames(const selection *s, const values *v, const sb_catalog_entry *entry)
{
    char crop[32];
    snprintf(crop, sizeof crop, "%d:%d", v->size.w, v->size.h);
    const sb_clip_options clip = {
        .size = v->size, .crop = crop, .scaler = "area", .starts = s->starts, .threads = v->threads};
    return sb_clip_write(v->output, &s->media, &clip,
                         &(sb_provenance){
                             .name = v->any_frames ? "public-other" : entry->name,
                             .kind = "video",
                             .source = entry->source,
                             .url = entry->url,
                             .licence = s->licence,
                             .command = &sb_verb_convert_public,
                             .values = v,
                         });
}

/* Frames of another build's decoder are not kept under this name: runs that learned from them compare with none. */
static sb_status check_frames(const char *path)
{
    char sentence[700];
    const sb_status status = sb_known_frames_check(path, sb_catalog());
    if (status != SB_E_INTEGRITY) return status;
    snprintf(sentence, sizeof sentence, "%s", sb_message());
    unlink(path);
    return sb_fail(status, "%s; removed, --any-frames keeps them", sentence);
}

static sb_status convert_public(const sb_call *call)
{
    const values *v = call->values;
    const sb_catalog_entry *entry;
    char cached[SB_PATH_MAX];
    selection s = {0};
    SB_TRY(sb_catalog_find("public", &entry));
    sb_catalog_folder(entry, v->cache, cached);
    sb_status status = select_files(&s, entry, &call->arguments, v->from ? v->from : cached);
    if (status == SB_OK) status = write_frames(&s, v, entry);
    if (status == SB_OK) status = check_frames(v->output);
    sb_media_free(&s.media);
    return status;
}

const sb_command sb_verb_convert_public = {
    .program = "samebits-data",
    .verb = "convert public",
    .summary = "convert the videos that anyone may use into one data set, public.h5",
    .arguments = "[FILE...]",
    .options = options,
    .values_bytes = sizeof(values),
    .max_arguments = SB_CATALOG_FILES,
    .epilogue = "FILE is a word of 'samebits-data list public', or 'all'; default: walk, highway and cup. Each video, "
                "and each\n"
                "shot of one, is a sequence. At 160x120 and 48x32 the frames are compared with the reference's, which\n"
                "libav 59, 60 and 61 have made alike.\n",
    .run = convert_public,
};
