"""Three small trainings, each in two variants that look like one (docs/gallery.md):

    python gallery.py target copied -o a.h5        python gallery.py target shared -o b.h5
    python gallery.py product float32 -o a.h5      python gallery.py product tf32 -o b.h5
    python gallery.py loader 0 -o a.h5             python gallery.py loader 2 -o b.h5

--nudge SEED moves each start weight by one rounding; --trace N traces update N."""
import argparse

import numpy as np
import torch
from torch import nn

import samebits.torch as sb

UPDATES = 100


def rounded(x):
    """float32 to the ten bits of TF32's fraction, to nearest. Other types stay: the check computes in float64."""
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def video():
    """A bright square that moves over a dark field: frames [n, 1, 16, 16]."""
    frames = np.zeros((UPDATES * 4 + 1, 1, 16, 16), np.float32)
    for k, frame in enumerate(frames):
        frame[0, 4 + k % 8 : 8 + k % 8, k % 12 : k % 12 + 4] = 1
    return frames


def target(variant):
    """The published fault: one array holds the target of every frame in a window."""
    frames = video()
    buffer = np.empty((1, 1, 16, 16), np.float32)
    model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))

    def batches():
        for first in range(0, 4 * UPDATES, 4):
            loss = 0
            for k in range(first, first + 4):
                buffer[0] = frames[k + 1]
                wanted = torch.from_numpy(buffer if variant == "shared" else buffer.copy())
                loss = loss + nn.functional.mse_loss(model(torch.from_numpy(frames[k][None])), wanted)
            yield None, loss

    return model, batches


def product(variant):
    """A GPU's matrix products with TF32, imitated below PyTorch: factors rounded to ten bits."""
    if variant == "tf32":
        product.library = torch.library.Library("aten", "IMPL")
        product.library.impl("addmm", lambda bias, x, w, *, beta=1, alpha=1: torch.mm(rounded(x), rounded(w)) + bias, "CPU")
    model = nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 1))
    draw = torch.Generator().manual_seed(2)

    def batches():
        for _ in range(UPDATES):
            x = torch.randn(32, 32, generator=draw)
            yield x, nn.functional.mse_loss(model(x), torch.sin(x.sum(1, keepdim=True)))

    return model, batches


class Noisy(torch.utils.data.Dataset):
    """Samples with noise from NumPy's own generator, which each worker of a loader has a copy of."""

    def __len__(self):
        return 16 * UPDATES

    def __getitem__(self, i):
        x = np.random.default_rng(i).standard_normal(32)
        return np.float32(x + 0.1 * np.random.standard_normal(32)), np.float32([np.sin(x.sum())])


def loader(variant):
    """The number of worker processes, a setting that should change the speed alone."""
    np.random.seed(3)
    model = nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 1))
    data = torch.utils.data.DataLoader(Noisy(), batch_size=16, num_workers=int(variant))

    def batches():
        for x, y in data:
            yield x, nn.functional.mse_loss(model(x), y)

    return model, batches


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("case", choices=["target", "product", "loader"])
    words.add_argument("variant")
    words.add_argument("-o", "--output", required=True)
    words.add_argument("--nudge", type=int)
    words.add_argument("--trace", type=int)
    given = words.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model, batches = globals()[given.case](given.variant)
    if given.nudge is not None:
        sb.nudge(model, seed=given.nudge)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    with sb.record(model, optimizer, given.output, trace=given.trace, check=("double",)) as run:
        for x, loss in batches():
            if x is not None:
                run.batch(x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            run.update(loss)


if __name__ == "__main__":
    main()
