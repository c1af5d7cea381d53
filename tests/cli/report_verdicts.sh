# Tables that were made so that the right verdict is obvious: partial pairs, mean against ranks, divergence, losses of 0, tables
# that contradict each other, incomplete pools, replicates, families, and cells that are not there.
fail() { echo "FAILED: $*"; exit 1; }

# make FOLDER <<< 'STUDY HARDWARE SEED LOSS [WEIGHTS [DATA [TARGET [ULP]]]]' : collected tables with a run for each line
make() {
    mkdir -p "$1"
    local head=name,hash,study,model,data,backend,arithmetic,isa,hardware,blas_kernel,cudnn_algorithm,tf32,threads,batch,shards,window,channels,hidden
    head+=,optimizer,momentum,lr,schedule,target,draw,ulp,seed,evidence,updates,data_digest,loss_last,loss_mean,weights,registration,run
    awk -v folder="$1" -v head="$head" 'BEGIN {
            cells = folder "/cells.csv"; curves = folder "/curves.csv"; timing = folder "/timing.csv"
            print head > cells; print "hash,update,loss_last,loss_mean" > curves; print "hash,seconds,frames_per_second,peak_mib" > timing
        }
        {
            hash = sprintf("%08x", NR); weights = sprintf("%032x", NR)
            if ($5 != "" && $5 != "-") weights = sprintf("%032x", 1000000 + $5)
            data = $6 == "" ? "walk" : $6; target = $7 == "" ? "copy" : $7; ulp = $8 + 0
            name = sprintf("%s/%s/openblas/%s/%s/s%03d%s", $1, data, $2, target, $3, ulp ? "u" ulp : "")
            printf "%s,%s,%s,prednet,%s,openblas,direct,,%s,,,,1,1,1,20,3 8,0,adam,0,0.001,constant,%s,0,%d,%d,measured,250,", name, hash, $1, data, $2, target, ulp, $3 > cells
            digest = 0; for (i = 1; i <= length(data); i++) digest = digest * 31 % 65521 + index("abcdefghijklmnopqrstuvwxyz0123456789", substr(data, i, 1))
            printf "%032x,%s,%s,%s,,runs/%s.h5\n", digest, $4, $4, weights, hash > cells
            if ($4 ~ /^[0-9.e-]+$/) print hash ",250," $4 "," $4 > curves
            print hash ",1,1,1" > timing
        }
        END { printf "what,value,why\nmatrix,m.yaml,\nrun_schema,2,\ncells,%d,\nselected,%d,\ncomplete,%d,\n", NR, NR, NR > (folder "/coverage.csv") }'
    echo 'a,b,differs,update,distance,relative' >"$1/distances.csv"
    echo 'registration,claim,digest' >"$1/registrations.csv"
    (cd "$1" && sha256sum cells.csv curves.csv timing.csv coverage.csv distances.csv registrations.csv >SHA256SUMS)
}
# claim NAME RELATION [LINE...]: an entry about hardware b over hardware a
claim() {
    printf '  - {name: %s, by: us, text: T., of: {hardware: b}, over: {hardware: a}, relation: %s, metric: loss_last' "$1" "$2"
    shift 2
    for line in "$@"; do printf ', %s' "$line"; done
    echo '}'
}
claims() { { echo 'claims:'; cat; } >claims.yaml; }
judge() { expect 0 "$2" samebits-report claims -i "$1" --claims claims.yaml; }
noise() { awk -v n="$1" -v seed="$2" "$chance"'BEGIN { chance(); for (i = 1; i <= n; i++) print i, 0.003 * exp(0.3 * (chance() + chance() - 1)) }'; }

# ---- half of the starts have a partner; there the losses are equal, the other half of one side is ten times worse ----
noise 12 1 | awk '{ print "s", "a", $1, $2; if ($1 > 6) print "s", "b", $1, $2 * 1.0001; else print "s", "b", $1 + 12, 0.03 }' | make half
claim c equivalent "margin: '1.01'" | claims
judge half '^undetermined  c'
also '6 of 12 seeds of the first condition and 6 of 12 of the second are not in both conditions'
claim c equivalent "margin: '1.01'" 'pairs: common' | claims
judge half '^supported  c'
also '6 of 12 seeds of the first condition and 6 of 12 of the second are not in both conditions; they are left out'
noise 12 1 | awk '{ print "s", "a", $1, $2 }' | make mine
noise 12 1 | awk '{ if ($1 > 6) print "s", "a", $1, $2 * 1.0001; else print "s", "a", $1 + 12, 0.03 }' | make theirs
expect 6 '6 of 12 seeds of the first condition and 6 of 12 of the second are not in both conditions' samebits-report compare mine theirs --margin 1.01
also '1 undetermined'
expect 0 '^equivalent  s/openblas' samebits-report compare mine theirs --margin 1.01 --pairs common

