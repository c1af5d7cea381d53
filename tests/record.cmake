# Tests of src/record, of what reads it, and of python/.
sb_add_test(test_record sb_record m)
target_sources(test_record PRIVATE support/public_types.c)
target_include_directories(test_record PRIVATE ${PROJECT_SOURCE_DIR}/include)
sb_add_test(test_align sb_inspect_f32)
