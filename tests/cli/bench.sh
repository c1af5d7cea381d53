# The form of what 'samebits bench' prints and writes; never how fast anything was.
end='(, subnormal numbers in [0-9.e-]+% of the operations)?$' # on a fast, idle machine a case makes enough updates to meet some
tiny='--quick --size 16x8 --channels 3,4'

expect 0 'usage: samebits bench' samebits bench --help
expect 0 'OpenBLAS runs its .* kernels' samebits bench $tiny --threads 1,2 -o bench.csv
also '^samebits bench: 23 cases, 1 round: about .*, if every case computes as fast as the first did just now \([0-9.e+]+ GFLOP/s\)$'
absent bench.csv.part
samebits bench $tiny --threads 2,1 --only autoencoder --only operations >autoencoder.txt 2>/dev/null
grep -q 'batch 100 .* samples/s' autoencoder.txt
grep -qE '^autoencoder, native .*, 2 threads' autoencoder.txt
samebits bench $tiny --only input >input.txt 2>/dev/null
grep -qE '^  crop flip cutout group .* s/batch +[0-9]+ images/s' input.txt
grep -qE 'dense_learn_one +2 ' autoencoder.txt

# Every row has all columns and positive numbers in order.
sed -n 's/^# //p' bench.csv | grep -q '^openblas_kernel: .'
sed -n 's/^# //p' bench.csv | grep -q '^cpu: .'
grep -v '^#' bench.csv >rows.csv
columns=study,backend,arithmetic,variant,threads,width,height,channels,samples,operation,shape,measure,unit
[ "$(head -n 1 rows.csv)" = $columns,n,median,min,max ]
awk -F, 'NR > 1 && (NF != 17 || !($14 >= 1) || !($16 > 0 || $12 == "subnormal") || !($16 <= $15) || !($15 <= $17)) {
             print "FAILED: " $0
             bad = 1
         }
         END { exit bad }' rows.csv

# rows STUDY BACKEND ARITHMETIC THREADS MEASURE: how many there are
rows() { awk -F, -v s="$1" -v b="$2" -v a="$3" -v t="$4" -v m="$5" \
             '$1 == s && $2 == b && $3 == a && $5 == t && $12 == m { n++ } END { print n + 0 }' rows.csv; }
for threads in 1 2; do
    for study in prednet inference; do
        for measure in time rate gemm rate_to_gemm fma_peak rate_to_peak samples windows cpu_share subnormal; do
            [ "$(rows $study native winograd $threads $measure)" = 1 ]
            [ "$(rows $study native direct $threads $measure)" = 1 ]
            [ "$(rows $study openblas '' $threads $measure)" = 1 ]
        done
    done
    [ "$(rows autoencoder native '' $threads samples)" = 2 ]
    [ "$(rows autoencoder openblas '' $threads samples)" = 2 ]
done
[ "$(rows prednet native winograd 1 speed_up)" = 0 ]
[ "$(rows prednet native winograd 2 speed_up)" = 1 ]
[ "$(rows prednet native winograd 1 device_time)" = 0 ]
[ "$(rows memory native direct 1 peak_memory)" = 1 ]
[ "$(rows memory native direct 2 peak_memory)" = 0 ]
expect 2 "only wants one of prednet\|.*, not 'growth'" samebits bench --only growth
for measure in time samples windows cpu_share; do
    [ "$(rows input native '' 1 $measure)" = 4 ]
done
[ "$(grep -c '^input,native,,[^,]*,1,32,32,,512,,,' rows.csv)" = 16 ]
awk -F, '$1 == "operations" && $10 == "conv_forward" && $12 == "calls" { n += $15 }
         END { exit n == 5 * 5 ? 0 : 1 }' rows.csv

# The rate is the work over the time. 5 frames of 2 layers are 7,969,536 operations, counted by hand: 2,776,320 forward,
# 2,426,112 for the gradients of the data, 2,767,104 for those of the weights.
awk -F, '$1 == "prednet" && $12 == "time" { time[$2 $3 $5] = $15 }
         $1 == "prednet" && $12 == "rate" { rate[$2 $3 $5] = $15; n++ }
         END { for (k in time) {
                   gflop = time[k] * rate[k]
                   if (gflop < 0.00796945 || gflop > 0.00796963) { print "FAILED: " k ": " gflop; exit 1 }
               }
               exit n == 6 ? 0 : 1 }' rows.csv

