# What samebits says of recordings of other programs: verify, diff, bisect, found, and the verbs that cannot use them.
export SAMEBITS_LIBRARY=$SB_LIBRARY PYTHONPATH=$SB_SOURCE/python PYTHONDONTWRITEBYTECODE=1
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

cat >make.py <<'END'
import os
import sys
import samebits
from samebits import _library as library

def h(number):
    return bytes([number % 251 + 1] * 16)

def make(path, updates=4, fault=None, part=None, complete=True, names=("w", "b"), settings="group 0 lr = 0.1", forms=None):
    r = samebits.Recording(path, "a program")
    r.setting("threads", 1 if fault is None else 2)
    r.names(library.WEIGHTS, list(names))
    r.names(library.BATCH, ["batch 0"])
    for u in range(updates + 1):
        off = 100 if fault is not None and u >= fault else 0
        r.settings_at(u, settings)
        r.begin(u)
        for p in (library.WEIGHTS, library.BATCH, library.GRADIENT, library.STATE):
            if u == 0 and p != library.WEIGHTS:
                continue
            r.hash(p, 0, h(u))
            if p == library.WEIGHTS:
                r.hash(p, 1, h(u + (off if p == part else 0)))
            elif p == part:
                r.hash(p, 0, h(u + off))
        if u:
            same = h(u) if forms else h(u + off)
            r.forms(0, same if forms == "canonical" else h(u + off), same if forms == "samples" else h(u + off))
            r.value("loss", u / 7)
        r.end()
    if not complete:
        r.report(2, "changed while saved", "mul", "train.py:3", "w", "layer", "a sentence of what was found")
    r.close(complete)

def trace(path, update=3, argument="", error=-1.0):
    t = library.Tracing(path, update, "a program")
    t.settings("group 0 lr = 0.1")
    w = library.WRITTEN
    t.row("mul", "0", "train.py:3 main", "", "", 0, -1, False, error, 0, 0,
          [("self", "0.weight", "float32", "[2]", "", "cpu", 0, -1, h(1), None, None), ("result", "", "float32", "[2]", "", "cpu", w, 0, h(2), None, None)])
    t.row("add", "1", "train.py:4 main", argument, "", 0, -1, False, error, 0, 0,
          [("self", "", "float32", "[2]", "", "cpu", 0, 0, h(2), None, None), ("result", "", "float32", "[2]", "", "cpu", w, 1, h(9 if argument else 3), None, None)])
    t.close(True)

def marks(path, move, sketch=True, wrong=0.0):
    """Two marks whose numbers are moved: the second one by `wrong` in addition."""
    import ctypes
    t = library.Tracing(path, 3, "a program")
    for k, name in enumerate(("output of 0", "output of 1")):
        numbers = (ctypes.c_double * 3000)(*[i % 7 + move * (i % 5 - 2) + (wrong if k else 0) * (i % 3 - 1) for i in range(3000)])
        of = library.sketch(ctypes.addressof(numbers), library.DTYPE_NUMBER["float64"], 3000) if sketch else None
        kept = (ctypes.addressof(numbers), 3000) if sketch else None
        t.row(name, str(k), "", "", "", 0, -1, True, -1.0, 0, 0,
              [("output 0", "", "float32", "[3000]", "", "cpu", 0, -1, h(k + int(1e9 * (move + wrong))), of, kept)])
    t.close(True)

def faulty(path):
    """Findings at three places; what has no operation is equal only to what has its text."""
    r = samebits.Recording(path, "a program")
    r.begin(0)
    r.hash(library.WEIGHTS, 0, h(1))
    r.end()
    for update, line in ((12, 3), (12, 4), (12, 3), (13, 3)):
        r.report(update, "changed while saved", "mul", f"train.py:{line}", f"batch {update}", "layer", f"line {line}, update {update}")
    for name in ("loss", "lr", "lr"):
        r.report(13, "not recorded", "", "train.py:9", "", "", f"{name} is no number")
    r.close(True)

