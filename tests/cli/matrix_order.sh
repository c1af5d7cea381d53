# The order in which cells are run: that of the file, in turns over the arms, or shuffled by a seed.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
export FAKE_JOURNAL=$PWD/journal

# order OPTIONS...: target and seed of the cells, in the order in which they began
order() {
    rm -rf results journal
    $matrix run -f small.yaml "$@" 2>/dev/null
    sed -n 's/^begin .*any.//p' journal | tr '\n' ' '
}
[ "$(order)" = 'copy/s001 copy/s002 copy/s003 shared/s001 shared/s002 shared/s003 ' ]
[ "$(order --order matrix)" = "$(order)" ]
[ "$(order --order round-robin)" = 'copy/s001 shared/s001 copy/s002 shared/s002 copy/s003 shared/s003 ' ]

# a study that goes on first gives the arm that is behind its turn
rm -rf results
$matrix run -f small.yaml -n copy/s001 -n copy/s002 2>/dev/null
rm journal
$matrix run -f small.yaml --order round-robin 2>/dev/null
[ "$(sed -n 's/^begin .*any.//p' journal | tr '\n' ' ')" = 'shared/s001 shared/s002 copy/s003 shared/s003 ' ]

# shuffled: all cells once, the same for the same seed, and filters do not change the order of what they leave
shuffled=$(order --order random --order-seed 3)
[ "$(tr ' ' '\n' <<<"$shuffled" | sort | tr '\n' ' ')" = " $(order)" ]
[ "$(order --order random --order-seed 3)" = "$shuffled" ]
[ "$(order --order random --order-seed 3 -x copy/s002)" = "${shuffled/copy\/s002 /}" ]
for seed in 4 5 6 7; do order --order random --order-seed $seed; echo; done >orders
[ "$(sort -u orders | wc -l)" -gt 1 ]
expect 2 "--order wants one of matrix\|round-robin\|random, not 'seeds'" $matrix run -f small.yaml --order seeds
