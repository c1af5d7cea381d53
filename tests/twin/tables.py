"""Random collected tables, for a second computation of their verdicts (verdicts.py).

    table = make(number)        # the same number gives the same table
    write(table, folder)        # as samebits-matrix collect would have written it

A table is {"rows": [{column: value}], "claims": [{key: value}], "question": bool}. Losses are chosen so that every rule of
docs/claims.md matters somewhere: unequal and partly common seeds, ties, outliers, losses of 0, runs that diverged, equal weights with
other losses, replicates of both kinds, ensembles, several data sets, and several claims of one question.
"""
import hashlib
import math
import os
import random

COLUMNS = ("name hash study model data backend arithmetic isa hardware blas_kernel cudnn_algorithm tf32 threads batch shards window"
           " channels hidden optimizer momentum lr schedule target draw ulp seed evidence updates data_digest loss_last loss_mean"
           " accuracy diverged weights registration run").split()
COMMON = {"backend": "openblas", "arithmetic": "direct", "threads": 1, "batch": 1, "shards": 1, "window": 20, "channels": "3 8",
          "hidden": 0, "optimizer": "adam", "momentum": 0, "lr": "0.001", "schedule": "constant", "evidence": "measured", "updates": 250}
NOISES = ("normal", "normal", "outlier", "ties", "constant", "skewed")


def digest(text, n):
    return hashlib.sha256(text.encode()).hexdigest()[:n]


