# trace: a number with its formula and runs, by its label or a part of one; the runs' values are those of the tables.
fake_results results --settings 2 --seeds 5 --updates 20

samebits-report write --only numbers -i results -o numbers >/dev/null 2>&1
label=$(sed -n 's/^\([^,]*native[^,]*shared-over-copy.loss-last\),.*/\1/p' numbers/numbers.csv)
expect 0 "^$label$" samebits-report trace "$label" -i results
cp expect.out traced
grep -q '^  formula   geometric mean over seeds of loss_last(shared)/loss_last(copy)' traced
grep -q '^  evidence  measured$' traced
grep -q '^from 10 runs, rows of results/cells.csv:$' traced
[ "$(grep -c '^    run results/runs/.*\.h5$' traced)" = 10 ]
grep -qE '^  make cell MATRIX=made-up.yaml CELL=/[0-9a-f]{8}$' traced
# The number, by hand, from the rows that it names: copy and shared of a seed, one behind the other.
by_hand=$(sed -n 's/^    row \([0-9]*\) .*/\1/p' traced |
    while read -r row; do sed -n "${row}p" results/cells.csv; done |
    awk -F, '{ sign = $11 == "shared" ? 1 : -1; sum += sign * log($22) } END { printf "%.6f", exp(sum / (NR / 2)) }')
[ "$by_hand" = "$(awk '$1 == "value" { printf "%.6f", $2 }' traced)" ]

# A cell that was trained again, with the same bits in another time, is the cell that was collected: it is said, no more.
fake_results later --settings 2 --seeds 5 --updates 20 --slower 1.5
again=$(sed -n 's/^    run results//p' traced | head -1)
cp -r results repeated
cp "later$again" "repeated$again"
expect 0 "^$label$" samebits-report trace "$label" -i repeated --runs repeated
expect 0 '1 cell was trained again since this was collected, with the same bits, the first of them [^ ]*: timing.csv has' \
    samebits-report write --only numbers -i repeated --runs repeated -o renumbered
# With other bits it is not; nor is one whose file is damaged.
fake_results other --settings 2 --seeds 5 --updates 20 --effect 2
shared=$(sed -n 's/^\(.*shared.*\)$/\1/p' results/cells.csv | head -1 | sed 's/.*,//')
cp "other/$shared" "repeated/$shared"
expect 7 'loss_last of .* but its run file says' samebits-report trace "$label" -i repeated --runs repeated
cp "results/$shared" "repeated/$shared"
printf 'X' | dd of="repeated/$shared" bs=1 seek=5000 conv=notrunc status=none
expect 7 "^repeated/$shared: damaged: " samebits-report trace "$label" -i repeated --runs repeated

# A run file that is not here is said to be.
rm "$(sed -n 's/^    run //p' traced | head -1)"
expect 0 '^    run results/runs/.*\.h5  \(not here\)$' samebits-report trace "$label" -i results

# A part that one label alone has, one that several have, none.
expect 0 '^  printed ' samebits-report trace "${label#prednet.}" -i results
expect 0 "^$label  [0-9.]+ \[" samebits-report trace shared-over-copy -i results
[ "$(wc -l <expect.out)" = 16 ] # of two settings and two losses: the ratio, .median, .without-one, .separated
expect 0 "^$label  " samebits-report trace -i results
[ "$(wc -l <expect.out)" = "$(($(wc -l <numbers/numbers.csv) - 1))" ]

expect 5 "^no number has 'shared-over-kopy' in its label, did you mean$" \
    samebits-report trace shared-over-kopy -i results
expect 5 "^  $label$" samebits-report trace "${label}t" -i results
expect 2 'wants -i DIR: folder from' samebits-report trace "$label"
expect 2 'samebits-report trace: ' samebits-report trace one two -i results
