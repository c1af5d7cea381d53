/* Numbers as files and hashes have them, least significant byte first, on machines of either order.
 *
 *     uint32_t size = n;
 *     sb_little_endian_turn(&size, 1, sizeof size);   // now as the file has it; once more, and it is a number again
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Are elements of that number of bytes in that order here as they are? Then a turn does nothing. */
static inline bool sb_little_endian_is_here(size_t bytes_each)
{
    return bytes_each == 1 || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* From this machine's order to the files' and back: n elements of that number of bytes each, in place. */
static inline void sb_little_endian_turn(void *data, size_t n, size_t bytes_each)
{
    if (sb_little_endian_is_here(bytes_each)) return;
    for (unsigned char *element = data; n--; element += bytes_each)
        for (size_t i = 0, j = bytes_each - 1; i < j; i++, j--) {
            const unsigned char kept = element[i];
            element[i] = element[j];
            element[j] = kept;
        }
}
