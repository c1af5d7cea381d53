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
sb_add_cli_tests(matrix_shell matrix_texts matrix_list matrix_run matrix_resume matrix_replicates matrix_diverge
                 matrix_same_study matrix_calls matrix_faults matrix_faults_bundle matrix_locks matrix_together
                 matrix_collect matrix_elsewhere matrix_again matrix_limits matrix_disk_full matrix_plan matrix_watch
                 matrix_engine matrix_source matrix_unbundle matrix_crafted matrix_slurm matrix_slurm_absent matrix_ranks
                 matrix_kernel matrix_typed matrix_command matrix_command_refused matrix_command_engine
                 matrix_command_report matrix_command_container matrix_command_slurm)
sb_add_cli_test(matrix_make AT_LENGTH sanitized "matrix_plan, fuzz_matrix")
sb_add_cli_test(matrix_emulated DISTRIBUTION AT_LENGTH sanitized "matrix_run, matrix_plan")
sb_add_cli_test(matrix_baselines AT_LENGTH sanitized "matrix_collect, test_baselines")
sb_add_cli_test(matrix_compare DISTRIBUTION AT_LENGTH sanitized "matrix_run, test_hardware")
sb_add_cli_test(matrix_distances AT_LENGTH sanitized "matrix_collect, test_distances")
sb_add_cli_test(matrix_order AT_LENGTH sanitized "matrix_plan, matrix_run")
sb_add_cli_test(matrix_table AT_LENGTH sanitized "matrix_collect, test_table")
sb_add_cli_test(matrix_killed FIRST AT_LENGTH sanitized "matrix_resume, matrix_faults with SIGKILL")
sb_add_cli_test(matrix_stacks AT_LENGTH sanitized "matrix_run, test_container")
sb_add_cli_test(matrix_container FIRST)
sb_add_cli_test(matrix_container_ends AT_LENGTH every "matrix_container runs cells in images, test_container")
sb_add_cli_test(matrix_versions AT_LENGTH every "matrix_container, test_container")
sb_add_cli_test(matrix_evolution AT_LENGTH sanitized "matrix_collect, test_generations")
sb_add_cli_test(matrix_trust AT_LENGTH sanitized "matrix_collect, test_trust_ratios")
sb_add_cli_test(matrix_batches AT_LENGTH sanitized "matrix_run, matrix_collect, test_claims")
# How long ten thousand cells take, what tables say of an imitation, which bits a task has that gave way, and those of
# the reference.
sb_add_cli_tests(matrix_thousand matrix_reference UNSANITIZED)
sb_add_cli_test(matrix_imitated UNSANITIZED FIRST)
sb_add_cli_test(matrix_slurm_preempted UNSANITIZED FIRST)
