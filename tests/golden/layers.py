#!/usr/bin/env python3
"""layers.py FILE: golden values of the layers of users' own networks, in float64 by PyTorch: layer norm, group norm,
average pools, dropout, silu, and convolutions with a stride, a dilation, groups and other kernels. Random numbers are
drawn once; nothing depends on how."""
import sys

import h5py
import numpy as np
import torch
import torch.nn.functional as F

random = np.random.default_rng(20)


def draw(*shape):
    return torch.tensor(random.standard_normal(shape), dtype=torch.float64, requires_grad=True)


def write(file, name, function, x, parameters, **attributes):
    """Inputs, the result for them, and the gradients of sum(y dy)."""
    y = function(x, *parameters.values())
    dy = draw(*y.shape).detach()
    (y * dy).sum().backward()
    group = file.create_group(name)
    group.attrs.update(attributes)
    for key, tensor in {"x": x, "y": y, "dy": dy, "dx": x.grad, **parameters}.items():
        group[key] = tensor.detach().numpy()
    for key, tensor in parameters.items():
        group["d" + key] = tensor.grad.numpy()


def layer_norm(x, scale, shift):
    return F.layer_norm(x.permute(0, 2, 3, 1), scale.shape, scale, shift, 1e-5).permute(0, 3, 1, 2)


def philox(seed, stream, index):
    """Philox 4x32-10 of Salmon et al. 2011, as core/random.h has it."""
    mask = (1 << 32) - 1
    c, k = [index & mask, index >> 32, stream, 0], [seed & mask, seed >> 32]
    for _ in range(10):
        first, second = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [second >> 32 ^ c[1] ^ k[0], second & mask, first >> 32 ^ c[3] ^ k[1], first & mask]
        k = [k[0] + 0x9E3779B9 & mask, k[1] + 0xBB67AE85 & mask]
    return c


def kept(shape, rate, seed, stream, update, first_sample):
    n, c, h, w = shape
    mask = np.zeros(shape)
    for place in np.ndindex(n, h, w, c):
        sample, row, column, channel = map(int, place)
        k = (((first_sample + sample) * h + row) * w + column) * c + channel
        word = philox(seed, stream, (update << 32) + k // 4)[k % 4]
        mask[sample, channel, row, column] = word >= int(rate * 2**32)
    return torch.tensor(mask)


def main():
    with h5py.File(sys.argv[1], "w", libver="earliest") as file:
        file.attrs["torch"] = torch.__version__.split("+")[0]
        for c, shape in ("7", (5, 7, 1, 1)), ("6", (4, 6, 3, 5)), ("32", (2, 32, 2, 3)):
            write(file, f"layer_norm_{c}", layer_norm, draw(*shape), {"scale": draw(shape[1]), "shift": draw(shape[1])})
        for groups, shape in (1, (3, 6, 5, 4)), (3, (3, 6, 5, 4)), (2, (2, 32, 3, 2)):
            write(file, f"group_norm_{groups}_of_{shape[1]}", lambda x, scale, shift: F.group_norm(x, groups, scale, shift),
                  draw(*shape), {"scale": draw(shape[1]), "shift": draw(shape[1])}, groups=groups)
        for window, shape in (2, (2, 3, 7, 9)), (3, (2, 5, 10, 7)):
            write(file, f"average_pool_{window}", lambda x: F.avg_pool2d(x, window), draw(*shape), {}, window=window)
        write(file, "silu", F.silu, draw(2, 3, 5, 7), {})
        for rate, first in (0.3, 0), (0.5, 5):
            mask = kept((3, 5, 4, 3), rate, 7, (33 << 20) + 2, 9, first) / (1 - rate)
            write(file, f"dropout_{rate}", lambda x: x * mask, draw(3, 5, 4, 3), {}, rate=rate, first=first)
        for name, i, o, k, stride, padding, dilation, groups in (
                ("stride_2", 4, 6, 3, 2, 1, 1, 1), ("stride_3_of_7x7", 3, 5, 7, 3, 0, 1, 1), ("5x5", 3, 4, 5, 1, 2, 1, 1),
                ("dilation_2", 4, 3, 3, 1, 2, 2, 1), ("groups_2", 6, 4, 3, 1, 1, 1, 2), ("depthwise", 5, 5, 3, 1, 1, 1, 5),
                ("depthwise_stride_2", 4, 8, 3, 2, 1, 1, 4), ("all", 6, 9, 5, 2, 3, 2, 3)):
            write(file, f"conv_{name}",
                  lambda x, w, b: F.conv2d(x, w, b, stride, padding, dilation, groups), draw(3, i, 11, 12),
                  {"w": draw(o, i // groups, k, k), "b": draw(o)}, stride=stride, padding=padding, dilation=dilation,
                  groups=groups)


main()
