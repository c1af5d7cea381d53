# How long a GPU takes, for check.sh: each kernel by itself, the timeline of a graph, and each switch off and on.
# Sourced there; uses its $out, $work, $data, verdict, not_run, enough, has and info.

# The environment of a switch, as words for env. All of them change times alone (docs/running.md).
SWITCHES="none branches priorities tiles pixels transforms chunks norms all dependent-0"
switch() {
    case $1 in
    none) echo SAMEBITS_CUDA_BRANCHES=0 ;;
    branches) echo SAMEBITS_CUDA_BRANCHES=1 ;;
    priorities) echo SAMEBITS_CUDA_BRANCHES=priorities ;;
    tiles | pixels | transforms | chunks | norms) echo "SAMEBITS_CUDA_$(tr a-z A-Z <<<"$1")=1" ;;
    all) echo SAMEBITS_CUDA_{BRANCHES,TILES,PIXELS,TRANSFORMS,CHUNKS,NORMS}=1 ;;
    dependent-0) echo SAMEBITS_CUDA_DEPENDENT_LAUNCH=0 ;;
    esac
}

# Switches that this program lacks would measure nothing. `samebits info` lists the variables that are set and that it reads.
variables=$(env $(for name in $SWITCHES; do switch $name; done) SAMEBITS_CUDNN_{FRAMES,INPUTS}=1 timeout 60 samebits info)
# has_variable NAME WHAT: does the program read this variable? If not, a line says so.
has_variable() { grep -q "^  env_$1 " <<<"$variables" || { not_run "$2" "this program has no $1"; return 1; }; }
known=
for name in $SWITCHES; do
    variable=$(switch $name)
    [ $name != all ] && ! has_variable "${variable%%=*}" "switch $name" || known="$known $name"
