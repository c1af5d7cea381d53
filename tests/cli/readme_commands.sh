# Every command of README.md, of containers/README.md, of the manuals that have commands inside their sentences, and every
# example that the help of a verb gives, word for word, in a folder that looks like a clone after 'make build' with the
# results that ship; or why it is not run. A command without a row below fails, and so does a row without a command.
. "$SB_SOURCE/tests/support/doc_commands.sh"
for program in gnuplot rsvg-convert latexmk pdflatex; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done

# FILE (help: of a verb) | COMMAND | what is done with it:
#   run CODE             it ends with that exit code
#   with CODE NAME=WORD  the same, each NAME that the README leaves to the reader replaced
#   as CODE OTHER        OTHER in its place
#   not REASON
table() {
    cat <<'END'
README.md | make | run 0
README.md | make demo | as 0 demo_in_parts
README.md | make test | not this test is a part of it
README.md | make repro | not takes days; setup_make.sh has its ways out, matrix_*.sh and report_*.sh have what it starts
README.md | make cell CELL=prednet/walk/native/any/copy/s001 | run 0
README.md | build/cpu/bin/samebits bisect --data cache/data/walk-e2efcca9.h5 results/runs/prednet/walk/native/any/copy/s001/5156d9a2.h5 results/runs/prednet/walk/native/any/shared/s001/e6166652.h5 | run 1
README.md | python -m samebits watch train.py | not needs PyTorch and a script; record_zoo.sh and python/tests run it
README.md | python -m samebits run --record a.h5 train.py | not the same
README.md | samebits bisect a.h5 b.h5 | not the same
README.md | make compare | not takes minutes, as make demo does; the example of compare below is what it starts
docs/clusters.md | samebits-data fetch | not no whole command; data_fetch.sh has the verb
docs/clusters.md | samebits-matrix run | not no whole command; matrix_run.sh has the verb
docs/clusters.md | samebits-matrix status | not no whole command; matrix_run.sh has the verb
docs/clusters.md | samebits-matrix collect | not no whole command; matrix_collect.sh has the verb
docs/running.md | samebits-matrix collect --with DIR | not wants the tables of another machine; matrix_elsewhere.sh
docs/running.md | make repro | not takes days; README.md has it
docs/running.md | samebits-matrix run | not no whole command; matrix_run.sh has the verb
docs/running.md | samebits train | not no whole command; the train_*.sh have the verb
docs/running.md | make repro MIRROR=DIR-or-URL | not takes days; data_fetch.sh has --mirror
docs/running.md | make repro FPSI=DIR | not takes days and wants the videos; setup_make.sh has FPSI=
docs/running.md | make repro MATRIX=matrix/natural.yaml | not takes a day and wants a video; docs/own-video.md is run with one
docs/running.md | make package | not builds everything; setup_package.sh packs, unpacks and runs a cell of the demo
docs/running.md | make install | not builds everything; setup_package.sh installs and compares
docs/running.md | samebits-matrix run -f /usr/share/samebits/matrix/demo.yaml -j 2 | not takes minutes; setup_package.sh
docs/running.md | samebits-matrix compare -f /usr/share/samebits/matrix/demo.yaml --reference /usr/share/samebits/results/demo-reference | not the same
docs/running.md | samebits-matrix collect -f /usr/share/samebits/matrix/demo.yaml -o results/demo | not the same
docs/running.md | samebits-report write -i results/demo --runs results -o results/demo/report | not the same; demo_in_parts above
docs/running.md | make gpu-check | not wants a GPU; gpu_check.sh runs its script
docs/same-bits.md | make gpu-check | not wants a GPU; gpu_check.sh runs its script
docs/running.md | make gpu-pack | not builds everything for GPUs; gpu_check.sh runs what is packed
docs/running.md | build/cpu/bin/samebits bench --only path --backend native/winograd --times results/checks/h200/kernels.csv | run 0
docs/running.md | samebits bench --only kernels --backend native-cuda/winograd -o kernels.csv | as 0 samebits bench --only kernels --backend cuda-on-cpu/winograd --quick --size 16x8 --channels 3,4 -o small/kernels.csv
docs/running.md | samebits info --cudnn-engines | not wants a GPU and cuDNN; test_gpu_engines has the table
docs/running.md | build/cpu/bin/samebits bench --only resnet9-path --backend native/winograd | run 0
docs/running.md | make doctor | run 0
docs/running.md | samebits-matrix plan -f FILE | with 0 FILE=matrix/demo.yaml
docs/running.md | samebits-matrix status -f FILE CELL | with 0 FILE=matrix/demo.yaml CELL=prednet/walk/native/any/copy/s002
docs/running.md | samebits-matrix watch | as 0 samebits-matrix watch -f matrix/demo.yaml --once
docs/running.md | build/cpu/bin/samebits-data convert fpsi | run 4
docs/running.md | samebits train --input MODE | as 0 samebits train --data small/walk.h5 --channels 3,4 --updates 1 --quiet --input resident -o small/resident.h5
docs/running.md | make image | not builds an image; matrix_container.sh starts one, matrix_engine.sh has the verbs
docs/running.md | make bundle | not wants an image; matrix_container.sh packs one
docs/clusters.md | build/cpu/bin/samebits-matrix submit --slurm -f matrix/paper.yaml | as 0 build/cpu/bin/samebits-matrix submit --slurm --print -f matrix/paper.yaml
docs/reading.md | samebits-report write --only figures -i results/demo-reference | as 0 readme_picture
docs/reading.md | build/cpu/bin/samebits diff A.h5 B.h5 | with 1 A.h5=small/a.h5 B.h5=small/b.h5
docs/reading.md | build/cpu/bin/samebits-report claims -i results/natural | run 0
docs/reading.md | build/cpu/bin/samebits-report answer -i results/largebatch | run 0
docs/reading.md | build/cpu/bin/samebits-report trace target.native.shared-over-copy.loss-last -i results/natural --runs results | run 0
docs/reading.md | samebits-report export | as 0 samebits-report export -i results/natural -o small/natural.tar.gz
docs/reading.md | samebits verify FILE|FOLDER... | as 0 samebits verify small/a.h5 results/demo-reference
docs/reading.md | make compare | not takes minutes; README.md has it
docs/reading.md | make paper MATRIX=matrix/natural.yaml | run 0
docs/same-bits.md | cmake --workflow --preset clang | not builds everything; train_clang.sh builds with clang what computes
docs/same-bits.md | make bench | not takes minutes; bench.sh has the verb and the figure
docs/same-bits.md | samebits layers | run 0
containers/README.md | samebits-matrix run | not no whole command; matrix_run.sh has the verb
containers/README.md | build/cpu/bin/samebits-matrix image list | run 0
containers/README.md | samebits info | run 0
containers/README.md | make image STACK=cuda-11.8-cudnn-8.5 | not fetches packages of a gigabyte; matrix_stacks.sh builds every stack from stand-ins
containers/README.md | samebits-matrix image build --offline | not the same
containers/README.md | cmake --preset ci && cmake --build build/ci --target ask_libraries | not builds; gpu_libraries.sh runs it
containers/README.md | podman run --rm --network=none -v "$PWD/build/ci/bin/ask_libraries:/ask:ro" --entrypoint /ask localhost/samebits:cuda-11.8 | not wants that image
containers/README.md | make image | not builds an image; matrix_container.sh starts one, matrix_engine.sh has the verbs
containers/README.md | make demo | not wants an image; matrix_container.sh runs cells in one
containers/README.md | make bundle MATRIX=matrix/demo.yaml | not wants an image; matrix_container.sh packs one
containers/README.md | apt-get install mmdebstrap podman runc | not installs a package
containers/README.md | containers/bootstrap.sh && make image BASE=localhost/samebits-base:bookworm | not fetches a distribution
containers/README.md | CONTAINERS_CONF=$PWD/containers/sandbox.conf make image | not builds an image; matrix_container.sh starts one with that file
containers/README.md | podman save -o containers/STACK.tar localhost/samebits:STACK | not wants an image; matrix_container_ends.sh saves one
containers/README.md | podman load | not no whole command; matrix_versions.sh loads an altered archive
containers/README.md | samebits-matrix unbundle | not no whole command; matrix_unbundle.sh has the verb
help | samebits train --data clip.h5 --threads 2 --target copy --seed 1 --updates 250 -o run.h5 | not takes minutes; docs/own-video.md trains on a clip
help | samebits train --model autoencoder --data mnist.h5 --batch 100 --epochs 1 -o run.h5 | not wants MNIST; the train_*.sh train autoencoders
help | samebits train --model resnet9 --rung 9 --data cifar10.h5 --threads 2 -o run.h5 | not wants CIFAR-10; train_layers.sh trains networks of layers
help | samebits export run.h5 -o run.csv | with 0 run.h5=small/a.h5 run.csv=small/run.csv
help | samebits evolve --model mlp --data mnist.h5 --batch 1000 --sigma 0.005 --threads 2 --generations 200 -o ga.h5 | not wants MNIST; train_evolve.sh has the verb
help | samebits evolve --search random-search --model mlp --data mnist.h5 --threads 2 -o random.h5 | not the same
help | samebits evolve --model mlp --data mnist.h5 --hold-out 5000 --elite fresh --fitness-batch fresh -o fresh.h5 | not the same
help | samebits sample gpt.h5 --tokens 300 --seed 7 --temperature 0.8 --prompt 'ROMEO:' | not wants a trained network; docs/language-model.md trains and samples one
help | samebits texts native.h5 tf32.h5 ulp.h5 --data shakespeare.h5 --prompts 64 -o texts.csv | not wants trained networks; docs/language-model.md has the verb
help | samebits check --backend openblas tests/golden/prednet_16x8_bprop4_f4.h5 | run 0
help | samebits-data convert text book.txt -o book.h5 | run 0
help | samebits-data convert text other.txt --table book.h5 -o other.h5 | run 0
help | samebits-data convert video clip.mp4 --size 160x120 -o clip.h5 | run 0
help | samebits-data convert video frames/ --crop 4:3 --sequence-starts 0,500 -o clip.h5 | not wants 501 images; data_convert.sh has folders of images, crops and sequences
help | samebits-matrix run -f matrix/demo.yaml -n 'prednet/.*/copy/' -j 2 | not takes a minute; matrix_run.sh has the verb
help | samebits-matrix compare -f matrix/demo.yaml --reference results/demo-reference | run 3
help | samebits-report write -i results/demo -o results/demo/report | as 0 samebits-report write -i results/demo -o results/demo/report --incomplete
help | samebits-report time --accuracy 94 results/runs/ladder/*/*.h5 | not wants runs of a ladder; report_time.sh has the verb
help | samebits-report churn results/runs/rung5*/*/*/*/*/*/*.h5 | not wants runs of rungs; report_churn.sh has the verb
help | samebits-report judge results/natural/cells.csv --by target --where study=target --metric loss_last | run 0
help | samebits-report trace full.native.shared-over-copy.loss-last -i results/natural | run 0
help | samebits-report compare results/mine results/natural --fail-on different | with 0 results/mine=results/natural
help | samebits-report export -i results/demo --runs results -o demo.tar.gz | as 0 samebits-report export -i results/demo --runs results -o demo.tar.gz --incomplete
help | samebits-report import demo.tar.gz -o results/theirs | run 0
END
}

# The picture that README shows has the words and points of the one that the command draws. Each version of gnuplot writes
# the same picture a little differently.
readme_picture() {
    samebits-report write --only figures -i results/demo-reference -o small/figures || return
    words_and_points small/figures/answer.svg >small/drawn
    words_and_points "$SB_SOURCE/docs/demo-answer.svg" >small/shown
    [ "$(wc -l <small/shown)" -ge 30 ] || return
    diff small/shown small/drawn
}
words_and_points() {
    grep -oE "<text>.+</text>|<use [^>]*translate.*/>" "$1" | grep -v "color='#ffffff'" | sort
}

