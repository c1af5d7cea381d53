"""What a training with PyTorch is made of, under names: weights, buffers, the optimizer's state and settings, generators,
environment."""
import collections.abc
import platform
import random
import sys

import torch

from ._torch_hash import hash_bytes
from ._torch_trace import generator_state
from ._torch_values import leaves, plain_name


def as_list(value):
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def named_weights(model):
    return [(plain_name(name), p) for name, p in model.named_parameters()] if model is not None else []


def named_state(model, also, unknown=None):
    """Buffers of the network, and all tensors, arrays and numbers of what else lasts, such as an average of the weights."""
    items = [(plain_name(name), b) for name, b in model.named_buffers()] if model is not None else []
    unknown = [] if unknown is None else unknown
    for prefix, thing in also.items():
        items += leaves(str(prefix), thing, unknown)
    return items


class Names:
    """The order of the tensors of a part: once a name has a number it keeps it."""

    def __init__(self):
        self.list, self._number = [], {}

    def number(self, name):
        if name not in self._number:
            self._number[name] = len(self.list)
            self.list.append(name)
        return self._number[name]


def parameter_names(weights, optimizers):
    """id -> name, of the network's weights as named_weights gives them; a parameter that the network does not have is named after
    its group."""
    names = {id(p): name for name, p in weights}
    for number, optimizer in enumerate(optimizers):
        for g, group in enumerate(optimizer.param_groups):
            for k, p in enumerate(group["params"]):
                names.setdefault(id(p), f"optimizer {number} group {g} parameter {k}")
    return names


def named_optimizer_state(optimizers, weights):
    """("exp_avg of 0.weight", value); values are tensors, or numbers. weights: of the network, with their names. The order is that
    of the weights, whatever the order of the optimizer's groups."""
    names = parameter_names(weights, optimizers)
    order = {owner: k for k, owner in enumerate(names)}
    for optimizer in optimizers:
        for parameter, state in sorted(optimizer.state.items(), key=lambda item: order.get(id(item[0]), len(order))):
            owner = names.get(id(parameter), "another parameter") if isinstance(parameter, torch.Tensor) else str(parameter)
            if not isinstance(state, dict):
                continue
            for key, value in state.items():
                for label, item in _values(key, value):
                    yield f"{label} of {owner}", item


def _values(key, value):
    if isinstance(value, (torch.Tensor, int, float, bool)):
        yield str(key), value
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _values(f"{key}[{index}]", item)
    elif isinstance(value, collections.abc.Mapping):
        for name, item in value.items():
            yield from _values(f"{key}.{name}", item)


def settings_text(optimizers):
    """One line a setting of a group: "group 0 lr = 0.1"."""
    lines = []
    for number, optimizer in enumerate(optimizers):
        label = f"optimizer {number} " if len(optimizers) > 1 else ""
        for g, group in enumerate(optimizer.param_groups):
            for key in sorted(key for key in group if key not in ("params", "param_names")):
                value = group[key]
                value = value.item() if isinstance(value, torch.Tensor) and value.numel() == 1 else value
                lines.append(f"{label}group {g} {key} = {value!r}")
    return "\n".join(lines)


def generators():
    """(name, hash) of the states of the random generators in use."""
    found = [("torch cpu", hash_bytes(generator_state(torch.device("cpu"))))]
    if torch.cuda.is_initialized():
        found += [(f"torch cuda:{k}", hash_bytes(generator_state(torch.device("cuda", k)))) for k in range(torch.cuda.device_count())]
    if "numpy" in sys.modules:
        state = sys.modules["numpy"].random.get_state(legacy=False)["state"]
        found.append(("numpy", hash_bytes(b"".join(_plain(x) for x in state.values()))))
    found.append(("python", hash_bytes(repr(random.getstate()).encode())))
    return found


def _plain(value):
    return value.tobytes() if hasattr(value, "tobytes") else repr(value).encode()


def facts():
    """Versions, and what can change bits."""
    yield "python", platform.python_version()
    yield "torch", torch.__version__
    yield "torch_cpu_capability", torch.backends.cpu.get_cpu_capability()
    if "numpy" in sys.modules:
        yield "numpy", sys.modules["numpy"].__version__
    if torch.version.cuda:
        yield "torch_cuda", torch.version.cuda
    if torch.cuda.is_initialized():
        yield "gpu", torch.cuda.get_device_name()
        yield "cudnn", str(torch.backends.cudnn.version())
    for line in torch.__config__.show().splitlines():
        if "MKL-DNN" in line or "oneAPI" in line or "Math Kernel" in line:
            yield "torch_" + ("onednn" if "DNN" in line else "mkl"), line.strip(" -")


_PRECISIONS = (
    ("matmul_precision", torch.get_float32_matmul_precision),
    ("matmul_tf32", lambda: torch.backends.cuda.matmul.allow_tf32),
    ("cudnn_tf32", lambda: torch.backends.cudnn.allow_tf32),
    ("matmul_fp32_precision", lambda: torch.backends.cuda.matmul.fp32_precision),
    ("cudnn_fp32_precision", lambda: torch.backends.cudnn.conv.fp32_precision),
    ("mkldnn_fp32_precision", lambda: torch.backends.mkldnn.matmul.fp32_precision),
    ("matmul_reduced_fp16", lambda: torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction),
    ("matmul_reduced_bf16", lambda: torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction),
)


def config(model, optimizers):
    """What was asked for, as far as PyTorch says it."""
    yield "device", " ".join(dict.fromkeys(str(p.device) for _, p in named_weights(model)))
    for number, optimizer in enumerate(optimizers):
        yield "optimizer" + (f"_{number}" if number else ""), type(optimizer).__name__
    yield "threads", torch.get_num_threads()
    yield "deterministic", torch.are_deterministic_algorithms_enabled()
    yield "default_dtype", str(torch.get_default_dtype()).replace("torch.", "")
    yield "mkldnn", torch.backends.mkldnn.enabled if hasattr(torch.backends.mkldnn, "enabled") else torch.backends.mkldnn.is_available()
    for name, read in _PRECISIONS:
        try:
            yield name, read()
        except (AssertionError, AttributeError, RuntimeError):  # not there, or refused: the program used the other interface
            pass
    yield "cudnn_deterministic", torch.backends.cudnn.deterministic
    yield "cudnn_benchmark", torch.backends.cudnn.benchmark
    if hasattr(torch, "is_autocast_enabled"):
        try:
            yield "autocast_cpu", torch.is_autocast_enabled("cpu")
        except TypeError:
            yield "autocast_cpu", torch.is_autocast_cpu_enabled()
