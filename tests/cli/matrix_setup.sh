# What the tests of samebits-matrix begin with: the real matrix program beside a stand-in for the trainer and for the
# data tool, a small matrix, and a few helpers. Sourced, not run.
mkdir bin
cp "$SB_BUILD/bin/samebits-matrix" bin/
cp "$SB_BUILD/bin/fake_samebits" bin/samebits
cat >bin/samebits-data <<'END'
#!/bin/sh
# Logs its words, writes something under -o; fails to convert fpsi.
echo "$*" >>data.log
case "$*" in convert*fpsi*) echo "no videos here" >&2; exit 4 ;; esac
while [ $# -gt 1 ]; do
    if [ "$1" = -o ]; then echo data >"$2"; fi
    shift
done
END
chmod +x bin/samebits-data
PATH=$PWD/bin:$PATH

cat >hw.yaml <<'END'
hardware:
  - {name: any}
  - {name: i5-4590, cpu: 'i5-4590( |$)'}
  - {name: gtx-1080, gpu: 'GTX 1080$', sm: 61}
END
cat >small.yaml <<'END'
hardware: hw.yaml
data:
  - {name: walk, make: synth walk --seed 1}
defaults: {model: prednet, updates: 12, window: 2, channels: '3,8'}
studies:
  - name: p
    options: {data: walk}
    seeds: 3
    axes: {target: [copy, shared]}
    zip: [{backend: native, hardware: any, threads: 1}]
END
matrix="samebits-matrix"

# wait_for COMMAND...: until it succeeds, ten seconds at most
wait_for() {
    for _ in $(seq 500); do
        if "$@" 2>/dev/null; then return 0; fi
        sleep 0.02
    done
    echo "FAILED: waited in vain for: $*"
    exit 1
}

# count N PATTERN FILE: so many lines with the pattern
count() {
    local got
    got=$(grep -cE -- "$2" "$3" || true)
    if [ "$got" != "$1" ]; then
        echo "FAILED: $got lines with /$2/ in $3, wanted $1:"
        sed 's/^/  | /' "$3"
        exit 1
    fi
}