# make demo takes minutes: one of its cells, and all that follows them.
demo_in_parts() {
    samebits-matrix run -f matrix/demo.yaml -n prednet/walk/native/any/shared/s001 || return
    samebits-matrix collect -f matrix/demo.yaml -o results/demo || return
    samebits-report write -i results/demo --runs results -o results/demo/report --incomplete || return
    [ -s results/demo/report/index.html ]
}

# try CODE COMMAND: as the reader types it
try() {
    local code=0 started=$SECONDS
    (eval "$2") >try.out 2>&1 </dev/null || code=$?
    if [ $code != "$1" ]; then
        echo "FAILED: $2"
        echo "  wanted exit code $1, got $code and:"
        sed 's/^/  | /' try.out
        exit 1
    fi
    n_run=$((n_run + 1))
    echo "ok: $2 ($((SECONDS - started)) s)"
}

# ---- the clone, and what a reader has at hand ----
doc_clone
rm -f results/natural results/demo-reference
cp -r "$SB_SOURCE"/results/{natural,demo-reference} results/
make_clip clip.mp4 20 64x48 mpeg4
cp "$SB_SOURCE/LICENSE" book.txt
cp book.txt other.txt
make() { command make -o build -o deps-paper -o deps-package "$@"; }
mkdir small
samebits-data synth walk --size 16x8 --frames 60 -o small/walk.h5 2>&1
for run in "a copy" "b shared"; do
    samebits train --data small/walk.h5 --channels 3,4 --updates 2 --quiet --target ${run#* } -o small/${run% *}.h5
done

# ---- READMEs, help and table hold the same commands ----
for file in README.md docs/running.md docs/clusters.md docs/large-studies.md docs/reading.md docs/same-bits.md containers/README.md; do
    awk -f "$SB_SOURCE/tests/support/readme_commands.awk" "$SB_SOURCE/$file" >$(basename $file).commands
    sed 's/^[0-9]* //' $(basename $file).commands | awk '!seen[$0]++' | sed "s,^,$file | ,"
done >commands
for program in samebits samebits-data samebits-matrix samebits-report; do
    $program --help
    $program --help | sed -n 's/^  \([a-z]\+\( [a-z]\+\)\?\)   *[^ ].*/\1/p' | while read -r verb; do $program $verb --help; done
done | sed -n 's/^example: \(samebits.*\)/help | \1/p; /^examples*:$/,/^[^ ]/s/^  \(samebits.*\)/help | \1/p' >>commands
[ "$(grep -c '^help' commands)" -ge 10 ] && [ "$(wc -l <commands)" -ge 40 ] || { echo "FAILED: too few commands were found"; exit 1; }
table >rows
while IFS= read -r line; do
    grep -qF -- "$line | " rows || { echo "FAILED: a new command, give it a row in this test: $line"; exit 1; }
done <commands
while IFS= read -r row; do
    grep -qxF -- "${row% | *}" commands || { echo "FAILED: neither a README nor help has this command any more: $row"; exit 1; }
done <rows

# ---- in the order of the READMEs ----
n_run=0
while IFS= read -r line; do
    row=$(grep -F -- "$line | " rows | awk -v line="$line | " 'index($0, line) == 1 { print substr($0, length(line) + 1); exit }')
    command=${line#* | }
    read -r mode code rest <<<"$row"
    case $mode in
    run) try "$code" "$command" ;;
    with)
        for pair in $rest; do command=${command//${pair%%=*}/${pair#*=}}; done
        try "$code" "$command"
        ;;
    as) try "$code" "$rest" ;;
    not) echo "not run: $command: $code $rest" ;;
    *) echo "FAILED: a row of an unknown kind: $row"; exit 1 ;;
    esac
    case $command in
    *'step '*'--threads 1') cp try.out step.out ;;
    *'step '*'--threads 2') same step.out try.out ;; # the hash does not depend on the threads
    *bisect*) cp try.out bisect.out ;;
    esac
done <commands
[ "$n_run" -ge 17 ]

# What bisect prints of the two runs that README names.
grep -qx 'first difference: update 1, gradient' bisect.out
grep -qE '^the first of its [0-9]+ operations that differs is number [0-9]+: loss_backward' bisect.out
grep -qx 'the only setting that differs: target (copy | shared)' bisect.out

# Commands are found in every form that a README may give them.
printf '%s\n' '# T' '' '    make one  # comment' '    samebits two \' '        --three' '    what it prints' '' \
    'text `make four` and `not code`, over' 'two lines `samebits-matrix run -f' 'X` end.' >probe.md
awk -f "$SB_SOURCE/tests/support/readme_commands.awk" probe.md | paste -sd';' >probe.out
echo '3 make one;4 samebits two --three;8 make four;8 samebits-matrix run -f X' >probe.wanted
same probe.out probe.wanted
