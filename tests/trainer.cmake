# Tests of src/: core and io first, then operations, networks and training.
sb_add_test(test_guard sb_core)
sb_add_test(test_hash sb_core)
sb_add_test(test_self sb_core)
sb_add_test(test_options sb_core)
sb_add_test(test_nearest sb_core)
sb_add_test(test_random sb_core m)
sb_add_test(test_size sb_core)
sb_add_test(test_screen sb_core)
sb_add_test(test_sketch sb_core m)
sb_add_test(test_power sb_core m)
sb_add_test(test_sums sb_io)
sb_add_test(test_columns sb_io)
sb_add_test(test_seal sb_io)
sb_add_test(test_writer sb_core m)
sb_add_test(test_environment sb_core)
sb_add_test(test_archive sb_archive archive_static)
sb_add_test(test_crafted_forms sb_io hdf5_static)
sb_add_test(test_crafted_library sb_io hdf5_static)
sb_add_test(test_crafted_dataset sb_io hdf5_static)
sb_add_test(test_crafted_run sb_inspect_f32 hdf5_static)
sb_add_test(test_crafted_golden sb_inspect_f32 hdf5_static)

sb_add_test(test_math openmp m) # headers alone
sb_layer(test_math core ops)
foreach(operation point lstm loss layer layer_own norm dense conv conv_weights conv_identity batch conv_batch)
    sb_add_test(test_${operation} sb_backend_f32)
endforeach()
if(SB_SANITIZE MATCHES address)
    sb_add_test(test_bounds sb_ops_f32)
endif()
sb_add_test(test_imitations sb_backend_f32 m)
target_compile_definitions(test_imitations PRIVATE SB_DEVICE_FUNCTIONS)
sb_add_test(test_update sb_train_f32)
sb_add_test(test_reduce sb_train_f32)
sb_add_test(test_local sb_train_f32)
sb_add_test(test_learned sb_train_f32)
sb_add_test(test_exchange sb_train_f32 pthread)

sb_add_test(test_gradient sb_train_f64)
sb_add_test(test_layer_golden sb_train_f64)
sb_add_test(test_layer_own_golden sb_train_f64)
sb_add_test(test_sequential sb_train_f64)
sb_add_test(test_sequential_asserts sb_train_f64)
sb_add_test(test_sequential_gradient sb_train_f64)
sb_add_test(test_optimizers sb_train_f64)
sb_add_test(test_lbfgs sb_train_f64)
sb_add_test(test_genome sb_train_f64 openmp m)
sb_add_test(test_schedules sb_train_f64)
sb_add_test(test_overfit sb_train_f32)
sb_add_test(test_pieces sb_ops_f32)
sb_add_test(test_openblas_shares sb_ops_f32)
sb_add_test(test_agreement sb_train_f64)
sb_add_test(test_params sb_net_f32)
sb_add_test(test_autoencoder sb_net_f32 m)
sb_add_test(test_lanes sb_net_f32)
sb_add_test(test_loader sb_train_f32)
sb_add_test(test_augment sb_train_f32)
sb_add_test(test_images sb_train_f32)
sb_add_test(test_input sb_train_f32 pthread)
sb_add_test(test_ring sb_train_f32 pthread)
sb_add_test(test_whitening sb_train_f32 m)
sb_add_test(test_baselines sb_train_f32 m)
sb_add_test(test_journal sb_train_f32)
sb_add_test(test_divergence sb_inspect_f32)
sb_add_test(test_selection sb_inspect_f32)
sb_add_test(test_gradients sb_inspect_f32)
sb_add_test(test_lanczos sb_inspect_f64)
sb_add_test(test_hessian sb_inspect_f64 m)
sb_add_test(test_bisect sb_inspect_f32)
sb_add_test(test_readback sb_train_f32)
sb_add_test(test_runfile sb_train_f32)

# Held in float and in double; a sanitizer sees the same lines in both, and the networks in double in test_gradient.
sb_add_test(test_golden sb_inspect_f32)
set(golden_f64 "")
if(SB_ALL_TESTS)
    set(golden_f64 test_golden_f64)
    sb_add_test_of(test_golden_f64 test_golden.c sb_inspect_f64)
