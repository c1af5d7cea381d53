# What `make install PREFIX=DIR` and the Debian package put where: programs, manual pages and completions that the programs
# print of themselves, and what they read: matrix files, claims, the reference of the demo, published numbers.
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
install(DIRECTORY matrix/ DESTINATION ${shared}/matrix FILES_MATCHING PATTERN "*.yaml")
file(GLOB claims CONFIGURE_DEPENDS paper/claims*.yaml)
install(FILES ${claims} DESTINATION ${shared}/paper)
install(DIRECTORY results/demo-reference results/published DESTINATION ${shared}/results)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(FILES README.md CONTRIBUTING.md CHANGELOG.md NOTICE.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
