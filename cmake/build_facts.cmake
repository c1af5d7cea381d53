# Writes build_facts.h: version, flags and the source revision, at build time so that it is never stale. The
# revision is git's unless it is given: a build in a container has the sources without their history.
#   cmake -DSOURCE=... -DOUTPUT=... -DVERSION=... -DFLAGS=... -DREVISION=... -DCUDA=... -P build_facts.cmake
# CUDA: NVCC,ARCHITECTURES,FLAGS; empty where the program is built without it.
set(revision ${REVISION})
if(NOT revision)
    execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 OUTPUT_VARIABLE revision
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT revision)
    set(revision unknown)
endif()
set(text "#define SB_VERSION  \"${VERSION}\"\n#define SB_REVISION \"${revision}\"\n#define SB_FLAGS    \"${FLAGS}\"\n")
if(CUDA MATCHES "^(.*),(.*),(.*)$")
    string(APPEND text "#define SB_CUDA_COMPILER      \"nvcc ${CMAKE_MATCH_1}\"\n"
           "#define SB_CUDA_ARCHITECTURES \"${CMAKE_MATCH_2}\"\n#define SB_CUDA_FLAGS         \"${CMAKE_MATCH_3}\"\n")
endif()
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL "${before}")
    file(WRITE ${OUTPUT} "${text}")
endif()
