"""Sequences of unlike lengths: the gates are parts of one tensor, and are computed in place. Both sides are the same program.

must name: kind same"""
import torch

from common import run, samples, seed


def main(side, attach):
    seed()
    model = torch.nn.ModuleDict({"lstm": torch.nn.LSTM(12, 8, 2, bidirectional=True, dropout=0.2), "head": torch.nn.Linear(16, 4)})
    optimizer = torch.optim.Adam(model.parameters())
    with attach(model, optimizer) as recorder:
        for x, y in samples():
            recorder.batch(x, y)
            optimizer.zero_grad()
            packed = torch.nn.utils.rnn.pack_padded_sequence(torch.stack([x, x * 0.5, x.flip(0)]), [3] * 4 + [2] * 2 + [1] * 2)
            output, _ = torch.nn.utils.rnn.pad_packed_sequence(model["lstm"](packed)[0])
            loss = torch.nn.functional.cross_entropy(model["head"](output[0]), y)
            loss.backward()
            optimizer.step()
            recorder.update(loss)


if __name__ == "__main__":
    run(main)
