#!/usr/bin/env bash
# fuzz.sh BUILD SECONDS [TARGET...]: every fuzz target of BUILD (preset fuzz), or those named, so many seconds each, from
# the made seeds and corpus/TARGET on. What it learns stays in BUILD/fuzz/TARGET for the next time; an input that does
# harm lies then as BUILD/fuzz/found/TARGET-*, and its report beside it.
# A line a target: inputs tried, edges of the code reached, findings. Exit codes: 0 no finding, 1 findings, 2 usage.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
case $2 in *[!0-9]*|'') echo "fuzz.sh: '$2' is no number of seconds" >&2; exit 2 ;; esac
build=$(cd "$1" && pwd) seconds=$2
shift 2
work=$build/fuzz
TMPDIR=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)/samebits-fuzz.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$work/found"

wanted() { # wanted TARGET NAME...
    local target=$1 name
    shift
    [ $# != 0 ] || return 0
    for name; do [ "$name" != "$target" ] || return 0; done
    return 1
}

# The report of what was found, with the names of functions in it.
explain() { # explain PROGRAM TARGET
    local input
    for input in "$work/found/$2"-*; do
        case $input in *.txt) continue ;; esac
        [ -f "$input" ] && [ ! -f "$input.txt" ] || continue
        SB_FUZZ_TARGET=$2 "$1" -timeout=70 "$input" >"$input.txt" 2>&1 || true
    done
}

fuzz() { # fuzz PROGRAM TARGET
    local program=$1 target=$2 log=$work/$2.log kept
    mkdir -p "$work/$target"
    SB_FUZZ_TARGET=$target SB_FUZZ_SEEDS=$work/$target "$program" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    kept=$here/corpus/$target
    SB_FUZZ_TARGET=$target "$program" -max_total_time="$seconds" -timeout=70 -report_slow_units=70 \
        -rss_limit_mb=4096 -max_len=65536 -print_final_stats=1 -artifact_prefix="$work/found/$target-" "$work/$target" \
        $([ ! -d "$kept" ] || echo "$kept") >>"$log" 2>&1 || true
    explain "$program" "$target"
    awk -v target="$target" '/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") reached = $(i + 1) }
        / DONE | cov: / { split($1, place, "#"); if (place[2] + 0 > tried) tried = place[2] + 0 }
        /^stat::number_of_executed_units/ { tried = $2 }
        /Test unit written to/ { print; found++ }
        END { printf "%s: %d inputs, %d edges, %s\n", target, tried, reached, found ? found " FINDING" : "no finding"
              exit found || !tried }' "$log"
}

code=0 n=0
for program in "$build"/bin/fuzz_*; do
    for target in $("$program"); do
        wanted "$target" "$@" || continue
        n=$((n + 1))
        fuzz "$program" "$target" || code=1
    done
done
[ $n != 0 ] || { echo "fuzz.sh: no such target; there are:" $(for program in "$build"/bin/fuzz_*; do "$program"; done) >&2; exit 2; }
exit $code
