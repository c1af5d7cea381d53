"""Groups of the optimizer in another order, and lists of tensors instead of one by one.

must name: nothing: the same bits"""
import torch

from common import mlp, run, samples, seed, train


def main(side, attach):
    seed()
    model = mlp()
    groups = [{"params": [p for p in model.parameters() if (p.dim() > 1) == is_matrix]} for is_matrix in (True, False)]
    optimizer = torch.optim.SGD(groups if side == "a" else groups[::-1], lr=0.1, momentum=0.9, foreach=side == "b")
    train(model, optimizer, samples(), attach)


if __name__ == "__main__":
    run(main)
