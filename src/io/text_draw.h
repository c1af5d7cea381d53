/* A play of whole numbers: speakers say sentences of a small grammar. There is something to learn at every distance:
 * words, the number that subject and verb share across a clause between them, quotation marks that close, and speakers
 * that reply to the one they speak of. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Write exactly n characters of ASCII; the last sentence may be cut. The longer text of a seed begins with the shorter
 * one. */
void sb_text_draw(uint32_t seed, size_t n, char *text);
