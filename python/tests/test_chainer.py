"""Chainer: one array for the targets of all frames of a window is found, copied targets give no finding."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        import chainer
        import chainer.functions as F
        import chainer.links as L
    except ImportError as error:
        raise unittest.SkipTest("Chainer is not installed") from error
import numpy

import samebits.chainer as sb


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Convolution2D(3, 8, 3, pad=1)
            self.norm = L.BatchNormalization(8)
            self.b = L.Convolution2D(8, 3, 3, pad=1)

    def __call__(self, x):
        return self.b(F.dropout(F.relu(self.norm(self.a(x))), 0.2))


def train(copied, around):
    numpy.random.seed(0)
    frames = numpy.random.default_rng(1).standard_normal((9, 3, 8, 8)).astype("f")
    model, optimizer = Net(), chainer.optimizers.Adam()
    optimizer.setup(model)
    target = numpy.empty((1, 3, 8, 8), "f")
    with around(model, optimizer) as run:
        for first in (0, 4):
            loss = 0
            for k in range(first, first + 4):
                target[0] = frames[k + 1]
                y = chainer.Variable(target.copy() if copied else target)
                loss = loss + F.mean_squared_error(model(chainer.Variable(frames[k][None].copy())), y)
            model.cleargrads()
            loss.backward()
            optimizer.update()
            if hasattr(run, "update"):
                run.update(loss)
    return run, [p.data.copy() for p in model.params()]


class ChainerTest(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_watch(self):
        found, _ = train(False, lambda model, optimizer: sb.watch(on_change="report"))
        self.assertEqual(len(found), 6)
        self.assertEqual({(change.operation, change.index, change.address) for change in found},
                         {("MeanSquaredError", 1, found.changes[0].address)})
        self.assertIn("test_chainer.py", found.changes[0].site)
        found, _ = train(True, lambda model, optimizer: sb.watch(on_change="report"))
        self.assertEqual(len(found), 0)
        self.assertGreater(found.retained, 20)

    def test_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.h5")
            _, recorded = train(True, lambda model, optimizer: sb.record(model, optimizer, path, watch=True))
            _, watched = train(True, lambda model, optimizer: sb.watch())
            self.assertTrue(os.path.getsize(path))
        for a, b in zip(recorded, watched):
            self.assertTrue((a.view("i4") == b.view("i4")).all())


class OriginalTest(unittest.TestCase):
    """The released program (docs/original-program.md): SB_ORIGINAL is the folder of its repository."""

    DIVISIONS = {"main.py": (("args.size[1]) / 2", "args.size[1]) // 2"), ("args.size[0]) / 2", "args.size[0]) // 2")),
                 "net.py": (("w = w / 2", "w = w // 2"), ("h = h / 2", "h = h // 2"))}

    def watch(self, changes=()):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(os.environ["SB_ORIGINAL"], "PredNet"), os.path.join(folder, "PredNet"))
            shutil.copytree(os.path.join(os.environ["SB_ORIGINAL"], "data"), os.path.join(folder, "data"))
            for name, pairs in {**self.DIVISIONS, **dict(changes)}.items():
                path = os.path.join(folder, "PredNet", name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                for before, after in [*self.DIVISIONS[name], *pairs]:
                    self.assertTrue(before in text or after in text, before)
                    text = text.replace(before, after)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return subprocess.run([sys.executable, "-m", "samebits", "watch", "--chainer", "PredNet/main.py", "-i", "data/train_list.txt",
                                   "-s", "48,32", "--period", "18"], cwd=folder, capture_output=True, text=True).stderr

    @unittest.skipUnless(os.environ.get("SB_ORIGINAL"), "SB_ORIGINAL does not name the folder of the program")
    def test_original(self):
        said = self.watch()
        self.assertIn("18 of 3383 inputs that the backward pass read had changed", said)
        found = [line for line in said.splitlines() if "changed before" in line]
        self.assertEqual(len(found), 18)
        self.assertTrue(all("input 1 of MeanSquaredError" in line and "main.py:190" in line for line in found), found[0])
        self.assertEqual(len({line.split("address ")[1].split(",")[0] for line in found}), 1)
        copied = self.watch({"main.py": (("xp.asarray(y_batch)", "xp.array(y_batch)"),)})
        self.assertIn("0 of 3383 inputs", copied)


if __name__ == "__main__":
    unittest.main()
