/* Recognising machines: from the kernel's tables to measured, emulated and absent. */
#include "support.h"

#include "matrix_files.h"

static void put(const char *path, const char *text)
{
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
}

static void the_host_is_read_from_proc(void **state)
{
    (void)state;
    sb_host host;
    assert_int_equal(sb_folder_make("matrix_test_proc/driver/nvidia/gpus/0000:01:00.0"), SB_OK);
    assert_int_equal(sb_folder_make("matrix_test_proc/driver/nvidia/gpus/0000:02:00.0"), SB_OK);
    put("matrix_test_proc/cpuinfo",
        "processor\t: 0\nmodel\t\t: 60\nmodel name\t: Intel(R) Core(TM) i5-4590 CPU @ 3.30GHz"
        "\nflags\t\t: fpu avx avx2\n\nprocessor\t: 1\nmodel name\t: other\n");
    put("matrix_test_proc/driver/nvidia/gpus/0000:01:00.0/information",
        "Model: \t\t NVIDIA GeForce GTX 1080\nIRQ: 1\n");
    put("matrix_test_proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: \t\t NVIDIA TITAN RTX\n");
    put("matrix_test_proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05\n");
    sb_host_read(&host, "matrix_test_proc");
    assert_string_equal(host.cpu, "Intel(R) Core(TM) i5-4590 CPU @ 3.30GHz");
    assert_true(sb_host_has_flag(&host, "avx") && sb_host_has_flag(&host, "avx2"));
    assert_false(sb_host_has_flag(&host, "av"));
    assert_int_equal(host.n_gpus, 2);
    assert_string_equal(host.gpu[0], "NVIDIA GeForce GTX 1080");
    assert_string_equal(host.gpu[1], "NVIDIA TITAN RTX");
    assert_int_equal(host.driver, 535);

    put("matrix_test_proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd sve\nCPU implementer\t: 0x41\n"
                                    "CPU variant\t: 0x1\nCPU part\t: 0xd40\n");
    sb_host_read(&host, "matrix_test_proc");
    assert_string_equal(host.cpu, "Arm, implementer 0x41, part 0xd40");
    assert_true(sb_host_has_flag(&host, "sve") && !sb_host_has_flag(&host, "avx2"));

    sb_host_read(&host, "no_such_folder");
    assert_string_equal(host.cpu, "");
    assert_int_equal(host.n_gpus + host.driver, 0);
}

static void the_driver_s_program_is_asked_where_the_kernel_shows_nothing(void **state)
{
    (void)state;
    sb_host host = {0};
    char lines[] = "NVIDIA H200, 580.159.04\nNVIDIA H200, 580.159.04\n", none[] = "No devices were found";
    sb_host_add_gpus(&host, none);
    assert_int_equal(host.n_gpus + host.driver, 0);
    sb_host_add_gpus(&host, lines);
    assert_int_equal(host.n_gpus, 2);
    assert_string_equal(host.gpu[1], "NVIDIA H200");
    assert_int_equal(host.driver, 580);
}

typedef struct judged {
    const char *backend, *hardware, *kernel, *require;
    sb_evidence evidence;
    const char *why, *arithmetic;
} judged;

static void judge(const sb_host *host, const judged *cases, size_t n)
{
    sb_hardware_table table;
    put("matrix_test_hw.yaml", matrix_hardware);
    assert_int_equal(sb_hardware_load(&table, "matrix_test_hw.yaml", host), SB_OK);
    for (size_t i = 0; i < n; i++) {
        char why[SB_WHY], *item[] = {(char *)(uintptr_t)cases[i].require};
        const char *value[SB_N_SETTINGS] = {[SB_SETTING_BACKEND] = cases[i].backend,
                                            [SB_SETTING_HARDWARE] = cases[i].hardware,
                                            [SB_SETTING_BLAS_KERNEL] = cases[i].kernel,
                                            [SB_SETTING_ARITHMETIC] = cases[i].arithmetic,
                                            [SB_SETTING_THREADS] = "1"};
        sb_evidence got = sb_hardware_evidence(&table, value, &(sb_value_list){item, cases[i].require ? 1 : 0}, why);
        if (got != cases[i].evidence || strcmp(why, cases[i].why) != 0)
            fail_msg("case %zu: %s (%s)", i, sb_evidence_name[got], why);
    }
    sb_hardware_free(&table);
}

