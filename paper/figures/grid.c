#include "paper/figures/grid.h"

#include "core/size.h"
#include "io/png.h"
#include "paper/files/output.h"
#include "paper/results/recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sb_grid_blit(uint8_t *picture, size_t width, size_t x, size_t y, const uint8_t *frame, size_t h, size_t w,
                  int scale)
{
    size_t s = (size_t)scale;
    for (size_t row = 0; row < h * s; row++)
        for (size_t column = 0; column < w * s; column++)
            memcpy(picture + 3 * ((y + row) * width + x + column), frame + 3 * (row / s * w + column / s), 3);
}

/* A picture of rows and columns under construction. */
typedef struct grid_canvas {
    size_t width, height, step_x, step_y;
    uint8_t *rgb;
    size_t n_arms, n_absent; /* rows wanted, rows that could not be drawn */
    char absent[768];        /* why the first of them could not */
} grid_canvas;

static sb_status open_canvas(grid_canvas *canvas, const sb_frame_grid *grid, size_t n_rows)
{
    canvas->step_x = grid->frame_w * (size_t)grid->scale + SB_GRID_GAP;
    canvas->step_y = grid->frame_h * (size_t)grid->scale + SB_GRID_GAP;
    canvas->width = grid->n_columns * canvas->step_x - SB_GRID_GAP;
    canvas->height = n_rows * canvas->step_y - SB_GRID_GAP;
    canvas->rgb = malloc(3 * canvas->width * canvas->height);
    if (!canvas->rgb) return sb_fail(SB_E_MEMORY, "not enough memory for the grid of frames");
    memset(canvas->rgb, 255, 3 * canvas->width * canvas->height);
    return SB_OK;
}

/* The last frames of the run, as many as there are columns. */
static void blit_row(const grid_canvas *canvas, const sb_frame_grid *grid, size_t row, const uint8_t *frames,
                     size_t n_frames)
{
    size_t n_bytes = 3 * grid->frame_h * grid->frame_w;
    for (size_t column = 0; column < grid->n_columns; column++)
        sb_grid_blit(canvas->rgb, canvas->width, column * canvas->step_x, row * canvas->step_y,
                     frames + (n_frames - grid->n_columns + column) * n_bytes, grid->frame_h, grid->frame_w,
                     grid->scale);
}

/* The first run decides which frames are shown. */
static void take_form(sb_frame_grid *grid, const sb_frames *frames)
{
    grid->n_columns = frames->n < SB_GRID_COLUMNS ? frames->n : SB_GRID_COLUMNS;
    grid->frame_h = frames->h;
    grid->frame_w = frames->w;
    grid->scale = frames->w < SB_GRID_CELL ? (int)((SB_GRID_CELL + frames->w - 1) / frames->w) : 1;
    memcpy(grid->frame, frames->frame + frames->n - grid->n_columns, grid->n_columns * sizeof *grid->frame);
}

static bool same_form(const sb_frame_grid *grid, const sb_frames *frames)
{
    return frames->h == grid->frame_h && frames->w == grid->frame_w && frames->n >= grid->n_columns &&
           memcmp(grid->frame, frames->frame + frames->n - grid->n_columns, grid->n_columns * sizeof *grid->frame) == 0;
}

static void add_row(sb_frame_grid *grid, const grid_canvas *canvas, const char *label, long seed, const uint8_t *frames,
                    size_t n_frames)
{
    snprintf(grid->label[grid->n_rows], sizeof *grid->label, "%s", label);
    grid->seed[grid->n_rows] = seed;
    blit_row(canvas, grid, grid->n_rows++, frames, n_frames);
}

static void leave_out(grid_canvas *canvas, const sb_result *cell, const char *reason)
{
    if (canvas->n_absent++ == 0) snprintf(canvas->absent, sizeof canvas->absent, "cell %s: %s", cell->name, reason);
}

/* The row of one arm, whose frames are the caller's then, {0} where there is no row; the first one that has frames
 * brings the true ones with it. */
static sb_status draw_arm(sb_frame_grid *grid, grid_canvas *canvas, size_t n_rows_max, const sb_configuration *setting,
                          int t, const sb_results *results, sb_frames *frames)
{
    const sb_result *cell = setting->arm[t].cell[0];
    sb_status status = sb_run_frames(frames, results, cell);
    canvas->n_arms++;
    if (status == SB_E_EMPTY) {
        leave_out(canvas, cell, sb_message());
        return SB_OK;
    }
    if (status != SB_OK) return status;
    if (!canvas->rgb) {
        take_form(grid, frames);
        status = open_canvas(canvas, grid, n_rows_max);
        if (status == SB_OK) add_row(grid, canvas, "true", 0, frames->truth, frames->n);
    }
    char label[sizeof *grid->label];
    snprintf(label, sizeof label, "%s, %s", setting->label, sb_target_name[t]);
    const bool fits = status == SB_OK && same_form(grid, frames);
    if (fits) add_row(grid, canvas, label, cell->seed, frames->predicted, frames->n);
    if (!fits && status == SB_OK) leave_out(canvas, cell, "its frames differ from the first row");
    if (!fits) sb_frames_free(frames);
    return status;
}

