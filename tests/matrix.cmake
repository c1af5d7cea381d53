# Tests of matrix/. fake_samebits stands in for the trainer.
add_executable(fake_samebits support/fake_samebits.c)
target_link_libraries(fake_samebits PRIVATE sb_io)

sb_add_test(test_cells sb_matrix)
sb_add_test(test_cells_refused sb_matrix)
sb_add_test(test_filter sb_matrix)
sb_add_test(test_process sb_matrix)
sb_add_test(test_stamps sb_matrix)
sb_add_test(test_hardware sb_matrix)
sb_add_test(test_container sb_matrix)
foreach(name shell texts list run resume replicates diverge same_study calls faults faults_bundle locks make together collect emulated baselines compare
        distances elsewhere again order limits disk_full plan table watch killed engine stacks container container_ends versions source unbundle crafted slurm
        slurm_absent ranks evolution trust batches kernel typed command command_refused command_engine command_report command_container
        command_slurm)
    sb_add_cli_test(matrix_${name})
endforeach()
if(SB_ALL_TESTS)
    # How long ten thousand cells take, what tables say of an imitation, which bits a task has that gave way, and those of
    # the reference.
    foreach(name thousand imitated slurm_preempted reference)
        sb_add_cli_test(matrix_${name})
    endforeach()
endif()
