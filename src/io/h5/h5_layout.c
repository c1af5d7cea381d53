#include "io/h5/h5_layout.h"

#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_scale.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_shape(char text[160], const sb_h5_shape *shape)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < shape->rank; i++) used += (size_t)snprintf(text + used, 160 - used, "[%zu]", shape->dim[i]);
}

/* The row's shape with the letters that are known as numbers: "[n][28][28]". */
static void print_wanted(char text[160], const char *wanted, const sb_h5_dims *dims)
{
    size_t used = 0;
    *text = 0;
    for (const char *at = wanted; *at; at += *at == ' ') {
        int length = (int)strcspn(at, " ");
        size_t known = *at >= 'a' && *at <= 'z' ? dims->of[*at - 'a'] : 0;
        if (known)
            used += (size_t)snprintf(text + used, 160 - used, "[%zu]", known);
        else
            used += (size_t)snprintf(text + used, 160 - used, "[%.*s]", length, at);
        at += length;
    }
}

/* One letter or number of the row against one dimension; a letter that is not known yet is from now on. */
static bool agrees(const char *wanted, size_t dim, bool known[26], sb_h5_dims *dims)
{
    if (*wanted < 'a' || *wanted > 'z') return strtoul(wanted, NULL, 10) == dim;
    int letter = *wanted - 'a';
    if (!known[letter]) dims->of[letter] = dim;
    known[letter] = true;
    return dims->of[letter] == dim;
}

static bool has_shape(const char *wanted, const sb_h5_shape *shape, bool known[26], sb_h5_dims *dims)
{
    int rank = 0;
    for (const char *at = wanted; *at; at += *at == ' ', rank++) {
        if (rank >= shape->rank || !agrees(at, shape->dim[rank], known, dims)) return false;
        at += strcspn(at, " ");
    }
    return rank == shape->rank;
}

sb_status sb_h5_check_layout(sb_h5 *file, const sb_h5_row *row, size_t n_rows, sb_h5_dims *dims)
{
    bool known[26] = {false};
    *dims = (sb_h5_dims){0};
    for (size_t i = 0; i < n_rows; i++) {
        sb_h5_shape shape;
        char here[160], wanted[160];
        if (row[i].may_lack && !sb_h5_exists(file, row[i].name)) continue;
        SB_TRY(sb_h5_shape_of(file, row[i].name, &shape));
        if (!(row[i].types & 1u << shape.type))
            return sb_fail(SB_E_INTEGRITY, "%s: /%s holds numbers of another type than it should", sb_h5_path(file),
                           row[i].name);
        print_wanted(wanted, row[i].shape, dims);
        if (has_shape(row[i].shape, &shape, known, dims)) continue;
        print_shape(here, &shape);
        return sb_fail(SB_E_INTEGRITY, "%s: /%s is %s and should be %s", sb_h5_path(file), row[i].name,
                       *here ? here : "a single number", wanted);
    }
    return SB_OK;
}

static sb_status write_index(sb_h5 *file, const char *name, size_t n)
{
    SB_FREED int64_t *index = sb_size_allocate(n, sizeof *index);
    if (!index) return sb_h5_fail_memory(file);
    for (size_t i = 0; i < n; i++) index[i] = (int64_t)i;
    return sb_h5_write(file, name, SB_I64, 1, &n, index, SB_H5_PLAIN);
}

/* All dimensions or none: readers of netCDF refuse a data set of which some have a scale. */
static sb_status attach_scales(sb_h5 *file, const sb_h5_row *row)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, row->name, &shape));
    const char *at = row->scale;
    for (int i = 0; i < shape.rank; i++) {
        char scale[64];
        const int length = (int)strcspn(at, " ");
        assert(length > 0 && length < (int)sizeof scale);
        snprintf(scale, sizeof scale, "%.*s", length, at);
        if (!sb_h5_exists(file, scale)) SB_TRY(write_index(file, scale, shape.dim[i]));
        SB_TRY(sb_h5_attach_scale(file, row->name, (unsigned)i, scale));
        at += length + (at[length] == ' ');
    }
    return SB_OK;
}

static sb_status describe(sb_h5 *file, const sb_h5_row *row)
{
    if (row->units) SB_TRY(sb_h5_set_text(file, row->name, "units", row->units));
    if (row->long_name) SB_TRY(sb_h5_set_text(file, row->name, "long_name", row->long_name));
    return row->scale ? attach_scales(file, row) : SB_OK;
}

sb_status sb_h5_describe(sb_h5 *file, const sb_h5_row *row, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++)
        if (sb_h5_exists(file, row[i].name)) SB_TRY(describe(file, &row[i]));
    return SB_OK;
}
