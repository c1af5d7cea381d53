"""Starts of a condition, their values, and margins of one-ulp ensembles, from the text of docs/claims.md (Verdicts, Margins)."""
import itertools
import math

import numpy as np

SETTING = ("study", "hardware", "target", "data")  # a condition, in these tables
RECIPE = ("data", "model")


def key(row, names):
    return tuple(row.get(n) for n in names)


def real(row, name):
    return float(row[name])


def diverged(row):
    return bool(row.get("diverged")) or not math.isfinite(real(row, "loss_last")) or not math.isfinite(real(row, "loss_mean"))


def loss(row, metric):
    """None: it has no such loss."""
    if diverged(row):
        return math.inf
    if metric == "error":
        return None if row.get("accuracy", "") == "" else 1 - float(row["accuracy"])
    return real(row, metric)


def same_losses(x, y, share):
    if diverged(x) or diverged(y):
        return diverged(x) and diverged(y)
    pairs = [(real(x, m), real(y, m)) for m in ("loss_last", "loss_mean")]
    return all(abs(p - q) <= share * min(abs(p), abs(q)) for p, q in pairs)


def unmoved(row, rows):
    """The run with ulp 0 that a moved run agrees with in all else, of its own study first; or None."""
    names = ("hardware", "target", "data", "seed", "draw", "model")
    found = [r for r in rows if r["ulp"] == 0 and key(r, names) == key(row, names)]
    own = [r for r in found if r["study"] == row["study"]]
    found = own or found
    alike = all(r["weights"] == found[0]["weights"] and same_losses(r, found[0], 0) for r in found)
    return found[0] if found and alike else None


class Starts:
    """The starts of one condition: own run, all runs, and value of each seed."""

    def __init__(self, rows, condition, metric):
        plain = [r for r in rows if r["ulp"] == 0 and key(r, SETTING) == condition]
        self.own, self.runs, self.value, self.complete = {}, {}, {}, True
        for seed in {r["seed"] for r in plain}:
            mine = sorted((r for r in plain if r["seed"] == seed), key=lambda r: r["draw"])
            self.own[seed] = own = mine[0]
            moved = {}
            for r in rows:
                u = unmoved(r, rows) if r["ulp"] else None
                if u is not None and (u is own or (key(u, RECIPE + ("target", "seed")) == key(own, RECIPE + ("target", "seed"))
                                                   and u["weights"] == own["weights"] and same_losses(u, own, 0))):
                    moved.setdefault((r["ulp"], r["weights"]), r)
            self.runs[seed] = mine + list(moved.values())
            losses = [loss(r, metric) for r in self.runs[seed]]
            self.complete &= None not in losses
            self.value[seed] = self.mean([x for x in losses if x is not None])

    @staticmethod
    def mean(losses):
        if math.inf in losses:
            return math.inf
        return -math.inf if 0 in losses or not losses else round(float(np.mean(np.log(losses))) * 2 ** 40) / 2 ** 40


def ensemble_pairs(rows, recipe, metric):
    """{seed: |log ratio| of all pairs of its runs in ensembles of the recipe}"""
    groups = {}
    for r in rows:
        if key(r, RECIPE) != recipe:
            continue
        groups.setdefault(key(r, SETTING[1:] + ("seed", "draw")), []).append(r)
    pairs = {}
    for group, runs in groups.items():
        if not any(r["ulp"] for r in runs):
            continue
        values = [(r["ulp"], loss(r, metric)) for r in runs]
        values = [(u, x) for u, x in values if x is not None and x > 0 and math.isfinite(x)]
        found = [abs(math.log(x / y)) for (u, x), (v, y) in itertools.combinations(values, 2) if u != v]
        pairs.setdefault(group[3], []).extend(found)
    return {seed: p for seed, p in pairs.items() if p}


def quantile(pairs, without=()):
    kept = [x for seed, p in pairs.items() if seed not in without for x in p]
    return float(np.quantile(kept, 0.95)) if kept else math.nan


def margin_of(claim, rows, recipe, metric):
    """(the margin that judges, or None; that of all seeds)"""
    if "margin" in claim:
        return math.log(float(claim["margin"])), math.log(float(claim["margin"]))
    pairs = ensemble_pairs(rows, recipe, metric)
    if len(pairs) < 2 or sum(map(len, pairs.values())) < 20:
        return None, None
    everything = quantile(pairs)
    least = min(quantile(pairs, (s,)) for s in pairs)
    least_two = min((quantile(pairs, two) for two in itertools.combinations(pairs, 2)), default=math.nan)
    if len(pairs) < 4 or least_two < everything / 2:
        return None, everything
    return min(least, math.log(float(claim.get("relevant", 1.05)))), everything
