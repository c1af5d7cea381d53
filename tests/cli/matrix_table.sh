# The live table: on a terminal redrawn in place, elsewhere not one control code.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
command -v script >/dev/null || { echo "skipped: no script, which makes a terminal"; exit 77; }

# on_terminal COLUMNS OPTIONS...: what the run sends to a terminal so wide, as lines of text, and what stood on it when
# the hanging cell had been seen
on_terminal() {
    local columns=$1
    shift
    rm -rf go results typescript
    script -qfec "stty cols $columns rows 20; TERM=xterm FAKE_HANG=copy/s002 $matrix run -f small.yaml $*" typescript \
        >/dev/null </dev/null &
    local terminal=$!
    wait_for grep -q "s002.* 6/12" typescript
    touch go
    wait $terminal
    tr '\r' '\n' <typescript >lines
}
plain() { sed $'s/\033\\[[0-9;]*[A-Zm]//g' "$1"; } # without what moves the cursor, and colours
on_terminal 120
grep -q $'\033\\[J' typescript
grep -q '^p/walk/native/any/copy/s002  \[##########          \]  6/12  loss 0.12500' <(plain lines)
grep -q '^all  *\[#####               \]  1/6 cells  1 running$' <(plain lines)
plain lines >sentences
count 6 'complete  p/walk/native/any/' sentences
count 0 'start ' lines

# narrow: no bar, the end of the name, and no line longer than the terminal
on_terminal 60 -j 2
grep -q '^\.\.[a-z]*/any/copy/s002  6/12  loss 0.12500' <(plain lines)
[ "$(plain lines | grep -E '^(\.\.|all )' | wc -L)" -lt 60 ]

# narrower: the loss leaves as a whole, and the number of updates stays
on_terminal 40
grep -q '^\.\.*[a-z/]*copy/s002  6/12  loss 0.12500' <(plain lines)
on_terminal 26
grep -qE '^\.\.[a-z/]*/s002  6/12 *$' <(plain lines)
[ "$(plain lines | grep -E '^(\.\.|all )' | wc -L)" -lt 26 ]

# what looks on does the same, and leaves out no state
rm -rf results go
FAKE_HANG=copy/s002 $matrix run -f small.yaml 2>run.err &
run=$!
half_way() { $matrix watch -f small.yaml --once | grep -q "s002 .* 6/12"; }
wait_for half_way
for columns in 60 40; do
    script -qfec "stty cols $columns rows 20; TERM=xterm $matrix watch -f small.yaml --once" typescript >/dev/null </dev/null
    plain typescript | tr -d '\r' >watched.$columns
done
touch go
wait $run
for columns in 60 40; do
    grep -q '^running  *\.\..*s002  6/12' watched.$columns
    count 1 '^complete .*s001' watched.$columns
    [ "$(grep -E '^(running|complete|missing)' watched.$columns | wc -L)" -lt $columns ]
done

# not a terminal, or one that can do nothing
touch go
rm -rf results
$matrix run -f small.yaml >plain.out 2>plain.err
count 0 $'\033|\r' plain.err
count 6 '^start     p/walk/native/any/' plain.err
count 6 '^complete  p/walk/native/any/' plain.err
[ ! -s plain.out ]
rm -rf results
script -qec "TERM=dumb $matrix run -f small.yaml" typescript >/dev/null </dev/null
count 0 $'\033' typescript
