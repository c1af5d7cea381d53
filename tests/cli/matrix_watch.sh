# watch: a study in the middle, on a terminal and in a pipe; Ctrl-C.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
command -v script >/dev/null || { echo "skipped: no script, which makes a terminal"; exit 77; }

# nothing has run
expect 0 '^6 cells: 6 missing$' $matrix watch -f small.yaml --once
count 6 '^missing          p/walk/native/any/(copy|shared)/s00[123]$' expect.out

# in the middle: one complete, one failed, one that runs and waits half-way
$matrix run -f small.yaml -n copy/s001 >/dev/null 2>&1
FAKE_FAIL=shared/s001 $matrix run -f small.yaml -n shared/s001 >/dev/null 2>&1 || true
FAKE_HANG=copy/s002 $matrix run -f small.yaml -n copy/s002 >run.out 2>&1 &
runner=$!
is_half() { $matrix watch -f small.yaml --once | grep -q '^running .*copy/s002 *6/12  loss 0.12500  ......'; }
wait_for is_half
# but for the list of stamps, which every look may write
look() { find results ! -name 'stamps.ok*' | sort; }
look >before
LC_ALL=C.UTF-8 expect 0 '^running          p/walk/native/any/copy/s002    6/12  loss 0.12500  [▁▂▃▄▅▆▇█]{6}' $matrix watch -f small.yaml
also '^complete         p/walk/native/any/copy/s001    12/12$'
also '^failed           p/walk/native/any/shared/s001  exit code 1: .*invented failure$'
also '^6 cells: 1 complete, 1 running, 1 failed, 3 missing$'
count 0 $'\033' expect.out
LC_ALL=C expect 0 'copy/s002 +6/12  loss 0.12500  [-_.~=+*#]{6}' $matrix watch -f small.yaml --once -n copy
look >after
same before after # it only looks

# a terminal: drawn, redrawn, ended by Ctrl-C without a failure; few rows hold what matters
TERM=xterm script -qefc "stty cols 100 rows 5; sh -c 'echo \$\$ >pid; exec $matrix watch -f small.yaml'; echo ended \$?" typescript >/dev/null </dev/null &
terminal=$!
wait_for grep -q 'and 4 more' typescript
is_redrawn() { [ "$(grep -o 'and 4 more' typescript | wc -l)" -ge 2 ]; }
wait_for is_redrawn
grep -q $'\033\\[J' typescript
grep -q 'copy/s002 .*6/12' typescript
kill -INT "$(cat pid)"
wait $terminal
grep -q 'ended 0' typescript

touch go
wait $runner
expect 0 '^6 cells: 2 complete, 1 failed, 3 missing$' $matrix watch -f small.yaml
