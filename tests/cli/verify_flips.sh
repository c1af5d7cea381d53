# A changed byte anywhere in any file that the programs write and later believe is noticed: 500 random ones of each kind by
# the library, a handful by every program that would use the file; under a sanitizer 100 and two. SB_TEST_SEED=N takes
# those of another run again, SB_TEST_EVERY=1 each byte of each file, one at a time (minutes).
. "$SB_SOURCE/tests/cli/verify_setup.sh"
seed=${SB_TEST_SEED:-$(((RANDOM << 15) + RANDOM))}
if [ "${SB_TEST_SLOW-}" ]; then n=100; else n=500; fi
how="random $n $seed"
[ -z "${SB_TEST_EVERY:-}" ] || how=every
for file in sealed/*.h5 sealed/bundle.tar sealed/results.tar.gz tables/*.csv tables/SHA256SUMS; do
    expect 0 ' flips, 0 silent' flip_bytes "$file" $how
    tail -n 1 expect.out
done

# at FILE PLACE command...: the command refuses the file with one byte changed, as damaged, and the byte comes back
at() {
    local file=$1 place=$2 byte
    shift 2
    cp "$file" whole
    byte=$(od -An -tu1 -j "$place" -N1 whole | tr -d ' ')
    printf "\\$(printf %o $((byte ^ 16)))" | dd of="$file" bs=1 seek="$place" conv=notrunc status=none
    expect 7 "$(basename "$file")" "$@"
    cp whole "$file"
}
# each FILE command...: in the magic word, in the digest, in the zeros of the seal, and in the content
each() {
    local file=$1 size place
    local -a places
    shift
    size=$(stat -c %s "$file")
    places=(40 $((size / 3)) 3 $((size > 500 ? 500 : size / 4)) $((size / 2)) $((size - 1)))
    [ ! "${SB_TEST_SLOW-}" ] || places=("${places[@]::2}")
    for place in "${places[@]}"; do at "$file" "$place" "$@"; done
}
data=sealed/data.h5 run=sealed/run.h5 checkpoint=sealed/checkpoint.h5
cp $run other.h5
each $data samebits train $small --updates 1 --quiet -o never.h5
each $data samebits trace $small -o never.h5
each $data samebits-data verify $data
each $run samebits diff $run other.h5
each $run samebits eval --data digits.h5 $run
each $run samebits replay $run --data digits.h5 --quiet
each $run samebits train $auto --updates 8 -o $run
each $checkpoint samebits train $auto --updates 1000000 -o $checkpoint
each $checkpoint samebits eval --data digits.h5 $checkpoint
cp sealed/trace.h5 other-trace.h5
each sealed/trace.h5 samebits bisect sealed/trace.h5 other-trace.h5
each sealed/results.tar.gz samebits-report write --only numbers -i sealed/results.tar.gz -o never
each sealed/results.tar.gz samebits-report import sealed/results.tar.gz -o never
each sealed/bundle.tar samebits-matrix unbundle sealed/bundle.tar -o never
for table in cells curves timing coverage; do each tables/$table.csv samebits-report write --only numbers -i tables -o never; done
run_of_cell=tables/$(sed -n '2s/.*,//p' tables/cells.csv)
each "$run_of_cell" samebits-report write --only numbers -i tables --runs tables -o never
each "$run_of_cell" samebits verify tables
absent never never.h5
