"""For tests of a training: two runs must have the same bits.

    from samebits.testing import assert_same_bits

    def test_training(tmp_path):
        train(record=tmp_path / "now.h5")
        assert_same_bits("tests/before.h5", tmp_path / "now.h5")

The program `samebits` compares them: the one that SAMEBITS_PROGRAM names, else the one on the PATH."""
import json
import os
import subprocess

from ._library import IO, USAGE, Error

_SETTINGS_SHOWN = 5


def _ask(verb, run_a, run_b):
    """The document of `samebits VERB --json`."""
    program = os.environ.get("SAMEBITS_PROGRAM", "samebits")
    try:
        done = subprocess.run([program, verb, "--json", "--", os.fspath(run_a), os.fspath(run_b)], capture_output=True)
    except OSError as error:
        raise Error(USAGE, f"{program}: cannot be started ({error.strerror}); put samebits on the PATH, or set SAMEBITS_PROGRAM "
                           "to its path") from None
    try:
        return json.loads(done.stdout)
    except ValueError:
        sentence = done.stderr.decode(errors="replace").strip() or f"{program} {verb} ended with exit code {done.returncode}"
        raise Error(USAGE if done.returncode == 2 else IO, sentence) from None


def _word(value):
    return "(absent)" if value is None else value


def _has_trace(run, update):
    return os.path.exists(f"{os.path.splitext(os.fspath(run))[0]}.u{update}.trace.h5")


def _first_operation(run_a, run_b, update):
    """The first operation that differs, in words, if traces of the update lie next to the recordings."""
    if not (_has_trace(run_a, update) and _has_trace(run_b, update)):
        return ""
    found = _ask("bisect", run_a, run_b)
    place = ", ".join(str(found[key]) for key in ("operation_name", "phase", "module", "site") if found[key])
    return f"\n  first operation: {place or 'none'} ({found['kind']})"


def _explain(run_a, run_b, found):
    lines = [f"{os.fspath(run_a)} and {os.fspath(run_b)} do not have the same bits"]
    update = found["first_difference"]
    if found["rank"] is not None:
        lines.append(f"  rank: {found['rank']}")
    if update is not None:
        lines.append(f"  first update: {update} (the same up to {found['last_same']})")
    for name, key in (("part", "part"), ("tensor", "part_tensor"), ("kind", "part_kind")):
        if found[key] is not None:
            lines.append(f"  {name}: {found[key]}")
    settings = [f"{s['name']} {_word(s['a'])} | {_word(s['b'])}" for s in found["attributes"] if s["group"] in ("optimizer", "config")]
    if settings:
        more = ", ..." if len(settings) > _SETTINGS_SHOWN else ""
        lines.append("  settings: " + ", ".join(settings[:_SETTINGS_SHOWN]) + more)
    return "\n".join(lines)


def assert_same_bits(run_a, run_b):
    """Raise AssertionError unless both runs have the same bits: recordings, folders of the recordings of ranks, or runs of
    samebits (in all updates that both have). The message names the first update, part and tensor that differ, and the first operation if
    that update was traced. What cannot be compared raises samebits.Error."""
    found = _ask("diff", run_a, run_b)
    if found["same_bits"] and found["exit_code"] == 0:
        return
    update = found["first_difference"]
    raise AssertionError(_explain(run_a, run_b, found) + ("" if update is None else _first_operation(run_a, run_b, update)))
