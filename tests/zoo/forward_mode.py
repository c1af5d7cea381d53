"""Forward-mode derivatives, whose zeros have no memory, on both sides.

must name: nothing; the same bits"""
import torch

from common import mlp, run, samples, seed


def main(side, attach):
    seed()
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with attach(model, optimizer) as recorder:
        for x, y in samples():
            recorder.batch(x, y)
            weights = {name: p.detach() for name, p in model.named_parameters()}

            def loss_of(w):
                return torch.nn.functional.cross_entropy(torch.func.functional_call(model, w, (x,)), y)

            loss, back = torch.func.vjp(loss_of, weights)
            gradient = back(torch.ones(()))[0]
            torch.func.jvp(loss_of, (weights,), (gradient,))
            for name, p in model.named_parameters():
                p.grad = gradient[name].clone()
            optimizer.step()
            recorder.update(loss)


if __name__ == "__main__":
    run(main)