# The GPU backend in a written order has both arithmetics too.
samebits bench $tiny --threads 1 --only prednet --backend cuda-on-cpu/winograd --backend cuda-on-cpu/direct \
    -o gpu.csv >gpu.txt 2>/dev/null
for arithmetic in winograd direct; do
    [ "$(grep -c "^prednet,cuda-on-cpu,$arithmetic,walked by the CPU,.*,time,s/window," gpu.csv)" = 1 ]
    [ "$(grep -c "^prednet,cuda-on-cpu,$arithmetic,walked by the CPU,.*,device_time,s/window," gpu.csv)" = 1 ]
done
expect 2 "backend openblas has no arithmetic 'direct'" samebits bench $tiny --backend openblas/direct

# The networks that classify are measured where they are named: learning, predicting, and the peak of memory; one
# arithmetic where there is no other.
networks='--quick --threads 1 --batch 4'
samebits bench $networks --widths 2,2,3,4 --only resnet9 --only resnet9-evaluation --only resnet9-memory \
    --only operations -o networks.csv >networks.txt 2>/dev/null
grep -qE '^  batch 4 +native/winograd .* samples/s'"$end" networks.txt
grep -qE '^resnet9, batch 4$' networks.txt
grep -qE '^  norm_backward +8 ' networks.txt
for study in resnet9 resnet9-evaluation; do
    [ "$(grep -c "^$study,.*,32,32,2 2 3 4,4,,,time,s/window," networks.csv)" = 3 ]
done
[ "$(grep -c '^resnet9-memory,.*,peak_memory,MiB,' networks.csv)" = 3 ]
samebits bench $networks --only lenet --only mlp-evaluation -o networks.csv >/dev/null 2>&1
for start in lenet,native lenet,openblas mlp-evaluation,native mlp-evaluation,openblas; do
    [ "$(grep -c "^$start,,.*,time,s/window," networks.csv)" = 1 ]
done
[ "$(grep -c ',wait,' networks.csv)" = 0 ]

# The language model: learning, predicting, the peak of memory, and learning from a text. It has no generations.
gpt='--quick --threads 1 --blocks 1 --heads 2 --width 32 --context 16'
samebits bench $gpt --only gpt --only gpt-evaluation --only gpt-evolution --only gpt-memory -o gpt.csv >gpt.txt 2>/dev/null
for start in gpt,native gpt,openblas gpt-evaluation,native gpt-evaluation,openblas; do
    [ "$(grep -c "^$start,.*,time,s/window," gpt.csv)" = 1 ]
done
[ "$(grep -c '^gpt-memory,.*,peak_memory,MiB,' gpt.csv)" = 2 ]
[ "$(grep -c '^gpt-evolution,' gpt.csv)" = 0 ]
grep -qE '^  batch 8 +native .* tokens/s'"$end" gpt.txt
# Forward a token takes 12 x 32^2 multiplications of the dense layers, 32 x 17 of scores and values, 32 x 65 of the logits.
awk -F, '$1 == "gpt-evaluation" && $2 == "native" { value[$12] = $15; if ($9 != 8) bad = 1 }
    END { flop = value["rate"] * value["time"] * 1e9 / (2 * 8 * 16 * (12 * 32 * 32 + 32 * 17 + 32 * 65))
          tokens = value["tokens"] * value["time"] / (8 * 16)
          exit bad || flop < 0.999 || flop > 1.001 || tokens < 0.999 || tokens > 1.001 }' gpt.csv
expect 2 'gpt: --heads 5 does not divide --width 32' samebits bench $gpt --heads 5 --only gpt
samebits-data synth text --characters 6000 -o text.h5 2>/dev/null
samebits bench $gpt --batch 2 --backend native --only gpt --data text.h5 -o gpt.csv >/dev/null 2>&1
[ "$(grep -c '^gpt,native,.*,wait,' gpt.csv)" = 1 ]

