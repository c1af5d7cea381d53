"""What the pairs of several data sets say of a new one, from the text of docs/claims.md (Several data sets)."""
import itertools
import math

import numpy as np
from scipy import optimize, stats


class Pool:
    """What the pairs of several data sets say of a new one."""

    def __init__(self, parts):
        self.reason, self.mean = self.obstacle(parts), math.nan
        if self.reason:
            return
        y, data, start = [], [], []
        for i, p in enumerate(parts):
            for s in sorted(set(p.a.own) & set(p.b.own)):
                y.append(p.a.value[s] - p.b.value[s]), data.append(i), start.append(s)
        self.y, self.data, self.start = np.array(y), np.unique(data, return_inverse=True)[1], np.unique(start, return_inverse=True)[1]
        self.D, self.S, self.N = self.data.max() + 1, self.start.max() + 1, len(y)
        if self.N <= self.D + self.S or self.S == sum(np.bincount(self.start) == 1):
            self.reason = "too few pairs"
            return
        if np.var(self.y) < 1e-24:  # every pair has the same effect
            self.mean, self.sd, self.p = float(self.y[0]), [0.0] * 3, 0.5 ** self.N
            self.interval = self.new = (math.exp(self.mean),) * 2
            return
        self.complete() if self.N == self.D * self.S else self.reml()

    @staticmethod
    def obstacle(parts):
        if any(p.other for p in parts):
            return "seeds"
        if any(sum(p.alone) and not p.common_only for p in parts):
            return "no partner"
        values = [v for p in parts for x in (p.a, p.b) for s, v in x.value.items() if s in p.a.own and s in p.b.own]
        if not np.all(np.isfinite(values)) or not all(p.a.complete and p.b.complete for p in parts):
            return "diverged"
        if len({p.of[3] for p in parts}) < len(parts):
            return "one data set twice"
        return "too few data sets" if len({p.of[3] for p in parts}) < 5 else None

    def judge(self, c, e, var_mean, var_new):
        def df(a, b):
            return (a + b) ** 2 / (a ** 2 / (self.D - 1) + b ** 2 / (self.S - 1))
        ends = []
        for i, var in ((0, var_mean), (1, var_new)):
            d = df(self.MD * c[i], self.MS * e[i])
            half = stats.t.ppf(0.975, d) * math.sqrt(var)
            ends.append((math.exp(self.mean - half), math.exp(self.mean + half)))
            self.p = max(stats.t.sf(abs(self.mean) / math.sqrt(var), d), 0.5 ** self.N)
        self.interval, self.new = ends

    def complete(self):
        table = np.full((self.D, self.S), math.nan)
        table[self.data, self.start] = self.y
        D, S, N, self.mean = self.D, self.S, self.N, float(self.y.mean())
        rows, columns = table.mean(1), table.mean(0)
        self.MD, self.MS = S * np.var(rows, ddof=1), D * np.var(columns, ddof=1)
        ME = np.sum((table - rows[:, None] - columns + self.mean) ** 2) / ((D - 1) * (S - 1))
        self.sd = [math.sqrt(max(0, v)) for v in ((self.MS - ME) / D, (self.MD - ME) / S, ME)]
        self.judge((1 / N, (D + 1) / N), (1 / N, 1 / N), (self.MD + self.MS) / N, self.MD * (D + 1) / N + self.MS / N)

    def reml(self):
        D, S, N, one = self.D, self.S, self.N, np.ones(self.N)
        blocks = [np.equal.outer(self.data, self.data), np.equal.outer(self.start, self.start), np.eye(N)]

        def parts(v):
            cov = sum(x * b for x, b in zip(v, blocks))
            inverse = np.linalg.inv(cov)
            precision = one @ inverse @ one
            mean = one @ inverse @ self.y / precision
            r = self.y - mean
            return mean, 1 / precision, np.linalg.slogdet(cov)[1] + math.log(precision) + r @ inverse @ r
        scale, best = np.var(self.y), None
        for start in itertools.product((0.0, 0.3, 1), (0.0, 0.3, 1), (0.1, 1)):
            found = optimize.minimize(lambda v: parts(v * scale)[2], start, bounds=((0, None), (0, None), (1e-6, None)), method="L-BFGS-B",
                                      options={"ftol": 1e-14, "gtol": 1e-10})
            best = found if best is None or found.fun < best.fun else best
        vd, vs, ve = best.x * scale
        self.mean, V, _ = parts(best.x * scale)
        H, K = stats.hmean(np.bincount(self.data)), stats.hmean(np.bincount(self.start))
        self.MD, self.MS, self.sd = ve + H * vd, ve + K * vs, [math.sqrt(v) for v in (vs, vd, ve)]
        self.judge((1 / (D * H), (D + 1) / (D * H)), (1 / (S * K), 1 / (S * K)), V + ve / N, V + ve / N + vd + ve / H)

    def outcome(self):
        if self.reason:
            return "undetermined"
        return "holds" if self.new[0] > 1 else "refuted" if self.new[1] < 1 else "does not hold"