def skipped(path, settings="group 0 lr = 0.1", kill=False):
    """Update 2 has no gradient: its optimizer made no step. kill: the process ends without a word, and a journal is left."""
    r = samebits.Recording(path, "a program")
    r.names(library.WEIGHTS, ["w", "b"])
    r.names(library.GRADIENT, ["w"])
    for u in range(4):
        r.settings_at(u, settings)
        r.begin(u)
        for k in range(2):
            r.hash(library.WEIGHTS, k, h(u))
        if u and (u != 2 or kill):
            r.hash(library.GRADIENT, 0, h(u))
        if u:
            r.value("loss", u / 7)
        r.end()
        if u == 1:
            r.report(1, "resumed otherwise", "", "", "", "", "resumed with another generator")
    r.report(4, "unstable", "", "", "", "", "a later sentence")
    if kill:
        os._exit(0)
    r.close(True)

def feeds(path, edit):
    """The gradient of b is edited on one side; the step reads it and that of w."""
    t = library.Tracing(path, 1, "a program")
    t.settings("")
    w = library.WRITTEN
    x = lambda role, name, flags, writer, number: (role, name, "float32", "[2]", "", "cpu", flags, writer, h(number), None, None)
    t.row("mm", "0", "", "", "", 1, -1, False, -1.0, 0, 0, [x("self", "batch 0", 0, -1, 1), x("result", "gradient of w", w, 0, 2)])
    t.row("sum", "0", "", "", "", 1, -1, False, -1.0, 0, 0, [x("self", "batch 0", 0, -1, 1), x("result", "gradient of b", w, 1, 3)])
    if edit:
        t.row("clamp", "", "", "", "", 2, -1, False, -1.0, 0, 0, [x("self", "", 0, 1, 3), x("result", "", w, 2, 4)])
        t.row("mul", "", "", "", "", 2, -1, False, -1.0, 0, 0,
              [x("self", "", 0, 2, 4), x("other", "batch 0", 0, -1, 1), x("result", "gradient of b", w, 3, 5)])
    n = 3 if edit else 1
    t.row("gradients of the step", "", "", "", "", 2, -1, True, -1.0, 0, 0,
          [x("w", "gradient of w", 0, 0, 2), x("b", "gradient of b", 0, n, 5 if edit else 3)])
    t.close(True)

if len(sys.argv) > 1:
    skipped(sys.argv[1], kill=True)
make("a.h5")
make("again.h5")
skipped("skipped.h5")
skipped("stepped.h5", settings="group 0 lr = 0.2")
feeds("plain_feeds.trace.h5", False)
feeds("edited_feeds.trace.h5", True)
make("gradient.h5", fault=3, part=library.GRADIENT)
make("gradient2.h5", fault=2, part=library.GRADIENT)
make("weights.h5", fault=0, part=library.WEIGHTS)
make("order.h5", fault=2, part=library.BATCH, forms="samples")
make("zeros.h5", fault=2, part=library.BATCH, forms="canonical")
make("longer.h5", updates=6)
make("begun.h5", updates=2, complete=False)
faulty("faulty.h5")
make("other.h5", names=("w", "c"))
make("rate.h5", settings="group 0 lr = 0.2")
trace("a.u3.trace.h5"); trace("gradient.u3.trace.h5", argument="alpha=2", error=900.0); trace("late.trace.h5", update=4)
marks("m.trace.h5", 0)
marks("within.trace.h5", 3e-6)
marks("more.trace.h5", 3e-6, wrong=1e-3)
marks("plain.trace.h5", 0, sketch=False)
for k in (1, 2, 3):
    marks(f"nudged{k}.trace.h5", k * 1e-7)
END
python3 make.py

# says CODE TEXT COMMAND...: the exit code, and a text in what is printed
says() {
    local code=$1 text=$2 got=0
    shift 2
    "$@" >said 2>&1 || got=$?
    [ $got = "$code" ] || { echo "FAILED: $*: exit code $got, wanted $code"; cat said; exit 1; }
    grep -qF -- "$text" said || { echo "FAILED: $* does not say: $text"; cat said; exit 1; }
}

