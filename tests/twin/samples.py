"""Verdicts of two samples, computed a second time from the text of docs/claims.md, by NumPy and SciPy. Names are those of that text."""
import itertools
import math
import warnings

import numpy as np
from scipy import optimize, special, stats

ALPHA, TINY = 0.05, 2e-12


def compare(a, b, apart=0.0):
    """-1, 0, 1; finite numbers at most so far apart are equal."""
    if a == b or (math.isfinite(a) and math.isfinite(b) and abs(a - b) <= apart):
        return 0
    return 1 if a > b else -1


def mean_ranks(x, apart=0.0):
    """Ranks from 1, infinite values at the ends, equal ones with their mean rank."""
    return np.array([sum(compare(v, w, apart) > 0 for w in x) + (1 + sum(compare(v, w, apart) == 0 for w in x)) / 2 for v in x])


def sign_flips(d):
    """(two-sided p, p of at least, p of at most) by all 2^n choices of signs; above 20 by 100,000 of them, as an estimate."""
    d = np.asarray(d)
    if len(d) > 20:
        signs = np.random.default_rng(1).choice((-1.0, 1.0), size=(100000, len(d)))
    else:
        signs = 1 - 2.0 * ((np.arange(2 ** len(d))[:, None] >> np.arange(len(d))) & 1)
    sums, seen, slack = signs @ d, d.sum(), 2e-12 * (len(d) + np.abs(d).sum())
    more = len(d) > 20
    return tuple((more + np.sum(hit)) / (more + len(sums)) for hit in (abs(sums) >= abs(seen) - slack, sums >= seen - slack, sums <= seen + slack))


def rank_sums(a, b):
    """Two-sided p: the share of all splits whose rank sum is at least as far from its mean."""
    ranks = mean_ranks(list(a) + list(b))
    if len(ranks) > 100:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            p = stats.brunnermunzel(ranks[: len(a)], ranks[len(a):]).pvalue
        return p if math.isfinite(p) else float(np.mean(ranks[: len(a)]) == np.mean(ranks[len(a):]))
    twice = np.rint(2 * ranks).astype(int)  # whole numbers
    ways = [{0: 1}] + [{} for _ in a]       # ways[k][s]: choices of k ranks with twice the sum s
    for r in twice:
        for k in range(len(a), 0, -1):
            for s, n in ways[k - 1].items():
                ways[k][s + r] = ways[k].get(s + r, 0) + n
    total, expected = int(twice[: len(a)].sum()), len(a) * (len(ranks) + 1)
    far = sum(n for s, n in ways[len(a)].items() if abs(s - expected) >= abs(total - expected))
    return far / math.comb(len(ranks), len(a))


def cumulant(x):
    n = len(x)
    return np.sum((x - np.mean(x)) ** 3) / (n * (n - 1) * (n - 2)) if n > 2 else 0.0


def moments(d, other=None):
    """mean, se, df, g of a sample, or of the difference of two."""
    if other is None:
        se2, df, k, mean = np.var(d, ddof=1) / len(d), len(d) - 1, cumulant(d), np.mean(d)
    else:
        va, vb = np.var(d, ddof=1) / len(d), np.var(other, ddof=1) / len(other)
        se2, mean, k = va + vb, np.mean(d) - np.mean(other), cumulant(d) - cumulant(other)
        df = se2 ** 2 / (va ** 2 / (len(d) - 1) + vb ** 2 / (len(other) - 1)) if se2 > 0 else len(d) + len(other) - 2
    se = math.sqrt(se2)
    if se <= TINY * max(1, abs(mean)):
        return mean, 0.0, df, 0.0
    return mean, se, df, k / se ** 3


def interval(mean, se, df, g, share):
    t = stats.t.ppf((1 + share) / 2, df)

    def h(t):
        return t if abs(g) < 1e-6 else 3 / g * (np.cbrt(1 + g * (t - g / 6)) - 1)
    return mean - max(t, h(t)) * se, mean - min(-t, h(-t)) * se


def equivalence(mean, se, df, g, m):
    if se == 0:
        return 0.0 if abs(mean) < m else 1.0

    def tail(t, g):
        return stats.t.sf(min(t, t + g * t ** 2 / 3 + g ** 2 * t ** 3 / 27 + g / 6), df)
    return max(tail((m + mean) / se, g), tail((m - mean) / se, -g))


