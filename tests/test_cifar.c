/* The binary version of CIFAR-10: order of the files, planes to pixels, the archive and what is below a folder. */
#include "support.h"

#include "core/file.h"
#include "core/hash.h"
#include "datasets/convert/cifar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = SB_CIFAR_PART_RECORDS, TEST = 5 };

#define FOLDER "test_cifar"
#define BELOW  FOLDER "/cifar-10-batches-bin"

/* Byte i of image n: all that is held of a picture is where its bytes go. */
static uint8_t byte_of(size_t n, size_t i)
{
    return (uint8_t)(n % 251 + i / 1024 * 5 + i % 3);
}

static void write_part(const char *folder, const char *name, size_t first, size_t n)
{
    char path[128];
    static uint8_t record[SB_CIFAR_RECORD];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t k = first; k < first + n; k++) {
        record[0] = (uint8_t)(k * 7 % 10);
        for (size_t i = 0; i < SB_CIFAR_IMAGE; i++) record[1 + i] = byte_of(k, i);
        assert_int_equal(fwrite(record, sizeof record, 1, file), 1);
    }
    assert_int_equal(fclose(file), 0);
}

static int write_all(void **state)
{
    (void)state;
    sb_folder_remove(FOLDER);
    assert_int_equal(sb_folder_make(BELOW), SB_OK);
    for (size_t i = 0; i < 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "data_batch_%zu.bin", i + 1);
        write_part(BELOW, name, i * PART, PART);
    }
    write_part(BELOW, "test_batch.bin", 5 * PART, TEST + 2);
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    sb_folder_remove(FOLDER);
    return 0;
}

/* Image `at` of a half is image n as it was written. */
static void expect_image(const sb_cifar *cifar, int half, size_t at, size_t n)
{
    assert_int_equal(cifar->labels[half][at], n * 7 % 10);
    for (size_t i = 0; i < SB_CIFAR_IMAGE; i++) {
        const uint8_t got = cifar->pixels[half][at * SB_CIFAR_IMAGE + i % 1024 * 3 + i / 1024];
        if (got != byte_of(n, i)) fail_msg("image %zu, byte %zu is %d, wanted %d", n, i, got, byte_of(n, i));
    }
}

static void expect_all(const sb_cifar *cifar)
{
    assert_int_equal(cifar->n[0], 5 * PART);
    assert_int_equal(cifar->n[1], TEST);
    for (size_t n = 0; n < 5 * PART; n += 769) expect_image(cifar, 0, n, n);
    for (size_t n = 0; n < 5; n++) expect_image(cifar, 0, n * PART, n * PART);
    for (size_t n = 0; n < TEST; n++) expect_image(cifar, 1, n, 5 * PART + n);
}

static void files_in_their_order(void **state)
{
    (void)state;
    sb_cifar cifar;
    for (int below = 0; below < 2; below++) {
        assert_int_equal(sb_cifar_read(&cifar, below ? FOLDER : BELOW, "test_batch.bin", TEST, NULL), SB_OK);
        expect_all(&cifar);
        assert_int_equal(cifar.n_sources, SB_CIFAR_PARTS);
        assert_string_equal(cifar.source[1], BELOW "/data_batch_2.bin");
        sb_cifar_free(&cifar);
    }
}

/* Its members in another order, beside others. */
static void the_archive(void **state)
{
    (void)state;
    sb_cifar cifar;
    char hex[SB_SHA256_TEXT];
    assert_int_equal(system("cd " FOLDER " && echo text >cifar-10-batches-bin/readme.html && tar -cf - "
                            "cifar-10-batches-bin/data_batch_5.bin cifar-10-batches-bin/readme.html "
                            "cifar-10-batches-bin/test_batch.bin cifar-10-batches-bin/data_batch_[1-4].bin | "
                            "gzip -1 >cifar-10-binary.tar.gz && rm -r cifar-10-batches-bin"),
                     0);
    assert_int_equal(sb_sha256_file(FOLDER "/cifar-10-binary.tar.gz", hex), SB_OK);
    assert_int_equal(sb_cifar_read(&cifar, FOLDER, "test_batch.bin", TEST, hex), SB_OK);
    expect_all(&cifar);
    assert_int_equal(cifar.n_sources, 1);
    sb_cifar_free(&cifar);
    hex[0] = hex[0] == '0' ? '1' : '0';
    assert_int_equal(sb_cifar_read(&cifar, FOLDER, "test_batch.bin", TEST, hex), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "not the official archive, or damaged"));
    assert_int_equal(sb_cifar_read(&cifar, FOLDER, "test_batch.bin", TEST + 3, NULL), SB_E_INTEGRITY);
    assert_null(cifar.pixels[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_in_their_order),
        cmocka_unit_test(the_archive),
    };
    return cmocka_run_group_tests(tests, write_all, remove_all);
}
