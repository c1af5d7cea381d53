# Tests of paper/: statistics, grouping, tables and the report as a whole, on made-up results of known truth.
add_executable(fake_results support/fake_results.c)
target_link_libraries(fake_results PRIVATE sb_flags sb_io m)
add_executable(svg_check support/svg_check.c)
target_link_libraries(svg_check PRIVATE sb_flags sb_io m)

# How often intervals, tests and verdicts are right on values of known truth (results/checks/statistics).
add_library(simulate STATIC tools/simulate/simulate.c tools/simulate/simulate_crossed.c tools/simulate/simulate_margins.c
            tools/simulate/simulate_tests.c tools/simulate/simulate_values.c tools/simulate/simulate_verdicts.c)
target_include_directories(simulate PUBLIC tools/simulate)
target_link_libraries(simulate PUBLIC sb_flags sb_report m)
add_executable(simulate_rates tools/simulate/main.c)
target_link_libraries(simulate_rates PRIVATE simulate)

foreach(test test_axis test_chart test_html_svg test_picture test_languages test_table test_stats test_stats_tests
        test_crossed test_numbers test_verdict test_published test_spread test_claims test_claim_pool test_question
        test_arms test_band test_distances test_families test_generations test_trust_ratios test_layers test_grid)
    sb_add_test(${test} sb_report m)
endforeach()
sb_label(test_picture DISTRIBUTION)
target_link_libraries(test_verdict PRIVATE simulate)
target_compile_definitions(test_published PRIVATE SB_RECORDS="${PROJECT_SOURCE_DIR}/results/published")
sb_add_cli_tests(report_answer report_claims report_judge report_time report_churn report_bad_input report_condition
                 report_verdicts report_exchange report_faults)
sb_add_cli_test(report_baselines AT_LENGTH sanitized "report_answer, test_baselines")
sb_add_cli_test(report_question AT_LENGTH sanitized "report_answer, test_question")
sb_add_cli_test(report_compare AT_LENGTH sanitized "report_exchange, report_verbs")
sb_add_cli_test(report_classes AT_LENGTH sanitized "report_answer, report_verbs")
sb_add_cli_test(report_verbs DISTRIBUTION)
sb_add_cli_test(report_trace AT_LENGTH sanitized "report_verbs, report_condition")
sb_add_cli_test(report_texts FIRST AT_LENGTH sanitized "report_verbs, report_bad_input, fuzz_report")
sb_add_cli_test(report_texts_paper AT_LENGTH sanitized "report_texts, report_verbs")
sb_add_cli_test(report_private AT_LENGTH sanitized "report_exchange")
sb_add_cli_test(report_shipped FIRST AT_LENGTH sanitized "report_verbs up to the paper, report_exchange, report_answer")
if(NOT SB_SANITIZE)
    sb_add_test(test_verdict_rates sb_report m)
endif()
sb_add_cli_tests(report_evidence results_chainer results_gpt results_chains simulate_rates results_facts UNSANITIZED)
sb_add_cli_test(report_paper UNSANITIZED FIRST AT_LENGTH every
                "report_shipped, where a sanitizer sees it, and readme_commands typeset papers of shipped results")
sb_add_cli_test(report_registered UNSANITIZED FIRST)
sb_add_cli_test(report_dose UNSANITIZED FIRST)
sb_add_cli_test(report_twin UNSANITIZED AT_LENGTH every "report_verdicts, test_verdict, test_stats")
