"""gpt's default network in PyTorch: some updates, and every hundred the loss on all held-out windows. From the root:

    python3 results/checks/gpt/pytorch_gpt.py DATA.h5 SEED BATCH UPDATES OUT.csv [RUN.h5]

RUN.h5: begin with the weights of this run of samebits, and learn from the windows that samebits draws with the seed.
"""
import csv
import pathlib
import sys
import time

import h5py
import torch
from torch.nn import functional as F

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/gpu"))
import pytorch  # noqa: E402

CONTEXT = 256
path, seed, batch, updates, out = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
run = sys.argv[6] if len(sys.argv) > 6 else None
torch.set_num_threads(1)
torch.manual_seed(seed)
with h5py.File(path) as f:
    train, test = (torch.from_numpy(f[name][:]).long() for name in ("tokens", "test_tokens"))
    net = pytorch.Gpt(6, 6, 384, CONTEXT, len(f["characters"]))


def take_weights(f):
    """The weights of a run, whose names are those of src/net/gpt.c."""
    def take(name, *parameters):
        for parameter, part in zip(parameters, ("w", "b") if parameters[0].dim() > 1 else ("scale", "shift")):
            parameter.copy_(torch.from_numpy(f[f"param/{name}/{part}"][:]).view_as(parameter))

    take("embedding", net.table.weight)
    net.position.weight.copy_(torch.from_numpy(f["param/embedding/position"][:]).view_as(net.position.weight))
    *blocks, norm = net.body
    take("norm", norm.weight, norm.bias)
    for number, (attention, dense) in enumerate(zip(blocks[::2], blocks[1::2]), 1):
        (norm1, inner), (norm2, expand, _, contract) = attention.body, dense.body
        for name, part in (("norm1", norm1), ("qkv", inner.qkv), ("project", inner.project), ("norm2", norm2),
                           ("expand", expand), ("contract", contract)):
            take(f"block{number}_{name}", part.weight, part.bias)


def philox(index, stream, key):
    """The first word of Philox 4x32-10 (Salmon et al., 2011), as src/core/random.h."""
    c, mask = [index, 0, stream, 0], 0xFFFFFFFF
    k = [key, 0]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b >> 32 ^ c[1] ^ k[0], b & mask, a >> 32 ^ c[3] ^ k[1], a & mask]
        k = [k[0] + 0x9E3779B9 & mask, k[1] + 0xBB67AE85 & mask]
    return c[0]


def places(update):
    """The first token of each window of an update."""
    n = len(train) - CONTEXT
    if run:
        return [philox((update - 1) * batch + i, 34 << 20, seed) * n >> 32 for i in range(batch)]
    return torch.randint(0, n, (batch,)).tolist()


if run:
    with h5py.File(run) as f, torch.no_grad():
        take_weights(f)
optimizer = pytorch.adamw(net)


@torch.no_grad()
def held_out():
    windows = [test[at:at + CONTEXT + 1] for at in range(0, len(test) - CONTEXT, CONTEXT)]
    return sum(F.cross_entropy(net(w[None, :-1])[0], w[1:]).item() for w in windows) / len(windows)


with open(out, "w", newline="") as f:
    table, start = csv.writer(f, lineterminator="\n"), time.process_time()
    table.writerow(["seed", "update", "measure", "value"])
    for update in range(1, updates + 1):
        windows = torch.stack([train[at:at + CONTEXT + 1] for at in places(update)])
        table.writerow([seed, update, "train_loss", f"{pytorch.learn(net, optimizer, windows).item():.7g}"])
        if update % 100 == 0 or update == updates:
            table.writerow([seed, update, "held_out_loss", f"{held_out():.7g}"])
            f.flush()
    table.writerow([seed, updates, "cpu_seconds", f"{time.process_time() - start:.1f}"])
