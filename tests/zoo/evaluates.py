"""Side b evaluates the network between updates, on other data and without gradients; nobody calls batch().

must name: kind same"""
import torch

from common import mlp, run, samples, seed


def main(side, attach):
    seed()
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with attach(model, optimizer) as recorder:
        for x, y in samples():
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            recorder.update(loss)
            if side == "b":
                with torch.no_grad():
                    model(2 * x)
                with torch.inference_mode():
                    model(3 * x)


if __name__ == "__main__":
    run(main)
