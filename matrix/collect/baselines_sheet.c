#include "matrix/collect/sheets.h"

#include "matrix/data/data_source.h"

#include "core/command/options.h"
#include "io/baselines.h"
#include "io/columns.h"
#include "io/sums.h"
#include "io/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is needed ---- */

static bool same_request(const sb_baseline_request *a, const sb_baseline_request *b)
{
    return strcmp(a->digest, b->digest) == 0 && a->window == b->window && a->updates == b->updates;
}

sb_status sb_baseline_requests_add(sb_baseline_requests *requests, const sb_data_source *data, const char *digest,
                                   const char *window, long updates)
{
    sb_baseline_request request = {.data = data, .updates = updates};
    if (strlen(digest) != SB_HASH_TEXT - 1 || !sb_parse_int(window, 1, 1e6, &request.window)) return SB_OK;
    memcpy(request.digest, digest, SB_HASH_TEXT);
    for (size_t i = 0; i < requests->n; i++)
        if (same_request(&requests->item[i], &request)) return SB_OK;
    sb_baseline_request *more = realloc(requests->item, (requests->n + 1) * sizeof *more);
    if (!more) return sb_fail(SB_E_MEMORY, "not enough memory for baselines");
    requests->item = more;
    more[requests->n++] = request;
    return SB_OK;
}

void sb_baseline_requests_free(sb_baseline_requests *requests)
{
    free(requests->item);
    *requests = (sb_baseline_requests){0};
}

bool sb_baseline_requests_hold(const sb_baseline_requests *requests, const char *digest, const char *window,
                               const char *updates)
{
    const long wanted_window = strtol(window, NULL, 10), wanted_updates = strtol(updates, NULL, 10);
    for (size_t i = 0; i < requests->n; i++) {
        const sb_baseline_request *r = &requests->item[i];
        if (strcmp(r->digest, digest) == 0 && r->window == wanted_window && r->updates == wanted_updates) return true;
    }
    return false;
}

/* ---- from the data set ---- */

/* The data set that the request is of. SB_E_MISSING: it is not here. SB_E_INTEGRITY: another one lies in its place. */
static sb_status open_data(sb_dataset **dataset, const sb_baseline_request *request, const char *folder)
{
    char path[SB_PATH_MAX], digest[SB_HASH_TEXT];
    SB_TRY(sb_data_source_path(path, request->data, folder));
    if (!sb_file_exists(path)) return sb_fail(SB_E_MISSING, "%s: not here", path);
    SB_TRY(sb_dataset_digest_file(path, digest));
    if (strcmp(digest, request->digest) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: not what the runs learned from; its digest is %s", path, digest);
    return sb_dataset_open(dataset, path);
}

/* Rows of all requests from `first` on that are of the same data, in place of reading it again for each. */
static sb_status compute(sb_writer *csv, const sb_baseline_requests *requests, size_t first, sb_dataset *dataset)
{
    const sb_baseline_request *of = &requests->item[first];
    sb_baselines *baselines;
    if (sb_dataset_about(dataset)->kind != SB_DATASET_VIDEO) return SB_OK;
    SB_TRY(sb_baselines_open(&baselines, dataset));
    sb_status status = SB_OK;
    for (size_t i = first; status == SB_OK && i < requests->n; i++) {
        const sb_baseline_request *w = &requests->item[i];
        if (strcmp(w->digest, of->digest) == 0)
            status = sb_baselines_write(baselines, csv, of->data->name, w->digest, (int)w->window, w->updates);
    }
    sb_baselines_close(baselines);
    return status;
}

/* ---- from the table that is there ---- */

/* No rows where there is no such table, or one that was changed. */
static sb_status read_earlier(sb_table *earlier, const char *output)
{
    char path[SB_PATH_MAX], list[SB_PATH_MAX];
    sb_sums sums;
    const char *file = sb_columns_baselines.file;
    *earlier = (sb_table){0};
    if (snprintf(path, sizeof path, "%s/%s", output, file) >= SB_PATH_MAX ||
        snprintf(list, sizeof list, "%s/" SB_SUMS_FILE, output) >= SB_PATH_MAX)
        return sb_file_too_long(output);
    if (!sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_sums_read(&sums, list));
    sb_status status = sb_sums_check(&sums, output, file);
    sb_sums_free(&sums);
    return status == SB_OK ? sb_table_read(earlier, path, &sb_columns_baselines) : status;
}

static bool is_row_of(const sb_table *table, size_t row, const sb_baseline_request *request)
{
    char window[24], updates[24];
    snprintf(window, sizeof window, "%ld", request->window);
    snprintf(updates, sizeof updates, "%ld", request->updates);
    return strcmp(sb_table_text_or_none(table, row, "data_digest"), request->digest) == 0 &&
           strcmp(sb_table_text_or_none(table, row, "window"), window) == 0 &&
           strcmp(sb_table_text_or_none(table, row, "updates"), updates) == 0;
}

/* How many rows of the earlier table are the request's; written as they are, column by column of today. */
static size_t copy_rows(sb_writer *csv, const sb_table *earlier, const sb_baseline_request *request)
{
    size_t n = 0;
    for (size_t row = 0; row < earlier->n_rows; row++) {
        if (!is_row_of(earlier, row, request)) continue;
        for (size_t i = 0; i < sb_columns_baselines.n; i++)
            sb_write(csv, i ? ",%s" : "%s", sb_table_text_or_none(earlier, row, sb_columns_baselines.column[i].name));
        sb_write(csv, "\n");
        n++;
    }
    return n;
}

static void copy(sb_writer *csv, const sb_baseline_requests *requests, size_t first, const sb_table *earlier)
{
    size_t n = 0;
    for (size_t i = first; i < requests->n; i++)
        if (strcmp(requests->item[i].digest, requests->item[first].digest) == 0)
            n += copy_rows(csv, earlier, &requests->item[i]);
    if (n == 0) fprintf(stderr, "%s; its baselines are left out\n", sb_message());
}

/* ---- the table ---- */

static bool is_first_of_its_data(const sb_baseline_requests *requests, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(requests->item[k].digest, requests->item[i].digest) == 0) return false;
    return true;
}

static sb_status write_data(sb_writer *csv, const sb_baseline_requests *requests, size_t first, const char *folder,
                            const sb_table *earlier)
{
    sb_dataset *dataset;
    sb_status status = open_data(&dataset, &requests->item[first], folder);
    if (status == SB_E_MEMORY) return status;
    if (status != SB_OK) {
        copy(csv, requests, first, earlier);
        return SB_OK;
    }
    status = compute(csv, requests, first, dataset);
    sb_dataset_close(dataset);
    return status;
}

sb_status sb_baselines_sheet_write(sb_writer *csv, const sb_baseline_requests *requests, const char *folder,
                                   const char *output)
{
    sb_table earlier;
    sb_columns_write(csv, &sb_columns_baselines);
    sb_status status = read_earlier(&earlier, output);
    if (status == SB_E_MEMORY) return status;
    if (status != SB_OK) fprintf(stderr, "%s; its rows are not kept\n", sb_message());
    status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < requests->n; i++)
        if (is_first_of_its_data(requests, i)) status = write_data(csv, requests, i, folder, &earlier);
    sb_table_free(&earlier);
    return status;
}
