# collect: columns, order, bytes, evidence, thinning, coverage, digests; damaged files are named and counted.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"

expect 5 'results: no complete cell of the 6 selected \(0 damaged\)' $matrix collect -f small.yaml -o out
expect 2 'samebits-matrix collect: wants -o DIR' $matrix collect -f small.yaml
expect 2 "samebits-matrix collect: has no --incomplete: it writes what is complete in any case, .*'samebits-report write --incomplete'" \
    $matrix collect -f small.yaml -o out --incomplete
absent out

$matrix run -f small.yaml -x shared/s003 >run.log 2>&1
expect 0 '^out: 5 of 6 cells, 1 not finished, 0 damaged$' $matrix collect -f small.yaml -o out
sed -n 1,2p out/cells.csv >head.txt
asked=name,hash,study,model,data,backend,arithmetic,isa,hardware,blas_kernel,cudnn_algorithm,cudnn_version,tf32,threads,ranks,reduce,batch,shards,sync_every,window
asked+=,channels,hidden,hidden_activation,output_activation,hold_out,normalise,augment_form,crop,flip,cutout,brightness,contrast,noise,rung,widths,layers,pool_at,activation,alpha,groups,norm_scale,logit_scale,whiten,blocks,heads,width,context,dropout,tied,smoothing
asked+=,ema_momentum,ema_every,test_flip,validate_every,early_stop,patience,min_delta,lr_by_kind,decay_by_kind,search,population,truncation,sigma,elite,fitness_batch,noise_table,optimizer,momentum,weight_decay,beta1,beta2,eps,eta,phi,max_norm,lr
asked+=,schedule,schedule_at,lr_knots,lr_shares,lr_start,lr_end,lr_epochs,lr_warmup,lr_period,lr_factor,lr_growth,lr_power,target,draw,ulp,seed,evidence,kernel,updates
count 1 "^$asked,data_digest,loss_last,loss_mean,accuracy,validation_accuracy,test_cross_entropy,diverged,library,weights,registration,run$" head.txt
asked='p/walk/native/any/copy/s001,[0-9a-f]{8},p,prednet,walk,native,direct,,any,,,,,1,1,ordered,1,1,0,,3 8,,,,0,,,0,,0,0,0,0,,,,,,0,0,,0,,0,0,0,0,0,,0,0,0,,0,,0,0,,,gradient,0,0,0,,,0,adam,0,0,0,0,0,0,,0,0.001,constant,,,,0,0,0,0,0,0,0,0,copy,0,0,1,measured,,12'
run='runs/p/walk/native/any/copy/s001/[0-9a-f]{8}.h5'
count 1 "^$asked,,0.0801282051,0.0801282051,,,,,,[0-9a-f]{32},,$run$" head.txt
test -f "results/$(sed -n '2s/.*,//p' out/cells.csv)"
count 6 . out/cells.csv
count 61 . out/curves.csv # five cells of twelve updates
sed -n 2,3p out/curves.csv >curve.txt
count 1 '^[0-9a-f]{8},1,0.5,0.5,p/walk/native/any/copy/s001$' curve.txt
count 1 '^[0-9a-f]{8},2,0.333333333,0.333333333,p/walk/native/any/copy/s001$' curve.txt

expect 0 '5 of 6' $matrix collect -f small.yaml -o again
same out/cells.csv again/cells.csv
same out/curves.csv again/curves.csv
count 6 . out/timing.csv
count 1 '^hash,seconds,frames_per_second,peak_mib$' out/timing.csv
count 5 '^[0-9a-f]{8},1.5,100,3$' out/timing.csv

# what was asked for, what of it is there, and the digests of the tables
(cd out && sha256sum --quiet -c SHA256SUMS)
[ "$(wc -l <out/SHA256SUMS)" = 7 ]
count 1 '^matrix,small.yaml,$' out/coverage.csv
count 1 "^matrix_sha256,$(sha256sum <small.yaml | cut -c -64),$" out/coverage.csv
count 1 '^cells,6,$' out/coverage.csv
count 1 '^selected,6,$' out/coverage.csv
count 1 '^complete,5,$' out/coverage.csv
count 1 '^missing,p/walk/native/any/shared/s003/[0-9a-f]{8},$' out/coverage.csv
count 8 . out/coverage.csv
expect 0 '2 of 2 cells' $matrix collect -f small.yaml -n shared -x s003 -o some
count 1 '^selected,2,$' some/coverage.csv