def number(x):
    return "%.9g" % x


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.rows = []
        self.noise = self.r.choice(NOISES)
        self.spread = self.r.choice((0.02, 0.1, 0.5))
        self.level = {}
        self.odd = self.r.random() < 0.3      # zeros, divergence, contradictions
        self.classes = self.r.random() < 0.15  # a network that classifies: metric error
        self.own_part = self.r.choice((0.1, 0.5, 1))  # of a start's spread that is not shared by the conditions

    def chance(self, p):
        return self.r.random() < p

    def draw_noise(self):
        if self.noise == "constant":
            return 0.0
        x = self.r.gauss(0, 1)
        if self.noise == "outlier" and self.chance(0.1):
            x += 10
        if self.noise == "skewed":
            x = math.exp(x) - math.exp(0.5)
        return round(x) if self.noise == "ties" else x

    def loss(self, data, seed, effect):
        """Of a run: a level that all runs of one seed and data set share, and a part of its own."""
        level = self.level.setdefault((data, seed), self.draw_noise())
        return 0.003 * math.exp(self.spread * ((1 - self.own_part) * level + self.own_part * self.draw_noise()) + effect)

    def run(self, study, hardware, target, data, seed, effect, like=None, draw=0, ulp=0):
        row = dict(COMMON, study=study, hardware=hardware, target=target, data=data, seed=seed, draw=draw, ulp=ulp,
                   model="lenet" if self.classes else "prednet", data_digest=digest("data " + data, 32))
        loss = self.loss(data, seed, effect)
        row["loss_last"], row["loss_mean"] = number(loss), number(loss * 1.04)
        if self.noise == "ties":
            row["loss_last"] = "%.2g" % loss
        if self.classes:
            row["accuracy"] = number(1 - min(round(loss * 10, 3), 1))
        row["weights"] = digest("%s %s %s" % (len(self.rows), loss, draw), 32)
        if like:
            row.update({k: like[k] for k in ("weights", "loss_last", "loss_mean", "accuracy", "diverged") if k in like})
        elif self.odd:
            self.make_odd(row)
        self.rows.append(row)
        return row

    def make_odd(self, row):
        what = self.r.random()
        if what < 0.04:
            row.update(loss_last="nan", loss_mean="nan", diverged=17)
            row.pop("accuracy", None)
        elif what < 0.06:
            row.update(loss_last="inf", loss_mean="inf")
        elif what < 0.10:
            row["loss_last"] = "0"
        elif what < 0.11 and self.classes:
            row["accuracy"] = ""

    def seeds(self):
        if self.chance(0.02):
            return list(range(1, self.r.choice((22, 25, 56)) + 1))
        return list(range(1, self.r.choice((1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 8, 8, 10, 12)) + 1))

    def other_seeds(self, seeds):
        """The seeds of a second condition: mostly the same, else some or none in common."""
        what = self.r.random()
        if what < 0.6:
            return seeds
        n = max(1, len(seeds) + self.r.randint(-2, 2))
        shift = len(seeds) if what < 0.75 else self.r.randint(0, len(seeds))
        return [s + shift for s in range(1, n + 1)]

    def condition(self, study, hardware, target, data, seeds, effect, like=None):
        """like: rows by seed, whose bits this condition has with a chance, or whose weights alone it has by contradiction."""
        made = {}
        same = like is not None and self.chance(0.15)
        for seed in seeds:
            twin = like.get(seed) if like else None
            row = self.run(study, hardware, target, data, seed, effect, twin if same and self.chance(0.97) else None)
            if twin and self.odd and self.chance(0.02):
                row["weights"] = twin["weights"]  # and another loss
            elif row["weights"] == (twin or {}).get("weights") and self.chance(0.01):
                row["loss_mean"] = number(float(row["loss_mean"]) * 1.0001)  # neither the same bits nor a contradiction
            made[seed] = row
        return made

    def replicates(self, made, effect):
        """Other draws of the runs of a condition, or runs with a moved weight in the same or in another study."""
        first = next(iter(made.values()))
        study = first["study"] if self.chance(0.6) else "moved"
        draws, n = self.chance(0.5), self.r.choice((1, 2, 3))
        for row in list(made.values()):
            for i in range(1, n + 1):
                if self.chance(0.05):
                    continue
                moved = self.run(row["study"] if draws else study, row["hardware"], row["target"], row["data"], row["seed"], effect,
                                 row if self.chance(0.1) else None, draw=i if draws else 0, ulp=0 if draws else i)
                if not draws and self.chance(0.05):
                    moved["weights"] = self.rows[-2]["weights"]

    def ensemble(self, data, target):
        """A study of its own: a few seeds, each with moved runs."""
        n, chaos = self.r.choice((3, 4, 5, 6)), self.chance(0.3)
        spread, self.spread = self.spread, self.r.choice((0.002, 0.01, 0.05))
        for seed in range(1, n + 1):
            kept, self.own_part = self.own_part, self.own_part * (10 if chaos and seed == 1 else 1)
            for ulp in range(self.r.choice((4, 5))):
                self.run("ulp", "u", target, data, seed, 0, ulp=ulp)
            self.own_part = kept
        self.spread = spread

    def claim(self, name, of, over, pool):
        relation = "greater" if pool else self.r.choice(("greater", "greater", "equivalent", "no difference", "same bits"))
        claim = {"name": name, "by": self.r.choice(("us", "us", "paper")), "text": "T.", "of": of, "over": over, "relation": relation,
                 "metric": self.r.choice(("loss_last", "loss_last", "loss_mean", "error" if self.classes else "loss_last"))}
        if self.chance(0.4):
            claim["margin"] = self.r.choice(("1.05", "1.2", "2"))
        elif self.chance(0.3):
            claim["relevant"] = self.r.choice(("1.02", "1.3"))
        if self.chance(0.1):
            claim["seeds"] = self.r.choice(("6", "6|8", "5"))
        if self.chance(0.1):
            claim["replicates"] = self.r.choice(("1", "2", "3"))
        if self.chance(0.2):
            claim["pairs"] = "common"
        if self.chance(0.1):
            claim["uncounted"] = "it says what another says"
        if pool:
            claim["pool"] = "data"
        return claim