says 0 'a.h5: recording: holds, 5 entries, up to update 4' samebits verify a.h5
says 0 'begun.h5: recording: holds, 3 entries, up to update 2' samebits verify begun.h5
says 0 'a.u3.trace.h5: trace: holds, 2 rows of update 3' samebits verify a.u3.trace.h5
says 0 'same bits over 5 entries, up to update 4' samebits diff a.h5 again.h5
says 1 'first difference: update 3, gradient' samebits diff a.h5 gradient.h5
says 1 'threads          1 | 2' samebits diff a.h5 gradient.h5
says 1 'first difference: update 0, weights, b (1 of 2 tensors of the weights)' samebits diff a.h5 weights.h5
says 1 'other initial weights' samebits diff a.h5 weights.h5
says 1 'other batch: the same samples in another order' samebits diff a.h5 order.h5
says 1 'it differs in nothing but the sign of zeros and the bits of NaN' samebits diff a.h5 zeros.h5
says 1 'then they differ in length: the last updates are 4 | 6' samebits diff a.h5 longer.h5
says 0 'begun.h5 ends at update 2, incomplete' samebits diff a.h5 begun.h5
says 2 'recordings of two networks: b | c' samebits diff a.h5 other.h5
says 0 'group 0 lr = 0.1 | 0.2' samebits diff a.h5 rate.h5
says 1 '"part_kind": "other initial weights"' samebits diff a.h5 weights.h5 --json
says 1 'a sentence of what was found' samebits found begun.h5
says 0 '0 findings' samebits found a.h5
says 1 'faulty.h5: 7 findings' samebits found faulty.h5
samebits found faulty.h5 >merged 2>/dev/null || true
cat >wanted <<'END'
update 12: changed while saved: line 3, update 12; and 2 more, first in update 12
update 12: changed while saved: line 4, update 12
update 13: not recorded: loss is no number
update 13: not recorded: lr is no number; and 1 more, first in update 13
7 findings up to update 0
END
diff wanted merged
samebits found faulty.h5 --json >merged.json || true
[ "$(grep -c '"kind": ' merged.json)" = 7 ]
says 0 '1,0.14285714285714285,' samebits export a.h5
says 0 'update,loss,seconds' samebits export a.h5
says 0 'update,text' samebits export --table settings a.h5
says 0 '1,group 0 lr = 0.1' samebits export --table settings a.h5
says 1 '"kind": "changed while saved"' samebits found begun.h5 --json

# a side without a step, its settings, and what was found up to there
python3 make.py killed.h5
says 1 'first difference: update 2, gradient' samebits diff skipped.h5 killed.h5
says 1 'no step: run A made no optimizer step in this update' samebits diff skipped.h5 killed.h5
says 1 'no step: run B made no optimizer step in this update' samebits diff killed.h5 skipped.h5
says 1 '"part_kind": "no step"' samebits diff skipped.h5 killed.h5 --json
says 1 'found in skipped.h5: update 1: resumed otherwise: resumed with another generator' samebits diff skipped.h5 killed.h5
samebits diff skipped.h5 killed.h5 >said 2>&1 || true
if grep -q 'a later sentence' said; then echo 'FAILED: a finding after the first difference'; exit 1; fi
says 0 '"group": "optimizer"' samebits diff skipped.h5 stepped.h5 --json
says 0 '"name": "group 0 lr"' samebits diff skipped.h5 stepped.h5 --json

# every verb reads the journal that a killed program left
test -e killed.h5.journal
says 0 'killed.h5: recording: holds, 4 entries, up to update 3' samebits verify killed.h5
says 0 '3,0.42857142857142855,' samebits export killed.h5
says 5 "killed.h5: has no table 'validation'" samebits export killed.h5 --table validation
says 1 'up to update 3' samebits found killed.h5
test -e killed.h5.journal

# what the result of an operation goes into: tensors that were computed from it, and no other
says 1 'its result goes into: gradient of b' samebits bisect plain_feeds.trace.h5 edited_feeds.trace.h5
samebits bisect plain_feeds.trace.h5 edited_feeds.trace.h5 >said 2>&1 || true
if grep 'goes into' said | grep -qE 'batch 0|gradient of w'; then echo 'FAILED: goes into too much'; cat said; exit 1; fi

# bisect: which update to trace; and the traces, where they lie next to the recordings
says 1 'trace update 2 of both runs' samebits bisect a.h5 order.h5
says 1 'other argument' samebits bisect a.h5 gradient.h5
says 1 'the first that differs: add, forward, module 1, train.py:4 main' samebits bisect a.u3.trace.h5 gradient.u3.trace.h5
says 1 'arguments: (defaults) | alpha=2' samebits bisect a.u3.trace.h5 gradient.u3.trace.h5
says 1 'side b: 2 operations err by more than rounding explains' samebits bisect a.u3.trace.h5 gradient.u3.trace.h5
says 1 '"operation_name": "add"' samebits bisect a.u3.trace.h5 gradient.u3.trace.h5 --json
says 0 'the same bits in all operations' samebits bisect a.u3.trace.h5 a.u3.trace.h5
says 2 'traces of two updates' samebits bisect a.u3.trace.h5 late.trace.h5

