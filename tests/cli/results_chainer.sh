# The original library and this one: the shipped curves meet the tolerances that were set before the runs, all but one. Two
# of twelve runs miss that one: the losses of the first ten updates.
chainer=$SB_SOURCE/results/checks/chainer
awk -F, '
    function apart(x, y) { return x > y ? x / y - 1 : y / x - 1 }
    function check(what, x, most) {
        if (!(x <= most)) { print "FAILED: " what ": " x " apart"; exit failed = 1 }
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
        if (failed) exit 1
        for (run in rows) {
            if (rows[run] != 250) { print "FAILED: " run " has " rows[run] " updates"; exit 1 }
            n++
            n_early += early[run] <= 1e-6
            if (early[run] > most_early) most_early = early[run]
            of_run = apart(their_final[run], our_final[run])
            if (of_run > most_final) most_final = of_run
            split(run, word, " ")
            of[word[1]]++
            logs[word[1]] += log(their_final[run] / our_final[run])
        }
        if (n != 12 || of["copy"] != 6) { print "FAILED: " n " runs"; exit 1 }
        for (target in of) mean[target] = apart(exp(logs[target] / of[target]), 1)
        effect = apart(exp((logs["shared"] - logs["copy"]) / of["copy"]), 1)
        check("a final loss", most_final, 0.02)
        check("mean over starts, copied", mean["copy"], 0.0055)
        check("mean over starts, shared", mean["shared"], 0.0055)
        check("shared over copied", effect, 0.01)
        if (n_early != 10) { print "FAILED: " n_early " runs agree in the first ten updates, by " most_early " at most"; exit 1 }
        printf "ok: early %d of %d, at most %.1e; final %.4f; means %.4f, %.4f; effect %.4f\n", n_early, n, most_early,
            most_final, mean["copy"], mean["shared"], effect
    }' "$chainer/curves.csv"

# At the published size, one seed: the effect is within 5 % of ours, as was asked before the runs.
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
        rows[$column["target"]]++
        if ($column["update"] > 200) {
            theirs[$column["target"]] += $column["chainer_loss_last"]
            ours[$column["target"]] += $column["samebits_loss_last"]
        }
    }
    END {
        if (rows["copy"] != 250 || rows["shared"] != 250) { print "FAILED: " rows["copy"] " and " rows["shared"] " updates"; exit 1 }
        their_effect = theirs["shared"] / theirs["copy"]; our_effect = ours["shared"] / ours["copy"]
        ratio = their_effect / our_effect
        if (!(ratio > 1 / 1.05 && ratio < 1.05)) { print "FAILED: effects " their_effect " and " our_effect; exit 1 }
        printf "ok: published size: effects %.4f and %.4f\n", their_effect, our_effect
    }' "$chainer/curves-public160.csv"
