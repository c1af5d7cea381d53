# tests/fuzz/fuzz.sh with a stand-in for libFuzzer: every target once, the seeds first, and no finding goes unsaid.
fuzz=$SB_SOURCE/tests/fuzz/fuzz.sh
mkdir -p build/bin
cat >build/bin/fuzz_fake <<'END'
#!/bin/sh
[ "${SB_FUZZ_TARGET-}" ] || { printf 'good\nbad\nnone\n'; exit 0; }
if [ "${SB_FUZZ_SEEDS-}" ]; then
    echo seed >"$SB_FUZZ_SEEDS/made-seed"
    exit 0
fi
echo "$SB_FUZZ_TARGET $*" >>calls
case $SB_FUZZ_TARGET/$* in
    none/*) exit 1 ;;
    bad/*-max_total_time*)
        for word; do case $word in -artifact_prefix=*) found=${word#*=}crash-1 ;; esac; done
        echo input >"$found"
        echo "#9 NEW cov: 12 ft: 13"
        echo "Test unit written to $found"
        exit 77 ;;
    bad/*) echo "in sb_sums_parse sums.c:40"; exit 77 ;;
    *) printf '#7\tNEW    cov: 120 ft: 772\n#4711\tDONE   cov: 121 ft: 773\nstat::number_of_executed_units: 4711\n' ;;
esac
END
chmod +x build/bin/fuzz_fake

expect 0 '^good: 4711 inputs, 121 edges, no finding$' "$fuzz" build 3 good
grep -q '^good -max_total_time=3 .*build/fuzz/good' calls
[ "$(cat build/fuzz/good/made-seed)" = seed ]
# A finding stops neither the others nor the report; a target that tried nothing is no success.
expect 1 '^bad: 9 inputs, 12 edges, 1 FINDING$' "$fuzz" build 3
also '^good: 4711 inputs'
also '^none: 0 inputs, 0 edges, no finding$'
grep -q 'in sb_sums_parse' build/fuzz/found/bad-crash-1.txt
expect 1 '^none: 0 inputs' "$fuzz" build 3 none
expect 2 'no such target; there are: good bad none' "$fuzz" build 3 goood
expect 2 "'1m' is no number of seconds" "$fuzz" build 1m
expect 2 '^fuzz.sh BUILD SECONDS' "$fuzz" build