# more than rounding carries, from sketches; and the numbers of a row
nudged='--nudged nudged1.trace.h5 --nudged nudged3.trace.h5 --nudged nudged2.trace.h5'
says 1 'carried: within what rounding carries: at most 15 times' samebits bisect m.trace.h5 within.trace.h5 $nudged
says 1 'carried: output of 1 (output 0) is the first mark' samebits bisect m.trace.h5 more.trace.h5 $nudged
says 1 'before it at most 15' samebits bisect m.trace.h5 more.trace.h5 $nudged
says 1 '"carried_at": "output of 1"' samebits bisect m.trace.h5 more.trace.h5 $nudged --json
says 0 'the same sketches in all 2 compared tensors' samebits bisect m.trace.h5 m.trace.h5 $nudged
says 2 'the second trace has no sketches' samebits bisect m.trace.h5 plain.trace.h5 $nudged
says 2 'goes with two traces' samebits bisect a.h5 again.h5 $nudged
says 1 '2400 of 3000 numbers differ; the largest difference is 6e-06, at number 0' samebits bisect m.trace.h5 within.trace.h5
says 0 'trace: holds, 2 rows' samebits verify m.trace.h5

# a folder of recordings is no folder of collected tables
mkdir recorded
cp a.h5 gradient.h5 recorded
says 5 'holds recordings of another program and no cells.csv' samebits-report answer -i recorded

# ranks: a folder each
mkdir one two
for rank in 0 1; do
    cp a.h5 one/run.r$rank.h5
    cp a.h5 two/run.r$rank.h5
done
says 0 '2 ranks; all the same; of rank 1' samebits diff one two
cp gradient.h5 two/run.r1.h5
says 1 '2 ranks; the first difference is on rank 1' samebits diff one two
says 1 'first difference: update 3, gradient' samebits diff one two
says 1 '"rank": 1' samebits diff one two --json
says 2 'samebits diff names the rank' samebits bisect one two
cp gradient2.h5 two/run.r0.h5
cp order.h5 two/run.r1.h5
says 1 '2 ranks; the first difference is on rank 1' samebits diff one two # another batch of one is another gradient of all
mv two/run.r1.h5 two/run.r2.h5
says 2 'rank 1 is missing or there twice' samebits diff one two
rm two/run.r2.h5
says 2 'one has 2 ranks and two has 1' samebits diff one two
rm two/*
says 2 'no recordings of ranks' samebits diff one two

# what a recording cannot do, and what is no recording
samebits-data synth digits --images 60 --seed 1 -o digits.h5 2>&1
samebits train --model autoencoder --data digits.h5 --hidden 4 --batch 10 --updates 2 --quiet -o run.h5
samebits trace --data digits.h5 --model autoencoder --hidden 4 --batch 10 -o own.trace.h5 >said 2>&1 || { cat said; exit 1; }
says 2 'recording of another program' samebits replay a.h5 --data digits.h5
says 2 'samebits verify, found, diff and bisect read it' samebits chain a.h5 -o chain.h5
says 2 'samebits bisect compares two traces' samebits diff a.u3.trace.h5 a.u3.trace.h5
says 2 'not a recording' samebits diff a.h5 run.h5
says 2 'not a recording' samebits bisect run.h5 a.h5 --data digits.h5
says 2 'samebits bisect compares two traces' samebits found a.u3.trace.h5
for file in a.h5 a.u3.trace.h5 own.trace.h5 run.h5 digits.h5; do # a file that is absent is not called one of another kind
    for verb in diff bisect; do
        says 2 'none.h5: No such file or directory' samebits $verb $file none.h5
        says 2 'none.h5: No such file or directory' samebits $verb none.h5 $file
    done
done
says 2 'schema 1' samebits bisect own.trace.h5 a.u3.trace.h5
says 2 'is a finished run' samebits found run.h5

# a byte is enough, wherever it is
for at in 700 3000 9000; do
    for file in a.h5 a.u3.trace.h5; do
        cp $file damaged.h5
        printf '\x5a' | dd of=damaged.h5 bs=1 seek=$at conv=notrunc status=none
        cmp -s $file damaged.h5 || says 7 'FAILS' samebits verify damaged.h5
    done
done

# a trace of samebits' own networks is read as ever
samebits bisect own.trace.h5 own.trace.h5 >said || { cat said; exit 1; }
