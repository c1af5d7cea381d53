# The original library beside this one: the shipped curves are within the tolerances that results/chainer/README.md states.
curves=$SB_SOURCE/results/chainer/curves.csv
awk -F, '
    function apart(x, y) { return x > y ? x / y - 1 : y / x - 1 }
    function check(what, x, most) {
        printf "%s: %.2g apart, at most %.2g\n", what, x, most
        if (!(x <= most)) { print "FAILED: " what; failed = 1 }
    }
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
        run = $column["target"] " " $column["seed"]; update = $column["update"]
        theirs = $column["chainer_loss_last"]; ours = $column["samebits_loss_last"]
        rows[run]++
        if (update <= 10 && apart(theirs, ours) > early[run]) early[run] = apart(theirs, ours)
        if (update > 200) { their_final[run] += theirs; our_final[run] += ours }
    }
    END {
        for (run in rows) {
            if (rows[run] != 250) { print "FAILED: " run " has " rows[run] " updates"; failed = 1 }
            check(run ", first ten updates", early[run], 1e-6)
            check(run ", final loss", apart(their_final[run], our_final[run]), 0.02)
            split(run, word, " ")
            of[word[1]]++
            logs[word[1]] += log(their_final[run] / our_final[run])
        }
        if (!of["copy"] || of["copy"] != of["shared"]) { print "FAILED: not every start has both targets"; exit 1 }
        for (target in of) check(target ", mean over starts", apart(exp(logs[target] / of[target]), 1), 0.0055)
        check("shared over copied, mean over starts", apart(exp((logs["shared"] - logs["copy"]) / of["copy"]), 1), 0.01)
        exit failed
    }' "$curves"
