# Writes build_facts.h: version, flags and the source revision, at build time so that it is never stale. The
# revision is git's unless it is given: a build in a container has the sources without their history.
#   cmake -DSOURCE=... -DOUTPUT=... -DVERSION=... -DFLAGS=... -DREVISION=... -P build_facts.cmake
set(revision ${REVISION})
if(NOT revision)
    execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 OUTPUT_VARIABLE revision
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
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