endif()
foreach(test test_golden ${golden_f64} test_crafted_golden test_layer_golden test_layer_own_golden test_loader test_augment test_optimizers test_genome
        test_reduce test_schedules test_whitening)
    target_compile_definitions(${test} PRIVATE SB_GOLDEN="${CMAKE_CURRENT_SOURCE_DIR}/golden")
endforeach()

# Networks for tests/ranks/cost.sh.
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
    foreach(program delay_link link_speed)
        add_executable(${program} ranks/${program}.c)
        target_link_libraries(${program} PRIVATE sb_flags)
    endforeach()
endif()

# Files for the command-line tests.
add_executable(make_file support/make_file.c)
target_link_libraries(make_file PRIVATE sb_flags sb_io)
add_executable(same_h5 support/same_h5.c)
target_link_libraries(same_h5 PRIVATE sb_flags sb_io)
add_executable(near_h5 support/near_h5.c)
target_link_libraries(near_h5 PRIVATE sb_flags sb_io m)
add_executable(age_run support/age_run.c)
target_link_libraries(age_run PRIVATE sb_flags sb_inspect_f32 hdf5_static)
add_executable(flip_bytes support/flip_bytes.c)
target_link_libraries(flip_bytes PRIVATE sb_flags sb_inspect_f32)
sb_add_cli_test(verify_files)
sb_add_cli_test(verify_flips)

# Lets one system call of a command fail; not sanitized, so that it works beside any program.
add_executable(fault support/fault.c)
target_link_libraries(fault PRIVATE sb_flags)

foreach(name bits input pinned resume signals memory threads shares bad_input disk_full file_limit faults verbs diff replay bisect layers optimizer shards
             gradients hessian imitations classes bisect_classes bisect_evolve ranks local validate diverge own evolve evolve_ranks export)
    sb_add_cli_test(train_${name})
endforeach()

if(SB_ALL_TESTS)
    # No setting is swallowed, whatever it is typed with: a few thousand short runs.
    sb_add_cli_test(train_settings)

    # Every script and every test program has a place in a list.
    sb_add_cli_test(build_registered)

    # A new row in ops/slots.h: what is made from it compiles, what must name it does not.
    sb_add_cli_test(build_slots)
    sb_add_cli_test(build_kernels)

    # The arithmetic for other architectures, with the flags of the kernels.
    sb_add_cli_test(build_cross)
    list(JOIN SB_EXACT " " exact)
    set_tests_properties(cli_build_cross PROPERTIES ENVIRONMENT "SB_EXACT=${exact}")

    # A new row in core/rows/setting.h: every place that must know it does. It builds the programs without optimisation.
    sb_add_cli_test(build_setting)

    # Each layer's include path, as its target has it: an include that points up must not compile.
    set(paths "")
    foreach(layer core io ops_f32 backend_f32 net_f32 rank data_f32 train_f32 record inspect_f32)
        list(APPEND paths "${layer}=$<JOIN:$<TARGET_PROPERTY:sb_${layer},INTERFACE_INCLUDE_DIRECTORIES>,:>")
    endforeach()
    sb_add_cli_test(build_layers)
    set(floors "") # those of the other programs, lowest first
    foreach(program datasets matrix paper)
        get_property(of_program DIRECTORY ${PROJECT_SOURCE_DIR}/${program} PROPERTY SB_FLOORS)
        foreach(floor ${of_program})
            string(REPLACE "sb_${program}_" "" folder ${floor})
            list(APPEND floors "${program}/${folder}=$<JOIN:$<TARGET_PROPERTY:${floor},INTERFACE_INCLUDE_DIRECTORIES>,:>")
        endforeach()
    endforeach()
    set_tests_properties(cli_build_layers PROPERTIES
                         ENVIRONMENT "SB_LAYER_PATHS=$<JOIN:${paths}, >;SB_FLOOR_PATHS=$<JOIN:${floors}, >")

    sb_add_cli_test(train_valgrind)
    # What another compiler makes has the bits of this build's, gcc -O3. Those of gcc at -O1 are held to the same recorded
    # bits where the sanitizers' build runs train_bits.
    sb_add_cli_test(train_clang)
endif()
