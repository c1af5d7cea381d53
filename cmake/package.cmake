# The Debian package, `make package`: what `make install` installs, with the papers that Debian's rules ask for. It is of the
# release that builds it, as the libraries are that it depends on; its version names that release.
cmake_host_system_information(RESULT release QUERY DISTRIB_INFO)
set(SB_PACKAGE_RELEASE 1~${release_ID}${release_VERSION_ID})
set(debian ${PROJECT_SOURCE_DIR}/cmake/debian)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME samebits)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${SB_PACKAGE_RELEASE})
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The samebits maintainers <samebits@example.org>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gnuplot-nox | gnuplot")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "The reproducibility package of a published and retracted study of that
question, and a laboratory for it: training with the same bits on every CPU,
number of threads and instruction set, a matrix of configurations run cell by
cell, tables, figures and a page made from the results, and the first
operation in which two trainings differ.")

# install_packed(FILE RESULT): FILE with gzip, as RESULT among the documents
function(install_packed file result)
    set(packed ${CMAKE_BINARY_DIR}/package/${result})
    add_custom_command(OUTPUT ${packed} VERBATIM DEPENDS ${file}
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/package
                       COMMAND sh -c "gzip -9nc '${file}' >'${packed}'")
    add_custom_target(packed_${result} DEPENDS ${packed})
    add_dependencies(manuals packed_${result})
    install(FILES ${packed} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endfunction()
configure_file(${debian}/changelog.in ${CMAKE_BINARY_DIR}/package/changelog.Debian @ONLY)
install_packed(${CMAKE_BINARY_DIR}/package/changelog.Debian changelog.Debian.gz)
install_packed(${PROJECT_SOURCE_DIR}/CHANGELOG.md changelog.gz)
install(FILES ${debian}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${debian}/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME samebits)
include(CPack)