def detectable(se, df):
    """The ratio that a two-sided t test finds with a power of 80 %."""
    if se == 0:
        return 1.0
    t = stats.t.ppf(1 - ALPHA / 2, df)

    def power(ncp):
        return stats.nct.sf(t, df, ncp) + np.nan_to_num(stats.nct.cdf(-t, df, ncp)) - 0.8
    return math.exp(se * optimize.brentq(power, 0.5, 1.5 * t + 2))


class Sample:
    """Two conditions compared in one way, with pairs (d) or without: everything that needs no other comparison."""

    def __init__(self, a, b, paired, m):
        self.a, self.b, self.paired, self.m = np.array(a, float), np.array(b, float), paired, m
        self.n = len(a) if paired else min(len(a), len(b))
        self.finite = bool(np.all(np.isfinite(self.a)) and np.all(np.isfinite(self.b)))
        self.d = np.array([0.0 if compare(x, y) == 0 else x - y for x, y in zip(a, b)]) if paired else None
        self.cliff = float(np.mean([compare(x, y) for x, y in (zip(a, b) if paired else itertools.product(a, b))]))
        self.test()
        self.estimate()

    def test(self):
        if self.paired:
            self.limit = 2 / 2 ** self.n
            tested = self.d
            if not np.all(np.isfinite(self.d)):
                tested = mean_ranks(np.abs(self.d), TINY) * np.sign(self.d)
            self.p, above, below = sign_flips(tested)
            total = tested.sum()
            self.side = 0 if abs(total) <= 1e-9 * np.abs(tested).sum() else int(np.sign(total))
            mean = total
        else:
            self.limit = 2 / float(special.comb(len(self.a) + len(self.b), len(self.a), exact=True))
            self.p = max(rank_sums(self.a, self.b), self.limit)
            self.side = compare(self.cliff, 0)
            above = 1 - self.p / 2 if self.side <= 0 else self.p / 2
            below = 1 - self.p / 2 if self.side >= 0 else self.p / 2
            mean = np.mean(self.a) - np.mean(self.b) if self.finite else 0.0
        self.disagree = bool(compare(mean, 0, TINY) * compare(self.cliff, 0, TINY) < 0)
        self.p, self.p_above, self.p_below = (min(1, max(p, least)) for p, least in ((self.p, self.limit), (above, self.limit / 2), (below, self.limit / 2)))

    def estimate(self):
        self.ratio = self.low = self.high = self.low_90 = self.high_90 = self.p_equivalent = self.mean = math.nan
        self.detectable, self.has_interval = math.nan, False
        if not self.finite:
            return
        self.mean = float(np.mean(self.d) if self.paired else np.mean(self.a) - np.mean(self.b))
        self.ratio = math.exp(self.mean)
        if self.n < 2:
            return
        mean, self.se, df, g = moments(self.d) if self.paired else moments(self.a, self.b)
        if self.limit < ALPHA:
            self.detectable = detectable(self.se, df)
        if self.n < 5:
            return
        self.has_interval = True
        self.low, self.high = map(math.exp, interval(mean, self.se, df, g, 0.95))
        self.low_90, self.high_90 = map(math.exp, interval(mean, self.se, df, g, 0.90))
        if self.m is not None:
            self.p_equivalent = max(equivalence(mean, self.se, df, g, self.m), self.limit / 2)

    def verdict(self, p):
        """p: two-sided, adjusted."""
        if self.m is not None and self.has_interval and self.n >= 6 and self.finite and self.p_equivalent < ALPHA \
                and abs(self.mean) + 6 * self.se < self.m:
            return "equivalent"
        return "different" if p < ALPHA and not self.disagree else "undetermined"


def weaker(x, y):
    """Of the two verdicts of one comparison, with pairs and without: (the sample that counts, whether they contradict each other)."""
    v, w = x.verdict(x.p), y.verdict(y.p)
    if {v, w} == {"different", "equivalent"} or (v == w == "different" and x.side != y.side):
        return y, True
    if (v == "undetermined") != (w == "undetermined"):
        return (x if v == "undetermined" else y), False
    equal = v == w == "equivalent"
    return (x if (x.p_equivalent if equal else x.p) > (y.p_equivalent if equal else y.p) else y), False


def holm(ps):
    """Adjusted p, in the order given."""
    order, adjusted, before = sorted(range(len(ps)), key=lambda i: ps[i]), [0.0] * len(ps), 0.0
    for k, i in enumerate(order):
        before = max(before, min(1, ps[i] * (len(ps) - k)))
        adjusted[i] = before
    return adjusted
