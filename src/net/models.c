#include "net/models.h"

#include <string.h>

static const sb_model models[] = {
#define VIDEO                                          SB_LEARNS_FROM_VIDEO
#define IMAGES                                         SB_LEARNS_FROM_IMAGES
#define TEXT                                           SB_LEARNS_FROM_TEXT
#define ROW(id, name, data, settings, recipe, summary) {name, data, sb_##id##_model_open},
    SB_MODELS(ROW)};

const sb_model *sb_model_find(const char *name)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i].name, name) == 0) return &models[i];
    return NULL;
}

bool sb_model_learns_from_video(const char *name)
{
    return sb_model_find(name)->data == SB_LEARNS_FROM_VIDEO;
}

sb_model_data sb_model_data_of(const sb_settings *settings)
{
    const char *layers = settings->layers;
    if (strcmp(settings->model, "layers") == 0 && layers && sb_layer_text_next(&layers).id == SB_LAYER_embedding)
        return SB_LEARNS_FROM_TEXT;
    return sb_model_find(settings->model)->data;
}

sb_status sb_model_unknown(const char *path, const char *name)
{
    return sb_fail(SB_E_USAGE, "%s: there is no network '%.64s'; this program knows %s", path, name, SB_MODEL_WORDS);
}
