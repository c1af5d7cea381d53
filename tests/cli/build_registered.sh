# Every test in the tree is one that runs: a script or a program that no list names would never fail.
# A comment, or the text of a label, names a test without registering it.
listed() { sed -E 's/#.*//; s/"[^"]*"//g' "$@" | tr -cs 'a-z0-9_' '\n' | sort -u; }
printf '%s\n' '# sb_add_cli_test(one)' 'sb_add_cli_test(two AT_LENGTH every "three, four") # five' >example.cmake
[ "$(listed example.cmake | grep -xE 'one|two|three|four|five')" = two ]
listed "$SB_SOURCE"/tests/CMakeLists.txt "$SB_SOURCE"/tests/*.cmake >words
grep -rhoE '/[a-z0-9_]+\.sh"' "$SB_SOURCE/tests" | sort -u >read_by_others
named() { grep -qxF -- "$1" words; }
n=0
for file in "$SB_SOURCE"/tests/cli/*.sh "$SB_SOURCE"/tests/test_*.c; do
    name=${file##*/}
    name=${name%.*}
    grep -qxF "/$name.sh\"" read_by_others && continue
    named "$name" || { echo "FAILED: no list in tests/ names $name"; exit 1; }
    n=$((n + 1))
done
[ "$n" -gt 150 ]
if named train_never_written; then echo "FAILED: a test that is not there is named"; exit 1; fi
echo "ok: $n tests have a list"

# No label is lost: a word that is none, or more or fewer values than a label takes, ends cmake.
mkdir labels
sed -n '/^function(sb_label /,/^endfunction/p' "$SB_SOURCE/tests/CMakeLists.txt" >labels/label.cmake
label() {
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(labels NONE)' 'enable_testing()' 'include(label.cmake)' \
        'add_test(NAME it COMMAND true)' "sb_label(it $1)" 'get_property(labels TEST it PROPERTY LABELS)' \
        'message(STATUS "labels: ${labels}.")' >labels/CMakeLists.txt
    cmake -S labels -B labels/build 2>&1 | tr -s ' \n' ' '
}
for words in 'FRIST' 'FIRST at-length' 'AT_LENGTH' 'AT_LENGTH every' 'AT_LENGTH every "a" FRIST' 'AT_LENGTH every "a" "b"' \
    'AT_LENGTH sometimes "a"'; do
    label "$words" | grep -qE "it: (no label '|AT_LENGTH wants )" || { echo "FAILED: sb_label takes $words"; exit 1; }
done
label 'FIRST UNSANITIZED DISTRIBUTION AT_LENGTH every "a, b"' | grep -q 'labels: distribution;at-length\.'

# HDF5 is called by one thread at a time: every function of these headers that calls it takes its turn first. The others
# call no function of the library, or only through one that does.
n=0
for name in $(sed -n 's/^[a-z].*[ *]\(sb_h5_[a-z0-9_]*\)(.*/\1/p' "$SB_SOURCE"/src/io/h5/h5.h "$SB_SOURCE"/src/io/h5/h5_attribute.h \
    "$SB_SOURCE"/src/io/h5/h5_copy.h "$SB_SOURCE"/src/io/h5/h5_walk.h "$SB_SOURCE"/src/io/h5/h5_scale.h | sort -u); do
    case $name in
    sb_h5_open | sb_h5_leave | sb_h5_finish | sb_h5_path | sb_h5_seal | sb_h5_is_of_scale | sb_h5_visit | sb_h5_read_new | sb_h5_fail_memory) continue ;;
    esac
    cat "$SB_SOURCE"/src/io/h5/h5*.c | awk -v name="$name" '/^[a-z]/ && index($0, name "(") { inside = 1 }
        inside && /SB_H5_TURN/ { found = 1 } inside && /^}/ { inside = 0 } END { exit !found }' ||
        { echo "FAILED: $name does not take its turn"; exit 1; }
    n=$((n + 1))
done
[ "$n" -gt 18 ]

# No assertion that cannot fail: the scripts run under 'set -e', which passes over a failure left of '&&' or behind '!'.
unchecked() { awk -f "$SB_SOURCE/tests/support/unchecked.awk" "$@"; }
cat >bad.sh <<'BAD'
[ -s one.svg ] && [ -s two.svg ]
    grep -q one page && grep -q two page # both
(cd out && sha256sum -c SHA256SUMS) && grep -q ' trust.csv$' out/SHA256SUMS
mkdir folder && cp file folder/
! grep -v '^N:' lintian.log
for file in a b; do ! cmp $file c; done
grep -q one page &&
    grep -q two page
expect 0 'a && b' true; [ -s one ] && [ "$(wc -l <two)" = 8 ]
BAD
[ "$(unchecked bad.sh | cut -d: -f2 | tr '\n' ' ')" = '1 2 3 4 5 6 8 9 ' ] || { unchecked bad.sh; exit 1; }
cat >good.sh <<'GOOD'
if ! [ -e one ] && [ -e two ]; then exit 1; fi
[ "$x" ] && y=$x
[ "$x" ] && [ "$y" ] || { echo "FAILED: one && two"; exit 1; }
pack() { tar -cf a.tar a && gzip a.tar; }
(cd out && sha256sum -c SHA256SUMS)
awk -F, '$1 == "a" && $2 > 0 { n++ }
    $3 == "b" && $4 { n-- }' rows.csv # a && b
! grep -q one page || { echo "FAILED: one"; exit 1; }
[ -e "$1" ] && return 0
cat >tool <<'TOOL'
[ "$1" ] && echo "$1"
TOOL
GOOD
[ -z "$(unchecked good.sh)" ] || { unchecked good.sh; exit 1; }
unchecked "$SB_SOURCE"/tests/cli/*.sh "$SB_SOURCE"/tests/support/*.sh "$SB_SOURCE"/tests/ranks/*.sh >found
if [ -s found ]; then echo "FAILED: a failure would be passed over: one assertion a line"; cat found; exit 1; fi
