# Tests of src/record, of what reads it, and of python/.
sb_add_test(test_record sb_record m)
target_sources(test_record PRIVATE support/public_types.c)
target_include_directories(test_record PRIVATE ${PROJECT_SOURCE_DIR}/include)
sb_add_test(test_align sb_inspect_f32)

# sb_add_record_test(NAME VARIABLES...): a command-line test with the shared library at SB_LIBRARY. A Python with a framework is
# named by the environment variable SB_PYTHON; without one such a test is skipped.
function(sb_add_record_test name)
    sb_add_cli_test(${name})
    set_tests_properties(cli_${name} PROPERTIES ENVIRONMENT "SB_LIBRARY=$<TARGET_FILE:samebits-library>;${ARGN}")
endfunction()

if(TARGET samebits-library)
    sb_add_record_test(record_exports)
    sb_add_record_test(record_verbs)
    sb_add_record_test(record_matrix)
    foreach(part "library test_library test_array test_testing" "torch test_torch test_record" "chainer test_chainer")
        string(REGEX REPLACE " .*" "" name "${part}")
        string(REGEX REPLACE "^[a-z]* " "" tests "${part}")
        add_test(NAME python_${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.sh
                 ${CMAKE_CURRENT_SOURCE_DIR}/cli/record_python.sh ${CMAKE_BINARY_DIR})
        set_tests_properties(python_${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77
                             ENVIRONMENT "SB_LIBRARY=$<TARGET_FILE:samebits-library>;SB_TESTS=${tests}")
    endforeach()
    add_test(NAME gpu_recorder COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/recorder.sh ${CMAKE_BINARY_DIR}
             ${CMAKE_CURRENT_BINARY_DIR}/gpu_recorder) # here on a CPU: it tries the script
    set_tests_properties(gpu_recorder PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77 ENVIRONMENT "SB_DEVICE=cpu")
    sb_add_record_test(record_zoo "SB_CASES=")
    set_tests_properties(cli_record_zoo PROPERTIES TIMEOUT 3000)
    sb_label(cli_record_zoo AT_LENGTH every "python_torch, test_align, record_verbs")
endif()