# evidence is of the machine that ran the cell, not of the one that collects
cat >cpu.yaml <<'END'
hardware: hw.yaml
data: [{name: walk, make: synth walk --seed 1}]
defaults: {model: autoencoder, data: walk, target: copy, backend: native, hardware: i5-4590}
studies:
  - {name: a, seeds: 1, options: {updates: 2500}}
  - {name: b, seeds: 1, options: {epochs: 1}}
END
FAKE_CPU='Intel(R) Core(TM) i5-4590 CPU @ 3.30GHz' $matrix run -f cpu.yaml -n ^a >run.log 2>&1
$matrix run -f cpu.yaml -n ^b >run.log 2>&1
expect 0 '2 of 2' $matrix collect -f cpu.yaml -o cpu
count 1 '^a/.*,i5-4590,.*,measured,' cpu/cells.csv
count 1 '^b/.*,i5-4590,.*,copy,0,0,1,emulated,,10,' cpu/cells.csv

# 2500 updates are 834 blocks of three, the last one of one; 2/5 + 1/4 + 1/3 over three is the first mean
hash=$(sed -n 's/^a[^,]*,\([^,]*\),.*/\1/p' cpu/cells.csv)
count 834 "^$hash," cpu/curves.csv
grep "^$hash," cpu/curves.csv | sed -n '1p;$p' >ends.txt
count 1 "^$hash,3,0.361111111,0.361111111,a/walk/native/i5-4590/copy/s001$" ends.txt
count 1 "^$hash,2500,0.000399840064,0.000399840064,a/walk/native/i5-4590/copy/s001$" ends.txt

# spoil_cpu FILE: other bits of the same number
spoil_cpu() {
    printf 'X' | dd of="$1" bs=1 seek=$(($(grep -abo 'Fake CPU' "$1" | head -1 | cut -d: -f1))) conv=notrunc status=none
}

# a changed bit and a cut file: named, counted, and not in the table
run=results/$(sed -n '2s/.*,//p' out/cells.csv)
truncate -s 2000 "$run"
other=results/$(sed -n '3s/.*,//p' out/cells.csv)
spoil_cpu "$other"
expect 7 '^2 damaged run files are not in the tables' $matrix collect -f small.yaml -o out
count 1 "^$run: " expect.out
count 1 "^$other: damaged: the SHA-256 of its bytes is [0-9a-f]{16}..., and its seal says" expect.out
count 4 . out/cells.csv

# status remembers what was read in full once, until the file changes; collect believes that of bytes that hold against
# their seal, and --verify believes nothing
[ "$(find results/runs/p -name '*.ok' | wc -l)" = 5 ]
expect 7 '^failed +2$' $matrix status -f small.yaml
expect 0 '^complete +1$' $matrix status -f small.yaml -n copy/s003
third=results/$(sed -n '2s/.*,//p' out/cells.csv)
spoil_cpu "$third"
read -r _ hash _ <"${third%.h5}.ok"
stat -c "$hash %s %.9Y %.9Z %i 12 1.5 Fake CPU" "$third" | sed -E 's/([0-9]+)\.([0-9]{9})/\1\2/g' >forged
echo "$(tr -d '\n' <forged | sha256sum | cut -c -16) $(cat forged)" >stamp
cp "${third%.h5}.ok" genuine
expect 7 '^failed +3$' $matrix status -f small.yaml
cp stamp "${third%.h5}.ok" # as if bits had rotted behind the file system's back
expect 7 '^failed +2$' $matrix status -f small.yaml
expect 7 '^failed +3$' $matrix status -f small.yaml --verify
expect 7 '^out: 2 of 6 cells, 1 not finished, 3 damaged$' $matrix collect -f small.yaml -o out
for stamp in genuine /dev/null; do # of the file before, or cut short: read again
    cp $stamp "${third%.h5}.ok"
    expect 7 '^failed +3$' $matrix status -f small.yaml
done

count 2 '^failed,p/walk/native/any/[^,]*,[^,]*damaged: the SHA-256 of its bytes' out/coverage.csv
(cd out && sha256sum --quiet -c SHA256SUMS)

# a folder that cannot be written leaves nothing half-written
touch file
expect 1 'file: (Not a directory|File exists)|file/cells.csv' $matrix collect -f small.yaml -o file
expect 1 'Not a directory' $matrix collect -f small.yaml -o file/below
