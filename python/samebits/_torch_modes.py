"""Our own operations are no part of the training: they run without its dispatch modes."""
import contextlib
import sys

import torch
from torch.utils import _python_dispatch

_before_dispatch = getattr(torch._ops, "_len_torch_dispatch_stack_pre_dispatch", lambda: 0)  # PyTorch 2.1 has none
_NOTHING = contextlib.nullcontext()


def without_modes():
    """A context. Where no mode is active there is nothing to disable, and nothing is done: it is entered for each saved tensor."""
    if torch._C._len_torch_dispatch_stack() == 0 and _before_dispatch() == 0:
        return _NOTHING
    return _python_dispatch._disable_current_modes()


def not_compiled(function):
    """The function, which torch.compile leaves alone: where a graph breaks it would try to compile ours too."""
    return torch.compiler.disable(function) if "torch._dynamo" in sys.modules else function
