/* Sizes that come from outside (a file's dimensions, counts and claims) are multiplied here and nowhere else: a product
 * that does not fit is refused, never wrapped.
 *
 *     double(*row)[1024] = sb_size_allocate(n, sizeof *row);
 *     if (!row) return sb_fail(SB_E_MEMORY, ...);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SB_SIZE_MAX ((size_t)PTRDIFF_MAX) /* of one piece of memory */

/* *product = a * b; false, and *product is 0, if that is more than SB_SIZE_MAX. */
bool sb_size_multiply(size_t a, size_t b, size_t *product);

/* Memory for n elements of that number of bytes, zeroed, and never of no bytes at all; the caller's to free. NULL:
 * there is not that much, or the product does not fit. */
void *sb_size_allocate(size_t n, size_t bytes_each);

/* As realloc, for n elements; new bytes are not zeroed. NULL leaves `memory` as it was. */
void *sb_size_grow(void *memory, size_t n, size_t bytes_each);

/* Room for n elements in a list that grows: list points to the pointer to its first element, *room is what it has room
 * for, {NULL, 0} of an empty one. It grows by half at least, and new elements are zeroed. False leaves both as they were. */
bool sb_size_reserve(void *list, size_t *room, size_t n, size_t bytes_each);
