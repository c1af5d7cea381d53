# The trainer for another CPU: Debian's cross compiler, and its libraries for that CPU in SB_SYSROOT (sysroot.sh). Programs
# are static, so that qemu-user runs them as they are. The presets arm64, riscv64 and s390x say SB_TRIPLET and SB_SYSROOT.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SB_TRIPLET SB_SYSROOT)
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR "${SB_TRIPLET}")
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${SB_TRIPLET}-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${SB_TRIPLET})
set(CMAKE_SYSROOT ${SB_SYSROOT})
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# Libraries of a newer Debian than the compiler's want that Debian's run-time library of gcc, which is in the sysroot, and
# functions of the C library by the names that they have since C23. Their HDF5 can also read files over the net, with libcurl,
# which there is no static one of: no file of ours is opened so, and a call would end the program.
file(GLOB runtime ${SB_SYSROOT}/usr/lib/gcc/${SB_TRIPLET}/*)
if(runtime)
    string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -L${runtime}")
    foreach(function strtol strtoul strtoll strtoull strtoumax sscanf)
        string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,--defsym=__isoc23_${function}=${function}")
    endforeach()
    foreach(function curl_global_init curl_global_cleanup curl_easy_init curl_easy_setopt curl_easy_perform
            curl_easy_cleanup curl_slist_append curl_slist_free_all HMAC EVP_sha256 SHA256)
        string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,--defsym=${function}=abort")
    endforeach()
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${SB_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${SB_SYSROOT}/usr/lib/${SB_TRIPLET}/pkgconfig:${SB_SYSROOT}/usr/share/pkgconfig)
