# Tests of 'samebits bench': what it counts, and the form of what it writes. No time is ever asserted.
sb_add_test(test_bench sb_inspect_f32)
sb_add_cli_test(bench AT_LENGTH sanitized "json_trainer runs the verb, test_bench its parts")
sb_add_cli_test(bench_peer UNSANITIZED)
