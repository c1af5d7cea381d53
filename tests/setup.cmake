# Tests of what stands around the programs: the list of packages, the Makefile.
foreach(name packages revision make path spack)
    sb_add_cli_test(setup_${name})
endforeach()
sb_add_cli_test(program)
if(NOT SB_SANITIZE) # each command has a test that the sanitizers see
    sb_add_cli_test(readme_commands)
endif()
sb_add_cli_test(program_manual)
sb_add_cli_test(program_screen)
if(NOT SB_SANITIZE)
    sb_add_cli_test(setup_package)
endif()
