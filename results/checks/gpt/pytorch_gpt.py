"""gpt's default network in PyTorch: some updates, and every hundred the loss on all held-out windows. From the root:

    python3 results/checks/gpt/pytorch_gpt.py DATA.h5 SEED BATCH UPDATES OUT.csv
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
torch.set_num_threads(1)
torch.manual_seed(seed)
with h5py.File(path) as f:
    train, test = (torch.from_numpy(f[name][:]).long() for name in ("tokens", "test_tokens"))
    net = pytorch.Gpt(6, 6, 384, CONTEXT, len(f["characters"]))
optimizer = pytorch.adamw(net)


@torch.no_grad()
def held_out():
    windows = [test[at:at + CONTEXT + 1] for at in range(0, len(test) - CONTEXT, CONTEXT)]
    return sum(F.cross_entropy(net(w[None, :-1])[0], w[1:]).item() for w in windows) / len(windows)


with open(out, "w", newline="") as f:
    table, start = csv.writer(f, lineterminator="\n"), time.process_time()
    table.writerow(["seed", "update", "measure", "value"])
    for update in range(1, updates + 1):
        windows = torch.stack([train[at:at + CONTEXT + 1] for at in torch.randint(0, len(train) - CONTEXT, (batch,))])
        table.writerow([seed, update, "train_loss", f"{pytorch.learn(net, optimizer, windows).item():.7g}"])
        if update % 100 == 0 or update == updates:
            table.writerow([seed, update, "held_out_loss", f"{held_out():.7g}"])
            f.flush()
    table.writerow([seed, updates, "cpu_seconds", f"{time.process_time() - start:.1f}"])
