# Tests of src/: core and io first, then operations, networks and training.
sb_add_test(test_options sb_core)
sb_add_test(test_random sb_core m)

sb_add_test(test_math openmp m)
foreach(operation point lstm loss dense)
    sb_add_test(test_${operation} sb_backend_f32)
endforeach()
sb_add_test(test_adam sb_train_f32)
