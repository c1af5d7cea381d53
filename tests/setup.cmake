# Tests of what stands around the programs: the list of packages, the Makefile, the manuals' commands.
sb_add_cli_tests(setup_distributions setup_packages setup_revision setup_make setup_path setup_spack setup_sysroot
                 setup_sysroot_refused UNSANITIZED)
sb_add_cli_test(setup_package UNSANITIZED FIRST DISTRIBUTION AT_LENGTH every "setup_make, setup_path")
sb_add_cli_test(readme_commands UNSANITIZED FIRST)
sb_add_cli_test(program UNSANITIZED)
sb_add_cli_test(program_manual)
sb_add_cli_test(program_screen)
sb_add_cli_test(program_locks)
sb_add_cli_test(program_limits)
