"""What record() is given, checked before the training begins: a wrong argument ends with a sentence."""
import os

import torch

from ._torch_check import Checker
from ._torch_state import as_list
from ._torch_values import leaves

_CALL = "record(model, optimizer, path)"


def _kind(value):
    return type(value).__name__


def _number(name, value, least):
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name}: a whole number from {least} on is needed, not {value!r}")


def checked_model(model):
    """None, or a network whose parameters have numbers."""
    if isinstance(model, torch.optim.Optimizer):
        raise TypeError(f"{_CALL}: the model is an optimizer ({_kind(model)}): the first two arguments are swapped")
    if model is not None and not isinstance(model, torch.nn.Module):
        raise TypeError(f"{_CALL}: the model must be a torch.nn.Module, not {_kind(model)}")
    for name, p in model.named_parameters() if model is not None else ():
        if isinstance(p, torch.nn.parameter.UninitializedParameter):
            raise ValueError(f"parameter {name} of the network has no shape yet: call the network once before record()")
    return model


def checked_optimizers(optimizer):
    if isinstance(optimizer, torch.nn.Module):
        raise TypeError(f"{_CALL}: the optimizer is a network ({_kind(optimizer)})")
    found = as_list(optimizer)
    for one in found:
        if not hasattr(one, "register_step_pre_hook") or not hasattr(one, "param_groups"):
            raise TypeError(f"{_CALL}: the optimizer must be a torch.optim.Optimizer or a list of them, not {_kind(one)}")
    return found


def checked_path(path, name="path"):
    """Absolute, with ~ expanded. The folder must exist and be writable."""
    if path is None:
        return None
    try:
        path = os.path.expanduser(os.fspath(path))
    except TypeError:
        raise TypeError(f"{name}: the path of a file is needed, not {path!r}") from None
    path = os.fsdecode(path)
    folder = os.path.dirname(path) or "."
    if not path or os.path.isdir(path):
        raise IsADirectoryError(f"{name}: {path!r} is a folder: name a file, such as {os.path.join(path, 'run.h5')}")
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"{path}: there is no folder {folder}: make it first, or name another file")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{path}: the folder {folder} cannot be written")
    return os.path.abspath(path)  # the program may change to another folder


def checked_also(also):
    """Is there anything that cannot be recorded? What has no value yet is asked later."""
    if not hasattr(also, "items"):
        raise TypeError(f"also: a dictionary such as {{\"ema\": average}} is needed, not {_kind(also)}")
    unknown = []
    for name, value in also.items():
        if value is None:
            raise TypeError(f"also: '{name}' is None")
        list(leaves(str(name), value, unknown))
    if unknown:
        name, kind = unknown[0]
        raise TypeError(f"also: '{name}' is of type {kind}, which cannot be recorded: modules, tensors, arrays, numbers, texts, "
                        "objects with state_dict(), and lists and dictionaries of them can")
    return dict(also)


def checked_config(config):
    if config is not None and not hasattr(config, "items"):
        raise TypeError(f"config: a dictionary such as {{\"name\": value}} is needed, not {_kind(config)}")
    for name in config or ():
        if not 0 < len(str(name).encode("utf-8", "replace")) <= 200 or "/" in str(name):
            raise ValueError(f"config: a name of 1 to 200 bytes without '/' is needed, not {str(name)[:210]!r}")
    return config or {}


def checked_every(every):
    _number("every", every, 1)
    return every


def checked_trace(update):
    """The number of the update that is traced; None: none is."""
    if update == "first":
        return 1
    if update is not None:
        if isinstance(update, (list, tuple, set, range)):
            raise ValueError(f"trace: one update is traced in a run, not {len(update)}: name one, and run again for the others")
        _number("trace", update, 1)
    return update


def checked_checks(check):
    checks = (check,) if isinstance(check, str) else tuple(check or ())
    Checker(checks)
    return checks


def checked_kept(kept):
    rows = (kept,) if isinstance(kept, int) else tuple(kept)
    for row in rows:
        _number("kept", row, 1)
    return rows
