#!/usr/bin/env bash
# run.sh TEST.sh BUILD: run a command-line test with the built programs first on PATH, in an empty folder that is
# removed afterwards. The test exits 0 (passed), 77 (skipped, says why) or anything else (failed).
set -eu
export OMP_WAIT_POLICY=passive # several tests run at a time: threads that spin while they wait take the others' cores
unset MAKEFLAGS MAKELEVEL MFLAGS # a 'make' in a test speaks as one that was typed, also below 'make test'
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE OPENBLAS_BLOCK_FACTOR # what they change is no part of what a test expects
test=$(realpath "$1")
export SB_BUILD=$(realpath "$2")
export SB_SOURCE=$(realpath "$(dirname "$0")/../..")
export PATH=$SB_BUILD/bin:$PATH
test_folder=$(mktemp -d "${TMPDIR:-/tmp}/samebits-test.XXXXXX")
readonly SB_BUILD SB_SOURCE test_folder # a test that set one of them would remove what is not its own
# a process that the test ended, such as an engine's, may still write into it
trap 'chmod -R u+w "$test_folder"; rm -rf "$test_folder" 2>/dev/null || { sleep 3; rm -rf "$test_folder"; }' EXIT
cd "$test_folder"
. "$SB_SOURCE/tests/cli/lib.sh"
. "$test"
