# The GPU side. All of this runs without a GPU, but for the subjects that say they are skipped.
sb_add_test(test_gpu sb_train_f32 FIRST)
sb_add_test(test_gpu_graphs sb_backend_f32)
sb_add_test(test_gpu_failures sb_backend_f32)
sb_add_test(test_gpu_joins sb_backend_f32)
sb_add_test(test_gpu_forms sb_backend_f32)
sb_add_test(test_gpu_launches sb_train_f32)
sb_add_test(test_gpu_ranges sb_train_f32)
sb_add_test(test_gpu_chunks sb_train_f32)
sb_add_test(test_gpu_tiles sb_ops_f32)
sb_add_test(test_gpu_order sb_train_f32 FIRST)

# backend/cuda.c and cuda_device.c themselves, against a runtime of the tests.
set(backend ${PROJECT_SOURCE_DIR}/src/backend)
set(device_and_runtime ${backend}/cuda.c ${backend}/cuda_device.c ${backend}/cuda_nodes.c
    support/fake_cuda_runtime.c support/fake_cuda_graph.c)
sb_add_test(test_gpu_runtime sb_train_f32)
sb_add_test(test_gpu_entries sb_backend_f32)
sb_add_test(test_gpu_engines sb_inspect_f32)
foreach(test test_gpu_runtime test_gpu_entries test_gpu_engines)
    target_sources(${test} PRIVATE ${device_and_runtime})
    target_include_directories(${test} BEFORE PRIVATE support/cuda)
endforeach()

add_library(fake_cuda_libraries MODULE support/fake_cuda_libraries.c support/fake_cudnn_graph.c)
target_link_libraries(fake_cuda_libraries PRIVATE sb_flags)
add_library(fake_cudnn_without_graphs MODULE support/fake_cuda_libraries.c)
target_link_libraries(fake_cudnn_without_graphs PRIVATE sb_flags)

# The exchange between ranks by NCCL, on both stand-ins.
add_library(fake_nccl MODULE support/fake_nccl.c)
target_link_libraries(fake_nccl PRIVATE sb_flags)
sb_add_test(test_exchange_nccl sb_train_f32 pthread)
target_sources(test_exchange_nccl PRIVATE ${device_and_runtime})
target_include_directories(test_exchange_nccl BEFORE PRIVATE support/cuda)
target_compile_definitions(test_exchange_nccl PRIVATE SB_FAKE_NCCL="$<TARGET_FILE:fake_nccl>")
add_dependencies(test_exchange_nccl fake_nccl)

# By the names that are looked for: newer ones that open and do not start, older ones beside them that do.
foreach(library cublas.so.13,0 cublas.so.12,1 cudnn.so.9,0 cudnn.so.8,1)
    string(REGEX MATCH "^([a-z]+)\\.so\\.([0-9]+),([01])$" ignored ${library})
    set(target fake_${CMAKE_MATCH_1}_${CMAKE_MATCH_2})
    add_library(${target} MODULE support/fake_cuda_libraries.c support/fake_cudnn_graph.c)
    target_link_libraries(${target} PRIVATE sb_flags)
    target_compile_definitions(${target} PRIVATE FAKE_STARTS=${CMAKE_MATCH_3} FAKE_CUBLAS_MAJOR=${CMAKE_MATCH_2}
                               FAKE_CUDNN_VERSION=$<IF:$<STREQUAL:${CMAKE_MATCH_2},8>,8902,91300>)
    set_target_properties(${target} PROPERTIES PREFIX lib OUTPUT_NAME ${CMAKE_MATCH_1} SUFFIX .so.${CMAKE_MATCH_2}
                          LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fake_libraries)
endforeach()

sb_add_test(test_gpu_libraries sb_train_f32)
sb_add_test(test_gpu_cudnn sb_ops_f32)
foreach(test test_gpu_libraries test_gpu_cudnn test_gpu_engines test_gpu_runtime)
    target_compile_definitions(${test} PRIVATE SB_FAKE_LIBRARIES="$<TARGET_FILE:fake_cuda_libraries>"
                               SB_FAKE_CUDNN_8="$<TARGET_FILE:fake_cudnn_8>"
                               SB_FAKE_CUDNN_WITHOUT_GRAPHS="$<TARGET_FILE:fake_cudnn_without_graphs>")
    add_dependencies(${test} fake_cuda_libraries fake_cudnn_without_graphs fake_cublas_13 fake_cublas_12 fake_cudnn_9 fake_cudnn_8)
endforeach()

set_tests_properties(test_gpu test_gpu_engines test_gpu_launches test_gpu_libraries test_gpu_runtime PROPERTIES
                     ENVIRONMENT "OMP_WAIT_POLICY=passive;LD_LIBRARY_PATH=${CMAKE_CURRENT_BINARY_DIR}/fake_libraries")

sb_add_cli_test(gpu_bits UNSANITIZED FIRST) # its subject is bits; test_gpu has the memory

add_executable(ask_libraries support/ask_libraries.c)
target_link_libraries(ask_libraries PRIVATE sb_ops_f32)
sb_add_cli_test(gpu_libraries)

# The script for a GPU's machine; and what nvcc makes of the kernels, wherever there is one, also in builds that do without.
if(NOT SB_SANITIZE)
    sb_add_cli_test(gpu_check)
    sb_add_cli_test(gpu_timeline)
    find_program(SB_NVCC nvcc HINTS /usr/local/cuda/bin)
    foreach(part ptx registers)
        add_test(NAME gpu_${part} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/${part}.sh "${SB_NVCC}" ${PROJECT_SOURCE_DIR}/src)
        set_tests_properties(gpu_${part} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
    endforeach()
    sb_label(gpu_registers FIRST AT_LENGTH every "gpu_ptx compiles the same kernels")
endif()
