"""A hook halves a gradient in place, whose memory another gradient shares.

must name: update 1; part gradient; operation mul_; kind other operation"""
import torch
from torch import nn

from common import run, samples, seed


def main(side, attach):
    seed()
    first, second, head = nn.Linear(12, 12), nn.Linear(12, 12), nn.Linear(12, 4)
    model = nn.ModuleList([first, second, head])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with attach(model, optimizer) as recorder:
        for x, y in samples():
            recorder.batch(x, y)
            optimizer.zero_grad()
            h = first(x)
            u = second(h)
            u.register_hook((lambda gradient: gradient.mul_(0.5)) if side == "b" else (lambda gradient: gradient * 0.5))
            loss = nn.functional.cross_entropy(head(h + u), y)
            loss.backward()
            optimizer.step()
            recorder.update(loss)


if __name__ == "__main__":
    run(main)
