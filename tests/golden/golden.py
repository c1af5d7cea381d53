"""The golden files of this folder, computed again with the library of the study.

    python golden.py FILE.h5 ...            compute again, and say how far the file's values are from these
    python golden.py -o NEW.h5 FILE.h5      write them into a new file of the same layout

Start weights and inputs are taken from the file; everything else is computed: losses, and after each update gradients,
weights and the moments of Adam. README.md says which versions of Chainer and NumPy, and how to install them.
"""
import argparse
import collections
import collections.abc
import inspect
import sys

import numpy as np

# Chainer 6.7.0 is older than the Python and the NumPy it runs on here: the names that it misses.
for name in ("Mapping", "MutableMapping", "Sequence", "Iterable", "Callable", "Hashable", "Sized", "Iterator"):
    setattr(collections, name, getattr(collections.abc, name))
for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object), ("complex", complex)):
    np.__dict__.setdefault(name, kind)
if not hasattr(inspect, "getargspec"):
    inspect.getargspec = lambda function: inspect.getfullargspec(function)[:4]

import chainer  # noqa: E402
import chainer.functions as F  # noqa: E402
import h5py  # noqa: E402

LAYERS = range(4)
GATES = ("input", "forget", "candidate", "output")


class Weights(chainer.Link):
    """The parameters of /init, under their own names."""

    def __init__(self, group):
        super().__init__()
        self.names = []
        group.visititems(lambda name, item: self.names.append(name) if isinstance(item, h5py.Dataset) else None)
        with self.init_scope():
            for name in self.names:
                setattr(self, name.replace("/", "__"), chainer.Parameter(group[name][()]))

    def __getitem__(self, name):
        return getattr(self, name.replace("/", "__"))


def conv(weights, name, x, bias=None):
    return F.convolution_2d(x, weights[name], None if bias is None else weights[bias], pad=1)


class PredNet:
    """docs/specification.md, section 1, step by step."""

    def __init__(self, weights, width, height, channels, dtype):
        self.weights, self.dtype = weights, dtype
        self.shape = [(1, c, height >> n, width >> n) for n, c in enumerate(channels)]
        self.reset()

    def reset(self):
        zeros = lambda: [chainer.Variable(np.zeros(shape, self.dtype)) for shape in self.shape]
        self.c, self.h, self.P = zeros(), zeros(), zeros()

    def cell(self, n, inputs):
        w, at, sums = self.weights, "lstm%d/" % n, {}
        for gate in GATES:
            total = conv(w, at + gate + "/h_w", self.h[n], at + gate + "/h_b")
            for k, x in enumerate(inputs):
                total += conv(w, at + gate + "/x%d_w" % k, x)
            if gate != "candidate":
                total += w[at + gate + "/peephole"] * self.c[n]
            sums[gate] = total
        i, f, o = (F.sigmoid(sums[gate]) for gate in ("input", "forget", "output"))
        self.c[n] = f * self.c[n] + i * F.tanh(sums["candidate"])
        self.h[n] = o * F.tanh(self.c[n])

    def __call__(self, x):
        w, errors = self.weights, []
        for n in LAYERS:
            a = x
            if n:
                a = F.relu(conv(w, "conv_a%d/w" % n, errors[n - 1], "conv_a%d/b" % n))
                a = F.max_pooling_2d(a, 2)
            errors.append(F.concat((F.relu(a - self.P[n]), F.relu(self.P[n] - a))))
        for n in reversed(LAYERS):
            above = [F.unpooling_2d(self.h[n + 1], 2, cover_all=False)] if n < 3 else []
            self.cell(n, [errors[n]] + above)
        for n in LAYERS:
            p = conv(w, "conv_p%d/w" % n, self.h[n], "conv_p%d/b" % n)
            self.P[n] = F.relu(p) if n else F.clip(p, 0.0, 1.0)
        return self.P[0]


def prepare(weights):
    optimizer = chainer.optimizers.Adam()
    optimizer.setup(weights)
    return optimizer


def update(values, prefix, weights, optimizer, loss, moments):
    """One update from the loss; its gradient, and the weights and moments after it, go under prefix."""
    weights.zerograds()
    loss.backward()
    loss.unchain_backward()
    optimizer.update()
    for name in weights.names:
        p = weights[name]
        values["%s/grad/%s" % (prefix, name)] = p.grad.copy()
        values["%s/param/%s" % (prefix, name)] = p.data.copy()
        if moments:
            values["%s/adam_m/%s" % (prefix, name)] = p.update_rule.state["m"].copy()
            values["%s/adam_v/%s" % (prefix, name)] = p.update_rule.state["v"].copy()


