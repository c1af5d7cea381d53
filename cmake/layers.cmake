# A layer is a folder and a target, and a target sees the headers of its own layer and of those it links, no others: an
# include that points up does not compile. Each folder has an include root of its own for that, with nothing in it but
# a link to the folder.

# sb_layer_root(RESULT FOLDER): the include root of src/FOLDER, or of FOLDER where the top level has it, which may be one
# of several ("paper/claims")
function(sb_layer_root result folder)
    set(root ${CMAKE_BINARY_DIR}/layers/${folder})
    set(source ${PROJECT_SOURCE_DIR}/src/${folder})
    if(NOT IS_DIRECTORY ${source})
        set(source ${PROJECT_SOURCE_DIR}/${folder})
    endif()
    get_filename_component(above ${root}/${folder} DIRECTORY)
    file(MAKE_DIRECTORY ${above})
    file(CREATE_LINK ${source} ${root}/${folder} SYMBOLIC)
    set(${result} ${root} PARENT_SCOPE)
endfunction()

# sb_layer(TARGET FOLDER...): TARGET, and whoever links it, sees the headers of these folders
function(sb_layer target)
    foreach(folder ${ARGN})
        sb_layer_root(root ${folder})
        target_include_directories(${target} PUBLIC ${root})
    endforeach()
endfunction()

# sb_floor(PROGRAM FOLDER SOURCE...): the folders of a program are its floors, lowest first: a library sb_PROGRAM_FOLDER
# that sees its own headers and those of the floors that were declared before it. Sources without ending. The property
# SB_FLOORS of the folder PROGRAM lists them.
function(sb_floor program folder)
    set(floor sb_${program}_${folder})
    list(TRANSFORM ARGN PREPEND ${folder}/)
    list(TRANSFORM ARGN APPEND .c)
    add_library(${floor} STATIC ${ARGN})
    sb_layer(${floor} ${program}/${folder})
    get_property(below DIRECTORY PROPERTY SB_FLOORS)
    if(below)
        list(GET below -1 below)
        target_link_libraries(${floor} PUBLIC ${below})
    endif()
    set_property(DIRECTORY APPEND PROPERTY SB_FLOORS ${floor})
endfunction()

# sb_text(PROGRAM FOLDER FILE): a text file of a floor is part of the program: FILE.h is the text as a literal of C
function(sb_text program folder file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${file})
    file(READ ${folder}/${file} text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n\"" text "${text}")
    file(CONFIGURE OUTPUT ${folder}/${file}.h CONTENT "\"${text}\"\n" @ONLY)
    target_include_directories(sb_${program}_${folder} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${folder})
endfunction()

# sb_rows(RESULT HEADER): the files that an X-list of HEADER names, FILE of each line "X(ROW, FILE)", each once
function(sb_rows result header)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    file(READ ${header} text)
    string(REGEX MATCHALL "\n    X\\([a-z_]+, [a-z_]+\\)" rows "${text}")
    list(TRANSFORM rows REPLACE "^.*, ([a-z_]+)\\)$" "\\1")
    list(REMOVE_DUPLICATES rows)
    if(NOT rows)
        message(FATAL_ERROR "${header}: no row like X(ROW, FILE)")
    endif()
    set(${result} ${rows} PARENT_SCOPE)
endfunction()