done
SWITCHES=${known# }

# Each kernel 64 times in a graph of its own. kernels-*.csv is what `bench --only path --times` reads. TILES: names of tiles.
part_kernels() {
    local network how part log tile tiles=()
    for tile in ${TILES:-}; do tiles+=(--tiles "$tile"); done
    for network in prednet resnet9; do
        for how in none all; do
            enough 20 "kernels $network $how" || return
            part=kernels log=$out/kernels-$network-$how
            [ $network = prednet ] || part=$network-kernels
            env $(switch $how) timeout 60 samebits bench --only $part --backend native-cuda/winograd --batch 512 --threads 1 "${tiles[@]}" \
                --rounds 5 -o "$log.csv" >"$log.txt" 2>&1
            verdict "kernels $network $how" $? "$(sed -n 's/^kernels: //p' "$log.txt")"
        done
    done
}

# Start and end of each kernel of the last launch of a graph, where CUPTI is.
part_timeline() {
    local how library=$here/lib/timeline.so said
    if [ ! -f "$library" ]; then
        library=$work/timeline.so
        said=$("$here/timeline.sh" "$library" 2>&1) || { not_run timeline "$said"; return; }
    fi
    for how in none branches all; do
        enough 10 "timeline $how" || return
        rm -f "$out/timeline-$how.csv" # of an earlier call
        env $(switch $how) SAMEBITS_TIMELINE="$out/timeline-$how.csv" CUDA_INJECTION64_PATH="$library" \
            timeout 30 samebits step --data "$work/full.h5" --windows 4 --backend native-cuda >"$work/hash" 2>"$out/timeline-$how.txt"
        if [ $? != 0 ] || [ ! -s "$out/timeline-$how.csv" ]; then
            not_run "timeline $how" "$(tail -n 1 "$out/timeline-$how.txt")" # a tool that fails says nothing about the device
        else
            verdict "timeline $how" 0 "$(sed -n 's/^# launches/launches/p' "$out/timeline-$how.csv")"
        fi
    done
}

# timed NETWORK SWITCH PASS: one row of switches.csv, from half a second of updates
timed() {
    local csv=$work/timed.csv
    rm -f "$csv"
    env $(switch "$2") timeout 40 samebits bench --only "$1" --backend native-cuda/winograd --batch 512 --threads 1 --rounds 1 \
        -o "$csv" >"$out/switch-$1-$2.txt" 2>&1 || return
    [ ! -f "$csv" ] || awk -F, -v head="$1,$2,$3" '$12 == "device_time" { device = $15 } $12 == "time" { all = $15 }
        END { if (all) printf "%s,%.4f,%.4f\n", head, 1e3 * device, 1e3 * all }' "$csv" >>"$out/switches.csv"
}

# Of each network and switch the median of its passes, and that over the one of none.
switch_table() {
    awk -F, 'NR > 1 { k = $1 "," $2; if (!(k in n)) order[++m] = k; v[k, ++n[k]] = $4 }
        END { for (i = 1; i <= m; i++) {
                  k = order[i]; split(k, part, ",")
                  for (a = 1; a <= n[k]; a++) for (b = a + 1; b <= n[k]; b++)
                      if (v[k, b] < v[k, a]) { t = v[k, a]; v[k, a] = v[k, b]; v[k, b] = t }
                  median = (v[k, int((n[k] + 1) / 2)] + v[k, int((n[k] + 2) / 2)]) / 2
                  if (part[2] == "none") base[part[1]] = median
                  printf "%-8s %-12s %9.3f ms  %6.3f  [%.3f %.3f] of %d\n", part[1], part[2], median,
                      base[part[1]] ? median / base[part[1]] : 0, v[k, 1], v[k, n[k]], n[k]
              } }' "$out/switches.csv"
}

# Passes through the switches, there and back, so that a clock that drifts is in all alike; PyTorch in the middle.
part_times() {
    local pass network switch order status
    echo "network,switch,pass,device_ms,ms" >"$out/switches.csv"
    for pass in 1 2 3 4; do
        order=$SWITCHES
        [ $((pass % 2)) = 1 ] || order=$(tr ' ' '\n' <<<"$SWITCHES" | tac)
        for network in prednet resnet9; do
            for switch in $order; do
                enough 8 "times $network $switch pass $pass" || break 3
                timed $network "$switch" $pass
                status=$?
                [ $status = 0 ] || verdict "times $network $switch pass $pass" $status "switch-$network-$switch.txt"
            done
        done
        [ $pass = 1 ] && times_of_pytorch
        [ $pass = 2 ] && times_of_backends
    done
    [ "$(wc -l <"$out/switches.csv")" -gt 1 ] || return
    switch_table | tee "$out/switches.txt"
    verdict "times of switches" 0 "$(($(wc -l <"$out/switches.csv") - 1)) rows of switches.csv"
}

times_of_pytorch() {
    local status=4
    enough 40 "times of PyTorch" || return
    [ -z "$python" ] || { timeout 120 "$python" "$here/pytorch.py" >"$out/pytorch.csv" 2>"$out/pytorch.txt"; status=$?; }
    if [ $status = 4 ]; then
        not_run "times of PyTorch" "no PyTorch with a GPU here"
    else
        verdict "times of PyTorch" $status "pytorch.csv"
    fi
}

# Seconds of one window of 20 frames at 160x120 from start to losses on the host, as `samebits bench` measures them.
times_of_backends() {
    local backend cases="--backend native-cuda/direct --backend native-cuda/winograd"
    for backend in cublas cudnn; do has $backend && cases="$cases --backend $backend"; done
    enough 60 "times" || return
    timeout 120 samebits bench --only prednet $cases --threads 1 --rounds 3 -o "$out/windows.csv" >"$out/windows.txt" 2>&1
    verdict "times" $? "windows.csv"
    cat "$out/windows.txt"
    for backend in FRAMES INPUTS; do # of cuDNN's calls; they have other bits
        has cudnn && has_variable SAMEBITS_CUDNN_$backend "times of cuDNN by $backend" || continue
        enough 20 "times of cuDNN by $backend" || continue
        env SAMEBITS_CUDNN_$backend=1 timeout 60 samebits bench --only prednet --backend cudnn --threads 1 --rounds 3 \
            -o "$out/windows-cudnn-${backend,,}.csv" >"$out/windows-cudnn-${backend,,}.txt" 2>&1
        verdict "times of cuDNN by $backend" $? "windows-cudnn-${backend,,}.csv"
    done
    timeout 120 samebits bench --only resnet9 $cases --batch 512 --threads 1 --rounds 3 -o "$out/resnet9.csv" >"$out/resnet9.txt" 2>&1
    verdict "times of ResNet-9" $? "resnet9.csv"
}

# Of each operation, waited for; and what cuDNN offers for each convolution, as far as the time goes.
part_operations() {
    local case log
    for case in native-cuda/direct native-cuda/winograd cublas cudnn; do
        has "${case%/*}" || continue
        enough 10 "operations $case" || return
        log=$out/operations-${case/\//-}.txt
        timeout 60 samebits bench --only operations --backend $case --threads 1 --rounds 3 >"$log" 2>&1
        verdict "operations $case" $? "$(basename "$log")"
    done
}

part_engines() {
    local status
    has cudnn || { not_run "engines of cuDNN" "$(grep -E '^  cudnn ' <<<"$info")"; return; }
    enough 15 "engines of cuDNN" || return
    timeout "$(least 120 $((limit - SECONDS)))" samebits info --cudnn-engines >"$out/engines.csv" 2>"$out/engines.txt"
    status=$?
    if [ $status = 124 ]; then
        not_run "engines of cuDNN to the end" "$(wc -l <"$out/engines.csv") lines of engines.csv"
    else
        verdict "engines of cuDNN" $status "engines.csv"
    fi
}
