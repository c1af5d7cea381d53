#include "datasets/convert/idx.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MAGIC_BYTES = 0x08, BLOCK = 1 << 16, N_MAX = 1 << 30 };

static uint32_t big_endian(const uint8_t *byte)
{
    return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

/* At most n_bytes; *n_read is smaller only where the file ends. Damage in the gzip is SB_E_INTEGRITY. */
static sb_status read_bytes(gzFile file, const char *path, uint8_t *bytes, size_t n_bytes, size_t *n_read)
{
    for (*n_read = 0; *n_read < n_bytes;) {
        size_t wanted = n_bytes - *n_read < BLOCK ? n_bytes - *n_read : BLOCK;
        int got = gzread(file, bytes + *n_read, (unsigned)wanted);
        int error;
        const char *why = gzerror(file, &error);
        if (error == Z_ERRNO) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
        if (error == Z_BUF_ERROR) return sb_fail(SB_E_INTEGRITY, "%s: the gzip ends too early; fetch it again", path);
        if (got < 0 || error != Z_OK)
            return sb_fail(SB_E_INTEGRITY, "%s: damaged gzip (%s); fetch it again", path, why);
        if (got == 0) return SB_OK;
        *n_read += (size_t)got;
    }
    return SB_OK;
}

static sb_status read_header(gzFile file, const char *path, int rank, sb_idx *idx)
{
    uint8_t header[4 * (1 + SB_IDX_RANK_MAX)];
    size_t wanted = 4 * (1 + (size_t)rank), got;
    SB_TRY(read_bytes(file, path, header, wanted, &got));
    uint32_t magic = got >= 4 ? big_endian(header) : 0, expected = MAGIC_BYTES << 8 | (uint32_t)rank;
    if (magic != expected)
        return sb_fail(SB_E_INTEGRITY, "%s: not an IDX file of %s: it begins with 0x%08x, not 0x%08x", path,
                       rank == 3 ? "images" : "labels", magic, expected);
    if (got < wanted) return sb_fail(SB_E_INTEGRITY, "%s: ends inside its header", path);
    idx->rank = rank;
    idx->n = 1;
    for (int i = 0; i < rank; i++) {
        idx->dim[i] = big_endian(header + 4 * (1 + i));
        if (idx->dim[i] == 0 || idx->dim[i] > N_MAX / idx->n)
            return sb_fail(SB_E_INTEGRITY, "%s: its header promises a size of %zu, which makes no sense", path,
                           idx->dim[i]);
        idx->n *= idx->dim[i];
    }
    return SB_OK;
}

/* The header is not believed: memory grows with what is really there. */
static sb_status read_body(gzFile file, const char *path, sb_idx *idx)
{
    size_t n = 0, capacity = 0, got;
    do {
        size_t room = capacity ? capacity : BLOCK;
        if (capacity + room > idx->n) room = idx->n - capacity;
        uint8_t *grown = realloc(idx->bytes, capacity + room);
        if (!grown) return sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu bytes", path, capacity + room);
        idx->bytes = grown;
        capacity += room;
        SB_TRY(read_bytes(file, path, idx->bytes + n, room, &got));
        n += got;
    } while (n == capacity && n < idx->n);
    if (n < idx->n)
        return sb_fail(SB_E_INTEGRITY, "%s: its header promises %zu bytes, the file holds %zu", path, idx->n, n);
    uint8_t more;
    SB_TRY(read_bytes(file, path, &more, 1, &got)); /* also has zlib check the checksum at the end */
    if (got) return sb_fail(SB_E_INTEGRITY, "%s: holds more than the %zu bytes its header promises", path, idx->n);
    return SB_OK;
}

sb_status sb_idx_read(sb_idx *idx, const char *path, int rank)
{
    *idx = (sb_idx){0};
    gzFile file = gzopen(path, "rb");
    if (!file) return sb_fail(errno == ENOENT ? SB_E_USAGE : SB_E_IO, "%s: %s", path, strerror(errno));
    sb_status status = read_header(file, path, rank, idx);
    if (status == SB_OK) status = read_body(file, path, idx);
    gzclose_r(file);
    if (status != SB_OK) sb_idx_free(idx);
    return status;
}

void sb_idx_free(sb_idx *idx)
{
    free(idx->bytes);
    *idx = (sb_idx){0};
}

const char *sb_idx_zlib_version(void)
{
    return zlibVersion();
}