# A generation of Deep GA: the passes forward of all its individuals, 91776 multiplications an image each.
samebits bench $networks --backend native --only mlp-evolution -o evolution.csv >evolution.txt 2>/dev/null
grep -qE '^  batch 4, population 5 +native .* [0-9]+ individuals/s'"$end" evolution.txt
awk -F, '/^mlp-evolution,/ { value[$12] = $15; if ($9 != 20) bad = 1 }
    END { flop = value["rate"] * value["time"] * 1e9 / (2 * 91776 * 20)
          each = value["individuals"] * value["time"] / 5
          exit bad || flop < 0.999 || flop > 1.001 || each < 0.999 || each > 1.001 }' evolution.csv
samebits bench --quick --threads 2 --batch 4 --backend native --backend openblas --only mlp-evolution >/dev/null 2>&1

# The model of a GPU needs none. Launches that wait for less cannot end later; measured times come from a table.
samebits bench $tiny --only path >path.txt 2>/dev/null
[ "$(grep -c '^path: prednet, native-cuda/' path.txt)" = 2 ]
[ "$(grep -c '^times: none measured' path.txt)" = 2 ]
printf '# a table\nkernel,grid,threads,registers,launches,mean_us\nsb_error_backward,1x1x1,256,16,9,500\n' >kernels.csv
samebits bench $tiny --only path --backend native/direct --times kernels.csv >path.txt 2>/dev/null
grep -qE '^times: [1-9][0-9]* launches measured \(kernels.csv\), ' path.txt
grep -qE '^    sb_error_backward +[1-9]' path.txt
awk '$1 == "one" && $2 == "stream" { one = $5 } $1 == "graph" { graph = $4 } /^  graph, if/ { own = $9 }
     END { exit one > graph && graph >= own && own > 0 ? 0 : 1 }' path.txt
samebits bench $networks --widths 2,2,3,4 --only resnet9-path --backend native/winograd >path.txt 2>/dev/null
grep -q '^path: resnet9, native-cuda/winograd, batch 4; a GPU of 132 processors$' path.txt
echo 'sb_adam,1x1,256' >>kernels.csv
expect 7 'kernels.csv: line 4 is no time of a kernel' samebits bench $tiny --only path --times kernels.csv
expect 2 'nowhere.csv' samebits bench $tiny --only path --times nowhere.csv
expect 2 "^samebits bench: --only path has no JSON$" samebits bench $tiny --only path --json

# The kernels of a GPU one by one: here walked by the CPU, which measures nothing. The model reads the table.
samebits bench $tiny --only kernels --backend cuda-on-cpu/direct -o kernels.csv >kernels.txt 2>/dev/null
grep -qE '^kernels: prednet, cuda-on-cpu/direct, [1-9][0-9]* launches, [1-9][0-9]* different, one after the other ' kernels.txt
grep -qE '^  sb_error_backward +[0-9x]+ +0.00 +0.00[0-9] +[0-9]+ ' kernels.txt
sed -n 's/^# //p' kernels.csv | grep -q '^cpu: .'
grep -v '^#' kernels.csv >rows.csv
[ "$(head -n 1 rows.csv)" = kernel,grid,threads,registers,launches,us,flop,bytes,min_us,max_us,operation,network,arithmetic ]
awk -F, 'NR > 1 && (NF != 13 || !($5 >= 1) || !($9 <= $6) || !($6 <= $10) || seen[$0]++) { print "FAILED: " $0; exit 1 }' rows.csv
awk -F, '/^#/ { print; next } { $6 = NR; print }' OFS=, kernels.csv >times.csv # a time above 0 for each
samebits bench $tiny --only path --backend native/direct --times times.csv >path.txt 2>/dev/null
grep -qE '^times: [1-9][0-9]* launches measured \(times.csv\), ' path.txt
samebits bench $networks --widths 2,2,3,4 --only resnet9-kernels --backend cuda-on-cpu/winograd >kernels.txt 2>/dev/null
grep -q '^kernels: resnet9, cuda-on-cpu/winograd, ' kernels.txt
samebits bench $tiny --only kernels --backend cuda-on-cpu/direct --tiles 64x64 --tiles 48x48 -o tiles.csv >tiles.txt 2>/dev/null
[ "$(grep -c '^kernels: prednet, .*, not measured above with tiles \(64x64\|48x48\), 0 launches, 0 different' tiles.txt)" = 2 ]
[ "$(grep -vc '^#' tiles.csv)" = "$(wc -l <rows.csv)" ]
# products of 16 channels by winograd: each tile once, by each name
samebits bench --quick --size 16x8 --channels 3,16 --only kernels --backend cuda-on-cpu/winograd --tiles all -o all.csv >all.txt 2>/dev/null
[ "$(grep -c "^kernels: .* with tiles [0-9a-z]*, [1-9]" all.txt)" = 11 ] # narrow is in use
for tile in 128x128 64x128 64x64 96x80 48x80 128x24 64x32; do grep -q "^sb_product_domain_$tile," all.csv; done
expect 2 'SAMEBITS_CUDA_TILES=one: no tile has this name' \
    samebits bench $tiny --only kernels --backend cuda-on-cpu/direct --tiles one
