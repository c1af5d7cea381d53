/* Golden files come from others, without a seal. One that claims what it does not hold, or settings that no network
 * has, is refused with a sentence before anything is computed. */
#include "craft.h"

#include "inspect/check/check.h"
#include "train/setup.h"

#include <stdio.h>
#include <unistd.h>

static const char *const path = "test_crafted_golden.h5";
static const char prednet[] = SB_GOLDEN "/prednet_16x8_bprop4_f4.h5";
static const char autoencoder[] = SB_GOLDEN "/autoencoder_784_64_relu_relu_f4.h5";

#define DIMS(...)                                                                                                      \
    (sizeof((hsize_t[]){__VA_ARGS__}) / sizeof(hsize_t)), (hsize_t[])                                                  \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void put_int(craft c, const char *name, int64_t value)
{
    craft_int(c, "/", name, value);
}

static void fewer_frames(craft c)
{
    craft_zeros(c, "frames", H5T_STD_U8LE, DIMS(2, 8, 16, 3));
    put_int(c, "frames", 2);
}

static void more_frames_claimed(craft c)
{
    put_int(c, "frames", 1 << 20);
}

static void frames_of_another_width(craft c)
{
    put_int(c, "width", 8);
}

static void sides_that_wrap(craft c)
{
    put_int(c, "width", 1ll << 62);
    put_int(c, "height", 4);
}

static void windows_of_none(craft c)
{
    put_int(c, "bprop", 0);
}

static void windows_of_one(craft c)
{
    put_int(c, "bprop", 1);
}

static void windows_of_many(craft c)
{
    put_int(c, "bprop", 251);
}

static void a_list_of_windows(craft c)
{
    craft_attribute(c, "/", "bprop", H5T_STD_I64LE, 30, (int64_t[30]){4, 4, 4});
}

static void seventeen_layers(craft c)
{
    craft_attribute(c, "/", "channels", H5T_STD_I64LE, 17,
                    (int64_t[17]){3, 2, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
}

static void channels_below_zero(craft c)
{
    craft_attribute(c, "/", "channels", H5T_STD_I64LE, 4, (int64_t[4]){3, -2, 3, 4});
}

static void channels_without_end(craft c)
{
    craft_attribute(c, "/", "channels", H5T_STD_I64LE, 4, (int64_t[4]){3, 1ll << 40, 3, 4});
}

static void other_weights(craft c)
{
    craft_zeros(c, "init/conv_a1/b", H5T_IEEE_F32LE, DIMS(1000));
}

static void fewer_losses(craft c)
{
    craft_zeros(c, "copy/step_loss", H5T_IEEE_F32LE, DIMS(4));
}

static void larger_activations(craft c)
{
    craft_zeros(c, "copy/activation/step1/P1", H5T_IEEE_F32LE, DIMS(100000));
}

static void a_list_of_models(craft c)
{
    craft_attribute(c, "/", "model", craft_text_type(8), 1000, NULL);
}

static void frames_elsewhere(craft c)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(properties, "/etc/passwd", 0, 12 * 8 * 16 * 3);
    craft_set(c, "frames", H5T_STD_U8LE, DIMS(12, 8, 16, 3), properties, NULL);
}

static void flat_inputs(craft c)
{
    craft_zeros(c, "inputs", H5T_IEEE_F32LE, DIMS(3, 4 * 784));
}

static void more_hidden_units(craft c)
{
    craft_zeros(c, "init/encoder/b", H5T_IEEE_F32LE, DIMS(65));
}

static void fewer_inputs(craft c)
{
    craft_zeros(c, "inputs", H5T_IEEE_F32LE, DIMS(3, 4, 100));
}

static void no_batch(craft c)
{
    craft_zeros(c, "inputs", H5T_IEEE_F32LE, DIMS(3, 0, 784));
}

static void fewer_updates_than_losses(craft c)
{
    craft_zeros(c, "losses", H5T_IEEE_F32LE, DIMS(4));
}

static const struct {
    const char *name, *golden;
    void (*put)(craft c);
    const char *why; /* in the sentence */
} cases[] = {
#define CASE(golden, put, why)                                                                                         \
    {                                                                                                                  \
#put, golden, put, why                                                                                         \
    }
    CASE(prednet, fewer_frames, "windows of 4 in 2 frames"),
    CASE(prednet, more_frames_claimed, "its attributes frames, width and height are not the shape of /frames"),
    CASE(prednet, frames_of_another_width, "its attributes frames, width and height are not the shape of /frames"),
    CASE(prednet, sides_that_wrap, "its attributes frames, width and height are not the shape of /frames"),
    CASE(prednet, windows_of_none, "bprop cannot be 0"),
    CASE(prednet, windows_of_one, "windows of 1 in 12 frames"),
    CASE(prednet, windows_of_many, "bprop cannot be 251"),
    CASE(prednet, a_list_of_windows, "bprop cannot be 4,4,4,0"),
    CASE(prednet, seventeen_layers, "channels cannot be 3,2,3,4,1,1"),
    CASE(prednet, channels_below_zero, "channels cannot be 3,-2,3,4"),
    CASE(prednet, channels_without_end, "channels cannot be 3,1099511627776,3,4"),
    CASE(prednet, other_weights, "is of another network: its parameter conv_a1/b has 1000 elements"),
    CASE(prednet, fewer_losses, "/copy/step_loss is too short"),
    CASE(prednet, larger_activations, "/copy/activation/step1/P1 has 100000 elements"),
    CASE(prednet, a_list_of_models, "attribute model of / has a size that this program does not read"),
    CASE(prednet, frames_elsewhere, "/frames has its numbers in another file"),
    CASE(autoencoder, flat_inputs, "/inputs is [3][3136] and should be [u][b][i]"),
    CASE(autoencoder, more_hidden_units, "/init/encoder/w is [64][784] and should be [65][784]"),
    CASE(autoencoder, fewer_inputs, "/init/encoder/w is [64][784] and should be [64][100]"),
    CASE(autoencoder, no_batch, "batches of 0"),
    CASE(autoencoder, fewer_updates_than_losses, "/losses is [4] and should be [3]"),
#undef CASE
};

static craft begin(const char *golden)
{
    char *content;
    size_t n_bytes;
    assert_int_equal(sb_file_read(golden, &content, &n_bytes), SB_OK);
    assert_int_equal(sb_file_write(path, content, n_bytes), SB_OK);
    free(content);
    craft c = {H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT)};
    assert_true(c.file >= 0);
    return c;
}

static void each_is_refused(void **state)
{
    (void)state;
    sb_settings options;
    sb_settings_default(&options);
    options.arithmetic = "direct", options.threads = 1;
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        craft c = begin(cases[i].golden);
        cases[i].put(c);
        craft_end(c);
        sb_status status = sb_check_golden(path, options, 0, out);
        if (status != SB_E_INTEGRITY || !strstr(sb_message(), cases[i].why))
            fail_msg("%s: status %d, '%s'; wanted '%s'", cases[i].name, status, sb_message(), cases[i].why);
    }
    fclose(out);
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(each_is_refused, remove_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