def pooled(m):
    """Two targets over several data sets, some of them without some starts."""
    n_data, seeds = m.r.choice((3, 5, 6, 8)), list(range(1, m.r.choice((2, 4, 6)) + 1))
    effect, gaps = m.r.choice((0, 0.2, 0.5)), m.r.choice((0, 0, 0.1, 0.3))
    for d in range(n_data):
        data = "v%d" % d
        change = effect + m.r.gauss(0, m.r.choice((0, 0.1)))
        some = [s for s in seeds if not m.chance(gaps)] or [1]
        other = some if m.chance(0.97) else some[1:] or some
        m.condition(data, "a", "copy", data, some, 0)
        m.condition(data, "a", "shared", data, other, change)
    claims = [m.claim("c%d" % i, {"target": "shared"}, {"target": "copy"}, m.chance(0.7)) for i in range(m.r.choice((1, 2, 3)))]
    for claim in claims:
        claim["each"] = "setting"
    return claims


def compared(m):
    """Two or three machines, perhaps with replicates, and claims about them."""
    hardware = ["a", "b"] + (["c"] if m.chance(0.4) else [])
    seeds, first = m.seeds(), None
    for h in hardware:
        effect = m.r.choice((0, 0, 0.01, 0.1, 0.4)) if first else 0
        made = m.condition("s", h, "copy", "walk", m.other_seeds(seeds) if first else seeds, effect, first)
        if m.chance(0.25):
            m.replicates(made, effect)
        first = first or made
    if m.chance(0.4):
        m.ensemble("walk", "copy")
    claims = []
    for i in range(m.r.choice((1, 1, 2, 3, 5))):
        of, over = m.r.choice((("b", "a"), ("a", "b"), ("|".join(hardware[1:]), "a"), ("c", "a|b"), ("|".join(hardware),) * 2))
        claims.append(m.claim("c%d" % i, {"study": "s", "hardware": of}, {"study": "s", "hardware": over}, False))
    return claims


def make(seed):
    m = Maker(seed)
    claims = pooled(m) if m.chance(0.25) else compared(m)
    m.r.shuffle(m.rows)  # the order of a table decides nothing
    for i, row in enumerate(m.rows):
        row["hash"] = "%08x" % (i + 1)
        row["name"] = "%s/%s/openblas/%s/%s/s%03d-%d-%d" % (row["study"], row["data"], row["hardware"], row["target"], row["seed"],
                                                            row["draw"], row["ulp"])
        row["run"] = "runs/%s.h5" % row["hash"]
    return {"rows": m.rows, "claims": claims, "question": m.chance(0.5)}


def flow(value):
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (k, flow(v)) for k, v in value.items())
    return "'%s'" % value


def write(table, folder):
    os.makedirs(folder)
    rows = table["rows"]
    texts = {
        "cells.csv": [",".join(COLUMNS)] + [",".join(str(row.get(c, "")) for c in COLUMNS) for row in rows],
        "curves.csv": ["hash,update,loss_last,loss_mean"] + ["%(hash)s,250,%(loss_last)s,%(loss_mean)s" % row for row in rows
                                                             if math.isfinite(float(row["loss_last"]))],
        "timing.csv": ["hash,seconds,frames_per_second,peak_mib"] + [row["hash"] + ",1,1,1" for row in rows],
        "coverage.csv": ["what,value,why", "matrix,m.yaml,", "run_schema,2,"]
        + ["%s,%d," % (what, len(rows)) for what in ("cells", "selected", "complete")],
        "distances.csv": ["a,b,differs,update,distance,relative"],
        "registrations.csv": ["registration,claim,digest"],
    }
    sums = []
    for name, lines in texts.items():
        data = "\n".join(lines) + "\n"
        with open(os.path.join(folder, name), "w") as out:
            out.write(data)
        sums.append("%s  %s\n" % (digest(data, 64), name))
    with open(os.path.join(folder, "SHA256SUMS"), "w") as out:
        out.writelines(sums)
    with open(os.path.join(folder, "judged.yaml"), "w") as out:
        if table["question"]:
            out.write("question: What came out?\n")
        out.write("claims:\n" + "".join("  - %s\n" % flow(claim) for claim in table["claims"]))
