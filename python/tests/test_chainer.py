"""Chainer: one array for the targets of all frames of a window is found, copied targets give no finding."""
import os
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


if __name__ == "__main__":
    unittest.main()
