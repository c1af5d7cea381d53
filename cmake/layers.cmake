# A layer is a folder and a target, and a target sees the headers of its own layer and of those it links, no others: an
# include that points up does not compile. Each folder has an include root of its own for that, with nothing in it but
# a link to the folder.

# sb_layer_root(RESULT FOLDER): the include root of src/FOLDER, or of FOLDER where the top level has it
function(sb_layer_root result folder)
    set(root ${CMAKE_BINARY_DIR}/layers/${folder})
    set(source ${PROJECT_SOURCE_DIR}/src/${folder})
    if(NOT IS_DIRECTORY ${source})
        set(source ${PROJECT_SOURCE_DIR}/${folder})
    endif()
    file(MAKE_DIRECTORY ${root})
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
