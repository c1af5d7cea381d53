"""One buffer holds every batch of an update, and .data, which autograd does not count, is filled again before the backward pass.

must name: update 1; part gradient; operation copy_; tensor batch 0; kind other operation; watch: at least 4"""
import torch

from common import mlp, run, samples, seed


def main(side, attach):
    seed()
    model, buffer = mlp(), torch.empty(8, 12)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with attach(model, optimizer) as recorder:
        batches = samples(8)
        for k in range(0, 8, 2):
            optimizer.zero_grad()
            losses = []
            for x, y in batches[k:k + 2]:
                if side == "b":
                    buffer.data.copy_(x)
                    x = buffer
                recorder.batch(x, y)
                losses.append(torch.nn.functional.cross_entropy(model(x), y))
            sum(losses).backward()
            optimizer.step()
            recorder.update(sum(losses))


if __name__ == "__main__":
    run(main)
