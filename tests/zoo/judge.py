"""Runs every case of the zoo, or those that are named: both sides recorded, watched and traced, then compared by samebits; and
holds what is said against expected.csv. Prints a line a case. Exit code 0: all as expected, 1: some not, 77: no PyTorch.

    python judge.py [-o FOLDER] [--jobs N] [CASE...]"""
import argparse
import concurrent.futures
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SIDES = "ab"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE)
    return done.returncode, done.stdout, done.stderr


def n_found(said):
    """Equal findings have one line: the last line of watch has the number of all."""
    return int(re.findall(r"^samebits: watch: (\d+) findings? in ", said, re.M)[-1])


def update_of(row):
    """The update to trace."""
    return row["update"] if row["update"] not in ("", "0") else "1"


def recording_path(folder, case, side):
    return os.path.join(folder, f"{case}.{side}.h5")


def trace_path(folder, row, side):
    return os.path.join(folder, f"{row['case']}.{side}.u{update_of(row)}.trace.h5")


def train(row, side, folder):
    """Number of findings of watch."""
    case = row["case"]
    code, _, said = run(sys.executable, f"{case}.py", "--side", side, "--record", recording_path(folder, case, side), "--watch",
                        "--trace", update_of(row), trace_path(folder, row, side))
    if code != 0:
        raise RuntimeError(f"side {side} ended with exit code {code}: {said[-2000:]}")
    return n_found(said)


def ask(verb, *paths):
    """What samebits says of two files, as JSON and as text."""
    code, said, error = run("samebits", verb, *paths, "--json")
    if code > 2 or not said:
        raise RuntimeError(f"samebits {verb} ended with exit code {code}: {error}")
    return json.loads(said), run("samebits", verb, *paths)[1]


def is_one_of(field, value):
    """Is the value one of the alternatives? A field that is empty is not judged."""
    return not field or str(value) in field.split("|")


def contains_one_of(field, text):
    return not field or any(part.strip() in (text or "") for part in field.split("|"))


def judge(row, diff, bisect, text, found):
    """The columns that are not as expected."""
    watched = found["a"] == 0 and (found["b"] == 0 if row["watch"] == "0" else found["b"] >= int(row["watch"] or 0))
    wrong = [] if watched else ["watch"]
    kinds = row["kind"].split("|")
    if "same" in kinds:
        same = diff["same_bits"] and bisect["same_bits"]
        return wrong + ([] if same or bisect["kind"] in kinds[1:] else ["kind"])
    given = row["update"] == "0" or row["part"] in ("batch", "length")  # from outside: the recordings say all of it
    kind = diff["part_kind"] if given else bisect["kind"]
    checks = {"update": is_one_of(row["update"], diff["first_difference"]), "part": is_one_of(row["part"], diff["part"]),
              "kind": is_one_of(row["kind"], kind), "operation": is_one_of(row["operation"], bisect["operation_name"]),
              "tensor": contains_one_of(row["tensor"], diff["part_tensor"] if given else bisect["tensors"]),
              "says": contains_one_of(row["says"], text)}
    return wrong + [name for name, holds in checks.items() if not holds]


def compare(row, folder, found):
    """What is not as expected of the recordings and traces in the folder, and what samebits says in short. found: findings of
    watch by side."""
    recordings = [recording_path(folder, row["case"], side) for side in SIDES]
    traces = [trace_path(folder, row, side) for side in SIDES]
    code, said, _ = run("samebits", "verify", *recordings, *traces)
    diff, text = ask("diff", *recordings)
    bisect, report = ask("bisect", *traces)
    wrong = judge(row, diff, bisect, text + report, found) + ([] if code == 0 else [f"verify: {said}"])
    words = [diff["first_difference"], diff["part"], bisect["operation_name"], diff["part_kind"] or bisect["kind"],
             (bisect["tensors"] or diff["part_tensor"] or "").split(",")[0], found["b"]]
    return wrong, " | ".join("" if word is None else str(word) for word in words)


def try_case(row, folder):
    return compare(row, folder, {side: train(row, side, folder) for side in SIDES})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", "--output", help="keep the files there")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    if subprocess.run([sys.executable, "-c", "import torch"], capture_output=True).returncode != 0:
        print("PyTorch is not installed")
        return 77
    with open(os.path.join(HERE, "expected.csv"), newline="") as file:
        rows = [row for row in csv.DictReader(file) if not options.cases or row["case"] in options.cases]
    failed = 0
    with tempfile.TemporaryDirectory() as made, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = os.path.abspath(options.output or made)
        os.makedirs(folder, exist_ok=True)
        for row, future in [(row, pool.submit(try_case, row, folder)) for row in rows]:
            try:
                wrong, words = future.result()
            except RuntimeError as error:
                wrong, words = [str(error)], ""
            failed += bool(wrong)
            print(f"{'FAILED' if wrong else 'ok'}: {row['case']}: {words}{'; not as expected: ' + ', '.join(wrong) if wrong else ''}", flush=True)
    print(f"{len(rows) - failed} of {len(rows)} cases as expected")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
