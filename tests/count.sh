#!/usr/bin/env bash
# count.sh BUILD...: the last line of 'make test', all suites in one, from the tests.xml that ctest left in each build.
# Skipped tests are counted apart, never as passed. Exit code 1 if a test failed or none ran.
set -eu
ran=0 failed=0 skipped=0 suites=
for build; do
    read -r n f s < <(sed -n 's/^\t\(tests\|failures\|skipped\)="\([0-9]*\)".*/\2/p' "$build/tests.xml" | paste -sd' ')
    ran=$((ran + n - s)) failed=$((failed + f)) skipped=$((skipped + s))
    suites+="${suites:+, }$(basename "$build") $((n - s))"
done
[ $ran -gt 0 ] || { echo 'no test ran' >&2; exit 1; }
echo "$(((ran - failed) * 100 / ran))% tests passed, $failed tests failed out of $ran ($suites); $skipped skipped"
[ $failed = 0 ]
