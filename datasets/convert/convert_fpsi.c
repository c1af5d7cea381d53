#include "datasets/catalog/catalog.h"
#include "datasets/convert/clip.h"
#include "datasets/convert/convert.h"
#include "datasets/convert/fpsi.h"

#include "core/text/plural.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct values {
    const char *from, *cache, *output;
    sb_clip_options clip;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, from, "--from", "FOLDER", NULL,
                   "folder with the videos or the selection; default: CACHE/fpsi"),
    SB_OPTION_TEXT(values, cache, "--cache", "DIR", NULL, "cache folder; default: $SAMEBITS_CACHE, else 'cache'"),
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "fpsi.h5", "data set file to write"),
    SB_CLIP_OPTIONS(values),
    SB_OPTION_END,
};

/* The path of a video in the folder; the extension may be in capitals, or another container's. */
static bool find_video(const char *folder, const char *name, char path[SB_PATH_MAX])
{
    size_t stem = strcspn(name, ".");
    DIR *listing = folder ? opendir(folder) : NULL;
    bool found = false;
    for (struct dirent *entry; listing && !found && (entry = readdir(listing));) {
        const char *dot = entry->d_name + stem;
        if (strlen(entry->d_name) <= stem || strncasecmp(entry->d_name, name, stem) != 0) continue;
        found = strcasecmp(dot, ".avi") == 0 || strcasecmp(dot, ".mp4") == 0 || strcasecmp(dot, ".mkv") == 0;
        if (found) snprintf(path, SB_PATH_MAX, "%.3800s/%.250s", folder, entry->d_name);
    }
    if (listing) closedir(listing);
    return found;
}

sb_status sb_fpsi_explain(const char *folder)
{
    const sb_catalog_entry *entry;
    char path[SB_PATH_MAX];
    int n = 0, n_missing = 0;
    SB_TRY(sb_catalog_find("fpsi", &entry));
    fprintf(stderr, "FPSI, the study's footage, is eight videos:\n");
    for (const sb_catalog_file *file = entry->file; file->name; file++, n++) {
        bool found = find_video(folder, file->name, path);
        n_missing += !found;
        fprintf(stderr, "  %-24s %s\n", file->name, found ? "here" : "missing");
    }
    fprintf(stderr,
            "Their page is %s, but the host its links point to no longer\n"
            "resolves: ask its authors, or a colleague who has them. The study's own selection at 160x120 is figshare\n"
            "record 5483668 (https://doi.org/10.6084/m9.figshare.5483668, CC BY 4.0); a browser can download it.\n"
            "  with the videos:         put them into a folder, then  %s\n"
            "  with the selection:      unpack it into one, then the same\n"
            "  with a part of them:     samebits-data convert video FILE... -o fpsi.h5\n"
            "  with any other footage:  samebits-data convert video CLIP -o clip.h5\n"
            "  with nothing:            make demo, which makes its own walk\n",
            entry->url, entry->next);
    return sb_fail(SB_E_MISSING, "%s: %d of the %d FPSI videos are missing", folder ? folder : "fpsi", n_missing, n);
}

/* What is written, and where it comes from. */
typedef struct footage {
    sb_media media;
    sb_clip_options clip;
    const char *source, *url, *licence;
} footage;

static sb_status add_videos(footage *f, const sb_catalog_entry *entry, const char *folder)
{
    char path[SB_PATH_MAX];
    f->source = entry->source, f->url = entry->url, f->licence = entry->licence;
    for (const sb_catalog_file *file = entry->file; file->name; file++) {
        if (!find_video(folder, file->name, path)) return sb_fpsi_explain(folder);
        SB_TRY(sb_media_add(&f->media, path));
    }
    fprintf(stderr, "%s: the study's eight videos\n", folder);
    return SB_OK;
}

static sb_status add_selection(footage *f, const char *folder)
{
    char order[SB_FPSI_ORDER];
    bool found;
    size_t n_sequences = 0, n = 0;
    SB_TRY(sb_fpsi_selection(&f->media, folder, &found, order));
    if (!found) return sb_fpsi_explain(folder);
    if (f->clip.drop_first)
        return sb_fail(SB_E_USAGE, "%s: the frames of the study's selection; --drop-first is for its videos", folder);
    f->clip.source = (sb_size){SB_FPSI_WIDTH, SB_FPSI_HEIGHT};
    f->source = "a selection of FPSI's frames by E. Watanabe's group, figshare 5483668";
    f->url = "https://doi.org/10.6084/m9.figshare.5483668";
    f->licence = "CC BY 4.0";
    for (; n < (size_t)f->media.n; n++) n_sequences += f->media.file[n].starts_sequence;
    fprintf(stderr, "%s: the study's selection of frames: %zu sequence%s, %zu file%s, %s\n", folder, n_sequences,
            sb_plural(n_sequences), n, sb_plural(n), order);
    return SB_OK;
}

static bool has_a_video(const sb_catalog_entry *entry, const char *folder)
{
    char path[SB_PATH_MAX];
    const sb_catalog_file *file = entry->file;
    while (file->name && !find_video(folder, file->name, path)) file++;
    return file->name != NULL;
}

static sb_status convert_fpsi(const sb_call *call)
{
    values *v = call->values;
    const sb_catalog_entry *entry;
    char cached[SB_PATH_MAX];
    SB_TRY(sb_catalog_find("fpsi", &entry));
    sb_catalog_folder(entry, v->cache, cached);
    const char *folder = v->from ? v->from : cached;
    footage f = {.clip = v->clip};
    sb_status status = has_a_video(entry, folder) ? add_videos(&f, entry, folder) : add_selection(&f, folder);
    if (status == SB_OK)
        status = sb_clip_write(v->output, &f.media, &f.clip,
                               &(sb_provenance){
                                   .name = entry->name,
                                   .kind = "video",
                                   .source = f.source,
                                   .url = f.url,
                                   .licence = f.licence,
                                   .command = call->command,
                                   .values = v,
                               });
    sb_media_free(&f.media);
    return status;
}

const sb_command sb_verb_convert_fpsi = {
    .program = "samebits-data",
    .verb = "convert fpsi",
    .summary = "convert the eight FPSI videos of the study, or its selection of frames, into one data set, fpsi.h5",
    .options = options,
    .values_bytes = sizeof(values),
    .epilogue =
        "The study skips the first frame of each video: --drop-first does the same.\n"
        "The selection is figshare record 5483668, frames of 160x120. sequence_list.txt names the lists of the "
        "sequences in order;\n"
        "NAME/train_list.txt has the frames of a sequence. Without lists each subfolder is a sequence, with images "
        "in the order of\n"
        "their numbers. The record could not be downloaded here, so its layout was never checked.\n"
        "The command prints what it finds before it writes anything.\n",
    .run = convert_fpsi,
};
