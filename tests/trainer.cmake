# Tests of src/: core and io first, then operations, networks and training.
sb_add_test(test_options sb_core)
sb_add_test(test_random sb_core m)

sb_add_test(test_math openmp m)
