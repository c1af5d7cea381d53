"""verdicts.py PROGRAM N [FIRST]: N random tables (tables.py), judged by `PROGRAM claims` and by a second computation (claims.py) that was
written from docs/claims.md alone. Prints each disagreement, and how many verdicts and numbers were compared. Exit code 1: they disagree.
"""
import collections
import csv
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import claims
import conditions
import tables


def printed(program, folder):
    out = os.path.join(folder, "out")
    said = subprocess.run([program, "claims", "-i", folder, "--claims", os.path.join(folder, "judged.yaml"), "--csv", out],
                          capture_output=True, text=True)
    if said.returncode:
        raise RuntimeError("%s: exit code %d: %s" % (folder, said.returncode, said.stderr))
    with open(os.path.join(out, "claims.csv"), newline="") as file:
        found = list(csv.DictReader(file))
    components, path = {}, os.path.join(out, "components.csv")
    if os.path.exists(path):
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                components[row["claim"], row["component"]] = row
    return found, components


class Compared:
    def __init__(self):
        self.count, self.wrong = collections.Counter(), []

    def texts(self, where, what, mine, theirs):
        self.count[what] += 1
        if mine != theirs:
            self.wrong.append("%s: %s is '%s' by the program, '%s' by the second computation" % (where, what, theirs, mine))

    def numbers(self, where, what, mine, theirs, tolerance=1e-5, least=1e-12):
        """Nothing equals nothing; infinite limits are written as nothing."""
        mine = None if mine is None or not math.isfinite(mine) else float(mine)
        theirs = float(theirs) if theirs not in (None, "") else None
        theirs = theirs if theirs is None or math.isfinite(theirs) else None
        self.count[what] += 1
        if (mine is None) != (theirs is None) or (mine is not None and abs(mine - theirs) > tolerance * max(abs(mine), abs(theirs)) + least):
            self.wrong.append("%s: %s is %s by the program, %s by the second computation" % (where, what, theirs, mine))


def compare_part(to, where, part, row, parts):
    s = part.sample
    to.texts(where, "verdict", part.verdict(), row["verdict"])
    for side, x, alone in (("of", part.a, part.alone[0]), ("over", part.b, part.alone[1])):
        to.numbers(where, "starts_" + side, len(x.own), row["starts_" + side])
        to.numbers(where, "alone_" + side, alone, row["alone_" + side])
        runs = [r for mine in x.runs.values() for r in mine]
        to.numbers(where, "runs_" + side, len(runs), row["runs_" + side])
        to.numbers(where, "diverged_" + side, sum(map(conditions.diverged, runs)), row["diverged_" + side])
    if s is None:
        return
    for what in ("n", "ratio", "low", "high", "low_90", "high_90", "cliff", "p_equivalent", "detectable"):
        to.numbers(where, what, getattr(s, what), row[what])
    for what, m in (("margin", part.m), ("margin_all_seeds", part.margin_all)):
        to.numbers(where, what, None if m is None else math.exp(m), row[what])
    for what, p in (("p", s.p), ("p_above", s.p_above), ("p_holm", part.p_holm)):
        to.numbers(where, what, p, row[what], *tolerance(parts, 1e-5))


def tolerance(parts, exact):
    """Above 20 pairs both computations take random signs."""
    estimated = any(p.sample is not None and p.sample.paired and p.sample.n > 20 for p in parts)
    return (0.1, 1e-3) if estimated else (exact, 1e-12)


def compare_pool(to, where, pool, words, components):
    if pool.reason:
        return
    said = re.search(r"the mean is ([\d.]+) \[([\d.]+), ([\d.]+)\]; a new data set lies within ([\d.]+) and ([\d.]+)", words)
    for what, mine, theirs in zip(("mean", "mean low", "mean high", "new low", "new high"),
                                  (math.exp(pool.mean), *pool.interval, *pool.new), said.groups() if said else [None] * 5):
        to.numbers(where, "pool: " + what, mine, theirs, 0, 0.0051)
    for what, sd in zip(("start", "data", "rest"), pool.sd):
        to.numbers(where, "pool: sd of " + what, sd, components[where.split()[2], what]["sd"], 1e-3, 1e-5)


def compare_table(to, program, number, folder):
    table = tables.make(number)
    tables.write(table, folder)
    rows, components = printed(program, folder)
    judged = claims.judge(table)
    for claim in judged:
        name = claim.claim["name"]
        mine = [r for r in rows if r["name"] == name]
        where = "table %d, %s (%s)" % (number, name, claim.claim["relation"])
        to.texts(where, "outcome", claim.name(), mine[0]["outcome"])
        to.numbers(where, "p_claim", claim.p, mine[0]["p_claim"], *tolerance(claim.parts, 1e-4))
        to.numbers(where, "p_family", claim.p_family, mine[0]["p_family"], *tolerance([p for c in judged for p in c.parts], 1e-4))
        of = {(r["of_study"], r["of_setting"], r["over_study"], r["over_setting"]): r for r in mine if r["verdict"]}
        to.numbers(where, "parts", len(claim.parts), len(of))
        for part in claim.parts:
            names = [(c[0], "openblas, " + c[1] if c[0] == "s" else "openblas") for c in (part.of, part.over)]
            row = of.get(names[0] + names[1])
            if row is None:
                to.wrong.append("%s: no part %s over %s" % (where, *names))
            else:
                compare_part(to, "%s %s over %s" % (where, *names), part, row, claim.parts)
        if claim.pool:
            compare_pool(to, where, claim.pool, mine[0]["words"], components)


def main(program, n, first=0):
    to, folder = Compared(), tempfile.mkdtemp()
    for number in range(first, first + n):
        compare_table(to, program, number, os.path.join(folder, str(number)))
        shutil.rmtree(os.path.join(folder, str(number)))
    os.rmdir(folder)
    print("\n".join(to.wrong))
    print("%d tables, %d comparisons, %d disagree: %s" % (n, sum(to.count.values()), len(to.wrong),
                                                          ", ".join("%s %d" % c for c in to.count.items())))
    return 1 if to.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
