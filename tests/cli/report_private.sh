# What others get to see of a person's machine: no key of the environment, no home folder and no name of its owner comes
# into data sets, run files, tables, the page or a bundle, however the paths were given.
for program in gnuplot strings; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
owner=secretperson
export HOME=$PWD/home/$owner USER=$owner LOGNAME=$owner
export NVIDIA_API_KEY=secretkey SAMEBITS_TOKEN=secrettoken OPENBLAS_KEY=secretblas OMP_SECRET=secretomp CUDA_HOME=$HOME/cuda
export SAMEBITS_CUDNN=$HOME/lib/libcudnn.so.9 OMP_NUM_THREADS=1
mkdir -p "$HOME"/study/frames
cd "$HOME"/study

cat >hw.yaml <<'END'
hardware:
  - {name: any}
  - {name: gtx-1080, gpu: 'GTX 1080$', sm: 61}
END
cat >m.yaml <<'END'
hardware: hw.yaml
data: [{name: walk, make: synth walk --size 16x16 --frames 30 --seed 1}]
defaults: {model: prednet, data: walk, updates: 2, window: 4, channels: '3,4', target: copy}
studies:
  - {name: p, seeds: 2, zip: [{backend: native, hardware: any}, {backend: cublas, hardware: gtx-1080}]}
  - {name: q, seeds: 1, options: {backend: native, hardware: any, lr: 0.01}}
END
# All paths are absolute, and lead through home. One cell is damaged, which a sentence with a path in it says; some lack
# their hardware.
samebits-matrix run -f "$HOME/study/m.yaml" --results "$HOME/study/results" --data "$HOME/study/data" >/dev/null 2>&1 || true
find results/runs/q -name '*.h5' -exec sh -c 'echo damaged >"$1"' sh {} \;
samebits-matrix collect -f "$HOME/study/m.yaml" --results "$HOME/study/results" -o "$HOME/study/tables" >/dev/null 2>&1 || true
[ "$(wc -l <tables/cells.csv)" = 3 ]
grep -q '^matrix,m.yaml,$' tables/coverage.csv
grep -q '^failed,q/.*~/study/results/runs/q/' tables/coverage.csv
report() { samebits-report "$1" -i "$HOME/study/tables" --runs "$HOME/study/results" --incomplete "${@:2}"; }
report write -o page 2>/dev/null
report export -o "$HOME/study/bundle.tar.gz"
samebits-report import bundle.tar.gz -o unpacked
# A data set from a folder that was named with a slash behind it.
make_clip frames/clip.mkv 12 16x16
samebits-data convert video "$HOME/study/frames/" --size 16x16 -o data/frames.h5 >/dev/null 2>&1

for file in $(find tables page unpacked data results -name '*.csv' -o -name '*.html' -o -name '*.h5' -o -name '*.gp' \
    -o -name '*.svg'); do
    strings -a "$file" >text
    for secret in "$owner" secretkey secrettoken secretblas secretomp; do
        if grep -q "$secret" text; then
            echo "FAILED: $file tells '$secret':"
            grep "$secret" text | head -n 3
            exit 1
        fi
    done
done
[ "$(find tables page unpacked data results -name '*.h5' | wc -l)" -ge 4 ]
# What matters is there.
grep -q '>env_OMP_NUM_THREADS<' page/index.html
grep -q '>libcudnn.so.9<' page/index.html
strings -a data/frames.h5 | grep -qx frames
