# What a matrix file may ask of samebits-data: every option of the verbs that make data sets, but for those that say
# where files lie; each is refused with its line when the file is read.
matrix() { # MAKE: a file that makes its data so
    cat >m.yaml <<END2
hardware: hw.yaml
data:
  - name: d
    make: $1
studies:
  - {name: p, seeds: 1, options: {model: prednet, data: d, updates: 2, target: copy, backend: native, hardware: any}}
END2
}
echo 'hardware: [{name: any}]' >hw.yaml

# ---- the table against the help of samebits-data ----
taken=0 refused=0
for verb in 'synth walk' 'synth motion' 'synth digits' 'synth shapes' 'synth text' 'convert text' 'convert mnist' 'convert cifar10' 'convert fpsi' 'convert public' 'convert video'; do
    samebits-data $verb --help | grep -oE -- '--[a-z-]+ +[^ ]+' | while read -r option value; do
        case $option:$value in
        --drop-first:* | --reverse:* | --still:* | --transpose:* | --any-frames:*) matrix "$verb $option" ;;
        *) matrix "$verb $option 1" ;;
        esac
        case $option in
        --output | --cache | --any-frames) expect 2 "^m.yaml:4: make: '$verb' takes --.* here, not '$option'$" samebits-matrix list -f m.yaml ;;
        *) expect 0 '^p/d/native' samebits-matrix list -f m.yaml ;;
        esac
    done >checked
    if grep FAILED checked; then exit 1; fi
    taken=$((taken + $(grep -c -- '-> 0' checked))) refused=$((refused + $(grep -c -- '-> 2' checked)))
done
[ $taken -ge 30 ] && [ $refused = 17 ] || { echo "FAILED: $taken taken, $refused refused"; exit 1; }

# ---- other ways to say it ----
no() { # WORD MAKE: refused, and nothing is written or run
    matrix "$2"
    expect 2 "^m.yaml:4: make: .* takes --.*, not '$1'$" samebits-matrix run -f m.yaml --engine none
    absent elsewhere.h5 results cache
}
no '-o' 'synth walk --seed 1 -o elsewhere.h5'
no '-oelsewhere.h5' 'synth walk -oelsewhere.h5'
no '--output=elsewhere.h5' 'convert mnist --output=elsewhere.h5'
no '--seed' 'synth walk --seed -o'
no '--drop-first=1' 'convert video a/b.mp4 --drop-first=1'
no '--' 'convert video -- -o elsewhere.h5'
no '--any-frames' 'convert public cups --any-frames'
no 'elsewhere.h5' 'synth digits elsewhere.h5'
matrix 'fetch mnist'
expect 2 "^m.yaml:4: make begins with 'synth walk', 'synth motion', .* or 'convert video', not with 'fetch mnist'$" samebits-matrix list -f m.yaml

# ---- what is fetched: a name, and names of its files ----
for fetch in 'public cups/x' 'public -o' ' '; do
    matrix 'convert public cups'
    sed -i "s|^  - name: d|&\n    fetch: '$fetch'|" m.yaml
    expect 2 "^m.yaml:4: fetch wants " samebits-matrix list -f m.yaml
done
matrix 'convert public cups'
sed -i "s|^  - name: d|&\n    fetch: public cups|" m.yaml
mkdir videos
https_proxy=http://127.0.0.1:1 expect 4 'fetch public cups --mirror videos' samebits-matrix run -f m.yaml --engine none --mirror videos
