# CUDA where nvcc is: SB_CUDA says whether to look for it, SB_CUDA_ARCHITECTURES what to build for. Without it the GPU
# backends are rows of the registry that say so, and the trainer is fully static.
set(SB_CUDA AUTO CACHE STRING "GPU backends: AUTO where nvcc is found, ON, OFF")
set_property(CACHE SB_CUDA PROPERTY STRINGS AUTO ON OFF)
set(SB_HAVE_CUDA OFF)
if(SB_SANITIZE AND SB_CUDA STREQUAL AUTO)
    set(SB_CUDA OFF)
endif()
if(NOT SB_CUDA STREQUAL OFF)
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
            set(CMAKE_CUDA_ARCHITECTURES OFF) # each target names its own
        endif()
        enable_language(CUDA)
        find_package(CUDAToolkit 11.8 REQUIRED)
        set(SB_HAVE_CUDA ON)
    elseif(SB_CUDA STREQUAL ON)
        message(FATAL_ERROR "SB_CUDA is ON, but there is no nvcc; put it on PATH or set CMAKE_CUDA_COMPILER")
    endif()
endif()

# Every card the toolkit still knows, from the study's own on, and code that newer ones translate for themselves.
if(SB_HAVE_CUDA)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
        set(architectures 50-real 52-real 60-real 61-real 70-real 75-real 80-real 86-real 89-real 90)
    elseif(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)
        set(architectures 50-real 52-real 60-real 61-real 70-real 75-real 80-real 86-real 89-real 90-real 90-virtual)
    else()
        set(architectures 75-real 80-real 86-real 89-real 90-real 100-real 110-real 120-real 120-virtual)
    endif()
    set(SB_CUDA_ARCHITECTURES ${architectures} CACHE STRING
        "Compute capabilities to build for, as CMAKE_CUDA_ARCHITECTURES")
endif()

# gcc's OpenMP as an archive: named behind the libraries that use it, it leaves the compiler's own -lgomp nothing to do.
# Other compilers bring theirs.
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgomp.a OUTPUT_VARIABLE SB_GOMP_ARCHIVE
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

# The bits are those of ops/order.h: nothing contracts, divisions and roots are rounded, small numbers are kept.
set(SB_CUDA_EXACT --fmad=false -prec-div=true -prec-sqrt=true -ftz=false)

# What every run records of it.
if(SB_HAVE_CUDA)
    list(JOIN SB_CUDA_ARCHITECTURES " " architectures)
    list(JOIN SB_CUDA_EXACT " " flags)
    set(SB_CUDA_FACTS "${CMAKE_CUDA_COMPILER_VERSION},${architectures},${flags}")
endif()

# sb_add_cuda_kernels(target): the device code, as objects of a C library, so that nothing links as C++
function(sb_add_cuda_kernels target)
    add_library(${target}_cuda OBJECT ops/kernels/kernels_cuda.cu)
    set_target_properties(${target}_cuda PROPERTIES CUDA_ARCHITECTURES "${SB_CUDA_ARCHITECTURES}" CUDA_STANDARD 17)
    foreach(folder core ops backend)
        sb_layer_root(root ${folder})
        target_include_directories(${target}_cuda PRIVATE ${root})
    endforeach()
    target_compile_options(${target}_cuda PRIVATE ${SB_CUDA_EXACT}
                           "SHELL:-Xcompiler -ffp-contract=off,-fno-exceptions,-fno-threadsafe-statics") # no libstdc++
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_cuda>)
endfunction()
