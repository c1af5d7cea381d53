# The real thing: commands in an image of the user's own, which holds a program that is not ours; stopped and continued there.
. "$SB_SOURCE/tests/support/container_image.sh"
mkdir own
cat >own/learn.c <<'END'
/* learn SEED RATE OUTPUT FOLDER: a loss for each step; waits at step 3 of seed 2 until the file `go` is there. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int n, char **word)
{
    char path[4096];
    if (n != 5 || !getenv("MOMENTUM")) return 2;
    snprintf(path, sizeof path, "%s/begun", word[4]);
    FILE *begun = fopen(path, "a"), *out = fopen(word[3], "w"), *inside = fopen("written", "w");
    if (!begun || !out) return 3;
    fprintf(begun, "%d\n", (int)getpid());
    fclose(begun);
    printf("the folder of the matrix file %s\n", inside ? "was written to" : "is read only");
    fprintf(out, "step,loss\n");
    for (int step = 1; step <= 5; step++) {
        while (step == 3 && atoi(word[1]) == 2 && access("go", F_OK) != 0) usleep(50000);
        fprintf(out, "%d,%.6f\n", step, (1 + atoi(word[1]) / 10.0) / (1 + step * atof(word[2]) * atof(getenv("MOMENTUM"))));
    }
    return fclose(out) != 0;
}
END
gcc -static -o own/learn own/learn.c 2>/dev/null || { echo "skipped: no static program can be built here"; exit 77; }
printf 'FROM scratch\nCOPY learn /bin/learn\n' >own/Containerfile
image=localhost/own:1
podman build -q --network=none -t $image own
mkdir study
cat >study/any.yaml <<'END'
studies:
  - name: own
    command: learn {seed} {rate} {csv} {folder}
    environment: [MOMENTUM=0.5]
    image: localhost/own:1
    metrics: [{name: loss}]
    seeds: 2
    axes: {rate: [0.5, 1]}
END
matrix=samebits-matrix

# stopped in the middle: no container is left. The program is process 1 there, which SIGTERM without a handler does not end
$matrix run -f study/any.yaml -n rate=0.5 --grace 1 >run.log 2>&1 &
runner=$!
tries=0
until [ -s results/runs/own/rate=0.5/s002/*.folder/begun ]; do sleep 0.1; tries=$((tries + 1)); [ $tries -lt 1200 ]; done
[ "$(podman ps -q | wc -l)" = 1 ]
kill -TERM $runner
got=0
wait $runner || got=$?
[ $got = 143 ]
grep -q '^engine: podman, with the image localhost/own:1$' run.log
grep -q '^stopped .*s002' run.log
tries=0 # the engine removes it after its program ended
until [ -z "$(podman ps -aq)" ]; do sleep 0.1; tries=$((tries + 1)); [ $tries -lt 300 ]; done

# continued: the folder of the first attempt is the same one, the matrix file's folder was not written to
touch study/go
expect 0 '^run: 3 complete$' $matrix run -f study/any.yaml
[ "$(wc -l <results/runs/own/rate=0.5/s002/*.folder/begun)" = 2 ]
grep -q '^the folder of the matrix file is read only$' results/runs/own/rate=1/s001/*.log
absent study/written
[ "$(stat -c %u results/runs/own/rate=1/s001/*.csv)" = "$(id -u)" ]

# the image is on record, and a run of it repeats
expect 0 '^out: 4 of 4 cells' $matrix collect -f study/any.yaml -o out
grep -q '^own/rate=0.5/s002,[0-9a-f]*,own,2,0.5,0.533333,5,,[0-9a-f]*,localhost/own:1,measured$' out/cells.csv
expect 0 '^repeated .*, the same bits$' $matrix run -f study/any.yaml -n rate=1/s001 --again
expect 2 'engine none would run it outside$' $matrix run -f study/any.yaml -n rate=1/s001 --again --engine none

# a program that the image lacks is a failed cell with the engine's sentence
sed 's/command: learn/command: teach/' study/any.yaml >study/other.yaml
expect 1 '^failed .*exit code 127' $matrix run -f study/other.yaml --results other -n rate=1/s001
