# Tests of paper/: statistics, grouping, tables and the report as a whole, on made-up results of known truth.
add_executable(fake_results support/fake_results.c)
target_link_libraries(fake_results PRIVATE sb_flags sb_io m)

foreach(test axis html_svg picture languages table stats stats_tests numbers verdict verdict_rates published spread claims arms band distances layers
        grid)
    sb_add_test(test_${test} sb_report m)
endforeach()
target_compile_definitions(test_published PRIVATE SB_RECORDS="${PROJECT_SOURCE_DIR}/results/published")
sb_add_cli_test(report_answer)
sb_add_cli_test(report_claims)
sb_add_cli_test(report_compare)
sb_add_cli_test(report_paper)
sb_add_cli_test(report_verbs)
sb_add_cli_test(report_bad_input)
sb_add_cli_test(report_condition)
sb_add_cli_test(report_trace)
sb_add_cli_test(report_exchange)
sb_add_cli_test(report_shipped)
