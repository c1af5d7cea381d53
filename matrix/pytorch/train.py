"""Train a small convolutional network on made pictures of bars, and write losses, accuracy and the weights' digest.

    python3 train.py SEED ULP THREADS ONEDNN LAYOUT OUT.csv"""
import hashlib
import sys

import torch

seed, ulp, threads, onednn, layout, path = sys.argv[1:]
torch.set_num_threads(int(threads))
torch.backends.mkldnn.enabled = onednn == "on"
torch.use_deterministic_algorithms(True)


def pictures(n, generator):
    """n pictures [n, 1, 16, 16] of a bar in noise, and its direction: 0 to 3."""
    label = torch.randint(4, (n,), generator=generator)
    place = torch.randint(4, 12, (n,), generator=generator)
    x = 0.8 * torch.randn(n, 1, 16, 16, generator=generator)
    steps = torch.arange(16)
    rows = [lambda p: (torch.full((16,), p), steps), lambda p: (steps, torch.full((16,), p)),
            lambda p: (steps, (steps + p) % 16), lambda p: (steps, (p - steps) % 16)]
    for i in range(n):
        row, column = rows[int(label[i])](int(place[i]))
        x[i, 0, row, column] += 1
    return x, label


data = torch.Generator().manual_seed(1)  # the same pictures for each seed
train, test = pictures(1024, data), pictures(512, data)
torch.manual_seed(int(seed))
model = torch.nn.Sequential(
    torch.nn.Conv2d(1, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
    torch.nn.Conv2d(8, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
    torch.nn.Flatten(), torch.nn.Linear(16 * 4 * 4, 4))
if layout == "last":
    model = model.to(memory_format=torch.channels_last)
if int(ulp):  # one rounding in one initial weight
    with torch.no_grad():
        weight = model[0].weight.view(-1) if layout == "first" else model[0].bias
        weight[int(ulp) % weight.numel()] = torch.nextafter(weight[int(ulp) % weight.numel()], torch.tensor(2.0))

optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
order = torch.Generator().manual_seed(int(seed))
with open(path, "w", encoding="ascii") as out:
    print("epoch,loss,test_loss,accuracy,weights", file=out)
    for epoch in range(1, 9):
        total = 0.0
        for batch in torch.randperm(1024, generator=order).split(32):
            x = train[0][batch]
            if layout == "last":
                x = x.contiguous(memory_format=torch.channels_last)
            loss = torch.nn.functional.cross_entropy(model(x), train[1][batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += float(loss.detach())
        with torch.no_grad():
            said = model(test[0])
            test_loss = float(torch.nn.functional.cross_entropy(said, test[1]))
            accuracy = float((said.argmax(1) == test[1]).double().mean())
        digest = hashlib.sha256(b"".join(p.detach().contiguous().numpy().tobytes() for p in model.parameters()))
        print(epoch, repr(total / 32), repr(test_loss), repr(accuracy), digest.hexdigest()[:32], sep=",", file=out)
