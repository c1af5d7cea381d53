"""Outcomes of claims about a table (tables.py), computed a second time from the text of docs/claims.md: parts, relations, families."""
import itertools
import math

from conditions import SETTING, Starts, key, margin_of, same_losses
from pools import Pool
from samples import ALPHA, Sample, holm, weaker


class Part:
    """One condition of a claim compared with another one."""

    def __init__(self, claim, rows, of, over):
        self.of, self.over, self.claim = of, over, claim
        a, b = (Starts(rows, c, claim["metric"]) for c in (of, over))
        self.m, self.margin_all = margin_of(claim, rows, (of[3], rows[0]["model"]), claim["metric"])
        common, self.common_only = sorted(set(a.own) & set(b.own)), "pairs" in claim
        self.n_common, self.alone = len(common), (len(a.own) - len(common), len(b.own) - len(common))
        self.a, self.b = a, b
        self.other = self.unlike_plan(common)
        twins = [(a.own[s], b.own[s]) for s in common]
        equal = [x["weights"] == y["weights"] for x, y in twins]
        self.contradiction = any(e and not same_losses(x, y, 0.01) for e, (x, y) in zip(equal, twins))
        all_common = sum(self.alone) == 0 or self.common_only
        self.same = bool(common) and all_common and all(e and same_losses(x, y, 1e-6) for e, (x, y) in zip(equal, twins))
        self.weights_differ = not all(equal)
        self.sample, self.conflict = self.choose(common) if a.complete and b.complete else (None, False)
        self.p_holm = math.nan if self.sample is None else self.sample.p

    def unlike_plan(self, common):
        """Another number of starts, or of runs of a start, than the claim asks for."""
        sides = [list(x.own) for x in (self.a, self.b)]
        counts = [len(common)] * 2 if self.common_only else [len(s) for s in sides]
        if "seeds" in self.claim and (counts[0] != counts[1] or str(counts[0]) not in self.claim["seeds"].split("|")):
            return True
        if "replicates" not in self.claim:
            return False
        runs = [{len(x.runs[s]) for s in x.own} for x in (self.a, self.b)]
        wanted = int(self.claim["replicates"])
        return not any(r == {wanted} for r in runs) or any(n > wanted for r in runs for n in r)

    def choose(self, common):
        everything = [[x.value[s] for s in sorted(x.own)] for x in (self.a, self.b)]
        paired = [[x.value[s] for s in common] for x in (self.a, self.b)]
        if self.common_only or sum(self.alone) == 0:
            return (Sample(*paired, True, self.m), False) if common else (None, False)
        unpaired = Sample(*everything, False, self.m)
        return weaker(Sample(*paired, True, self.m), unpaired) if len(common) >= 6 else (unpaired, False)

    def verdict(self):
        if self.contradiction:
            return "undetermined"
        if self.same:
            return "same bits"
        if self.sample is None or self.conflict:
            return "undetermined"
        return self.sample.verdict(self.p_holm)

    def outcome(self):
        """holds, refuted, does not hold, undetermined"""
        relation, v, s = self.claim["relation"], self.verdict(), self.sample
        if self.other or self.contradiction:
            return "undetermined"
        if relation == "same bits":
            if self.weights_differ:
                return "refuted"
            return "holds" if v == "same bits" else "undetermined"
        if v == "same bits":
            return "refuted" if relation == "greater" else "holds"
        if s is None or self.conflict:
            return "undetermined"
        if relation == "greater":
            return self.greater(v, s)
        if v == "equivalent":
            return "holds"
        if v == "different":
            return "refuted"
        enough = s.limit < ALPHA and s.p >= ALPHA and not self.has_no_side()
        return "holds" if relation == "no difference" and enough else "undetermined"

    def greater(self, v, s):
        if v == "equivalent" or (v == "different" and s.side < 0):
            return "refuted"
        if self.has_no_side():
            return "undetermined"
        if s.p_above < ALPHA:
            return "holds"
        return "undetermined" if s.limit / 2 >= ALPHA else "does not hold"

    def has_no_side(self):
        """Mean and ranks disagree, and one side is significant."""
        s = self.sample
        return s.disagree and min(s.p_above, s.p_below) < ALPHA


class Claim:
    def __init__(self, claim, rows):
        self.claim, self.parts = claim, []
        sides = [sorted(self.select(rows, claim[side])) for side in ("of", "over")]
        for of, over in itertools.product(*sides):
            alike = key(dict(zip(SETTING, of)), ("data",)) == key(dict(zip(SETTING, over)), ("data",))
            within = "each" not in claim or of[:2] == over[:2]
            twice = any((p.of, p.over) == (over, of) for p in self.parts)
            if alike and within and of != over and not twice:
                self.parts.append(Part(claim, rows, of, over))
        for p, adjusted in zip(self.tested(), holm([p.sample.p for p in self.tested()])):
            p.p_holm = adjusted
        self.pool = Pool(self.parts) if "pool" in claim and self.parts else None
        self.outcome, self.p, self.p_family = self.join(), None, None
        self.p = self.decisive()

    def tested(self):
        return [p for p in self.parts if not p.same and p.sample is not None and not math.isnan(p.sample.p)]

    @staticmethod
    def select(rows, wanted):
        found = [key(r, SETTING) for r in rows if r["ulp"] == 0 and all(str(r[k]) in v.split("|") for k, v in wanted.items())]
        return list(dict.fromkeys(found))

    def join(self):
        if not self.parts:
            return "undetermined"
        if self.pool:
            return self.pool.outcome()
        outcomes = {p.outcome() for p in self.parts}
        return next((o for o in ("refuted", "does not hold", "undetermined") if o in outcomes), "holds")

    def decisive(self):
        """The p by which it holds or is refuted, or None."""
        relation, differing = self.claim["relation"], [p for p in self.parts if not p.same and p.sample is not None]
        if self.outcome not in ("holds", "refuted") or relation == "same bits":
            return None
        if self.pool:
            return self.pool.p
        if self.outcome == "holds":
            ps = {"greater": [p.sample.p_above for p in differing], "equivalent": [p.sample.p_equivalent for p in differing]}.get(relation)
            return max(ps, default=None) if ps is not None else None
        refuting = [p for p in self.parts if p.outcome() == "refuted"]
        if any(p.same for p in refuting):
            return None
        return min(p.sample.p_equivalent if p.verdict() == "equivalent" else p.p_holm for p in refuting)

    def counts_in_family(self):
        tested = self.claim["relation"] != "same bits" and bool(self.parts) and not all(p.same for p in self.parts)
        return tested and "uncounted" not in self.claim and not all(p.other for p in self.parts)

    def name(self):
        if self.outcome in ("refuted", "undetermined"):
            return self.outcome
        word = "reproduced" if self.claim["by"] in ("paper", "retraction") else "supported"
        return word if self.outcome == "holds" else "not " + word


def judge(table):
    claims = [Claim(c, table["rows"]) for c in table["claims"]]
    family = [c for c in claims if c.counts_in_family()] if table["question"] else []
    with_p = [c for c in family if c.p is not None]
    for c, adjusted in zip(with_p, holm_of([c.p for c in with_p], len(family))):
        c.p_family = adjusted
        if adjusted >= ALPHA:
            c.outcome = "undetermined"
    return claims


def holm_of(ps, m):
    """Holm's adjustment of the p of some of m claims; the others come last."""
    return holm(list(ps) + [1.0] * (m - len(ps)))[: len(ps)]
