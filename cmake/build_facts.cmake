# Writes build_facts.h: version, flags and the source revision, at build time so that it is never stale. The
# revision is what revision.sh says unless it is given: a build in a container has the sources without their history.
#   cmake -DSOURCE=... -DOUTPUT=... -DVERSION=... -DFLAGS=... -DREVISION=... -DCUDA=... -P build_facts.cmake
# CUDA: NVCC,ARCHITECTURES,FLAGS; empty where the program is built without it.

# c_text(VARIABLE TEXT): a string of C. Folders of the person who builds are no facts of the program: a flag such as
# -ffile-prefix-map names the sources as SOURCE, and what else lies at home as HOME.
function(c_text variable text)
    string(REPLACE "${SOURCE}" "SOURCE" text "${text}")
    if(IS_ABSOLUTE "$ENV{HOME}" AND NOT "$ENV{HOME}" STREQUAL "/")
        string(REPLACE "$ENV{HOME}" "HOME" text "${text}")
    endif()
    string(REGEX REPLACE "[\n\r\t]" " " text "${text}")
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    set(${variable} "\"${text}\"" PARENT_SCOPE)
endfunction()

set(revision "${REVISION}")
if(NOT revision)
    execute_process(COMMAND sh "${SOURCE}/cmake/revision.sh" OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT revision MATCHES "^[A-Za-z0-9._+-]+$")
    set(revision unknown)
endif()
c_text(flags "${FLAGS}")
set(text "#define SB_VERSION  \"${VERSION}\"\n#define SB_REVISION \"${revision}\"\n#define SB_FLAGS    ${flags}\n")
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
