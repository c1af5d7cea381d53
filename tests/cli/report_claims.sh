# Claims on made results: words, csv, numbers; a refuted claim is a result.
fake_results results --settings 3 --seeds 8 --updates 20 --no-runs --autoencoder
claims=$SB_SOURCE/paper/claims.yaml
expect 2 'wants -i DIR: folder from' samebits-report claims
expect 2 '^none.yaml: ' samebits-report claims -i results --claims none.yaml
expect 0 '^hardware missing  paper-cpu-above-gpu' samebits-report claims -i results --claims "$claims" --csv out
grep -q '24 runs (16 emulated) of one condition, no run of the other' expect.out
grep -q '^reproduced  retraction-software' expect.out
grep -qE 'prednet/openblas, i5-4590 shared over copy: 1\.[0-9]+ .*, n = 8, p = 0.00781, emulated' expect.out
grep -qE '^[0-9]+ reproduced, .*[0-9]+ undetermined, [0-9]+ hardware missing; 2 not counted$' expect.out
if grep -qE '(^|, )0 [a-z]' expect.out; then echo 'FAILED: a count of nothing'; exit 1; fi
grep -q '^    not counted: one machine computed both' expect.out
count=$(grep -E "^[0-9]+ reproduced, " expect.out | sed "s/[^0-9 ]//g" | awk "{ for (i = 1; i <= NF; i++) n += \$i; print n }") # every claim once
[ "$count" = "$(grep -c '^  - name:' "$claims")" ]
awk -F'","|,' 'NR > 1 && /retraction-software/' out/claims.csv | grep -c . | grep -qx 3
mkdir -p empty
expect 5 '^empty: holds no cells.csv' samebits-report claims -i empty --claims "$claims"
cat >wrong.yaml <<'END'
claims:
  - {name: lower, by: nobody, text: The buffer lowers the loss., of: {target: copy}, over: {target: shared},
     each: setting, relation: greater, metric: loss_last}
END
expect 0 '^refuted  lower' samebits-report claims -i results --claims wrong.yaml
sed 's/loss_last/error/' wrong.yaml >none.yaml # a share of wrong images, of a network that does not classify
expect 0 '^undetermined  lower' samebits-report claims -i results --claims none.yaml
grep -q 'no ratio, n = 8, p = none' expect.out
rm none.yaml
echo '  - {name: lower}' >>wrong.yaml
expect 2 "^wrong.yaml:4: the key 'by' is missing here" samebits-report claims -i results --claims wrong.yaml
