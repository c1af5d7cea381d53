#include "matrix/cells/cells.h"

#include "core/file.h"
#include "core/rows/layer_text.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    sb_layer_files *files;
    const char *path; /* of the matrix file */
} reading;

static sb_status note(sb_layer_files *files, const char *name)
{
    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->name[i], name) == 0) return SB_OK;
    char **grown = realloc(files->name, (files->n + 1) * sizeof *grown);
    char *copy = strdup(name);
    if (grown) files->name = grown;
    if (!grown || !copy) {
        free(copy);
        return sb_fail(SB_E_MEMORY, "not enough memory for the matrix");
    }
    files->name[files->n++] = copy;
    return SB_OK;
}

/* Replace the path of a file, relative to the matrix file, by the network in it. */
static sb_status read_value(const reading *r, char **value)
{
    char path[SB_PATH_MAX];
    sb_layer_text text;
    if (!*value || !sb_layer_text_is_file(*value)) return SB_OK;
    sb_file_beside(r->path, *value, path);
    SB_TRY(note(r->files, *value));
    SB_TRY(sb_layer_text_read(&text, path));
    char *line = strdup(text.text);
    if (!line) return sb_fail(SB_E_MEMORY, "not enough memory for the matrix");
    free(*value);
    *value = line;
    return SB_OK;
}

static sb_status read_rows(const reading *r, sb_row *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) SB_TRY(read_value(r, &rows[i].value[SB_SETTING_LAYERS]));
    return SB_OK;
}

sb_status sb_layer_files_read(sb_layer_files *files, sb_matrix *matrix, const char *path)
{
    const reading r = {files, path};
    *files = (sb_layer_files){0};
    SB_TRY(read_rows(&r, &matrix->defaults, 1));
    for (uint32_t i = 0; i < matrix->n_studies; i++) {
        sb_study *study = &matrix->studies[i];
        SB_TRY(read_rows(&r, &study->options, 1));
        SB_TRY(read_rows(&r, study->zip, study->n_zip));
        SB_TRY(read_rows(&r, study->include, study->n_include));
        sb_value_list *axis = &study->axes[SB_SETTING_LAYERS];
        for (uint32_t k = 0; k < axis->n; k++) SB_TRY(read_value(&r, &axis->item[k]));
    }
    return SB_OK;
}

void sb_layer_files_free(sb_layer_files *files)
{
    for (size_t i = 0; i < files->n; i++) free(files->name[i]);
    free(files->name);
    *files = (sb_layer_files){0};
}