# ---- other seeds; all but one of B lie below A, and one is 10,000 times higher ----
{ noise 12 2 | awk '{ print "s", "a", $1, $2 }'; noise 12 3 | awk '{ print "s", "b", $1 + 20, $2 * ($1 == 12 ? 10000 : 0.5) }'; } | make conflict
claim c greater | claims
judge conflict '^undetermined  c'
also 'mean and ranks disagree, so no condition is named higher'

# ---- runs that diverged, infinite losses, and one of 0 ----
noise 8 4 | awk '{ print "s", "a", $1, $2; print "s", "b", $1, $1 == 2 ? "nan" : $1 == 5 ? "inf" : $2 * (1.2 + 0.01 * $1) }' | make diverged
claim c greater | claims
judge diverged '^supported  c'
also 'no ratio, n = 8, p = 0.00781'
also '2 of 8 runs of the first condition and 0 of 8 of the second diverged'
expect 0 '^page/index.html$' samebits-report write -i diverged --claims claims.yaml -o page
grep -q '2 of 8 runs of the first condition and 0 of 8 of the second diverged' page/index.html || fail 'the page does not say how many diverged'
lacks page/index.html '>-?(nan|inf)'
noise 8 4 | awk '{ print "s", "a", $1, $2; print "s", "b", $1, $1 == 2 ? 0 : $2 * (1.2 + 0.01 * $1) }' | make zero
judge zero '^not supported  c'
also '1 of 8 seeds of the first condition and 0 of 8 of the second have a loss of 0'
expect 0 '^zeros/index.html$' samebits-report write -i zero --claims claims.yaml -o zeros
lacks zeros/index.html '>-?(nan|inf)'
noise 8 4 | awk '{ print "s", "a", $1, $1 == 2 ? -0.001 : $2; print "s", "b", $1, $2 }' | make negative
expect 7 'loss_last of cell .* is -0.001' samebits-report claims -i negative --claims claims.yaml

# ---- equal weights, and losses ten times apart ----
noise 6 5 | awk '{ print "s", "a", $1, $2, $1; print "s", "b", $1, 10 * $2, $1 }' | make contradiction
claim c 'same bits' | claims
judge contradiction '^undetermined  c'
also 'the tables contradict each other: in 6 of 6 pairs the weights are equal, and the losses are up to 10 times as large'

# ---- seven data sets, one of them with two of the seeds: no pair is dropped ----
awk 'BEGIN { for (d = 1; d <= 7; d++) for (s = 1; s <= 6; s++) if (d < 7 || s < 3) {
        low = 0.003 * (1 + 0.1 * s); rise = (s == 1 ? -0.02 : 0.2) + 0.01 * ((d * 5 + s * 3) % 7)
        print "v" d, "a", s, low, "-", "v" d, "copy"; print "v" d, "a", s, low * exp(rise), "-", "v" d, "shared" } }' | make pool
cat >claims.yaml <<'END'
claims:
  - {name: c, by: us, text: T., of: {target: shared}, over: {target: copy}, each: setting, relation: greater, metric: loss_last, pool: data}
END
judge pool 'of 7 data sets and 6 seeds, some combinations missing, the mean is 1\.2[0-9] '
awk 'BEGIN { for (d = 1; d <= 7; d++) for (s = 1; s <= 6; s++) {
        low = 0.003 * (1 + 0.1 * s); if (d < 7 || s < 6) print "v" d, "a", s, low, "-", "v" d, "copy"
        print "v" d, "a", s, low * (1.2 + 0.01 * ((d * 5 + s * 3) % 7)), "-", "v" d, "shared" } }' | make alone
judge alone 'some seeds are in one condition only, and the claim does not say pairs: common'
sed -i 's/pool: data/pool: data, pairs: common/' claims.yaml
judge alone '^supported  c'

# ---- replicates: four runs of each start, of which the unmoved one alone would mislead ----
noise 6 6 | awk '{ for (u = 0; u < 4; u++) print u ? "ulp" : "s", "a", $1, $2 * exp(u ? 0.1 + 0.001 * u : 0), "-", "walk", "copy", u; print "s", "b", $1, $2 * (1 + 0.001 * $1) }' | make replicates
claim c equivalent "margin: '1.04'" | sed 's/of: {/of: {study: s, /; s/over: {/over: {study: s, /' | claims
judge replicates '^refuted  c'
also 'runs averaged for each seed: 1 in the first condition, 4 in the second'
sed -i "s/margin: '1.04'/margin: '1.04', replicates: '3'/" claims.yaml
judge replicates '^undetermined  c'
also 'needs 3 runs of each seed; the first condition has 1 to 1, the second 4 to 4'

# Means of equal runs are equal, however many there are: the rounding of a mean of three gives no rank.
for i in 1 2 3 4 5 6; do
    for u in 0 1 2; do echo "s a $i 0.00303 - walk copy $u"; done
    echo "s b 1$i 0.00303"
