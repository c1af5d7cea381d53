"""A run file and a table of results, read without samebits: python3 read_run.py RUN.h5 CELLS.csv

Wants Python 3 with h5py (Debian: python3-h5py). docs/run-file.md says what is in a run file, results/README.md what the
columns of the table mean.
"""
import csv
import sys

import h5py

with h5py.File(sys.argv[1]) as run:
    settings = dict(run["config"].attrs)  # numbers are numbers, texts are bytes
    loss, update = run["train/loss_last"], run["train/loss_last"].dims[0][0]
    print(run.attrs["title"].decode(), "by", run.attrs["source"].decode())
    print("seed", settings["seed"], "lr", settings["lr"], "channels", settings["channels"])
    print(loss.attrs["long_name"].decode())
    for at, value in zip(update[-3:], loss[-3:]):
        print(f"update {at}: {value:.9g}")

with open(sys.argv[2], newline="") as table:
    cells = list(csv.DictReader(table))
for arm in sorted({(cell["model"], cell["channels"], cell["target"]) for cell in cells}):
    losses = [float(cell["loss_last"]) for cell in cells if (cell["model"], cell["channels"], cell["target"]) == arm]
    print(*filter(None, arm), f"{len(losses)} runs, mean final loss {sum(losses) / len(losses):.6f}", sep=", ")
