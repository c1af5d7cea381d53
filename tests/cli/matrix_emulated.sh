# A CPU whose kernel type needs instructions that this one has not: its cells run below the emulator that its row names.
if grep -qw asimd /proc/cpuinfo; then echo 'skipped: this CPU is an Arm'; exit 77; fi
matrix() { # EMULATOR
    cat >hardware.yaml <<END
hardware:
  - {name: any}
  - {name: graviton, cpu: 'part 0xd0c', emulator: '$1'}
END
    cat >study.yaml <<END
hardware: hardware.yaml
data:
  - {name: clip, make: synth walk --size 20x12 --frames 30 --seed 1}
studies:
  - name: s
    options: {model: prednet, data: clip, target: copy, updates: 1, channels: '3', window: 5}
    seeds: 1
    zip:
      - {backend: openblas, hardware: graviton, threads: 1, blas_kernel: NeoverseN1}
      - {backend: native, hardware: graviton, threads: 1}
END
}

# It lets the trainer of this machine take a kernel type of its own, and notes what it was asked to do.
cat >emulator <<'END'
#!/usr/bin/env bash
echo "$*" >>emulated.log
words=()
while [ $# -gt 0 ]; do
    case $1 in
        -cpu|--blas-kernel) shift 2 ;;
        *) words+=("$1"); shift ;;
    esac
done
exec "${words[@]}"
END
chmod +x emulator

matrix "$PWD/emulator -cpu neoverse-n1 samebits"
expect 0 '^s/clip/openblas/graviton/copy/s001 /[0-9a-f]{8} emulated$' samebits-matrix list -f study.yaml
also '^s/clip/native/graviton/copy/s001 /[0-9a-f]{8} emulated$'
absent emulated.log
expect 0 '^run: 2 complete' samebits-matrix run -f study.yaml --engine none
expect 0 '^1$' grep -c . emulated.log # native has its bits without
expect 0 '^-cpu neoverse-n1 .*/samebits train .* --blas-kernel NeoverseN1 ' cat emulated.log

# without the emulator, or without the trainer for that CPU, it is absent, and what is missing is named
lacks='needs a CPU with asimd for the OpenBLAS kernel NeoverseN1'
rm -r results
matrix "no-such-emulator samebits"
expect 0 'openblas/graviton/copy/s001 /[0-9a-f]{8} absent' samebits-matrix list -f study.yaml
expect 0 "$lacks, or to emulate it no-such-emulator\$" samebits-matrix status -f study.yaml s/clip/openblas/graviton/copy/s001
matrix "env samebits-of-another-cpu"
expect 0 "$lacks, or to emulate it samebits-of-another-cpu\$" samebits-matrix status -f study.yaml s/clip/openblas/graviton/copy/s001
sed -i 's/, emulator: .*}/}/' hardware.yaml
expect 0 "$lacks\$" samebits-matrix status -f study.yaml s/clip/openblas/graviton/copy/s001
