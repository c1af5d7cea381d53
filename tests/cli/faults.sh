# What the tests of failing system calls share. Sourced, not run. A test makes a folder `start`, and then
#
#     walk NAME CASES JUDGE COMMAND...
#
# runs the command, which writes below the folder `out`, on fresh copies of `start`. Each time one of its system calls
# that change a file there fails (support/fault.c): an error of input and output, a disk that is full from there on, or
# SIGKILL. `JUDGE whole` holds `out` against an undisturbed one; `JUDGE broken` accepts a file that is missing or as it
# was before, but none that is half written. Unless it ended whole, the same command, undisturbed, must then do so.
# cause_of: how else the cause may be worded (grep -E), by a program that it calls.
# As many cases as it says, a third of them under a sanitizer: calls of different kinds, as far as there are so many.
# SB_TEST_EVERY=N: every N-th call, each with every error; 1 is all of them.
fault=$SB_BUILD/bin/fault
seed=${SB_TEST_SEED:-$(date +%s)}
RANDOM=$seed
echo "seed $seed"
cases=0
mkdir start
# HDF5 does not free the structure of its file driver where close() of the file fails.
echo leak:H5FL__malloc >lsan.known
export LSAN_OPTIONS=${LSAN_OPTIONS+$LSAN_OPTIONS:}suppressions=$PWD/lsan.known:print_suppressions=0
"$fault" --below "$PWD" --log calls -- true 2>fault.out || { cat fault.out; exit 77; }

wrong() { # WHAT...: which case it was, what it printed, what is there
    echo "FAILED: $*"
    echo "  $case_text"
    sed 's/^/  | /' said
    find out -type f | sed 's/^/  there: /'
    exit 1
}

afresh() {
    rm -rf out
    cp -a start out
}

# what no command may leave behind; "new": but for what was there before
find_left() {
    left=$(find out \( -name '*.part' -o -name '*.journal' -o -name '*.lock' -o -name '*.corrupt*' -o -name '*.stage' \) -print)
    [ "${1-}" != new ] || left=$(for file in $left; do case $file in *.journal) ;; *) [ -e "start/${file#out/}" ] || echo "$file" ;; esac; done)
}

# The calls to let fail, as many as it says: each of another kind (call, last part of the file's name) while there are
# such, by chance among those of its kind.
choose() { # CASES
    awk -v seed=$RANDOM "$chance { print chance(), \$0 }" calls.all | sort -n |
        awk '{ name = $4; sub(/.*[.\/]/, "", name); print seen[$3, name]++, $2 }' | sort -s -k1,1n |
        head -n "$1" | cut -d' ' -f2
}

one_case() { # ERROR AT JUDGE COMMAND...
    local error=$1 at=$2 judge=$3 code=0 failed
    shift 3
    afresh
    "$fault" --below "$PWD/out" --log calls --at "$at" --error "$error" -- "$@" >said 2>&1 || code=$?
    failed=$(grep -m1 ' failed$' calls || true)
    case_text="call $failed, $error: $* -> $code"
    cases=$((cases + 1))
    if [ $error != KILL ]; then
        [ $code -le 7 ] && [ $code != 2 ] || wrong "an exit code that says something else"
        if [ $code != 0 ] && ! grep -qE "out.*: .*(Input/output error|[Nn]o space left|says:${cause_of+|$cause_of})" said; then
            wrong "no sentence with path and cause"
        fi
    fi
    if [ $code = 0 ]; then $judge whole || wrong "exit code 0, but not whole"; else $judge broken || wrong "broken"; fi
    find_left new
    case "$error $failed" in
    KILL* | *unlink* | *rmdir*) ;;
    *) [ -z "$left" ] || wrong "left behind: $left" ;;
    esac
    if [ $code != 0 ]; then
        "$@" >said 2>&1 || wrong "the same command again ended with $?"
        $judge whole || wrong "the same command again did not end whole"
    fi
    find_left
    case "$error $failed" in
    # of a run or a bundle that is whole: the next one of that name removes it
    *unlink*.journal* | *unlink*.stage* | *rmdir*.stage*) left= ;;
    KILL* | *unlink*.lock*) left=$(echo "$left" | grep -v '\.lock$' || true) ;; # an empty file; the lock went with its process
    esac
    [ -z "$left" ] || wrong "left behind in the end: $left"
}

walk() { # NAME CASES JUDGE COMMAND...
    local name=$1 wanted=$2 judge=$3 cases=0 turn=$((RANDOM % 3)) at error
    local -a errors=(EIO FULL KILL)
    shift 3
    [ ! "${SB_TEST_SLOW-}" ] || wanted=$(((wanted + 2) / 3))
    case_text="undisturbed: $*"
    afresh
    "$fault" --below "$PWD/out" --log calls.all -- "$@" >said 2>&1 || wrong "exit code $?"
    $judge whole || wrong "not whole"
    if [ "${SB_TEST_EVERY-}" ]; then
        for at in $(cut -d' ' -f1 calls.all | sed -n "1~${SB_TEST_EVERY}p"); do
            for error in "${errors[@]}"; do one_case $error "$at" $judge "$@"; done
        done
    else
        for at in $(choose "$wanted"); do one_case ${errors[(cases + turn) % 3]} "$at" $judge "$@"; done
    fi
    echo "ok: $name: $cases cases among $(wc -l <calls.all) calls"
}
