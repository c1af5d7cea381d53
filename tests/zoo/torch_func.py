"""Gradients by torch.func, of the batch and of each sample; hooks of saved tensors are not allowed there. Both sides are the same program.

must name: kind same"""
import torch

from common import mlp, run, samples, seed


def main(side, attach):
    seed()
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def loss_of(weights, x, y):
        return torch.nn.functional.cross_entropy(torch.func.functional_call(model, weights, (x,)), y)

    def loss_of_one(weights, x, y):
        return loss_of(weights, x[None], y[None])

    with attach(model, optimizer) as recorder:
        for k, (x, y) in enumerate(samples()):
            recorder.batch(x, y)
            weights = {name: p.detach() for name, p in model.named_parameters()}
            if k % 2:
                gradient = torch.func.grad(loss_of)(weights, x, y)
            else:
                each = torch.func.vmap(torch.func.grad(loss_of_one), (None, 0, 0))(weights, x, y)
                gradient = {name: g.mean(0) for name, g in each.items()}
            for name, p in model.named_parameters():
                p.grad = gradient[name].clone()
            optimizer.step()
            recorder.update(loss_of(weights, x, y))


if __name__ == "__main__":
    run(main)