done | make equal
claim c 'no difference' | sed 's/of: {/of: {study: s, /; s/over: {/over: {study: s, /' | claims
judge equal 'over s/openblas, a copy: 1.000 \[1.000, 1.000\], n = 6, p = 1, '

# ---- 'relevant' limits the margin of an ensemble, and is no margin where there is no ensemble ----
noise 6 8 | awk '{ print "s", "a", $1, $2; print "s", "b", $1, $2 * (1 + 0.001 * ($1 - 3)) }' | make alike
claim c equivalent "relevant: '1.3'" | claims
judge alike '^undetermined  c'
also 'there is no margin for equivalence'
claim c equivalent "margin: '1.3'" | claims
judge alike '^supported  c'

# ---- 3 runs a side cannot give a one-sided p below 0.05: the smallest is 0.05 ----
awk 'BEGIN { for (i = 1; i <= 3; i++) { print "s", "a", i, 0.003 * (1 + 0.1 * i); print "s", "b", 10 + i, 0.003 * (1.2 + 0.01 * i) } }' | make three
claim c greater | claims
judge three '^undetermined  c'
also '3 runs cannot give a one-sided p below 0.05'

# ---- six data sets, in each of which six pairs of six differ: no adjustment makes that 'no difference' ----
awk 'BEGIN { for (d = 1; d <= 6; d++) for (s = 1; s <= 6; s++) {
        low = 0.003 * (1 + 0.1 * s); print "v" d, "a", s, low, "-", "v" d, "copy"
        print "v" d, "a", s, low * (1.2 + 0.01 * ((d * 5 + s * 3) % 7)), "-", "v" d, "shared" } }' | make six
cat >claims.yaml <<'END'
claims:
  - {name: c, by: us, text: T., of: {target: shared}, over: {target: copy}, each: setting, relation: no difference, metric: loss_last}
  - {name: d, by: us, text: T., of: {target: shared}, over: {target: copy}, each: setting, relation: greater, metric: loss_last, pool: data, replicates: '3'}
END
judge six '^undetermined  c'
also 'p = 0.0312 alone, which does not show that there is no difference; no difference shown \(adjusted p = 0.188\)'
also '^undetermined  d'
also 'one of them lacks runs of a seed that the claim needs'

# ---- ten claims of one question, of which each would hold alone ----
noise 6 7 | awk '{ print "s", "a", $1, $2; print "s", "b", $1, $2 * (1.1 + 0.001 * $1) }' | make family
{ for i in 1 2 3 4 5 6 7 8 9; do claim c$i greater; done; claim same 'same bits'; } | claims
judge family '^supported  c9'
also 'no question joins these claims: each of 9 tested ones is judged alone'
sed -i '1i question: Which of them?' claims.yaml
judge family '^undetermined  c9'
also 'supported alone \(p = 0.0156\), and p = 0.141 as one of the 9 tested claims of this question'
also '2 more pairs would decide'
sed "s/name: c[2-9],/& replicates: '3',/" claims.yaml >planned.yaml
expect 0 '^supported  c1' samebits-report claims -i family --claims planned.yaml # the others are not judged, so that they are not tested
sed -i "s/name: c[3-9],/& uncounted: it is a copy,/" claims.yaml
judge family '^supported  c1'

# ---- a planned claim, and cells that were excluded ----
claim c greater "seeds: '6'" "effect: '1.1'" "spread: '1.05'" | claims
printf 'excluded,s/walk/openblas/b/copy/s007/0000abcd,its start is odd\nexcluded,other/walk/openblas/b/copy/s001/0000abce,elsewhere\n' >>family/coverage.csv
(cd family && sha256sum cells.csv curves.csv timing.csv coverage.csv distances.csv registrations.csv >SHA256SUMS)
judge family 'planned: 6 seeds find a ratio of 1.1 with a power of 99 %, where pairs spread by a factor of 1.05'
also 'not in the tables: 1 cell excluded: its start is odd$'
claim c equivalent "seeds: '16'" "margin: '1.05'" "effect: '1.013'" "spread: '1.029'" | claims
judge family 'planned: 16 seeds show a ratio of 1.013 to lie within 1.05 with a power of 27 %, where pairs spread by a factor of 1.029'
claim c greater "seeds: '6'" "effect: '1.1'" "spread: '1.05'" | claims
sed -i "s/spread: '1.05'/spread: '0.5'/" claims.yaml
expect 2 "spread wants a ratio above 1, together with seeds and effect, not '0.5'" samebits-report claims -i family --claims claims.yaml
claim c greater "seeds: '6'" "seeds_added: '6'" | claims
expect 2 "seeds_added wants no seeds in the same claim, not '6'" samebits-report claims -i family --claims claims.yaml
echo 'ok: every table is judged rightly'
