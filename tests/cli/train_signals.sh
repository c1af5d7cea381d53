# SIGTERM and SIGINT leave a checkpoint and go; SIGUSR1 makes one and stays; two processes never train one run.
make_file video data.h5 48x32 200 1
train="samebits train --data data.h5 --channels 3,8,16 --window 20 --quiet"

# wait_for FILE PROCESS: until the file is there, or the process is gone
wait_for() {
    local i
    for i in $(seq 1000); do
        [ -e "$1" ] && return 0
        kill -0 "$2" 2>/dev/null || break
        sleep 0.02
    done
    echo "FAILED: $1 did not appear"
    cat train.out
    exit 1
}

# ended PROCESS CODE PATTERN
ended() {
    local code=0
    wait "$1" || code=$?
    if [ $code != "$2" ] || ! grep -qE "$3" train.out; then
        echo "FAILED: exit code $code, wanted $2 and /$3/:"
        cat train.out
        exit 1
    fi
    echo "ok: $3 -> $code"
}

# What terminals and batch systems send before the end counts as SIGTERM.
for signal in TERM:143 INT:130 HUP:143 USR2:143 XCPU:143; do
    rm -f run.h5*
    # A shell's background jobs ignore SIGINT; env gives it back.
    env --default-signal=INT,HUP $train --updates 100000 -o run.h5 >train.out 2>&1 &
    wait_for run.h5.journal $!
    sleep 0.3
    kill -${signal%:*} $!
    ended $! ${signal#*:} "^run.h5: stopped after update [0-9]+ of 100000; the same command continues from there\$"
    n=$(sed -n 's/.*stopped after update \([0-9]*\) of.*/\1/p' train.out)
    absent run.h5.part
    expect 0 "run.h5: continued from update $n\$" $train --updates $((n + 2)) -o run.h5
    expect 0 "^updates $((n + 2)) " $train --updates $((n + 2)) -o straight.h5
    expect 0 "^same bits over $((n + 2)) entries" samebits diff straight.h5 run.h5
    rm straight.h5
done

# ---- a limit on computing time ----
rm -f run.h5*
(ulimit -S -t 2 && exec $train --updates 10000000 -o run.h5) >train.out 2>&1 &
ended $! 143 "^run.h5: stopped after update [0-9]+ of 10000000; the same command continues from there\$"

# ---- nohup is respected ----
rm -f run.h5*
env --ignore-signal=HUP $train --updates 100000 -o run.h5 >train.out 2>&1 &
wait_for run.h5.journal $!
sleep 0.2
kill -HUP $!
sleep 0.3
kill -TERM $!
ended $! 143 "stopped after update"

# ---- who reads what it prints may go: the training goes on ----
rm -f run.h5*
expect 0 '^prednet 1/40 ' bash -c "set -o pipefail; ${train% --quiet} --updates 40 -o run.h5 2>&1 | head -n 1"
expect 0 'holds, 40 updates' samebits verify run.h5

# ---- SIGUSR1, and a second process meanwhile ----
rm -f run.h5*
$train --updates 100000 --checkpoint-every 100000 -o run.h5 >train.out 2>&1 &
first=$!
wait_for run.h5.journal $first
sleep 0.2
absent run.h5
kill -USR1 $first
wait_for run.h5 $first
expect 2 "^run.h5: locked: another process is training this run\$" $train --updates 100000 -o run.h5
kill -0 $first
kill -TERM $first
ended $first 143 "stopped after update"

# ---- a second SIGINT does not wait for the end of the update ----
rm -f run.h5*
env --default-signal=INT samebits train --data data.h5 --channels 3,64,128 --window 20 --quiet --isa plain \
    --updates 10 -o run.h5 >train.out 2>&1 &
wait_for run.h5.journal $!
kill -INT $!
sleep 0.1
kill -INT $! 2>/dev/null || true
code=0
wait $! || code=$?
if [ $code != 130 ]; then echo "FAILED: exit code $code after two SIGINT"; exit 1; fi

# ---- a second SIGTERM does: a batch system sends one to the whole job, and so may the parent ----
rm -f run.h5*
$train --updates 100000 -o run.h5 >train.out 2>&1 &
wait_for run.h5.journal $!
kill -TERM $!
kill -TERM $! 2>/dev/null || true
ended $! 143 "stopped after update"
