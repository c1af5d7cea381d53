# Sources compiled once per instruction set, each with its own symbols (SB_NATIVE in ops/simd.h). What the flags allow
# may never change a rounding: no contraction, no reassociation; only "no traps, no errno" is given up.
set(SB_EXACT -ffp-contract=off -fno-math-errno -fno-trapping-math)

set(SB_ISA_FLAGS_plain "")
set(SB_ISA_FLAGS_avx2 -mavx2 -mfma)
# Every AArch64 has NEON: plain differs by what ops/simd.h is told alone. gcc's first scheduler loads a whole column of a
# tile at once, for which there are no registers.
set(SB_ISA_FLAGS_neon -DSB_NEON -fno-schedule-insns)
set(SB_ISA_FLAGS_avx512 -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512)

# Of undefined behaviour kernels are asked for arithmetic, shifts and indices of arrays. The four checks of pointers double
# their code; a pointer that is null or out of its block is the address sanitizer's, which they have whole.
set(SB_KERNELS_SANITIZED "")
if(SB_SANITIZE MATCHES undefined)
    set(SB_KERNELS_SANITIZED -fno-sanitize=null,alignment,object-size,pointer-overflow)
endif()

# A sanitizer sees what runs, here: without AVX-512 in this CPU its kernels, a quarter of all, would be compiled for nothing.
set(SB_AVX512_RUNS TRUE)
if(SB_SANITIZE AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo SB_AVX512_RUNS REGEX "^flags.* avx512f " LIMIT_COUNT 1)
endif()

# sb_isas(RESULT PRECISION): the instruction sets that there are kernels for, of those in core/rows/isas.h. The float64 build
# computes with the plain vectors of ops/simd.h; avx2 gives them the fused multiply-add of the CPU, which makes it eight
# times as fast.
function(sb_isas result precision)
    set(isas plain)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        if(precision STREQUAL f32 OR NOT SB_SANITIZE) # a sanitizer sees the same lines in float
            list(APPEND isas avx2)
        endif()
        if(precision STREQUAL f32 AND SB_AVX512_RUNS)
            list(APPEND isas avx512)
        endif()
    elseif(precision STREQUAL f32 AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
        list(APPEND isas neon)
    endif()
    set(${result} ${isas} PARENT_SCOPE)
endfunction()

# sb_have_kernels(RESULT PRECISION): the definitions that tell core/rows/isas.h of them
function(sb_have_kernels result precision)
    sb_isas(isas ${precision})
    list(REMOVE_ITEM isas plain)
    list(TRANSFORM isas TOUPPER)
    list(TRANSFORM isas PREPEND SB_HAVE_)
    set(${result} ${isas} PARENT_SCOPE)
endfunction()

# sb_add_objects(TARGET ISA SUFFIX DEFINITIONS SOURCE...): sources for one instruction set, their symbols ending in
# _ISA and the suffix
function(sb_add_objects target isa suffix definitions)
    sb_layer_root(core core)
    sb_layer_root(ops ops)
    set(objects ${target}_${isa}${suffix})
    if(NOT TARGET ${objects})
        add_library(${objects} OBJECT)
        target_link_libraries(${objects} PRIVATE sb_flags openmp)
        target_include_directories(${objects} PRIVATE ${core} ${ops})
        target_compile_definitions(${objects} PRIVATE SB_ISA=${isa}${suffix} ${definitions})
        target_compile_options(${objects} PRIVATE ${SB_EXACT} ${SB_ISA_FLAGS_${isa}} ${SB_KERNELS_SANITIZED})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endif()
    target_sources(${objects} PRIVATE ${ARGN})
endfunction()

function(sb_add_kernels target precision)
    sb_isas(isas ${precision})
    foreach(isa ${isas})
        sb_add_objects(${target} ${isa} "" "$<$<STREQUAL:${precision},f64>:SB_REAL_IS_DOUBLE>" ${ARGN})
    endforeach()
endfunction()

# The imitations of a GPU: kernels, and the elementwise operations in every variant of ops/real.h.
function(sb_add_imitations target)
    sb_isas(isas f32)
    set(elementwise ops/imitate/elementwise.c)
    foreach(isa ${isas})
        sb_add_objects(${target} ${isa} "" "" ops/imitate/kernel_imitated.c ops/imitate/conv_imitated.c
                       ops/imitate/dense_imitated.c ops/imitate/point_imitated.c ops/imitate/imitated.c)
        sb_add_objects(${target} ${isa} _exact "" ${elementwise})
        sb_add_objects(${target} ${isa} _unfused SB_UNFUSED ${elementwise})
        sb_add_objects(${target} ${isa} _functions SB_DEVICE_FUNCTIONS ${elementwise})
        sb_add_objects(${target} ${isa} _unfused_functions "SB_UNFUSED;SB_DEVICE_FUNCTIONS" ${elementwise})
    endforeach()
endfunction()
