# Tests of what stands around the programs: the list of packages, the Makefile, the manuals' commands. Each command has a test
# that the sanitizers see; these are run without them.
if(NOT SB_SANITIZE)
    foreach(name packages revision make path spack package)
        sb_add_cli_test(setup_${name})
    endforeach()
    sb_add_cli_test(readme_commands)
endif()
sb_add_cli_test(program)
sb_add_cli_test(program_manual)
sb_add_cli_test(program_screen)
