/* The hash of tensors and files: of numbers it is that of their bytes on a little-endian machine, on every machine. */
#include "core/hash.h"
#include "core/little_endian.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The same numbers, byte by byte. */
static const uint16_t two[] = {0x0201, 0xfffe};
static const uint8_t bytes_of_two[] = {1, 2, 0xfe, 0xff};
static const float four[] = {1, -2.5f};
static const uint8_t bytes_of_four[] = {0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0};
static const double eight[] = {1};
static const uint8_t bytes_of_eight[] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f};

static void check(const void *numbers, size_t n, size_t bytes_each, const uint8_t *bytes)
{
    sb_hasher *hasher = sb_hasher_begin();
    const sb_hash wanted = sb_hash_of(bytes, n * bytes_each, 1);
    sb_hasher_add(hasher, numbers, 1, bytes_each);
    sb_hasher_add(hasher, (const char *)numbers + bytes_each, n - 1, bytes_each);
    assert_true(sb_hash_equal(sb_hasher_end(hasher), wanted));
    assert_true(sb_hash_equal(sb_hash_of(numbers, n, bytes_each), wanted));
}

static void numbers_hash_as_little_endian(void **unused)
{
    (void)unused;
    check(two, 2, sizeof *two, bytes_of_two);
    check(four, 2, sizeof *four, bytes_of_four);
    check(eight, 1, sizeof *eight, bytes_of_eight);
}

/* Longer than the pieces in which a machine of the other order turns them. */
static void long_tensors_have_their_known_hash(void **unused)
{
    (void)unused;
    enum { N = 10007 };
    static uint32_t number[N];
    static uint8_t byte[4 * N];
    char text[SB_HASH_TEXT];
    for (uint32_t i = 0; i < N; i++) {
        number[i] = i * 2654435761u;
        for (int k = 0; k < 4; k++) byte[4 * i + (uint32_t)k] = (uint8_t)(number[i] >> 8 * k);
    }
    assert_true(sb_hash_equal(sb_hash_of(number, N, 4), sb_hash_of(byte, sizeof byte, 1)));
    sb_hash_text(sb_hash_of("", 0, 1), text);
    assert_string_equal(text, "99aa06d3014798d86001c324468d497f"); /* as xxHash's own tests have it */
}

/* In one piece by the widest instructions of this CPU, in two by those that every one has. */
static void each_length_has_one_hash(void **unused)
{
    (void)unused;
    enum { MOST = 70000 };
    static uint8_t byte[MOST + 1];
    for (uint32_t i = 0; i <= MOST; i++) byte[i] = (uint8_t)(i * 2654435761u >> 24);
    for (size_t n = 1; n <= MOST; n += 1 + n / 8)
        for (size_t offset = 0; offset < 2; offset++) check(byte + offset, n, 1, byte + offset);
}

static void a_turn_there_and_back_is_none(void **unused)
{
    (void)unused;
    uint64_t number[] = {1, 0x0102030405060708u};
    uint8_t file[sizeof number];
    sb_little_endian_turn(number, 2, sizeof *number);
    memcpy(file, number, sizeof file);
    assert_memory_equal(file, "\1\0\0\0\0\0\0\0\10\7\6\5\4\3\2\1", sizeof file);
    sb_little_endian_turn(number, 2, sizeof *number);
    assert_true(number[0] == 1 && number[1] == 0x0102030405060708u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_hash_as_little_endian),
                                       cmocka_unit_test(long_tensors_have_their_known_hash),
                                       cmocka_unit_test(each_length_has_one_hash),
                                       cmocka_unit_test(a_turn_there_and_back_is_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
