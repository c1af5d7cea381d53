#include "io/seal.h"

#include <stdio.h>
#include <string.h>

/* An empty gzip member (RFC 1952) whose extra field holds the block: a reader skips it and finds the next member. */
static size_t frame_gzip(uint8_t *frame)
{
    enum { DEFLATE = 8, FEXTRA = 4, UNKNOWN_SYSTEM = 255, EXTRA = SB_SEAL_BYTES + 4, HEAD = 16, TAIL = 10 };
    const uint8_t head[HEAD] = {0x1f,
                                0x8b,
                                DEFLATE,
                                FEXTRA,
                                0,
                                0,
                                0,
                                0,
                                0,
                                UNKNOWN_SYSTEM,
                                EXTRA & 255,
                                EXTRA >> 8,
                                'S',
                                'B',
                                SB_SEAL_BYTES & 255,
                                SB_SEAL_BYTES >> 8};
    memcpy(frame, head, HEAD);
    frame[HEAD + SB_SEAL_BYTES] = 3; /* the empty deflate stream; its checksum and its length are zero */
    return HEAD + SB_SEAL_BYTES + TAIL;
}

/* A tar member of 512 bytes (POSIX ustar), its header first. */
static size_t frame_tar(uint8_t *frame)
{
    char *head = (char *)frame;
    unsigned sum = 8 * ' '; /* as if the sum's own field were blank */
    snprintf(head, 100, "samebits-bundle/" SB_SEAL_MEMBER);
    snprintf(head + 100, 8, "%07o", 0644u);
    snprintf(head + 108, 8, "%07o", 0u);
    snprintf(head + 116, 8, "%07o", 0u);
    snprintf(head + 124, 12, "%011o", (unsigned)SB_SEAL_BYTES);
    snprintf(head + 136, 12, "%011o", 0u);
    head[156] = '0';
    memcpy(head + 257, "ustar\00000", 8);
    for (int i = 0; i < 512; i++) sum += frame[i];
    snprintf(head + 148, 8, "%06o", sum);
    head[155] = ' ';
    return 512 + SB_SEAL_BYTES;
}

size_t sb_seal_frame(sb_seal_kind kind, uint8_t frame[SB_SEAL_FRAME_MAX])
{
    memset(frame, 0, SB_SEAL_FRAME_MAX);
    if (kind == SB_SEAL_RESULTS) return frame_gzip(frame);
    if (kind == SB_SEAL_BUNDLE) return frame_tar(frame);
    return SB_SEAL_BYTES;
}
