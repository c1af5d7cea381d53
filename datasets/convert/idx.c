#include "datasets/convert/convert.h"

#include "core/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MAGIC_BYTES = 0x08, BLOCK = 1 << 16, N_MAX = 1 << 30, GZIP_ONLY = 16 + MAX_WBITS };

static uint32_t big_endian(const uint8_t *byte)
{
    return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

/* A file that is read to its end, through zlib where it begins as a gzip does. gzread is not used: it passes over
 * whatever follows a gzip, and over an end that is missing. */
typedef struct reader {
    const char *path;
    FILE *file;
    z_stream zlib; /* next_in, avail_in: what was read of the file and not used yet */
    bool is_gzip, is_ended;
    uint8_t block[BLOCK];
} reader;

/* Have at least n unused bytes in the block, as long as the file has them. */
static sb_status fill(reader *r, size_t n)
{
    if (r->zlib.avail_in >= n) return SB_OK;
    memmove(r->block, r->zlib.next_in, r->zlib.avail_in);
    r->zlib.next_in = r->block;
    r->zlib.avail_in += (unsigned)fread(r->block + r->zlib.avail_in, 1, BLOCK - r->zlib.avail_in, r->file);
    return ferror(r->file) ? sb_fail(SB_E_IO, "%s: %s", r->path, strerror(errno)) : SB_OK;
}

static bool begins_gzip(const reader *r)
{
    return r->zlib.avail_in >= 2 && r->zlib.next_in[0] == 0x1F && r->zlib.next_in[1] == 0x8B;
}

/* After the end of a gzip only another gzip may follow, as `cat a.gz b.gz` writes it. */
static sb_status end_member(reader *r)
{
    SB_TRY(fill(r, 2));
    r->is_ended = r->zlib.avail_in == 0;
    if (r->is_ended) return SB_OK;
    if (begins_gzip(r) && inflateReset(&r->zlib) == Z_OK) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: damaged gzip (other bytes follow its end); fetch it again", r->path);
}

static sb_status fail_gzip(const reader *r, int code)
{
    if (code == Z_MEM_ERROR) return sb_fail(SB_E_MEMORY, "%s: not enough memory", r->path);
    if (code == Z_BUF_ERROR) return sb_fail(SB_E_INTEGRITY, "%s: the gzip ends too early; fetch it again", r->path);
    return sb_fail(SB_E_INTEGRITY, "%s: damaged gzip (%s); fetch it again", r->path,
                   r->zlib.msg ? r->zlib.msg : zError(code));
}

static sb_status inflate_some(reader *r)
{
    SB_TRY(fill(r, 1));
    const int code = inflate(&r->zlib, Z_NO_FLUSH); /* Z_BUF_ERROR: there is no more of the file */
    if (code == Z_STREAM_END) return end_member(r);
    return code == Z_OK ? SB_OK : fail_gzip(r, code);
}

static sb_status copy_some(reader *r)
{
    SB_TRY(fill(r, 1));
    const unsigned n = r->zlib.avail_in < r->zlib.avail_out ? r->zlib.avail_in : r->zlib.avail_out;
    memcpy(r->zlib.next_out, r->zlib.next_in, n);
    r->zlib.next_in += n, r->zlib.avail_in -= n;
    r->zlib.next_out += n, r->zlib.avail_out -= n;
    r->is_ended = n == 0;
    return SB_OK;
}

/* At most n_bytes; *n_read is smaller only where the file ends. Damage in the gzip is SB_E_INTEGRITY. */
static sb_status read_bytes(reader *r, uint8_t *bytes, size_t n_bytes, size_t *n_read)
{
    for (*n_read = 0; *n_read < n_bytes && !r->is_ended;) {
        const size_t wanted = n_bytes - *n_read < BLOCK ? n_bytes - *n_read : BLOCK;
        r->zlib.next_out = bytes + *n_read, r->zlib.avail_out = (unsigned)wanted;
        SB_TRY(r->is_gzip ? inflate_some(r) : copy_some(r));
        *n_read += wanted - r->zlib.avail_out;
    }
    return SB_OK;
}

static sb_status read_header(reader *r, int rank, sb_idx *idx)
{
    uint8_t header[4 * (1 + SB_IDX_RANK_MAX)];
    size_t wanted = 4 * (1 + (size_t)rank), got;
    SB_TRY(read_bytes(r, header, wanted, &got));
    uint32_t magic = got >= 4 ? big_endian(header) : 0, expected = MAGIC_BYTES << 8 | (uint32_t)rank;
    if (magic != expected)
        return sb_fail(SB_E_INTEGRITY, "%s: not an IDX file of %s: it begins with 0x%08x, not 0x%08x", r->path,
                       rank == 3 ? "images" : "labels", magic, expected);
    if (got < wanted) return sb_fail(SB_E_INTEGRITY, "%s: ends inside its header", r->path);
    idx->rank = rank;
    idx->n = 1;
    for (int i = 0; i < rank; i++) {
        idx->dim[i] = big_endian(header + 4 * (1 + i));
        if (idx->dim[i] == 0 || idx->dim[i] > N_MAX / idx->n)
            return sb_fail(SB_E_INTEGRITY, "%s: its header has an impossible size, %zu", r->path, idx->dim[i]);
        idx->n *= idx->dim[i];
    }
    return SB_OK;
}

/* The header is not believed: memory grows with what is really there. */
static sb_status read_body(reader *r, sb_idx *idx)
{
    size_t n = 0, capacity = 0, got;
    do {
        size_t room = capacity ? capacity : BLOCK;
        if (capacity + room > idx->n) room = idx->n - capacity;
        uint8_t *grown = realloc(idx->bytes, capacity + room);
        if (!grown) return sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu bytes", r->path, capacity + room);
        idx->bytes = grown;
        capacity += room;
        SB_TRY(read_bytes(r, idx->bytes + n, room, &got));
        n += got;
    } while (n == capacity && n < idx->n);
    if (n < idx->n)
        return sb_fail(SB_E_INTEGRITY, "%s: its header promises %zu bytes, the file holds %zu", r->path, idx->n, n);
    uint8_t more;
    SB_TRY(read_bytes(r, &more, 1, &got)); /* to the end of the file: zlib compares the checksum and the length there */
    if (got) return sb_fail(SB_E_INTEGRITY, "%s: holds more than the %zu bytes its header promises", r->path, idx->n);
    return SB_OK;
}

static sb_status read_all(reader *r, int rank, sb_idx *idx)
{
    r->zlib.next_in = r->block;
    SB_TRY(fill(r, 2));
    r->is_gzip = begins_gzip(r);
    if (r->is_gzip && inflateInit2(&r->zlib, GZIP_ONLY) != Z_OK)
        return sb_fail(SB_E_MEMORY, "%s: not enough memory", r->path);
    sb_status status = read_header(r, rank, idx);
    if (status == SB_OK) status = read_body(r, idx);
    if (r->is_gzip) inflateEnd(&r->zlib);
    return status;
}

sb_status sb_idx_read(sb_idx *idx, const char *path, int rank)
{
    *idx = (sb_idx){0};
    SB_TRY(sb_file_check_input(path));
    reader *r = calloc(1, sizeof *r);
    if (!r) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    r->path = path;
    r->file = fopen(path, "rb");
    sb_status status = r->file ? read_all(r, rank, idx)
                               : sb_fail(errno == ENOENT ? SB_E_USAGE : SB_E_IO, "%s: %s", path, strerror(errno));
    if (r->file) fclose(r->file);
    free(r);
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
