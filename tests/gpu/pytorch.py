#!/usr/bin/env python3
"""The networks of `samebits bench` in PyTorch on this GPU, in turns: milliseconds for each window of PredNet (20 frames at
160x120, channels 3,48,96,192) and for each update of ResNet-9 (batch 512). One line for each form, as CSV.

    tests/gpu/pytorch.py [--rounds N] [--compiled]        exit: 0 measured, 4 no PyTorch with a GPU here
"""
import argparse
import statistics
import sys

try:
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError:
    sys.exit(4)

CHANNELS, WIDTH, HEIGHT, FRAMES = [3, 48, 96, 192], 160, 120, 20


def prednet_parameters(device):
    """Weights of each layer: A and P, and of the LSTM one convolution of four gates for each input, and three peepholes."""
    parameters, top = {}, len(CHANNELS) - 1

    def conv(name, n_in, n_out, bias=True):
        parameters[name] = torch.randn(n_out, n_in, 3, 3, device=device) / (9 * n_in) ** 0.5
        if bias:
            parameters[name + "b"] = torch.zeros(n_out, device=device)

    for l, c in enumerate(CHANNELS):
        if l:
            conv(f"a{l}", 2 * CHANNELS[l - 1], c)
        conv(f"p{l}", c, c)
        conv(f"h{l}", c, 4 * c)
        conv(f"e{l}", 2 * c, 4 * c, bias=False)
        if l < top:
            conv(f"u{l}", CHANNELS[l + 1], 4 * c, bias=False)
        for gate in "ifo":
            parameters[f"c{gate}{l}"] = 0.01 * torch.randn(1, c, HEIGHT >> l, WIDTH >> l, device=device)
    return {name: value.requires_grad_() for name, value in parameters.items()}


def prednet_frame(w, x, state):
    """One frame: the prediction of the next one, and the new state (P, h, c of each layer)."""
    prediction, hidden, cell = state
    n, conv = len(CHANNELS), lambda name, x: F.conv2d(x, w[name], w.get(name + "b"), padding=1)
    errors = []
    for l in range(n):
        a = x if l == 0 else F.max_pool2d(F.relu(conv(f"a{l}", errors[-1])), 2)
        errors.append(torch.cat((F.relu(a - prediction[l]), F.relu(prediction[l] - a)), 1))
    new_p, new_h, new_c = [None] * n, [None] * n, [None] * n
    for l in reversed(range(n)):
        gates = conv(f"h{l}", hidden[l]) + conv(f"e{l}", errors[l])
        if l < n - 1:
            gates = gates + conv(f"u{l}", F.interpolate(new_h[l + 1], scale_factor=2, mode="nearest"))
        i, f, g, o = gates.chunk(4, 1)
        i, f, o = (torch.sigmoid(y + cell[l] * w[f"c{name}{l}"]) for y, name in ((i, "i"), (f, "f"), (o, "o")))
        new_c[l] = i * torch.tanh(g) + f * cell[l]
        new_h[l] = o * torch.tanh(new_c[l])
        p = conv(f"p{l}", new_h[l])
        new_p[l] = p.clamp(0, 1) if l == 0 else F.relu(p)
    return new_p[0], (new_p, new_h, new_c)


def prednet(device):
    """A function that trains one window from a fixed state."""
    w = prednet_parameters(device)
    frames = [torch.rand(1, 3, HEIGHT, WIDTH, device=device) for _ in range(FRAMES + 1)]
    zeros = [[torch.zeros(1, c, HEIGHT >> l, WIDTH >> l, device=device) for l, c in enumerate(CHANNELS)] for _ in range(3)]
    optimizer = torch.optim.Adam(w.values(), 1e-3, capturable=device.type == "cuda", foreach=True)

    def window():
        loss, state = 0, zeros
        for t in range(FRAMES):
            y, state = prednet_frame(w, frames[t], state)
            loss = loss + F.mse_loss(y, frames[t + 1])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    return window


def block(n_in, n_out, pool=False):
    layers = [nn.Conv2d(n_in, n_out, 3, padding=1, bias=False)] + [nn.MaxPool2d(2)] * pool
    return nn.Sequential(*layers, nn.BatchNorm2d(n_out), nn.CELU(0.3))


