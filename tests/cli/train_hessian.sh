# hessian: the float64 program's, of runs of either program. What its numbers are: tests/test_hessian.c.
make_file video data.h5 16x8 40 1
form="--data data.h5 --channels 3,2 --window 3"
expect 0 '^updates 6 ' samebits train $form --target shared --updates 6 --quiet -o run.h5
expect 0 '^updates 6 ' samebits-f64 train $form --updates 6 --quiet -o double.h5
hessian="samebits-f64 hessian --data data.h5 --windows 2 --steps 6 --extremes 2 --quiet"

# the program of float32 refuses, and says which one does not
expect 2 "samebits hessian: .*'samebits-f64 hessian'" samebits hessian run.h5 --data data.h5
for file in run.h5 data.h5; do
    expect 2 "^$file: the same file as the input $file; name another output\$" $hessian run.h5 -o $file
done

expect 0 '^run.h5: 6 updates, target shared, [0-9]+ weights; 2 windows' $hessian run.h5 -o run.csv
also "^objective copy: each frame against its own target$"
also "^objective shared: .*; what the run minimised$"
also '^  smallest eigenvalues  [-0-9.e]+ \+- [0-9.e-]+  [-0-9.e]+ \+- '
cp expect.out text
expect 0 "^objective copy: .*; what the run minimised$" $hessian double.h5
# a row for each objective, end and rank; the smallest first, then the largest
expect 0 '^copy smallest 1 copy smallest 2 copy largest 1 copy largest 2 shared smallest 1 shared smallest 2 shared largest 1 shared largest 2 $' \
    awk -F, 'NR > 1 { if (NF != 19 || $1 != "shared" || $3 != 6) exit 1; printf "%s %s %s ", $4, $14, $15 }' run.csv
expect 0 '^ok$' awk -F, 'NR > 1 { v[$4 $14 $15] = $16 } END { for (t in v) n++
    if (n == 8 && v["copysmallest1"] <= v["copysmallest2"] && v["copysmallest2"] <= v["copylargest2"] &&
        v["copylargest2"] <= v["copylargest1"]) print "ok" }' run.csv
# the same again, whatever the number of threads
expect 0 . $hessian run.h5 --threads 2 -o again.csv
same run.csv again.csv

# for programs
. "$SB_SOURCE/tests/cli/json_keys.sh"
prints 0 run.json $hessian run.h5
keys samebits hessian run.json
grep -qx '"target": "shared",' run.json

# misuse, and nothing is left behind
expect 2 'the run has learned from 6 windows, not from 7' samebits-f64 hessian run.h5 --data data.h5 --windows 7 -o no.csv
make_file video other.h5 16x8 40 2
expect 2 'run.h5: learned from .*other.h5 is another data set' samebits-f64 hessian run.h5 --data other.h5 -o no.csv
make_file images images.h5 8 40 0 1
expect 0 '^updates 6 ' samebits train --data images.h5 --model autoencoder --hidden 4 --batch 4 --updates 6 --quiet -o images-run.h5
expect 2 'autoencoder has no windows' samebits-f64 hessian images-run.h5 --data images.h5 -o no.csv
absent no.csv no.csv.part
