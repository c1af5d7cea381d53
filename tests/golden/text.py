#!/usr/bin/env python3
"""text.py FILE CHECK: golden values of texts in float64 by PyTorch: embedding, causal attention, gelu in its tanh form, the
loss of tokens, three updates of two small transformers, and the schedule with warm-up and cosine. CHECK: a third
transformer, for samebits check. Random numbers are drawn once; nothing depends on how. Maps are
[n][channels][1][positions]."""
import math
import sys

import h5py
import numpy as np
import torch
import torch.nn.functional as F

random = np.random.default_rng(56)


def draw(*shape, sd=1.0):
    return torch.tensor(sd * random.standard_normal(shape), dtype=torch.float64, requires_grad=True)


def tokens_of(n, context, vocabulary):
    return torch.tensor(random.integers(0, vocabulary, (n, context + 1)))


def as_map(x):
    """[n][T][c] as a map."""
    return x.transpose(1, 2).unsqueeze(2)


def rows(x):
    """A map as [n][T][c]."""
    return x.squeeze(2).transpose(1, 2)


def write(file, name, y, dy, inputs, **others):
    """The result, and the gradients of sum(y dy) for the inputs."""
    (y * dy).sum().backward()
    group = file.create_group(name)
    for key, tensor in {"y": y, "dy": dy, **inputs, **others}.items():
        group[key] = tensor.detach().numpy()
    for key, tensor in inputs.items():
        group["d" + key] = tensor.grad.numpy()


def attend(qkv, heads):
    n, context, c = qkv.shape
    q, k, v = (part.view(n, context, heads, -1).transpose(1, 2) for part in qkv.split(c // 3, 2))
    scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3])
    scores = scores.masked_fill(torch.triu(torch.ones(context, context, dtype=torch.bool), 1), -math.inf)
    return (scores.softmax(3) @ v).transpose(1, 2).reshape(n, context, c // 3)


def operations(file):
    tokens, table, position = tokens_of(3, 7, 11), draw(11, 5), draw(7, 5)
    y = as_map(F.embedding(tokens[:, :-1], table) + position)
    write(file, "embedding", y, draw(*y.shape).detach(), {"table": table, "position": position}, tokens=tokens)
    for heads, depth, context, n in ((1, 1, 3, 2), (3, 5, 9, 2), (2, 16, 67, 1)):
        x = draw(n, 3 * heads * depth, 1, context)
        y = as_map(attend(rows(x), heads))
        write(file, f"attention_{heads}_{depth}", y, draw(*y.shape).detach(), {"x": x})
    x = draw(2, 3, 5, 7, sd=2)
    y = F.gelu(x, approximate="tanh")
    write(file, "gelutanh", y, draw(*y.shape).detach(), {"x": x})
    for smoothing in (0, 0.25):
        tokens, z = tokens_of(3, 7, 11), draw(3, 11, 1, 7)
        y = F.cross_entropy(rows(z).reshape(-1, 11), tokens[:, 1:].reshape(-1), reduction="none",
                            label_smoothing=smoothing).view(3, 7)
        write(file, f"loss_{smoothing}", y, torch.full_like(y, 1 / 21), {"z": z}, tokens=tokens)


def start(vocabulary, width, context, blocks, tied):
    """All parameters by the names of run files, in the order of the network; matrices, scales and shifts alike are drawn."""
    p = {"embedding/w": draw(vocabulary, width, sd=0.3), "embedding/position": draw(context, width, sd=0.3)}
    for b in range(1, blocks + 1):
        for name, n_in, n_out in (("norm1", 0, 0), ("qkv", width, 3 * width), ("project", width, width), ("norm2", 0, 0),
                                  ("expand", width, 4 * width), ("contract", 4 * width, width)):
            if n_in:
                p[f"block{b}_{name}/w"] = draw(n_out, n_in, sd=0.3)
                p[f"block{b}_{name}/b"] = draw(n_out, sd=0.1)
            else:
                p[f"block{b}_{name}/scale"] = (1 + draw(width, sd=0.2)).detach().requires_grad_()
                p[f"block{b}_{name}/shift"] = draw(width, sd=0.1)
    p["norm/scale"], p["norm/shift"] = (1 + draw(width, sd=0.2)).detach().requires_grad_(), draw(width, sd=0.1)
    if not tied:
        p["head/w"] = draw(vocabulary, width, sd=0.3)
    return p


def forward(p, tokens, blocks, heads, activation):
    norm = lambda x, name: F.layer_norm(x, x.shape[2:], p[name + "/scale"], p[name + "/shift"], 1e-5)
    dense = lambda x, name: F.linear(x, p[name + "/w"], p[name + "/b"])
    x = F.embedding(tokens, p["embedding/w"]) + p["embedding/position"]
    for b in range(1, blocks + 1):
        at = f"block{b}_"
        x = x + dense(attend(dense(norm(x, at + "norm1"), at + "qkv"), heads), at + "project")
        x = x + dense(activation(dense(norm(x, at + "norm2"), at + "expand")), at + "contract")
    return F.linear(norm(x, "norm"), p.get("head/w", p["embedding/w"]))


def network(group, first, tied, activation, limit, eps=1e-6):
    """Three updates by AdamW, weight decay on matrices alone, gradients divided by max(1, norm / limit). The gradient of the
    biases of keys is 0 but for rounding, which a smaller eps would divide by its own size."""
    vocabulary, width, context, blocks, heads, batch = 11, 12, 7, 2, 3, 4
    p = start(vocabulary, width, context, blocks, tied)
    tokens = torch.stack([tokens_of(batch, context, vocabulary) for _ in range(3)])
    settings = {"lr": 0.01, "betas": (0.9, 0.99), "eps": eps}
    matrices, others = [t for t in p.values() if t.dim() > 1], [t for t in p.values() if t.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0}],
                                  **settings)
    group["tokens"], losses = tokens.numpy(), []
    put = lambda where, of: [group.create_dataset(f"{where}/{k}", data=of(t).detach().numpy()) for k, t in p.items()]
    put(first, lambda t: t)
    for k in range(3):
        optimizer.zero_grad()
        logits = forward(p, tokens[k, :, :-1], blocks, heads, activation)
        loss = F.cross_entropy(logits.reshape(-1, vocabulary), tokens[k, :, 1:].reshape(-1))
        loss.backward()
        losses.append(loss.item())
        put(f"update{k + 1}/grad", lambda t: t.grad)
        norm = math.sqrt(sum((t.grad**2).sum().item() for t in p.values()))
        for t in p.values():
            t.grad /= max(1, norm / limit)
        optimizer.step()
        put(f"update{k + 1}/param", lambda t: t)
    group["losses"] = np.array(losses)


