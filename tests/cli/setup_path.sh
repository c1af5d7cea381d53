# Sources in a folder whose name has blanks, brackets and an ampersand are configured and built there; and a study runs
# in such a folder.
place="a (b) & c"
mkdir "$place"
(cd "$SB_SOURCE" && tar -cf - .clang-format CITATION.cff CMakeLists.txt CMakePresets.json Makefile Makefile.repro cmake containers \
    src datasets matrix paper tests/*.* tests/fuzz tests/ranks tests/support tests/tools) | tar -xf - -C "$place"
cd "$place"
cmake --preset ci >configure.out 2>&1 || { cat configure.out; exit 1; }
cmake --build build/ci --target test_nearest >build.out 2>&1 || { cat build.out; exit 1; }
expect 0 PASSED build/ci/bin/test_nearest
grep -q '^#define SB_REVISION "' build/ci/build_facts.h
expect 0 '^make build ' make help

for test in matrix_collect matrix_resume report_trace; do
    TMPDIR=$PWD "$SB_SOURCE/tests/cli/run.sh" "$SB_SOURCE/tests/cli/$test.sh" "$SB_BUILD" >test.out 2>&1 ||
        { cat test.out; exit 1; }
done
