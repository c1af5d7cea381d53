# Tests of docs/: the commands in the manuals, one test each, and the links between all pages.
sb_add_cli_test(docs_json)
add_executable(list_h5 support/list_h5.c)
target_link_libraries(list_h5 PRIVATE sb_io)
sb_add_cli_tests(docs_runner docs_links docs_notices docs_numbers docs_complete docs_example docs_gallery docs_notebook
                 docs_trackers UNSANITIZED)

add_executable(json_keys support/json_keys.c)
target_link_libraries(json_keys PRIVATE sb_flags jansson_static)
sb_add_cli_tests(json_matrix json_report json_trainer)

# sb_add_manual_test(PATH): run the commands of a manual, its path below the source
function(sb_add_manual_test path)
    string(REGEX REPLACE "[/.]" "_" name ${path})
    add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/docs_manual.sh
             ${CMAKE_BINARY_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77 ENVIRONMENT SB_MANUAL=${path})
endfunction()

if(NOT SB_SANITIZE)
    foreach(manual CONTRIBUTING.md docs/any-program.md docs/any-training.md docs/archive.md docs/claims.md docs/evolution.md docs/gallery.md docs/imitations.md docs/json.md docs/judge.md docs/language-model.md docs/matrix-files.md
            docs/mechanism.md docs/original-program.md docs/own-claim.md docs/own-machine.md docs/own-network.md docs/own-video.md docs/public-video.md docs/ranks.md docs/run-file.md docs/same-bits.md docs/scaling.md docs/specification.md docs/trackers.md results/original/README.md results/pytorch/README.md tests/golden/README.md)
        sb_add_manual_test(${manual})
    endforeach()
    sb_label(docs_mechanism_md FIRST)
endif()