int sb_grid_difference(uint8_t *difference, const uint8_t *a, const uint8_t *b, size_t n)
{
    int largest = 0, factor = SB_GRID_FACTOR_MAX;
    for (size_t i = 0; i < n; i++)
        if (abs(a[i] - b[i]) > largest) largest = abs(a[i] - b[i]);
    while (factor > 1 && factor * largest > SB_GRID_GREY - 1) factor /= 2;
    for (size_t i = 0; i < n; i++) {
        int value = SB_GRID_GREY + factor * (a[i] - b[i]);
        difference[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
    return largest ? factor : 0;
}

/* Below the predictions with both targets, what they differ in; of runs that start from the same weights. */
static sb_status draw_difference(sb_frame_grid *grid, const grid_canvas *canvas, const sb_configuration *setting,
                                 const sb_frames frames[SB_N_TARGETS])
{
    const sb_frames *copy = &frames[SB_TARGET_COPY], *shared = &frames[SB_TARGET_SHARED];
    const long seed = setting->arm[SB_TARGET_COPY].n ? setting->arm[SB_TARGET_COPY].cell[0]->seed : 0;
    if (copy->n == 0 || shared->n == 0 || setting->arm[SB_TARGET_SHARED].cell[0]->seed != seed) return SB_OK;
    const size_t frame_bytes = 3 * grid->frame_h * grid->frame_w, n_bytes = grid->n_columns * frame_bytes;
    SB_FREED uint8_t *difference = sb_size_allocate(n_bytes, 1);
    if (!difference) return sb_fail(SB_E_MEMORY, "not enough memory for the grid of frames");
    const int factor = sb_grid_difference(difference, shared->predicted + shared->n * frame_bytes - n_bytes,
                                          copy->predicted + copy->n * frame_bytes - n_bytes, n_bytes);
    char label[sizeof *grid->label];
    if (factor)
        snprintf(label, sizeof label, "%s, shared minus copy, %d times", setting->label, factor);
    else
        snprintf(label, sizeof label, "%s, shared minus copy: no difference", setting->label);
    add_row(grid, canvas, label, seed, difference, grid->n_columns);
    grid->n_differences++;
    return SB_OK;
}

static sb_status draw_setting(sb_frame_grid *grid, grid_canvas *canvas, size_t n_rows_max,
                              const sb_configuration *setting, const sb_results *results)
{
    sb_frames frames[SB_N_TARGETS] = {0};
    sb_status status = SB_OK;
    for (int t = 0; t < SB_N_TARGETS && status == SB_OK; t++)
        if (setting->arm[t].n) status = draw_arm(grid, canvas, n_rows_max, setting, t, results, &frames[t]);
    if (status == SB_OK) status = draw_difference(grid, canvas, setting, frames);
    for (int t = 0; t < SB_N_TARGETS; t++) sb_frames_free(&frames[t]);
    return status;
}

static sb_status draw_rows(sb_frame_grid *grid, grid_canvas *canvas, const sb_group *group, const sb_results *results)
{
    size_t n_rows_max = 1 + (SB_N_TARGETS + 1) * group->n_settings;
    grid->label = calloc(n_rows_max, sizeof *grid->label);
    grid->seed = calloc(n_rows_max, sizeof *grid->seed);
    if (!grid->label || !grid->seed) return sb_fail(SB_E_MEMORY, "not enough memory for the grid of frames");
    for (int gpu = 0; gpu < 2; gpu++)
        for (size_t i = 0; i < group->n_settings; i++)
            if (sb_recipe_on_gpu(group->setting[i].cell) == gpu)
                SB_TRY(draw_setting(grid, canvas, n_rows_max, &group->setting[i], results));
    return SB_OK;
}

void sb_grid_write_differences(sb_writer *out, const sb_frame_grid *grid)
{
    if (grid->n_differences)
        sb_write(
            out,
            " In a row of differences grey is no difference; what the shared target makes brighter is brighter than "
            "grey, what it makes darker is darker, by as many times the difference as the row's name says.");
}

sb_status sb_grid_draw(sb_frame_grid *grid, const sb_group *group, const sb_results *results, const char *folder,
                       const char *name, sb_notes *notes)
{
    *grid = (sb_frame_grid){0};
    grid_canvas canvas = {0};
    sb_status status = draw_rows(grid, &canvas, group, results);
    if (status == SB_OK && canvas.n_absent)
        status = sb_notes_add(notes, "%s on %s: no predicted frames of %zu of %zu conditions; the first is %s",
                              group->study, group->data, canvas.n_absent, canvas.n_arms, canvas.absent);
    if (status == SB_OK && grid->n_rows) {
        char path[SB_PATH_MAX];
        status = sb_path_join(path, folder, "%s.png", name);
        /* Rows that were left out stood last in the picture: it ends above them. */
        size_t height = grid->n_rows * canvas.step_y - SB_GRID_GAP;
        if (status == SB_OK) status = sb_png_write(path, canvas.width, height, canvas.rgb);
    }
    free(canvas.rgb);
    if (status != SB_OK) sb_grid_free(grid);
    return status;
}

void sb_grid_free(sb_frame_grid *grid)
{
    free(grid->seed);
    free(grid->label);
    *grid = (sb_frame_grid){0};
}
