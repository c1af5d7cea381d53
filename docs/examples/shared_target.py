"""A training with the fault of docs/any-training.md: one NumPy array holds the target of each frame in a window, and is filled
again before the backward pass reads it. Find it:  python -m samebits watch shared_target.py"""
import numpy as np
import torch
from torch import nn


def main():
    torch.manual_seed(0)
    frames = np.random.default_rng(1).standard_normal((9, 3, 8, 8)).astype(np.float32)
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 3, 3, padding=1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    target = np.empty((1, 3, 8, 8), np.float32)

    for first in (0, 4):  # windows of four frames
        optimizer.zero_grad()
        loss = 0
        for k in range(first, first + 4):
            frame = torch.from_numpy(frames[k][None].copy())
            target[0] = frames[k + 1]
            predicted = model(frame)
            # the fault: from_numpy shares the memory of `target` on a CPU; torch.from_numpy(target.copy()) is right
            loss = loss + nn.functional.mse_loss(predicted, torch.from_numpy(target))
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item():.6g}")


if __name__ == "__main__":
    main()