class Residual(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.body = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.body(x)


def residual(n):
    return Residual(block(n, n), block(n, n))


def resnet9(device, channels_last=False, compiled=False):
    """A function that makes one update of a batch of 512."""
    layout = torch.channels_last if channels_last else torch.contiguous_format
    net = nn.Sequential(block(3, 64), block(64, 128, True), residual(128), block(128, 256, True), block(256, 512, True),
                        residual(512), nn.MaxPool2d(4), nn.Flatten(), nn.Linear(512, 10, bias=False))
    net = net.to(device).to(memory_format=layout)
    x = torch.randn(512, 3, 32, 32, device=device).to(memory_format=layout)
    y = torch.randint(0, 10, (512,), device=device)
    optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, nesterov=True, weight_decay=5e-4)
    forward = torch.compile(net) if compiled else net

    def update():
        optimizer.zero_grad()
        F.cross_entropy(forward(x) / 8, y, label_smoothing=0.2).backward()
        optimizer.step()

    return update


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.qkv, self.project = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        n, t, width = x.shape
        q, k, v = (part.view(n, t, self.heads, -1).transpose(1, 2) for part in self.qkv(x).split(width, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.project(y.transpose(1, 2).reshape(n, t, width))


class Gpt(nn.Module):
    """As src/net/gpt.c, with tied weights and its initial distribution."""

    def __init__(self, blocks, heads, width, context, vocabulary):
        super().__init__()
        norm = lambda *layers: Residual(nn.LayerNorm(width), *layers)
        dense = lambda: (nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.table, self.position = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
        parts = [part for _ in range(blocks) for part in (norm(Attention(width, heads)), norm(*dense()))]
        self.body = nn.Sequential(*parts, nn.LayerNorm(width))
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, 0, 0.02)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.zeros_(m.bias)
            if isinstance(m, Residual):
                last = m.body[-1]
                nn.init.normal_(last.project.weight if isinstance(last, Attention) else last.weight, 0, 0.02 / (2 * blocks) ** 0.5)

    def forward(self, tokens):
        x = self.table(tokens) + self.position.weight[: tokens.shape[1]]
        return F.linear(self.body(x), self.table.weight)


def adamw(net):
    """The recipe of gpt: weight decay on matrices alone."""
    matrices, others = [p for p in net.parameters() if p.dim() > 1], [p for p in net.parameters() if p.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0}]
    return torch.optim.AdamW(groups, 1e-3, betas=(0.9, 0.99), fused=True)


def learn(net, optimizer, tokens, forward=None):
    """One update from windows of tokens [n, context + 1], with gradients clipped to the norm 1; returns the loss."""
    optimizer.zero_grad(set_to_none=True)
    logits = (net if forward is None else forward)(tokens[:, :-1])
    loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].reshape(-1))
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    return loss


def gpt(device, compiled=False, batch=8, blocks=6, heads=6, width=384, context=256, vocabulary=65):
    """A function that makes one update."""
    net = Gpt(blocks, heads, width, context, vocabulary).to(device)
    tokens = torch.randint(0, vocabulary, (batch, context + 1), device=device)
    optimizer, forward = adamw(net), torch.compile(net) if compiled else net
    return lambda: learn(net, optimizer, tokens, forward)


def graphed(work):
    """The same work as one CUDA graph."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()

    def replay(keeps=work):  # the graph reads and writes the tensors of work, which must not be freed before it
        graph.replay()

    return replay


def milliseconds(work, n):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(n):
        work()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / n


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--compiled", action="store_true", help="also ResNet-9 by torch.compile, which takes a minute")
    options = options.parse_args()
    if not torch.cuda.is_available():
        sys.exit(4)
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda")
    forms = [("prednet", "gates joined", False, lambda: prednet(device)),
             ("prednet", "gates joined; graph", False, lambda: graphed(prednet(device))),
             ("prednet", "gates joined; graph; TF32", True, lambda: graphed(prednet(device))),
             ("resnet9", "", False, lambda: resnet9(device)),
             ("resnet9", "channels last", False, lambda: resnet9(device, True)),
             ("resnet9", "TF32", True, lambda: resnet9(device)),
             ("resnet9", "channels last; TF32", True, lambda: resnet9(device, True))]
    if options.compiled:
        forms += [("resnet9", "compiled", False, lambda: resnet9(device, compiled=True))]
    works = []
    for _, _, tf32, make in forms:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
        work = make()
        for _ in range(3):
            work()
        works.append((tf32, work))
    times = [[] for _ in forms]
    for _ in range(options.rounds):
        for i, (tf32, work) in enumerate(works):
            torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
            times[i].append(milliseconds(work, 3))
    print("model,form,milliseconds,least,most,rounds,pytorch,cudnn,gpu")
    versions = f"{torch.__version__},{torch.backends.cudnn.version()},{torch.cuda.get_device_name()}"
    for (model, form, _, _), t in zip(forms, times):
        print(f"{model},{form},{statistics.median(t):.3f},{min(t):.3f},{max(t):.3f},{options.rounds},{versions}")


if __name__ == "__main__":
    main()
