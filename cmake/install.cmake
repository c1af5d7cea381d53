# What `make install PREFIX=DIR` and the Debian package put where: programs, manual pages and completions that the programs
# print of themselves, the manuals, and what the programs and the manuals' commands read: matrix files, claims, results.
include(GNUInstallDirs)
set(programs samebits samebits-data samebits-matrix samebits-report)
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(manuals "")
foreach(program ${programs})
    foreach(row man,man/${program}.1 bash,bash/${program} zsh,zsh/_${program} fish,fish/${program}.fish)
        string(REPLACE "," ";" pair ${row})
        list(GET pair 0 format)
        list(GET pair 1 path)
        set(file ${CMAKE_BINARY_DIR}/manuals/${path})
        cmake_path(GET file PARENT_PATH folder)
        file(MAKE_DIRECTORY ${folder})
        add_custom_command(OUTPUT ${file} DEPENDS ${program} VERBATIM
                           COMMAND sh -c "'$<TARGET_FILE:${program}>' help --format ${format} >'${file}'")
        list(APPEND manuals ${file})
    endforeach()
    add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/manuals/man/${program}.1.gz VERBATIM
                       DEPENDS ${CMAKE_BINARY_DIR}/manuals/man/${program}.1
                       COMMAND gzip -9nkf ${CMAKE_BINARY_DIR}/manuals/man/${program}.1)
    list(APPEND manuals ${CMAKE_BINARY_DIR}/manuals/man/${program}.1.gz)
    install(FILES ${CMAKE_BINARY_DIR}/manuals/man/${program}.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${CMAKE_BINARY_DIR}/manuals/bash/${program} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${CMAKE_BINARY_DIR}/manuals/zsh/_${program} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
    install(FILES ${CMAKE_BINARY_DIR}/manuals/fish/${program}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endforeach()
add_custom_target(manuals DEPENDS ${manuals})

set(shared ${CMAKE_INSTALL_DATADIR}/samebits)
install(DIRECTORY matrix/ DESTINATION ${shared}/matrix FILES_MATCHING PATTERN "*.yaml" PATTERN "*.claims.txt" PATTERN "*.py")
install(FILES paper/claims.yaml DESTINATION ${shared}/paper)
# The results of the sources: each of these folders has a README.md. What was drawn or typeset in one stays behind.
file(GLOB reports CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} results/*/README.md results/*/*/README.md)
foreach(report ${reports})
    cmake_path(GET report PARENT_PATH folder)
    cmake_path(GET folder PARENT_PATH above)
    install(DIRECTORY ${folder} DESTINATION ${shared}/${above} REGEX "/results/[^/]*/(report|paper)$" EXCLUDE)
endforeach()
install(FILES results/README.md DESTINATION ${shared}/results)
# The manuals in the folders of the sources, so that their links hold.
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(FILES README.md CONTRIBUTING.md CHANGELOG.md NOTICE.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(RELATIVE_PATH results ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/samebits/results)
file(CREATE_LINK ${results} ${CMAKE_BINARY_DIR}/manuals/results SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/manuals/results DESTINATION ${CMAKE_INSTALL_DOCDIR})
