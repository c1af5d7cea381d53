# bisect of two runs without gradients: the generation whose parents differ, who was chosen, by which losses, and the setting
# that makes the difference, each tried alone.
samebits-data synth digits --images 300 --test 40 --seed 1 -o digits.h5 2>&1
evolve="samebits evolve --data digits.h5 --model mlp --widths 16,8 --batch 60 --population 16 --truncation 4 --sigma 0.02
    --noise-table 20000 --quiet --generations 6"
bisect() { samebits bisect "$@" --data digits.h5 --quiet; }
$evolve -o a.h5 >/dev/null
$evolve --threads 2 -o same.h5 >/dev/null
$evolve --sigma 0.1 -o sigma.h5 >/dev/null
$evolve --sigma 0.1 --arithmetic imitate-tf32 -o both.h5 >/dev/null
${evolve/--truncation 4 --sigma 0.02} --search random-search -o random.h5 >/dev/null
$evolve --truncation 3 -o three.h5 >/dev/null
$evolve --seed 2 -o seed.h5 >/dev/null

expect 0 '^same bits over 6 entries, up to update 6$' bisect a.h5 same.h5
expect 1 '^first difference: update 2, parents$' bisect a.h5 sigma.h5
also '^first other parents: generation 1, [1-4] of them$'
also '^  individuals that A alone chose:( [0-9]+,?)+$'
also '^  individuals that B alone chose:( [0-9]+,?)+$'
also '^  loss of the last one chosen: 2\.[0-9]+ against 2\.[0-9]+, difference [0-9.e-]+$'
also '^  gap to the first refused:    [0-9.e-]+ against [0-9.e-]+$'
also '^the only setting that differs: sigma '
also 'a.h5 and sigma.h5 differ from update 2 on \(parents\)$'
samebits diff a.h5 sigma.h5 >diff.out || true
n=$(sed -n 's/^first other parents: generation 1, \(.*\) of them$/\1/p' diff.out)
[ "$(grep 'A alone' expect.out | tr -cd ' ' | wc -c)" = $((2 + 4 + n)) ] || { echo "FAILED: not $n named"; exit 1; }

# each setting alone: that of the mutation, and not the arithmetic, which turned nothing
expect 1 '^arithmetic +direct \| imitate-tf32 +the bits of A +the bits of B$' bisect a.h5 both.h5
also '^sigma +0.02[0-9]* \| 0.1[0-9]* +the bits of B +the bits of A$'
also '^sigma alone makes the difference in this update$'
expect 1 '"first_other_parents": 1,' bisect --json a.h5 both.h5
also '"name": "sigma", .*"a_with_b": "b", "b_with_a": "a"'
expect 0 '"first_other_parents": null,' bisect --json a.h5 same.h5

# ---- where no choice can be compared: the first part, and a sentence ----
expect 1 '^random search has no parents, whose choice could be compared$' bisect a.h5 random.h5
expect 1 '^one run has 4 parents and the other 3, so that no two choices can be compared$' bisect a.h5 three.h5
expect 1 '^first difference: update 1, batch$' bisect a.h5 seed.h5
also '^the only setting that differs: seed \(1 \| 2\)$'

# ---- refused: one by gradients; another data set ----
samebits train --data digits.h5 --model mlp --widths 16,8 --batch 60 --quiet --updates 6 -o adam.h5 >/dev/null
expect 2 '^a.h5: a run without gradients, and adam.h5 has them: a generation is no update of the other$' bisect a.h5 adam.h5
expect 2 '^a.h5: a run without gradients, and adam.h5 has them' bisect adam.h5 a.h5
samebits-data synth digits --images 300 --test 40 --seed 2 -o others.h5 2>&1
expect 2 '^a.h5: learned from ' samebits bisect a.h5 sigma.h5 --data others.h5 --quiet
expect 2 '^a.h5: learned from .*; name its file with --data$' samebits bisect a.h5 sigma.h5