def schedule(file):
    lr, lr_start, lr_end, lr_epochs, lr_warmup = 0.6, 0.05, 0.06, 18, 3
    t = np.arange(101) / 4
    share = np.clip((t - lr_warmup) / (lr_epochs - lr_warmup), 0, 1)
    wave = lr_end + (lr - lr_end) / 2 * (1 + np.cos(np.pi * share))
    values = np.where(t < lr_warmup, lr_start + (lr - lr_start) * t / lr_warmup, wave)
    file["schedules/t"], file["schedules/warmup-cosine"] = t, values
    file["schedules/warmup-cosine"].attrs.update(peak=lr, start=lr_start, end=lr_end, epochs=float(lr_epochs),
                                                 warmup=float(lr_warmup))


def main():
    with h5py.File(sys.argv[1], "w", libver="earliest") as file:
        file.attrs["torch"] = torch.__version__.split("+")[0]
        operations(file)
        schedule(file)
        network(file.create_group("tied"), "start", True, F.gelu, 1.5)
        network(file.create_group("untied"), "start", False, lambda x: F.gelu(x, approximate="tanh"), 1e6)
    with h5py.File(sys.argv[2], "w", libver="earliest") as file:
        file.attrs.update(format="samebits-golden", model="gpt", dtype="f8", torch=torch.__version__.split("+")[0],
                          vocabulary=11, blocks=2, heads=3, width=12, context=7, batch=4, tied="on", activation="gelu",
                          optimizer="adamw", lr=0.01, beta1=0.9, beta2=0.99, eps=1e-3, weight_decay=0.1)
        network(file, "init", True, F.gelu, 1e6, eps=1e-3)  # a float program checks it, too


main()