def prednet_arm(values, file, arm, dtype):
    attributes = file.attrs
    width, height, window = (int(attributes[k]) for k in ("width", "height", "bprop"))
    weights = Weights(file["init"])
    optimizer = prepare(weights)
    net = PredNet(weights, width, height, [int(c) for c in attributes["channels"]], dtype)
    image = lambda i: (file["frames"][i].transpose(2, 0, 1)[None].astype(np.float32) / np.float32(255)).astype(dtype)
    shared = np.empty((1, 3, height, width), dtype)  # the array that the published script fills with every target
    loss, losses, k = 0, [], 1
    for i in range(1, int(attributes["frames"])):
        shared[...] = image(i)
        target = shared if arm == "shared" else shared.copy()
        term = F.mean_squared_error(net(chainer.Variable(image(i - 1))), chainer.Variable(target))
        losses.append(float(term.data))
        loss += term
        if arm == "copy" and "copy/activation/step%d" % i in file:
            for n in LAYERS:
                for kind, state in (("P", net.P), ("c", net.c), ("h", net.h)):
                    values["copy/activation/step%d/%s%d" % (i, kind, n)] = state[n].data.copy()
        if (i + 1) % window == 0:
            prefix = "%s/window%d" % (arm, k)
            values[prefix + "/loss_sum"] = np.array([float(loss.data)])
            update(values, prefix, weights, optimizer, loss, True)
            loss, k = 0, k + 1
    values[arm + "/step_loss"] = np.array(losses)


def autoencoder(values, file):
    weights = Weights(file["init"])
    optimizer = prepare(weights)
    losses = []
    for k, x in enumerate(file["inputs"][()], 1):
        hidden = F.relu(F.linear(x, weights["encoder/w"], weights["encoder/b"]))
        loss = F.mean_squared_error(F.relu(F.linear(hidden, weights["decoder/w"], weights["decoder/b"])), x)
        losses.append(float(loss.data))
        update(values, "update%d" % k, weights, optimizer, loss, False)
    values["losses"] = np.array(losses)


def compute(file):
    values = {}
    dtype = {"f4": np.float32, "f8": np.float64}[file.attrs.get("dtype", "f4")]
    chainer.global_config.dtype = dtype
    chainer.global_config.use_ideep = "never"
    if file.attrs["model"] == "prednet":
        for arm in ("copy", "shared"):
            prednet_arm(values, file, arm, dtype)
    else:
        autoencoder(values, file)
    return values


def compare(file, values):
    """How far the file is from the values, as a share of each tensor's largest element; what only one of them has."""
    names = []
    file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
    known = {name for name in names if not name.startswith(("init/", "frames", "inputs"))}
    if known != set(values):
        sys.exit("%s: only one of file and program has %s" % (file.filename, sorted(known ^ set(values))[:4]))
    worst, n_equal = (0.0, ""), 0
    for name in sorted(known):
        a, b = np.asarray(file[name][()], np.float64), np.asarray(values[name], np.float64)
        scale = np.abs(a).max() or 1.0
        n_equal += np.array_equal(a, b)
        worst = max(worst, (float(np.abs(a - b).max() / scale), name))
    print("%s: %d of %d tensors to the bit, largest deviation %.3g at %s"
          % (file.filename, n_equal, len(known), worst[0], worst[1]))


def write(path, file, values):
    with h5py.File(path, "w") as new:
        new.attrs.update(file.attrs)
        new.attrs["provenance"] = "values computed with Chainer %s and NumPy %s by golden.py" % (
            chainer.__version__, np.__version__)
        for name in ("init", "frames", "inputs"):
            if name in file:
                file.copy(name, new)
        for name, value in values.items():
            new[name] = value


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", "--output", help="write a new file with the values (one FILE only)")
    parser.add_argument("file", nargs="+")
    options = parser.parse_args()
    if options.output and len(options.file) > 1:
        parser.error("-o wants one FILE")
    for path in options.file:
        with h5py.File(path, "r") as file:
            values = compute(file)
            compare(file, values)
            if options.output:
                write(options.output, file, values)


if __name__ == "__main__":
    main()
