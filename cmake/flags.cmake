# One interface target carries what every target of ours is compiled with.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
# -g1: reports and profiles name functions and lines. Asserts stay: they cost nothing beside the arithmetic.
set(CMAKE_C_FLAGS_RELEASE "-O3 -g1")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1") # the sanitizers' builds

# Whatever of POSIX, Linux and glibc a file uses is declared to it.
add_library(sb_flags INTERFACE)
target_compile_definitions(sb_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE=>)
target_compile_options(sb_flags INTERFACE -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
                       -Wno-missing-field-initializers
                       $<$<BOOL:${SB_WERROR}>:-Werror>
                       -ffp-contract=off) # an fma happens where it is written, nowhere else
if(CMAKE_SYSTEM_PROCESSOR STREQUAL s390x)
    target_compile_options(sb_flags INTERFACE -fexcess-precision=fast) # else C17 has float computed in double there
endif()
target_link_options(sb_flags INTERFACE -Wl,--build-id=sha1) # what every run records of its program
if(SB_SANITIZE)
    target_compile_options(sb_flags INTERFACE -fsanitize=${SB_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all
                           -Wno-format-truncation -Wno-maybe-uninitialized) # said in error at -O1; the other builds have them
    target_link_options(sb_flags INTERFACE -fsanitize=${SB_SANITIZE})
    set(SB_STATIC OFF)
endif()
if(SB_SANITIZE MATCHES address) # at a fixed place: hundreds of thousands of addresses need not be relocated at each start
    set(type $<TARGET_PROPERTY:TYPE>)
    target_compile_options(sb_flags INTERFACE $<$<NOT:$<STREQUAL:${type},MODULE_LIBRARY>>:-fno-pie>)
    target_link_options(sb_flags INTERFACE $<$<STREQUAL:${type},EXECUTABLE>:-no-pie>)
    # Variables stay on the stack. On the heap, where gcc 13 puts them at run time, vectors of 64 bytes are not aligned.
    target_compile_options(sb_flags INTERFACE $<$<C_COMPILER_ID:GNU>:--param=asan-use-after-return=0>)
endif()
