# Foreign libraries as targets. The trainer links the static archives, the other programs the shared ones.
find_package(PkgConfig REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)

# imported_archive(NAME header-folder archive...): an archive with what it needs behind it
function(imported_archive name include)
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${name} SYSTEM INTERFACE ${include})
    target_link_libraries(${name} INTERFACE ${ARGN})
endfunction()

pkg_check_modules(HDF5 REQUIRED hdf5-serial)
pkg_check_modules(CRYPTO REQUIRED libcrypto)
find_library(SB_HDF5_ARCHIVE libhdf5.a HINTS ${HDF5_LIBRARY_DIRS} REQUIRED)
find_library(SB_OPENBLAS_ARCHIVE libopenblas.a PATH_SUFFIXES openblas-pthread REQUIRED)
find_path(SB_OPENBLAS_INCLUDE cblas.h PATH_SUFFIXES x86_64-linux-gnu/openblas-pthread openblas-pthread REQUIRED)

imported_archive(hdf5_static "${HDF5_INCLUDE_DIRS}" ${SB_HDF5_ARCHIVE} libsz.a libaec.a libz.a m dl)
imported_archive(openblas_static "${SB_OPENBLAS_INCLUDE}" ${SB_OPENBLAS_ARCHIVE} pthread m)
imported_archive(crypto_static "" libcrypto.a dl pthread)
imported_archive(png_static "" libpng.a libz.a m)
