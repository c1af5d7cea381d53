# Tests of src/: core and io first, then operations, networks and training.
sb_add_test(test_options sb_core)
sb_add_test(test_random sb_core m)

sb_add_test(test_math openmp m)
foreach(operation point lstm loss dense conv)
    sb_add_test(test_${operation} sb_backend_f32)
endforeach()
sb_add_test(test_adam sb_train_f32)

sb_add_test(test_gradient sb_train_f64)
sb_add_test(test_params sb_net_f32)
sb_add_test(test_feed sb_train_f32)

# More threads than cores would spin for each other.
set_tests_properties(test_point test_lstm test_loss test_dense test_conv test_adam test_gradient PROPERTIES
                     ENVIRONMENT OMP_WAIT_POLICY=passive)
