# distances.csv: which cells are held against which, the numbers, how many rows; runs without sketches are in no pair.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"

cat >pairs.yaml <<'END'
hardware: hw.yaml
data: [{name: walk, make: synth walk --seed 1}]
defaults: {model: prednet, data: walk, channels: '3,8', backend: native, hardware: any, threads: 1}
studies:
  - name: p
    options: {updates: 4}
    seeds: 2
    axes: {target: [copy, shared]}
    zip:
      - {arithmetic: direct}
      - {backend: openblas, blas_kernel: Haswell}
      - {backend: openblas, blas_kernel: Zen, hardware: i5-4590}
  - {name: u, options: {updates: 3, arithmetic: direct, target: copy}, axes: {ulp: [1, 2]}, seeds: 1}
  - {name: k, options: {updates: 4, backend: openblas, blas_kernel: Nehalem, target: copy}, seeds: 1}
  - {name: other, options: {updates: 4, channels: '3,16', arithmetic: direct, target: copy}, seeds: 1}
  - {name: long, options: {updates: 300, window: 5, arithmetic: direct}, axes: {target: [copy, shared]}, seeds: 1}
  - {name: old, options: {updates: 4, window: 6, arithmetic: direct}, axes: {target: [copy, shared]}, seeds: 1}
END

# without sketches there is the header alone
$matrix run -f pairs.yaml -n ^old >run.log 2>&1
expect 0 '2 of 2' $matrix collect -f pairs.yaml -n ^old -o old
echo a,b,differs,update,distance,relative >header
same old/distances.csv header

FAKE_SKETCH=/ $matrix run -f pairs.yaml -x ^old >run.log 2>&1
expect 0 '^out: 20 of 20 cells' $matrix collect -f pairs.yaml -o out
expect 0 '^again: 20 of 20 cells' $matrix collect -f pairs.yaml -o again
same out/distances.csv again/distances.csv

# hash_of NAME-PATTERN [KERNEL]
hash_of() { awk -F, -v name="$1" -v kernel="${2-}" '$1 ~ name && $10 == kernel { print $2 }' out/cells.csv; }
native=$(hash_of '^p/.*/copy/s001') haswell=$(hash_of '^p/.*/copy/s001' Haswell) zen=$(hash_of '^p/.*/copy/s001' Zen)
native_shared=$(hash_of '^p/.*/shared/s001') zen_shared=$(hash_of '^p/.*/shared/s001' Zen)
u1=$(hash_of '^u/.*s001u01') u2=$(hash_of '^u/.*s001u02') nehalem=$(hash_of '^k/' Nehalem)

# pair A B WORD ROWS LAST-ROW: so many rows of the pair, and the last one
pair() {
    count "$4" "^$1,$2,$3," out/distances.csv
    grep "^$1,$2,$3," out/distances.csv | tail -n 1 >last.txt
    count 1 "^$1,$2,$3,$5\$" last.txt
}
pair $native $native_shared target 4 4,2,0.5
pair $native $haswell setting 4 4,1,0.25
pair $native $zen setting 4 4,1,0.25
pair $zen $zen_shared target 4 4,2,0.48507125            # 2 / sqrt(4^2 + 1)
pair $native_shared $zen_shared setting 4 4,1,0.223606798 # 1 / sqrt(4^2 + 2^2)
pair $native $u1 ulp 3 3,0.375,0.125                      # no other of its study; the updates that both have
pair $u1 $u2 ulp 3 '3,0.375,0.1240[0-9]*'                 # 0.375 / sqrt(3^2 + 0.375^2)
pair $native $nehalem setting 4 4,1,0.25                  # no other of its study

# of each seed three pairs by target and four by setting; one more by setting, two by ulp, one long
long=$(hash_of '^long/.*/copy/') long_shared=$(hash_of '^long/.*/shared/')
count 18 '^[0-9a-f]{8},[0-9a-f]{8},(target|setting|ulp),1,' out/distances.csv
pair $long $long_shared target 60 300,150,0.5
count 1 "^$long,$long_shared,target,1,0.5,0.5\$" out/distances.csv
count 0 "$(hash_of '^other/')" out/distances.csv

# a damaged run is in no pair
truncate -s 2000 "results/$(awk -F, -v h="$native" '$2 == h { print $NF }' out/cells.csv)"
expect 7 '^1 damaged run file' $matrix collect -f pairs.yaml -o out
count 0 "$native" out/distances.csv
pair $haswell $zen setting 4 4,0,0
