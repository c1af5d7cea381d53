#define _POSIX_C_SOURCE 200809L
#include "datasets/convert/picture.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { PAGES_MOST = 10000, ENTRIES_MOST = 4096, PARTS_MOST = 100000, TAG_ORIENTATION = 0x0112 };

static bool read_at(int fd, int64_t at, uint8_t *bytes, size_t n)
{
    return pread(fd, bytes, n, (off_t)at) == (ssize_t)n;
}

/* ---- TIFF, also inside of other files, where Exif is one ---- */

typedef struct tiff {
    int fd;
    int64_t base; /* offsets count from here */
    bool is_big_endian;
} tiff;

static uint32_t number(const tiff *t, const uint8_t *byte, int n)
{
    uint32_t value = 0;
    for (int i = 0; i < n; i++) value = value << 8 | byte[t->is_big_endian ? i : n - 1 - i];
    return value;
}

static bool open_tiff(tiff *t, uint32_t *first)
{
    uint8_t head[8];
    if (!read_at(t->fd, t->base, head, sizeof head)) return false;
    t->is_big_endian = head[0] == 'M';
    if (head[0] != head[1] || (head[0] != 'I' && head[0] != 'M') || number(t, head + 2, 2) != 42) return false;
    *first = number(t, head + 4, 4);
    return true;
}

/* One page: its orientation if it says one, and where the next begins, 0 for none. */
static bool read_page(const tiff *t, uint32_t at, int *orientation, uint32_t *next)
{
    uint8_t count[2], entry[12], last[4];
    if (at < 8 || !read_at(t->fd, t->base + at, count, sizeof count)) return false;
    const uint32_t n = number(t, count, 2);
    for (uint32_t i = 0; i < n && i < ENTRIES_MOST; i++) {
        if (!read_at(t->fd, t->base + at + 2 + 12 * (int64_t)i, entry, sizeof entry)) return false;
        if (number(t, entry, 2) == TAG_ORIENTATION) *orientation = (int)number(t, entry + 8, 2);
    }
    if (!read_at(t->fd, t->base + at + 2 + 12 * (int64_t)n, last, sizeof last)) return false;
    *next = number(t, last, 4);
    return true;
}

static void read_tiff(sb_picture_facts *facts, int fd, int64_t base, bool is_exif)
{
    tiff t = {.fd = fd, .base = base};
    uint32_t at = 0;
    int n = 0, of_page = 1;
    if (!open_tiff(&t, &at)) return;
    while (at && n < PAGES_MOST && read_page(&t, at, &of_page, &at)) {
        if (n++ == 0 && of_page >= 1 && of_page <= 8) facts->orientation = of_page;
        if (is_exif) return;
    }
    if (n > 1) facts->n_pages = n;
}

/* ---- where Exif is in other files; 0: nowhere ---- */

static uint32_t big(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static uint32_t little(const uint8_t *b)
{
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static int64_t exif_of_png(int fd)
{
    uint8_t part[8];
    int64_t at = 8;
    for (int i = 0; i < PARTS_MOST && read_at(fd, at, part, sizeof part); i++) {
        if (memcmp(part + 4, "eXIf", 4) == 0) return at + 8;
        at += 12 + (int64_t)big(part);
    }
    return 0;
}

static int64_t exif_of_webp(int fd)
{
    uint8_t part[14];
    int64_t at = 12;
    for (int i = 0; i < PARTS_MOST && read_at(fd, at, part, sizeof part); i++) {
        if (memcmp(part, "EXIF", 4) == 0) return at + (memcmp(part + 8, "Exif\0\0", 6) == 0 ? 14 : 8);
        at += 8 + (int64_t)little(part + 4) + (part[4] & 1);
    }
    return 0;
}

static int64_t exif_of_jpeg(int fd)
{
    uint8_t part[10];
    int64_t at = 2;
    for (int i = 0; i < PARTS_MOST && read_at(fd, at, part, sizeof part) && part[0] == 0xFF; i++) {
        if (part[1] == 0xFF) { /* may be filled up before a marker */
            at++;
            continue;
        }
        if (part[1] == 0xDA || part[1] == 0xD9) return 0;
        if (part[1] == 0xE1 && memcmp(part + 4, "Exif\0\0", 6) == 0) return at + 10;
        at += 2 + (part[2] << 8 | part[3]);
    }
    return 0;
}

sb_picture_facts sb_picture_about(int fd)
{
    sb_picture_facts facts = {.n_pages = 1, .orientation = 1};
    uint8_t head[12];
    int64_t exif = 0;
    if (!read_at(fd, 0, head, sizeof head)) return facts;
    if (memcmp(head, "\x89PNG\r\n\x1A\n", 8) == 0)
        exif = exif_of_png(fd);
    else if (memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "WEBP", 4) == 0)
        exif = exif_of_webp(fd);
    else if (head[0] == 0xFF && head[1] == 0xD8)
        exif = exif_of_jpeg(fd);
    else
        read_tiff(&facts, fd, 0, false);
    if (exif) read_tiff(&facts, fd, exif, true);
    return facts;
}
