#!/usr/bin/env python3
"""What the recorder costs: CPU time of an update (one thread) with samebits over the time without, of ResNet-9 (batches of 16 images
of 32x32, SGD) or, with "lenet" as the last argument, of LeNet (batches of 32 images of 28x28, AdamW). In each turn a function and the
plain program run one after the other; the median of the turns' ratios counts. Then sizes of the files, and the largest memory of a
process that records, and of one that does not.

    python/tests/costs.py [TURNS [FUNCTION ...]] [lenet]        the library: SAMEBITS_LIBRARY; a function: record, watch, shared, trace, ...
    python/tests/costs.py within [lenet]        of record and watch: the time within samebits over the rest of the update, which
                                        varies less; what the caches lose to it is in the rest
"""
import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import torch  # noqa: E402
from torch import nn  # noqa: E402

import samebits.torch as sb  # noqa: E402

UPDATES = 4


def block(n_in, n_out):
    return [nn.Conv2d(n_in, n_out, 3, padding=1, bias=False), nn.BatchNorm2d(n_out), nn.ReLU(inplace=True)]


class Residual(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.body = nn.Sequential(*block(n, n), *block(n, n))

    def forward(self, x):
        return x + self.body(x)


def lenet():
    model = nn.Sequential(nn.Conv2d(1, 20, 5), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(800, 500),
                          nn.ReLU(), nn.Linear(500, 10))
    return model, torch.optim.AdamW(model.parameters()), torch.randn(32, 1, 28, 28)


def resnet9():
    model = nn.Sequential(*block(3, 64), *block(64, 128), nn.MaxPool2d(2), Residual(128), *block(128, 256), nn.MaxPool2d(2),
                         *block(256, 512), nn.MaxPool2d(2), Residual(512), nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(512, 10))
    return model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9), torch.randn(16, 3, 32, 32)


network = resnet9


def train(around, n, each=lambda seconds: None):
    """The smallest CPU time of n updates, in seconds, after one that is not counted. each: called with the time of every update."""
    torch.manual_seed(0)
    model, optimizer, x = network()
    y = torch.randint(0, 10, (len(x),))

    def step(run):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if hasattr(run, "update"):
            run.update(loss)

    step(None)
    least = float("inf")
    begun = time.process_time() if n == 1 else None  # of a traced update what surrounds it counts, too
    with around(model, optimizer) as run:
        for _ in range(n):
            start = time.process_time()
            step(run)
            seconds = time.process_time() - start
            each(seconds)
            least = min(least, seconds)
    return least if begun is None else time.process_time() - begun


HOOKS = ((sb.record, ("_before_forward", "_before_step", "_after_step", "update")), (sb.watch, ("_pack", "_unpack")))


def within(kinds):
    """Prints, for each function, the median time within its hooks and of the rest of an update, and their ratio."""
    spent = [0.0]

    def timed(function):
        def call(*arguments, **options):
            start = time.process_time()
            try:
                return function(*arguments, **options)
            finally:
                spent[0] += time.process_time() - start
        return call

    for kind, names in HOOKS:
        for name in names:
            setattr(kind, name, timed(getattr(kind, name)))
    print("function,ms within,ms of the rest,ratio")
    for name in ("record", "watch", "shared"):
        times = []

        def take(seconds):
            times.append((spent[0], seconds - spent[0]))
            spent[0] = 0.0

        train(kinds[name][0], 12 if network is resnet9 else 100, take)
        inside, rest = (1e3 * statistics.median(column) for column in zip(*times[1:]))  # the first has what came before it
        print(f"{name},{inside:.2f},{rest:.2f},{1 + inside / rest:.4f}")


def main():
    global network
    torch.set_num_threads(1)
    chosen_network = sys.argv[-1:] if sys.argv[-1:] == ["lenet"] else []
    if chosen_network:
        network = lenet
        del sys.argv[-1]
    folder = tempfile.mkdtemp()
    record = lambda name, **more: lambda m, o: sb.record(m, o, os.path.join(folder, name), **more)  # noqa: E731
    trace = lambda name, **more: lambda m, o: sb.record(m, o, None, trace=1, trace_path=os.path.join(folder, name), **more)  # noqa: E731
    plain = lambda m, o: contextlib.nullcontext()  # noqa: E731
    if sys.argv[1:] in (["memory", "plain"], ["memory", "record"]):
        train(plain if sys.argv[2] == "plain" else record("memory.h5"), UPDATES)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    kinds = {"record": (record("record.h5"), UPDATES), "watch": (lambda m, o: sb.watch(m), UPDATES),
             "shared": (lambda m, o: sb.watch(m, only="shared"), UPDATES), "trace": (trace("trace.h5", check=()), 1),
             "sketch": (trace("sketch.h5", check=(), sketch=True), 1), "twice": (trace("twice.h5", check="twice"), 1),
             "double": (trace("double.h5", check="double"), 1)}
    if sys.argv[1:] == ["within"]:
        within(kinds)
        return
    chosen = sys.argv[2:] or list(kinds)
    for name in ("plain", "record"):  # first, for Linux hands the largest memory of this process down to those that it starts
        command = [sys.executable, __file__, "memory", name, *chosen_network]
        memory = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        print(f"memory of {name}: {memory.strip()} MiB")
    ratios, sizes = {name: [] for name in chosen}, {}
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 9):
        for name in chosen:
            around, n = kinds[name]
            for file in os.listdir(folder):
                os.unlink(os.path.join(folder, file))
            least = train(plain, UPDATES)
            ratios[name].append(train(around, n) / least)
            sizes[name] = sum(os.path.getsize(os.path.join(folder, file)) for file in os.listdir(folder))
    print("function,ratio,lower quartile,upper quartile,bytes")
    for name, found in ratios.items():
        quarters = statistics.quantiles(found, n=4) if len(found) > 1 else found * 3
        print(f"{name},{quarters[1]:.3f},{quarters[0]:.3f},{quarters[2]:.3f},{sizes[name]}")


if __name__ == "__main__":
    main()
