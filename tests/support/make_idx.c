/* make_idx FILE RANK N [BYTES [WIDTHxHEIGHT]]: an IDX file in gzip, of N labels (rank 1) or N pictures of 28x28 (rank 3),
 * or of the size given; BYTES: how many bytes of content it holds, in place of as many as its header promises; 0: those. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static int put_number(gzFile file, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    return gzwrite(file, bytes, 4) == 4;
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    long rank = strtol(argv[2], NULL, 10), n = strtol(argv[3], NULL, 10);
    int w = 28, h = 28;
    if (argc > 5 && sscanf(argv[5], "%dx%d", &w, &h) != 2) return 2;
    long n_bytes = argc > 4 ? strtol(argv[4], NULL, 10) : 0;
    if (n_bytes == 0) n_bytes = rank == 3 ? n * h * w : n;
    gzFile file = gzopen(argv[1], "wb");
    if (!file) return 1;
    int good = put_number(file, 0x0800 + (uint32_t)rank) && put_number(file, (uint32_t)n);
    for (long i = 1; i < rank; i++) good = put_number(file, (uint32_t)(i == 1 ? h : w)) && good;
    for (long i = 0; i < n_bytes; i++) good = gzputc(file, (int)(rank == 3 ? i * 7 % 256 : i % 10)) >= 0 && good;
    return gzclose(file) == Z_OK && good ? 0 : 1;
}
