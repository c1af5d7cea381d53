#include "datasets/convert/video_parts.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { PAGES_MOST = 10000, ENTRIES_MOST = 4096, PARTS_MOST = 100000, PNM_HEAD = 512 };
enum { TAG_ORIENTATION = 274, TAG_SAMPLE_FORMAT = 339, TAG_JPEG_TABLES = 347, TAG_REFERENCE_BLACK = 532 };

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

/* The first number of an entry of 16 bits each, which are in the entry itself if there are no more than two. */
static int first_short(const tiff *t, const uint8_t *entry)
{
    uint8_t byte[2] = {entry[8], entry[9]};
    if (number(t, entry + 4, 4) > 2 && !read_at(t->fd, t->base + number(t, entry + 8, 4), byte, sizeof byte)) return 0;
    return (int)number(t, byte, 2);
}

/* Of a list of fractions, whether the first is above 0. */
static bool is_above_zero(const tiff *t, const uint8_t *entry)
{
    uint8_t byte[4];
    return read_at(t->fd, t->base + number(t, entry + 8, 4), byte, sizeof byte) && number(t, byte, 4) > 0;
}

static void read_entry(sb_picture_facts *page, const tiff *t, const uint8_t *entry)
{
    switch (number(t, entry, 2)) {
    case TAG_ORIENTATION:
        page->orientation = first_short(t, entry);
        break;
    case TAG_SAMPLE_FORMAT:
        if (first_short(t, entry) > 1) page->trouble = "its levels are signed or fractions";
        break;
    case TAG_JPEG_TABLES:
        page->trouble = "it is a JPEG inside of a TIFF";
        break;
    case TAG_REFERENCE_BLACK:
        page->is_limited = is_above_zero(t, entry);
        break;
    }
}

/* One page, and where the next begins, 0 for none. */
static bool read_page(sb_picture_facts *page, const tiff *t, uint32_t at, uint32_t *next)
{
    uint8_t count[2], entry[12], last[4];
    if (at < 8 || !read_at(t->fd, t->base + at, count, sizeof count)) return false;
    const uint32_t n = number(t, count, 2);
    for (uint32_t i = 0; i < n && i < ENTRIES_MOST; i++) {
        if (!read_at(t->fd, t->base + at + 2 + 12 * (int64_t)i, entry, sizeof entry)) return false;
        read_entry(page, t, entry);
    }
    if (!read_at(t->fd, t->base + at + 2 + 12 * (int64_t)n, last, sizeof last)) return false;
    *next = number(t, last, 4);
    return true;
}

static void read_tiff(sb_picture_facts *facts, int fd, int64_t base, bool is_exif)
{
    tiff t = {.fd = fd, .base = base};
    sb_picture_facts page = *facts, other;
    uint32_t at = 0;
    int n = 1;
    if (!open_tiff(&t, &at) || !read_page(&page, &t, at, &at)) return;
    facts->orientation = page.orientation;
    if (is_exif) return; /* its next page is a small copy */
    while (at && n < PAGES_MOST && read_page(&other, &t, at, &at)) n++;
    *facts = page;
    facts->n_pages = n;
}

/* ---- PNM: pictures of these formats may follow each other in one file ---- */

/* The next whole number of a header, past blanks and comments; -1: there is none. */
static int64_t next_number(const char **at)
{
    int64_t value = 0;
    for (; **at == '#' || (**at && strchr(" \t\r\n", **at)); ++*at)
        if (**at == '#') *at += strcspn(*at, "\n") - (strchr(*at, '\n') == NULL);
    if (**at < '0' || **at > '9') return -1;
    for (; **at >= '0' && **at <= '9' && value < 1 << 24; ++*at) value = 10 * value + (**at - '0');
    return value;
}

/* P4, P5 and P6: bits, grey and color. */
static void read_pnm(sb_picture_facts *facts, int fd)
{
    char head[PNM_HEAD + 1] = "";
    const ssize_t n = pread(fd, head, PNM_HEAD, 0);
    const char *at = head + 2;
    if (n < 8 || head[1] < '4' || head[1] > '6') return;
    const int64_t w = next_number(&at), h = next_number(&at), most = head[1] == '4' ? 1 : next_number(&at);
    if (w < 1 || h < 1 || most < 1) return;
    const int64_t row = head[1] == '4' ? (w + 7) / 8 : w * (head[1] == '6' ? 3 : 1) * (most > 255 ? 2 : 1);
    uint8_t more[2];
    if (read_at(fd, at - head + 1 + row * h, more, sizeof more) && more[0] == 'P') facts->n_pages = 2;
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

/* Its first part, of a file that has more than one picture or Exif, says so. */
static bool is_animated_webp(int fd)
{
    enum { IS_ANIMATED = 2 };
    uint8_t part[9];
    return read_at(fd, 12, part, sizeof part) && memcmp(part, "VP8X", 4) == 0 && part[8] & IS_ANIMATED;
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
        exif = exif_of_webp(fd), facts.trouble = is_animated_webp(fd) ? "it is an animated WebP" : NULL;
    else if (head[0] == 0xFF && head[1] == 0xD8)
        exif = exif_of_jpeg(fd);
    else if (head[0] == 'P')
        read_pnm(&facts, fd);
    else
        read_tiff(&facts, fd, 0, false);
    if (exif) read_tiff(&facts, fd, exif, true);
    return facts;
}
