# Tests of src/: core and io first, then operations, networks and training.
sb_add_test(test_options sb_core)
sb_add_test(test_random sb_core m)

sb_add_test(test_math openmp m)
foreach(operation point lstm loss dense conv)
    sb_add_test(test_${operation} sb_backend_f32)
endforeach()
sb_add_test(test_adam sb_train_f32)

sb_add_test(test_gradient sb_train_f64)
sb_add_test(test_params sb_net_f32)
sb_add_test(test_feed sb_train_f32)
sb_add_test(test_journal sb_train_f32)

# Held in float and in double.
sb_add_test(test_golden sb_inspect_f32)
add_executable(test_golden_f64 test_golden.c)
target_include_directories(test_golden_f64 PRIVATE support)
target_link_libraries(test_golden_f64 PRIVATE sb_flags sb_inspect_f64 PkgConfig::CMOCKA)
add_test(NAME test_golden_f64 COMMAND test_golden_f64 WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
foreach(test test_golden test_golden_f64)
    target_compile_definitions(${test} PRIVATE SB_GOLDEN="${CMAKE_CURRENT_SOURCE_DIR}/golden")
endforeach()

# More threads than cores would spin for each other.
set_tests_properties(test_point test_lstm test_loss test_dense test_conv test_adam test_gradient
                     test_golden test_golden_f64 PROPERTIES
                     ENVIRONMENT OMP_WAIT_POLICY=passive)

# Data sets for the command-line tests.
add_executable(make_data support/make_data.c)
target_link_libraries(make_data PRIVATE sb_flags sb_io)
