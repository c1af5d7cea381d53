# The GPU side. All of this runs without a GPU, but for the subjects that say they are skipped.
sb_add_test(test_gpu sb_train_f32)
sb_add_test(test_gpu_graphs sb_backend_f32)
sb_add_test(test_gpu_failures sb_backend_f32)
sb_add_test(test_gpu_launches sb_train_f32)

# backend/cuda.c itself, against a runtime of the tests: it defines what an archive would be searched for.
sb_add_test(test_gpu_runtime sb_train_f32)
target_sources(test_gpu_runtime PRIVATE ${PROJECT_SOURCE_DIR}/src/backend/cuda.c support/fake_cuda_runtime.c)
target_include_directories(test_gpu_runtime BEFORE PRIVATE support/cuda)

add_library(fake_cuda_libraries MODULE support/fake_cuda_libraries.c)
target_link_libraries(fake_cuda_libraries PRIVATE sb_flags)
sb_add_test(test_gpu_libraries sb_train_f32)
target_compile_definitions(test_gpu_libraries PRIVATE SB_FAKE_LIBRARIES="$<TARGET_FILE:fake_cuda_libraries>")
add_dependencies(test_gpu_libraries fake_cuda_libraries)

set_tests_properties(test_gpu test_gpu_launches test_gpu_libraries test_gpu_runtime PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)

foreach(name bits check)
    sb_add_cli_test(gpu_${name})
endforeach()

# What nvcc makes of the kernels, wherever there is one, also in builds that do without; once, not for the sanitizers.
if(NOT SB_SANITIZE)
    find_program(SB_NVCC nvcc HINTS /usr/local/cuda/bin)
    foreach(part ptx registers)
        add_test(NAME gpu_${part} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/${part}.sh "${SB_NVCC}" ${PROJECT_SOURCE_DIR}/src)
        set_tests_properties(gpu_${part} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
    endforeach()
endif()
