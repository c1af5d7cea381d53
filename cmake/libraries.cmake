# Foreign libraries as targets. The trainer links the static archives, the other programs the shared ones.
find_package(PkgConfig REQUIRED)

# OpenMP through the compiler's own flag, so that a static link finds the static runtime.
add_library(openmp INTERFACE)
target_compile_options(openmp INTERFACE -fopenmp)
target_link_options(openmp INTERFACE -fopenmp)

# archive(VARIABLE NAME hints...): the full path of libNAME.a (a bare name would switch the linker back to shared ones)
function(archive variable name)
    find_library(${variable} lib${name}.a ${ARGN} REQUIRED)
    set_property(GLOBAL APPEND PROPERTY SB_ARCHIVES lib${name}.a)
endfunction()

# imported_archive(NAME header-folder archive...): an archive with what it needs behind it
function(imported_archive name include)
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${name} SYSTEM INTERFACE ${include})
    target_link_libraries(${name} INTERFACE ${ARGN})
endfunction()

pkg_search_module(HDF5 REQUIRED hdf5-serial hdf5) # Debian has builds for MPI beside it
archive(SB_HDF5_ARCHIVE hdf5 HINTS ${HDF5_LIBRARY_DIRS})
archive(SB_HDF5_HL_ARCHIVE hdf5_hl HINTS ${HDF5_LIBRARY_DIRS})
archive(SB_SZ_ARCHIVE sz)
archive(SB_AEC_ARCHIVE aec)
archive(SB_Z_ARCHIVE z)
archive(SB_PNG_ARCHIVE png)
archive(SB_CRYPTO_ARCHIVE crypto)
archive(SB_ZSTD_ARCHIVE zstd) # of OpenSSL 3.5 and newer
if(NOT SB_TRAINER_ONLY)
    archive(SB_CYAML_ARCHIVE cyaml)
    archive(SB_YAML_ARCHIVE yaml)
    archive(SB_JANSSON_ARCHIVE jansson)
    archive(SB_LIBARCHIVE_ARCHIVE archive)
endif()
archive(SB_OPENBLAS_ARCHIVE openblas PATH_SUFFIXES openblas-pthread)
# For programs that link shared libraries beside these archives: kept hidden, the archives do not stand in for what the
# shared libraries use. By name, because the sanitizers' own archive has to be seen.
get_property(hidden GLOBAL PROPERTY SB_ARCHIVES)
list(JOIN hidden : hidden)
set(SB_HIDE_ARCHIVES -Wl,--exclude-libs,${hidden})
find_path(SB_OPENBLAS_INCLUDE openblas_config.h REQUIRED
          PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread openblas-pthread)

# HDF5 1.14 may have a driver for files in S3, which wants curl and more of OpenSSL: sb_hdf5_without_s3 answers in its place.
add_library(sb_hdf5_without_s3 STATIC ${CMAKE_CURRENT_LIST_DIR}/../src/io/h5/h5_without_s3.c)
target_include_directories(sb_hdf5_without_s3 SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
target_link_libraries(sb_hdf5_without_s3 PRIVATE sb_flags)
imported_archive(hdf5_static "${HDF5_INCLUDE_DIRS}" sb_hdf5_without_s3 ${SB_HDF5_HL_ARCHIVE} ${SB_HDF5_ARCHIVE} ${SB_SZ_ARCHIVE}
                 ${SB_AEC_ARCHIVE} ${SB_Z_ARCHIVE} m dl)
target_link_options(hdf5_static INTERFACE LINKER:--undefined=H5FD_ros3_init)
target_compile_definitions(hdf5_static INTERFACE H5_USE_110_API) # the interface of Debian 12's, of newer libraries too
# What OpenBLAS asks of its process, when it initialises itself before main and when it has work for threads, is answered here.
set(library ${CMAKE_CURRENT_LIST_DIR}/../src/ops/library)
add_library(sb_openblas_host STATIC ${library}/openblas_host.c ${library}/openblas_pace.c)
target_link_libraries(sb_openblas_host PRIVATE sb_flags)
imported_archive(openblas_static "${SB_OPENBLAS_INCLUDE}" ${SB_OPENBLAS_ARCHIVE} sb_openblas_host pthread m)
target_link_options(openblas_static INTERFACE LINKER:--wrap=openblas_num_threads_env LINKER:--wrap=blas_thread_init LINKER:--wrap=exec_blas)
# MPICH and the transports below it, for samebits-mpi: all of them are linked statically, or there is no such program. The
# transports announce themselves before main, so that every member of their archives is wanted.
set(SB_HAVE_MPI OFF)
if(SB_STATIC AND NOT SB_TRAINER_ONLY)
    set(SB_HAVE_MPI ON)
    foreach(name mpich ucp uct ucs ucm hwloc numa)
        string(TOUPPER SB_${name}_ARCHIVE variable)
        find_library(${variable} lib${name}.a PATH_SUFFIXES mpich/lib) # where newer MPICHs are
        if(NOT ${variable})
            set(SB_HAVE_MPI OFF)
        endif()
    endforeach()
    find_path(SB_MPI_INCLUDE mpi.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/mpich mpich)
    if(NOT SB_MPI_INCLUDE)
        set(SB_HAVE_MPI OFF)
    endif()
endif()
if(SB_HAVE_MPI) # Ubuntu 24.04's MPICH finds its launcher by PMIx alone, which its own mpiexec does not have
    execute_process(COMMAND ${CMAKE_NM} ${SB_MPICH_ARCHIVE} OUTPUT_VARIABLE symbols ERROR_QUIET)
    if(NOT symbols MATCHES " T PMI_Init\n")
        message(STATUS "no samebits-mpi: ${SB_MPICH_ARCHIVE} has no PMI, by which mpiexec.hydra and srun --mpi=pmi2 start it")
        set(SB_HAVE_MPI OFF)
    endif()
endif()
if(SB_HAVE_MPI)
    imported_archive(mpi_static "${SB_MPI_INCLUDE}" -Wl,--whole-archive ${SB_UCP_ARCHIVE} ${SB_UCT_ARCHIVE} ${SB_UCS_ARCHIVE}
                     ${SB_UCM_ARCHIVE} -Wl,--no-whole-archive -Wl,--start-group ${SB_MPICH_ARCHIVE} ${SB_HWLOC_ARCHIVE} ${SB_NUMA_ARCHIVE}
                     -Wl,--end-group m pthread dl rt)
endif()
imported_archive(crypto_static "" ${SB_CRYPTO_ARCHIVE} ${SB_ZSTD_ARCHIVE} dl pthread)
imported_archive(png_static "" ${SB_PNG_ARCHIVE} ${SB_Z_ARCHIVE} m)
imported_archive(z_static "" ${SB_Z_ARCHIVE})
if(NOT SB_TRAINER_ONLY)
    imported_archive(cyaml_static "" ${SB_CYAML_ARCHIVE} ${SB_YAML_ARCHIVE})
    imported_archive(jansson_static "" ${SB_JANSSON_ARCHIVE})
    imported_archive(archive_static "" ${SB_LIBARCHIVE_ARCHIVE} ${SB_Z_ARCHIVE}) # enough to read tars
endif()
