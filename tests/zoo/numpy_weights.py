"""Weights are changed through NumPy between the forward pass and the backward pass.

must name: update 1; part gradient; operation mm; tensor 2.weight; kind changed outside; watch: at least 4"""
import torch

from common import mlp, run, samples, seed


def main(side, attach):
    seed()
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with attach(model, optimizer) as recorder:
        for x, y in samples():
            recorder.batch(x, y)
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            if side == "b":
                model[2].weight.detach().numpy()[0] *= 0.5
            loss.backward()
            optimizer.step()
            recorder.update(loss)


if __name__ == "__main__":
    run(main)
