# Writes build_facts.h: version, flags and the source revision, at build time so that it is never stale.
#   cmake -DSOURCE=... -DOUTPUT=... -DVERSION=... -DFLAGS=... -P build_facts.cmake
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 OUTPUT_VARIABLE revision
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT revision)
    set(revision unknown)
endif()
set(text "#define SB_VERSION  \"${VERSION}\"\n#define SB_REVISION \"${revision}\"\n#define SB_FLAGS    \"${FLAGS}\"\n")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL "${before}")
    file(WRITE ${OUTPUT} "${text}")
endif()
