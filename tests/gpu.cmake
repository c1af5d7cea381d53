# The GPU side. Everything here runs without a GPU, but for the subjects that say they are skipped.
sb_add_test(test_gpu sb_train_f32)
set_tests_properties(test_gpu PROPERTIES ENVIRONMENT OMP_WAIT_POLICY=passive)
