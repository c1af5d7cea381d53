# gpt and its port to PyTorch from the same weights and windows: the same loss until rounding shows, and the same end. The
# tolerance for seeds of their own is not met, as the page says.
gpt=$SB_SOURCE/results/checks/gpt
awk -F, '
    function apart(x, y) { return x > y ? x / y - 1 : y / x - 1 }
    function check(what, holds) { if (!holds) { print "FAILED: " what; failed = 1 } }
    FILENAME ~ /curves/ && FNR > 1 {
        n++
        of = apart($2, $3)
        if ($1 <= 10 && of > early) early = of
        if (of > most) most = of
    }
    FILENAME ~ /losses/ && $3 == 500 && $4 == "held_out_loss" {
        k[$1]++; sum[$1] += $5; value[$1, $2] = $5
        if (!($1 in high) || $5 > high[$1]) high[$1] = $5
        if (!($1 in low) || $5 < low[$1]) low[$1] = $5
    }
    END {
        check(n " updates", n == 500)
        check("three seeds each", k["samebits"] == 3 && k["pytorch"] == 3 && k["pytorch-same"] == 1)
        check("first ten updates: " early, early < 2e-6)
        check("any update: " most, most < 0.02)
        check("final held-out loss", apart(value["samebits", 1], value["pytorch-same", 1]) < 0.005)
        difference = (sum["pytorch"] - sum["samebits"]) / 3; allowed = high["pytorch"] - low["pytorch"]
        check("the tolerance of independent seeds is met: " difference ", " allowed, difference > allowed)
        if (failed) exit 1
        printf "ok: early %.1e, most %.1e; means of seeds differ by %.3f, allowed %.3f\n", early, most, difference, allowed
    }' "$gpt/curves.csv" "$gpt/losses.csv"
