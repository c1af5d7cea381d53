"""The tensors, arrays and numbers that a value of the program holds, each under a name: of batches, and of what else lasts."""
import collections.abc
import dataclasses
import enum
import inspect
import sys

import torch

from . import _library as library
from ._torch_hash import forms, hash_bytes, hash_tensor, hash_tensors
from .array import array_forms, hash_array

_PLAIN = (bool, int, float, complex, str, bytes, range, slice, enum.Enum, torch.dtype, torch.device)
_DEEPEST = 20
_COMPILED = "_orig_mod."


def inner(model):
    """The module in a wrapper of torch.compile or DistributedDataParallel; a module that is none is returned as it is."""
    wrapped = getattr(model, _COMPILED[:-1], None)
    if isinstance(model, torch.nn.parallel.DistributedDataParallel):
        wrapped = model.module
    return inner(wrapped) if isinstance(wrapped, torch.nn.Module) else model


def plain_name(name):
    """The name that a parameter has in the module before it was compiled."""
    return name.replace(_COMPILED, "")


def keyword_arguments():
    """Those of the forward pass whose hook called this function: PyTorch does not give them to hooks of all modules."""
    found = sys._getframe(2).f_locals.get("kwargs")
    return found if isinstance(found, dict) else {}


def _is_array(value):
    return hasattr(value, "__array_interface__") or hasattr(value, "__dlpack__")


def has_numbers(value):
    """Is it a tensor or an array?"""
    return isinstance(value, torch.Tensor) or _is_array(value)


def _is_leaf(value):
    return isinstance(value, _PLAIN) or has_numbers(value)


def _items(value):
    """(key, value) of what a container holds; None: it is no container that is known."""
    if isinstance(value, torch.nn.Module):
        return list(value.named_parameters()) + list(value.named_buffers())
    if isinstance(value, torch.Generator):
        return [("state", value.get_state())]
    if isinstance(value, collections.abc.Mapping):
        return list(value.items())
    if isinstance(value, (list, tuple, collections.deque)):
        return list(enumerate(value))
    if isinstance(value, (set, frozenset)):
        return list(enumerate(sorted(map(repr, value))))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    if callable(getattr(value, "state_dict", None)) and not isinstance(value, type):
        return list(value.state_dict().items())
    return None


def leaves(name, value, unknown, depth=0):
    """(name, tensor, array or plain value) of all that is in a value. A list of plain values is one leaf. None and functions are
    nothing. unknown: (name, type) of what cannot be recorded is appended."""
    if value is None or (depth and (inspect.isroutine(value) or isinstance(value, type))):
        return
    if _is_leaf(value):
        yield name, value
        return
    items = _items(value) if depth < _DEEPEST else None
    if items is None:
        unknown.append((name, type(value).__name__))
    elif items and isinstance(value, (list, tuple)) and all(isinstance(x, _PLAIN) for x in value):
        yield name, list(value)
    else:
        for key, item in items:
            yield from leaves(plain_name(f"{name}.{key}"), item, unknown, depth + 1)


def _hash_other(value):
    """Of an array or a plain value."""
    if _is_array(value):
        try:
            return hash_array(value)
        except TypeError:  # of objects or texts
            value = value.tolist()
    return hash_bytes(repr(value).encode(errors="replace"))


def hashed(items):
    """(name, leaf) -> (name, hash); the tensors together."""
    items = list(items)
    hashes = iter(hash_tensors([x for _, x in items if isinstance(x, torch.Tensor)]))
    return [(name, next(hashes) if isinstance(x, torch.Tensor) else _hash_other(x)) for name, x in items]


def hashed_with_forms(value):
    """hash, canonical hash and hash of the samples of a leaf."""
    if isinstance(value, torch.Tensor):
        return (hash_tensor(value), *forms(value))
    try:
        if _is_array(value):
            return (hash_array(value), *array_forms(value))
    except TypeError:
        pass
    return _hash_other(value), library.NO_TENSOR, library.NO_TENSOR


class Argument:
    """What a batch consists of: one argument of batch() or of the forward pass. word: of one that has a name. items: (path of the leaf,
    leaf), later (path, hashes of it)."""
    __slots__ = ("word", "items")

    def __init__(self, word, items):
        self.word, self.items = word, items

    @staticmethod
    def of(positional, named, unknown):
        pairs = [(None, x) for x in positional] + list(named.items())
        found = [Argument(word, list(leaves("", value, unknown))) for word, value in pairs]
        return [argument for argument in found if argument.items]


def numbered(names):
    """A name that comes again has a number: ["x", "x"] -> ["x", "x (2)"]."""
    names = list(names)
    if len(set(names)) == len(names):
        return names
    times, result = {}, []
    for name in names:
        times[name] = times.get(name, 0) + 1
        result.append(name if times[name] == 1 else f"{name} ({times[name]})")
    return result


def batch_names(arguments):
    """Names of all leaves: "batch 0", "batch 1.input_ids", "batch labels"."""
    names, position = [], 0
    for argument in arguments:
        word = argument.word
        if word is None:
            word, position = str(position), position + 1
        names += [f"batch {word}{path}" for path, _ in argument.items]
    return numbered(names)