static void cpus_are_measured_emulated_or_absent(void **state)
{
    (void)state;
    const sb_host host = {.cpu = "Test CPU 3000", .flags = " avx avx2 "};
    const judged cases[] = {
        {"native", "any", NULL, NULL, SB_EVIDENCE_MEASURED, ""},
        {"native", "i5-4590", NULL, NULL, SB_EVIDENCE_EMULATED, ""},
        {"native", "any", NULL, NULL, SB_EVIDENCE_MEASURED, "", "winograd"},
        {"native", "any", NULL, NULL, SB_EVIDENCE_IMITATED, "", "imitate-gpu"},
        {"native", "i5-4590", NULL, NULL, SB_EVIDENCE_IMITATED, "", "imitate-atomics"},
        {"native", "any", NULL, "sm>=75", SB_EVIDENCE_ABSENT, "needs sm>=75, here is none", "imitate-gpu"},
        {"openblas", "here", NULL, NULL, SB_EVIDENCE_MEASURED, ""},
        {"openblas", "i5-4590", "Haswell", NULL, SB_EVIDENCE_EMULATED, ""},
        {"openblas", "i5-4590", "Prescott", NULL, SB_EVIDENCE_EMULATED, ""},
        {"openblas", "i5-4590", "SkylakeX", NULL, SB_EVIDENCE_ABSENT,
         "needs a CPU with avx512bw for the OpenBLAS kernel SkylakeX"},
        {"openblas", "i5-4590", "NeoverseN1", NULL, SB_EVIDENCE_ABSENT,
         "needs a CPU with asimd for the OpenBLAS kernel NeoverseN1"},
        {"openblas", "i5-4590", NULL, NULL, SB_EVIDENCE_ABSENT,
         "needs a i5-4590: without blas_kernel and threads it cannot be emulated"},
        {"cublas", "gtx-1080", NULL, NULL, SB_EVIDENCE_ABSENT, "needs gpu, here is none"},
        {"native", "any", NULL, "sm>=75", SB_EVIDENCE_ABSENT, "needs sm>=75, here is none"},
    };
    judge(&host, cases, sizeof cases / sizeof *cases);
    const sb_host arm = {.cpu = "Arm, implementer 0x41, part 0xd0c", .flags = " fp asimd "};
    const judged on_arm[] = {
        {"openblas", "i5-4590", "NEOVERSEN1", NULL, SB_EVIDENCE_EMULATED, ""},
        {"openblas", "i5-4590", "NeoverseV1", NULL, SB_EVIDENCE_ABSENT,
         "needs a CPU with sve for the OpenBLAS kernel NeoverseV1"},
        {"openblas", "i5-4590", "Haswell", NULL, SB_EVIDENCE_ABSENT,
         "needs a CPU with avx2 for the OpenBLAS kernel Haswell"},
        {"native", "i5-4590", NULL, NULL, SB_EVIDENCE_EMULATED, ""},
    };
    judge(&arm, on_arm, sizeof on_arm / sizeof *on_arm);
}