# only --tiles leaves out what was measured above
samebits bench $tiny --only kernels --backend cuda-on-cpu/direct --backend cuda-on-cpu/direct >twice.txt 2>/dev/null
[ "$(grep -c '^kernels: prednet, cuda-on-cpu/direct, [1-9][0-9]* launches, ' twice.txt)" = 2 ]
SAMEBITS_CUDA_SYNC=1 expect 2 '^samebits bench: SAMEBITS_CUDA_SYNC makes no graph; unset it$' \
    samebits bench $tiny --only kernels --backend cuda-on-cpu/direct
expect 2 '^samebits bench: --tiles is for --only kernels$' samebits bench $tiny --only path --tiles one
if samebits info | grep -q '^  native-cuda  *absent'; then
    expect 4 'kernels are measured on a GPU, and native-cuda cannot run here: .*; --only path models one$' \
        samebits bench $tiny --only kernels
fi
expect 2 'only kernels wants --backend native-cuda/winograd or native-cuda/direct$' samebits bench $tiny --only kernels --backend openblas
expect 2 'one table: of --only kernels, or of other parts$' samebits bench $tiny --only kernels --only input -o both.csv
expect 2 '^samebits bench: --only kernels has no JSON$' samebits bench $tiny --only kernels --json

# From a data set they learn through the input pipeline, and say how long they waited.
samebits-data synth shapes --images 40 --test 10 -o shapes.h5 >/dev/null 2>&1
samebits bench $networks --widths 2,2,3,4 --only resnet9 --backend native --data shapes.h5 -o data.csv >data.txt 2>/dev/null
grep -qE ' samples/s, [0-9.]+% of the time it waits for input'"$end" data.txt
awk -F, '$12 == "wait_share" && $15 >= 0 && $15 <= 1 { n++ } END { exit n == 1 ? 0 : 1 }' data.csv
expect 2 "nowhere.h5" samebits bench $networks --only lenet --data nowhere.h5
expect 2 "resnet9: --widths wants four numbers" samebits bench $networks --only resnet9 --widths 2,3

# The figure.
if command -v gnuplot >/dev/null; then
    said=$(LC_ALL=C.UTF-8 gnuplot -d -e "csv='bench.csv'; output='bench.svg'" "$SB_SOURCE/paper/bench.gp" 2>&1)
    if [ -n "$said" ]; then echo "FAILED: gnuplot said: $said"; exit 1; fi
    grep -q 'native winograd .*, 2 threads' bench.svg
    grep -q '</svg>' bench.svg
fi

# One case alone is measured in the process itself, and another instruction set may be asked for.
expect 0 'native/direct +plain +[0-9]+ MiB' \
    samebits bench $tiny --only memory --backend native/direct --isa plain --threads 1

expect 2 "^samebits bench: --only wants one of prednet\|.*, not 'speed'$" samebits bench --only speed
expect 2 "^unknown backend 'blas'" samebits bench --backend blas
expect 2 "^samebits bench: backend native has no arithmetic 'fft'" samebits bench --backend native/fft
expect 2 "^samebits bench: backend openblas has no arithmetic 'winograd'" samebits bench --backend openblas/winograd
expect 2 "^unknown instruction set 'mmx'" samebits bench --isa mmx
expect 2 "^samebits bench: --threads wants at most 16 whole numbers" samebits bench --threads 1,none
expect 2 "^samebits bench: --rounds wants a whole number in \[1, 99\]" samebits bench --rounds 0
expect 2 "15x8" samebits bench --quick --size 15x8 --channels 3,4 -o bad.csv
expect 1 '^nowhere/bench.csv' samebits bench $tiny --only inference --threads 1 -o nowhere/bench.csv
absent bad.csv bad.csv.part nowhere
