# Tests of matrix/. fake_samebits stands in for the trainer.
add_executable(fake_samebits support/fake_samebits.c)
target_link_libraries(fake_samebits PRIVATE sb_io)

sb_add_test(test_cells sb_matrix)
sb_add_test(test_cells_refused sb_matrix)
sb_add_test(test_filter sb_matrix)
sb_add_test(test_hardware sb_matrix)
sb_add_test(test_container sb_matrix)
foreach(name shell texts list run resume faults faults_bundle make together collect imitated emulated baselines match reference distances thousand again order limits plan table watch
        killed engine stacks container versions source unbundle crafted slurm slurm_absent slurm_preempted ranks)
    sb_add_cli_test(matrix_${name})
endforeach()