static void gpus_are_measured_or_absent(void **state)
{
    (void)state;
    const sb_host pascal = {.cpu = "Test CPU", .gpu = {"NVIDIA GeForce GTX 1080"}, .n_gpus = 1, .driver = 520};
    const judged with_pascal[] = {
        {"cublas", "gtx-1080", NULL, "gpu", SB_EVIDENCE_MEASURED, ""},
        {"cublas", "gtx-1080", NULL, "sm>=61", SB_EVIDENCE_MEASURED, ""},
        {"cublas", "gtx-1080", NULL, "sm>=75", SB_EVIDENCE_ABSENT, "needs sm>=75, here is 61"},
        {"cublas", "gtx-1080", NULL, "driver>=525", SB_EVIDENCE_ABSENT, "needs driver>=525, here is 520"},
        {"native-cuda", "any", NULL, NULL, SB_EVIDENCE_MEASURED, ""},
    };
    judge(&pascal, with_pascal, sizeof with_pascal / sizeof *with_pascal);
    const sb_host ti = {.gpu = {"NVIDIA GeForce GTX 1080 Ti"}, .n_gpus = 1};
    const judged with_ti[] = {{"cublas", "gtx-1080", NULL, NULL, SB_EVIDENCE_ABSENT, "needs a GPU like 'GTX 1080$'"}};
    judge(&ti, with_ti, 1);
}

static void a_run_is_judged_by_its_own_machine(void **state)
{
    (void)state;
    static char cpu[] = "i5-4590( |$)", gpu[] = "GTX 1080$";
    const sb_hardware any = {0}, row = {.cpu = cpu}, card = {.gpu = gpu};
    assert_int_equal(sb_hardware_evidence_of_run(&any, "direct", "", "", false), SB_EVIDENCE_MEASURED);
    assert_int_equal(sb_hardware_evidence_of_run(&row, "direct", "Intel(R) Core(TM) i5-4590 CPU", "", false),
                     SB_EVIDENCE_MEASURED);
    assert_int_equal(sb_hardware_evidence_of_run(&row, "direct", "Intel(R) Core(TM) i5-4590T CPU", "", false),
                     SB_EVIDENCE_EMULATED);
    assert_int_equal(sb_hardware_evidence_of_run(&row, "imitate-gpu", "Intel(R) Core(TM) i5-4590 CPU", "", false),
                     SB_EVIDENCE_IMITATED);
    assert_int_equal(sb_hardware_evidence_of_run(&any, "blas", "", "", false), SB_EVIDENCE_MEASURED);
    assert_int_equal(sb_hardware_evidence_of_run(&card, "direct", "", "NVIDIA GeForce GTX 1080", false),
                     SB_EVIDENCE_MEASURED);
    assert_int_equal(sb_hardware_evidence_of_run(&any, "blas", "", "", true), SB_EVIDENCE_EMULATED);
}

static void bad_hardware_files_are_refused(void **state)
{
    (void)state;
    const struct {
        const char *text, *sentence;
    } cases[] = {
        {"hardware:\n  - name: a\n    cpus: x\n", "matrix_test_hw.yaml:3: unknown key 'cpus', did you mean 'cpu'?"},
        {"hardware:\n  - name: a\n  - name: b\n    cpu: 'a('\n",
         "matrix_test_hw.yaml:4: cpu is no regular expression: Unmatched ( or \\("},
        {"hardware:\n  - name: a\n  - name: a\n", "matrix_test_hw.yaml:3: hardware 'a' is here twice"},
        {"hardware:\n  - name: a\n    require: [cuda]\n",
         "matrix_test_hw.yaml:3: require wants gpu, sm>=N, sm<=N, driver>=N or driver<=N, not 'cuda'"},
        {"hardware:\n  - name: a/b\n", "matrix_test_hw.yaml:2: name wants letters, digits, '.', '_' and '-' (63 at "
                                       "most), not 'a/b'"},
    };
    const sb_host host = {0};
    sb_hardware_table table;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put("matrix_test_hw.yaml", cases[i].text);
        assert_int_equal(sb_hardware_load(&table, "matrix_test_hw.yaml", &host), SB_E_USAGE);
        sb_hardware_free(&table);
        assert_string_equal(sb_message(), cases[i].sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_is_read_from_proc),
        cmocka_unit_test(cpus_are_measured_emulated_or_absent),
        cmocka_unit_test(the_driver_s_program_is_asked_where_the_kernel_shows_nothing),
        cmocka_unit_test(gpus_are_measured_or_absent),
        cmocka_unit_test(a_run_is_judged_by_its_own_machine),
        cmocka_unit_test(bad_hardware_files_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
