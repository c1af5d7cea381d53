# Commands in an image of the user's own, as jobs of Slurm, and in a bundle; with a stand-in for podman.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
cat >bin/podman <<'EOF'
#!/bin/sh
# Knows localhost/toy:1; runs what follows the image.
case "$1 $2" in
"--version ") echo podman version 1; exit ;;
"image inspect") for word; do last=$word; done
    [ "$last" = localhost/toy:1 ] && echo 1234 && exit
    echo "Error: $last: image not known" >&2; exit 125 ;;
esac
echo "$*" >>engine.log
while [ "$1" != localhost/toy:1 ]; do
    case $1 in --workdir=*) folder=${1#*=} ;; --env=RATE=*) export "${1#--env=}" ;; esac
    shift
done
shift
cd "$folder" && exec "$@"
EOF
chmod +x bin/podman
PATH=$PWD/bin:$PATH
cat >train.sh <<'EOF'
mkdir -p "$3"
date >>"$3/begun"
printf 'step,loss\n1,%s\n' "$RATE" >"$2"
EOF
cat >any.yaml <<'EOF'
studies:
  - name: toy
    command: sh train.sh {seed} {csv} {folder}
    environment: ['RATE={rate}']
    image: localhost/toy:1
    files: [train.sh]
    metrics: [{name: loss}]
    seeds: 2
    axes: {rate: [0.5, 1]}
EOF

# in the image: its folder is read only, the folder of the run is not, variables are handed in, and no card
expect 0 '^engine: podman, with the image localhost/toy:1$' $matrix run -f any.yaml --engine podman
also '^run: 4 complete$'
count 4 "^run --rm .*--network=none .*--mount=type=bind,src=$PWD,dst=$PWD,ro --workdir=$PWD .*--env=RATE=.* localhost/toy:1 sh train.sh" engine.log
count 0 'gpu' engine.log
$matrix collect -f any.yaml -o out
grep -q '^name,hash,study,seed,rate,loss,updates,diverged,output,image,evidence$' out/cells.csv
count 2 ',0.5,0.5,1,,[0-9a-f]*,localhost/toy:1,measured$' out/cells.csv
[ -s results/runs/toy/rate=0.5/s001/*.folder/begun ]
expect 2 '^the study runs in the image localhost/toy:1; --engine none would run it outside$' \
    $matrix run -f any.yaml --again --engine none
sed 's/toy:1/other:1/' any.yaml >other.yaml
expect 4 '^podman: exit code 125: Error: localhost/other:1: image not known' $matrix run -f other.yaml --engine podman
expect 4 'localhost/other:1: image not known' $matrix run -f other.yaml

# a folder of its own is kept, so that a program that was stopped can go on; so is its output
rm results/runs/toy/rate=0.5/s001/*.result
expect 0 '^run: 1 complete$' $matrix run -f any.yaml
[ "$(wc -l <results/runs/toy/rate=0.5/s001/*.folder/begun)" = 2 ]

# a job of Slurm: each task is 'samebits-matrix run' of one cell
rm -r results
expect 0 '^#SBATCH --array=0-3$' $matrix submit --slurm -f any.yaml --print
also 'samebits-matrix run -f any.yaml'

# a bundle has matrix, programs and the files of the command, and runs elsewhere
expect 0 '^any.tar: 0 images, 0 data sets$' $matrix bundle -f any.yaml -o any.tar
expect 0 '^there: every file is as its manifest says' $matrix unbundle any.tar -o there
expect 0 'sh train.sh' cat there/matrix/any.yaml
same train.sh there/matrix/train.sh
cd there
expect 0 '^run: 4 complete$' bin/samebits-matrix run -f matrix/any.yaml
